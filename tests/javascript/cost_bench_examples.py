"""Python's counts of costs, for the cost bench's JavaScript.

``python tests/javascript/cost_bench_examples.py`` writes them anew.
"""

import itertools
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from contextbook.costs import convolution_reach, costs, dearer_above, kept_numbers, operations

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "cost-bench.json"
SIZES = ((4, 16, 1, 1), (29, 96, 12, 3), (512, 768, 12, 12), (16384, 12288, 96, 96))


def examples() -> list[dict[str, Any]]:
    """Several sizes with all switches on and off, and what follows from them."""
    found = []
    for size, on in itertools.product(SIZES, (False, True)):
        sizes = dict(zip(("length", "width", "heads", "layers"), size, strict=True))
        switches = {"projections": not on, "fused": on, "dilated": on}
        width, heads = sizes["width"], sizes["heads"]
        tables = {
            "operations": operations(width, projections=not on),
            "memory": kept_numbers(width, heads, fused=on),
        }
        found.append(
            {
                "sizes": {**sizes, **switches},
                "costs": {
                    kind: asdict(cost)
                    for kind, cost in costs(*size, **switches).items()  # type: ignore[arg-type]
                },
                "reach": min(convolution_reach(sizes["layers"], dilated=on), 2**53),
                # no JSON for infinity: null stands for "at no length"
                "dearer_above": {
                    measure: {
                        kind: _or_null(dearer_above(table["attention"], table[kind]))
                        for kind in ("rnn", "lstm", "convolution")
                    }
                    for measure, table in tables.items()
                },
            }
        )
    return found


def _or_null(length: float) -> float | None:
    return None if math.isinf(length) else length


if __name__ == "__main__":
    PATH.write_text(json.dumps(examples()) + "\n", encoding="utf-8")
