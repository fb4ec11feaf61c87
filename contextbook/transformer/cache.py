"""A key–value cache: what has been written is projected once, not again for each new token."""

from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from contextbook.transformer.layers import DecoderLayer, Weights


class LayerCache(NamedTuple):
    """What one decoder layer remembers; each ``(batch, heads, T, d_head)``."""

    past_key: Tensor
    past_value: Tensor
    source_key: Tensor
    source_value: Tensor


class DecoderState(NamedTuple):
    """What a Transformer carries from step to step while it writes."""

    layers: tuple[LayerCache, ...]
    source_mask: Tensor | None  # (batch, 1, 1, T_x), False for padding

    @property
    def written(self) -> int:
        """Number of tokens that have been read into the cache."""
        return self.layers[0].past_key.shape[2]


def empty_cache(layer: DecoderLayer, memory: Tensor) -> LayerCache:
    """The cache before the first token: nothing written, the source projected once and for all."""
    key, value = layer.cross_attention.keys_values(memory)
    return LayerCache(key[:, :, :0], value[:, :, :0], key, value)


def cached_step(
    layer: DecoderLayer, x: Tensor, cache: LayerCache, source_mask: Tensor | None
) -> tuple[Tensor, LayerCache, Weights]:
    """One new token ``(batch, 1, d_model)`` through a decoder layer.

    It needs no causal mask: all that the cache holds is in the past.

    Returns:
        The stream ``(batch, 1, d_model)``, the cache with the token's key and value, and the
        weights over the source ``(batch, heads, 1, T_x)``.
    """
    grown: list[LayerCache] = []

    def back(seen: Tensor) -> tuple[Tensor, Weights]:
        key, value = layer.self_attention.keys_values(seen)
        # (batch, heads, written + 1, d_head)
        past_key = torch.cat([cache.past_key, key], dim=2)
        past_value = torch.cat([cache.past_value, value], dim=2)
        grown.append(cache._replace(past_key=past_key, past_value=past_value))
        return layer.self_attention.attend(seen, past_key, past_value)

    across: Any = partial(
        layer.cross_attention.attend,
        key=cache.source_key,
        value=cache.source_value,
        mask=source_mask,
        need_weights=True,
    )
    x, (_, weights) = layer.pass_on(x, back, across)
    return x, grown[0], weights
