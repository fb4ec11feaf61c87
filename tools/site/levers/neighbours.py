"""Where a reader can go from a page: previous and next, each with a line that says what is there.

A chapter's line is what the welcome page's map says it adds; another page's is its description.
"""

import posixpath
from collections.abc import Sequence

from tools.site.page import Page

MAP = "book/index"


def read_teasers(site: Sequence[Page]) -> dict[str, str]:
    """A line for each page, by name; the welcome page's map goes before descriptions."""
    teasers = {}
    for page in site:
        description = page.head.select_one("meta[name=description]")
        if description is not None:
            teasers[page.name] = str(description["content"])
    for page in site:
        if page.name == MAP:
            for entry in page.soup.select("#the-road li:has(.adds)"):
                link, adds = entry.select_one("a[href]"), entry.select_one(".adds")
                if link is not None and adds is not None:
                    teasers[resolve(page, str(link["href"]))] = " ".join(adds.get_text().split())
    return teasers


def add_teasers(page: Page, teasers: dict[str, str]) -> None:
    """Write its line below the title of each neighbour.

    Raises:
        ValueError: there is no line for one.
    """
    for link in page.soup.select(".prev-next-area a[href]"):
        name = resolve(page, str(link["href"]))
        place = link.select_one(".prev-next-info")
        if name not in teasers or place is None:
            raise ValueError(
                f"{page.name}: nothing says what {name} is about: add it to the map in "
                f"{MAP}.md, or give it a description (myst: html_meta: description: …)"
            )
        place.append(page.tag("p", teasers[name], class_="prev-next-teaser"))


def resolve(page: Page, href: str) -> str:
    """Name of the page that a relative link leads to."""
    path = posixpath.join(posixpath.dirname(page.name), href.partition("#")[0])
    return posixpath.normpath(path).removesuffix(".html")
