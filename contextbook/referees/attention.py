"""Referees: does a definition, perhaps edited by the reader, do what PyTorch's own does?

A chapter calls one below each definition that it quotes. The verdict is shown like that of an
exercise: on how many inputs both agreed and how closely, or a hint at what is different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from contextbook.exercises.framework import Attempt, judge, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict

__all__ = ["check_scaled_dot_product_attention"]

BOUND = 1e-10  # of the difference, in double precision
_SEEDS = 2


@dataclass(frozen=True)
class _Case:
    """Shapes of one comparison: leading axes, positions, widths, and the forms of the masks."""

    leading: tuple[int, ...]
    queries: int
    keys: int
    d_k: int
    d_v: int
    mask: tuple[int, ...] | None = None
    key_mask: tuple[int, ...] | None = None
    scale: float | None = None


# the sizes of the first case differ, so that an error of its shapes tells what was multiplied
_CASES = [
    _Case((), 3, 4, 5, 2),
    _Case((), 1, 5, 3, 4),
    _Case((2,), 3, 4, 9, 2),
    _Case((2, 3), 4, 4, 3, 5),
    _Case((2,), 3, 4, 9, 2, scale=0.8),
    _Case((), 3, 4, 3, 3, mask=(3, 4)),
    _Case((2,), 3, 4, 3, 5, mask=(3, 4)),
    _Case((2,), 3, 4, 3, 5, mask=(2, 3, 4)),
    _Case((2, 3), 3, 4, 3, 3, mask=(3, 4)),
    _Case((2, 3), 3, 4, 3, 3, mask=(2, 1, 3, 4)),
    _Case((2, 3), 1, 4, 3, 6, mask=(2, 3, 1, 4)),
    _Case((), 3, 4, 3, 3, key_mask=(4,)),
    _Case((2,), 3, 4, 3, 3, key_mask=(2, 4)),
    _Case((2, 3), 3, 4, 3, 5, key_mask=(2, 4)),
    _Case((2, 3), 4, 4, 3, 3, mask=(4, 4), key_mask=(2, 4)),
]

_ERRORS = {
    "scale_none": r"unsupported operand type\(s\) for .*'NoneType'",
    "key_not_transposed": r"cannot be multiplied \((?P<left>3x5) and (?P<right>4x5)\)",
}


def check_scaled_dot_product_attention(attention: Callable[..., Any]) -> Verdict:
    """Compare an attention with ``torch.nn.functional.scaled_dot_product_attention``.

    Values, weights and gradients, in double precision, on seeded random inputs: two to four axes,
    masks of two to four axes and over keys, a single query, ``d_v`` other than ``d_k``, a given
    scale. A query that may attend to nothing is held to the book's own rule: zeros, and finite
    gradients.

    Args:
        attention: takes what :func:`contextbook.attention.scaled_dot_product_attention` takes and
            returns ``(output, weights)``.

    Returns:
        A verdict to be displayed; it never raises for what ``attention`` does.
    """
    return judge("attention_referee", Attempt(attention, _ERRORS), _compare_all)


def _compare_all(attempt: Attempt) -> None:
    for case in _CASES:
        for seed in range(_SEEDS):
            _compare(attempt, case, seed)
    _check_masked_row(attempt)
    raise Hint(PASSED, cases=len(_CASES) * _SEEDS, bound=f"{BOUND:.0e}")


def _compare(attempt: Attempt, case: _Case, seed: int) -> None:
    draw = torch.Generator().manual_seed(seed)
    query, key, value = _inputs(case, draw)
    mask = _mask(case.mask, draw)
    key_mask = _mask(case.key_mask, draw)
    joined = _joined(case, mask, key_mask)
    output, weights = _call(attempt, case, (query, key, value), mask, key_mask)
    expected = functional.scaled_dot_product_attention(
        query, key, value, attn_mask=joined, scale=case.scale
    )
    mistakes = _mistakes(case, query, key, value, mask, joined)
    recognise(output.detach(), expected.detach(), mistakes, relative=0.0, absolute=BOUND)
    # values that name their own key are mixed into the weights
    names = torch.eye(case.keys, dtype=value.dtype).expand(*case.leading, case.keys, case.keys)
    expected_weights = functional.scaled_dot_product_attention(
        query, key, names, attn_mask=joined, scale=case.scale
    )
    if not torch.allclose(weights, expected_weights, 0.0, BOUND):
        raise Hint("weights_differ")
    _compare_gradients(output, expected, {"query": query, "key": key, "value": value})


def _compare_gradients(output: Tensor, expected: Tensor, inputs: dict[str, Tensor]) -> None:
    weighting = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
    theirs = torch.autograd.grad((expected * weighting).sum(), list(inputs.values()))
    if not output.requires_grad:
        raise Hint("gradient_differs", name="`query`")
    ours = torch.autograd.grad((output * weighting).sum(), list(inputs.values()), allow_unused=True)
    for name, our, their in zip(inputs, ours, theirs, strict=True):
        if our is None or not torch.allclose(our, their, 0.0, BOUND):
            raise Hint("gradient_differs", name=f"`{name}`")


def _call(
    attempt: Attempt,
    case: _Case,
    inputs: tuple[Tensor, Tensor, Tensor],
    mask: Tensor | None,
    key_mask: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """Output and weights of the definition, of the shapes that they must have."""
    # only what a case is about is handed over, as a caller would do it
    masks = {} if mask is None else {"mask": mask}
    masks |= {} if key_mask is None else {"key_mask": key_mask}
    scale = {} if case.scale is None else {"scale": case.scale}
    try:
        answer = attempt.call(*inputs, **masks, **scale)
    except Hint as hint:
        if case.leading and not masks and not scale and "message" in hint.values:
            # a single sentence went well before
            shape = tuple(inputs[0].shape)
            raise Hint("leading_axes", **hint.values, shape=shape).add(*hint.also) from None
        raise
    pair = isinstance(answer, tuple | list) and len(answer) == 2
    if not pair or not all(isinstance(part, Tensor) for part in answer):
        kind = type(answer).__name__
        raise Hint("not_a_pair", type=f"{kind} of {len(answer)}" if kind == "tuple" else kind)
    output, weights = answer
    for got, width, kind in ((output, case.d_v, "shape"), (weights, case.keys, "weights_shape")):
        expected = (*case.leading, case.queries, width)
        if tuple(got.shape) != expected:
            raise Hint(kind, got=tuple(got.shape), expected=expected)
    return output, weights


def _inputs(case: _Case, draw: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    def numbers(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=draw, dtype=torch.float64).requires_grad_()

    return (
        numbers(*case.leading, case.queries, case.d_k),
        numbers(*case.leading, case.keys, case.d_k),
        numbers(*case.leading, case.keys, case.d_v),
    )


def _mask(shape: tuple[int, ...] | None, draw: torch.Generator) -> Tensor | None:
    """A mask in which every query sees the first key and does not see the last."""
    if shape is None:
        return None
    mask = torch.rand(shape, generator=draw) < 0.5
    mask[..., 0] = True
    mask[..., -1] = False
    return mask


def _joined(case: _Case, mask: Tensor | None, key_mask: Tensor | None) -> Tensor | None:
    if key_mask is None:
        return mask
    axes = [1] * (len(case.leading) + 2 - key_mask.ndim)
    over_keys = key_mask.reshape(*key_mask.shape[:-1], *axes, case.keys)
    return over_keys if mask is None else mask & over_keys


def _mistakes(
    case: _Case,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    joined: Tensor | None,
) -> Iterator[tuple[str, Tensor]]:
    """What typical edits of the definition give."""
    query, key, value = query.detach(), key.detach(), value.detach()
    raw = query @ key.transpose(-2, -1)
    root = case.d_k**-0.5
    scores = raw * (root if case.scale is None else case.scale)
    lowest = torch.finfo(scores.dtype).min

    def mix(scores: Tensor, dim: int = -1) -> Tensor:
        return torch.softmax(scores, dim) @ value

    def masked(scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores.masked_fill(~mask, lowest)

    if joined is not None:
        yield "key_mask_ignored" if case.key_mask else "mask_ignored", mix(masked(scores, mask))
        yield "mask_ignored", mix(scores)
        yield "mask_after_softmax", torch.softmax(scores, -1).masked_fill(~joined, 0.0) @ value
        inverted = torch.softmax(masked(scores, ~joined), -1)
        yield "mask_inverted", inverted @ value
        yield "mask_inverted", inverted.masked_fill(~joined, 0.0) @ value
        yield "scores_set_to_zero", mix(scores.masked_fill(~joined, 0.0))
    if case.scale is not None:
        yield "scale_ignored", mix(raw * root)
        yield "scale_twice", mix(raw * root * case.scale)
    yield "no_scale", mix(masked(raw, joined))
    yield "scaled_by_d_k", mix(masked(raw / case.d_k, joined))
    yield "multiplied", mix(masked(raw * case.d_k**0.5, joined))
    yield "wrong_axis", mix(masked(scores, joined), dim=-2)
    yield "no_softmax", scores @ value


def _check_masked_row(attempt: Attempt) -> None:
    """The book's rule for a query that may attend to nothing, on which PyTorch is no referee."""
    case = _Case((2,), 3, 4, 3, 5)
    inputs = _inputs(case, torch.Generator().manual_seed(0))
    mask = torch.ones(2, 3, 4, dtype=torch.bool)
    mask[0, 1] = False
    output, weights = _call(attempt, case, inputs, mask, None)
    row = torch.cat([output[0, 1], weights[0, 1]]).detach()
    if row.isnan().any():
        raise Hint("masked_row_nan")
    if row.any():
        raise Hint("masked_row_weights")
    gradients = torch.autograd.grad(output.sum() + weights.square().sum(), inputs)
    if not all(bool(torch.isfinite(gradient).all()) for gradient in gradients):
        raise Hint("masked_row_gradient")
