"""Residual connections: a layer reads from a stream, and adds a correction to it."""

from collections.abc import Callable

from torch import Tensor, nn

from contextbook.transformer.layer_norm import LayerNorm


class Residual(nn.Module):
    """Around a part r: y = x + r(x), with a norm before r or after the sum.

    He et al., *Deep Residual Learning for Image Recognition* (2016). Post-norm, of Vaswani et al.
    (2017), is ``norm(x + r(x))``. Pre-norm, ``x + r(norm(x))``, leaves the stream itself untouched
    from the first layer to the last (Xiong et al., *On Layer Normalization in the Transformer
    Architecture*, 2020).

    Args:
        d_model: numbers in a token's vector.
        norm_first: pre-norm; otherwise post-norm.
        dropout: share of the correction that is dropped in training.
        norm: makes the norm for a width; the book's, or one of your own.
        connect: ``False`` takes the sum away, for an experiment: y = r(x).
    """

    def __init__(
        self,
        d_model: int,
        *,
        norm_first: bool = True,
        dropout: float = 0.0,
        norm: Callable[[int], nn.Module] = LayerNorm,
        connect: bool = True,
    ) -> None:
        super().__init__()
        self.norm, self.dropout = norm(d_model), nn.Dropout(dropout)
        self.norm_first, self.connect = norm_first, connect

    def read(self, stream: Tensor) -> Tensor:
        """What the part gets to see of the stream ``(..., d_model)``."""
        return self.norm(stream) if self.norm_first else stream

    def add(self, stream: Tensor, correction: Tensor) -> Tensor:
        """The stream with the part's correction; both ``(..., d_model)``."""
        correction = self.dropout(correction)
        total = stream + correction if self.connect else correction
        return total if self.norm_first else self.norm(total)
