"""Chapter 1: words against subwords as the vocabulary grows, and what learning merges costs."""

from collections.abc import Sequence
from itertools import pairwise

from contextbook.datasets import prose
from contextbook.experiments.record import experiment
from contextbook.text import (
    ByteLevelBPE,
    Vocabulary,
    english_words,
    frequent_tokens,
    japanese_words,
    learn_merges,
)
from contextbook.text.merges import merge_pair, piece_counts
from contextbook.text.pieces import byte_ids
from contextbook.text.vocabulary import SPECIAL_TOKENS, UNK

SIZES = (300, 500, 1000, 1500, 2000, 3000, 4000)
WORK = (100, 200, 400, 800)

CUTTERS = {"English": english_words, "Japanese": japanese_words}

Sentences = dict[str, list[str]]  # by language


def tenth_held_out(seed: int) -> tuple[Sentences, Sentences]:
    """Split our prose: every tenth sentence is held out, another tenth for every seed.

    Args:
        seed: 0 to 9; with 0 the split is that of :func:`contextbook.datasets.prose.load`.

    Returns:
        What to learn from and what is held out, each as sentences by language.
    """
    pairs = prose.load("all")
    held_out = pairs[9 - seed :: 10]
    rest = [pair for number, pair in enumerate(pairs) if number % 10 != 9 - seed]
    return _by_language(rest), _by_language(held_out)


def word_vocabulary(learn: Sentences, size: int) -> Vocabulary:
    """Number the most frequent words of both languages, ``size`` ids with the special tokens."""
    words = [CUTTERS[language](sentence) for language in learn for sentence in learn[language]]
    return Vocabulary(frequent_tokens(words, max_size=size - len(SPECIAL_TOKENS)))


def measure_words(vocabulary: Vocabulary, test: Sequence[str], language: str) -> dict[str, float]:
    """Cut sentences into words and number them.

    Args:
        vocabulary: the words that have an id.
        test: sentences of one language.
        language: ``"English"`` or ``"Japanese"``.

    Returns:
        ``tokens``: tokens per character; ``unknown``: share of tokens that are ``<unk>``.
    """
    ids = [vocabulary.encode(CUTTERS[language](sentence)) for sentence in test]
    unknown = sum(sentence.count(vocabulary.ids[UNK]) for sentence in ids)
    total = sum(map(len, ids))
    return {"tokens": total / sum(map(len, test)), "unknown": unknown / total}


def all_texts(sentences: Sentences) -> list[str]:
    """Put the sentences of both languages into one list."""
    return [text for texts in sentences.values() for text in texts]


def measure_bpe(tokenizer: ByteLevelBPE, test: Sequence[str]) -> dict[str, float]:
    """Cut sentences by BPE; the same two numbers as :func:`measure_words`.

    As unknown counts every token of a sentence that does not come back letter by letter.
    """
    ids = [tokenizer.encode(sentence) for sentence in test]
    lost = sum(
        len(tokens)
        for tokens, sentence in zip(ids, test, strict=True)
        if tokenizer.decode(tokens, errors="replace") != sentence
    )
    total = sum(map(len, ids))
    return {"tokens": total / sum(map(len, test)), "unknown": lost / total}


def pairs_looked_at(texts: Sequence[str], merges: int) -> dict[str, float]:
    """Count the pairs of neighbours that learning looks at, by the naive way and by the index.

    The naive way looks at every pair of the corpus for every merge. The index looks at every pair
    once, and then only into the pieces that hold the pair it merges.
    """
    words = [byte_ids(piece) for piece in piece_counts(texts)]
    everything = indexed = sum(len(ids) - 1 for ids in words)
    naive = 0
    for rank, pair in enumerate(learn_merges(texts, merges)):
        naive += everything
        for number, ids in enumerate(words):
            if pair in pairwise(ids):
                words[number] = merge_pair(ids, pair, 256 + rank)
                indexed += len(ids) - 1
                everything -= len(ids) - len(words[number])
    return {"naive": naive, "indexed": indexed}


@experiment(
    seeds=range(5),
    grid=[
        {"cut": cut, "language": language, "size": size}
        for cut in ("words", "bpe")
        for language in CUTTERS
        for size in SIZES
    ],
)
def vocabulary_size(seed: int, cut: str, language: str, size: int) -> dict[str, float]:
    """Tokens per character and share of unknown tokens, on another tenth for every seed."""
    learn, held_out = tenth_held_out(seed)
    test = held_out[language]
    if cut == "words":
        return measure_words(word_vocabulary(learn, size), test, language)
    return measure_bpe(ByteLevelBPE(learn_merges(all_texts(learn), size - 256)), test)


@experiment(seeds=range(5), grid=[{"merges": merges} for merges in WORK])
def learning_work(seed: int, merges: int) -> dict[str, float]:
    """Pairs that the naive way and the index look at to learn so many merges."""
    learn, _ = tenth_held_out(seed)
    return pairs_looked_at(all_texts(learn), merges)


def _by_language(pairs: Sequence[tuple[str, str]]) -> Sentences:
    english, japanese = map(list, zip(*pairs, strict=True))
    return {"English": english, "Japanese": japanese}
