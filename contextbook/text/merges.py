"""Byte-pair encoding learns: again and again, join the two neighbours seen most often.

Sennrich, Haddow and Birch, *Neural Machine Translation of Rare Words with Subword Units* (2016),
algorithm 1. The merges are those of Hugging Face's ``tokenizers``: among pairs seen equally often
the one with the lower ids is joined first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from itertools import pairwise

from contextbook.text.pieces import byte_ids, pieces
from contextbook.text.validation import N_BYTES, check_training

Pair = tuple[int, int]


def merge_pair(ids: list[int], pair: Pair, new_id: int) -> list[int]:
    """Put ``new_id`` where the ids of ``pair`` stand side by side, left to right."""
    left, right = pair
    merged: list[int] = []
    for number in ids:
        if merged and merged[-1] == left and number == right:
            merged[-1] = new_id
        else:
            merged.append(number)
    return merged


def piece_counts(texts: Iterable[str]) -> Counter[str]:
    """Count how often each piece stands in a corpus."""
    return Counter(piece for text in texts for piece in pieces(text))


def learn_merges_naive(
    texts: Iterable[str],
    merges: int,
    min_count: int = 2,
) -> list[Pair]:
    """Learn merges by counting all pairs of the corpus anew for every merge.

    Args, result and errors are those of :func:`learn_merges`, which does the same work faster.
    """
    counts = piece_counts(check_training(texts, merges, min_count))
    words = {piece: byte_ids(piece) for piece in counts}
    learned: list[Pair] = []
    while len(learned) < merges:
        pairs: Counter[Pair] = Counter()
        for piece, ids in words.items():
            for pair in pairwise(ids):
                pairs[pair] += counts[piece]
        best = min(pairs, key=lambda pair: (-pairs[pair], pair), default=None)
        if best is None or pairs[best] < min_count:
            break
        new_id = N_BYTES + len(learned)
        words = {piece: merge_pair(ids, best, new_id) for piece, ids in words.items()}
        learned.append(best)
    return learned


def learn_merges(texts: Iterable[str], merges: int, min_count: int = 2) -> list[Pair]:
    """Learn which pairs of tokens to join, the most frequent first.

    Args:
        texts: the corpus.
        merges: how many to learn. When the corpus runs out of pairs the list is shorter.
        min_count: stop at pairs seen less often than this.

    Returns:
        Pairs of ids. Ids below 256 are bytes (:data:`contextbook.text.pieces.BYTES` has their
        order); the merge at index ``i`` makes the token ``256 + i``.

    Raises:
        ValueError: the corpus is empty or holds what is no text, or a number is too small.
    """
    index = PairIndex(piece_counts(check_training(texts, merges, min_count)))
    learned: list[Pair] = []
    while len(learned) < merges:
        pair, count = index.most_frequent()
        if count < min_count:
            break
        index.merge(pair, N_BYTES + len(learned))
        learned.append(pair)
    return learned


class PairIndex:
    """How often each pair stands in a corpus, and in which words, kept up to date.

    A merge changes the counts of the pairs beside it and no others: nothing else is counted again.
    """

    def __init__(self, counts: Counter[str]) -> None:
        self.words = [byte_ids(piece) for piece in counts]
        self.word_counts = list(counts.values())
        self.pair_counts: Counter[Pair] = Counter()
        self.where: defaultdict[Pair, set[int]] = defaultdict(set)  # numbers of words
        for number, ids in enumerate(self.words):
            for pair in pairwise(ids):
                self.pair_counts[pair] += self.word_counts[number]
                self.where[pair].add(number)
        # the smallest entry of a heap comes first: the greatest count, then the lowest ids
        self.heap = [(-count, pair) for pair, count in self.pair_counts.items()]
        heapify(self.heap)

    def most_frequent(self) -> tuple[Pair, int]:
        """Find the pair seen most often, and its count; the count is 0 when no pair is left."""
        while self.heap:
            negative, pair = self.heap[0]
            if self.pair_counts[pair] == -negative:
                return pair, -negative
            heappop(self.heap)  # the count has changed since: a newer entry is in the heap
        return (0, 0), 0

    def merge(self, pair: Pair, new_id: int) -> None:
        """Join the pair in every word that holds it."""
        change: Counter[Pair] = Counter()
        for number in self.where.pop(pair):
            for beside, difference in merge_in_place(self.words[number], pair, new_id):
                change[beside] += difference * self.word_counts[number]
                self.where[beside].add(number)
        change[pair] = -self.pair_counts[pair]  # none of it is left
        for changed, difference in change.items():
            if difference:
                self.pair_counts[changed] += difference
                heappush(self.heap, (-self.pair_counts[changed], changed))


def merge_in_place(ids: list[int], pair: Pair, new_id: int) -> Iterator[tuple[Pair, int]]:
    """Do what :func:`merge_pair` does to ``ids`` itself, and tell which pairs go and come.

    Yields:
        A pair beside the merge, and -1 if it is gone or 1 if it is new.
    """
    left, right = pair
    position = 0
    while position + 1 < len(ids):
        if ids[position] == left and ids[position + 1] == right:
            ids[position : position + 2] = [new_id]
            if position > 0:
                yield (ids[position - 1], left), -1
                yield (ids[position - 1], new_id), 1
            if position + 1 < len(ids):
                yield (right, ids[position + 1]), -1
                yield (new_id, ids[position + 1]), 1
        position += 1
