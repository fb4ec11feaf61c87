"""What paper needs beside the page: a link cannot be followed there, so its address is noted."""

from bs4 import Tag

from tools.site.page import Page


def note_links(page: Page) -> None:
    """Number the links that leave the site, and list their addresses at the article's end.

    The stylesheet shows numbers and list on paper alone. A link whose words are its address, such
    as `arXiv:1706.03762`, needs no note.
    """
    article = page.soup.select_one("article")
    if article is None:
        return
    numbers: dict[str, int] = {}
    for link in article.select("a.reference.external[href^='https://']"):
        address = str(link["href"])
        if says_address(link.get_text(), address):
            continue
        number = numbers.setdefault(address, len(numbers) + 1)
        link["data-note"] = str(number)
    if numbers:
        article.append(list_of(page, list(numbers)))


def says_address(words: str, address: str) -> bool:
    """Whether a link's words are its address, or its number where such numbers are looked up."""
    return words.removeprefix("doi:").removeprefix("arXiv:").strip() in address


def list_of(page: Page, addresses: list[str]) -> Tag:
    """The list of addresses, numbered from 1."""
    section = page.tag("div", class_="paper-links")
    section.append(page.tag("p", "Links"))
    entries = page.tag("ol")
    for address in addresses:
        entries.append(page.tag("li", address))
    section.append(entries)
    return section
