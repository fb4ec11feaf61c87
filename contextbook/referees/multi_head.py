"""The referee of chapter 10: multi-head attention, perhaps edited, against PyTorch's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.exercises.framework import Attempt, judge, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict

__all__ = ["check_multi_head_attention"]

BOUND = 1e-10  # of the difference, in double precision
_PARTS = ("query", "key", "value", "output")


@dataclass(frozen=True)
class _Case:
    """Sizes of one comparison, and which masks it has."""

    batch: int
    queries: int
    keys: int | None  # None: self-attention
    d_model: int
    heads: int
    mask: bool = False
    key_mask: bool = False


_CASES = [
    _Case(2, 5, None, 12, 3),
    _Case(1, 1, None, 4, 4),
    _Case(3, 4, None, 7, 1),
    _Case(2, 3, 7, 10, 2),
    _Case(2, 5, None, 12, 3, mask=True),
    _Case(2, 3, 7, 10, 5, key_mask=True),
    _Case(3, 6, None, 8, 2, mask=True, key_mask=True),
]


def check_multi_head_attention(attention_class: Callable[..., Any]) -> Verdict:
    """Compare multi-head attention with ``nn.MultiheadAttention`` that has the same weights.

    Values, every head's weights and gradients, in double precision: self- and cross-attention,
    masks, odd sizes, and both ways that the definition can take, with its weights and without.

    Args:
        attention_class: made and called as :class:`contextbook.attention.MultiHeadAttention` is.

    Returns:
        A verdict to be displayed; it never raises for what the class does.
    """

    def tests(attempt: Attempt) -> None:
        for seed, case in enumerate(_CASES):
            _compare(attempt, case, seed)
        raise Hint(PASSED, cases=len(_CASES), bound=f"{BOUND:.0e}")

    return judge("multi_head_referee", Attempt(attention_class), tests)


def _compare(attempt: Attempt, case: _Case, seed: int) -> None:
    draw = torch.Generator().manual_seed(seed)
    ours = attempt.call(case.d_model, case.heads)
    twin = _twin(ours, case, draw)
    asking = _vectors(draw, case.batch, case.queries, case.d_model)
    asked = asking if case.keys is None else _vectors(draw, case.batch, case.keys, case.d_model)
    mask, key_mask = _masks(case, draw)
    # only what a case is about is handed over, as a caller would do it
    options: dict[str, Any] = {} if case.keys is None else {"key": asked}
    options |= {} if mask is None else {"mask": mask}
    options |= {} if key_mask is None else {"key_mask": key_mask}
    quick, _ = _answer(Attempt(ours).call(asking, **options))
    slow, weights = _answer(Attempt(ours).call(asking, **options, need_weights=True))
    expected, their_weights = twin(
        asking,
        asked,
        asked,
        attn_mask=None if mask is None else ~mask,
        key_padding_mask=None if key_mask is None else ~key_mask,
        average_attn_weights=False,
    )
    joined = _joined(mask, key_mask)
    for output in (quick, slow):
        if output.shape != expected.shape:
            raise Hint("shape", got=tuple(output.shape), expected=tuple(expected.shape))
        mistakes = _mistakes(ours, case, asking.detach(), asked.detach(), mask, joined)
        recognise(output.detach(), expected.detach(), mistakes, relative=0.0, absolute=BOUND)
    if not isinstance(weights, Tensor):
        raise Hint("no_weights", type=type(weights).__name__)
    if weights.shape != their_weights.shape:
        raise Hint("weights_shape", got=tuple(weights.shape), expected=tuple(their_weights.shape))
    if not torch.allclose(weights, their_weights, 0.0, BOUND):
        raise Hint("weights_differ")
    inputs = [asking] if case.keys is None else [asking, asked]
    for output in (quick, slow):
        _compare_gradients(output, expected, inputs)


def _twin(ours: Any, case: _Case, draw: torch.Generator) -> nn.MultiheadAttention:
    """PyTorch's attention with our weights, once these are random numbers."""
    if not isinstance(ours, nn.Module):
        raise Hint("no_module", type=type(ours).__name__)
    ours.double()
    for parameter in ours.parameters():
        nn.init.normal_(parameter, 0.0, 0.5, generator=draw)
    for name in _PARTS:
        part = getattr(ours, name, None)
        got = tuple(part.weight.shape) if isinstance(part, nn.Linear) else None
        if got != (case.d_model, case.d_model):
            raise Hint("parts", name=name, got=got, expected=(case.d_model, case.d_model))
    twin = nn.MultiheadAttention(case.d_model, case.heads, batch_first=True, dtype=torch.float64)
    weights = ours.state_dict()
    for kind in ("weight", "bias"):
        parts = [weights[f"{name}.{kind}"] for name in _PARTS]
        twin.load_state_dict(
            {f"in_proj_{kind}": torch.cat(parts[:3]), f"out_proj.{kind}": parts[3]}, strict=False
        )
    return twin


def _answer(answer: Any) -> tuple[Tensor, Any]:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Hint("not_a_pair", type=type(answer).__name__)
    if not isinstance(answer[0], Tensor):
        raise Hint("not_a_tensor", type=type(answer[0]).__name__)
    return answer[0], answer[1]


def _masks(case: _Case, draw: torch.Generator) -> tuple[Tensor | None, Tensor | None]:
    """Masks in which every query sees the first key and does not see the last."""
    keys = case.queries if case.keys is None else case.keys

    def random_mask(rows: int) -> Tensor:
        mask = torch.rand(rows, keys, generator=draw) < 0.6
        mask[:, 0] = True
        mask[:, -1] = False
        return mask

    mask = random_mask(case.queries) if case.mask else None
    key_mask = random_mask(case.batch) if case.key_mask else None
    return mask, key_mask


def _joined(mask: Tensor | None, key_mask: Tensor | None) -> Tensor | None:
    if key_mask is None:
        return mask
    over_keys = key_mask[:, None, None]  # (B, 1, 1, T_k)
    return over_keys if mask is None else mask & over_keys


def _mistakes(
    ours: Any,
    case: _Case,
    asking: Tensor,
    asked: Tensor,
    mask: Tensor | None,
    joined: Tensor | None,
) -> Iterator[tuple[str, Tensor]]:
    """What typical edits of the definition give."""
    heads, d_head = case.heads, case.d_model // case.heads
    query, key, value = ours.query(asking), ours.key(asked), ours.value(asked)

    def split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (heads, d_head)).transpose(1, 2)

    def reshaped(x: Tensor) -> Tensor:
        return x.reshape(len(x), heads, -1, d_head)

    def woven(x: Tensor) -> Tensor:
        return x.unflatten(-1, (d_head, heads)).permute(0, 3, 1, 2)

    def mix(
        cut: Callable[[Tensor], Tensor] = split,
        scale: float = d_head**-0.5,
        mask: Tensor | None = joined,
        value: Tensor = value,
    ) -> Tensor:
        scores = cut(query) @ cut(key).transpose(-2, -1) * scale
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return torch.softmax(scores, -1) @ cut(value)  # (B, heads, T_q, d_head)

    def join(mixed: Tensor) -> Tensor:
        return mixed.transpose(1, 2).flatten(2)

    with torch.no_grad():
        yield "no_output", join(mix())
        yield "scaled_by_model", ours.output(join(mix(scale=case.d_model**-0.5)))
        yield "no_scale", ours.output(join(mix(scale=1.0)))
        yield "not_transposed", ours.output(mix().reshape(case.batch, -1, case.d_model))
        yield "split_without_transpose", ours.output(join(mix(reshaped)))
        yield "woven", ours.output(join(mix(woven)))
        if joined is not None:
            kind = "key_mask_ignored" if case.key_mask else "mask_ignored"
            yield kind, ours.output(join(mix(mask=mask if case.key_mask else None)))
            yield "mask_ignored", ours.output(join(mix(mask=None)))
            yield "mask_inverted", ours.output(join(mix(mask=~joined)))
        yield "one_head", ours.output(_one_head(query, key, value, joined))
        yield "key_as_value", ours.output(join(mix(value=key)))


def _one_head(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    return nn.functional.scaled_dot_product_attention(
        query[:, None], key[:, None], value[:, None], mask
    )[:, 0]


def _compare_gradients(output: Tensor, expected: Tensor, inputs: list[Tensor]) -> None:
    weighting = torch.linspace(-1, 1, expected.numel(), dtype=torch.float64).view_as(expected)
    right = torch.autograd.grad((expected * weighting).sum(), inputs, retain_graph=True)
    if not output.requires_grad:
        raise Hint("gradient")
    found = torch.autograd.grad(
        (output * weighting).sum(), inputs, allow_unused=True, retain_graph=True
    )
    for our, their in zip(found, right, strict=True):
        if our is None or not torch.allclose(our, their, 0.0, 1e-9):
            raise Hint("gradient")


def _vectors(draw: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=draw, dtype=torch.float64).requires_grad_()
