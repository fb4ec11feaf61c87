"""States: what a recurrent network carries from step to step.

An RNN's and a GRU's state is one tensor, the hidden state; an LSTM's is a pair, hidden state and
cell. These helpers treat both alike, so that a layer need not know what kind of cell it has.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from torch import Tensor

State: TypeAlias = Tensor | tuple[Tensor, ...]


def map_states(function: Callable[..., Tensor], *states: State) -> State:
    """Apply a function to hidden states, or to the hidden states and to the cells of pairs."""
    first = states[0]
    if isinstance(first, Tensor):
        return function(*states)
    return tuple(function(*parts) for parts in zip(*states, strict=True))


def parts_of(state: State) -> tuple[Tensor, ...]:
    """The tensors of a state: one, or two for an LSTM."""
    return (state,) if isinstance(state, Tensor) else tuple(state)


def hidden_of(state: State) -> Tensor:
    """The hidden state, which is what a layer gives out; an LSTM keeps its cell to itself."""
    return parts_of(state)[0]


def stack_states(states: Sequence[State]) -> State:
    """Join the states of several readers along a new first axis."""
    return map_states(lambda *parts: torch.stack(parts), *states)


def unstack_states(state: State | None, count: int, what: str) -> list[State | None]:
    """Undo :func:`stack_states`: one state for each of ``count`` readers, or ``None`` for each.

    Raises:
        ValueError: the first axis does not have ``count`` entries.
    """
    if state is None:
        return [None] * count
    for part in parts_of(state):
        if part.ndim < 3 or len(part) != count:
            raise ValueError(
                f"the initial state has shape {tuple(part.shape)}: it needs a first axis with one "
                f"entry for each {what} ({count}), as the last state has that the layer returns"
            )
    return [map_states(lambda part, i=i: part[i], state) for i in range(count)]


# --- padding: ``real`` is a mask (batch, time), True for a real token, or None if all are ---


def zero_padding(features: Tensor, real: Tensor | None) -> Tensor:
    """Put zeros where a sequence is padded; no gradient flows back from there."""
    return features if real is None else features.masked_fill(~real[..., None], 0.0)


def advance(new: State, old: State, real: Tensor | None, t: int) -> State:
    """The state after step ``t``: the new one, and the old one for sequences without a token."""
    if real is None:
        return new
    token = real[:, t, None]  # (B, 1)
    return map_states(lambda new, old: torch.where(token, new, old), new, old)
