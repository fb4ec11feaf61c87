"""Rivals timed in turn, so that what slows the machine for a moment slows all of them.

A ratio is taken within each round and the median of these is reported with its quartiles: two
medians taken one after the other would compare two moments of the machine as well.
"""

import time
from collections.abc import Callable, Mapping
from statistics import median, quantiles
from typing import TypeAlias

Times: TypeAlias = dict[str, list[float]]


def interleaved(rivals: Mapping[str, Callable[[], object]], rounds: int, warm_up: int = 3) -> Times:
    """Run all rivals once a round, each round in the other order than the last.

    Args:
        rivals: what to time, by name.
        rounds: how many times each is timed.
        warm_up: rounds before, which do not count.

    Returns:
        Wall-clock seconds by name, one for each round.
    """
    names = list(rivals)
    times: Times = {name: [] for name in names}
    for number in range(warm_up + rounds):
        for name in names if number % 2 else names[::-1]:
            start = time.perf_counter()
            rivals[name]()
            seconds = time.perf_counter() - start
            if number >= warm_up:
                times[name].append(seconds)
    return times


def spread(numbers: list[float]) -> dict[str, float]:
    """Median and quartiles, to four significant digits."""
    low, _, high = quantiles(numbers, n=4, method="inclusive")
    named = {"median": median(numbers), "low": low, "high": high}
    return {name: float(f"{number:.4g}") for name, number in named.items()}


def speed(times: Times, ours: str, theirs: str) -> dict[str, float]:
    """How many times as fast ``ours`` is as ``theirs``, round by round."""
    pairs = zip(times[ours], times[theirs], strict=True)
    return spread([their / our for our, their in pairs])
