"""Parts of plots that chapters share: labels at the ends of lines, and matrices of weights."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from contextbook.figures.palette import FAINT, PALETTE
from contextbook.figures.style import book_style, dress

__all__ = ["label_lines", "matrix"]

_LEVELS = 64
_LABEL_PIXELS = 14  # of a letter, with a little room
_GAP = 0.03  # of a cell, left free on each side


def label_lines(ax: Axes, *, gap: float = 6.0) -> None:
    """Write each line's label at its right end, in its colour, instead of a legend.

    Call it last: labels that would overlap are moved apart for the limits as they are then.

    Args:
        ax: axes whose lines were given ``label=``.
        gap: space between a line's end and its label, in points.

    Raises:
        ValueError: no line has a label.
    """
    ends = []
    for line in ax.get_lines():
        label = str(line.get_label())
        x, y = (np.asarray(data, dtype=float) for data in line.get_data(orig=False))
        finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if not label.startswith("_") and len(finite):
            ends.append((line, label, x[finite[-1]], y[finite[-1]]))
    if not ends:
        raise ValueError("no line to label: draw lines with ax.plot(x, y, label=…)")
    figure = ax.get_figure()
    assert figure is not None
    with book_style():
        dress(figure)  # type: ignore[arg-type]
        figure.draw_without_rendering()  # type: ignore[union-attr]
        size = 9.5
        points = figure.dpi / 72
        order = sorted(ends, key=lambda end: float(ax.transData.transform((end[2], end[3]))[1]))
        floor = -np.inf
        right = max(float(ax.transData.transform((end[2], end[3]))[0]) for end in order)
        for line, label, x, y in order:
            px, py = (float(v) for v in ax.transData.transform((x, y)))
            lines = label.count("\n") + 1
            wanted = max(py, floor + lines * size * 0.62 * points)
            floor = wanted + lines * size * 0.62 * points
            offset = ((right - px) / points + gap, (wanted - py) / points)
            ax.annotate(
                label,
                (x, y),
                xytext=offset,
                textcoords="offset points",
                color=line.get_color() if isinstance(line, Line2D) else None,
                fontsize=size,
                va="center",
                annotation_clip=False,
            )


def matrix(
    ax: Axes,
    weights: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    largest: float | None = None,
    signed: bool = False,
    numbers: bool = False,
    color: str = "blue",
    scale_label: str | None = None,
) -> None:
    """Draw a matrix as squares: the more ink, the larger the number, on light and dark pages alike.

    Args:
        ax: where to draw; becomes square-celled, with column labels on top.
        weights: ``(rows, columns)``, an array or a tensor.
        rows, columns: labels, for example the words that ask and the words that are asked.
        largest: the number that gets full colour; the largest one present when ``None``.
        signed: negative numbers are drawn in orange; without it they are an error.
        numbers: write each number into its cell, with two digits.
        color: name of the palette's colour.
        scale_label: what the colour means; given, a small scale is drawn to the right.

    Raises:
        ValueError: shape and labels disagree; a number is NaN, infinite or unexpectedly negative.
    """
    table = np.asarray(weights.detach().cpu() if hasattr(weights, "detach") else weights, float)
    if table.shape != (len(rows), len(columns)):
        raise ValueError(
            f"weights of shape {table.shape} do not fit {len(rows)} row labels and {len(columns)} "
            "column labels"
        )
    if not np.isfinite(table).all():
        raise ValueError(f"weights hold {int((~np.isfinite(table)).sum())} NaN or infinite numbers")
    if not signed and table.size and table.min() < 0:
        raise ValueError(f"weights go down to {table.min():.3g}: pass signed=True to draw that")
    largest = largest or float(np.abs(table).max(initial=0)) or 1.0
    with book_style():
        # ink must stay legible on a filled cell in both schemes, so numbers go on a paler fill
        most = 0.45 if numbers else 1.0
        _cells(ax, np.clip(table / largest, -1, 1), most, color)
        if numbers:
            for (i, j), number in np.ndenumerate(table):
                ax.text(j, i, _minus(f"{number:.2f}"), ha="center", va="center", fontsize=9)
        ax.set_xlim(-0.5, len(columns) - 0.5)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_aspect("equal")
        ax.set_yticks(range(len(rows)), rows)
        _label_columns(ax, columns)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(True)
            spine.set_color(FAINT)
        if scale_label is not None:
            _scale(ax, largest, most, color, scale_label, signed)


def _cells(ax: Axes, shares: np.ndarray, most: float, color: str) -> None:
    """One path for all cells of a level: a matrix of 400 cells stays a few kilobytes."""
    levels = np.rint(shares * _LEVELS).astype(int)
    for level in np.unique(levels):
        if level == 0:
            continue
        squares = [_square(j, i) for i, j in np.argwhere(levels == level)]
        ax.add_patch(
            PathPatch(
                Path.make_compound_path(*squares),
                facecolor=PALETTE[color] if level > 0 else PALETTE["orange"],
                alpha=most * abs(level) / _LEVELS,
                linewidth=0,
                clip_on=False,
            )
        )


def _label_columns(ax: Axes, columns: Sequence[str]) -> None:
    """Labels wider than their column are set downwards, Japanese letter by letter."""
    wide = [all(_is_wide(letter) for letter in label) for label in columns]
    room = ax.get_window_extent().width / max(len(columns), 1)
    letters = max((sum(1.0 if _is_wide(c) else 0.6 for c in label) for label in columns), default=0)
    if letters * _LABEL_PIXELS < room:
        ax.set_xticks(range(len(columns)), columns)
        return
    downwards = [
        "\n".join(label) if tall else label for label, tall in zip(columns, wide, strict=True)
    ]
    ax.set_xticks(range(len(columns)), downwards)
    for text, tall in zip(ax.get_xticklabels(), wide, strict=True):
        text.set(rotation=0 if tall else 90, linespacing=1.0)


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def _minus(number: str) -> str:
    return number.replace("-", "\N{MINUS SIGN}")


def _square(x: float, y: float) -> Path:
    a, b = -0.5 + _GAP, 0.5 - _GAP
    corners = [(x + a, y + a), (x + b, y + a), (x + b, y + b), (x + a, y + b), (x + a, y + a)]
    return Path(corners, closed=True)


def _scale(ax: Axes, largest: float, most: float, color: str, label: str, signed: bool) -> None:
    bar = ax.inset_axes((1.05, 0.0, 0.045, 0.62))
    steps = 9
    shares = np.linspace(-1 if signed else 0, 1, steps)[:, None]
    _cells(bar, shares, most, color)
    bar.set_xlim(-0.5, 0.5)
    bar.set_ylim(-0.5, steps - 0.5)
    bar.set_xticks([])
    ends = [-largest, 0.0, largest] if signed else [0.0, largest]
    bar.set_yticks(np.linspace(0, steps - 1, len(ends)), [_minus(f"{end:.2g}") for end in ends])
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    bar.set_ylabel(label, labelpad=1)
    bar.tick_params(length=0)
    for spine in bar.spines.values():
        spine.set_visible(True)
        spine.set_color(FAINT)
