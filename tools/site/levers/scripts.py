"""Scripts: fewer of them, joined into one small deferred file."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

import rjsmin
from bs4 import Tag

from tools.site.page import Page

BUNDLE = "_static/site.js"
OWN = Path(__file__).parents[1] / "scripts"

# Half a megabyte of icons that the theme's stylesheet draws from a font already, and a framework
# for pop-ups of which these pages have none.
NEEDLESS = re.compile(r"_static/scripts/(fontawesome|bootstrap)\.js")
SEARCH = re.compile(r"(searchtools|language_data|searchindex)\.js")
FIGURES = re.compile(r"_static/figures/")
# Set for a version switcher and a search that this site has not; the bundle comes later.
OPTIONS = re.compile(r"^\s*DOCUMENTATION_OPTIONS\.")


def source(script: Tag) -> str:
    """Where a script lies, without the digest in its query; empty for one in the page."""
    return str(script.get("src", "")).split("?")[0]


def drop_needless(page: Page) -> None:
    """Take away scripts that no page needs, and preloads for them."""
    for script in page.soup.find_all("script"):
        if NEEDLESS.search(source(script)) or OPTIONS.match(script.string or ""):
            script.decompose()
    for preload in page.head.select("link[rel=preload][as=script]"):
        preload.decompose()


def keep_search_on_its_page(page: Page) -> None:
    """The index and its tools are wanted on the search page alone."""
    if page.name != "search":
        for script in page.soup.find_all("script"):
            if SEARCH.search(source(script)):
                script.decompose()


def drop_repeated(page: Page) -> None:
    """Scripts in the page that say what another has said."""
    seen: set[str] = set()
    for script in page.soup.find_all("script", src=False, type=False):
        text = (script.string or "").strip()
        if text in seen:
            script.decompose()
        seen.add(text)


def join_scripts(site: Iterable[Page], root: Path) -> None:
    """One minified file of all scripts that pages share, in their order, and the book's own.

    Pages of the search and of figures keep theirs beside it; all are deferred, so that they run
    in the order in which they stand once the page is read.
    """
    joined: dict[str, None] = {}
    tags: list[tuple[Page, Tag]] = []
    for page in site:
        for script in page.soup.find_all("script", src=True):
            path = source(script)
            if SEARCH.search(path) or FIGURES.search(path):
                script.attrs.pop("async", None)
                script["defer"] = ""
            else:
                joined[(page.path.parent / path).resolve().relative_to(root).as_posix()] = None
                tags.append((page, script))
    paths = [*(root / path for path in joined), *sorted(OWN.glob("*.js"))]
    texts = [path.read_text("utf8") for path in paths]
    bundle = rjsmin.jsmin(";\n".join(re.sub(r"//# sourceMapping.*", "", text) for text in texts))
    (root / BUNDLE).write_text(bundle, "utf8")
    digest = hashlib.sha256(bundle.encode()).hexdigest()[:10]
    done: set[Path] = set()
    for page, script in tags:
        if page.path in done:
            script.decompose()
            continue
        done.add(page.path)
        script.replace_with(page.tag("script", src=f"{page.up}{BUNDLE}?v={digest}", defer=""))
    for path in joined:
        (root / path).unlink()
