"""Chapter 8: the context, masked weights, Bahdanau's score, temperature, crossings, best score."""

from __future__ import annotations

import itertools

import torch

from contextbook.exercises.framework import Attempt, exercise, recognise

__all__ = [
    "additive_scores",
    "at_temperature",
    "best_score",
    "context_vector",
    "crossings",
    "real_weights",
]


@exercise(chapter=8, errors={"weights_need_an_axis": r"The size of tensor a \(\d+\) must match"})
def context_vector(attempt: Attempt) -> None:
    """The weighted mean of the memory, sentence by sentence."""
    draw = torch.Generator().manual_seed(8)
    for batch, words, size in ((2, 4, 3), (3, 1, 2), (1, 5, 4)):
        memory = torch.randn(batch, words, size, generator=draw)
        weights = torch.softmax(torch.randn(batch, words, generator=draw), dim=-1)
        weighted = weights[:, :, None] * memory
        recognise(
            attempt.tensor(weights, memory, shape=(batch, size)),
            weighted.sum(dim=1),
            {
                "weighted_twice_divided": weighted.mean(dim=1),
                "not_weighted": memory.mean(dim=1),
                "all_added": memory.sum(dim=1),
                "only_the_best": memory[torch.arange(batch), weights.argmax(dim=-1)],
                "first_weights_for_all": (weights[:1, :, None] * memory).sum(dim=1),
                "softmax_again": (weights.softmax(dim=-1)[:, :, None] * memory).sum(dim=1),
            },
        )


@exercise(chapter=8)
def real_weights(attempt: Attempt) -> None:
    """A softmax over the real words alone."""
    draw = torch.Generator().manual_seed(80)
    for lengths, words in (([3, 1, 4], 4), ([2], 5), ([3, 3], 3)):
        count = torch.tensor(lengths)
        scores = 2 * torch.randn(len(lengths), words, generator=draw) - 1
        real = torch.arange(words) < count[:, None]
        soft, low = scores.softmax(dim=-1), float("-inf")
        one_short = torch.arange(words) < (count[:, None] - 1)
        one_long = torch.arange(words) <= count[:, None]
        recognise(
            attempt.tensor(scores, count, shape=tuple(scores.shape), finite=False),
            scores.masked_fill(~real, low).softmax(dim=-1),
            {
                "not_masked": soft,
                "masked_after": soft * real,
                "set_to_zero": scores.masked_fill(~real, 0.0).softmax(dim=-1),
                "multiplied_away": (scores * real).softmax(dim=-1) * real,
                "inverted": scores.masked_fill(real, low).softmax(dim=-1),
                "one_too_many": scores.masked_fill(~one_long, low).softmax(dim=-1),
                "one_too_few": scores.masked_fill(~one_short, low).softmax(dim=-1),
                "over_the_batch": scores.masked_fill(~real, low).softmax(dim=0),
            },
        )


@exercise(chapter=8)
def additive_scores(attempt: Attempt) -> None:
    """Bahdanau's score of one state with each word."""
    draw = torch.Generator().manual_seed(81)
    for size, width, words, compared in ((3, 4, 5, 2), (2, 2, 1, 3)):
        state, v = (torch.randn(n, generator=draw) for n in (size, compared))
        memory = torch.randn(words, width, generator=draw)
        w = torch.randn(compared, size, generator=draw)
        u = torch.randn(compared, width, generator=draw)
        from_state, from_memory = w @ state, memory @ u.T
        scores = torch.tanh(from_state + from_memory) @ v
        recognise(
            attempt.tensor(state, memory, w, u, v, shape=(words,)),
            scores,
            {
                "no_tanh": (from_state + from_memory) @ v,
                "tanh_outside": torch.tanh((from_state + from_memory) @ v),
                "tanh_apart": (torch.tanh(from_state) + torch.tanh(from_memory)) @ v,
                "state_left_out": torch.tanh(from_memory) @ v,
                "multiplied": torch.tanh(from_state * from_memory) @ v,
                "v_left_out": torch.tanh(from_state + from_memory).sum(dim=-1),
                "already_weights": scores.softmax(dim=-1),
            },
        )


@exercise(chapter=8)
def at_temperature(attempt: Attempt) -> None:
    """What a softmax would have given with its scores divided."""
    draw = torch.Generator().manual_seed(82)
    for shape, temperature in (((2, 4), 0.5), ((5,), 3.0), ((2, 3, 3), 1.5)):
        scores = torch.randn(shape, generator=draw)
        weights = scores.softmax(dim=-1)
        powers, wrong = weights ** (1 / temperature), weights**temperature
        recognise(
            attempt.tensor(weights, temperature, shape=shape),
            (scores / temperature).softmax(dim=-1),
            {
                "unchanged": weights,
                "divided": weights / temperature,
                "softmax_of_weights": (weights / temperature).softmax(dim=-1),
                "not_normalised": powers,
                "wrong_power": wrong / wrong.sum(dim=-1, keepdim=True),
                "wrong_power_not_normalised": wrong,
                "one_sum_for_all": powers / powers.sum(),
                "sum_over_rows": powers / powers.sum(dim=0, keepdim=True),
            },
        )


@exercise(chapter=8, errors={"none_compared": r"TypeError: .*NoneType"})
def crossings(attempt: Attempt) -> None:
    """Pairs of target words whose partners stand the other way round."""
    rows: tuple[list[int | None], ...] = (
        # each mistake has a number of its own here
        [0, 3, 2, None, 0, 1],
        [3, 2, 1, 0],
        [2, None, 4, None, None, None, 10, None, 8, 8, None, None, None],
        [0, 1, 2],
        [None, 2, 2, 0, None, 1],
        [None],
    )
    for partners in rows:
        found = [j for j in partners if j is not None]
        pairs = [(a, b) for k, a in enumerate(found) for b in found[k + 1 :]]
        neighbours = list(itertools.pairwise(found))
        zeros = [0 if j is None else j for j in partners]
        with_zeros = [(a, b) for k, a in enumerate(zeros) for b in zeros[k + 1 :]]
        count = sum(b < a for a, b in pairs)
        recognise(
            attempt.number(list(partners)),
            count,
            {
                "equal_counted": sum(b <= a for a, b in pairs),
                "neighbours_only": sum(b < a for a, b in neighbours),
                "not_crossing": sum(b > a for a, b in pairs),
                "counted_twice": 2 * count,
                "none_taken_for_zero": sum(b < a for a, b in with_zeros),
                "zero_left_out": sum(b < a for a, b in pairs if b),
                "only_whether": min(count, 1),
            },
        )


@exercise(chapter=8, errors={"outside_the_table": "IndexError: "})
def best_score(attempt: Attempt) -> None:
    """The last entry of Needleman and Wunsch's table."""
    tables = (
        ([[2.0, -8.0], [-9.0, -3.0]], -1.5),
        ([[4.0, -1.0, -2.0], [-1.0, 5.0, 0.0]], -3.0),
        ([[1.0], [-9.0], [2.0], [1.0]], -2.0),
        ([[2.0, 3.0, -4.0], [-2.0, 1.0, 6.0], [3.0, -5.0, 1.0]], 0.0),
    )
    for scores, gap in tables:
        recognise(
            attempt.number(scores, gap),
            _filled(scores, gap, gap),
            {
                "edges_of_zero": _filled(scores, gap, 0.0),
                "gap_taken_off": _filled(scores, -gap, -gap),
                "gap_taken_off_inside": _filled(scores, -gap, gap),
                "no_diagonal": gap * (len(scores) + len(scores[0])),
                "never_below_zero": _filled(scores, gap, 0.0, floor=0.0),
                "best_anywhere": _filled(scores, gap, 0.0, floor=0.0, anywhere=True),
                "one_gap_only": _filled(scores, gap, gap, both=False),
            },
        )


def _filled(
    scores: list[list[float]],
    gap: float,
    edge: float,
    *,
    floor: float = float("-inf"),
    anywhere: bool = False,
    both: bool = True,
) -> float:
    """The table as it should be, or with one thing about it changed."""
    row = [edge * j for j in range(len(scores[0]) + 1)]
    best = 0.0
    for i, line in enumerate(scores, 1):
        new = [edge * i]
        for j, score in enumerate(line, 1):
            ways = [row[j - 1] + score, row[j] + gap, floor]
            new.append(max([*ways, new[j - 1] + gap] if both else ways))
        row = new
        best = max(best, *row)
    return best if anywhere else row[-1]
