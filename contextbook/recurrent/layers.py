"""Layers that read whole sequences with a cell: one way, both ways, and on top of each other.

Inputs and outputs are ``(batch, time, features)``. In a padded batch each sequence gets what it
gets alone: outputs behind its end are zeros, and its last state is that at its last real token.
An empty sequence (length 0) keeps its initial state.
"""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.recurrent.cells import RNNCell
from contextbook.recurrent.gated import GRUCell, LSTMCell
from contextbook.recurrent.states import (
    State,
    advance,
    hidden_of,
    stack_states,
    unstack_states,
    zero_padding,
)
from contextbook.recurrent.validation import check_layer_sizes, check_sequence


class Unrolled(nn.Module):
    """Read sequences with one cell, each step from the state that the last one left.

    Args:
        cell: called as ``cell(x_t, state)``, returns the next state; ``cell.initial_state(batch)``
            is where it starts from.
        backwards: read from the last real token to the first.
    """

    def __init__(self, cell: Any, *, backwards: bool = False) -> None:
        super().__init__()
        self.cell, self.backwards = cell, backwards

    def forward(
        self,
        inputs: Tensor,
        initial: State | None = None,
        lengths: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """Read a batch of sequences.

        Args:
            inputs: ``(batch, time, features)``.
            initial: the state before the first step, shaped like ``cell.initial_state(batch)``
                (zeros), which stands for ``None``.
            lengths: number of real tokens of each sequence, ``(batch,)``; all of them when
                ``None``. What is behind them is padding, whatever it holds.

        Returns:
            The hidden state after each step, ``(batch, time, H)``, each in the place of its token,
            and the last state, shaped like the initial one.

        Raises:
            ValueError: shapes, dtypes or lengths do not fit.
        """
        real = check_sequence(self.cell, inputs, initial, lengths)  # (B, T), or None
        state = self.cell.initial_state(len(inputs)) if initial is None else initial
        steps = list(enumerate(zero_padding(inputs, real).unbind(dim=1)))  # t and x_t
        if self.backwards:
            steps.reverse()
        hidden = {}
        for t, x_t in steps:
            state = advance(self.cell(x_t, state), state, real, t)
            hidden[t] = hidden_of(state)  # (B, H)
        outputs = torch.stack([hidden[t] for t in sorted(hidden)], dim=1)  # (B, T, H)
        return zero_padding(outputs, real), state


class Bidirectional(nn.Module):
    """Read sequences from both ends: the feature f_t joins both states at t.

    Schuster and Paliwal, *Bidirectional Recurrent Neural Networks* (1997). Called as
    :class:`Unrolled` is; outputs are ``(batch, time, 2H)``, and states have one more axis in front,
    ``(2, batch, H)``, for the reader that goes forward and the one that goes backward.

    Args:
        forward_cell: reads from the first token to the last.
        backward_cell: reads from the last real token to the first.
    """

    def __init__(self, forward_cell: nn.Module, backward_cell: nn.Module) -> None:
        super().__init__()
        self.ahead = Unrolled(forward_cell)
        self.back = Unrolled(backward_cell, backwards=True)

    def forward(
        self,
        inputs: Tensor,
        initial: State | None = None,
        lengths: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """Read a batch of sequences both ways."""
        initial_ahead, initial_back = unstack_states(initial, 2, "direction")
        ahead, last_ahead = self.ahead(inputs, initial_ahead, lengths)
        back, last_back = self.back(inputs, initial_back, lengths)
        features = torch.cat([ahead, back], dim=-1)  # (B, T, 2H)
        return features, stack_states([last_ahead, last_back])


class Stacked(nn.Module):
    """Layers on top of each other: what one gives out at each step, the next reads.

    Called as :class:`Unrolled` is; states have one more axis in front, for the layers:
    ``(layers, batch, H)``, or ``(layers, 2, batch, H)`` if each reads both ways.

    Args:
        layers: the lowest first.
        dropout: probability by which, in training, a number on its way from one layer to the next
            is set to 0 (nowhere else). It draws from PyTorch's global random numbers.
    """

    def __init__(self, layers: Iterable[nn.Module], dropout: float = 0.0) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        check_layer_sizes(len(self.layers), dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        inputs: Tensor,
        initial: State | None = None,
        lengths: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """Read a batch of sequences, layer by layer."""
        features = inputs
        last_states: list[State] = []
        initials = unstack_states(initial, len(self.layers), "layer")
        for layer, state in zip(self.layers, initials, strict=True):
            if last_states:  # not below the first layer, and not above the last
                features = self.dropout(features)
            features, last = layer(features, state, lengths)
            last_states.append(last)
        return features, stack_states(last_states)


class Recurrent(Stacked):
    """A stack of layers, one way or both ways, all of whose cells are of one class.

    Args:
        cell_class: called with input size, hidden size and ``generator``; a class of your own, or
            an edited one, takes this place.
        input_size: features of the inputs.
        hidden_size: numbers in each hidden state.
        num_layers: layers on top of each other.
        bidirectional: read both ways; the outputs are ``(batch, time, 2 * hidden_size)``.
        dropout: between layers, as in :class:`Stacked`.
        generator: source of the random numbers the weights start from.
        options: further arguments of the cell, such as ``activation`` or ``forget_bias``.
    """

    def __init__(
        self,
        cell_class: Callable[..., nn.Module],
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        *,
        bidirectional: bool = False,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
        **options: Any,
    ) -> None:
        def cell(size: int) -> nn.Module:
            return cell_class(size, hidden_size, generator=generator, **options)

        layers: list[nn.Module] = []
        size = input_size
        for _ in range(num_layers):
            layers.append(
                Bidirectional(cell(size), cell(size)) if bidirectional else Unrolled(cell(size))
            )
            size = 2 * hidden_size if bidirectional else hidden_size
        super().__init__(layers, dropout)


class RNN(Recurrent):
    """A recurrent network of :class:`RNNCell`; arguments are those of :class:`Recurrent`."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, **options: Any
    ) -> None:
        super().__init__(RNNCell, input_size, hidden_size, num_layers, **options)


class LSTM(Recurrent):
    """An LSTM, of :class:`LSTMCell`; states are pairs ``(hidden, cell)``."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, **options: Any
    ) -> None:
        super().__init__(LSTMCell, input_size, hidden_size, num_layers, **options)


class GRU(Recurrent):
    """A GRU, of :class:`GRUCell`; arguments are those of :class:`Recurrent`."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, **options: Any
    ) -> None:
        super().__init__(GRUCell, input_size, hidden_size, num_layers, **options)
