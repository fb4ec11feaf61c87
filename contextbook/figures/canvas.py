"""What a drawing is made of: patches and letters, kept until a figure is wanted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from contextbook.figures.geometry import Anchor, Node, Point, arrow_head, hull
from contextbook.figures.lettering import Lettering, measure
from contextbook.figures.palette import INK, LIGHT, role_color
from contextbook.figures.style import PIXELS_PER_INCH, book_style

__all__ = ["BOXES", "DASHES", "GROUPS", "LINE", "RADIUS", "SIZE", "SMALL", "Canvas"]

SIZE, SMALL = 10.5, 9.0  # of letters, in points
LINE = 0.9  # width of lines, in points
RADIUS = 6.0
DASHES = (0, (4, 3))
GROUPS, _ARROWS, BOXES, _TEXT = 0.0, 1.0, 2.0, 3.0  # what covers what
_MARGIN = 6.0
_HEAD = (7.5, 6.0)  # length and width of an arrow's head


class Canvas:
    """Gathers patches and letters, and knows how much room they take."""

    def __init__(self) -> None:
        # recipes and not artists: an artist belongs to one figure, a drawing may be shown twice
        self._recipes: list[tuple[type[Patch], tuple[Any, ...], dict[str, Any]]] = []
        self._letters: list[Lettering] = []
        self._extent: list[Node] = []

    def to_figure(self) -> Figure:
        """The drawing as a matplotlib figure, just large enough; ``show`` calls this.

        Raises:
            ValueError: nothing was drawn.
        """
        extent = hull(self._extent)
        # whole pixels, so that the size on the page has the picture's proportions
        width, height = (math.ceil(size + 2 * _MARGIN) for size in (extent.width, extent.height))
        with book_style():
            figure = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH))
            ax = figure.add_axes((0, 0, 1, 1))
            ax.set_axis_off()
            ax.set_xlim(extent.x - width / 2, extent.x + width / 2)
            ax.set_ylim(extent.y - height / 2, extent.y + height / 2)
            for kind, arguments, options in self._recipes:
                ax.add_patch(kind(*arguments, **options, clip_on=False))
            for lettering in self._letters:
                lettering.draw(ax, _TEXT)
        return figure

    def _add(self, kind: type[Patch], *arguments: Any, **options: Any) -> None:
        self._recipes.append((kind, arguments, options))

    def _write(self, text: str, x: float, y: float, size: float = SIZE, color: str = INK) -> None:
        if text:
            width, height = measure(text, size)
            self._letters.append(Lettering(text, x, y, size, color))
            self._extent.append(Node(x, y, width, height * 1.1))

    def _beside(
        self, text: str, anchor: Anchor, gap: float, size: float = SIZE, color: str = INK
    ) -> None:
        """Write in the direction of an anchor."""
        width, height = measure(text, size)
        x = anchor.x + anchor.dx * (gap + width / 2)
        y = anchor.y + anchor.dy * (gap + height / 2)
        self._write(text, x, y, size, color)

    def _line(
        self, path: Path, come_from: Point, role: str | None, dashed: bool, head: bool
    ) -> None:
        """A line along a path, whose head, if any, points away from ``come_from``."""
        color = INK if role is None else LIGHT[role_color(role)]
        vertices = [(float(x), float(y)) for x, y in np.asarray(path.vertices)]
        if head:
            triangle, vertices[-1] = arrow_head(vertices[-1], come_from, *_HEAD)
            self._add(PathPatch, triangle, facecolor=color, linewidth=0, zorder=_ARROWS)
        self._add(
            PathPatch,
            Path(vertices, path.codes),
            facecolor="none",
            edgecolor=color,
            linewidth=LINE,
            linestyle=DASHES if dashed else "-",
            capstyle="butt",
            zorder=_ARROWS,
        )
        self._extent.append(hull(Node(x, y, 2.0, 2.0) for x, y in vertices))
