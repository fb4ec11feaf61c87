"""Which pages the site has, and what the tests of all of them do with one."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import Locator, Page

from tools.site.page import Page as SitePage
from tools.site.visiting.browser import AXE, settle

__all__ = ["AXE", "CHAPTERS", "PAGES", "ROOT", "settle"]

ROOT = Path(__file__).parents[2]


def names_in(toc: Any) -> Iterator[str]:
    """The pages that a table of contents names, in its order."""
    if isinstance(toc, dict):
        for key, value in toc.items():
            if key in ("root", "file"):
                yield value.removesuffix(".md").removesuffix(".ipynb")
            else:
                yield from names_in(value)
    elif isinstance(toc, list):
        for value in toc:
            yield from names_in(value)


TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
PAGES = [*names_in(TOC), "search"]
CHAPTERS = [name for name in PAGES if name.startswith("notebooks/")]


@cache
def soup_of(site: Path, name: str) -> BeautifulSoup:
    """A page's tree, parsed once for all tests: read it, do not change it."""
    return BeautifulSoup((site / f"{name}.html").read_text("utf8"), "html.parser")


class TooSlow(AssertionError):
    """Updates took longer than their bar: a test that fails so has two more tries (conftest.py)."""


def assert_quick(limit: float, times: Sequence[float], share: float = 0.9) -> None:
    """Assert that this share of the updates took less than the limit, in milliseconds.

    Nine in ten, or half, and not all: now and then another process steps in.
    """
    slow = sorted(times)[int(share * (len(times) - 1))]
    if slow >= limit:
        raise TooSlow(f"{share:.0%} of {len(times)} updates took up to {slow:.1f} ms, not {limit}")


def update_time(figure: Locator) -> float:
    """Milliseconds of the last update, as the page measured it."""
    return float(figure.evaluate("node => node.closest('[data-update-ms]').dataset.updateMs"))


def update_times(page: Page, figure: Locator) -> list[float]:
    """Milliseconds that a figure needs for each of ten steps of its first slider."""
    figure.locator(".cb-range").first.focus()
    times = []
    for step in range(10):
        page.keyboard.press("ArrowLeft" if step % 2 else "ArrowRight")
        times.append(update_time(figure))
    return times


def page_of(root: Path, body: str = "", head_: str = "", name: str = "book/one") -> SitePage:
    """A page with a head and an article, in a site at `root`."""
    path = root / f"{name}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<html lang="en"><head><meta charset="utf-8"/><title>One</title>{head_}</head>'
        f"<body><article><section>{body}</section></article></body></html>",
        "utf8",
    )
    return SitePage.load(path, root)
