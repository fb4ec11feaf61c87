"""Learning rates that change during training.

A schedule maps the number of an update, counted from 1, to the factor by which the learning rate
is multiplied. A warm-up rises in equal steps and is at full rate with update ``warmup``: Adam's
averages mean little at first, and large early updates can spoil a Transformer.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

Schedule: TypeAlias = Callable[[int], float]


def constant(warmup: int = 0) -> Schedule:
    """Rise during the warm-up, then stay at the full rate.

    Raises:
        ValueError: ``warmup`` is negative.
    """
    warmup = _at_least_one(warmup)
    return lambda step: min(step / warmup, 1.0)


def linear_decay(steps: int, warmup: int = 0) -> Schedule:
    """Rise during the warm-up, then fall in equal steps; 0 would follow on update ``steps``.

    Raises:
        ValueError: ``warmup`` is negative or not less than ``steps``; later, a training takes more
            updates than ``steps``.
    """
    if warmup >= steps:
        raise ValueError(f"the warm-up ({warmup}) must be shorter than the training ({steps})")
    warmup = _at_least_one(warmup)

    def factor(step: int) -> float:
        if step > steps:
            raise ValueError(
                f"the learning rate has fallen to 0 after {steps} steps, and this is step {step}: "
                "give linear_decay the number of steps that train is given"
            )
        return min(step / warmup, (steps + 1 - step) / (steps + 1 - warmup))

    return factor


def inverse_sqrt_decay(warmup: int) -> Schedule:
    """Rise during the warm-up, then fall with one over the square root of the step.

    Raises:
        ValueError: ``warmup`` is negative.
    """
    warmup = _at_least_one(warmup)
    return lambda step: min(step / warmup, math.sqrt(warmup / step))


def _at_least_one(warmup: int) -> int:
    """Take no warm-up for a warm-up of one update: both are at full rate with the first."""
    if warmup < 0:
        raise ValueError(f"warmup must be 0 or more, got {warmup}")
    return max(warmup, 1)
