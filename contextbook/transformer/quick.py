"""The same Transformer, trained faster on a CPU: dropout by cheaper random numbers.

The chapters show each part in its plainest form. This is a drop-in twin for long training runs;
``benchmarks/transformer.py`` times both.
"""

from typing import TypeVar

import torch
from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)


class QuickDropout(nn.Dropout):
    """Dropout whose random numbers cost half as much on a CPU.

    PyTorch draws a Bernoulli number for each number that may be dropped. It takes half the time to
    draw one that is uniform in [0, 1) and to compare it with p. Elsewhere, in evaluation mode, and
    in half precision, whose uniform numbers are too coarse for that, PyTorch's own does the work.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Zero a share p of the numbers, and scale the others by 1 / (1 - p)."""
        fine = x.dtype in (torch.float32, torch.float64)
        if not (self.training and 0 < self.p < 1 and fine and x.device.type == "cpu"):
            return super().forward(x)
        return x * torch.rand_like(x).ge_(self.p).div_(1 - self.p)


def quicken(model: Model) -> Model:
    """Replace each dropout in a model by its fast twin, in place.

    The dropout of attention weights is not among them: it happens inside PyTorch's attention.

    Args:
        model: any module with ``nn.Dropout`` inside. Its subclasses are left as they are, since
            they compute something else.

    Returns:
        The model itself.
    """
    for parent in list(model.modules()):
        for name, part in list(parent.named_children()):
            if type(part) is nn.Dropout:
                setattr(parent, name, QuickDropout(part.p).train(part.training))
    return model
