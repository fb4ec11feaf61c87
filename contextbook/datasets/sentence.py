"""The sentence that runs through the book, with reading and gloss for each of its 13 tokens."""

from typing import NamedTuple

RUNNING_SENTENCE = "犬が歩いていると猫と出会いました。"
RUNNING_TRANSLATION = "As the dog was walking along, it met a cat."


class Word(NamedTuple):
    """One token: as written, how it is read aloud, what it means or does in the sentence."""

    text: str
    reading: str
    gloss: str


_WORDS = (
    Word("犬", "inu", "dog"),
    Word("が", "ga", "(subject)"),
    Word("歩い", "arui", "walk"),
    Word("て", "te", "-ing"),
    Word("いる", "iru", "be"),
    Word("と", "to", "when"),
    Word("猫", "neko", "cat"),
    Word("と", "to", "with"),
    Word("出", "de", "go out"),
    Word("会い", "ai", "meet"),
    Word("まし", "mashi", "(polite)"),
    Word("た", "ta", "(past)"),
    Word("。", ".", "(full stop)"),
)


def running_sentence() -> tuple[Word, ...]:
    """Return the 13 words of 犬が歩いていると猫と出会いました。 in order (SudachiPy, mode A)."""
    return _WORDS
