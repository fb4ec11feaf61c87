"""Positions of the book's own Transformer, for the JavaScript of the view of positions.

``python tests/javascript/positions_view_examples.py`` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

from contextbook.transformer import sinusoidal_positions

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "positions-view.json"
CASES = ((10, 3, 64), (0, 16, 8), (47, 1, 4), (21, 9, 22))  # place, shift, width


def examples() -> list[dict[str, Any]]:
    """Two rows of the table and their dot product, for several widths."""
    found = []
    for place, shift, width in CASES:
        table = sinusoidal_positions(64, width).double()
        first, second = table[place], table[place + shift]
        found.append(
            {
                "place": place,
                "shift": shift,
                "width": width,
                "base": 10_000,
                "first": _short(first.tolist()),
                "second": _short(second.tolist()),
                "dot": _short([(first @ second).item()])[0],
            }
        )
    return found


def _short(numbers: list[float]) -> list[float]:
    return [float(f"{x:.6g}") for x in numbers]


if __name__ == "__main__":
    PATH.write_text(json.dumps(examples()) + "\n", encoding="utf-8")
