"""Timings that chapters speak of: measured once by ``make bench``, committed with the machine.

A notebook neither prints nor asserts a time of its own run, which would differ from reader to
reader; it reads these.
"""

import json
from pathlib import Path
from typing import Any

TIMINGS = Path(__file__).parent


def load_timings(name: str) -> dict[str, Any]:
    """Read committed timings.

    Args:
        name: of the benchmark, such as ``"layers"``.

    Returns:
        What it measured: ``what`` in words, ``machine``, and its tables.

    Raises:
        ValueError: there are none by that name.
    """
    path = TIMINGS / f"{name}.json"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in TIMINGS.glob("*.json"))) or "none"
        raise ValueError(f"there are no timings {name!r}; there are: {known}")
    timings: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return timings
