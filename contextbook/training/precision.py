"""Half precision: the same training in 16 bits, where a GPU is faster for it.

Only the model's forward pass, and the backward pass that belongs to it, are computed in 16 bits.
Weights, their gradients, the loss and the optimizer stay in 32 (Micikevicius et al., 2018, *Mixed
precision training*)::

    with mixed_precision(model):
        train(model, loss, steps)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.func import functional_call

SCALE = 1024.0
"""Factor of the gradients in float16, whose smallest numbers would otherwise become 0."""


def half_precision(device: torch.device | str) -> torch.dtype | None:
    """Ask a device in which 16-bit numbers it is fast.

    Returns:
        ``torch.bfloat16`` for an NVIDIA GPU of compute capability 8 or more (Ampere, 2020, and
        later), ``torch.float16`` for one of 7 (Volta and Turing, such as Colab's T4), ``None`` for
        older ones, a CPU and Apple's MPS: train those in float32.
    """
    device = torch.device(device)
    if device.type != "cuda":
        return None
    # not torch.cuda.is_bf16_supported(): it says yes to a T4, which only emulates bfloat16, slowly
    capability, _ = torch.cuda.get_device_capability(device)
    if capability >= 8:
        return torch.bfloat16
    return torch.float16 if capability == 7 else None


@contextmanager
def mixed_precision(
    model: nn.Module, dtype: torch.dtype | Literal["ask"] | None = "ask", scale: float = SCALE
) -> Iterator[torch.dtype | None]:
    """Let ``model(…)`` compute in half precision inside a ``with``; afterwards it is as before.

    What it returns is float32 again, so that a loss loses nothing more. float16 reaches down to
    6e-8 only: gradients are multiplied by ``scale`` where they enter ``model(…)`` on their way
    back, and divided by it where they leave it, at a weight or at an input. (bfloat16 has float32's
    range and needs no scale.) What goes in and out by another way, such as a tensor that the model
    keeps for a later loss, gets the wrong gradient in float16.

    Args:
        model: stands on its device; its weights are float32. Only ``model(…)`` is affected, not
            its other methods. It returns tensors, or tuples, lists and dicts of these.
        dtype: ``"ask"`` asks the device by :func:`half_precision`; ``None`` changes nothing.
        scale: of the gradients in float16. Should training stop because of a gradient that is
            infinite, take a smaller one.

    Yields:
        The dtype of the forward pass, ``None`` when nothing is changed.

    Raises:
        ValueError: a dtype of another kind, a scale that is not positive, weights that are not
            float32, or a model that is in such a ``with`` already; later, the model returns
            something else, or a training stops at a gradient too large for float16.
    """
    first = next(model.parameters())
    dtype = half_precision(first.device) if dtype == "ask" else dtype
    if dtype is None:
        yield None
        return
    _check(model, dtype, scale)
    scale = scale if dtype == torch.float16 else 1.0
    whole = _Whole(model)

    def forward(*inputs: Any, **options: Any) -> Any:
        with torch.autocast(first.device.type, dtype=dtype):
            if scale == 1:
                output = whole(*inputs, **options)
            else:
                output = _with_less_gradient(whole, scale, inputs, options)
        return _mapped(output, partial(_in_full, scale=scale), strict=True)

    model.forward = forward
    try:
        yield dtype
    except ValueError as error:
        if scale != 1 and not _are_finite(model):
            raise ValueError(
                f"{error}. But in float16 the gradients were multiplied by {scale:g}, which may be "
                f"what made them too large: first try a smaller scale, such as {scale / 16:g}, or "
                "train in float32"
            ) from error
        raise
    finally:
        del model.forward  # the class's own comes into view again


class _Whole(nn.Module):
    """A model by its own forward pass, whatever is put over that later."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model, self.whole = model, model.forward

    def forward(self, *inputs: Any, **options: Any) -> Any:
        return self.whole(*inputs, **options)


class _Scaled(torch.autograd.Function):
    """The same numbers; their gradient times ``scale``."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: float) -> Tensor:
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.scale, None


def _with_less_gradient(
    whole: _Whole, scale: float, inputs: tuple[Any, ...], options: dict[str, Any]
) -> Any:
    """Call a model with weights and inputs that divide the gradients which come to them."""

    def enter(x: Tensor) -> Tensor:
        return _Scaled.apply(x, 1 / scale) if x.requires_grad else x

    # the weights for this call alone: elsewhere, as in a penalty, their gradients stay as they are
    weights = {name: enter(weight) for name, weight in whole.named_parameters()}
    return functional_call(whole, weights, _mapped(inputs, enter), _mapped(options, enter))


def _in_full(x: Tensor, scale: float) -> Tensor:
    """An output in float32, and the scale set on its way back."""
    full = x.float() if x.is_floating_point() else x
    return _Scaled.apply(full, scale) if scale != 1 and full.requires_grad else full


def _mapped(value: Any, change: Callable[[Tensor], Tensor], *, strict: bool = False) -> Any:
    """The tensors in a value changed, each in its place.

    Raises:
        ValueError: ``strict``, and the value may hide tensors.
    """
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, tuple | list):
        parts = [_mapped(part, change, strict=strict) for part in value]
        # a named tuple takes its parts one by one
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if type(value) is dict:
        return {key: _mapped(part, change, strict=strict) for key, part in value.items()}
    if strict and not isinstance(value, bool | int | float | str | None):
        raise ValueError(
            f"in mixed precision a model must return tensors, or tuples, lists and dicts of these, "
            f"got {type(value).__name__}: return a tuple, or train it in float32"
        )
    return value


def _are_finite(model: nn.Module) -> bool:
    """Whether the gradients of all weights are."""
    found = [weight.grad for weight in model.parameters() if weight.grad is not None]
    return all(bool(gradient.isfinite().all()) for gradient in found)


def _check(model: nn.Module, dtype: torch.dtype | str, scale: float) -> None:
    if dtype not in (torch.bfloat16, torch.float16):
        raise ValueError(f"dtype must be torch.bfloat16, torch.float16, 'ask' or None, got {dtype}")
    if not scale > 0:
        raise ValueError(f"scale must be more than 0, got {scale}")
    others = {weight.dtype for weight in model.parameters()} - {torch.float32}
    if others:
        raise ValueError(
            f"the weights must be float32, some are {', '.join(map(str, others))}: call "
            "model.float() first; the 16 bits are for computing only"
        )
    if "forward" in vars(model):
        raise ValueError("the model is in mixed precision already: leave out the inner `with`")
