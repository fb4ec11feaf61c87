"""Places in a drawing: boxes with anchors, and lines with rounded corners between them.

Everything is in CSS pixels, x to the right and y upwards, as in a coordinate system on paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from matplotlib.path import Path

__all__ = [
    "Anchor",
    "Node",
    "Point",
    "arrow_head",
    "between",
    "direction",
    "hull",
    "placed",
    "rounded_line",
    "route",
]

Point = tuple[float, float]
_DIRECTIONS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "top": (0.0, 1.0), "bottom": (0.0, -1.0)}


def direction(side: str) -> Point:
    """The direction that leads away from a thing at one of its sides.

    Raises:
        ValueError: no such side.
    """
    if side not in _DIRECTIONS:
        raise ValueError(f"no side {side!r}: there is {', '.join(_DIRECTIONS)}")
    return _DIRECTIONS[side]


class Anchor(NamedTuple):
    """A place on the edge of a node, and the direction that leads away from it."""

    x: float
    y: float
    dx: float = 0.0
    dy: float = 0.0

    def moved(self, dx: float = 0.0, dy: float = 0.0) -> Anchor:
        """The same anchor, elsewhere."""
        return Anchor(self.x + dx, self.y + dy, self.dx, self.dy)


@dataclass(frozen=True)
class Node:
    """Something that arrows can start from and end at: its centre and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> Anchor:
        return self.on("left")

    @property
    def right(self) -> Anchor:
        return self.on("right")

    @property
    def top(self) -> Anchor:
        return self.on("top")

    @property
    def bottom(self) -> Anchor:
        return self.on("bottom")

    @property
    def center(self) -> Anchor:
        return Anchor(self.x, self.y)

    def on(self, side: str, share: float = 0.5) -> Anchor:
        """A place on one side: ``share`` runs from left to right, or from bottom to top.

        Raises:
            ValueError: no such side.
        """
        dx, dy = direction(side)
        if dx:
            return Anchor(self.x + dx * self.width / 2, self.y + (share - 0.5) * self.height, dx)
        x = self.x + (share - 0.5) * self.width
        return Anchor(x, self.y + dy * self.height / 2, 0.0, dy)


def placed(at: Point | Anchor, gap: float, width: float, height: float) -> Node:
    """A node around a point, or next to an anchor, ``gap`` away in the anchor's direction."""
    anchor = Anchor(*at)
    # a point and a centre have no direction, and then neither size nor gap moves the node
    x = anchor.x + anchor.dx * (gap + width / 2)
    y = anchor.y + anchor.dy * (gap + height / 2)
    return Node(x, y, width, height)


def hull(nodes: Iterable[Node]) -> Node:
    """The smallest node around others.

    Raises:
        ValueError: there are none.
    """
    nodes = list(nodes)
    if not nodes:
        raise ValueError("there must be at least one node to draw around")
    left = min(node.left.x for node in nodes)
    right = max(node.right.x for node in nodes)
    bottom = min(node.bottom.y for node in nodes)
    top = max(node.top.y for node in nodes)
    return Node((left + right) / 2, (bottom + top) / 2, right - left, top - bottom)


def between(start: Node, end: Node) -> tuple[Anchor, Anchor]:
    """The anchors for an arrow from node to node: on the sides that face each other."""
    dx, dy = end.x - start.x, end.y - start.y
    gap_x = abs(dx) - (start.width + end.width) / 2
    gap_y = abs(dy) - (start.height + end.height) / 2
    narrow = min((start, end), key=lambda node: node.height if gap_x > gap_y else node.width)
    if gap_x > gap_y:
        sides = ("right", "left") if dx > 0 else ("left", "right")
        a, b = start.on(sides[0]), end.on(sides[1])
        # straight across, where both have a side at the height of the smaller one
        if abs(dy) < max(start.height, end.height) / 2:
            a, b = a._replace(y=narrow.y), b._replace(y=narrow.y)
        return a, b
    sides = ("top", "bottom") if dy > 0 else ("bottom", "top")
    a, b = start.on(sides[0]), end.on(sides[1])
    if abs(dx) < max(start.width, end.width) / 2:
        a, b = a._replace(x=narrow.x), b._replace(x=narrow.x)
    return a, b


def route(start: Anchor, end: Anchor) -> list[Point]:
    """The corners of a line of horizontal and vertical pieces that leaves and enters squarely."""
    vertical_start, vertical_end = start.dy != 0, end.dy != 0
    if vertical_start and vertical_end:
        middle = (start.y + end.y) / 2
        return [(start.x, middle), (end.x, middle)]
    if not vertical_start and not vertical_end:
        middle = (start.x + end.x) / 2
        return [(middle, start.y), (middle, end.y)]
    return [(start.x, end.y)] if vertical_start else [(end.x, start.y)]


def rounded_line(points: Sequence[Point], radius: float) -> Path:
    """A line through points, with its corners rounded."""
    vertices: list[Point] = [points[0]]
    codes = [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        entry, leave = (
            _towards(corner, other, min(radius, math.dist(corner, other) / 2))
            for other in (before, after)
        )
        vertices += [entry, corner, leave]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def arrow_head(tip: Point, come_from: Point, length: float, width: float) -> tuple[Path, Point]:
    """A filled triangle at ``tip``, and the place in it where the line may end."""
    distance = math.dist(tip, come_from) or 1.0
    ux, uy = (tip[0] - come_from[0]) / distance, (tip[1] - come_from[1]) / distance
    back = (tip[0] - length * ux, tip[1] - length * uy)
    half = width / 2
    corners = [
        tip,
        (back[0] - half * uy, back[1] + half * ux),
        (back[0] + half * uy, back[1] - half * ux),
        tip,
    ]
    inside = (tip[0] - 0.8 * length * ux, tip[1] - 0.8 * length * uy)
    return Path(corners, closed=True), inside


def _towards(start: Point, end: Point, distance: float) -> Point:
    share = distance / (math.dist(start, end) or 1.0)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
