"""Real sentences made into the book's translation task: other pairs, the same code."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from contextbook.datasets import Pair, tatoeba
from contextbook.progress import progress
from contextbook.real_sentences.settings import REDUCED, Settings
from contextbook.text import ByteLevelBPE, Vocabulary, japanese_words, learn_merges
from contextbook.text.vocabulary import SPECIAL_TOKENS
from contextbook.translation import LONGEST, TranslationTask

Texts: TypeAlias = tuple[str, str]  # English, Japanese


class Subwords:
    """Byte-pair encoding whose tokens are strings, as the book's vocabularies want them.

    A token's bytes stand in its string as the characters of the same numbers (Latin-1), so that
    nothing is lost where a token holds half a character.

    Args:
        texts: what the merges are learned from.
        merges: how many, at most.
    """

    def __init__(self, texts: Sequence[str], merges: int) -> None:
        self.bpe = ByteLevelBPE(learn_merges(texts, merges))
        self.tokens = [token.decode("latin-1") for token in self.bpe.tokens]
        self.vocabulary = Vocabulary(self.tokens)

    def cut(self, text: str) -> tuple[str, ...]:
        """The tokens of a text."""
        return tuple(self.tokens[number] for number in self.bpe.encode(text))

    def join(self, tokens: Sequence[str]) -> str:
        """The text of tokens, special ones left out; � for bytes that are no character."""
        ordinary = [token for token in tokens if token not in SPECIAL_TOKENS]
        return "".join(ordinary).encode("latin-1").decode("utf-8", errors="replace")


@dataclass(frozen=True)
class RealTask(TranslationTask):
    """The translation task on real sentences.

    ``train`` and ``test`` have no gold alignments: nobody has written down which word translates
    which.

    Attributes:
        cut_english, cut_japanese: from text to tokens and back.
        references: the Japanese of each test pair, as text.
    """

    cut_english: Subwords
    cut_japanese: Subwords
    references: list[str]


def real_task(settings: Settings = REDUCED, texts: Sequence[Texts] | None = None) -> RealTask:
    """Real pairs cut into subwords: what :func:`contextbook.translation.train_translator` takes.

    Japanese is cut into words first, as English is by its spaces; in both languages byte-pair
    encoding then works inside words, and no word is unknown. Merges are learned from the training
    pairs alone.

    Args:
        settings: how long the sentences are, how many pairs, how many merges.
        texts: (English, Japanese) pairs instead of Tatoeba's.

    Raises:
        ValueError: there are fewer pairs than are wanted.
        contextbook.datasets.fetching.NotFetched: Tatoeba's are not here and cannot be fetched.
    """
    texts = tatoeba.load(settings.longest) if texts is None else texts
    train, test = split(texts, settings)
    spaced = [spaced_out(texts) for texts in progress(train, "finding Japanese words")]
    english = Subwords([pair[0] for pair in spaced], settings.merges)
    japanese = Subwords([pair[1] for pair in spaced], settings.merges)

    def pair(texts: Texts) -> Pair:
        tokens = japanese.cut(texts[1])
        return Pair(english.cut(texts[0]), tokens, (None,) * len(tokens))

    cut = [pair(texts) for texts in progress(spaced, "cutting into subwords")]
    return RealTask(
        train=[pair for pair in cut if len(pair.japanese) < LONGEST],
        test=[pair(spaced_out(texts)) for texts in test],
        english=english.vocabulary,
        japanese=japanese.vocabulary,
        cut_english=english,
        cut_japanese=japanese,
        references=["".join(text.split()) for _, text in test],
    )


def spaced_out(texts: Texts) -> Texts:
    """The pair with spaces between Japanese words too."""
    english, japanese = texts
    return english, " ".join(japanese_words(japanese))


def split(texts: Sequence[Texts], settings: Settings) -> tuple[list[Texts], list[Texts]]:
    """Training and test pairs, drawn at random; no English sentence is in both.

    Raises:
        ValueError: none are wanted, or there are fewer than are.
    """
    if min(settings.train, settings.test) < 1:
        raise ValueError(
            f"train and test must be at least 1 pair each, got {settings.train} and {settings.test}"
        )
    by_english: defaultdict[str, list[Texts]] = defaultdict(list)
    for texts_of_pair in texts:
        by_english[texts_of_pair[0]].append(texts_of_pair)
    sentences = list(by_english)
    random.Random(settings.seed).shuffle(sentences)
    test = [by_english[english][0] for english in sentences[: settings.test]]
    rest = [pair for english in sentences[settings.test :] for pair in by_english[english]]
    if len(test) < settings.test or len(rest) < settings.train:
        raise ValueError(
            f"{settings.train} pairs to learn from and {settings.test} to be tested on are wanted, "
            f"and there are {len(texts)}, of {len(sentences)} English sentences: ask for fewer"
        )
    return rest[: settings.train], test
