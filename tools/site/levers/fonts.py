"""Fonts cut down to the glyphs in use: icons of the theme, letters of the formulas."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from tools.site.formulas import text_of
from tools.site.page import Page

STIX = Path(__file__).parents[1] / "vendor" / "stix-two-math"
MATH = "_static/math.woff2"
ICONS = "_static/vendor/fontawesome/webfonts/fa-solid-900.woff2"

# Digits, signs and fences that a browser may put in by itself.
COMMON = "0123456789+−-=()[]{}|‖⟨⟩√,.;:/′ "

# Ahead of the stylesheet, or lines move when the font comes; a page opened as a file may not
# preload fonts (browsers report it as an error), and finds them on its disk at once.
PRELOAD = """if (location.protocol !== "file:") {{
  const link = document.createElement("link");
  Object.assign(link, {{ rel: "preload", as: "font", type: "font/woff2", crossOrigin: "" }});
  link.href = "{address}";
  document.head.append(link);
}}"""


def cut(font: Path, target: Path, characters: Iterable[str], features: list[str]) -> None:
    """Write the part of a font that draws these characters, as WOFF2.

    Args:
        font: the whole font.
        target: where the part goes; may be `font`.
        characters: what is drawn.
        features: OpenType features to keep.
    """
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = features
    whole = TTFont(font, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes={ord(character) for character in characters})
    cutter.subset(whole)
    subset.save_font(whole, str(target), options)


def cut_math_font(site: Iterable[Page], root: Path) -> None:
    """Serve the letters of all formulas, and tell the pages that have some to fetch them early."""
    characters = set(COMMON)
    for page in site:
        drawn = text_of(page.soup)
        if drawn:
            characters |= drawn
            script = page.tag("script", PRELOAD.format(address=f"{page.up}{MATH}"))
            styles = page.head.select_one("link[rel=stylesheet]")
            assert styles is not None
            styles.insert_before(script)
    # a variant that the font lacks is drawn by its plain letter
    characters |= {unicodedata.normalize("NFKC", char)[:1] for char in characters} - {""}
    whole = next(STIX.glob("*.woff2"))
    cut(whole, root / MATH, sorted(characters), ["ssty", "dtls", "flac"])


def icons_in(css: str) -> set[str]:
    """The characters of Unicode's private area that a stylesheet draws icons with."""
    return {character for character in css if "\ue000" <= character <= "\uf8ff"}


def cut_icon_font(css: str, root: Path) -> None:
    """Keep the icons that the joined stylesheet names."""
    cut(root / ICONS, root / ICONS, sorted(icons_in(css)), [])
