"""Schematics: boxes, operations, arrows with the shapes of tensors on them, loops and groups.

A drawing is code that reads like the picture::

    d = Drawing()
    x = d.box("$x_t$", role="input")
    h = d.box("RNN", at=x.top, role="hidden")
    d.arrow(x, h, shape="(B, D)")
    d.loop(h, "$h_{t-1}$")
    show(d, "A token goes into an RNN cell, whose state goes back into it.")

It is a thin layer over matplotlib, so that letters are outlines, Japanese comes out everywhere, and
SVG and PNG are made in the same way as those of plots. Sizes are CSS pixels, y points upwards.

``at`` says where a thing stands: a point for its centre, or an anchor of another thing, such as
``x.top`` or ``x.on("right", 0.2)``; then it stands ``gap`` pixels away in that direction.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from matplotlib.patches import Ellipse, FancyBboxPatch, Rectangle
from matplotlib.path import Path

from contextbook.figures.canvas import BOXES, DASHES, GROUPS, LINE, RADIUS, SIZE, SMALL, Canvas
from contextbook.figures.geometry import (
    Anchor,
    Node,
    Point,
    between,
    direction,
    hull,
    placed,
    rounded_line,
    route,
)
from contextbook.figures.lettering import measure
from contextbook.figures.palette import INK, LIGHT, PAPER, QUIET, role_color, tint

__all__ = ["Drawing"]

GAP = 36.0  # between neighbours, where none is given
_LAYER = 4.0  # by how much the next slice of a stack stands out
_CIRCLE = 26.0


class Drawing(Canvas):
    """A schematic that grows as its parts are named; its size follows from them."""

    def box(
        self,
        text: str = "",
        *,
        at: Point | Anchor = (0.0, 0.0),
        gap: float = GAP,
        width: float | None = None,
        height: float | None = None,
        role: str = "plain",
        dashed: bool = False,
        layers: int = 1,
    ) -> Node:
        """A box, as large as its text needs.

        Args:
            text: lines, with formulas between dollar signs.
            at, gap: where it stands.
            width, height: in pixels, where the text shall not say it.
            role: what it stands for (see ``palette.ROLES``), or a colour's name.
            layers: more than one draws a stack: a tensor with that many slices, or heads.

        Raises:
            ValueError: no layers, an unknown role, or text that cannot be set.
        """
        if layers < 1:
            raise ValueError(f"a box has at least one layer, got {layers}")
        text_width, text_height = measure(text, SIZE)
        width = max(38.0, text_width + 22) if width is None else width
        height = max(30.0, text_height + 16) if height is None else height
        node = placed(at, gap, width, height)
        color = role_color(role)
        for layer in reversed(range(layers)):
            slice_ = Node(node.x + _LAYER * layer, node.y + _LAYER * layer, width, height)
            self._add(
                FancyBboxPatch,
                (slice_.left.x, slice_.bottom.y),
                width,
                height,
                boxstyle=f"round,pad=0,rounding_size={RADIUS}",
                facecolor=tint(color),
                edgecolor=LIGHT[color],
                linewidth=LINE,
                linestyle=DASHES if dashed else "-",
                zorder=BOXES - 0.01 * layer,
            )
            self._extent.append(slice_)
        self._write(text, node.x, node.y)
        return node

    def circle(
        self,
        text: str,
        *,
        at: Point | Anchor = (0.0, 0.0),
        gap: float = GAP,
        role: str = "plain",
    ) -> Node:
        """An operation: ``"+"``, ``"×"``, ``"σ"``, ``"tanh"``; longer names make it oval."""
        text_width, _ = measure(text, SIZE)
        node = placed(at, gap, max(_CIRCLE, text_width + 14), _CIRCLE)
        color = role_color(role)
        self._add(
            Ellipse,
            (node.x, node.y),
            node.width,
            node.height,
            facecolor=tint(color),
            edgecolor=LIGHT[color],
            linewidth=LINE,
            zorder=BOXES,
        )
        self._extent.append(node)
        self._write(text, node.x, node.y)
        return node

    def cells(
        self,
        count: int,
        *,
        at: Point | Anchor = (0.0, 0.0),
        gap: float = GAP,
        role: str = "hidden",
        down: bool = False,
        values: Sequence[float] | None = None,
        size: float = 15.0,
    ) -> Node:
        """A vector as a row of squares, or a column with ``down``.

        Args:
            values: numbers from 0 to 1 that say how full each square is; all pale when ``None``.
            size: of a square, in pixels.

        Raises:
            ValueError: no squares, or ``values`` of another number or outside 0 to 1.
        """
        if count < 1:
            raise ValueError(f"a vector needs at least one square, got {count}")
        if values is not None and (len(values) != count or not all(0 <= v <= 1 for v in values)):
            raise ValueError(f"{count} squares need as many values from 0 to 1, got {values!r}")
        node = placed(at, gap, size if down else count * size, count * size if down else size)
        color = role_color(role)
        for i in range(count):
            x = node.left.x + (0 if down else i * size)
            y = node.top.y - (i + 1) * size if down else node.bottom.y
            square = ((x, y), size, size)
            under = tint(color) if values is None else PAPER
            self._add(Rectangle, *square, facecolor=under, linewidth=0, zorder=BOXES)
            if values is not None and values[i] > 0:
                fill = {"facecolor": LIGHT[color], "alpha": float(values[i])}
                self._add(Rectangle, *square, **fill, linewidth=0, zorder=BOXES)
            edge = {"facecolor": "none", "edgecolor": LIGHT[color], "linewidth": 0.8 * LINE}
            self._add(Rectangle, *square, **edge, zorder=BOXES)
        self._extent.append(node)
        return node

    def text(
        self,
        text: str,
        *,
        at: Point | Anchor = (0.0, 0.0),
        gap: float = 3.0,
        size: float = SIZE,
        quiet: bool = False,
    ) -> Node:
        """Words on their own; ``quiet`` ones step back."""
        width, height = measure(text, size)
        # arrows keep away from the letters
        node = placed(at, gap, width + 8, height + 6)
        self._write(text, node.x, node.y, size, QUIET if quiet else INK)
        return node

    def arrow(
        self,
        start: Node | Anchor | Point,
        end: Node | Anchor | Point,
        label: str = "",
        *,
        shape: str = "",
        via: Sequence[Point] = (),
        elbow: bool = False,
        curve: float = 0.0,
        side: str | None = None,
        role: str | None = None,
        dashed: bool = False,
        head: bool = True,
    ) -> None:
        """An arrow from one thing to another.

        Args:
            start, end: nodes (the sides that face each other are taken), anchors or points.
            label: what travels along it.
            shape: its shape, such as ``"(B, T, D)"``, written small and quietly.
            via: corners on its way, which are rounded.
            elbow: find the corners: leave and enter squarely.
            curve: bend by that many pixels to the left of its direction.
            side: where label and shape stand: left, right, top or bottom.
            role: a role or colour; ink when ``None``.
            head: without it, a line.

        Raises:
            ValueError: more than one of ``via``, ``elbow`` and ``curve``, or an unknown side.
        """
        if bool(via) + elbow + bool(curve) > 1:
            raise ValueError("an arrow goes via corners, by elbow or in a curve: choose one")
        a, b = _ends(start, end)
        points = [(a.x, a.y), *(route(a, b) if elbow else via), (b.x, b.y)]
        if curve:
            length = math.dist(*points) or 1.0
            # a quadratic curve goes half as far out as its control point
            middle = (
                (a.x + b.x) / 2 - 2 * curve * (b.y - a.y) / length,
                (a.y + b.y) / 2 + 2 * curve * (b.x - a.x) / length,
            )
            path = Path([points[0], middle, points[-1]], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
            self._line(path, middle, role, dashed, head)
            top = ((a.x + b.x + 2 * middle[0]) / 4, (a.y + b.y + 2 * middle[1]) / 4)
            upright = abs(b.y - a.y) > abs(b.x - a.x)
        else:
            self._line(rounded_line(points, RADIUS), points[-2], role, dashed, head)
            p, q = max(itertools.pairwise(points), key=lambda piece: math.dist(*piece))
            top, upright = (
                ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2),
                abs(p[1] - q[1]) > abs(p[0] - q[0]),
            )
        self._label(label, shape, top, side or ("right" if upright else "top"))

    def loop(
        self,
        node: Node,
        label: str = "",
        *,
        shape: str = "",
        side: str = "right",
        reach: float = 24.0,
        role: str | None = None,
        dashed: bool = False,
    ) -> None:
        """An arrow from a node's top back to its bottom: what a recurrent cell does with its state.

        Args:
            side: on which it passes the node, left or right, ``reach`` pixels away.

        Raises:
            ValueError: ``side`` is neither left nor right.
        """
        if side not in ("left", "right"):
            raise ValueError(f"a loop passes its node on the left or the right, not {side!r}")
        share = 0.8 if side == "right" else 0.2
        start, end = node.on("top", share), node.on("bottom", share)
        out = node.on(side).x + reach * direction(side)[0]
        high, low = start.y + 0.7 * reach, end.y - 0.7 * reach
        corners = [(start.x, high), (out, high), (out, low), (end.x, low)]
        self.arrow(start, end, via=corners, role=role, dashed=dashed)
        self._label(label, shape, (out, node.y), side)

    def group(
        self,
        nodes: Iterable[Node],
        label: str = "",
        *,
        pad: float = 14.0,
        side: str = "right",
        role: str = "plain",
        dashed: bool = False,
        filled: bool = True,
    ) -> Node:
        """A frame behind some nodes, such as a layer that is repeated, with its label beside it.

        Args:
            pad: space around the nodes.
            side: where the label stands: left, right, top or bottom.

        Raises:
            ValueError: no nodes, or an unknown side or role.
        """
        inner = hull(nodes)
        node = Node(inner.x, inner.y, inner.width + 2 * pad, inner.height + 2 * pad)
        color = role_color(role)
        self._add(
            FancyBboxPatch,
            (node.left.x, node.bottom.y),
            node.width,
            node.height,
            boxstyle=f"round,pad=0,rounding_size={2 * RADIUS}",
            facecolor=tint(color) if filled else "none",
            edgecolor=LIGHT[color],
            linewidth=0.8 * LINE,
            linestyle=DASHES if dashed else "-",
            # a frame around another frame lies below it
            zorder=GROUPS - node.width * node.height * 1e-7,
        )
        self._extent.append(node)
        if label:
            self._beside(label, node.on(side), 8.0)
        return node

    def bracket(
        self, nodes: Iterable[Node], label: str = "", *, side: str = "top", gap: float = 8.0
    ) -> None:
        """A bracket along one side of some nodes, with a label: what they are together.

        Raises:
            ValueError: no nodes, or an unknown side.
        """
        node = hull(nodes)
        depth = 6.0
        a, b = node.on(side, 0.0), node.on(side, 1.0)
        points = [
            (p.x + p.dx * out, p.y + p.dy * out)
            for p, out in ((a, gap), (a, gap + depth), (b, gap + depth), (b, gap))
        ]
        self._line(rounded_line(points, 3.0), points[-2], "quiet", dashed=False, head=False)
        if label:
            self._beside(label, node.on(side), gap + depth + 5.0)

    def _label(self, label: str, shape: str, place: Point, side: str) -> None:
        """Write a label and, below it, a shape beside a line."""
        dx, dy = direction(side)
        anchor = Anchor(*place, dx, dy)
        if label and shape:
            high, low = measure(label, SIZE)[1], measure(shape, SMALL)[1]
            room = (high + low) / 2 + 3
            up = room if dy > 0 else room / 2 if dy == 0 else 0.0
            self._beside(label, anchor.moved(dy=up), 6.0)
            self._beside(shape, anchor.moved(dy=up - room), 6.0, SMALL, QUIET)
        elif label:
            self._beside(label, anchor, 6.0)
        elif shape:
            self._beside(shape, anchor, 6.0, SMALL, QUIET)


def _ends(start: Node | Anchor | Point, end: Node | Anchor | Point) -> tuple[Anchor, Anchor]:
    """Anchors for both ends; a node gives the side that faces the other end."""
    a = start if isinstance(start, Node) else Node(start[0], start[1], 0.0, 0.0)
    b = end if isinstance(end, Node) else Node(end[0], end[1], 0.0, 0.0)
    facing_a, facing_b = between(a, b)
    return (
        facing_a if isinstance(start, Node) else Anchor(*start),
        facing_b if isinstance(end, Node) else Anchor(*end),
    )
