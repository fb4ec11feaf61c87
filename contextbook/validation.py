"""Checks of what goes into the book's functions, so that the functions themselves stay short.

Each check raises a ``ValueError`` that names the offending shape or type and says how to mend it.
"""

from typing import Any

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


def check_heads(d_model: int, heads: int, dropout: float) -> None:
    """Check that a width can be shared out among heads, and that a share is a share."""
    if d_model < 1 or heads < 1 or d_model % heads:
        raise ValueError(
            f"d_model={d_model} cannot be shared out evenly among {heads} heads: make it a "
            "multiple of their number"
        )
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout is a share from 0 to below 1, got {dropout}")


def check_same_heads(loop: Any, attention: Any) -> None:
    """Check that the heads of a loop fit into one product: as many, as wide, with a bias."""
    sizes = len(loop.heads), loop.output.in_features, True
    own = attention.heads, attention.output.in_features, attention.output.bias is not None
    if sizes != own:
        raise ValueError(
            f"heads, width and bias must agree: the loop has {sizes}, the attention {own}"
        )


def check_sequences(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    d_model: int,
    heads: int,
    mask: Tensor | None,
    key_mask: Tensor | None,
) -> None:
    """Check that queries, keys and values are batches of vectors of one width, and the masks."""
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.ndim != 3 or tensor.shape[-1] != d_model or len(tensor) != len(query):
            raise ValueError(
                f"{name} must be (batch, T, d_model) = ({query.shape[0] if query.ndim else 0}, T, "
                f"{d_model}), got shape {_shape(tensor)}: add a batch axis to a single sentence by "
                f"{name}[None]"
            )
    if key.shape[1] != value.shape[1]:
        raise ValueError(f"there must be a value for each key: {_shape(key)}, {_shape(value)}")
    if mask is not None:
        _check_mask(mask, (len(query), heads, query.shape[1], key.shape[1]))
    if key_mask is None:
        return
    _check_boolean(key_mask, "key_mask")
    if key_mask.shape != key.shape[:2]:
        raise ValueError(
            f"key_mask must have shape (batch, T_k) = {_shape(key)[:2]}, got {_shape(key_mask)}"
        )


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


def check_token_ids(ids: Tensor, size: int) -> None:
    """Check that ids are integers from 0 to ``size`` - 1; indexing would take -1 for the last."""
    if ids.dtype not in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
        raise ValueError(f"ids must be integers, got {ids.dtype} of shape {_shape(ids)}")
    if ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) < size:
        raise ValueError(
            f"ids must lie between 0 and {size - 1}, got {int(ids.min())} to {int(ids.max())}: "
            "is the table as large as the vocabulary?"
        )


def check_skip_gram_pairs(pairs: list[tuple[int, int]], window: int) -> None:
    """Check that a window found neighbours in the corpus."""
    if window < 1:
        raise ValueError(f"window must be at least 1, got {window}")
    if not pairs:
        raise ValueError("no sentence has two words: there are no neighbours to learn from")


def check_counts(counts: Tensor) -> None:
    """Check that word counts can be made a distribution."""
    if counts.ndim != 1 or counts.dtype == torch.bool:
        raise ValueError(
            f"counts must be numbers of shape (words,), got {counts.dtype} of {_shape(counts)}"
        )
    if bool((counts < 0).any()) or not bool((counts > 0).any()):
        raise ValueError("counts must be 0 or more, and not all 0: count the words of a corpus")


def check_skip_gram_vectors(centre: Tensor, context: Tensor, noise: Tensor) -> None:
    """Check that the three kinds of vectors of a skip-gram loss fit together."""
    batch_and_dim = (*noise.shape[:1], *noise.shape[2:])
    if centre.ndim != 2 or context.shape != centre.shape or batch_and_dim != centre.shape:
        raise ValueError(
            "skip-gram needs centre (B, dim), context (B, dim) and noise (B, K, dim), got "
            f"{_shape(centre)}, {_shape(context)} and {_shape(noise)}"
        )


def check_vectors(first: Tensor, second: Tensor, rows: int = 0) -> None:
    """Check that vectors have one length, and that ``first`` has at least ``rows`` of them."""
    if not first.ndim or not second.ndim or first.shape[-1] != second.shape[-1]:
        raise ValueError(
            f"vectors {_shape(first)} and {_shape(second)} must agree in the last axis: only "
            "vectors of one length can be compared"
        )
    if rows and (first.ndim != 2 or second.ndim != 1 or len(first) < rows):
        raise ValueError(
            f"needs vectors (rows, dim) with at least {rows} rows and one vector (dim,) to "
            f"compare them with, got {_shape(first)} and {_shape(second)}"
        )


def check_classes(vectors: Tensor, classes: list[str], k: int) -> None:
    """Check that each vector has a class, and ``k`` other vectors to be compared with."""
    if vectors.ndim != 2 or len(classes) != len(vectors):
        raise ValueError(
            f"needs vectors (words, dim) and one class for each, got {_shape(vectors)} and "
            f"{len(classes)} classes"
        )
    if not 1 <= k < len(vectors):
        raise ValueError(f"k must lie between 1 and {len(vectors) - 1}, got {k}")


def check_ratings(stars: Tensor, seen: Tensor) -> None:
    """Check that a table of ratings and what was seen of it fit together."""
    if stars.ndim != 2 or seen.shape != stars.shape or seen.dtype != torch.bool:
        raise ValueError(
            "needs stars and a boolean seen, both (people, films), got "
            f"{_shape(stars)} and {seen.dtype} {_shape(seen)}"
        )
    if not bool(seen.any()):
        raise ValueError("no rating was seen: there is nothing to learn from")


def check_convolution(d_model: int, kernel: int, dilation: int, x: Tensor | None = None) -> None:
    """Check the sizes of a convolution over time, and what goes in."""
    if min(d_model, kernel, dilation) < 1:
        raise ValueError(
            f"d_model, kernel and dilation must be positive, got {d_model}, {kernel} and {dilation}"
        )
    if x is not None and (x.ndim != 3 or x.shape[-1] != d_model):
        raise ValueError(f"needs vectors (batch, T, {d_model}), got shape {_shape(x)}")
