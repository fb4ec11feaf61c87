"""Copies between the book's layers and PyTorch's: the same weights, so the same numbers."""

from typing import Any

import torch
from torch import Tensor, nn

_NORMS = ("self_residual", "cross_residual", "feed_forward_residual")


def copy_to_torch(ours: Any) -> Any:
    """Make PyTorch's layer, stack or Transformer with the weights of one of ours.

    Args:
        ours: a layer, encoder, decoder or Transformer of this package, or a reader's own with the
            same parts. The embeddings and logits of a Transformer have no twin in ``nn``.

    Returns:
        ``nn.TransformerEncoderLayer``, ``nn.TransformerDecoderLayer``, ``nn.TransformerEncoder``,
        ``nn.TransformerDecoder`` or ``nn.Transformer``, ``batch_first``, of the same dtype and
        mode.

    Raises:
        ValueError: it has none of the parts of a Transformer.
    """
    if hasattr(ours, "encoder"):
        return _copy_model(ours)
    if hasattr(ours, "layers"):
        return _copy_stack(ours)
    if not hasattr(ours, "self_attention"):
        raise ValueError(f"{type(ours).__name__} has no self_attention: nothing to copy")
    return _copy_layer(ours)


def _copy_model(ours: Any) -> nn.Transformer:
    first = ours.encoder.layers[0].self_attention
    # given its stacks afterwards, since it draws the weights of those that it is made with anew
    none: Any = {"custom_encoder": nn.Identity(), "custom_decoder": nn.Identity()}
    twin = nn.Transformer(first.output.out_features, first.heads, batch_first=True, **none)
    twin.encoder, twin.decoder = _copy_stack(ours.encoder), _copy_stack(ours.decoder)
    return twin.train(ours.training)


def _copy_stack(ours: Any) -> Any:
    layers = [_copy_layer(layer) for layer in ours.layers]
    norm = None if isinstance(ours.norm, nn.Identity) else _copy_norm(ours.norm)
    if hasattr(ours.layers[0], "cross_attention"):
        twin: Any = nn.TransformerDecoder(layers[0], len(layers), norm)
    else:
        twin = nn.TransformerEncoder(layers[0], len(layers), norm, enable_nested_tensor=False)
    twin.layers = nn.ModuleList(layers)
    return twin.train(ours.training)


def _copy_layer(ours: Any) -> Any:
    attention, between = ours.self_attention, ours.feed_forward.expand
    kind: Any = (
        nn.TransformerDecoderLayer
        if hasattr(ours, "cross_attention")
        else nn.TransformerEncoderLayer
    )
    twin = kind(
        between.in_features,
        attention.heads,
        between.out_features,
        ours.feed_forward.dropout.p,
        norm_first=ours.self_residual.norm_first,
        batch_first=True,
        dtype=between.weight.dtype,
    )
    _copy_attention(attention, twin.self_attn)
    if hasattr(ours, "cross_attention"):
        _copy_attention(ours.cross_attention, twin.multihead_attn)
    twin.linear1.load_state_dict(between.state_dict())
    twin.linear2.load_state_dict(ours.feed_forward.contract.state_dict())
    norms = [getattr(ours, name).norm for name in _NORMS if hasattr(ours, name)]
    for number, norm in enumerate(norms, 1):
        setattr(twin, f"norm{number}", _copy_norm(norm))
    return twin.train(ours.training)


@torch.no_grad()
def _copy_attention(ours: Any, twin: nn.MultiheadAttention) -> None:
    parts = (ours.query, ours.key, ours.value)
    _set(twin.in_proj_weight, torch.cat([part.weight for part in parts]))
    _set(twin.in_proj_bias, torch.cat([part.bias for part in parts]))
    twin.out_proj.load_state_dict(ours.output.state_dict())


def _copy_norm(ours: Any) -> nn.LayerNorm:
    twin = nn.LayerNorm(len(ours.weight), ours.eps, dtype=ours.weight.dtype)
    twin.load_state_dict(ours.state_dict())
    return twin


def _set(parameter: Tensor | None, value: Tensor) -> None:
    assert parameter is not None  # only without a bias, or for keys of another width
    parameter.copy_(value)
