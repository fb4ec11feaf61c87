"""The position-wise feed-forward network: what a token does with what it has gathered."""

from torch import Tensor, nn


class FeedForward(nn.Module):
    """Widen, bend, narrow: the same two layers for each token, on its own.

    Vaswani et al. (2017), equation 2: ``max(0, x W_1 + b_1) W_2 + b_2``.

    Args:
        d_model: numbers in a token's vector.
        d_ff: numbers in between, four times as many in the paper.
        dropout: share of those in between that are dropped in training.
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.expand = nn.Linear(d_model, d_ff)
        self.contract = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """From ``(..., d_model)`` to ``(..., d_model)``."""
        return self.contract(self.dropout(self.expand(x).relu()))
