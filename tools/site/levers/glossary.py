"""The first use of a term in a chapter leads to the glossary.

An entry may give the words by which its chapter calls the term, as in `[cosine]{.alias}`. They
stand for the term in that chapter alone, and are taken off the page.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from bs4 import Tag
from bs4.element import NavigableString

from tools.site.levers.neighbours import resolve
from tools.site.page import Page

GLOSSARY = "book/glossary"
# Running text, where a link does not disturb: no headings, code, formulas or figures.
TEXT = "article section > p, article section > ul > li, article section > ol > li"
# Titles of other works use terms in passing.
ELSEWHERE = "what-to-read"
SKIPPED = {"a", "code", "pre", "math", "svg", "summary", "script", "button", "h1", "h2", "h3"}


@dataclass(frozen=True)
class Term:
    """A term of the glossary: a name, its entry's id, and the pages that call it so, if not all."""

    name: str
    id: str
    pages: tuple[str, ...] = ()


@cache
def pattern_of(name: str) -> re.Pattern[str]:
    """A term in a sentence: in the plural too, with hyphens or without."""
    joined = r"[\s\u2010-]".join(re.escape(word) for word in re.split(r"[ -]", name))
    return re.compile(rf"(?<![\w-]){joined}(?:s|es)?(?![\w-])", re.IGNORECASE)


def read_terms(site: Iterable[Page]) -> list[Term]:
    """The terms of the built glossary, and their other names.

    Several terms in one name (*query, key and value*) are words of everyday, and not linked by it.
    The aliases are taken off the page.
    """
    terms: list[Term] = []
    for page in site:
        if page.name == GLOSSARY:
            for entry in page.soup.select("dl.glossary > dt[id]"):
                before = entry.find_previous_sibling()
                # several names before one explanation: all lead to the first
                same = before is not None and before.name == "dt" and terms
                id_ = terms[-1].id if same else str(entry["id"])
                terms.append(Term(entry.get_text(strip=True).rstrip("#¶"), id_))
            terms += list(take_aliases(page))
    return [term for term in terms if "," not in term.name]


def take_aliases(page: Page) -> Iterator[Term]:
    """The words by which chapters call the glossary's terms, taken off its page."""
    for alias in page.soup.select("dl.glossary > dd .alias"):
        text = alias.find_parent("dd")
        assert isinstance(text, Tag)
        entry = text.find_previous_sibling("dt")
        assert entry is not None
        # the first of several names
        while (before := entry.find_previous_sibling()) is not None and before.name == "dt":
            entry = before
        chapters = tuple(resolve(page, str(link["href"])) for link in text.select("a[href]"))
        yield Term(alias.get_text(), str(entry["id"]), chapters)
        alias.decompose()


def link_terms(page: Page, terms: Iterable[Term]) -> None:
    """Link each term where a chapter's running text uses it first."""
    if not page.name.startswith("notebooks/"):
        return
    left = [term for term in terms if not term.pages or page.name in term.pages]
    for string in list(running_text(page)):
        parts: list[Tag | NavigableString] = []
        text = str(string)
        while found := first_use(text, left):
            term, match = found
            link = page.tag("a", match.group(), class_="term", href=address(page, term))
            parts += [NavigableString(text[: match.start()]), link]
            text = text[match.end() :]
            left = [other for other in left if other.id != term.id]
        if parts:
            string.replace_with(*parts, NavigableString(text))


def first_use(text: str, terms: Iterable[Term]) -> tuple[Term, re.Match[str]] | None:
    """Which of the terms a text uses first, and where; of two at one place the longer."""
    uses = [(term, match) for term in terms if (match := pattern_of(term.name).search(text))]
    return min(uses, key=lambda use: (use[1].start(), -use[1].end()), default=None)


def running_text(page: Page) -> Iterator[NavigableString]:
    """The strings of the page's paragraphs, in order; not those in links, code or formulas."""
    for block in page.soup.select(TEXT):
        if block.find_parent("section", id=ELSEWHERE):
            continue
        for string in list(block.find_all(string=True)):
            parents = (parent.name for parent in string.parents if isinstance(parent, Tag))
            if type(string) is NavigableString and SKIPPED.isdisjoint(parents):
                yield string


def address(page: Page, term: Term) -> str:
    """From a page to a term's entry."""
    return f"{page.up}{GLOSSARY}.html#{term.id}"
