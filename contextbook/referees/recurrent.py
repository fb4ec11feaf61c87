"""The referees of chapters 3 to 6: do recurrent definitions, perhaps edited, do what PyTorch does?

Cells and layers are compared with PyTorch's, gradients by hand with autograd's; the verdict is
shown like that of an exercise.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from contextbook.exercises.framework import Attempt, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict, verdict_of
from contextbook.recurrent import RNNCell, Stacked, Unrolled
from contextbook.referees.bptt import check_bptt
from contextbook.referees.cells import (
    BOUND,
    STEPS,
    WEIGHTS,
    check_gru,
    check_lstm,
    compare_gradients,
    compare_steps,
    give_weights,
)

__all__ = ["check_bidirectional", "check_bptt", "check_gru", "check_lstm", "check_rnn"]

# batch, steps, inputs, hidden units; lengths; is an initial state given
_CASES: list[tuple[tuple[int, int, int, int], list[int] | None, bool]] = [
    ((2, 5, 3, 4), None, False),
    ((2, 5, 3, 4), None, True),
    ((1, 1, 1, 1), None, True),
    ((3, 7, 2, 2), [7, 3, 1], False),
    ((3, 6, 4, 3), [2, 5, 4], True),
]
Mistakes = Iterator[tuple[str, Tensor]]


def check_rnn(cell_class: Callable[..., Any], unrolled: Callable[..., Any] = Unrolled) -> Verdict:
    """Compare an RNN cell with ``nn.RNNCell``, and the layer that reads with it with ``nn.RNN``.

    Outputs, last state and gradients, of batches with initial states and with padding.

    Args:
        cell_class: made and called as :class:`contextbook.recurrent.RNNCell` is.
        unrolled: made and called as :class:`contextbook.recurrent.Unrolled` is.

    Returns:
        A verdict to be displayed; it never raises for what the two do.
    """
    try:
        compare_steps(cell_class, nn.RNNCell, _rnn_mistakes)
        if "activation" in inspect.signature(cell_class).parameters:
            relu = {"activation": torch.relu}, {"nonlinearity": "relu"}
            compare_steps(cell_class, nn.RNNCell, _relu_mistakes, *relu)
        for seed, case in enumerate(_CASES):
            _compare_unrolled(cell_class, unrolled, case, seed)
        raise Hint(PASSED, cases=len(STEPS) + len(_CASES), bound=f"{BOUND:.0e}")
    except Hint as hint:
        return verdict_of("rnn_referee", hint)


def check_bidirectional(
    bidirectional: Callable[..., Any], stacked: Callable[..., Any] = Stacked
) -> Verdict:
    """Compare two-way and stacked reading with ``nn.RNN(bidirectional=True, num_layers=…)``.

    Args:
        bidirectional: made and called as :class:`contextbook.recurrent.Bidirectional` is.
        stacked: made and called as :class:`contextbook.recurrent.Stacked` is.

    Returns:
        A verdict to be displayed; it never raises for what the two do.
    """
    try:
        for seed, case in enumerate(_CASES):
            _compare_both_ways(bidirectional, case, seed)
            _compare_stack(stacked, case, seed)
        _check_dropout(stacked)
        raise Hint(PASSED, cases=2 * len(_CASES), bound=f"{BOUND:.0e}")
    except Hint as hint:
        return verdict_of("bidirectional_referee", hint)


# --- one way ---


def _rnn_mistakes(weights: dict[str, Tensor], x: Tensor, h: Tensor) -> Mistakes:
    from_input = x @ weights["weight_ih"].T
    from_past = h @ weights["weight_hh"].T
    one, other = weights["bias_ih"], weights["bias_hh"]
    total = from_input + one + from_past + other
    yield "no_activation", total
    yield "other_activation", torch.sigmoid(total)
    yield "other_activation", torch.relu(total)
    yield "bent_twice", torch.tanh(from_input + one) + torch.tanh(from_past + other)
    yield "past_ignored", torch.tanh(from_input + one)
    yield "past_ignored", torch.tanh(from_input + one + other)
    yield "past_not_weighted", torch.tanh(from_input + one + other + h)
    yield "input_ignored", torch.tanh(from_past + other)
    for wrong in (total - one, total - other, total - one - other):
        yield "no_bias", torch.tanh(wrong)
    yield "not_transposed", torch.tanh(from_input + one + h @ weights["weight_hh"] + other)


def _relu_mistakes(weights: dict[str, Tensor], x: Tensor, h: Tensor) -> Mistakes:
    total = x @ weights["weight_ih"].T + h @ weights["weight_hh"].T
    yield "activation_ignored", torch.tanh(total + weights["bias_ih"] + weights["bias_hh"])


def _compare_unrolled(cell_class: Any, unrolled: Any, case: Any, seed: int) -> None:
    (_, _, features, hidden), lengths, _ = case
    inputs, initial = _drawn(case, seed)
    theirs = nn.RNN(features, hidden, batch_first=True, dtype=torch.float64)
    step = nn.RNNCell(features, hidden, dtype=torch.float64)
    cell = Attempt(cell_class).call(features, hidden)
    give_weights(cell, step, torch.Generator().manual_seed(seed))
    _copy(theirs, [step])
    layer = Attempt(unrolled).call(cell)
    outputs, last = _read(layer, inputs, initial, lengths)
    expected, expected_last = _expected(theirs, inputs, initial, lengths)
    start = torch.zeros_like(expected_last[0]) if initial is None else initial

    # reading on into the padding, whether or not it was filled with zeros first
    on = [theirs(each, start[None]) for each in (inputs, _zeroed(inputs, lengths))]

    def mistakes() -> Mistakes:
        if initial is not None:
            yield "initial_ignored", _expected(theirs, inputs, None, lengths)[0]
        if lengths is not None:
            for filled, _ in on:
                yield "padding_not_zero", filled
            held = expected_last[0][:, None].expand_as(expected)
            yield "padding_not_zero", torch.where(expected == 0, held, expected)
        alone = [step(x_t, start) for x_t in inputs.unbind(1)]
        yield "not_carried", _zeroed(torch.stack(alone, 1), lengths)
        yield "reversed", expected.flip(1)
        yield "reversed", theirs(inputs.flip(1), start[None])[0]
        yield "reversed", theirs(inputs.flip(1), start[None])[0].flip(1)

    _compare_reading(outputs, expected, mistakes)
    wrong = [("last_in_padding", after[0]) for _, after in on]
    _compare_last(last, expected_last[0], [*wrong, ("last_is_first", expected[:, 0])])
    leaves = {"inputs": inputs} if initial is None else {"inputs": inputs, "initial": initial}
    joined, right = (
        torch.cat([part.flatten() for part in parts])
        for parts in ((outputs, last), (expected, expected_last))
    )
    names = {name: getattr(theirs, f"{name}_l0") for name in WEIGHTS}
    compare_gradients(joined, right, leaves, cell, SimpleNamespace(**names))


# --- both ways, and on top of each other ---


def _compare_both_ways(bidirectional: Any, case: Any, seed: int) -> None:
    (batch, _, features, hidden), lengths, _ = case
    inputs, initial = _drawn(case, seed, 2)
    draw = torch.Generator().manual_seed(seed)
    cells = [RNNCell(features, hidden, generator=draw).double() for _ in range(2)]
    theirs = nn.RNN(features, hidden, batch_first=True, bidirectional=True, dtype=torch.float64)
    _copy(theirs, cells)
    layer = Attempt(bidirectional).call(*cells)
    outputs, last = _read(layer, inputs, initial, lengths)
    expected, expected_last = _expected(theirs, inputs, initial, lengths)
    ahead, back = expected.chunk(2, -1)
    start = torch.zeros(2, batch, hidden).double() if initial is None else initial
    whole, last_of_whole = theirs(inputs, start)  # as if nothing were padding
    wrong_way, _ = Unrolled(cells[1])(inputs, start[1])

    def mistakes() -> Mistakes:
        yield "halves_swapped", torch.cat([back, ahead], -1)
        yield "not_in_place", torch.cat([ahead, back.flip(1)], -1)
        yield "both_forward", torch.cat([ahead, _zeroed(wrong_way, lengths)], -1)
        if initial is not None:
            yield "initial_ignored", _expected(theirs, inputs, None, lengths)[0]
            yield "initial_ignored", _expected(theirs, inputs, initial.flip(0), lengths)[0]
        if lengths is not None:
            yield "lengths_ignored", whole
            yield "lengths_ignored", torch.cat([ahead, whole.chunk(2, -1)[1]], -1)
            yield "lengths_ignored", _zeroed(whole, lengths)

    if outputs.shape == ahead.shape:
        raise Hint("not_joined", shape=tuple(expected.shape))
    _compare_reading(outputs, expected, mistakes)
    at_end = torch.stack([expected_last[0], back[:, -1]])
    wrong = [("states_swapped", expected_last.flip(0)), ("back_at_end", at_end)]
    _compare_last(last, expected_last, [*wrong, ("lengths_ignored", last_of_whole)])


def _compare_stack(stacked: Any, case: Any, seed: int) -> None:
    (_, _, features, hidden), lengths, _ = case
    inputs, initial = _drawn(case, seed, 3)
    draw = torch.Generator().manual_seed(seed)
    sizes = [features, hidden, hidden]
    layers = [Unrolled(RNNCell(size, hidden, generator=draw)).double() for size in sizes]
    theirs = nn.RNN(features, hidden, 3, batch_first=True, dtype=torch.float64)
    _copy(theirs, [layer.cell for layer in layers])
    outputs, last = _read(Attempt(stacked).call(layers), inputs, initial, lengths)
    expected, expected_last = _expected(theirs, inputs, initial, lengths)

    def mistakes() -> Mistakes:
        first = layers[0](inputs, None if initial is None else initial[0], _tensor(lengths))
        yield "one_layer", first[0]
        second = layers[1](first[0], None if initial is None else initial[1], _tensor(lengths))
        yield "one_layer", second[0]
        if initial is not None:
            yield "initial_ignored", _expected(theirs, inputs, None, lengths)[0]
            alike = initial[:1].expand_as(initial).contiguous()
            yield "initial_ignored", _expected(theirs, inputs, alike, lengths)[0]
        if lengths is not None:
            yield "lengths_ignored", theirs(inputs, initial)[0]

    _compare_reading(outputs, expected, mistakes)
    _compare_last(last, expected_last, [("states_swapped", expected_last.flip(0))])


def _check_dropout(stacked: Any) -> None:
    """Drop everything, so that one sees where: all that is dropped is zero."""
    layers = [Unrolled(RNNCell(3, 3, generator=torch.Generator().manual_seed(k))) for k in range(2)]
    layer = Attempt(stacked).call(layers, 1.0)
    layer.train()
    inputs = torch.ones(1, 4, 3)
    outputs, last = _read(layer, inputs, None, None)
    lower = layers[0](inputs)[1]
    upper = layers[1](torch.zeros_like(inputs))[0]
    if not bool(outputs.any()):
        raise Hint("dropout_above")
    if not torch.allclose(last[0], lower):
        raise Hint("dropout_below")
    if not torch.allclose(outputs, upper):
        raise Hint("no_dropout")
    layer.eval()
    if torch.allclose(_read(layer, inputs, None, None)[0], upper):
        raise Hint("dropout_always")


# --- what they share ---


def _drawn(case: Any, seed: int, readers: int = 0) -> tuple[Tensor, Tensor | None]:
    (batch, time, features, hidden), _, given = case
    draw = torch.Generator().manual_seed(seed + 100)
    inputs = torch.randn(batch, time, features, generator=draw, dtype=torch.float64)
    shape = (readers, batch, hidden) if readers else (batch, hidden)
    initial = torch.randn(shape, generator=draw, dtype=torch.float64).requires_grad_()
    return inputs.requires_grad_(), initial if given else None


def _copy(theirs: nn.RNN, cells: list[Any]) -> None:
    with torch.no_grad():
        for weights, cell in zip(theirs.all_weights, cells, strict=True):
            for weight, name in zip(weights, WEIGHTS, strict=True):
                weight.copy_(getattr(cell, name))


def _tensor(lengths: list[int] | None) -> Tensor | None:
    return None if lengths is None else torch.tensor(lengths)


def _zeroed(outputs: Tensor, lengths: list[int] | None) -> Tensor:
    if lengths is None:
        return outputs
    real = torch.arange(outputs.shape[1]) < torch.tensor(lengths)[:, None]
    return outputs * real[..., None]


def _read(
    layer: Any, inputs: Tensor, initial: Tensor | None, lengths: list[int] | None
) -> tuple[Tensor, Tensor]:
    """Outputs and last state of a reader's layer."""
    if not isinstance(layer, nn.Module):
        raise Hint("no_module", type=type(layer).__name__)
    answer = Attempt(layer.forward).call(inputs, initial, _tensor(lengths))
    pair = isinstance(answer, tuple | list) and len(answer) == 2
    if not pair or not all(isinstance(part, Tensor) for part in answer):
        kind = type(answer).__name__
        raise Hint("not_a_pair", type=f"{kind} of {len(answer)}" if kind == "tuple" else kind)
    return answer[0], answer[1]


def _expected(
    theirs: nn.RNN, inputs: Tensor, initial: Tensor | None, lengths: list[int] | None
) -> tuple[Tensor, Tensor]:
    """What PyTorch's layer gives, for padded sequences by packing them."""
    if initial is not None and initial.ndim == 2:
        initial = initial[None]
    if lengths is None:
        return theirs(inputs, initial)
    packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    outputs, last = theirs(packed, initial)
    unpacked, _ = pad_packed_sequence(outputs, batch_first=True, total_length=inputs.shape[1])
    return unpacked, last


def _compare_reading(outputs: Tensor, expected: Tensor, mistakes: Callable[[], Mistakes]) -> None:
    if outputs.shape != expected.shape:
        raise Hint("shape", got=tuple(outputs.shape), expected=tuple(expected.shape))
    tried = ((kind, wrong.detach()) for kind, wrong in mistakes())
    recognise(outputs.detach(), expected.detach(), tried, relative=0.0, absolute=BOUND)


def _compare_last(last: Tensor, expected: Tensor, mistakes: list[tuple[str, Tensor]]) -> None:
    if last.shape != expected.shape:
        raise Hint("last_shape", got=tuple(last.shape), expected=tuple(expected.shape))
    if torch.allclose(last, expected, 0.0, BOUND):
        return
    for kind, wrong in mistakes:
        if torch.allclose(last, wrong, 0.0, BOUND):
            raise Hint(kind)
    raise Hint("last_differs")
