"""From matplotlib's SVG to the book's: small, the same bytes each time, at home on a dark page.

Matplotlib writes fixed colours. Here black becomes ``currentColor`` and the palette's colours
become CSS variables whose values a media query inside the SVG picks, so that one file, shown as an
``<img>``, follows the scheme of the page around it. Both schemes bring their own paper: where an
editor's theme and the system disagree, ink and paper still fit each other.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from xml.etree.ElementTree import Element

from contextbook.figures.palette import DARK, DARK_INK, INK, LIGHT, LIGHT_INK

__all__ = ["book_svg"]

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_VARIABLES = {color: f"var(--{name},{color})" for name, color in LIGHT.items()}
_COLOR = re.compile(r"#[0-9a-f]{6}\b")
_NUMBER = re.compile(r"-?\d+\.\d+")
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_GLYPH_SCALE = re.compile(r"scale\(([\d.]+)\)")


def book_svg(source: str, alt: str, width: int, height: int) -> str:
    """Rewrite an SVG that matplotlib saved.

    Args:
        source: the SVG document.
        alt: what the picture shows, for readers who do not see it.
        width, height: size on the page in CSS pixels.
    """
    root = ElementTree.fromstring(source[source.index("<svg") :])
    _drop_what_nobody_sees(root)
    used: set[str] = set()
    for element in root.iter():
        _rewrite(element, used)
    for attribute in ("version", "width", "height"):
        root.attrib.pop(attribute, None)
    # mostly one class for all figures: the rules are the same wherever a viewer puts the SVG inline
    name = "contextbook-figure"
    root.attrib = {
        "class": name,
        "role": "img",
        "aria-label": alt,
        "width": str(width),
        "height": str(height),
        "fill": "currentColor",
        "stroke-linejoin": "round",
        **root.attrib,
    }
    style = Element(f"{_SVG}style")
    style.text = _style(name, sorted(used))
    root.insert(0, style)
    ElementTree.register_namespace("", _SVG[1:-1])
    return ElementTree.tostring(root, encoding="unicode")


def _style(name: str, variables: list[str]) -> str:
    def rule(ink: str, colors: dict[str, str]) -> str:
        declared = "".join(f"--{variable}:{colors[variable]};" for variable in variables)
        return f".{name}{{color:{ink};background:{colors['paper']};{declared}}}"

    return f"{rule(LIGHT_INK, LIGHT)}@media(prefers-color-scheme:dark){{{rule(DARK_INK, DARK)}}}"


def _drop_what_nobody_sees(root: Element) -> None:
    """Remove metadata, matplotlib's style sheet, invisible paths, and groups that say nothing."""
    referenced = set()
    for element in root.iter():
        for value in element.attrib.values():
            referenced.update(re.findall(r"url\(#([^)]+)\)", value))
        if reference := element.get(f"{_XLINK}href", ""):
            referenced.add(reference.removeprefix("#"))
    for element in root.iter():
        if element.get("id") not in referenced:
            element.attrib.pop("id", None)
    _prune(root)


def _prune(parent: Element) -> None:
    kept: list[Element] = []
    for child in parent:
        _prune(child)
        tag = child.tag.removeprefix(_SVG)
        style = child.get("style", "")
        invisible = tag == "path" and "fill: none" in style and "stroke" not in style
        empty = tag in ("g", "defs") and len(child) == 0
        if tag in ("metadata", "style") or invisible or empty:
            continue
        if tag == "g" and not child.attrib:
            kept.extend(child)
        else:
            kept.append(child)
    parent[:] = kept
    parent.text = parent.tail = None


def _rewrite(element: Element, used: set[str]) -> None:
    if reference := element.attrib.pop(f"{_XLINK}href", None):
        element.set("href", reference)
    for name, value in element.attrib.items():
        if name == "d":
            _shrink_path(element, value)
        elif name in ("x", "y", "points") or value.startswith("translate"):
            move, scale, factors = value.partition(" scale")  # factors of a scale stay exact
            short = _NUMBER.sub(lambda match: short_number(float(match[0])), move)
            element.set(name, short + scale + factors)
        elif name in ("style", "fill", "stroke"):
            colored = _COLOR.sub(lambda match: _color(match[0], used), value)
            element.set(name, colored.replace(": ", ":").replace("; ", ";"))


def _shrink_path(element: Element, path: str) -> None:
    """Round a path. A glyph's outline is some 5,000 units high: a tenth of that is exact enough."""
    scale = _GLYPH_SCALE.fullmatch(element.get("transform", ""))
    if scale:
        element.set("d", relative_path(path, 0.1, 0))
        element.set("transform", f"scale({float(scale[1]) * 10:g})")
    else:
        element.set("d", relative_path(path, 1.0, 2))


def _color(color: str, used: set[str]) -> str:
    if color == INK:
        return "currentColor"
    if color in _VARIABLES:
        used.add(next(name for name, light in LIGHT.items() if light == color))
        return _VARIABLES[color]
    return color


def short_number(number: float, digits: int = 2) -> str:
    """The shortest way to write a rounded number in SVG: ``-0.50`` is ``-.5``."""
    text = f"{number:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return re.sub(r"^(-?)0\.", r"\1.", text)


def relative_path(path: str, factor: float, digits: int) -> str:
    """A path of ``M L Q C Z`` in relative coordinates, which take about half the bytes.

    Each step starts from the *rounded* place of the last one, so that errors do not add up.
    """
    written: list[str] = []
    x = y = start_x = start_y = 0.0
    last = ""
    for command, numbers in _COMMAND.findall(path):
        if command == "z":
            x, y = start_x, start_y
            written.append("z")
            last = "z"
            continue
        if command not in "MLQC":
            raise ValueError(f"path command {command!r} is not one that matplotlib writes")
        values = [round(float(number) * factor, digits) for number in numbers.split()]
        steps = [value - (y if i % 2 else x) for i, value in enumerate(values)]
        texts = [short_number(step, digits) for step in steps]
        joined = texts[0] + "".join(t if t.startswith("-") else f" {t}" for t in texts[1:])
        letter = command.lower()
        # a letter need not be said twice in a row (after m it would mean l)
        repeated = letter == last and letter != "m"
        written.append((("" if joined.startswith("-") else " ") if repeated else letter) + joined)
        x, y = values[-2:]
        if command == "M":
            start_x, start_y = x, y
        last = letter
    return "".join(written)
