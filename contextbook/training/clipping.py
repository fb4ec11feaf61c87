"""The length of the gradient, and a bound on it (Pascanu, Mikolov and Bengio, 2013)."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


def gradient_norm(parameters: Iterable[nn.Parameter]) -> Tensor:
    """Length of the gradient: of all parameters' gradients as one long vector.

    Raises:
        ValueError: no parameter has a gradient.
    """
    norms = [parameter.grad.norm() for parameter in parameters if parameter.grad is not None]
    if not norms:
        raise ValueError("no parameter has a gradient: call backward() on a loss that uses them")
    return torch.stack(norms).norm()


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> Tensor:
    """Shorten the gradient to ``max_norm`` where it is longer; its direction stays.

    Args:
        parameters: their ``.grad`` is changed in place.
        max_norm: the greatest length, more than 0.

    Returns:
        The length before.

    Raises:
        ValueError: no parameter has a gradient.
    """
    parameters = list(parameters)
    norm = gradient_norm(parameters)
    shrink = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.mul_(shrink)
    return norm
