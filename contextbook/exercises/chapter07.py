"""Chapter 7: teacher forcing, a loss without padding, what wins a beam and what one costs, BLEU."""

from __future__ import annotations

from collections import Counter

import torch

from contextbook.exercises.framework import Attempt, exercise, recognise

__all__ = [
    "beam_cost",
    "best_hypothesis",
    "clipped_precision",
    "padded_loss",
    "teacher_rows",
]


@exercise(chapter=7, errors={"lists_and_numbers": "TypeError: expected Tensor as element"})
def teacher_rows(attempt: Attempt) -> None:
    """What goes into a decoder, and what it shall foresee."""
    # first the book's own ids, then others
    for row, bos, eos in (([7, 5, 9], 1, 2), ([6], 1, 2), ([4, 4, 8, 5], 3, 0)):
        target, start, stop = torch.tensor(row), torch.tensor([bos]), torch.tensor([eos])
        given, foreseen = torch.cat([start, target]), torch.cat([target, stop])
        recognise(
            attempt.tensor(target, bos, eos, shape=(2, len(target) + 1), dtype=torch.int64),
            torch.stack([given, foreseen]),
            {
                "rows_swapped": torch.stack([foreseen, given]),
                "not_shifted": torch.stack([given, given]),
                "stop_in_both": torch.stack([foreseen, foreseen]),
                "starts_with_stop": torch.stack([torch.cat([stop, target]), foreseen]),
                "ends_with_start": torch.stack([given, torch.cat([target, start])]),
                "ids_written_in": torch.tensor([[1, *row], [*row, 2]]),
            },
        )


@exercise(chapter=7)
def padded_loss(attempt: Attempt) -> None:
    """The mean surprise over the real tokens of a batch."""
    draw = torch.Generator().manual_seed(7)
    targets = ([[3, 2, 0, 0], [4, 5, 3, 2]], [[5, 2]], [[2, 0, 0], [4, 2, 0], [1, 3, 2]])
    for rows in targets:
        target = torch.tensor(rows)
        log_probs = torch.randn(*target.shape, 6, generator=draw).log_softmax(dim=-1)
        true = -log_probs.gather(2, target[..., None])[..., 0]
        real = target != 0
        by_sentence = (true * real).sum(dim=1) / real.sum(dim=1)
        recognise(
            attempt.number(log_probs, target),
            true[real].mean(),
            {
                "padding_counts": true.mean(),
                "padding_in_the_number": (true * real).mean(),
                "sum_instead_of_mean": true[real].sum(),
                "mean_of_sentences": by_sentence.mean(),
                "per_sentence": true[real].sum() / len(target),
                "sign": -true[real].mean(),
                "probability": -(-true[real]).exp().mean(),
            },
        )


@exercise(chapter=7)
def best_hypothesis(attempt: Attempt) -> None:
    """The winner of a beam by normalised score."""
    cases = [
        # each rule that one may take by mistake has a winner of its own here
        ([-3.5, -9.0, -2.0, -8.0, -2.5, -14.0], [9, 4, 3, 24, 1, 30], 0.6),
        ([-4.0, -4.5, -6.0], [4, 9, 10], 1.0),
        ([-4.0, -4.5, -6.0], [4, 9, 10], 0.0),
        ([-1.0], [3], 1.0),
    ]
    for scores, lengths, alpha in cases:
        given, sizes = torch.tensor(scores), torch.tensor(lengths)
        ranks = given / sizes**alpha
        recognise(
            attempt.number(given, sizes, alpha),
            float(ranks.argmax()),
            {
                "worst": float(ranks.argmin()),
                "length_ignored": float(given.argmax()),
                "alpha_ignored": float((given / sizes).argmax()),
                "multiplied": float((given * sizes**alpha).argmax()),
                "longest": float(sizes.argmax()),
            },
        )


@exercise(chapter=7)
def clipped_precision(attempt: Attempt) -> None:
    """The share of written tokens that the reference has, each as often as it has it."""
    cases = [
        ("猫 猫 猫 犬 犬 は", "猫 犬 が を 見 た 犬"),
        ("犬 が 歩い た", "犬 が 歩い て いる"),
        ("は は", "犬 は は を"),
        ("鳥", "猫 が 寝 た"),
    ]
    for left, right in cases:
        written, reference = left.split(), right.split()
        both = (Counter(written) & Counter(reference)).total()
        there = sum(token in reference for token in written)
        kinds = len(set(written) & set(reference))
        in_place = sum(a == b for a, b in zip(written, reference, strict=False))
        recognise(
            attempt.number(written, reference),
            both / len(written),
            {
                "not_clipped": there / len(written),
                "recall": both / len(reference),
                "kinds_of_tokens": kinds / len(set(written)),
                "clipped_to_one": kinds / len(written),
                "count": float(both),
                "same_place": in_place / len(written),
            },
        )


@exercise(chapter=7)
def beam_cost(attempt: Attempt) -> None:
    """How many continuations a beam scores."""
    for vocabulary, length, width in ((10, 3, 2), (3, 4, 5), (100, 20, 4), (5, 1, 4), (2, 3, 100)):
        kept, total = 1, 0
        for _ in range(length):
            total += kept * vocabulary
            kept = min(width, kept * vocabulary)
        recognise(
            attempt.number(vocabulary, length, width),
            total,
            {
                "full_beam_from_the_start": vocabulary * width * length,
                "full_beam_after_one": vocabulary * (1 + width * (length - 1)),
                "greedy": vocabulary * length,
                "everything": vocabulary**length,
                "last_step_only": vocabulary * width,
            },
        )
