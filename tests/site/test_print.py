"""Every page opened as a file, in the dark, and put on paper: nothing is lost on the way."""

import io
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page
from pypdf import PdfReader
from site_pages import CHAPTERS, PAGES, settle

from contextbook.figures.palette import DARK_INK, LIGHT_INK
from tools.site.visiting.browser import SCRIPT, guarded
from tools.site.visiting.keyboard import unmoved_figures

# Latin, Japanese and the root of a formula. Emoji and runes have no text in a PDF's fonts.
OTHERS = re.compile(r"[^\x21-\x7e\u3000-\u30ff\u4e00-\u9fff√]+")
# Two characters that one glyph of the font stands for: a PDF's reader finds the rarer one.
LOOK_ALIKES = str.maketrans("⻑‧", "長・")


def bare(text: str) -> str:
    """Text without spaces, and with plain letters for the look-alikes and ligatures of fonts."""
    return OTHERS.sub("", unicodedata.normalize("NFKC", text.translate(LOOK_ALIKES)))


@dataclass(frozen=True)
class Printed:
    """A page that was opened as a file, in the dark scheme, and printed.

    Attributes:
        name: of the page.
        trouble: errors, and requests to anywhere else.
        paper: the bare text of its PDF.
        texts: bare texts of the page by what they are: title, japanese, solutions, code, numbers,
            symbols, notes, figures.
        roots: whether a formula has a root.
        colours: of the paper, of its text, of its code, and its scheme.
        left_out: parts of figures with a background that browsers would leave out on paper.
        scheme: of the page after it was printed.
        unmoved: figures that no key moves.
        dark, light: pictures of the first plot as the reader switches the scheme.
    """

    name: str
    trouble: tuple[str, ...]
    paper: str
    texts: dict[str, list[str]]
    roots: bool
    colours: list[str]
    left_out: list[str]
    scheme: str
    unmoved: list[str]
    dark: bytes
    light: bytes


# What must be found on paper. Of code, line by line: a block that goes over to the next sheet may
# be read behind what follows it there. Of a figure, each text that stands in it when it is printed.
TEXTS = """() => {
  const all = selector => [...document.querySelectorAll(selector)].map(e => e.textContent);
  const drawn = [];
  for (const figure of document.querySelectorAll(".figure-mount .cb-figure")) {
    const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const visible = { visibilityProperty: true, opacityProperty: true };
      if (!parentElement.checkVisibility(visible)) continue;
      if (parentElement.closest("option, style, title, .cb-hidden")) continue;
      if (parentElement.getBoundingClientRect().width > 2) drawn.push(data);
    }
  }
  return {
    title: all("main h1"),
    japanese: all("article :is(p, li, td, pre, dt, dd) [lang=ja]"),
    solutions: all("article details pre"),
    code: all("article pre").flatMap(text => text.split("\\n")),
    numbers: all("article .eqno"),
    symbols: all("article math mi"),
    notes: all("article .paper-links li"),
    figures: drawn,
  };
}"""

COLOURS = """() => {
  const of = selector => document.querySelector(selector);
  const code = of("article pre span[class]");
  return [getComputedStyle(document.body).backgroundColor,
          getComputedStyle(of("article p") ?? document.body).color,
          code ? getComputedStyle(code).color : "rgb(0, 0, 0)",
          getComputedStyle(document.documentElement).colorScheme];
}"""


LEFT_OUT = """() => [...document.querySelectorAll(".figure-mount *")].filter(part => {
  const { backgroundColor, backgroundImage, printColorAdjust } = getComputedStyle(part);
  const painted = backgroundColor !== "rgba(0, 0, 0, 0)" || backgroundImage !== "none";
  return painted && printColorAdjust !== "exact";
}).map(part => part.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module", params=PAGES)
def printed(request: pytest.FixtureRequest, browser: Browser, site: Path) -> Printed:
    """A page as a file, looked at in the dark and then printed."""
    trouble: list[str] = []
    context = guarded(browser, trouble, color_scheme="dark")
    page = context.new_page()
    page.goto((site / f"{request.param}.html").as_uri())
    settle(page)
    page.evaluate(SCRIPT.read_text("utf8"))
    page.evaluate("visiting.scrollThrough()")
    dark, light = plot_in_both_schemes(page)
    page.emulate_media(media="print")
    colours = page.evaluate(COLOURS)
    texts = page.evaluate(TEXTS)
    left_out = page.evaluate(LEFT_OUT)
    roots = page.locator("article msqrt").count() > 0
    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    page.emulate_media(media="screen")
    scheme = page.evaluate("document.documentElement.dataset.theme")
    unmoved = unmoved_figures(page)
    context.close()
    return Printed(
        name=request.param,
        trouble=tuple(trouble),
        paper=bare("".join(sheet.extract_text() for sheet in reader.pages)),
        texts={kind: [bare(text) for text in found] for kind, found in texts.items()},
        roots=roots,
        colours=colours,
        left_out=left_out,
        scheme=scheme,
        unmoved=unmoved,
        dark=dark,
        light=light,
    )


def plot_in_both_schemes(page: Page) -> tuple[bytes, bytes]:
    """Pictures of the first plot, in the dark and as the reader asks for light."""
    plots = page.locator("article .cell_output img")
    if not plots.count():
        return b"", b""
    plots.first.scroll_into_view_if_needed()
    dark = plots.first.screenshot()
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    light = plots.first.screenshot()
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    return dark, light


def missing(printed: Printed, kind: str) -> list[str]:
    """Texts of a kind that are not on paper."""
    return [text for text in printed.texts[kind] if text not in printed.paper]


def test_as_a_file_a_page_opens_without_trouble_and_keys_move_its_figures(
    printed: Printed,
) -> None:
    assert printed.trouble == ()
    assert printed.unmoved == []


def test_paper_holds_the_text_the_code_and_the_solutions(printed: Printed) -> None:
    chapter = printed.name in CHAPTERS
    assert len(printed.paper) > 100 or printed.name == "search"
    assert printed.paper.startswith(printed.texts["title"][0].removesuffix("#"))
    assert bool(printed.texts["solutions"]) == chapter
    assert missing(printed, "solutions") == []
    assert missing(printed, "code") == []
    assert "Skiptomaincontent" not in printed.paper
    # its words may be spoken of, its button is for screens
    assert "OpeninColabDownload" not in printed.paper


def test_paper_holds_japanese_and_formulas(printed: Printed) -> None:
    japanese = [text for text in missing(printed, "japanese") if len(text) > 1]
    assert japanese == []
    # not every chapter writes it outside of its figures
    assert printed.texts["japanese"] or printed.name != CHAPTERS[0]
    assert missing(printed, "numbers") == []
    assert missing(printed, "symbols") == []
    assert "√" in printed.paper or not printed.roots


def test_paper_holds_the_figures_as_they_start(printed: Printed) -> None:
    assert printed.texts["figures"] or printed.name not in CHAPTERS
    assert missing(printed, "figures") == []


def test_paper_holds_what_figures_draw_as_backgrounds(printed: Printed) -> None:
    assert printed.left_out == []


def test_a_page_in_the_dark_is_drawn_light_for_paper_and_dark_again(
    printed: Printed, page: Page, served: str
) -> None:
    assert printed.scheme == "dark"
    page.goto(f"{served}/{printed.name}.html")
    page.emulate_media(color_scheme="dark")
    page.evaluate(
        "addEventListener('beforeprint', () => { window.drawn = {"
        "  theme: document.documentElement.dataset.theme,"
        "  lazy: document.querySelectorAll('img[loading=lazy]').length}; })"
    )
    page.pdf()
    assert page.evaluate("window.drawn") == {"theme": "light", "lazy": 0}


@pytest.mark.parametrize("scrolled", [False, True])
def test_a_figure_printed_before_its_model_came_says_so(
    page: Page, served: str, scrolled: bool
) -> None:
    page.goto(f"{served}/notebooks/en/08-alignment.html")
    settle(page)
    if scrolled:
        page.locator(".figure-mount[data-models]").first.scroll_into_view_if_needed()
        page.wait_for_selector(".cb-figure td, .cb-figure [role=grid], .cb-figure svg text")
    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    paper = bare("".join(sheet.extract_text() for sheet in reader.pages))
    assert ("trainedmodelhadnotbeenloaded" in paper) == (not scrolled)


def test_links_that_leave_the_site_are_noted_on_paper(printed: Printed) -> None:
    assert missing(printed, "notes") == []
    assert len(printed.texts["notes"]) >= {"book/about": 2}.get(printed.name, 0)


def test_paper_is_white(printed: Printed) -> None:
    assert printed.colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(0, 0, 0)", "light"]


def has_colour(shot: bytes, colour: str) -> bool:
    """Whether a screenshot has more than a few pixels of this colour, or very nearly."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), dtype=int)
    return int((np.abs(pixels - wanted).max(axis=-1) <= 6).sum()) > 20


def test_plots_follow_the_scheme_that_the_reader_chose(printed: Printed) -> None:
    assert bool(printed.dark) == (printed.name in CHAPTERS)
    if printed.dark:
        assert has_colour(printed.dark, DARK_INK)
        assert not has_colour(printed.dark, "#ffffff")  # no plate behind it
        assert has_colour(printed.light, LIGHT_INK)
