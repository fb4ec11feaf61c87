"""Half precision: the same training in 16 bits, where a GPU is faster for it.

Only the model's forward pass, and the backward pass that belongs to it, are computed in 16 bits.
Weights, their gradients, the loss and the optimizer stay in 32 (Micikevicius et al., 2018, *Mixed
precision training*)::

    with mixed_precision(model):
        train(model, loss, steps)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor, nn

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
    6e-8 only: gradients are multiplied by ``scale`` on their way back through the model, and
    divided by it when they arrive at a weight. (bfloat16 has float32's range and needs no scale.)

    Args:
        model: stands on its device; its weights are float32. Only ``model(…)`` is affected, not
            its other methods.
        dtype: ``"ask"`` asks the device by :func:`half_precision`; ``None`` changes nothing.
        scale: of the gradients in float16. Should training stop because of a gradient that is
            infinite, take a smaller one.

    Yields:
        The dtype of the forward pass, ``None`` when nothing is changed.

    Raises:
        ValueError: a dtype of another kind, a scale that is not positive, weights that are not
            float32, or a model that is in such a ``with`` already.
    """
    first = next(model.parameters())
    dtype = half_precision(first.device) if dtype == "ask" else dtype
    if dtype is None:
        yield None
        return
    _check(model, dtype, scale)
    scale = scale if dtype == torch.float16 else 1.0
    whole: Callable[..., Any] = model.forward

    def forward(*inputs: Any, **options: Any) -> Any:
        with torch.autocast(first.device.type, dtype=dtype):
            output = whole(*inputs, **options)
        return _in_full(output, scale)

    weights = [weight for weight in model.parameters() if weight.requires_grad and scale != 1]
    hooks = [weight.register_hook(lambda gradient: gradient / scale) for weight in weights]
    model.forward = forward
    try:
        yield dtype
    finally:
        del model.forward  # the class's own comes into view again
        for hook in hooks:
            hook.remove()


class _Scaled(torch.autograd.Function):
    """The same numbers; their gradient times ``scale``."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: float) -> Tensor:
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.scale, None


def _in_full(output: Any, scale: float) -> Any:
    """The output's half precision tensors in float32, and the scale set on their way back."""
    if isinstance(output, tuple | list):
        parts = [_in_full(part, scale) for part in output]
        # a named tuple takes its parts one by one
        return type(output)(*parts) if hasattr(output, "_fields") else type(output)(parts)
    if not isinstance(output, Tensor) or not output.is_floating_point():
        return output
    full = output.float()
    scaled: Tensor = full if scale == 1 else _Scaled.apply(full, scale)
    return scaled


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
