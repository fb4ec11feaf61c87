"""Notes: quotations that open with a bold word become boxes, as Jupyter shows them plainly."""

import re

from bs4 import Tag

from tools.site.page import Page, add_class


def box_notes(page: Page) -> None:
    """Class a quotation by its first, bold words: `> **Try it.** …` is `note try-it`."""
    for quote in page.soup.select("article blockquote"):
        paragraph = quote.find("p")
        first = first_node(paragraph) if isinstance(paragraph, Tag) else None
        if isinstance(first, Tag) and first.name == "strong":
            kind = re.sub(r"[^a-z]+", "-", first.get_text().lower()).strip("-")
            add_class(quote, "note-box", kind)


def first_node(parent: Tag) -> object:
    """What a paragraph begins with, blanks aside."""
    return next(
        (node for node in parent.children if isinstance(node, Tag) or str(node).strip()), None
    )
