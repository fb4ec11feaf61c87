"""Noisy waves: series of numbers, each a sine of its own with noise on every value."""

import math

import torch
from torch import Generator, Tensor

NOISE = 0.1  # standard deviation of what is added to each value
SHORTEST, LONGEST = 8.0, 24.0  # steps in one period of a wave


def noisy_waves(generator: Generator, count: int, time: int) -> Tensor:
    """Draw sines of any phase, 8 to 24 steps a period, with noise of size 0.1 on each value.

    Nobody can predict the noise: no forecast of the next value is better, on average, than 0.1
    (the root of the mean squared error).

    Args:
        generator: the source of all randomness, on the CPU.
        count: how many.
        time: steps in each.

    Returns:
        ``(count, time, 1)``.

    Raises:
        ValueError: there is nothing to draw.
    """
    if count < 1 or time < 1:
        raise ValueError(f"waves need a count and a time of at least 1, got {count} and {time}")
    period = SHORTEST + (LONGEST - SHORTEST) * torch.rand(count, 1, generator=generator)
    phase = 2 * math.pi * torch.rand(count, 1, generator=generator)
    wave = torch.sin(2 * math.pi * torch.arange(time) / period + phase)  # (count, time)
    noise = NOISE * torch.randn(count, time, generator=generator)
    return (wave + noise)[..., None]
