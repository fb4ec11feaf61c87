"""What a page's head says: description, one viewport, the colour scheme, nothing of Thebe."""

import json
import re
from pathlib import Path

from bs4 import Tag

from tools.site.page import Page

LONGEST = 160

# Runs before anything is drawn, so that a dark page never flashes white. What the theme's script
# would set after loading: `auto` follows the system, a choice is remembered where the browser
# lets a page remember (from a file, or with cookies blocked, it may not).
SCHEME = """(data => {
  let mode = null;
  try { mode = localStorage.getItem("mode"); } catch { /* nothing is remembered here */ }
  data.mode = mode === "light" || mode === "dark" ? mode : "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  data.theme = data.mode !== "auto" ? data.mode : dark ? "dark" : "light";
})(document.documentElement.dataset)"""


def describe(page: Page) -> None:
    """Give the page a description for search engines: its own, or its first paragraph."""
    if page.head.find("meta", attrs={"name": "description"}):
        return
    paragraphs = page.soup.select("article section > p")
    text = " ".join(paragraphs[0].get_text().split()) if paragraphs else page_title(page)
    page.head.append(page.tag("meta", name_="description", content=shorten(text)))


def describe_notebook(page: Page, source: Path) -> None:
    """Give a chapter's page the description that its notebook carries."""
    path = (source / page.name).with_suffix(".ipynb")
    if path.is_file():
        metadata = json.loads(path.read_text("utf8"))["metadata"]
        description = metadata.get("contextbook", {}).get("description")
        if description:
            content = shorten(" ".join(description.split()))
            page.head.append(page.tag("meta", name_="description", content=content))


def describe_card(page: Page) -> None:
    """Let the card that other sites show say what search engines are told."""
    description = page.head.find("meta", attrs={"name": "description"})
    card = page.head.find("meta", attrs={"property": "og:description"})
    if isinstance(description, Tag) and isinstance(card, Tag):
        card["content"] = str(description["content"])


def page_title(page: Page) -> str:
    """The text of `<title>`."""
    title = page.head.find("title")
    return title.get_text().strip() if isinstance(title, Tag) else page.name


def say_title_once(page: Page) -> None:
    """The welcome page's title is the book's: not "Book — Book"."""
    title = page.head.find("title")
    if isinstance(title, Tag):
        first, dash, second = title.get_text().strip().partition(" — ")
        if dash and first == second:
            title.string = first


def shorten(text: str) -> str:
    """At most `LONGEST` characters, cut between words."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rsplit(" ", 1)[0] + "…"


def resolve_scheme(page: Page) -> None:
    """Settle light or dark in the head, before anything is drawn."""
    html = page.soup.html
    if html is None or page.soup.body is None:
        raise ValueError(f"{page.path} has no <html> and <body>")
    for script in page.head.find_all("script", string=re.compile("dataset.mode")):
        script.decompose()
    html["data-mode"] = "auto"
    html["data-default-mode"] = "auto"
    html["data-theme"] = "light"  # without scripts
    charset = page.head.find("meta", charset=True)
    assert isinstance(charset, Tag)
    charset.insert_after(page.tag("script", SCHEME))


def keep_one_viewport(page: Page) -> None:
    """Sphinx and its theme each write a viewport: one is enough."""
    for viewport in page.head.select("meta[name=viewport]")[1:]:
        viewport.decompose()


def drop_thebe(page: Page) -> None:
    """Thebe runs code on a foreign host, and logs an error where it finds none: not here."""
    for script in page.soup.find_all("script"):
        kind, source = script.get("type", ""), script.get("src", "")
        text = script.string or ""
        if "thebe" in f"{kind} {source} {text}".lower() or text.startswith("kernelName"):
            script.decompose()
    for style in page.head.select("link[href*=thebe]"):
        style.decompose()
