"""Chapter 5: factors, the Jacobian of a step, gradients at every state, clipping, a guarantee."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = ["always_shrinks", "clip", "state_gradients", "step_jacobian", "steps_until"]


@exercise(chapter=5, errors={"root_of_share": "OverflowError|ValueError: math domain error"})
def steps_until(attempt: Attempt) -> None:
    """After how many steps less than a share is left, when each step multiplies by a factor."""
    for factor, share in ((0.9, 0.3), (0.5, 0.25), (0.99, 0.001), (0.3, 0.9)):
        exact = math.log(share) / math.log(factor)
        right = next(n for n in range(10_000) if factor**n < share)
        recognise(
            attempt.number(factor, share),
            right,
            {
                "one_early": right - 1,
                "one_late": right + 1,
                "not_whole": exact,
                "difference": next(n for n in range(10_000) if 1 - n * (1 - factor) < share),
                "upside_down": 1 / exact,
                "upside_down_whole": math.ceil(1 / exact),
                "log_of_product": math.log(share / factor),
            },
        )


def _states(size: int, time: int, seed: int) -> tuple[Tensor, Tensor]:
    """Recurrent weights ``(H, H)`` and states ``(T, H)``, those of some steps by tanh."""
    draw = torch.Generator().manual_seed(seed)
    weight = torch.randn(size, size, generator=draw) * size**-0.5
    hidden = torch.tanh(torch.randn(time, size, generator=draw))
    return weight, hidden


@exercise(chapter=5, errors={"shape_of_slope": r"must match the size of tensor b"})
def step_jacobian(attempt: Attempt) -> None:
    """The Jacobian of one step: how each number of a state depends on each of the one before."""
    weight, hidden = _states(4, 2, seed=5)
    before, after = hidden
    slope = 1 - after**2
    right = slope[:, None] * weight
    recognise(
        attempt.tensor(weight, before, after, shape=(4, 4)),
        right,
        {
            "no_slope": weight,
            "columns": weight * slope,
            "transposed": right.T,
            "transposed_weight": slope[:, None] * weight.T,
            "slope_of_before": (1 - before**2)[:, None] * weight,
            "slope_not_squared": (1 - after)[:, None] * weight,
            "slope_of_sum": (1 - torch.tanh(after) ** 2)[:, None] * weight,
            "only_slope": torch.diag(slope),
        },
    )


@exercise(chapter=5)
def state_gradients(attempt: Attempt) -> None:
    """The gradient at every state, when the loss looks at the last state only."""
    for size, time, seed in ((3, 5, 7), (4, 1, 8)):
        weight, hidden = _states(size, time, seed)
        last = torch.randn(size, generator=torch.Generator().manual_seed(seed))

        def back(
            slopes: Tensor,
            matrix: Tensor,
            order: str = "slope first",
            time: int = time,
            last: Tensor = last,
            added: float | Tensor = 0.0,
        ) -> Tensor:
            gradients = [last]
            for t in reversed(range(time - 1)):
                later = gradients[0]
                if order == "slope first":
                    gradients.insert(0, (later * slopes[t + 1]) @ matrix + added)
                elif order == "slope after":
                    gradients.insert(0, (later @ matrix) * slopes[t + 1])
                else:
                    gradients.insert(0, (later * slopes[t]) @ matrix)
            return torch.stack(gradients)

        slopes = 1 - hidden**2
        right = back(slopes, weight)
        recognise(
            attempt.tensor(weight, hidden, last, shape=(time, size)),
            right,
            {
                "no_slope": back(torch.ones_like(slopes), weight),
                "transposed": back(slopes, weight.T),
                "slope_of_earlier": back(slopes, weight, "slope of earlier"),
                "slope_after": back(slopes, weight, "slope after"),
                "reversed": right.flip(0),
                "slope_at_last": back(slopes, weight, last=last * slopes[-1]),
                "all_alike": last.expand(time, size),
                "last_everywhere": back(slopes, weight, added=last),
                "slope_not_squared": back(1 - hidden, weight),
            },
        )


@exercise(chapter=5)
def clip(attempt: Attempt) -> None:
    """Shorten two gradients by one factor, if together they are too long."""
    draw = torch.Generator().manual_seed(5)
    long = 3 * torch.randn(2, 3, generator=draw), torch.randn(4, generator=draw)
    short = tuple(gradient / 100 for gradient in long)
    for weight, bias in (long, short):
        answer = attempt(weight, bias, 2.0)
        if not isinstance(answer, tuple | list) or not all(isinstance(g, Tensor) for g in answer):
            raise Hint("not_a_pair", type=type(answer).__name__)
        shapes = [tuple(gradient.shape) for gradient in answer]
        if shapes != [(2, 3), (4,)]:
            raise Hint("shape", got=shapes, expected=[(2, 3), (4,)])
        both = _joined(weight, bias)
        norm = both.norm()
        recognise(
            _joined(*answer),
            both * min(1.0, 2.0 / norm.item()),
            {
                "not_clipped": both,
                "always": both * 2.0 / norm,
                "each_alone": _joined(
                    *(g * min(1.0, 2.0 / g.norm().item()) for g in (weight, bias))
                ),
                "by_value": both.clamp(-2.0, 2.0),
                "squared": both * min(1.0, 2.0 / norm.item() ** 2),
                "to_one": both * min(1.0, 1.0 / norm.item()),
                "sum_of_lengths": both * min(1.0, 2.0 / (weight.norm() + bias.norm()).item()),
                "largest_number": both * min(1.0, 2.0 / both.abs().max().item()),
                "singular_value": both * min(1.0, 2.0 / _with_singular_value(weight, bias)),
            },
            relative=1e-3,
        )


def _joined(*gradients: Tensor) -> Tensor:
    """The numbers of several tensors in one row."""
    return torch.cat([gradient.flatten() for gradient in gradients])


def _with_singular_value(weight: Tensor, bias: Tensor) -> float:
    """The joint length, if a matrix were as long as its largest singular value."""
    return math.hypot(torch.linalg.matrix_norm(weight, 2).item(), bias.norm().item())


def _matrices() -> list[tuple[Tensor, bool]]:
    """Recurrent weights, and whether any gradient shrinks at each step back through them."""
    turn = torch.tensor([[0.6, -0.8], [0.8, 0.6]])
    return [
        (0.5 * turn, True),
        (1.5 * turn, False),
        # eigenvalues .5 and .5, and yet a step can make a vector four times as long
        (torch.tensor([[0.5, 4.0], [0.0, 0.5]]), False),
        # the entries are small, and there are many of them
        (torch.full((20, 20), 0.1), False),
        (torch.tensor([[0.0, 0.95], [0.0, 0.0]]), True),
        # no row and no column adds up to 1, and yet it lengthens the vector (1, 1), or its answer
        (torch.tensor([[0.9, 0.9], [0.0, 0.0]]), False),
        (torch.tensor([[0.9, 0.0], [0.9, 0.0]]), False),
        # shrinks one direction, and lets the other grow: the volume shrinks
        (torch.tensor([[1.2, 0.0], [0.0, 0.1]]), False),
        # all entries together have a length of 1.8
        (0.9 * torch.eye(4), True),
        (-1.2 * torch.eye(2), False),
        # the same, and the volume grows
        (torch.tensor([[2.0, 0.0], [0.0, 0.9]]), False),
        # every vector keeps its length, and none gets shorter
        (torch.eye(2), False),
    ]


@exercise(chapter=5)
def always_shrinks(attempt: Attempt) -> None:
    """Is it certain that a gradient shrinks at every step back, with these recurrent weights?"""
    cases = _matrices()
    answers = []
    for weight, _ in cases:
        answer = attempt(weight)
        if getattr(answer, "size", None) == 1 or (
            isinstance(answer, Tensor) and answer.numel() == 1
        ):
            answer = answer.item()  # a tensor's truth, or NumPy's
        if not isinstance(answer, bool):
            raise Hint("not_a_bool", type=type(answer).__name__)
        answers.append(answer)
    wrong = [
        weight for (weight, right), answer in zip(cases, answers, strict=True) if answer != right
    ]
    if not wrong:
        return
    mistakes = {
        "spectral_radius": lambda w: torch.linalg.eigvals(w).abs().max() < 1,
        "largest_entry": lambda w: w.abs().max() < 1,
        "determinant": lambda w: torch.linalg.det(w).abs() < 1,
        "smallest": lambda w: torch.linalg.svdvals(w).min() < 1,
        "sums_of_columns": lambda w: torch.linalg.matrix_norm(w, 1) < 1,
        "sums_of_rows": lambda w: torch.linalg.matrix_norm(w, float("inf")) < 1,
        "all_entries": lambda w: w.norm() < 1,
        "inverted": lambda w: torch.linalg.svdvals(w).max() >= 1,
        "one_counts": lambda w: torch.linalg.svdvals(w).max() <= 1,
    }
    for kind, test in mistakes.items():
        if answers == [bool(test(weight)) for weight, _ in cases]:
            raise Hint(kind)
    shown = min(wrong, key=Tensor.numel).tolist()
    raise Hint("wrong_for", weight=[[round(number, 2) for number in row] for row in shown])
