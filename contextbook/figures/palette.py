"""The colours of every plot and drawing, each in a version for light and one for dark pages.

The hues follow Okabe and Ito's palette (*Color Universal Design*, 2008). They are darkened for
white paper and lightened for dark paper so far that a *label* in any of them can be read (contrast
of at least 4.5), and moved apart so that readers without red, green or blue cones can still tell
any two of them, and ink, from each other. A test computes both.

Plots are drawn in the light version. The SVG names its colours as CSS variables, and so changes
with the page.
"""

from __future__ import annotations

__all__ = [
    "DARK",
    "FAINT",
    "INK",
    "LIGHT",
    "PALETTE",
    "PAPER",
    "QUIET",
    "ROLES",
    "role_color",
    "tint",
]

INK = "#000000"  # becomes currentColor; black, so that whatever matplotlib draws by default is ink
PAPER = "#ffffff"

#: Colours by name, to be used in plots: ``ax.plot(x, y, color=PALETTE["blue"])``.
PALETTE = {
    "blue": "#0a6fc0",
    "orange": "#9a2f00",
    "green": "#00634a",
    "pink": "#b4508f",
    "gold": "#8a7400",
}
# fills that ink is written on: the same hues, fresher than a mixture with white would be
_TINTS = {
    "blue": "#dcecfa",
    "orange": "#fbe2d5",
    "green": "#d9f0e6",
    "pink": "#f8e1ee",
    "gold": "#faf0c8",
    "quiet": "#eceef0",
}
QUIET = "#636b74"  # what is said in a low voice: notes, shapes on arrows
FAINT = "#b0b0b0"  # grid lines and frames; matplotlib's own grey for them

_LIGHT_INK = "#1f2328"
_DARK_PAPER = "#14181e"
_DARK_INK = "#ced6dd"
_DARK_PALETTE = {
    "blue": "#56b4e9",
    "orange": "#ee7733",
    "green": "#45e0a8",
    "pink": "#cc79a7",
    "gold": "#f0e442",
}


def _mix(color: str, other: str, share: float) -> str:
    """``share`` of ``color`` in ``other``."""
    pairs = ((int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def tint(name: str) -> str:
    """The pale version of a colour of the palette: the fill of a box that ink is written on.

    Raises:
        ValueError: the palette has no such colour.
    """
    if name not in _TINTS:
        raise ValueError(f"no colour {name!r}: the palette has {', '.join(_TINTS)}")
    return _TINTS[name]


#: CSS variables by what is drawn: the light colour (as drawn) and the dark one that replaces it.
LIGHT = {"paper": PAPER, "quiet": QUIET, "faint": FAINT, **PALETTE}
DARK = {"paper": _DARK_PAPER, "quiet": "#9aa4ae", "faint": "#4a525b", **_DARK_PALETTE}
for _name, _tint in _TINTS.items():
    LIGHT[f"{_name}-tint"] = _tint
    DARK[f"{_name}-tint"] = _mix(DARK[_name], _DARK_PAPER, 0.22)
LIGHT_INK, DARK_INK = _LIGHT_INK, _DARK_INK

#: What a box stands for, and its colour in every schematic of the book.
ROLES = {
    "input": "gold",
    "output": "gold",
    "hidden": "blue",
    "cell": "green",
    "gate": "orange",
    "query": "orange",
    "key": "blue",
    "value": "green",
    "attention": "orange",
    "norm": "gold",
    "feedforward": "blue",
    "embedding": "pink",
    "linear": "green",
    "plain": "quiet",
}


def role_color(role: str) -> str:
    """The palette's name for a role, or for a colour given by name.

    Raises:
        ValueError: neither a role nor a colour.
    """
    if role in PALETTE or role == "quiet":
        return role
    if role not in ROLES:
        raise ValueError(
            f"no role or colour {role!r}: roles are {', '.join(ROLES)}; "
            f"colours are {', '.join(PALETTE)}"
        )
    return ROLES[role]
