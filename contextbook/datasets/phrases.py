"""The parts that a sentence pair is put together from, both languages at once.

An English word is a slot that learns its position when the sentence is done; a Japanese token
points at the slot that it translates. So the gold alignment needs no bookkeeping while parts are
put together, whatever order the two languages want them in.
"""

from typing import NamedTuple

from contextbook.datasets.lexicon import Noun, Tokens, Verb


class Slot:
    """One English word and, once the sentence is whole, its position."""

    __slots__ = ("position", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = -1


Japanese = list[tuple[str, Slot | None]]


class Phrase(NamedTuple):
    """A stretch of the sentence in both languages."""

    english: list[Slot]
    japanese: Japanese


class NounPhrase(NamedTuple):
    """A noun phrase with what other parts must know of it."""

    english: list[Slot]
    japanese: Japanese
    noun: Noun
    new: bool  # a dog, not the dog: in Japanese it takes が where the known takes は


def close(parts: Phrase) -> Phrase:
    """End a sentence with its full stop."""
    return Phrase([*parts.english, Slot(".")], [*parts.japanese, ("。", None)])


def tokens(words: Tokens, slot: Slot) -> Japanese:
    """All tokens of a word point at the same English slot, as 出 and 会い do at "met"."""
    return [(word, slot) for word in words]


def content(words: Tokens, slot: Slot) -> Japanese:
    """Like :func:`tokens`, but the な of 静かな points at nothing."""
    return [(word, None if word == "な" else slot) for word in words]


def predicate(verb: Verb, slot: Slot, tense: str, style: str) -> Japanese:
    """The verb at the end of a Japanese clause.

    Args:
        verb: which.
        slot: its English word; the endings point at nothing.
        tense: "past" or "present".
        style: "polite" (見ました, 見ます), "plain" (見た, 見る), "joined" (見て) or
            "progressive" (見ている).
    """
    te, ta = ("で", "だ") if verb.voiced else ("て", "た")
    if style == "polite":
        endings = ("まし", "た") if tense == "past" else ("ます",)
        return tokens(verb.stem, slot) + [(ending, None) for ending in endings]
    if style == "plain":
        if tense == "present":
            return tokens(verb.dictionary, slot)
        return [*tokens(verb.joined, slot), (ta, None)]
    joined: Japanese = [*tokens(verb.joined, slot), (te, None)]
    return joined if style == "joined" else [*joined, ("いる", None)]
