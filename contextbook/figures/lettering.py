"""Text in drawings: measured before it is drawn, Japanese and formulas side by side."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from contextbook.figures.style import FAMILY, PIXELS_PER_INCH, book_style

__all__ = ["Lettering", "measure"]

_PIXELS_PER_POINT = PIXELS_PER_INCH / 72
_LINE = 1.3  # distance of lines, in sizes
_CAP = 0.73  # height of a capital letter, in sizes
_SPACE = 0.32  # width of a space, in sizes


@dataclass(frozen=True)
class Lettering:
    """A text that stands somewhere: its middle, its size in points, and its colour."""

    text: str
    x: float
    y: float
    size: float
    color: str

    def draw(self, ax: Axes, zorder: float) -> None:
        """Write it onto axes whose units are pixels."""
        pixels = self.size * _PIXELS_PER_POINT
        lines = self.text.split("\n")
        for number, line in enumerate(lines):
            above = ((len(lines) - 1) / 2 - number) * _LINE * pixels
            baseline = self.y + above - _CAP / 2 * pixels
            x = self.x - _line_width(line, self.size) / 2
            for segment in _segments(line):
                ax.text(
                    x + _leading(segment) * _SPACE * pixels,
                    baseline,
                    segment.strip(),
                    fontsize=self.size,
                    color=self.color,
                    ha="left",
                    va="baseline",
                    zorder=zorder,
                )
                x += _segment_width(segment, self.size)


def measure(text: str, size: float) -> tuple[float, float]:
    """Width and height of a text in pixels.

    Args:
        text: lines; what stands between dollar signs is a formula.
        size: of the letters, in points.

    Raises:
        ValueError: a dollar sign has no partner, or a character has no glyph.
    """
    lines = text.split("\n")
    if any(line.count("$") % 2 for line in lines):
        raise ValueError(f"a formula in {text!r} is not closed: write it as $x_t$, in one line")
    width = max(_line_width(line, size) for line in lines)
    pixels = size * _PIXELS_PER_POINT
    return width, ((len(lines) - 1) * _LINE + 1.0) * pixels


def _line_width(line: str, size: float) -> float:
    return sum(_segment_width(segment, size) for segment in _segments(line))


def _segments(line: str) -> list[str]:
    """Text and formulas by turns, as matplotlib sets a whole text in one font if it has both."""
    parts = line.split("$")
    found = [f"${part}$" if i % 2 else part for i, part in enumerate(parts)]
    return [part for part in found if part]


def _leading(segment: str) -> int:
    return len(segment) - len(segment.lstrip(" "))


@functools.lru_cache(maxsize=2048)
def _segment_width(segment: str, size: float) -> float:
    spaces = len(segment) - len(segment.strip(" "))
    width = 0.0
    if text := segment.strip(" "):
        with book_style():
            font = FontProperties(family=FAMILY, size=size)
            width, _, _ = text_to_path.get_text_width_height_descent(
                text, font, text.startswith("$")
            )
    return (width + spaces * _SPACE * size) * _PIXELS_PER_POINT
