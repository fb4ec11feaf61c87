"""Training: one loop for the whole book."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from contextbook.progress import progress


def best_device() -> torch.device:
    """Return the GPU when there is one (CUDA, then Apple's MPS), else the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def train(
    model: nn.Module,
    loss: Callable[[], Tensor],
    steps: int,
    learning_rate: float = 1e-3,
) -> list[float]:
    """Minimise ``loss`` over the parameters of ``model`` with Adam (Kingma & Ba, 2015).

    Args:
        model: what is trained, in place.
        loss: called once a step; draws a batch and returns its loss, a scalar.
        steps: number of updates.
        learning_rate: Adam's step size.

    Returns:
        The loss at each step.

    Raises:
        ValueError: a loss is not finite; training has diverged and what follows would be NaN.
    """
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    history = []
    for step in progress(range(steps), "training"):
        value = loss()
        if not torch.isfinite(value):
            raise ValueError(
                f"the loss is {value.item()} at step {step}: lower the learning rate "
                f"(now {learning_rate})"
            )
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        history.append(value.item())
    return history
