"""Plots in the book's style, and how a notebook shows them: SVG, with a small PNG beside it."""

from __future__ import annotations

import base64
import io
import re
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, Protocol, overload

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from contextbook.figures.palette import PAPER
from contextbook.figures.style import PIXELS_PER_INCH, book_style, dress
from contextbook.figures.svg import book_svg
from contextbook.words import words

__all__ = ["Drawable", "Picture", "plot", "show"]

_LARGEST_SVG = 120_000
_PNG_SCALE = 1.5
_PNG_COLORS = 128
_SHORTEST_ALT = 20
_TOLERANCE = 0.02  # inches: two pixels, which nobody misses


class Drawable(Protocol):
    """What can turn itself into a matplotlib figure, as a :class:`Drawing` does."""

    def to_figure(self) -> Figure: ...


@overload
def plot(width: float = ..., height: float = ..., columns: None = None) -> tuple[Figure, Axes]: ...
@overload
def plot(width: float = ..., height: float = ..., *, columns: int) -> tuple[Figure, list[Axes]]: ...
def plot(
    width: float = 6.6, height: float = 3.6, columns: int | None = None
) -> tuple[Figure, Axes | list[Axes]]:
    """A figure and its axes in the book's style; hand the figure to :func:`show` when it is drawn.

    Args:
        width, height: size in inches, as everywhere in matplotlib (96 pixels of the page each).
        columns: that many plots side by side; then a *list* of axes comes back.

    Raises:
        ValueError: a size or number of columns that cannot be drawn.
    """
    if not (1 <= width <= 12 and 0.5 <= height <= 16):
        raise ValueError(
            f"a plot of {width} × {height} inches does not fit a page: the width must lie between "
            "1 and 12 inches, the height between 0.5 and 16"
        )
    if columns is not None and columns < 1:
        raise ValueError(f"columns must be at least 1, got {columns}")
    with book_style():
        # a bare Figure: pyplot would keep it, and show it a second time at the end of the cell
        figure = Figure(figsize=(width, height), layout="constrained")
        if columns is None:
            return figure, figure.add_subplot()
        return figure, [figure.add_subplot(1, columns, i + 1) for i in range(columns)]


def show(figure: Figure | Drawable, alt: str) -> Picture:
    """The picture that a cell ends with: its value is displayed.

    Args:
        figure: from :func:`plot`, or a :class:`Drawing`.
        alt: what the picture shows, in a sentence or two: what a reader would miss who cannot see
            it. It becomes the picture's text alternative.

    Raises:
        ValueError: ``alt`` says nothing; a part lies outside of the picture; a character has no
            glyph; the SVG is too large for a page.
    """
    alt = check_alt(alt)
    made = figure if isinstance(figure, Figure) else figure.to_figure()
    with book_style():
        dress(made)
        check_inside(made)
        svg, png = _svg(made, alt), _png(made)
    if "matplotlib.pyplot" in sys.modules:  # a figure made by pyplot would be shown once more
        sys.modules["matplotlib.pyplot"].close(made)
    return Picture(svg, png, alt, _size(made))


def check_inside(figure: Figure) -> None:
    """Refuse a figure from which something would be cut off, such as a title above its edge.

    Raises:
        ValueError: something lies outside; the message says on which side and by how much.
    """
    figure.draw_without_rendering()  # the layout moves things into their places
    width, height = figure.get_size_inches()
    drawn = figure.get_tightbbox()
    over = {
        "left": -drawn.x0,
        "right": drawn.x1 - width,
        "bottom": -drawn.y0,
        "top": drawn.y1 - height,
    }
    side = max(over, key=lambda name: over[name])
    if over[side] > _TOLERANCE:
        raise ValueError(
            f"something is cut off at the {side} of a plot of {width:g} × {height:g} inches, by "
            f"{over[side]:.2f} inches: make the plot larger or the labels shorter"
        )


class Picture:
    """A finished picture, which notebooks display as SVG or PNG, whichever they prefer."""

    def __init__(self, svg: str, png: bytes, alt: str, size: tuple[int, int]) -> None:
        self.svg = svg
        self.png = png
        self.alt = alt
        self.size = size

    def __repr__(self) -> str:
        return words("common").figure.format(alt=self.alt)

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = self.size
        data = {
            "image/svg+xml": self.svg,
            "image/png": base64.b64encode(self.png).decode("ascii"),
            "text/plain": repr(self),
        }
        return data, {"image/png": {"width": width, "height": height}}


def check_alt(alt: str) -> str:
    """The text alternative in one line, if it says something.

    Raises:
        ValueError: it is empty, short, a file's name, or announces a picture instead of telling
            what is in it.
    """
    line = " ".join(alt.split())
    # a kanji says about as much as two letters
    length = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)
    if length < _SHORTEST_ALT:
        raise ValueError(
            f"alt {line!r} is too short: say in a sentence what the picture shows, for readers who "
            "cannot see it"
        )
    if re.search(r"\.(png|svg|jpe?g|gif|webp|pdf)$", line, re.I):
        raise ValueError(f"alt {line!r} is a file's name: say what the picture shows")
    kind = r"(plot|image|picture|figure|graph|chart|diagram|drawing|schematic)"
    if re.match(rf"(an? |the )?{kind} (of|showing)\b", line, re.I):
        raise ValueError(
            f"alt {line!r} announces a picture, which a screen reader does already: begin with "
            "what is to be seen"
        )
    return line


def _size(figure: Figure) -> tuple[int, int]:
    width, height = figure.get_size_inches()
    return round(width * PIXELS_PER_INCH), round(height * PIXELS_PER_INCH)


def _svg(figure: Figure, alt: str) -> str:
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(buffer, format="svg", metadata=nothing)
    svg = book_svg(buffer.getvalue(), alt, *_size(figure))
    if len(svg) > _LARGEST_SVG:
        raise ValueError(
            f"this picture is {len(svg) // 1000} KB of SVG, {_LARGEST_SVG // 1000} KB is the most: "
            "draw fewer points (every tenth, a mean per bin)"
        )
    return svg


def _png(figure: Figure) -> bytes:
    """A light picture in few colours, for viewers without SVG."""
    canvas = FigureCanvasAgg(figure)
    buffer = io.BytesIO()
    canvas.print_figure(
        buffer, format="png", dpi=PIXELS_PER_INCH * _PNG_SCALE, facecolor=PAPER, metadata={}
    )
    image = Image.open(buffer).convert("RGB")
    small = image.quantize(_PNG_COLORS, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    small.save(buffer, format="png", optimize=True)
    return buffer.getvalue()
