"""Chapter 10: cutting into heads and joining them, masks, costs, what each head adds, the whole."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = ["cost", "head_parts", "heads_mask", "join_heads", "multi_head", "split_heads"]


def _split(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)


@exercise(chapter=10)
def split_heads(attempt: Attempt) -> None:
    """``(batch, time, d_model)`` to ``(batch, heads, time, d_head)``."""
    for batch, time, heads, d_head in ((2, 4, 3, 5), (1, 1, 2, 2), (3, 2, 1, 4)):
        x = torch.arange(batch * time * heads * d_head).reshape(batch, time, -1).float()
        answer = attempt(x, heads)
        if isinstance(answer, Tensor) and heads != time:
            if tuple(answer.shape) == (batch, time, heads, d_head):
                raise Hint("not_transposed", got=tuple(answer.shape))
            if tuple(answer.shape) == (heads, batch, time, d_head) and heads != batch:
                raise Hint("heads_first", got=tuple(answer.shape))
        recognise(
            attempt.tensor(x, heads, shape=(batch, heads, time, d_head)),
            _split(x, heads),
            {
                "reshaped": x.reshape(batch, heads, time, d_head),
                "woven": x.unflatten(-1, (d_head, heads)).permute(0, 3, 1, 2),
            },
        )


@exercise(chapter=10)
def join_heads(attempt: Attempt) -> None:
    """``(batch, heads, time, d_head)`` to ``(batch, time, d_model)``."""
    for batch, heads, time, d_head in ((2, 3, 4, 5), (1, 2, 1, 2), (3, 1, 2, 4)):
        x = torch.arange(batch * heads * time * d_head).reshape(batch, heads, time, d_head).float()
        recognise(
            attempt.tensor(x, shape=(batch, time, heads * d_head)),
            x.transpose(1, 2).flatten(2),
            {
                "reshaped": x.reshape(batch, time, -1),
                "woven": x.permute(0, 2, 3, 1).flatten(2),
            },
        )


@exercise(chapter=10)
def heads_mask(attempt: Attempt) -> None:
    """Real tokens to a mask that fits the scores of all heads and hides padding and the future."""
    real = torch.tensor([[True, True, True, False], [True, True, True, True], [False, True] * 2])
    past = torch.ones(4, 4, dtype=torch.bool).tril()
    scores = torch.zeros(3, 5, 4, 4)  # batch, heads, queries, keys
    answer = attempt(real)
    if isinstance(answer, Tensor) and answer.dtype != torch.bool:
        raise Hint("not_boolean", got=str(answer.dtype).removeprefix("torch."))
    if isinstance(answer, Tensor) and tuple(answer.shape) == (3, 4, 4):
        raise Hint("no_axis_for_heads")
    answer = attempt.tensor(real, shape=(3, 1, 4, 4), dtype=torch.bool)
    keys, queries = real[:, None, None, :], real[:, None, :, None]
    right = keys & past
    assert right.expand_as(scores).shape == scores.shape
    recognise(
        answer,
        right,
        {
            "future_seen": keys & torch.ones_like(past),
            "padding_seen": torch.ones_like(keys) & past,
            "queries_hidden": queries & past,
            "both_hidden": queries & keys & past,
            "either": keys | past,
            "past_hidden": keys & past.T,
            "inverted": ~right,
        },
    )


@exercise(chapter=10)
def cost(attempt: Attempt) -> None:
    """Multiply-adds and attention weights of self-attention over one sentence."""
    for time, d_model, heads in ((10, 12, 3), (512, 64, 8), (7, 6, 1)):
        answer = attempt(time, d_model, heads)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise Hint("not_a_pair", type=type(answer).__name__)
        for part in answer:
            if isinstance(part, bool) or not isinstance(part, int | float):
                raise Hint("not_a_number", type=type(part).__name__)
        products, weights = (float(part) for part in answer)
        projections, looking = 4 * time * d_model**2, 2 * time**2 * d_model
        recognise(
            products,
            projections + looking,
            {
                "no_projections": looking,
                "only_projections": projections,
                "no_output_projection": 3 * time * d_model**2 + looking,
                "only_scores": projections + looking // 2,
                "heads_counted_twice": projections + heads * looking,
                "all_times_heads": heads * (projections + looking),
                "one_heads_share": projections + looking / heads,
                "for_each_token": 4 * d_model**2 + 2 * time * d_model,
                "doubled": 2 * (projections + looking),
            },
        )
        recognise(
            weights,
            heads * time**2,
            {
                "weights_of_one_head": time**2,
                "weights_by_width": time**2 * d_model,
                "weights_of_one_query": heads * time,
            },
        )


@exercise(
    chapter=10,
    errors={"matrix_not_turned": r"cannot be multiplied \((?P<left>4x2) and (?P<right>6x2)\)"},
)
def head_parts(attempt: Attempt) -> None:
    """What each head adds to the output: the parts add up to it."""
    draw = torch.Generator().manual_seed(10)
    for heads, time, d_head in ((3, 4, 2), (1, 3, 5), (2, 5, 3)):
        d_model = heads * d_head
        answers = torch.randn(heads, time, d_head, generator=draw)
        weight = torch.randn(d_model, d_model, generator=draw)
        columns = weight.unflatten(1, (heads, d_head))  # (out, heads, d_head)
        right = torch.einsum("htd,ohd->hto", answers, columns)
        rows = weight.unflatten(0, (heads, d_head))  # (heads, d_head, in)
        joined = answers.transpose(0, 1).flatten(1)
        recognise(
            attempt.tensor(answers, weight, shape=(heads, time, d_model)),
            right,
            {
                "rows": answers @ rows,
                "whole_for_each": (joined @ weight.T).expand(heads, -1, -1),
                "shared_out": (joined @ weight.T).expand(heads, -1, -1) / heads,
                "same_slice": answers @ weight[:, :d_head].T,
                "woven": torch.einsum(
                    "htd,odh->hto", answers, weight.unflatten(1, (d_head, heads))
                ),
            },
        )
        attempt.differentiable(answers, weight)


@exercise(chapter=10)
def multi_head(attempt: Attempt) -> None:
    """Multi-head self-attention of one sentence, whole."""
    draw = torch.Generator().manual_seed(10)
    for time, heads, d_head in ((5, 3, 4), (4, 1, 3), (6, 2, 2)):
        d_model = heads * d_head
        x = torch.randn(time, d_model, generator=draw)
        matrices = [torch.randn(d_model, d_model, generator=draw) / 2 for _ in range(4)]
        query, key, value = (x @ matrix for matrix in matrices[:3])
        out = matrices[3]
        mixed = _mix(query, key, value, heads)  # (heads, T, d_head)
        joined = mixed.transpose(0, 1).flatten(1)
        recognise(
            attempt.tensor(x, *matrices, heads, shape=(time, d_model)),
            joined @ out,
            {
                "no_output": joined,
                "one_head": _mix(query, key, value, 1)[0] @ out,
                "scaled_by_model": _join(_mix(query, key, value, heads, d_model**-0.5)) @ out,
                "no_scale": _join(_mix(query, key, value, heads, 1.0)) @ out,
                "not_joined": mixed.reshape(time, d_model) @ out,
                "reshaped": _join(_mix(query, key, value, heads, cut=_reshape)) @ out,
                "woven": _join(_mix(query, key, value, heads, cut=_weave)) @ out,
                "matrix_turned": joined @ out.T,
                "mean_of_weights": _mean_of_weights(query, key, value, heads) @ out,
            },
        )
    _check_gradient(attempt)


def _check_gradient(attempt: Attempt) -> None:
    draw = torch.Generator().manual_seed(11)
    x = torch.randn(4, 6, generator=draw).requires_grad_()
    answer = attempt.call(x, *(torch.randn(6, 6, generator=draw) for _ in range(4)), 2)
    if not isinstance(answer, Tensor) or not answer.requires_grad:
        raise Hint("not_differentiable")


def _mix(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    heads: int,
    scale: float | None = None,
    cut: Callable[[Tensor, int], Tensor] = _split,
) -> Tensor:
    """Answers of all heads ``(heads, T, d_head)``."""
    query, key, value = (cut(x, heads) for x in (query, key, value))
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    return torch.softmax(query @ key.transpose(-2, -1) * scale, -1) @ value


def _reshape(x: Tensor, heads: int) -> Tensor:
    return x.reshape(heads, len(x), -1)


def _weave(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (-1, heads)).permute(2, 0, 1)


def _join(mixed: Tensor) -> Tensor:
    return mixed.transpose(0, 1).flatten(1)


def _mean_of_weights(query: Tensor, key: Tensor, value: Tensor, heads: int) -> Tensor:
    """One set of weights for all heads: the mean of theirs."""
    query, key = _split(query, heads), _split(key, heads)
    scores = query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5
    return torch.softmax(scores, -1).mean(0) @ value
