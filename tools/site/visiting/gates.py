"""The bounds that a page must hold, and those whose breach is only said.

Bytes, requests and what moves while the page loads are the same on every machine. How long a
script takes is not: a breach of that is reported, and breaks nothing.
"""

from collections.abc import Mapping
from typing import Any

AT_MOST = {"kib": 200, "requests": 14, "shift": 0.01}
SOFT_AT_MOST = {"blocking_ms": 200}


def misses(measured: Any, at_least: Mapping[str, float], at_most: Mapping[str, float]) -> list[str]:
    """Which of the bounds are missed by the attributes that they name."""
    low = [
        (name, bound, "at least")
        for name, bound in at_least.items()
        if getattr(measured, name) < bound
    ]
    high = [
        (name, bound, "at most")
        for name, bound in at_most.items()
        if getattr(measured, name) > bound
    ]
    return [
        f"{name} is {getattr(measured, name):.4g}, must be {word} {bound}"
        for name, bound, word in [*low, *high]
    ]
