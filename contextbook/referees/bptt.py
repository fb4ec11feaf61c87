"""The referee of chapter 5: do gradients by hand, perhaps edited, equal those of autograd?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict, verdict_of
from contextbook.recurrent import RNNCell

__all__ = ["check_bptt"]

BOUND = 1e-10  # of the difference, in double precision
_SIZES = [(2, 5, 3, 4), (1, 1, 1, 1), (3, 7, 2, 5), (2, 30, 4, 3)]  # batch, steps, inputs, hidden
# in the order in which a backward pass finds them: the first that is wrong tells most
_NAMES = ("hidden", "initial", "inputs", "weight_hh", "weight_ih", "bias_ih", "bias_hh")


def check_bptt(bptt: Callable[..., Any]) -> Verdict:
    """Compare gradients by hand with autograd's, for inputs, states and weights.

    Args:
        bptt: of ``(cell, inputs, output_gradients, initial)``, as
            :func:`contextbook.recurrent.backpropagate_through_time`.

    Returns:
        A verdict to be displayed; it never raises for what the function does.
    """
    try:
        for seed, sizes in enumerate(_SIZES):
            _compare(bptt, sizes, seed)
        raise Hint(PASSED, cases=len(_SIZES), bound=f"{BOUND:.0e}")
    except Hint as hint:
        return verdict_of("bptt_referee", hint)


def _compare(bptt: Callable[..., Any], sizes: tuple[int, int, int, int], seed: int) -> None:
    batch, time, features, width = sizes
    draw = torch.Generator().manual_seed(seed)

    def numbers(*shape: int) -> Tensor:
        return torch.randn(shape, generator=draw, dtype=torch.float64)

    cell = RNNCell(features, width, generator=draw).double()
    inputs, initial = numbers(batch, time, features), numbers(batch, width)
    weighting = numbers(batch, time, width)
    found = Attempt(bptt).call(cell, inputs, weighting, initial)
    expected = _autograds(cell, inputs, weighting, initial)
    if not isinstance(found, dict):
        raise Hint("not_a_dict", type=type(found).__name__)
    mistakes = {
        kind: _by_hand(cell, inputs, weighting, initial, kind)
        for kind in ("not_carried", "no_slope", "slope_before", "tanh_twice", "not_transposed")
    }
    # the same faults but for one: only what is added up over the steps is wrong
    sums = {
        kind: _by_hand(cell, inputs, weighting, initial, kind) for kind in ("not_added", "late")
    }
    for name in _NAMES:
        got, right = found.get(name), expected[name]
        if got is None:
            raise Hint("missing", name=name)
        if not isinstance(got, Tensor) or got.shape != right.shape:
            shape = tuple(got.shape) if isinstance(got, Tensor) else type(got).__name__
            raise Hint("gradient_shape", name=name, got=shape, expected=tuple(right.shape))
        tried = {kind: wrong[name] for kind, wrong in (mistakes | sums).items()}
        try:
            recognise(
                got.detach(),
                right,
                {**tried, "averaged": right / batch, "upwards": -right},
                relative=0.0,
                absolute=BOUND,
            )
        except Hint as hint:
            kind = "gradient_differs" if hint.kind in ("different", "close") else hint.kind
            raise Hint(kind, name=name) from None


def _autograds(cell: Any, inputs: Tensor, weighting: Tensor, initial: Tensor) -> dict[str, Tensor]:
    leaves = {
        "inputs": inputs.clone().requires_grad_(),
        "initial": initial.clone().requires_grad_(),
    }
    states = [leaves["initial"]]
    for x_t in leaves["inputs"].unbind(1):
        states.append(cell(x_t, states[-1]))
    leaves |= dict(cell.named_parameters())
    outputs = torch.stack(states[1:], 1)
    found = torch.autograd.grad((outputs * weighting).sum(), [*leaves.values(), *states[1:]])
    named = dict(zip(leaves, found, strict=False))
    return named | {"hidden": torch.stack(found[len(leaves) :], 1)}


@torch.no_grad()
def _by_hand(
    cell: Any, inputs: Tensor, weighting: Tensor, initial: Tensor, mistake: str
) -> dict[str, Tensor]:
    """The gradients as one gets them who makes a mistake."""
    states = [initial]
    for x_t in inputs.unbind(1):
        states.append(cell(x_t, states[-1]))
    sums = {name: torch.zeros_like(weight) for name, weight in cell.named_parameters()}
    at_inputs, at_hidden = torch.zeros_like(inputs), torch.zeros_like(weighting)
    later = torch.zeros_like(initial)
    for t in reversed(range(inputs.shape[1])):
        at_hidden[:, t] = weighting[:, t] + (0 if mistake == "not_carried" else later)
        bent = states[t if mistake == "slope_before" else t + 1]
        bent = torch.tanh(bent) if mistake == "tanh_twice" else bent
        at_sum = at_hidden[:, t] * (1 if mistake == "no_slope" else 1 - bent**2)
        steps = {
            "weight_ih": at_sum.T @ inputs[:, t],
            "weight_hh": at_sum.T @ states[t + 1 if mistake == "late" else t],
            "bias_ih": at_sum.sum(0),
            "bias_hh": at_sum.sum(0),
        }
        for name, step in steps.items():
            sums[name] = step if mistake == "not_added" else sums[name] + step
        at_inputs[:, t] = at_sum @ cell.weight_ih
        later = at_sum @ (cell.weight_hh.T if mistake == "not_transposed" else cell.weight_hh)
    return sums | {"inputs": at_inputs, "hidden": at_hidden, "initial": later}
