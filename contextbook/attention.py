"""Attention: a soft look-up. Scores, mask, softmax, weighted mean of the values.

Masks are boolean and ``True`` means *may attend*, as in PyTorch's
``scaled_dot_product_attention`` (``nn.MultiheadAttention`` means the opposite).
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.validation import (
    check_attention_inputs,
    check_heads,
    check_scores_mask,
    check_sequences,
)


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the keys that each query may attend to.

    Args:
        scores: ``(..., queries, keys)``, any real numbers.
        mask: boolean, broadcastable to ``scores``; ``True`` = may attend. ``None`` allows all.

    Returns:
        Weights shaped like ``scores``. A row sums to 1; a query that may attend to no key gets a
        row of zeros, with finite (zero) gradients, where a plain softmax would give NaN.

    Raises:
        ValueError: ``mask`` is not boolean or does not broadcast to ``scores``.
    """
    if mask is None:
        return torch.softmax(scores, dim=-1)
    check_scores_mask(scores, mask)
    # the lowest finite number and not -inf: a row of -inf would be 0 / 0 in the softmax
    lowest = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(~mask, lowest), dim=-1)
    return weights.masked_fill(~mask, 0.0)


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    *,
    key_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Look up each query among the keys; mix the values by how well the keys match.

    Implements equation (1) of Vaswani et al., *Attention Is All You Need* (2017):
    ``softmax(Q Kᵀ / √d_k) V``.

    Args:
        query: ``(..., queries, d_k)``.
        key: ``(..., keys, d_k)``.
        value: ``(..., keys, d_v)``; ``d_v`` may differ from ``d_k``.
        mask: boolean, broadcastable to ``(..., queries, keys)``; ``True`` = may attend.
        key_mask: boolean ``(batch, keys)``, or ``(keys,)`` for inputs without a batch axis;
            ``False`` marks padding that no query may attend to. Joined with ``mask`` by *and*.
        scale: factor on the scores; ``1/√d_k`` when ``None``.

    Returns:
        The mixed values ``(..., queries, d_v)`` and the weights ``(..., queries, keys)``.
        A query that may attend to nothing gets zeros in both.

    Raises:
        ValueError: shapes, dtypes or masks do not fit together; the message names them.
    """
    mask = check_attention_inputs(query, key, value, mask, key_mask)
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    # scaled before the product, which in 16 bits would grow too large
    scores = (query * scale) @ key.transpose(-2, -1)  # (..., queries, keys)
    weights = masked_softmax(scores, mask)
    return weights @ value, weights  # (..., queries, d_v), (..., queries, keys)


def causal_mask(
    queries: int, keys: int | None = None, device: torch.device | None = None
) -> Tensor:
    """Let each position attend to itself and to what came before it, never to what comes later.

    Args:
        queries: number of query positions.
        keys: number of key positions; ``queries`` when ``None``. With more keys than queries the
            queries are the *last* positions, as when a decoder goes on from a cache.
        device: where the mask is made.

    Returns:
        Boolean ``(queries, keys)``; ``True`` = may attend.

    Raises:
        ValueError: a length is negative, or there are fewer keys than queries.
    """
    keys = queries if keys is None else keys
    if queries < 0 or keys < queries:
        raise ValueError(
            f"causal_mask needs 0 <= queries <= keys, got {queries} queries and {keys} keys: "
            "each query must itself be among the keys"
        )
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)


def padding_mask(lengths: Tensor, keys: int | None = None) -> Tensor:
    """Mark the real tokens of padded sequences.

    Args:
        lengths: integers ``(batch,)``, the number of real tokens in each sequence.
        keys: padded length; the longest of ``lengths`` when ``None``.

    Returns:
        Boolean ``(batch, keys)``; ``True`` for a real token, ``False`` for padding. Pass it as
        ``key_mask``.

    Raises:
        ValueError: ``lengths`` is not a row of integers, or one of them does not fit ``keys``.
    """
    if lengths.ndim != 1 or lengths.dtype.is_floating_point or lengths.dtype == torch.bool:
        raise ValueError(
            "padding_mask needs integer lengths of shape (batch,), got "
            f"{tuple(lengths.shape)} of {lengths.dtype}"
        )
    longest = int(lengths.max()) if len(lengths) else 0
    keys = longest if keys is None else keys
    if longest > keys or (len(lengths) and int(lengths.min()) < 0):
        raise ValueError(
            f"padding_mask got lengths from {int(lengths.min())} to {longest} for {keys} keys: "
            f"each length must lie between 0 and {keys}"
        )
    return torch.arange(keys, device=lengths.device) < lengths[:, None]


class MultiHeadAttention(nn.Module):
    """Ask several questions at once: each head looks up in a space of its own.

    Vaswani et al. (2017), section 3.2.2. The heads' projections W_i^Q stand one below the other in
    one matrix, as do W_i^K and W_i^V, so that one product serves all heads.

    Args:
        d_model: numbers in a token's vector.
        heads: number of heads, among which ``d_model`` is shared out.
        dropout: share of the weights that are dropped in training.
        bias: add a bias in the four projections.

    Raises:
        ValueError: ``d_model`` cannot be shared out evenly, or dropout is no share.
    """

    def __init__(
        self, d_model: int, heads: int, *, dropout: float = 0.0, bias: bool = True
    ) -> None:
        super().__init__()
        check_heads(d_model, heads, dropout)
        self.heads, self.dropout = heads, dropout
        self.query = nn.Linear(d_model, d_model, bias=bias)
        self.key = nn.Linear(d_model, d_model, bias=bias)
        self.value = nn.Linear(d_model, d_model, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)  # W^O

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        key_mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Let each query look among the keys, with every head.

        Args:
            query: ``(batch, T_q, d_model)``.
            key: ``(batch, T_k, d_model)``; the queries themselves when ``None``: self-attention.
            value: ``(batch, T_k, d_model)``; the keys when ``None``.
            mask: boolean, ``True`` = may attend, broadcastable to ``(batch, heads, T_q, T_k)``.
            key_mask: boolean ``(batch, T_k)``, ``False`` for padding.
            need_weights: return the weights too; without them the work is left to PyTorch's fused
                attention, which is faster and gives the same output.

        Returns:
            ``(batch, T_q, d_model)``, and the weights ``(batch, heads, T_q, T_k)`` or ``None``.
            Where a query may attend to nothing, the heads give zeros.

        Raises:
            ValueError: shapes or masks do not fit together.
        """
        key = query if key is None else key
        value = key if value is None else value
        sizes = self.query.in_features, self.heads
        check_sequences(query, key, value, *sizes, mask, key_mask)
        if key_mask is not None:
            key_mask = key_mask[:, None, None]  # (batch, 1, 1, T_k)
            mask = key_mask if mask is None else mask & key_mask
        return self.attend(
            query,
            *self.keys_values(key, value),
            mask,
            need_weights=need_weights,
        )

    def keys_values(
        self,
        key: Tensor,
        value: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Project what is asked, once, and share it out among the heads.

        Args:
            key: ``(batch, T_k, d_model)``.
            value: the same shape; the keys when ``None``.

        Returns:
            Keys and values, ``(batch, heads, T_k, d_head)`` each, for :meth:`attend`. A decoder
            keeps them from step to step.
        """
        return (
            self._split(self.key(key)),
            self._split(self.value(key if value is None else value)),
        )

    def attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        *,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Ask what :meth:`keys_values` has made ready.

        Args:
            query: ``(batch, T_q, d_model)``.
            key, value: ``(batch, heads, T_k, d_head)``.
            mask: boolean, ``True`` = may attend, broadcastable to ``(batch, heads, T_q, T_k)``.
            need_weights: as in :meth:`forward`.

        Returns:
            As :meth:`forward`.
        """
        query, weights = self._split(self.query(query)), None
        p = self.dropout if self.training else 0.0
        if need_weights:
            mixed, weights = scaled_dot_product_attention(query, key, value, mask)
            if p:
                mixed = F.dropout(weights, p) @ value
        else:
            mixed = F.scaled_dot_product_attention(query, key, value, mask, dropout_p=p)
        joined = mixed.transpose(1, 2).flatten(2)  # (batch, T_q, d_model)
        return self.output(joined), weights if need_weights else None

    def _split(self, x: Tensor) -> Tensor:
        """Share out the features among the heads: ``(batch, heads, T, d_head)``."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)
