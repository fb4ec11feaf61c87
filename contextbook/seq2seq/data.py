"""Sentence pairs as tensors: start and stop tokens, padding, gold alignment."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from contextbook.datasets import Pair
from contextbook.seq2seq.validation import check_pairs
from contextbook.text import Vocabulary, frequent_tokens, pad

UNALIGNED = -1  # the gold of a target token that no source word stands for


class Batch(NamedTuple):
    """Sentence pairs for teacher forcing, padded with 0."""

    source: Tensor  # (B, T_x), ends with <eos>
    source_lengths: Tensor  # (B,), <eos> included
    target_in: Tensor  # (B, T_y), <bos> and the target
    target_out: Tensor  # (B, T_y), the target and <eos>: one step ahead of target_in
    gold: Tensor  # (B, T_y), source position of each token of target_out, or UNALIGNED


def vocabularies(pairs: Sequence[Pair]) -> tuple[Vocabulary, Vocabulary]:
    """Number the tokens of both languages, English and Japanese, in a list of pairs."""
    check_pairs(pairs)
    english = Vocabulary(frequent_tokens([pair.english for pair in pairs]))
    return english, Vocabulary(frequent_tokens([pair.japanese for pair in pairs]))


def make_batch(
    pairs: Sequence[Pair],
    english: Vocabulary,
    japanese: Vocabulary,
) -> Batch:
    """Turn sentence pairs into tensors, from English to Japanese.

    Raises:
        ValueError: there are no pairs.
    """
    check_pairs(pairs)
    source = [english.encode(pair.english, eos=True) for pair in pairs]
    target = [japanese.encode(pair.japanese, bos=True, eos=True) for pair in pairs]
    gold = [[UNALIGNED if j is None else j for j in pair.alignment] for pair in pairs]
    return Batch(
        torch.from_numpy(pad(source)),
        torch.tensor([len(ids) for ids in source]),
        torch.from_numpy(pad([ids[:-1] for ids in target])),
        torch.from_numpy(pad([ids[1:] for ids in target])),
        torch.from_numpy(pad([[*row, UNALIGNED] for row in gold], UNALIGNED)),
    )
