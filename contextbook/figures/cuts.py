"""One text cut in several ways, the cuts below each other as they fall in its bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextbook.figures.drawing import Drawing
from contextbook.figures.geometry import Anchor

__all__ = ["draw_cuts"]

UNIT = 13.0  # pixels for each byte
HEIGHT = 27.0
_ROLES = ("blue", "gold")  # in turn, so that neighbours differ


def draw_cuts(rows: Mapping[str, Sequence[bytes]]) -> Drawing:
    """Draw each way of cutting as a row of boxes, as wide as their bytes.

    Args:
        rows: the parts of one text by what the row is called. Parts that are whole characters show
            them; parts of characters stay empty.

    Raises:
        ValueError: the rows are not the same text.
    """
    texts = {b"".join(parts) for parts in rows.values()}
    if len(texts) != 1:
        raise ValueError(f"the rows must be cuts of one text, got {len(texts)} texts: {texts}")
    drawing = Drawing()
    for row, (name, parts) in enumerate(rows.items()):
        y = -row * (HEIGHT + 30)
        drawing.text(name, at=Anchor(-4, y + 26, 1.0), gap=0, quiet=True)
        start = 0
        for number, part in enumerate(parts):
            width = UNIT * len(part)
            drawing.box(
                _whole_characters(part),
                at=(UNIT * start + width / 2, y),
                width=width - 2,
                height=HEIGHT,
                role=_ROLES[number % 2],
            )
            start += len(part)
    return drawing


def _whole_characters(part: bytes) -> str:
    try:
        return part.decode("utf-8")
    except UnicodeDecodeError:
        return ""
