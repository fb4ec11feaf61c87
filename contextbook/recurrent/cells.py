"""The cell of a recurrent network: one step, in which an input meets what has been read so far.

Elman, *Finding Structure in Time* (1990). Rows of a batch are sequences: ``(batch, features)``.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from contextbook.recurrent.initialisation import uniform
from contextbook.recurrent.validation import check_cell_sizes, check_step


class RNNCell(nn.Module):
    """One step of an RNN: h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).

    Args:
        input_size: features of an input ``D``.
        hidden_size: numbers in the hidden state ``H``.
        activation: what bends the sum, ``torch.tanh`` or for example ``torch.relu``.
        generator: source of the random numbers the weights start from, U(-1/√H, 1/√H).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        activation: Callable[[Tensor], Tensor] = torch.tanh,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_cell_sizes(input_size, hidden_size)
        self.hidden_size, self.activation = hidden_size, activation
        draw = uniform(hidden_size, generator)
        self.weight_ih = nn.Parameter(draw(hidden_size, input_size))
        self.weight_hh = nn.Parameter(draw(hidden_size, hidden_size))
        self.bias_ih = nn.Parameter(draw(hidden_size))
        self.bias_hh = nn.Parameter(draw(hidden_size))

    def initial_state(self, batch: int) -> Tensor:
        """Before the first step nothing has been read: zeros, ``(batch, H)``."""
        return self.weight_hh.new_zeros(batch, self.hidden_size)

    def forward(self, inputs: Tensor, hidden: Tensor) -> Tensor:
        """From an input ``(batch, D)`` and the state to the next ``(batch, H)``.

        Raises:
            ValueError: shapes or dtypes do not fit the cell.
        """
        check_step(self, inputs, hidden)
        from_input = inputs @ self.weight_ih.T + self.bias_ih  # (B, H)
        from_past = hidden @ self.weight_hh.T + self.bias_hh  # (B, H)
        return self.activation(from_input + from_past)
