"""The referee of chapter 12: a causal convolution, perhaps edited, against PyTorch's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.exercises.framework import Attempt, judge, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict

__all__ = ["check_causal_conv"]

BOUND = 1e-10  # of the difference, in double precision


class _Case(NamedTuple):
    """Sizes of one comparison."""

    batch: int
    time: int
    d_model: int
    kernel: int
    dilation: int


_CASES = [
    _Case(2, 7, 3, 3, 1),
    _Case(1, 9, 4, 2, 3),
    _Case(3, 5, 1, 1, 1),
    _Case(2, 2, 3, 4, 2),  # most of what it mixes lies before the first token
    _Case(2, 20, 5, 3, 4),
]


def check_causal_conv(convolution_class: Callable[..., Any]) -> Verdict:
    """Compare a causal convolution with a left-padded ``nn.Conv1d`` that has the same weights.

    Values and gradients, in double precision, over several kernels, dilations and lengths.

    Args:
        convolution_class: made and called as :class:`contextbook.convolution.CausalConv` is.

    Returns:
        A verdict to be displayed; it never raises for what the class does.
    """

    def tests(attempt: Attempt) -> None:
        for seed, case in enumerate(_CASES):
            _compare(attempt, case, seed)
        raise Hint(PASSED, cases=len(_CASES), bound=f"{BOUND:.0e}")

    return judge("causal_conv_referee", Attempt(convolution_class), tests)


def _compare(attempt: Attempt, case: _Case, seed: int) -> None:
    draw = torch.Generator().manual_seed(seed)
    ours = attempt.call(case.d_model, case.kernel, case.dilation)
    twin = _twin(ours, case, draw)
    shape = case.batch, case.time, case.d_model
    x = torch.randn(shape, generator=draw, dtype=torch.float64).requires_grad_()
    answer = Attempt(ours).call(x)
    if not isinstance(answer, Tensor):
        raise Hint("not_a_tensor", type=type(answer).__name__)
    if answer.shape != shape:
        raise Hint("shape", got=tuple(answer.shape), expected=shape)
    reach = (case.kernel - 1) * case.dilation
    expected = twin(F.pad(x.transpose(1, 2), (reach, 0))).transpose(1, 2)
    mistakes = _mistakes(ours.weight.detach(), ours.bias.detach(), x.detach(), case)
    recognise(answer.detach(), expected.detach(), mistakes, relative=0.0, absolute=BOUND)
    _compare_gradients(answer, expected, x)


def _twin(ours: Any, case: _Case, draw: torch.Generator) -> nn.Conv1d:
    """PyTorch's convolution with our weights, once these are random numbers."""
    if not isinstance(ours, nn.Module):
        raise Hint("no_module", type=type(ours).__name__)
    ours.double()
    wanted = {
        "weight": (case.kernel, case.d_model, case.d_model),
        "bias": (case.d_model,),
    }
    found = {name: tuple(parameter.shape) for name, parameter in ours.named_parameters()}
    if found != wanted:
        raise Hint("weights", got=found, expected=wanted)
    for parameter in ours.parameters():
        nn.init.normal_(parameter, 0.0, 0.5, generator=draw)
    twin = nn.Conv1d(
        case.d_model, case.d_model, case.kernel, dilation=case.dilation, dtype=torch.float64
    )
    weights = ours.state_dict()
    # Conv1d's last weight meets the token itself, as a filter is usually drawn: earliest first
    turned = weights["weight"].flip(0).permute(1, 2, 0)
    twin.load_state_dict({"weight": turned, "bias": weights["bias"]})
    return twin


def _mistakes(weight: Tensor, bias: Tensor, x: Tensor, case: _Case) -> Iterator[tuple[str, Tensor]]:
    """What typical edits of the definition give."""

    def mix(weight: Tensor, dilation: int = case.dilation, first: int = 0) -> Tensor:
        total = torch.zeros_like(x)
        for back, matrix in enumerate(weight, first):
            shift = back * dilation
            moved = F.pad(x, (0, 0, shift, 0))[:, : case.time]
            if shift < 0:
                moved = F.pad(x[:, -shift:], (0, 0, 0, min(-shift, case.time)))
            total = total + moved @ matrix.T
        return total

    yield "no_bias", mix(weight)
    yield "bias_each_time", mix(weight) + len(weight) * bias
    yield "dilation_ignored", mix(weight, 1) + bias
    yield "looks_ahead", mix(weight, -case.dilation) + bias
    yield "centred", mix(weight, case.dilation, first=-(len(weight) // 2)) + bias
    yield "itself_left_out", mix(weight, case.dilation, first=1) + bias
    yield "turned", mix(weight.flip(0)) + bias
    yield "transposed", mix(weight.transpose(1, 2)) + bias
    rolled = [x.roll(back * case.dilation, 1) @ matrix.T for back, matrix in enumerate(weight)]
    yield "wraps_around", torch.stack(rolled).sum(0) + bias


def _compare_gradients(answer: Tensor, expected: Tensor, x: Tensor) -> None:
    weighting = torch.linspace(-1, 1, expected.numel(), dtype=torch.float64).view_as(expected)
    (right,) = torch.autograd.grad((expected * weighting).sum(), x)
    if not answer.requires_grad:
        raise Hint("gradient")
    (found,) = torch.autograd.grad((answer * weighting).sum(), x, allow_unused=True)
    if found is None or not torch.allclose(found, right, 0.0, BOUND):
        raise Hint("gradient")
