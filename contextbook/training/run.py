"""What a training consists of while it goes on, and what it leaves behind."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:  # what a training does not use, the hash of its code need not know
    from contextbook.training.batches import Batches
    from contextbook.training.schedules import Schedule
    from contextbook.training.validation import Validation


@dataclass
class History:
    """What a training measured, in lists to be plotted.

    ``steps``, ``loss``, ``learning_rate`` and ``gradient_norm`` (before clipping) have an entry
    for each update; ``validation[name]`` has one for each of ``validation_steps``. Steps count
    from 1.
    """

    steps: list[int] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    learning_rate: list[float] = field(default_factory=list)
    gradient_norm: list[float] = field(default_factory=list)
    validation_steps: list[int] = field(default_factory=list)
    validation: dict[str, list[float]] = field(default_factory=dict)

    def add(self, step: int, loss: float, learning_rate: float, gradient_norm: float) -> None:
        """Note one update."""
        self.steps.append(step)
        self.loss.append(loss)
        self.learning_rate.append(learning_rate)
        self.gradient_norm.append(gradient_norm)

    def add_validation(self, step: int, measures: Mapping[str, float]) -> None:
        """Note one look at the validation measures."""
        self.validation_steps.append(step)
        for name, value in measures.items():
            self.validation.setdefault(name, []).append(value)

    def last(self) -> str:
        """Say the latest loss, for the progress bar."""
        return f"loss {self.loss[-1]:.3g}"


@dataclass
class Best:
    """The best weights so far by a validation measure, and when they were met."""

    value: float
    step: int
    weights: dict[str, Tensor]


@dataclass
class Run:
    """One training on its way: all that a checkpoint keeps hold of."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    schedule: "Schedule | None" = None
    clip_norm: float | None = None
    generator: torch.Generator | None = None
    batches: "Batches | None" = None
    validation: "Validation | None" = None
    history: History = field(default_factory=History)
    best: Best | None = None
    full_rates: list[float] = field(init=False)

    def __post_init__(self) -> None:
        """Remember the learning rates that the schedule scales."""
        self.full_rates = [group["lr"] for group in self.optimizer.param_groups]

    @property
    def step(self) -> int:
        """Number of updates done."""
        return len(self.history.steps)

    def learning_rates(self, step: int) -> list[float]:
        """Return the rate of each parameter group at an update.

        Raises:
            ValueError: the schedule gives a factor that is negative or not finite.
        """
        factor = 1.0 if self.schedule is None else self.schedule(step)
        if not (math.isfinite(factor) and factor >= 0):
            raise ValueError(f"the schedule gives {factor} at step {step}: it must be 0 or more")
        return [rate * factor for rate in self.full_rates]

    def draw_loss(self, loss: Callable[..., Tensor]) -> Tensor:
        """Call the loss, with the next batch where there are batches."""
        return loss() if self.batches is None else loss(next(self.batches))
