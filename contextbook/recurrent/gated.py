"""Cells with gates: the LSTM, which chooses what to keep, and the shorter GRU.

A gate is a number from 0 to 1 for each unit, computed from the input and the hidden state.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from contextbook.recurrent.initialisation import set_forget_bias, uniform
from contextbook.recurrent.states import State
from contextbook.recurrent.validation import check_cell_sizes, check_step


class GatedCell(nn.Module):
    """The weights of a cell with gates, and its initial state.

    One matrix from the input and one from the hidden state hold those of all gates, one below the
    other, so that a step computes all of them at once.

    Args:
        input_size: features of an input ``D``.
        hidden_size: numbers in the hidden state ``H``.
        forget_bias: bias that an LSTM's forget gate starts from (see
            :func:`contextbook.recurrent.initialisation.set_forget_bias`); random when ``None``.
        generator: source of the random numbers the weights start from, U(-1/√H, 1/√H).
    """

    rows: int  # how many gates and candidates: blocks of H rows

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        forget_bias: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_cell_sizes(input_size, hidden_size)
        self.hidden_size = hidden_size
        draw = uniform(hidden_size, generator)
        self.weight_ih = nn.Parameter(draw(self.rows * hidden_size, input_size))
        self.weight_hh = nn.Parameter(draw(self.rows * hidden_size, hidden_size))
        self.bias_ih = nn.Parameter(draw(self.rows * hidden_size))
        self.bias_hh = nn.Parameter(draw(self.rows * hidden_size))
        if forget_bias is not None:
            set_forget_bias(self, forget_bias)

    def initial_state(self, batch: int) -> State:
        """The state before the first step: zeros, ``(batch, H)``."""
        return self.weight_hh.new_zeros(batch, self.hidden_size)


class LSTMCell(GatedCell):
    """One step of an LSTM: gates choose what the cell forgets, takes in and shows.

    Hochreiter and Schmidhuber, *Long Short-Term Memory* (1997), with the forget gate of Gers et
    al. (2000). Rows stand in PyTorch's order. Arguments are those of :class:`GatedCell`.
    """

    rows = 4  # input gate, forget gate, candidate, output gate: i, f, g, o

    def initial_state(self, batch: int) -> tuple[Tensor, Tensor]:
        """Hidden state and cell before the first step: zeros, ``(batch, H)`` each."""
        zeros = self.weight_hh.new_zeros(batch, self.hidden_size)
        return zeros, zeros

    def gates(self, inputs: Tensor, hidden: Tensor) -> tuple[Tensor, ...]:
        """Input gate, forget gate, candidate and output gate, ``(batch, H)``."""
        from_input = linear(inputs, self.weight_ih, self.bias_ih)  # (B, 4H)
        from_past = linear(hidden, self.weight_hh, self.bias_hh)  # (B, 4H)
        i, f, g, o = (from_input + from_past).chunk(4, dim=-1)  # (B, H) each
        return torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)

    def forward(self, inputs: Tensor, state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """From an input ``(batch, D)`` and ``(hidden, cell)`` to the next of these.

        Raises:
            ValueError: shapes or dtypes do not fit the cell.
        """
        check_step(self, inputs, state, parts=2)
        hidden, cell = state
        input_gate, forget_gate, candidate, output_gate = self.gates(inputs, hidden)
        cell = forget_gate * cell + input_gate * candidate
        hidden = output_gate * torch.tanh(cell)
        return hidden, cell


class GRUCell(GatedCell):
    """One step of a GRU: an update gate mixes the old state with a new one.

    Cho et al., *Learning Phrase Representations using RNN Encoder–Decoder* (2014), in PyTorch's
    form: the reset gate acts on W_hh h + b_hh, and an update gate of 1 *keeps*. Arguments are those
    of :class:`GatedCell`, without a forget bias.
    """

    rows = 3  # reset gate, update gate, candidate: r, z, n

    def forward(self, inputs: Tensor, hidden: Tensor) -> Tensor:
        """From an input ``(batch, D)`` and the state to the next ``(batch, H)``.

        Raises:
            ValueError: shapes or dtypes do not fit the cell.
        """
        check_step(self, inputs, hidden)
        from_input = linear(inputs, self.weight_ih, self.bias_ih).chunk(3, dim=-1)
        from_past = linear(hidden, self.weight_hh, self.bias_hh).chunk(3, dim=-1)
        reset_gate = torch.sigmoid(from_input[0] + from_past[0])  # (B, H)
        update_gate = torch.sigmoid(from_input[1] + from_past[1])  # (B, H)
        candidate = torch.tanh(from_input[2] + reset_gate * from_past[2])  # (B, H)
        return update_gate * hidden + (1 - update_gate) * candidate
