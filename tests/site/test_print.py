"""A chapter on paper: everything is open, nothing is cut, Japanese and formulas survive."""

import io
import re
import unicodedata

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader
from site_pages import CHAPTERS, settle

SCHEMES = [{"color_scheme": "light"}, {"color_scheme": "dark"}]


# Latin, Japanese and the root of a formula. Emoji and runes have no text in a PDF's fonts.
OTHERS = re.compile(r"[^\x21-\x7e\u3000-\u30ff\u4e00-\u9fff√]+")


def bare(text: str) -> str:
    """Text without spaces, and with plain letters for the look-alikes and ligatures of fonts."""
    return OTHERS.sub("", unicodedata.normalize("NFKC", text))


def text_on_paper(page: Page) -> str:
    """The bare text of the page's PDF."""
    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    return bare("".join(sheet.extract_text() for sheet in reader.pages))


def in_sight(page: Page, selector: str) -> list[str]:
    """Bare texts of the elements."""
    texts = page.evaluate(
        "selector => [...document.querySelectorAll(selector)].map(e => e.textContent)", selector
    )
    return [bare(text) for text in texts]


@pytest.mark.parametrize("context", SCHEMES, indirect=True)
@pytest.mark.parametrize("name", CHAPTERS)
def test_paper_holds_the_whole_chapter(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    paper = text_on_paper(page)
    assert paper.startswith(in_sight(page, "article h1")[0].removesuffix("#"))
    japanese = [
        text for text in in_sight(page, "article :is(p, li, td, pre) [lang=ja]") if len(text) > 1
    ]
    assert japanese or name != CHAPTERS[0]  # not every chapter writes it outside of its figures
    assert [text for text in japanese if text not in paper] == []
    solutions = in_sight(page, "article details pre")
    assert solutions
    assert [code for code in solutions if code not in paper] == []
    # by lines: a block that goes over to the next sheet may be read behind what follows it there
    lines = page.evaluate(
        "[...document.querySelectorAll('article pre')].flatMap(e => e.textContent.split('\\n'))"
    )
    assert [line for line in map(bare, lines) if line not in paper] == []
    for number in in_sight(page, "article .eqno"):
        assert number in paper
    for symbol in in_sight(page, "article math mi"):
        assert symbol in paper
    if page.locator("article msqrt").count():
        assert "√" in paper
    assert "Skiptomaincontent" not in paper
    assert "OpeninColab" not in paper


@pytest.mark.parametrize("context", SCHEMES, indirect=True)
def test_paper_is_white(page: Page, served: str) -> None:
    page.goto(f"{served}/{CHAPTERS[0]}.html")
    page.emulate_media(media="print")
    colours = page.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor,
                  getComputedStyle(document.querySelector("article p")).color,
                  getComputedStyle(document.querySelector("article pre span[class]")).color,
                  getComputedStyle(document.documentElement).colorScheme]"""
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(0, 0, 0)", "light"]
