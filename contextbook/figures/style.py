"""One quiet style for every plot: thin axes, no box around it, fonts that have Japanese glyphs."""

from __future__ import annotations

import contextlib
import logging
import unicodedata
import warnings
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from contextbook.figures.palette import FAINT, INK, PALETTE

with mpl.rc_context():  # it registers the Japanese font, and would also make it everybody's default
    import matplotlib_fontja  # noqa: F401

__all__ = ["PIXELS_PER_INCH", "book_style", "dress"]

PIXELS_PER_INCH = 96  # a CSS pixel
# DejaVu Sans comes with matplotlib; what it lacks (Japanese) is taken from the second
FAMILY = ["DejaVu Sans", "IPAexGothic"]
# matplotlib sets a text with a formula in it in one font only
FAMILY_BESIDE_FORMULAS = ["IPAexGothic"]

RC: Any = {
    "font.family": FAMILY,
    "font.size": 10.5,
    "mathtext.fontset": "stix",  # as the formulas on the page
    "figure.dpi": PIXELS_PER_INCH,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelsize": 10.5,
    "axes.prop_cycle": cycler(color=list(PALETTE.values())),
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "path.simplify": True,
    "path.simplify_threshold": 0.4,
    "svg.fonttype": "path",  # the same glyphs on every machine, also inside an <img>
    "svg.hashsalt": "contextbook",
    "svg.image_inline": True,
}


class _MissingGlyph(logging.Filter):
    """Turns matplotlib's log line about a glyph that a formula lacks into an error."""

    def filter(self, record: logging.LogRecord) -> bool:
        if "does not have a glyph" in record.getMessage():
            raise ValueError(f"{record.getMessage()}: write the formula with other characters")
        return True


@contextlib.contextmanager
def book_style() -> Iterator[None]:
    """Matplotlib in the book's style; the reader's own settings are back afterwards.

    A glyph that no font has is an error in here, never a box on the page.

    Raises:
        ValueError: a text has a glyph that neither font knows.
    """
    formulas, missing = logging.getLogger("matplotlib.mathtext"), _MissingGlyph()
    formulas.addFilter(missing)
    try:
        with mpl.rc_context(), warnings.catch_warnings():
            mpl.rcdefaults()
            mpl.rcParams.update(RC)
            warnings.filterwarnings("error", message=r"Glyph .* missing")
            yield
    except UserWarning as warning:
        raise ValueError(f"{warning}: write the text with other characters") from None
    finally:
        formulas.removeFilter(missing)


def dress(figure: Figure) -> None:
    """Give the book's look to all that was added to a figure outside of :func:`book_style`."""
    for text in (found for found in figure.findobj(Text) if isinstance(found, Text)):
        if text.get_fontfamily() != ["monospace"]:
            text.set_fontfamily(family_for(text.get_text()))
    for axes in figure.axes:
        if (title := axes.get_title(loc="center")) and not axes.get_title(loc="left"):
            axes.set_title("", loc="center")
            axes.set_title(title, loc="left")
    for legend in (found for found in figure.findobj(Legend) if isinstance(found, Legend)):
        legend.set_frame_on(False)


def family_for(text: str) -> list[str]:
    """The fonts for a text: its formulas apart, Japanese beside a formula needs its own font."""
    beside_formulas = "".join(text.split("$")[::2])
    wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in beside_formulas)
    return FAMILY_BESIDE_FORMULAS if wide and text.count("$") >= 2 else FAMILY
