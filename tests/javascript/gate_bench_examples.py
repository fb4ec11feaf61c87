"""Steps of PyTorch's own LSTM cell with gates that are given, for the gate bench's JavaScript.

``python tests/javascript/gate_bench_examples.py`` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "gate-bench.json"


def pytorch_steps(rows: dict[str, list[float]]) -> tuple[list[float], list[float]]:
    """Cell and hidden state after each step of ``nn.LSTMCell``, one unit, no recurrent weights.

    Its inputs are what the gates' sigmoid and the candidate's tanh must be given.
    """
    cell = nn.LSTMCell(4, 1, bias=False).double()
    with torch.no_grad():
        cell.weight_ih.copy_(torch.eye(4))
        cell.weight_hh.zero_()
    table = {name: torch.tensor(row, dtype=torch.float64) for name, row in rows.items()}
    inputs = [
        table["input_gate"].logit(),
        table["forget_gate"].logit(),
        table["candidate"].atanh(),
        table["output_gate"].logit(),
    ]
    state = (torch.zeros(1, 1, dtype=torch.float64), torch.zeros(1, 1, dtype=torch.float64))
    cells, hidden = [], []
    for step in torch.stack(inputs, dim=1):  # (4,)
        state = cell(step[None], state)
        hidden.append(state[0].item())
        cells.append(state[1].item())
    return cells, hidden


def examples() -> list[dict[str, Any]]:
    """Random rows of several lengths, strictly inside their ranges, and what PyTorch makes."""
    draw = torch.Generator().manual_seed(6)

    def random(steps: int, low: float) -> list[float]:
        share: Tensor = 0.005 + 0.99 * torch.rand(steps, generator=draw, dtype=torch.float64)
        return [round(low + (1 - low) * x, 3) for x in share.tolist()]

    found = []
    for steps in (2, 5, 12, 24):
        rows = {"candidate": random(steps, -1.0)}
        rows |= {f"{name}_gate": random(steps, 0.0) for name in ("input", "forget", "output")}
        cell, hidden = pytorch_steps(rows)
        found.append({**rows, "cell": _short(cell), "hidden": _short(hidden)})
    return found


def _short(numbers: list[float]) -> list[float]:
    return [float(f"{x:.12g}") for x in numbers]


if __name__ == "__main__":
    PATH.write_text(json.dumps(examples()) + "\n", encoding="utf-8")
