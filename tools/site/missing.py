"""The page for an address that the site does not have; hosts such as GitHub Pages show `404.html`.

It is shown at whatever depth the missing address has, so that relative links would lead astray: a
`<base>` says where the site begins, from `_config.yml`. A copy that is served at a server's root
(`make book`) or opened as a file is told apart by a script of a few lines.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx

from tools.site.page import Page

NAME = "404"
TITLE = "There is no such page"
BODY = f"""<section>
<h1>{TITLE}</h1>
<p>The address is mistyped, or the page has moved. Begin at the
<a class="reference internal" href="book/index.html">welcome page</a>, choose a chapter from the
list, or search the book:</p>
<form class="search-again" role="search" aria-label="The book" action="search.html">
<label for="search-again">Words to look for</label>
<input id="search-again" type="search" name="q" required>
<button type="submit">Search</button>
</form>
</section>"""

# The base is set before anything is asked for. With a base, a link within the page leads to the
# site's beginning unless it says the page's own address.
SCRIPT = """(base => {
  if (location.protocol === "file:") base.remove();
  else if (!location.pathname.startsWith(base.getAttribute("href"))) base.href = "/";
  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll("a[href^='#']")) {
      link.href = location.pathname + location.search + link.getAttribute("href");
    }
  });
})(document.querySelector("base"))"""


def collect(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The page, for Sphinx's event `html-collect-pages`."""
    yield NAME, {"title": TITLE, "body": BODY}, "page.html"


def set_base(page: Page, address: str) -> None:
    """Let the page for missing addresses find the site from any depth; leave others alone.

    Args:
        page: of the site.
        address: where the site will stand, such as `https://owner.github.io/book/`.
    """
    if page.name != NAME:
        return
    for tag in page.head.select("link[rel=canonical], meta[property^='og:']"):
        tag.decompose()
    (charset, *_) = page.head.select("meta[charset]")
    base = page.tag("base", href=urlsplit(address).path or "/")
    charset.insert_after(base, page.tag("script", SCRIPT))
    page.head.append(page.tag("meta", name_="robots", content="noindex"))
