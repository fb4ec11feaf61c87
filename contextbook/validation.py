"""Checks of what goes into the book's functions, so that the functions themselves stay short.

Each check raises a ``ValueError`` that names the offending shape or type and says how to mend it.
"""

import torch
from torch import Tensor


def check_attention_inputs(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    key_mask: Tensor | None = None,
) -> Tensor | None:
    """Check that query, key, value and masks fit together, and join the two masks into one.

    Args and errors are those of :func:`contextbook.attention.scaled_dot_product_attention`.

    Returns:
        A boolean mask that broadcasts to the scores ``(..., queries, keys)``, or ``None``.
    """
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.ndim < 2:
            raise ValueError(
                f"{name} must have at least two axes (positions, features), got shape "
                f"{_shape(tensor)}: add an axis, for example {name}[None]"
            )
        if not tensor.dtype.is_floating_point:
            raise ValueError(f"{name} must be floating point, got {tensor.dtype}: call .float()")
        if tensor.dtype != query.dtype:
            raise ValueError(f"query is {query.dtype} and {name} is {tensor.dtype}: use one dtype")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query {_shape(query)} and key {_shape(key)} must have the same number of features "
            f"d_k in the last axis, got {query.shape[-1]} and {key.shape[-1]}"
        )
    if query.shape[-1] == 0:
        raise ValueError(f"query {_shape(query)} has no features: d_k must be at least 1")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key {_shape(key)} and value {_shape(value)} must have one value for each key in the "
            f"second-last axis, got {key.shape[-2]} keys and {value.shape[-2]} values"
        )
    if key.shape[:-2] != query.shape[:-2] or value.shape[:-2] != query.shape[:-2]:
        raise ValueError(
            f"query {_shape(query)}, key {_shape(key)} and value {_shape(value)} must agree in "
            "every axis before the last two (batch, heads): use .expand to repeat one of them"
        )
    scores_shape = (*query.shape[:-1], key.shape[-2])
    if mask is not None:
        _check_mask(mask, scores_shape)
    if key_mask is None:
        return mask
    _check_boolean(key_mask, "key_mask")
    expected = (*query.shape[:1], key.shape[-2]) if query.ndim > 2 else (key.shape[-2],)
    if tuple(key_mask.shape) != expected:
        raise ValueError(
            f"key_mask must have shape {expected} (batch, keys) for key {_shape(key)}, got "
            f"{_shape(key_mask)}"
        )
    # (batch, keys) -> (batch, 1, ..., 1, keys): the same keys for every head and every query
    key_mask = key_mask.reshape(*expected[:-1], *[1] * (query.ndim - len(expected)), expected[-1])
    return key_mask if mask is None else mask & key_mask


def check_scores_mask(scores: Tensor, mask: Tensor) -> None:
    """Check that ``mask`` is boolean and broadcasts to ``scores``."""
    _check_mask(mask, tuple(scores.shape))


def _check_mask(mask: Tensor, scores_shape: tuple[int, ...]) -> None:
    _check_boolean(mask, "mask")
    try:
        fits = torch.broadcast_shapes(mask.shape, scores_shape) == scores_shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask {_shape(mask)} does not broadcast to the scores {scores_shape}, which are "
            "(..., queries, keys); a mask over keys alone, (batch, keys), goes in as key_mask"
        )


def _check_boolean(mask: Tensor, name: str) -> None:
    if mask.dtype != torch.bool:
        raise ValueError(
            f"{name} must be boolean with True = may attend, got {mask.dtype} of shape "
            f"{_shape(mask)}: compare it (for example ids != 0) or call .bool()"
        )


def _shape(tensor: Tensor) -> tuple[int, ...]:
    return tuple(tensor.shape)
