"""Images: a text alternative, their size, and no loading before they come near."""

import re
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tools.site.page import Page, add_class

# A wider picture keeps a readable size on a phone and is scrolled there.
WIDE = 480
PNG = b"\x89PNG\r\n\x1a\n"


def prepare_images(page: Page) -> None:
    """Give each image of the article its alt text, width and height; load all but one lazily.

    Raises:
        ValueError: an image has no text alternative, or its size cannot be read.
    """
    for index, image in enumerate(page.soup.select("article img")):
        source = str(image["src"])
        path = page.path.parent / source
        if ":" in source:
            raise ValueError(f"{page.name}: the image {source} is not of this site")
        label = read_label(path)
        # Sphinx puts the address where an author gave no words
        alt = str(image.get("alt", ""))
        alt = label or ("" if alt.endswith(path.name) else alt)
        if not alt:
            raise ValueError(
                f"{page.name}: the image {source} has no text alternative: "
                "draw it with contextbook.figures.show(figure, alt), or write ![what it shows](…)"
            )
        if is_generic(alt):
            raise ValueError(
                f"{page.name}: the text alternative of {source} is {alt!r}: say what it shows, to "
                "somebody who cannot see it"
            )
        image["alt"] = alt
        width, height = read_size(path)
        image["width"], image["height"] = f"{width:g}", f"{height:g}"
        image["decoding"] = "async"
        if width > WIDE and image.parent is not None:
            add_class(image, "wide")
            add_class(image.parent, "holds-wide")
        if index:
            image["loading"] = "lazy"
        if path.suffix == ".svg":
            # drawn for both schemes: the theme puts no plate behind it
            add_class(image, "dark-light")


# Words that say that there is a picture, and not what is in it.
GENERIC = re.compile(
    "a|an|the|of|this|that|it|is|here|in|with|and|for|"
    "fig|figure|img|image|picture|plot|chart|graph|diagram|drawing|schematic|screenshot|"
    "output|shows?|showing|results?|example"
)
FEWEST_WORDS = 4


def is_generic(alt: str) -> bool:
    """Whether a text alternative says no more than that there is a picture."""
    words = re.findall(r"[^\W\d]+", alt.lower())
    return len([word for word in words if not GENERIC.fullmatch(word)]) < FEWEST_WORDS


def read_label(path: Path) -> str:
    """What an SVG says of itself; empty for other images."""
    if path.suffix != ".svg":
        return ""
    return ElementTree.parse(path).getroot().get("aria-label", "")


def read_size(path: Path) -> tuple[float, float]:
    """Width and height in CSS pixels, of an SVG or a PNG.

    Raises:
        ValueError: the file says neither.
    """
    if path.suffix == ".svg":
        root = ElementTree.parse(path).getroot()
        box = (root.get("viewBox") or "").replace(",", " ").split()
        sides = [root.get("width") or "", root.get("height") or ""]
        if all(sides):
            return pixels(sides[0]), pixels(sides[1])
        if len(box) == 4:
            return float(box[2]), float(box[3])
    else:
        start = path.read_bytes()[:24]
        if start.startswith(PNG):
            return struct.unpack(">II", start[16:24])
    raise ValueError(f"the image {path.name} says no size: it must be an SVG or a PNG")


def pixels(length: str) -> float:
    """A length of SVG in CSS pixels; matplotlib writes points."""
    if length.endswith("pt"):
        return round(float(length[:-2]) * 4 / 3, 2)
    return float(length.removesuffix("px"))
