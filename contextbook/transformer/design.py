"""What the layers of a Transformer are made of: sizes and choices, in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import nn

from contextbook.attention import MultiHeadAttention
from contextbook.transformer.feed_forward import FeedForward
from contextbook.transformer.layer_norm import LayerNorm
from contextbook.transformer.residual import Residual
from contextbook.transformer.validation import check_design


@dataclass(frozen=True)
class Design:
    """The sizes and parts of every layer.

    Attributes:
        d_model: numbers in a token's vector.
        heads: number of attention heads; ``d_model`` is shared out among them.
        d_ff: numbers in the middle of the feed-forward network; ``4 * d_model`` if it is 0.
        dropout: share that is dropped in training: of attention weights, corrections, the middle
            of the feed-forward network, and embeddings.
        norm_first: pre-norm; otherwise post-norm.
        attention: makes an attention, called as the book's; the book's, or one of your own.
        norm: makes a norm for a width; the book's, or one of your own.
        connect: ``False`` leaves the residual connections out, for an experiment.

    Raises:
        ValueError: a size is out of range.
    """

    d_model: int = 64
    heads: int = 4
    d_ff: int = 0
    dropout: float = 0.0
    norm_first: bool = True
    attention: Callable[..., Any] = MultiHeadAttention
    norm: Callable[[int], nn.Module] = LayerNorm
    connect: bool = True

    def __post_init__(self) -> None:
        """Check the sizes, and fill in the usual width of the feed-forward network."""
        if self.d_ff == 0:
            object.__setattr__(self, "d_ff", 4 * self.d_model)
        check_design(self.d_model, self.heads, self.d_ff, self.dropout)

    def make_attention(self) -> Any:
        """A new attention."""
        return self.attention(self.d_model, self.heads, dropout=self.dropout)

    def make_feed_forward(self) -> FeedForward:
        """A new feed-forward network."""
        return FeedForward(self.d_model, self.d_ff, self.dropout)

    def make_residual(self) -> Residual:
        """A new residual connection, with its norm."""
        return Residual(
            self.d_model,
            norm_first=self.norm_first,
            dropout=self.dropout,
            norm=self.norm,
            connect=self.connect,
        )

    def make_last_norm(self) -> nn.Module:
        """After the last layer: pre-norm's stream is not normalised yet."""
        return self.norm(self.d_model) if self.norm_first else nn.Identity()
