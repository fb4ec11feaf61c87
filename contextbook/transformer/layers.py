"""One layer of the encoder, and one of the decoder."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from torch import Tensor, nn

from contextbook.transformer.design import Design
from contextbook.transformer.validation import check_width

Weights: TypeAlias = Tensor | None  # (batch, heads, queries, keys)
Look: TypeAlias = Callable[[Tensor], tuple[Tensor, Weights]]


class EncoderLayer(nn.Module):
    """Gather from the whole sentence, then work on each token.

    Args:
        design: sizes and parts.
    """

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.d_model = design.d_model
        self.self_attention = design.make_attention()
        self.self_residual = design.make_residual()
        self.feed_forward = design.make_feed_forward()
        self.feed_forward_residual = design.make_residual()

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        *,
        key_mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Weights]:
        """Let the tokens ``(batch, T, d_model)`` look at one another.

        Args:
            x: the stream.
            mask: who may attend to whom; ``True`` = may; broadcastable to ``(batch, heads, T, T)``.
            key_mask: ``(batch, T)``, ``False`` for padding.
            need_weights: return the attention weights too.

        Returns:
            The stream ``(batch, T, d_model)`` and the weights ``(batch, heads, T, T)`` or ``None``.
        """
        check_width(x, self.d_model)
        seen = self.self_residual.read(x)
        gathered, weights = self.self_attention(
            seen, mask=mask, key_mask=key_mask, need_weights=need_weights
        )
        x = self.self_residual.add(x, gathered)
        worked = self.feed_forward(self.feed_forward_residual.read(x))
        return self.feed_forward_residual.add(x, worked), weights


class DecoderLayer(nn.Module):
    """Gather from what is written, then from the source, then work on each token.

    Args:
        design: sizes and parts.
    """

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.d_model = design.d_model
        self.self_attention = design.make_attention()
        self.self_residual = design.make_residual()
        self.cross_attention = design.make_attention()
        self.cross_residual = design.make_residual()
        self.feed_forward = design.make_feed_forward()
        self.feed_forward_residual = design.make_residual()

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        *,
        key_mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, tuple[Weights, Weights]]:
        """Let the target ``(batch, T_y, d_model)`` look back, and at the source.

        Args:
            x: the stream.
            memory: what the encoder has made of the source, ``(batch, T_x, d_model)``.
            mask: of the target; give it a causal mask, or it sees the future.
            key_mask: of the source, ``(batch, T_x)``, ``False`` for padding.
            need_weights: return the attention weights too.

        Returns:
            The stream ``(batch, T_y, d_model)``, and the weights of both attentions
            ``(batch, heads, T_y, T_y)`` and ``(batch, heads, T_y, T_x)``, or ``None`` each.
        """
        check_width(x, self.d_model)
        back = partial(self.self_attention, mask=mask, need_weights=need_weights)
        across = partial(
            self.cross_attention,
            key=memory,
            value=memory,
            key_mask=key_mask,
            need_weights=need_weights,
        )
        return self.pass_on(x, back, across)

    def pass_on(
        self, x: Tensor, back: Look, across: Look
    ) -> tuple[Tensor, tuple[Weights, Weights]]:
        """The layer, given how to look: in training, or into a cache."""
        gathered, own = back(self.self_residual.read(x))
        x = self.self_residual.add(x, gathered)
        translated, cross = across(self.cross_residual.read(x))
        x = self.cross_residual.add(x, translated)
        worked = self.feed_forward(self.feed_forward_residual.read(x))
        return self.feed_forward_residual.add(x, worked), (own, cross)
