"""A convolution over time: each token mixes a few neighbours, the same way everywhere."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.validation import check_convolution


class CausalConv(nn.Module):
    """Mix each token with the few before it, by weights of the distance alone.

    ``y_t = Σ_k W_k x_(t - k·dilation) + b`` for k from 0 to ``kernel - 1``. Before the first token
    there are zeros. Reach: ``(kernel - 1) * dilation`` tokens back. Dilated as in van den Oord et
    al., *WaveNet* (2016).

    Args:
        d_model: numbers in a token's vector, in and out.
        kernel: how many tokens each output sees, itself included.
        dilation: steps between them.

    Raises:
        ValueError: a size is not positive, or the input is no ``(batch, T, d_model)``.
    """

    def __init__(self, d_model: int, kernel: int = 3, dilation: int = 1) -> None:
        super().__init__()
        check_convolution(d_model, kernel, dilation)
        self.dilation = dilation
        bound = (d_model * kernel) ** -0.5
        self.weight = nn.Parameter(  # the first is for the token itself
            torch.empty(kernel, d_model, d_model).uniform_(-bound, bound)
        )
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Tensor) -> Tensor:
        """From ``(batch, T, d_model)`` to ``(batch, T, d_model)``."""
        check_convolution(self.weight.shape[1], len(self.weight), self.dilation, x)
        time = x.shape[1]
        total = self.bias
        for back, weight in enumerate(self.weight):
            shift = back * self.dilation
            earlier = F.pad(x, (0, 0, shift, 0))[:, :time]  # x_(t - shift)
            total = total + earlier @ weight.T
        return total
