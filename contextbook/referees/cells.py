"""One step of a recurrent cell, perhaps edited by the reader, against PyTorch's cell.

What the referees of chapters 3 and 6 share: a cell is made, given random weights, and its step
compared in value and gradient. A wrong step is compared with what typical edits give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.exercises.framework import Attempt, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict, verdict_of

__all__ = ["check_gru", "check_lstm"]

BOUND = 1e-10  # of the difference, in double precision
WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
# batch, inputs and hidden units: all differ in the first, so that an error of shapes tells which
STEPS = [(2, 3, 4), (1, 1, 1), (3, 5, 2), (4, 3, 3)]

Step = Iterable[tuple[str, Tensor]]


def check_lstm(cell_class: Callable[..., Any]) -> Verdict:
    """Compare an LSTM cell with ``nn.LSTMCell``: values, and gradients of inputs and weights.

    Args:
        cell_class: made and called as :class:`contextbook.recurrent.LSTMCell` is.

    Returns:
        A verdict to be displayed; it never raises for what the class does.
    """
    return _judge("lstm_referee", cell_class, nn.LSTMCell, _lstm_mistakes)


def check_gru(cell_class: Callable[..., Any]) -> Verdict:
    """Compare a GRU cell with ``nn.GRUCell``, as :func:`check_lstm` does.

    Args:
        cell_class: made and called as :class:`contextbook.recurrent.GRUCell` is.
    """
    return _judge("gru_referee", cell_class, nn.GRUCell, _gru_mistakes)


def _judge(name: str, cell_class: Any, theirs: Any, mistakes: Callable[..., Step]) -> Verdict:
    try:
        compare_steps(cell_class, theirs, mistakes)
        raise Hint(PASSED, cases=len(STEPS), bound=f"{BOUND:.0e}")
    except Hint as hint:
        return verdict_of(name, hint)


def compare_steps(
    cell_class: Callable[..., Any],
    theirs: Any,
    mistakes: Callable[..., Step],
    ours_options: dict[str, Any] | None = None,
    theirs_options: dict[str, Any] | None = None,
) -> None:
    """Compare a cell's initial state and its step with those of PyTorch's, over random sizes.

    Args:
        cell_class: the reader's, made of input size and hidden size.
        theirs: ``nn.RNNCell``, ``nn.LSTMCell`` or ``nn.GRUCell``.
        mistakes: of weights, inputs and state: what typical edits give, by the kind of hint.
        ours_options, theirs_options: further arguments of the two classes.

    Raises:
        Hint: they differ.
    """
    for seed, (batch, features, hidden) in enumerate(STEPS):
        draw = torch.Generator().manual_seed(seed)
        ours = Attempt(cell_class).call(features, hidden, **(ours_options or {}))
        right = theirs(features, hidden, dtype=torch.float64, **(theirs_options or {}))
        give_weights(ours, right, draw)
        _check_start(ours, batch, hidden, pair=theirs is nn.LSTMCell)
        inputs, *state = (
            torch.randn(batch, width, generator=draw, dtype=torch.float64).requires_grad_()
            for width in [features, hidden, hidden][: 3 if theirs is nn.LSTMCell else 2]
        )
        given: Any = tuple(state) if len(state) == 2 else state[0]
        answer, expected = Attempt(ours.forward).call(inputs, given), right(inputs, given)
        answer = _joined(answer, (batch, hidden), pair=len(state) == 2)
        expected = torch.stack(expected) if len(state) == 2 else expected
        weights = {name: getattr(right, name).detach() for name in WEIGHTS}
        tried = mistakes(weights, inputs.detach(), *(part.detach() for part in state))
        recognise(answer.detach(), expected.detach(), tried, relative=0.0, absolute=BOUND)
        names = ["inputs", "hidden", "cell"][: len(state) + 1]
        leaves = dict(zip(names, [inputs, *state], strict=True))
        compare_gradients(answer, expected, leaves, ours, right)


def give_weights(ours: Any, theirs: Any, draw: torch.Generator) -> None:
    """Give a reader's cell and PyTorch's the same random weights, in double precision.

    Raises:
        Hint: the cell is no module, or a weight is missing, of another shape or no parameter.
    """
    if not isinstance(ours, nn.Module):
        raise Hint("no_module", type=type(ours).__name__)
    for name in WEIGHTS:
        expected, got = getattr(theirs, name), getattr(ours, name, None)
        if not isinstance(got, Tensor) or got.shape != expected.shape:
            found = tuple(got.shape) if isinstance(got, Tensor) else "none"
            raise Hint("weights", name=name, got=found, expected=tuple(expected.shape))
        if not isinstance(got, nn.Parameter):
            raise Hint("not_a_parameter", name=name)
    ours.double()
    with torch.no_grad():
        for name in WEIGHTS:
            weight = getattr(theirs, name)
            weight.copy_(torch.randn(weight.shape, generator=draw, dtype=weight.dtype))
            getattr(ours, name).copy_(weight)


def compare_gradients(
    answer: Tensor, expected: Tensor, leaves: dict[str, Tensor], ours: Any, theirs: Any
) -> None:
    """Compare the gradients of inputs and states, and those of the weights of two cells.

    Raises:
        Hint: one differs, or none comes back.
    """
    weighting = torch.linspace(-1, 1, answer.numel(), dtype=answer.dtype).view_as(answer)
    cells = [
        {**leaves, **{name: getattr(cell, name) for name in WEIGHTS}} for cell in (ours, theirs)
    ]
    right = torch.autograd.grad((expected * weighting).sum(), list(cells[1].values()))
    if not answer.requires_grad:
        raise Hint("gradient_differs", name="weight_ih")
    found = torch.autograd.grad(
        (answer * weighting).sum(), list(cells[0].values()), allow_unused=True
    )
    for name, our, their in zip(cells[0], found, right, strict=True):
        if our is None or not torch.allclose(our, their, 0.0, BOUND):
            raise Hint("gradient_differs", name=name)


def _check_start(ours: Any, batch: int, hidden: int, *, pair: bool) -> None:
    if not hasattr(ours, "initial_state"):
        raise Hint("no_start")
    start = _joined(Attempt(ours.initial_state).call(batch), (batch, hidden), pair=pair)
    if bool(start.any()):
        raise Hint("start_not_zero")


def _joined(answer: Any, shape: tuple[int, int], *, pair: bool) -> Tensor:
    """A state as one tensor, its two parts stacked if it is a pair."""
    if pair and not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise Hint("not_a_pair", type=type(answer).__name__)
    parts = list(answer) if pair else [answer]
    for part in parts:
        if not isinstance(part, Tensor):
            raise Hint("not_a_tensor", type=type(part).__name__)
        if tuple(part.shape) != shape:
            raise Hint("shape", got=tuple(part.shape), expected=shape)
    return torch.stack(parts) if pair else parts[0]


def _sums(weights: dict[str, Tensor], x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    return (
        x @ weights["weight_ih"].T + weights["bias_ih"],
        h @ weights["weight_hh"].T + weights["bias_hh"],
    )


def _lstm_mistakes(
    weights: dict[str, Tensor], x: Tensor, h: Tensor, c: Tensor
) -> Iterator[tuple[str, Tensor]]:
    from_input, from_past = _sums(weights, x, h)
    i, f, g, o = (from_input + from_past).chunk(4, -1)
    s, tanh = torch.sigmoid, torch.tanh

    def step(i: Tensor, f: Tensor, g: Tensor, o: Tensor) -> Tensor:
        cell = s(f) * c + s(i) * tanh(g)
        return torch.stack([s(o) * tanh(cell), cell])

    def shown(cell: Tensor) -> Tensor:
        return torch.stack([s(o) * tanh(cell), cell])

    hidden, cell = step(i, f, g, o)
    yield "pair_swapped", torch.stack([cell, hidden])
    yield "cell_not_bent", torch.stack([s(o) * cell, cell])
    yield "old_cell_shown", torch.stack([s(o) * tanh(c), cell])
    yield "no_output_gate", torch.stack([tanh(cell), cell])
    yield "no_forget_gate", shown(c + s(i) * tanh(g))
    yield "no_input_gate", shown(s(f) * c + tanh(g))
    yield "cell_not_kept", shown(s(i) * tanh(g))
    yield "forget_inverted", shown((1 - s(f)) * c + s(i) * tanh(g))
    yield "forget_inverted", shown((1 - s(i)) * c + s(i) * tanh(g))
    yield "candidate_sigmoid", shown(s(f) * c + s(i) * s(g))
    yield "candidate_sigmoid", shown(s(f) * c + s(i) * g)
    yield "past_ignored", step(*from_input.chunk(4, -1))
    for bias in ("bias_ih", "bias_hh"):
        yield "no_bias", step(*(from_input + from_past - weights[bias]).chunk(4, -1))
    yield from (("gates_order", step(*order)) for order in permutations((i, f, g, o)))


def _gru_mistakes(weights: dict[str, Tensor], x: Tensor, h: Tensor) -> Iterator[tuple[str, Tensor]]:
    from_input, from_past = _sums(weights, x, h)
    s, tanh = torch.sigmoid, torch.tanh

    def step(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Tensor:
        new = tanh(a[2] + s(a[0] + b[0]) * b[2])
        return s(a[1] + b[1]) * h + (1 - s(a[1] + b[1])) * new

    a, b = from_input.chunk(3, -1), from_past.chunk(3, -1)
    r, z = s(a[0] + b[0]), s(a[1] + b[1])
    new = tanh(a[2] + r * b[2])
    weight, bias = weights["weight_hh"].chunk(3)[2], weights["bias_hh"].chunk(3)[2]
    yield "update_inverted", (1 - z) * h + z * new
    yield "reset_before", z * h + (1 - z) * tanh(a[2] + (r * h) @ weight.T + bias)
    yield "reset_on_all", z * h + (1 - z) * tanh(r * (a[2] + b[2]))
    yield "no_reset_gate", z * h + (1 - z) * tanh(a[2] + b[2])
    yield "no_update_gate", new
    yield "candidate_sigmoid", z * h + (1 - z) * s(a[2] + r * b[2])
    yield "candidate_sigmoid", z * h + (1 - z) * (a[2] + r * b[2])
    yield "past_ignored", step(a, (b[0] * 0, b[1] * 0, b[2] * 0))
    for wrong in (
        step((from_input - weights["bias_ih"]).chunk(3, -1), b),
        step(a, (from_past - weights["bias_hh"]).chunk(3, -1)),
    ):
        yield "no_bias", wrong
    for order in permutations(range(3)):
        yield "gates_order", step(tuple(a[k] for k in order), tuple(b[k] for k in order))
