"""Styles: the themes' and the book's own, without the rules that no page uses, in one file."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any

import rcssmin
import tinycss2
from bs4 import BeautifulSoup

from tools.site.page import Page

SHEET = "_static/site.css"
OWN = Path(__file__).parents[1] / "styles"

WORD = re.compile(r"-?[A-Za-z_][\w-]*")
URL = re.compile(r"""url\(\s*(["']?)(?!data:|https?:|#)([^)"']+)\1\s*\)""")
IMPORT = re.compile(r"""@import\s+(?:url\()?["']([^"']+)["']\)?\s*;""")
# A second form of a font, for browsers of long ago.
TTF = re.compile(r""",\s*url\([^)]*\.ttf[^)]*\)\s*format\(["']truetype["']\)""")
# Inside these a selector may name what is absent; and attributes are set by scripts.
UNSURE = re.compile(
    r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?"
)
NAMES = re.compile(r"[.#]((?:\\.|[\w-])+)")
ELEMENTS = re.compile(r"(?:^|[\s>+~(])([a-z][a-z0-9]*)(?![\w-])")
# Elements that scripts make or that every page may hold.
ALWAYS = {"html", "body", "dialog", "mark", "kbd", "button", "svg", "path", "rect", "polyline"}
GROUPS = {"media", "supports", "layer", "container"}
# Where a variable is read, and where one is set.
READ = re.compile(r"var\(\s*(--[\w-]+)")
SET = re.compile(r"(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=\}))")
# Weights of the icon font that are not served.
OTHER_ICONS = re.compile(r"fa-(brands|regular|v4)")


class Vocabulary:
    """Element names, and class names and ids, that pages and their scripts may use."""

    def __init__(self, soups: Iterable[BeautifulSoup], scripts: str) -> None:
        self.names = set(WORD.findall(scripts))
        self.elements = set(ALWAYS)
        for soup in soups:
            for element in soup.find_all(True):
                self.elements.add(element.name)
                self.names.update(" ".join(element.get_attribute_list("class")).split())
                if element.get("id"):
                    self.names.add(str(element["id"]))

    def may_match(self, selector: str) -> bool:
        """Whether an element of some page may match a selector (without commas)."""
        sure = UNSURE.sub("", selector)
        names = (name.replace("\\", "") for name in NAMES.findall(sure))
        if not all(name in self.names for name in names):
            return False
        return all(element in self.elements for element in ELEMENTS.findall(NAMES.sub("", sure)))


def purge(css: str, vocabulary: Vocabulary) -> str:
    """The rules of a stylesheet that may match something, minified."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    kept = rcssmin.cssmin("".join(kept_rules(rules, vocabulary)))
    return drop_unused_properties(kept)


def kept_rules(rules: Sequence[Any], vocabulary: Vocabulary) -> Iterable[str]:
    """Each rule that stays, as text."""
    for rule in rules:
        if rule.type == "qualified-rule":
            parts = split_selectors(tinycss2.serialize(rule.prelude))
            selectors = [part for part in parts if vocabulary.may_match(part)]
            if selectors:
                yield f"{','.join(selectors)}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.type == "at-rule":
            prelude = tinycss2.serialize(rule.prelude)
            name = rule.lower_at_keyword
            if name in GROUPS and rule.content is not None:
                inner = tinycss2.parse_rule_list(rule.content, True, True)
                body = "".join(kept_rules(inner, vocabulary))
                if body:
                    yield f"@{name}{prelude}{{{body}}}"
            elif name == "charset" or (
                name == "font-face" and OTHER_ICONS.search(tinycss2.serialize(rule.content))
            ):
                continue
            else:
                yield tinycss2.serialize([rule])


def split_selectors(prelude: str) -> list[str]:
    """A list of selectors cut at the commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^(\[]*[)\]])", prelude)]


def drop_unused_properties(css: str) -> str:
    """Without the variables that nothing reads; again and again, as variables read variables."""
    while True:
        fewer = keep_properties(css, set(READ.findall(css)))
        if fewer == css:
            return css
        css = fewer


def keep_properties(css: str, names: set[str]) -> str:
    """Without the variables that are not among these."""
    return SET.sub(lambda match: match[0] if match[1] in names else "", css)


def load(path: Path, root: Path) -> str:
    """A stylesheet with its imports in place and its addresses seen from `SHEET`."""
    folder = path.parent.relative_to(root).as_posix()

    def readdress(match: re.Match[str]) -> str:
        target = normpath(f"{folder}/{match[2].split('?')[0]}")
        return f"url({relpath(target, Path(SHEET).parent.as_posix())})"

    # every other part is the address of an import, which has been seen from its own folder
    parts = IMPORT.split(TTF.sub("", path.read_text("utf8")))
    parts[::2] = [URL.sub(readdress, part) for part in parts[::2]]
    parts[1::2] = [load((path.parent / address).resolve(), root) for address in parts[1::2]]
    return "".join(parts)


def own_styles() -> str:
    """The book's own stylesheets, in the order of their names."""
    return "\n".join(path.read_text("utf8") for path in sorted(OWN.glob("*.css")))


def join_styles(site: Sequence[Page], root: Path, scripts: str) -> str:
    """Write `SHEET`, link it in every page instead of the others, and return it.

    Args:
        site: the pages.
        root: the site's folder.
        scripts: text of the scripts, whose words may be names of classes.
    """
    paths: dict[Path, None] = {}
    for page in site:
        for link in page.head.select("link[rel=stylesheet]"):
            href = str(link["href"]).split("?")[0]
            paths[(page.path.parent / href).resolve()] = None
    css = "\n".join([*(load(path, root) for path in paths), own_styles()])
    css = purge(css, Vocabulary((page.soup for page in site), scripts))
    (root / SHEET).write_text(css, "utf8")
    digest = hashlib.sha256(css.encode()).hexdigest()[:10]
    for page in site:
        links = page.head.select("link[rel=stylesheet]")
        sheet = page.tag("link", rel="stylesheet", href=f"{page.up}{SHEET}?v={digest}")
        links[0].insert_before(sheet)
        for link in links:
            link.decompose()
    for path in paths:
        path.unlink()
    return css
