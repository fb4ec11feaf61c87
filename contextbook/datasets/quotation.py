"""Marks of quotation before and after a word: do they belong together? (chapter 4)

Japanese has two kinds, 「 … 」 and 『 … 』. Neither side alone tells whether they match.
"""

from typing import NamedTuple

import torch
from torch import Generator, Tensor


class Quotation(NamedTuple):
    """A word between an opening and a closing mark."""

    inputs: Tensor  # (batch, QUOTATION_LENGTH), int64 below QUOTATION_VOCABULARY
    position: Tensor  # (batch,), int64: where the word stands at which the question is asked
    targets: Tensor  # (batch,), int64: 1 if both marks are of one kind


QUOTATION_LENGTH = 10
QUOTATION_FILLERS = 20
# ids: the word that is asked about, 「 『, 」 』, the fillers
QUOTATION_VOCABULARY = QUOTATION_FILLERS + 5


def quotation_batch(generator: Generator, batch: int, usual: float = 0.7) -> Quotation:
    """Draw rows of fillers with a mark at 0 to 2, the word at 4 or 5, and a mark at 7 to 9.

    Args:
        generator: the source of all randomness.
        batch: number of rows.
        usual: how often a mark is of the first kind, 「 or 」, which is the usual one in print. At
            .5 the four pairs are equally likely, and one mark alone says nothing about the answer.

    Raises:
        ValueError: ``batch`` is not positive, or ``usual`` no share between 0 and 1.
    """
    if batch < 1:
        raise ValueError(f"batch must be at least 1, got {batch}")
    if not 0 <= usual <= 1:
        raise ValueError(f"usual is a share from 0 to 1, got {usual}")

    def place(low: int, high: int) -> Tensor:
        return torch.randint(low, high, (batch, 1), generator=generator, device=generator.device)

    def kind() -> Tensor:
        drawn = torch.rand(batch, 1, generator=generator, device=generator.device)
        return (drawn >= usual).long()

    fillers = [place(5, QUOTATION_VOCABULARY) for _ in range(QUOTATION_LENGTH)]
    inputs = torch.cat(fillers, dim=1)
    opening, closing, position = kind(), kind(), place(4, 6)
    inputs.scatter_(1, place(0, 3), 1 + opening)
    inputs.scatter_(1, position, torch.zeros_like(position))
    inputs.scatter_(1, place(7, QUOTATION_LENGTH), 3 + closing)
    return Quotation(inputs, position[:, 0], (opening == closing).long()[:, 0])
