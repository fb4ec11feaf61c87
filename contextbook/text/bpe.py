"""A byte-level BPE tokenizer: text to ids by learned merges, and back without loss.

Merging bytes instead of characters, so that no text is ever unknown, is from Radford et al.,
*Language Models are Unsupervised Multitask Learners* (2019), that is GPT-2.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from contextbook.text.merges import Pair, merge_pair
from contextbook.text.pieces import BYTES, byte_ids, pieces
from contextbook.text.validation import (
    N_BYTES,
    check_decodable,
    check_ids,
    check_merges,
)


class Step(NamedTuple):
    """A text's tokens once the first ``merges`` merges were applied, and the last one of them."""

    merges: int
    pair: Pair | None
    ids: list[int]


def apply_merges(ids: list[int], new_ids: dict[Pair, int]) -> list[int]:
    """Join neighbours, the pair that was learned first before all others."""
    while len(ids) > 1:
        pair = min(pairwise(ids), key=lambda pair: new_ids.get(pair, math.inf))
        if pair not in new_ids:
            break
        ids = merge_pair(ids, pair, new_ids[pair])
    return ids


class ByteLevelBPE:
    """A tokenizer made of its merges: ``ByteLevelBPE(learn_merges(texts, 500))``.

    The ids 0 to 255 are the bytes, in GPT-2's order; ``256 + i`` is what the merge ``i`` makes.
    ``ByteLevelBPE(tokenizer.merges[:100])`` is the tokenizer as it was after 100 merges.

    Args:
        merges: pairs of ids, in the order they were learned.

    Raises:
        ValueError: a merge is no pair of ids that exist by then, or comes twice.
    """

    def __init__(self, merges: Iterable[Sequence[int]] = ()) -> None:
        self.merges: list[Pair] = check_merges(merges)
        self.new_ids = {pair: N_BYTES + rank for rank, pair in enumerate(self.merges)}
        # the bytes that each id stands for
        self.tokens = [bytes([byte]) for byte in BYTES]
        for left, right in self.merges:
            self.tokens.append(self.tokens[left] + self.tokens[right])

    def encode(self, text: str) -> list[int]:
        """Turn any text into ids; the empty text gives none.

        Raises:
            ValueError: ``text`` is not a string, or has a lone surrogate.
        """
        cuts = (apply_merges(byte_ids(piece), self.new_ids) for piece in pieces(text))
        return list(chain.from_iterable(cuts))

    def decode(self, ids: Iterable[int], *, errors: str = "strict") -> str:
        """Turn ids back into text.

        Args:
            ids: integers from 0 to ``len(self) - 1``.
            errors: what to do with bytes that are no UTF-8, as a model may well predict them:
                ``"strict"`` refuses them, ``"replace"`` puts � for them, ``"ignore"`` drops them.

        Raises:
            ValueError: an id is no integer or out of range, or the bytes are no UTF-8.
        """
        joined = b"".join(self.tokens[number] for number in check_ids(ids, len(self)))
        return check_decodable(joined, errors)

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"ByteLevelBPE({len(self.merges)} merges, {len(self)} ids)"


def merge_steps(tokenizer: ByteLevelBPE, text: str) -> Iterator[Step]:
    """Apply a tokenizer's merges to a text one by one, and show its ids whenever they change.

    The first step has the bare bytes; the last has what ``tokenizer.encode(text)`` gives.
    """
    cuts = [byte_ids(piece) for piece in pieces(text)]
    yield Step(0, None, list(chain.from_iterable(cuts)))
    for rank, pair in enumerate(tokenizer.merges):
        merged = [merge_pair(ids, pair, N_BYTES + rank) for ids in cuts]
        if merged != cuts:
            cuts = merged
            yield Step(rank + 1, pair, list(chain.from_iterable(cuts)))
