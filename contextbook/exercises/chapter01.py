"""Chapter 1: bytes, unknown words, and the three steps of byte-pair encoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint
from contextbook.text.merges import merge_pair

__all__ = ["byte_count", "cut_by_merges", "merge", "pair_counts", "unknown_share"]

Pair = tuple[int, int]
_BOUNDS = (0x80, 0x800, 0x10000)


@exercise(chapter=1)
def byte_count(attempt: Attempt) -> None:
    """How many bytes of UTF-8 a text takes, from the numbers of its characters."""
    texts = ["ééa犬🐕", "dog", "", "犬が歩く。", "café", "\x7f\x80\u07ff\u0800\uffff\U00010000"]
    for text in texts:
        codes = [ord(character) for character in text]
        recognise(
            attempt.number(text),
            len(text.encode("utf-8")),
            {
                "characters": len(text),
                "three_at_most": sum(1 + sum(code >= b for b in _BOUNDS[:2]) for code in codes),
                "bounds": sum(1 + sum(code > b for b in _BOUNDS) for code in codes),
                "utf16": len(text.encode("utf-16-le")),
                "ascii_or_three": sum(1 if code < 0x80 else 3 for code in codes),
            },
        )


@exercise(chapter=1)
def unknown_share(attempt: Attempt) -> None:
    """The share of a text's tokens that a vocabulary lacks."""
    tokens = ["the", "cat", "met", "the", "okapi", "and", "the", "okapi", "met", "the", "dog"]
    rounds: list[tuple[list[str], set[str]]] = [
        (tokens, {"the", "cat", "met", "dog", "and", "bird"}),
        (tokens, {"the"}),
        (["the", "the"], {"the", "dog"}),
        ([], {"the"}),
    ]
    for text, known in rounds:
        missing = [token for token in text if token not in known]
        recognise(
            attempt.number(text, known),
            len(missing) / max(len(text), 1),
            {
                "known_share": 1 - len(missing) / max(len(text), 1),
                "not_divided": len(missing),
                "percent": 100 * len(missing) / max(len(text), 1),
                "different_words": len(set(missing)) / max(len(set(text)), 1),
                "different_unknown": len(set(missing)) / max(len(text), 1),
                "divided_by_vocabulary": len(missing) / len(known),
            },
        )


@exercise(chapter=1)
def pair_counts(attempt: Attempt) -> None:
    """How often each pair of neighbours stands in a corpus of pieces with counts."""
    words = [([1, 2, 3], 5), ([2, 3, 2, 3], 2), ([4, 4, 4], 3), ([7], 9), ([3, 1], 1), ([], 1)]
    answer = attempt(words)
    if not isinstance(answer, Mapping):
        raise Hint("not_a_dictionary", type=type(answer).__name__)
    got = {pair: count for pair, count in answer.items() if count}
    right = _pairs(words)
    if got == right:
        return
    joined = [number for ids, _ in words for number in ids]
    apart: Counter[Pair] = Counter()
    for ids, count in words:
        for pair in zip(ids[::2], ids[1::2], strict=False):
            apart[pair] += count
    unordered: Counter[Any] = Counter()
    for (left, other), count in right.items():
        unordered[min(left, other), max(left, other)] += count
    mistakes: dict[str, Mapping[Any, int]] = {
        "counted_once": _pairs([(ids, 1) for ids, _ in words]),
        "across_words": Counter(pairwise(joined)),
        "not_overlapping": apart,
        "unordered": unordered,
        "once_a_word": _pairs_once(words),
        "overwritten": {pair: count for ids, count in words for pair in pairwise(ids)},
    }
    for kind, mistake in mistakes.items():
        if got == mistake:
            raise Hint(kind)
    for pair in sorted(right.keys() | got.keys(), key=repr):
        if got.get(pair, 0) != right.get(pair, 0):
            raise Hint("other_count", pair=pair, got=got.get(pair, 0), expected=right.get(pair, 0))


def _pairs(words: list[tuple[list[int], int]]) -> dict[Pair, int]:
    counts: Counter[Pair] = Counter()
    for ids, count in words:
        for pair in pairwise(ids):
            counts[pair] += count
    return dict(counts)


def _pairs_once(words: list[tuple[list[int], int]]) -> dict[Pair, int]:
    counts: Counter[Pair] = Counter()
    for ids, count in words:
        for pair in set(pairwise(ids)):
            counts[pair] += count
    return dict(counts)


@exercise(chapter=1)
def merge(attempt: Attempt) -> None:
    """Put a new id where a pair stands."""
    rounds = [
        ([5, 1, 2, 1, 2, 9], (1, 2), 300),
        ([7, 7, 7], (7, 7), 301),
        ([7, 7, 7, 7, 7], (7, 7), 302),
        ([1, 2, 2, 1, 1, 2], (1, 2), 307),
        ([1, 3, 2], (1, 2), 303),
        ([2, 1], (1, 2), 304),
        ([4], (4, 4), 305),
        ([], (1, 2), 306),
    ]
    for ids, pair, new_id in rounds:
        right = merge_pair(ids, pair, new_id)
        mistakes = {
            "first_only": _merge_once(ids, pair, new_id),
            "from_the_right": merge_pair(ids[::-1], pair[::-1], new_id)[::-1],
            "left_stays": _left_stays(ids, pair, new_id),
            "nothing": list(ids),
        }
        _compare_ids(attempt(ids, pair, new_id), right, mistakes, f"{ids}, {pair}, {new_id}")


def _merge_once(ids: list[int], pair: Pair, new_id: int) -> list[int]:
    for i, found in enumerate(pairwise(ids)):
        if found == pair:
            return [*ids[:i], new_id, *ids[i + 2 :]]
    return list(ids)


def _left_stays(ids: list[int], pair: Pair, new_id: int) -> list[int]:
    """What replaces the left id and forgets to drop the right one."""
    shown = [new_id if found == pair else found[0] for found in pairwise(ids)]
    return shown + ids[-1:]


@exercise(chapter=1)
def cut_by_merges(attempt: Attempt) -> None:
    """Apply merges to the ids of a piece, in the order in which they were learned."""
    merges: list[Pair] = [(2, 3), (1, 2), (256, 4), (257, 3), (5, 5), (260, 260)]
    rounds = [[1, 2, 3, 4], [1, 2, 5], [5, 5, 5, 5, 5], [2, 3, 2, 3], [9, 9], [1, 2, 2, 3], []]
    rounds.append([1, 2, 3, 1, 2])  # (1, 2) is more frequent here, and was learned later
    for ids in rounds:
        right = _in_order(ids, merges)
        mistakes = {
            "counted_here": _most_frequent_here(ids, merges),
            "left_first": _left_first(ids, merges),
            "last_first": _in_order(ids, merges, reverse=True),
            "first_merge_only": _in_order(ids, merges[:1]),
            "ids_too_low": _in_order(ids, merges, first=255),
            "ids_too_high": _in_order(ids, merges, first=257),
            "always_256": _in_order(ids, merges, step=0),
            "nothing": list(ids),
        }
        _compare_ids(attempt(ids, merges), right, mistakes, f"{ids}")


def _in_order(
    ids: list[int], merges: list[Pair], *, reverse: bool = False, first: int = 256, step: int = 1
) -> list[int]:
    """Apply merges one by one; the first makes the id ``first``, each other one ``step`` more."""
    numbered = list(enumerate(merges))
    for rank, pair in reversed(numbered) if reverse else numbered:
        ids = merge_pair(ids, pair, first + step * rank)
    return ids


def _left_first(ids: list[int], merges: list[Pair]) -> list[int]:
    """What one gets who joins the leftmost pair that is any merge at all."""
    while found := next((pair for pair in pairwise(ids) if pair in merges), None):
        ids = _merge_once(ids, found, 256 + merges.index(found))
    return ids


def _most_frequent_here(ids: list[int], merges: list[Pair]) -> list[int]:
    """What one gets who joins the pair most frequent in this text, and of equals the earliest."""
    rank = {pair: i for i, pair in enumerate(merges)}
    while counts := Counter(pair for pair in pairwise(ids) if pair in rank):
        pair = min(counts, key=lambda pair: (-counts[pair], rank[pair]))
        ids = merge_pair(ids, pair, 256 + rank[pair])
    return ids


def _compare_ids(
    answer: Any, right: list[int], mistakes: Mapping[str, list[int]], given: str
) -> None:
    """Compare ids with the right ones, and wrong ones with what typical mistakes give.

    Raises:
        Hint: the answer is wrong.
    """
    if not isinstance(answer, list | tuple):
        raise Hint("not_a_list", type=type(answer).__name__)
    if list(answer) == right:
        return
    for kind, mistake in mistakes.items():
        if list(answer) == mistake:
            raise Hint(kind, given=given)
    raise Hint("other_ids", given=given, got=list(answer), expected=right)
