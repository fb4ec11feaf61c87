"""The encoder and the decoder: layers on top of one another."""

from torch import Tensor, nn

from contextbook.seq2seq.validation import check_sizes
from contextbook.transformer.design import Design
from contextbook.transformer.layers import DecoderLayer, EncoderLayer, Weights


class Encoder(nn.Module):
    """Layers that read a sentence.

    Args:
        layers: how many.
        design: sizes and parts of each.

    Raises:
        ValueError: ``layers`` is less than 1.
    """

    def __init__(self, layers: int, design: Design) -> None:
        super().__init__()
        check_sizes(layers=layers)
        self.layers = nn.ModuleList(EncoderLayer(design) for _ in range(layers))
        self.norm = design.make_last_norm()

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        *,
        key_mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, list[Weights]]:
        """From vectors ``(batch, T, d_model)`` to the memory, and all weights."""
        maps = []
        for layer in self.layers:
            x, weights = layer(x, mask, key_mask=key_mask, need_weights=need_weights)
            maps.append(weights)
        return self.norm(x), maps


class Decoder(nn.Module):
    """Layers that write a sentence.

    Args:
        layers: how many.
        design: sizes and parts of each.

    Raises:
        ValueError: ``layers`` is less than 1.
    """

    def __init__(self, layers: int, design: Design) -> None:
        super().__init__()
        check_sizes(layers=layers)
        self.layers = nn.ModuleList(DecoderLayer(design) for _ in range(layers))
        self.norm = design.make_last_norm()

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        *,
        key_mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, list[tuple[Weights, Weights]]]:
        """From vectors ``(batch, T_y, d_model)`` to features, and all weights.

        Arguments and weights are those of :class:`DecoderLayer`.
        """
        maps = []
        for layer in self.layers:
            x, weights = layer(
                x,
                memory,
                mask,
                key_mask=key_mask,
                need_weights=need_weights,
            )
            maps.append(weights)
        return self.norm(x), maps
