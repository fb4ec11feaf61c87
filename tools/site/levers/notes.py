"""Notes: quotations that open with a bold word become boxes, as Jupyter shows them plainly."""

import re

from bs4 import Tag

from tools.site.page import Page, add_class

OPENING = "before-you-start"
NOTATION, GLOSSARY = "book/notation.html", "book/glossary.html"


def box_notes(page: Page) -> None:
    """Class a quotation by its first, bold words: `> **Try it.** …` is `note try-it`."""
    for quote in page.soup.select("article blockquote"):
        paragraph = quote.find("p")
        first = first_node(paragraph) if isinstance(paragraph, Tag) else None
        if isinstance(first, Tag) and first.name == "strong":
            kind = re.sub(r"[^a-z]+", "-", first.get_text().lower()).strip("-")
            add_class(quote, "note-box", kind)
            if kind == OPENING:
                name_looking_up(page, quote.find_all("p")[-1])


def name_looking_up(page: Page, paragraph: Tag) -> None:
    """End a chapter's opening with where its symbols and terms are explained."""
    symbols = page.tag("a", "Symbols", class_="reference internal", href=f"{page.up}{NOTATION}")
    terms = page.tag("a", "terms", class_="reference internal", href=f"{page.up}{GLOSSARY}")
    paragraph.extend([" ", symbols, " and ", terms, " have pages of their own."])


def first_node(parent: Tag) -> object:
    """What a paragraph begins with, blanks aside."""
    return next(
        (node for node in parent.children if isinstance(node, Tag) or str(node).strip()), None
    )
