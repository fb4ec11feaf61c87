"""Positions as waves: two places, what they have in common, and the shift from one to the other."""

from __future__ import annotations

from math import cos
from typing import Any

import traitlets

from contextbook.widgets._base import Bench, FigureDataError, check_number

PLACES = 64
RANGES = {"place": (0, 47), "shift": (0, 16), "width": (4, 64), "base": (2, 100_000)}


class PositionsView(Bench):
    """The table of sinusoidal positions, with two of its places in the reader's hand.

    Rows are 64 places, columns are features. The dot product of the two places, and the angle by
    which each pair of features turns from the one to the other, follow as they are moved.

    Args:
        place: the first place p, 0 to 47.
        shift: how much later the second one stands, k = 0 to 16.
        width: number of features d, even, 4 to 64.
        base: what the wavelengths grow by from the fastest pair to the slowest, 2 to 100,000; the
            Transformer has 10,000.

    Raises:
        ValueError: a setting is out of range, or the width is odd.

    Attributes:
        turns: for each pair of features i the angle ``shift * base^(-2i/width)``, in radians.
        dot: dot product of the two places, the sum of the cosines of ``turns``.
    """

    _name = "positions-view"
    _settings = tuple(RANGES)

    place = traitlets.Int(10).tag(sync=True)
    shift = traitlets.Int(3).tag(sync=True)
    width = traitlets.Int(64).tag(sync=True)
    base = traitlets.Int(10_000).tag(sync=True)

    turns = traitlets.List(traitlets.Float(), read_only=True)
    dot = traitlets.Float(read_only=True)

    def __init__(
        self, place: int = 10, shift: int = 3, width: int = 64, base: int = 10_000
    ) -> None:
        super().__init__(place=place, shift=shift, width=width, base=base)
        self._turn()

    # measured in the page, so that nothing jumps when the figure appears
    @traitlets.default("height")
    def _height(self) -> int:
        return 728

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1330

    def _summary(self) -> str:
        return f"{PLACES} places, width {self.width}, base {self.base}"

    @traitlets.validate(*RANGES)
    def _check(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        check_number(name, value, *RANGES[name])
        if name == "width" and value % 2:
            raise FigureDataError(f"width must be even, a sine and a cosine each, got {value}")
        return value

    @traitlets.observe(*RANGES)
    def _turn(self, change: Any = None) -> None:
        turns = [self.shift * self.base ** (-even / self.width) for even in range(0, self.width, 2)]
        with self.hold_trait_notifications():
            self.set_trait("turns", turns)
            self.set_trait("dot", sum(cos(turn) for turn in turns))
