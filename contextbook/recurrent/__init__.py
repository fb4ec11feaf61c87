"""Recurrent networks from scratch: cells, layers made of them, and their gradients by hand.

A *cell* takes one step: ``cell(x_t, state) -> state``. A *layer* reads whole sequences with it:
``layer(inputs, initial, lengths) -> (outputs, last_state)``, inputs and outputs being
``(batch, time, features)``. Layers are made of cells that are passed in, so a cell of your own
(a module with ``forward``, ``initial_state(batch)`` and ``hidden_size``) is read with, stacked and
trained like the book's.
"""

from contextbook.recurrent.bptt import backpropagate_through_time, clip_gradient_norm
from contextbook.recurrent.cells import RNNCell
from contextbook.recurrent.gated import GatedCell, GRUCell, LSTMCell
from contextbook.recurrent.initialisation import (
    set_forget_bias,
    spectral_radius,
    with_orthogonal,
    with_spectral_radius,
)
from contextbook.recurrent.layers import (
    GRU,
    LSTM,
    RNN,
    Bidirectional,
    Recurrent,
    Stacked,
    Unrolled,
)
from contextbook.recurrent.parity import copy_from_torch, copy_to_torch, state_to_torch
from contextbook.recurrent.states import State

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "Bidirectional",
    "GRUCell",
    "GatedCell",
    "LSTMCell",
    "RNNCell",
    "Recurrent",
    "Stacked",
    "State",
    "Unrolled",
    "backpropagate_through_time",
    "clip_gradient_norm",
    "copy_from_torch",
    "copy_to_torch",
    "set_forget_bias",
    "spectral_radius",
    "state_to_torch",
    "with_orthogonal",
    "with_spectral_radius",
]
