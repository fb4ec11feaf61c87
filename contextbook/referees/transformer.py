"""The referees of chapter 11: parts of a Transformer, perhaps edited, against PyTorch's own."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.attention import causal_mask
from contextbook.exercises.framework import Attempt, judge, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict
from contextbook.transformer import Design
from contextbook.transformer.parity import copy_to_torch

__all__ = [
    "check_decoder_layer",
    "check_encoder_layer",
    "check_layer_norm",
    "check_positions",
    "check_transformer",
]

BOUND = 1e-10  # of the difference, in double precision
# batch, T_y, T_x, d_model, heads, d_ff, pre-norm
_CASES = [(2, 5, 7, 12, 3, 20, True), (3, 4, 2, 8, 1, 5, False), (1, 6, 6, 4, 4, 9, True)]


def check_positions(positions: Callable[..., Any]) -> Verdict:
    """Compare a table of positions with the formula, number by number.

    Args:
        positions: called ``positions(length, d_model)``.
    """

    def tests(attempt: Attempt) -> None:
        for length, d_model in ((7, 6), (50, 16), (3, 2)):
            answer = attempt.tensor(length, d_model, shape=(length, d_model)).double()
            recognise(
                answer,
                _waves(length, d_model),
                {
                    "sine_only": _waves(length, d_model, cosine=math.sin),
                    "swapped": _waves(length, d_model, sine=math.cos, cosine=math.sin),
                    "half_exponent": _waves(length, d_model, exponent=0.5),
                    "exponent_of_each": _waves(length, d_model, pairs=False),
                    "from_one": _waves(length, d_model, first=1),
                },
                relative=0.0,
                absolute=1e-4,
            )
        raise Hint(PASSED)

    return judge("positions_referee", Attempt(positions), tests)


def _waves(
    length: int,
    d_model: int,
    *,
    sine: Callable[[float], float] = math.sin,
    cosine: Callable[[float], float] = math.cos,
    exponent: float = 1.0,
    pairs: bool = True,
    first: int = 0,
) -> Tensor:
    def number(p: int, i: int) -> float:
        even = i - i % 2 if pairs else i
        angle = (p + first) / 10_000 ** (exponent * even / d_model)
        return cosine(angle) if i % 2 else sine(angle)

    rows = [[number(p, i) for i in range(d_model)] for p in range(length)]
    return torch.tensor(rows, dtype=torch.float64)


def check_layer_norm(norm_class: Callable[..., Any]) -> Verdict:
    """Compare a layer norm with ``nn.LayerNorm``: values and gradients, widths 4, 7 and 64.

    Args:
        norm_class: made as :class:`contextbook.transformer.LayerNorm` is.
    """

    def tests(attempt: Attempt) -> None:
        for seed, width in enumerate((4, 7, 64)):
            draw = torch.Generator().manual_seed(seed)
            ours, theirs = attempt.call(width), nn.LayerNorm(width, dtype=torch.float64)
            _check_module(ours)
            ours.double()
            for parameter in theirs.parameters():
                nn.init.normal_(parameter, 1.0, 0.5, generator=draw)
            _load(ours, theirs.state_dict())
            x = 3 * torch.randn(2, 5, width, generator=draw, dtype=torch.float64) + 2
            x.requires_grad_()
            expected, answer = theirs(x), Attempt(ours).call(x)
            _check_shape(answer, expected)
            mistakes = _norm_mistakes(x.detach(), theirs)
            recognise(answer.detach(), expected.detach(), mistakes, relative=0.0, absolute=BOUND)
            _compare_gradients(answer, expected, [x])
        raise Hint(PASSED, bound=f"{BOUND:.0e}")

    return judge("layer_norm_referee", Attempt(norm_class), tests)


def _norm_mistakes(x: Tensor, theirs: nn.LayerNorm) -> Iterator[tuple[str, Tensor]]:
    weight, bias = theirs.weight.detach(), theirs.bias.detach()
    centred = x - x.mean(-1, keepdim=True)
    variance = x.var(-1, keepdim=True, correction=0)

    def with_deviation(deviation: Tensor) -> Tensor:
        return weight * centred / deviation + bias

    right = (variance + theirs.eps).sqrt()
    yield "n_minus_one", with_deviation((x.var(-1, keepdim=True) + theirs.eps).sqrt())
    yield "n_minus_one", with_deviation(x.std(-1, keepdim=True) + theirs.eps)
    yield "eps_outside", with_deviation(variance.sqrt() + theirs.eps)
    yield "not_rooted", with_deviation(variance + theirs.eps)
    yield "not_centred", weight * x / right + bias
    yield "not_divided", weight * centred + bias
    yield "no_weight", centred / right + bias
    yield "no_bias", weight * centred / right
    across = x - x.mean(1, keepdim=True)
    over_time = x.var(1, keepdim=True, correction=0)
    yield "over_tokens", weight * across / (over_time + theirs.eps).sqrt() + bias


def check_encoder_layer(layer_class: Callable[..., Any]) -> Verdict:
    """Compare an encoder layer with ``nn.TransformerEncoderLayer`` that has the same weights.

    Values, gradients and padding, pre-norm and post-norm.

    Args:
        layer_class: made and called as :class:`contextbook.transformer.EncoderLayer` is.
    """

    def tests(attempt: Attempt) -> None:
        for seed, case in enumerate(_CASES):
            _, steps, ours, draw = _made(attempt, case, seed)
            x = _vectors(draw, case[0], steps, case[3])
            real = _real(case[0], steps)
            answer = _first(Attempt(ours).call(x, key_mask=real))

            def run(layer: Any, x: Tensor = x, real: Tensor = real) -> Tensor:
                return layer(x, src_key_padding_mask=~real)

            _compare_layer(ours, answer, [x], run)
        raise Hint(PASSED, cases=len(_CASES), bound=f"{BOUND:.0e}")

    return judge("layer_referee", Attempt(layer_class), tests)


def check_decoder_layer(layer_class: Callable[..., Any]) -> Verdict:
    """Compare a decoder layer with ``nn.TransformerDecoderLayer``, as the encoder's is compared.

    Args:
        layer_class: made and called as :class:`contextbook.transformer.DecoderLayer` is.
    """

    def tests(attempt: Attempt) -> None:
        for seed, case in enumerate(_CASES):
            batch, steps, ours, draw = _made(attempt, case, seed)
            x = _vectors(draw, batch, steps, case[3])
            memory = _vectors(draw, batch, case[2], case[3])
            past, real = causal_mask(steps), _real(batch, case[2])
            answer = _first(Attempt(ours).call(x, memory, past, key_mask=real))

            def run(
                layer: Any, inputs: Any = (x, memory), masks: tuple[Tensor, Tensor] = (~past, ~real)
            ) -> Tensor:
                return layer(*inputs, tgt_mask=masks[0], memory_key_padding_mask=masks[1])

            _compare_layer(ours, answer, [x, memory], run)
        raise Hint(PASSED, cases=len(_CASES), bound=f"{BOUND:.0e}")

    return judge("layer_referee", Attempt(layer_class), tests)


def check_transformer(model_class: Callable[..., Any]) -> Verdict:
    """Compare a whole model with ``nn.Transformer``; the future must not leak, nor padding.

    Args:
        model_class: made and called as :class:`contextbook.transformer.Transformer` is.
    """

    def tests(attempt: Attempt) -> None:
        for seed, (batch, steps, sources, d_model, heads, d_ff, first) in enumerate(_CASES):
            torch.manual_seed(seed)
            sizes = {"d_model": d_model, "heads": heads, "d_ff": d_ff, "norm_first": first}
            ours = attempt.call(11, 13, layers=2, **sizes).double()
            draw = torch.Generator().manual_seed(seed)
            source = torch.randint(3, 11, (batch, sources), generator=draw)
            target = torch.randint(3, 13, (batch, steps), generator=draw)
            lengths = _real(batch, sources).sum(-1)
            answer = _first(Attempt(ours).call(source, lengths, target))
            padding, past = ~_real(batch, sources), causal_mask(steps)
            twin = copy_to_torch(ours)
            features = twin(
                ours.source_embedding(source),
                ours.target_embedding(target),
                tgt_mask=~past,
                src_key_padding_mask=padding,
                memory_key_padding_mask=padding,
            )
            expected = ours.to_logits(features)
            _check_shape(answer, expected)
            later = target.clone()
            later[:, -1] = (target[:, -1] - 2) % 10 + 3
            changed = _first(ours(source, lengths, later))
            if not torch.allclose(changed[:, :-1], answer[:, :-1], 0.0, BOUND):
                raise Hint("future")
            filled = source.masked_fill(padding, 5)
            if not torch.allclose(_first(ours(filled, lengths, target)), answer, 0.0, BOUND):
                raise Hint("padding")
            recognise(answer.detach(), expected.detach(), {}, relative=0.0, absolute=BOUND)
        raise Hint(PASSED, cases=len(_CASES), bound=f"{BOUND:.0e}")

    return judge("transformer_referee", Attempt(model_class), tests)


def _made(attempt: Attempt, case: tuple[Any, ...], seed: int) -> tuple[int, int, Any, Any]:
    batch, steps, _, d_model, heads, d_ff, norm_first = case
    torch.manual_seed(seed)
    design = Design(d_model=d_model, heads=heads, d_ff=d_ff, norm_first=norm_first)
    ours = attempt.call(design)
    _check_module(ours)
    draw = torch.Generator().manual_seed(seed)
    for parameter in ours.double().parameters():
        nn.init.normal_(parameter, 0.0, 0.5, generator=draw)
    return batch, steps, ours, draw


def _compare_layer(
    ours: Any, answer: Any, inputs: list[Tensor], run: Callable[[Any], Tensor]
) -> None:
    try:
        twin = copy_to_torch(ours)
    except (AttributeError, ValueError, RuntimeError) as error:
        raise Hint("parts", message=str(error)) from None
    expected = run(twin)
    _check_shape(answer, expected)
    recognise(
        answer.detach(),
        expected.detach(),
        ((kind, run(edited).detach()) for kind, edited in _edited(twin)),
        relative=0.0,
        absolute=BOUND,
    )
    _compare_gradients(answer, expected, inputs)


def _edited(twin: Any) -> Iterator[tuple[str, Any]]:
    """PyTorch's layer with a typical mistake."""
    other = copy.deepcopy(twin)
    other.norm_first = not twin.norm_first
    yield "norm_order", other
    attentions = (
        ("self_attn", "multihead_attn") if hasattr(twin, "multihead_attn") else ("self_attn",)
    )
    for name in attentions:
        silent = copy.deepcopy(twin)
        for parameter in getattr(silent, name).out_proj.parameters():
            nn.init.zeros_(parameter)
        yield f"no_{name}", silent
    silent = copy.deepcopy(twin)
    for parameter in silent.linear2.parameters():
        nn.init.zeros_(parameter)
    yield "no_feed_forward", silent


def _compare_gradients(answer: Tensor, expected: Tensor, inputs: list[Tensor]) -> None:
    weighting = torch.linspace(-1, 1, expected.numel(), dtype=torch.float64).view_as(expected)
    right = torch.autograd.grad((expected * weighting).sum(), inputs)
    if not answer.requires_grad:
        raise Hint("gradient")
    found = torch.autograd.grad((answer * weighting).sum(), inputs, allow_unused=True)
    for our, their in zip(found, right, strict=True):
        if our is None or not torch.allclose(our, their, 0.0, 1e-9):
            raise Hint("gradient")


def _vectors(draw: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=draw, dtype=torch.float64).requires_grad_()


def _real(batch: int, steps: int) -> Tensor:
    """Lengths that differ, one of them full."""
    lengths = steps - torch.arange(batch) % steps
    return torch.arange(steps) < lengths[:, None]


def _first(answer: Any) -> Any:
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Hint("not_a_pair", type=type(answer).__name__)
    return answer[0]


def _check_module(module: Any) -> None:
    if not isinstance(module, nn.Module):
        raise Hint("no_module", type=type(module).__name__)


def _check_shape(answer: Any, expected: Tensor) -> None:
    if not isinstance(answer, Tensor):
        raise Hint("not_a_tensor", type=type(answer).__name__)
    if answer.shape != expected.shape:
        raise Hint("shape", got=tuple(answer.shape), expected=tuple(expected.shape))


def _load(ours: nn.Module, weights: dict[str, Tensor]) -> None:
    shapes = {name: tuple(weight.shape) for name, weight in ours.named_parameters()}
    if shapes != {name: tuple(weight.shape) for name, weight in weights.items()}:
        raise Hint("weights", got=shapes)
    ours.load_state_dict(weights)
