"""A bench for gradients: how much of them comes back through a tanh RNN, step by step."""

from __future__ import annotations

from typing import Any

import traitlets

from contextbook.widgets._base import Bench, FigureDataError, Numbers, check_number

UNITS = 32
FEATURES = 8
SEQUENCES = 4
MAX_LENGTH = 128
MIN_LENGTH = 8
MIN_RADIUS, MAX_RADIUS = 0.1, 2.5
MAX_INPUT = 1.5
DIGITS = 4  # of the weights that travel; more would only make the notebook heavier

_ASKED = ("radius", "input_size", "length", "weights", "distance")
_DATA = ("random", "turn", "weight_ih", "signs", "direction")


class GradientBench(Bench):
    """The gradient of an RNN's last state, at the input of every step before.

    An untrained tanh RNN of 32 units reads four sequences of random signs, 8 at each step. The loss
    is the last state in a random direction. The reader chooses the spectral radius, how loud the
    inputs are and how many steps there are; the gradient is computed anew by backpropagation.

    Args:
        radius: size of the largest eigenvalue of the recurrent weights, 0.1 to 2.5.
        input_size: what the inputs add to each unit has this standard deviation, 0 to 1.5.
        length: steps, 8 to 128.
        weights: ``"random"``, normal random numbers, or ``"orthogonal"``.
        distance: the distance whose gradient is read off, 0 to 127; at most ``length`` - 1 counts.
        seed: of weights and inputs.

    Raises:
        ValueError: a setting is out of range.

    Attributes:
        curve: the gradient at each distance, ``(length,)``, relative to distance 0.
        half: the first distance at which less than half is left; ``None`` if there is none.
        gradient_norm: length of the gradient for the recurrent weights, for the mean loss.
    """

    _name = "gradient-bench"
    _settings = _ASKED

    random = Numbers((UNITS, UNITS), 10.0).tag(sync=True)
    turn = Numbers((UNITS, UNITS), 1.01).tag(sync=True)
    weight_ih = Numbers((UNITS, FEATURES), 10.0).tag(sync=True)
    signs = traitlets.Unicode().tag(sync=True)
    direction = traitlets.Unicode().tag(sync=True)

    radius = traitlets.Float().tag(sync=True)
    input_size = traitlets.Float().tag(sync=True)
    length = traitlets.Int().tag(sync=True)
    weights = traitlets.Unicode("random").tag(sync=True)
    distance = traitlets.Int().tag(sync=True)

    curve = traitlets.List(traitlets.Float(), read_only=True)
    half = traitlets.Int(None, allow_none=True, read_only=True)
    gradient_norm = traitlets.Float(read_only=True)

    def __init__(
        self,
        radius: float = 0.9,
        input_size: float = 0.3,
        length: int = MAX_LENGTH,
        weights: str = "random",
        distance: int = 20,
        seed: int = 0,
    ) -> None:
        super().__init__(
            **_draw(seed),
            radius=radius,
            input_size=input_size,
            length=length,
            weights=weights,
            distance=distance,
        )

    @traitlets.default("height")
    def _height(self) -> int:
        return 744

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 972

    def _summary(self) -> str:
        return f"{UNITS} units, up to {MAX_LENGTH} steps"

    @traitlets.validate(*_DATA)
    def _check_data(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        if self.trait_has_value(name) and value != getattr(self, name):
            raise FigureDataError(f"a figure keeps its {name}: make another with another seed")
        return value

    @traitlets.validate(*_ASKED)
    def _check_asked(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        ranges = {
            "radius": (MIN_RADIUS, MAX_RADIUS),
            "input_size": (0, MAX_INPUT),
            "length": (MIN_LENGTH, MAX_LENGTH),
            "distance": (0, MAX_LENGTH - 1),
        }
        if name in ranges:
            check_number(name, value, *ranges[name])
        elif value not in ("random", "orthogonal"):
            raise FigureDataError(f"weights must be 'random' or 'orthogonal', got {value!r}")
        return value

    @traitlets.observe(*_ASKED)
    def _measure(self, change: Any = None) -> None:
        """Go back through time with the book's own gradients by hand."""
        import torch

        from contextbook.recurrent import RNNCell, backpropagate_through_time

        cell = RNNCell(FEATURES, UNITS).double()
        matrix = self.random if self.weights == "random" else self.turn
        with torch.no_grad():
            cell.weight_ih.copy_(torch.tensor(self.weight_ih, dtype=torch.float64))
            cell.weight_hh.copy_(self.radius * torch.tensor(matrix, dtype=torch.float64))
            cell.bias_ih.zero_()
            cell.bias_hh.zero_()
        signs = torch.tensor(_unpacked(self.signs), dtype=torch.float64)
        inputs = self.input_size * signs.view(MAX_LENGTH, SEQUENCES, FEATURES).transpose(0, 1)
        inputs = inputs[:, : self.length]  # (B, T, D)
        at_outputs = torch.zeros(SEQUENCES, self.length, UNITS, dtype=torch.float64)
        direction = torch.tensor(_unpacked(self.direction), dtype=torch.float64)
        at_outputs[:, -1] = direction.view(SEQUENCES, UNITS) / (SEQUENCES * UNITS**0.5)
        gradients = backpropagate_through_time(cell, inputs, at_outputs)
        sizes = gradients["inputs"].norm(dim=-1).mean(0).flip(0)  # (T,)
        curve = (sizes / sizes[0]).tolist()
        with self.hold_trait_notifications():  # whoever observes one of them finds all three new
            self.set_trait("curve", curve)
            self.set_trait("half", next((d for d, x in enumerate(curve) if x < 0.5), None))
            self.set_trait("gradient_norm", gradients["weight_hh"].norm().item())


def _draw(seed: int) -> dict[str, Any]:
    """Weights of spectral radius 1, an orthogonal matrix, and the signs that are read."""
    import torch

    from contextbook.recurrent import RNNCell, with_orthogonal, with_spectral_radius

    generator = torch.Generator().manual_seed(seed)
    cell = RNNCell(FEATURES, UNITS, generator=generator)
    weight_ih = torch.randn(UNITS, FEATURES, generator=generator)
    # the inputs are signs: now what they add to a unit has a variance of 1
    weight_ih /= weight_ih.norm(dim=1, keepdim=True)

    def bits(count: int) -> str:
        drawn = torch.randint(0, 16, (count // 4,), generator=generator)
        return "".join(f"{number:x}" for number in drawn.tolist())

    return {
        "random": _rounded(with_spectral_radius(cell, 1.0, generator).weight_hh),
        "turn": _rounded(with_orthogonal(cell, 1.0, generator).weight_hh),
        "weight_ih": _rounded(weight_ih),
        "signs": bits(MAX_LENGTH * SEQUENCES * FEATURES),
        "direction": bits(SEQUENCES * UNITS),
    }


def _rounded(matrix: Any) -> list[list[float]]:
    return [[round(x, DIGITS) for x in row] for row in matrix.tolist()]


def _unpacked(digits: str) -> list[int]:
    """Signs, four from each hexadecimal digit: 1 for a bit that is set, else -1."""
    return [2 * int(bit) - 1 for digit in digits for bit in f"{int(digit, 16):04b}"]
