"""The layers that are timed: the book's, PyTorch's, and what both are fed."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from contextbook.attention import causal_mask, padding_mask
from contextbook.transformer import Transformer


def real_lengths(batch: int, longest: int, seed: int = 0) -> Tensor:
    """Lengths of padded sequences, from half of the longest to the longest, which occurs."""
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.randint(longest // 2, longest + 1, (batch,), generator=draw)
    lengths[0] = longest
    return lengths


def training_pass(
    layer: nn.Module, run: Callable[[], Tensor], *inputs: Tensor
) -> Callable[[], None]:
    """Forward and backward, with gradients for weights and inputs, as inside a larger model.

    Args:
        layer: whose gradients are let go of before each pass.
        run: makes the output.
        inputs: whose gradients are wanted too.
    """
    with torch.no_grad():
        upstream = torch.randn_like(run())

    def once() -> None:
        layer.zero_grad(set_to_none=True)
        for each in inputs:
            each.grad = None
        run().backward(upstream)

    return once


class TorchTranslator(nn.Module):
    """``nn.Transformer`` where the book's Transformer has its stacks, all else being the same.

    Args:
        whole: a :class:`contextbook.transformer.Transformer`, whose embeddings and logits it uses.
        core: an ``nn.Transformer`` with the same sizes.
    """

    def __init__(self, whole: Transformer, core: nn.Transformer) -> None:
        super().__init__()
        self.source_embedding = whole.source_embedding
        self.target_embedding = whole.target_embedding
        self.core, self.to_logits = core, whole.to_logits

    def forward(self, source: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Logits ``(batch, T_y, V)``."""
        padding = ~padding_mask(lengths, source.shape[1])
        features = self.core(
            self.source_embedding(source),
            self.target_embedding(target),
            tgt_mask=~causal_mask(target.shape[1]),  # here True means: may not attend
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
            tgt_is_causal=True,
        )
        logits: Tensor = self.to_logits(features)
        return logits
