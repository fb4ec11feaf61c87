"""Chapter 6: the next cell, gates that hold, the bias that keeps, a whole step, the path alone."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = ["bias_to_keep", "hold_last", "lstm_hidden", "next_cell", "path_gradient"]


@exercise(chapter=6)
def next_cell(attempt: Attempt) -> None:
    """What is kept of the cell, and what is written."""
    draw = torch.Generator().manual_seed(6)
    for shape in ((2, 3), (4,)):
        cell, candidate = (2 * torch.rand(shape, generator=draw) - 1 for _ in range(2))
        input_gate, forget_gate = (torch.rand(shape, generator=draw) for _ in range(2))
        kept, written = forget_gate * cell, input_gate * candidate
        recognise(
            attempt.tensor(cell, input_gate, forget_gate, candidate, shape=shape),
            kept + written,
            {
                "gates_swapped": input_gate * cell + forget_gate * candidate,
                "forgets_what_it_keeps": (1 - forget_gate) * cell + written,
                "one_dial": kept + (1 - forget_gate) * candidate,
                "nothing_forgotten": cell + written,
                "written_whole": kept + candidate,
                "only_kept": kept,
                "only_written": written,
                "bent": torch.tanh(kept + written),
            },
        )


@exercise(chapter=6, errors={"minus_of_booleans": "RuntimeError: Subtraction, the `-` operator"})
def hold_last(attempt: Attempt) -> None:
    """Gates that write at some steps and hold in between."""
    rows = ([True, False, False, True, True, False], [False, True], [True])
    for row in rows:
        write = torch.tensor(row)
        opened, shut = write.float(), (~write).float()
        answer = attempt.tensor(write, shape=(2, len(row)))
        recognise(
            answer,
            torch.stack([opened, shut]),
            {
                "rows_swapped": torch.stack([shut, opened]),
                "forgets_when_idle": torch.stack([opened, opened]),
                "adds_up": torch.stack([opened, torch.ones_like(opened)]),
                "always_writes": torch.stack([torch.ones_like(opened), shut]),
                "never_keeps": torch.stack([opened, torch.zeros_like(opened)]),
                "only_the_last": torch.stack([_only_last(opened), shut]),
                "one_write_for_all": torch.stack([_only_last(opened), 1 - _only_last(opened)]),
            },
        )


@exercise(chapter=6, errors={"logarithm_of_nothing": "ValueError: math domain error"})
def bias_to_keep(attempt: Attempt) -> None:
    """The forget bias by what shall be left after some steps."""
    for share, steps in ((0.3, 20), (0.5, 100), (0.9, 3), (0.2, 1)):
        gate, rest = share ** (1 / steps), (1 - share) ** (1 / steps)
        recognise(
            attempt.number(share, steps),
            math.log(gate / (1 - gate)),
            {
                "gate_itself": gate,
                "sigmoid_again": 1 / (1 + math.exp(-gate)),
                "one_step": math.log(share / (1 - share)),
                "share_divided": math.log((share / steps) / (1 - share / steps)),
                "upside_down": math.log((1 - gate) / gate),
                "only_logarithm": math.log(gate),
                "root_of_bias": math.log(share / (1 - share)) / steps,
                "always_half": math.log(0.5 ** (1 / steps) / (1 - 0.5 ** (1 / steps))),
                "leaves_the_rest": math.log(rest / (1 - rest)),
                "share_lost_by_root": math.log((1 - rest) / rest),
            },
        )


@exercise(
    chapter=6,
    errors={
        "weights_not_transposed": r"(mat1 and mat2|size mismatch|inconsistent tensor size)",
        "rows_of_the_batch_cut": r"ValueError: not enough values to unpack \(expected 4",
    },
)
def lstm_hidden(attempt: Attempt) -> None:
    """A whole step of an LSTM, from the weights."""
    draw = torch.Generator().manual_seed(66)
    for batch, inputs, units in ((2, 3, 4), (1, 5, 2)):
        x, hidden, cell = (torch.randn(batch, n, generator=draw) for n in (inputs, units, units))
        weight_ih = torch.randn(4 * units, inputs, generator=draw)
        weight_hh = torch.randn(4 * units, units, generator=draw)
        bias = torch.randn(4 * units, generator=draw)
        from_input, from_past = x @ weight_ih.T, hidden @ weight_hh.T
        sums = from_input + from_past + bias
        i, f, g, o = (part for part in sums.chunk(4, dim=-1))
        given = (x, hidden, cell, weight_ih, weight_hh, bias)
        recognise(
            attempt.tensor(*given, shape=(batch, units)),
            _step(cell, i, f, g, o),
            {
                "order_of_rows": _step(cell, i, f, o, g),
                "forget_first": _step(cell, f, i, g, o),
                "forget_first_candidate_last": _step(cell, f, i, o, g),
                "cell_returned": _cell(cell, i, f, g),
                "cell_not_bent": torch.sigmoid(o) * _cell(cell, i, f, g),
                "old_cell_shown": torch.sigmoid(o) * torch.tanh(cell),
                "all_shown": torch.tanh(_cell(cell, i, f, g)),
                "candidate_by_sigmoid": torch.sigmoid(o)
                * torch.tanh(torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.sigmoid(g)),
                "hidden_kept": _step(hidden, i, f, g, o),
                "no_bias": _step(cell, *(from_input + from_past).chunk(4, dim=-1)),
                "no_past": _step(cell, *(from_input + bias).chunk(4, dim=-1)),
            },
        )


def _only_last(opened: Tensor) -> Tensor:
    """Opened at the very last step that writes, and nowhere before."""
    later = opened.flip(0).cumsum(0).flip(0)
    return opened * (later == 1)


def _cell(cell: Tensor, i: Tensor, f: Tensor, g: Tensor) -> Tensor:
    return torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)


def _step(cell: Tensor, i: Tensor, f: Tensor, g: Tensor, o: Tensor) -> Tensor:
    return torch.sigmoid(o) * torch.tanh(_cell(cell, i, f, g))


@exercise(chapter=6)
def path_gradient(attempt: Attempt) -> None:
    """Products of the forget gates that are still to come."""
    draw = torch.Generator().manual_seed(60)
    for time, units in ((5, 3), (2, 1), (1, 2)):
        gates = 0.2 + 0.7 * torch.rand(time, units, generator=draw)
        own = gates.flip(0).cumprod(0).flip(0)  # with the gate of the step itself
        ones = torch.ones(1, units)
        recognise(
            attempt.tensor(gates, shape=(time, units)),
            torch.cat([own[1:], ones]),
            {
                "own_gate_counted": own,
                "forward": gates.cumprod(0),
                "forward_shifted": torch.cat([ones, gates.cumprod(0)[:-1]]),
                "not_turned_back": torch.cat([ones, gates.flip(0).cumprod(0)[:-1]]),
                "next_gate_only": torch.cat([gates[1:], ones]),
                "own_gate_and_one": torch.cat([own[:-1], ones]),
                "from_the_first": torch.cat([ones, gates[1:].cumprod(0)]),
                "added": torch.cat([gates.flip(0).cumsum(0).flip(0)[1:], ones]),
                "last_is_not_one": torch.cat([own[1:], torch.zeros(1, units)]),
            },
        )
    # a gate of 0 is allowed: a product must not be undone by division
    shut = torch.tensor([[0.5], [0.0], [0.5]])
    answer = attempt.tensor(shut, shape=(3, 1), finite=False)
    if not torch.allclose(answer, torch.tensor([[0.0], [0.5], [1.0]])):
        raise Hint("shut_gate")
