"""Gradients of RNNs by autograd, and curves of Python's gradient bench, for JavaScript to match.

``python tests/javascript/recurrent_examples.py`` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from contextbook.recurrent import RNNCell, Unrolled
from contextbook.widgets import GradientBench

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "recurrent.json"
SETTINGS: list[dict[str, Any]] = [
    {"radius": 0.9, "input_size": 0.3, "length": 128, "weights": "random"},
    {"radius": 1.0, "input_size": 0.01, "length": 128, "weights": "orthogonal"},
    {"radius": 2.0, "input_size": 0.01, "length": 128, "weights": "random"},
    {"radius": 2.5, "input_size": 0.0, "length": 128, "weights": "orthogonal"},
    {"radius": 0.1, "input_size": 1.5, "length": 8, "weights": "random"},
    {"radius": 1.35, "input_size": 0.77, "length": 41, "weights": "orthogonal"},
]


def gradients(seed: int, batch: int, time: int, features: int, units: int) -> dict[str, Any]:
    """Run a random cell forward and back, by PyTorch's own derivative."""
    draw = torch.Generator().manual_seed(seed)
    cell = RNNCell(features, units, generator=draw).double()
    inputs = torch.randn(batch, time, features, generator=draw, dtype=torch.float64)
    initial = torch.randn(batch, units, generator=draw, dtype=torch.float64)
    direction = torch.randn(batch, time, units, generator=draw, dtype=torch.float64)
    direction[:, 0] = 0  # an output that does not enter the loss
    leaves = [inputs.requires_grad_(), initial.requires_grad_(), *cell.parameters()]
    outputs, _ = Unrolled(cell)(inputs, initial)
    names = ["inputs", "initial", *dict(cell.named_parameters())]
    found = torch.autograd.grad((outputs * direction).sum(), leaves)
    return {
        "cell": {name: _plain(value) for name, value in cell.named_parameters()},
        "inputs": _by_step(inputs),
        "initial": _plain(initial),
        "direction": _by_step(direction),
        "outputs": _by_step(outputs),
        "gradients": {
            name: _by_step(value) if name == "inputs" else _plain(value)
            for name, value in zip(names, found, strict=True)
        },
    }


def bench() -> dict[str, Any]:
    """Curves of the gradient bench at several settings."""
    figure = GradientBench()
    data = {
        name: getattr(figure, name)
        for name in ("random", "turn", "weight_ih", "signs", "direction")
    }
    curves = []
    for settings in SETTINGS:
        figure.update(**settings)
        curves.append(
            {
                "state": {**settings, "distance": 0},
                "curve": [float(f"{x:.8g}") for x in figure.curve],
                "half": figure.half,
                "norm": float(f"{figure.gradient_norm:.8g}"),
            }
        )
    return {"data": data, "curves": curves}


def examples() -> dict[str, Any]:
    """All that JavaScript is compared with."""
    shapes = [(1, 1, 1, 1), (2, 5, 3, 4), (3, 7, 2, 2), (1, 12, 4, 6)]
    return {
        "gradients": [gradients(seed, *shape) for seed, shape in enumerate(shapes)],
        "bench": bench(),
    }


def _plain(tensor: Tensor) -> Any:
    return json.loads(json.dumps(tensor.tolist()), parse_float=lambda x: float(f"{float(x):.10g}"))


def _by_step(tensor: Tensor) -> Any:
    return _plain(tensor.transpose(0, 1))  # (time, batch, features)


if __name__ == "__main__":
    PATH.write_text(json.dumps(examples()) + "\n", encoding="utf-8")
