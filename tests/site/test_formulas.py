"""Formulas: MathML Core from TeX, and TeX again when a reader copies one."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Page, Route
from site_pages import CHAPTERS, settle

from tools.site.formulas import render, text_of


def math_of(tex: str, display: bool = False) -> Tag:
    math = BeautifulSoup(render(tex, display), "html.parser").find("math")
    assert isinstance(math, Tag)
    return math


def drawn(tex: str) -> str:
    """What a formula shows, without the TeX that it carries."""
    math = math_of(tex)
    annotation = math.find("annotation")
    assert isinstance(annotation, Tag)
    annotation.decompose()
    return math.get_text()


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\mathbb{R}^{n}", "ℝn"),
        (r"\mathbb{1}", "𝟙"),
        (r"\mathbf{W}_q", "𝐖q"),
        (r"\mathcal{L}", "ℒ"),
        (r"\mathcal{A}", "𝒜"),
        (r"\mathfrak{g}", "𝔤"),
        (r"\boldsymbol{\alpha}", "𝜶"),
        (r"\mathsf{T}", "𝖳"),
        (r"\mathtt{x}", "𝚡"),
        (r"\text{犬 if}", "犬 if"),
    ],
)
def test_letters_of_their_own_say_the_variant(tex: str, text: str) -> None:
    assert drawn(tex) == text.replace(" ", "\u00a0")


def test_variants_that_browsers_ignore_are_gone() -> None:
    math = math_of(r"\mathbf{x} + \mathbb{R} + \mathrm{softmax}(\partial x)")
    assert {part["mathvariant"] for part in math.select("[mathvariant]")} == {"normal"}


def test_a_word_is_one_identifier() -> None:
    names = [
        part.get_text() for part in math_of(r"\mathrm{softmax}(\operatorname{max} x)").select("mi")
    ]
    assert names == ["softmax", "max", "x"]


@pytest.mark.parametrize(("tex", "spaces"), [(r"\log x", 1), (r"\log(x)", 0)])
def test_function_names_are_set_off_by_a_thin_space(tex: str, spaces: int) -> None:
    assert len(math_of(tex).select("mspace")) == spaces
    assert "\u2061" not in drawn(tex)


def test_columns_are_aligned_by_css() -> None:
    math = math_of(r"\begin{aligned}a&=b\\c&=d\end{aligned}", display=True)
    cells = [str(cell["style"]) for cell in math.select("mtd")]
    assert [style.split(";")[0] for style in cells] == ["text-align:right", "text-align:left"] * 2
    assert not math.select("[columnalign],[columnspacing],[rowspacing]")


def test_number_stands_beside_the_formula_and_in_its_tex() -> None:
    html = BeautifulSoup(render(r"a = b \tag{9.1}", True), "html.parser")
    number = html.select_one("div.math > .eqno")
    assert number is not None
    assert (number.get_text(), number["id"]) == ("(9.1)", "equation-9-1")
    math = html.select_one("math")
    assert isinstance(math, Tag)
    assert math.select_one("annotation").get_text() == r"a = b \tag{9.1}"
    assert "9.1" not in math.select_one("mrow").get_text()


def test_environments_do_not_number_by_themselves() -> None:
    assert "mtr" in render(r"\begin{align}a&=b\\c&=d\end{align}", True)
    assert "eqno" not in render(r"\begin{equation}a\end{equation}", True)


def test_japanese_in_a_formula_is_marked() -> None:
    assert math_of(r"\text{犬}").find("mtext", lang="ja")


@pytest.mark.parametrize(
    ("tex", "display", "message"),
    [
        (r"\frac{", True, "KaTeX parse error"),
        (r"\unknown", False, "Undefined control sequence"),
        (r"a \\ b", True, r"outside an environment"),
        (r"a \tag{1}", False, "a formula in a line none"),
        (r"a \tag{1} \tag{2}", True, r"one \\tag"),
    ],
)
def test_errors(tex: str, display: bool, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        render(tex, display)


def test_text_of_holds_italic_letters_and_no_tex() -> None:
    html = BeautifulSoup(render(r"h + \frac{q}{2}", False), "html.parser")
    assert text_of(html) == set("h+q2") | {"ℎ", "𝑞"}


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapters_carry_mathml_and_no_mathjax(site: Path, name: str) -> None:
    html = (site / f"{name}.html").read_text("utf8")
    assert "<math" in html
    assert "MathJax" not in html
    soup = BeautifulSoup(html, "html.parser")
    for unread in soup.select("annotation, pre, code, script"):
        unread.decompose()
    assert not re.search(r"\$|\\[([a-z]", soup.select_one("article").get_text())
    assert not list(site.rglob("*mathjax*"))


FORMULAS = """
<p id="line">First {a}, then {b}.</p>{c}<p id="after">The end.</p>
"""


@pytest.fixture
def formula_page(page: Page, served: str) -> Page:
    """A page of the site with formulas of known TeX in its article."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{served}/{CHAPTERS[0]}.html")
    settle(page)
    html = FORMULAS.format(
        a=render(r"q \in \mathbb{R}^{d_k}", False),
        b=render("x^2", False),
        c=render(r"a < b \tag{9.9}", True),
    )
    page.evaluate("html => { document.querySelector('article').innerHTML = html; }", html)
    return page


def copy(page: Page, start: str, end: str) -> str:
    """What Ctrl+C puts on the clipboard, from the start of one element to the end of another."""
    page.evaluate(
        """([start, end]) => {
          const range = document.createRange();
          range.setStart(document.querySelector(start), 0);
          const last = document.querySelector(end);
          range.setEnd(last, last.childNodes.length);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
        }""",
        [start, end],
    )
    page.keyboard.press("Control+c")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_copying_a_formula_gives_its_tex(formula_page: Page) -> None:
    assert copy(formula_page, "#line math", "#line math") == r"$q \in \mathbb{R}^{d_k}$"


def test_copying_half_a_formula_gives_all_of_it(formula_page: Page) -> None:
    assert copy(formula_page, "#line math mo", "#line math mo") == r"$q \in \mathbb{R}^{d_k}$"


def test_copying_text_with_formulas_keeps_the_breaks(formula_page: Page) -> None:
    text = copy(formula_page, "#line", "#after")
    assert [line.strip() for line in text.splitlines() if line.strip()] == [
        r"First $q \in \mathbb{R}^{d_k}$, then $x^2$.",
        r"$$a < b \tag{9.9}$$",
        "The end.",
    ]


def test_copying_without_formula_is_left_to_the_browser(formula_page: Page) -> None:
    assert copy(formula_page, "#after", "#after").strip() == "The end."


def test_fences_grow_and_letters_come_from_the_math_font(formula_page: Page) -> None:
    tall = render(r"\left(\frac{\frac{a}{b}}{\frac{c}{d}}\right)", True)
    formula_page.evaluate("html => { document.querySelector('article').innerHTML = html; }", tall)
    assert formula_page.evaluate("document.fonts.check('16px \"Book Math\"')")
    heights = formula_page.evaluate(
        "['mo', 'mfrac'].map(name => document.querySelector(name).getBoundingClientRect().height)"
    )
    assert heights[0] > 0.9 * heights[1]


def test_formulas_are_right_without_the_math_font(page: Page, served: str) -> None:
    def without_font(route: Route) -> None:
        answer = route.fetch()
        css = answer.text()
        assert 'font-family:"Book Math",' in css
        route.fulfill(response=answer, body=css.replace('font-family:"Book Math",', "font-family:"))

    page.route("**/site.css*", without_font)
    page.goto(f"{served}/{CHAPTERS[0]}.html")
    page.wait_for_load_state("load")
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("math")].map(math => {
          const { width, height } = math.getBoundingClientRect();
          return [width, height];
        })"""
    )
    assert boxes
    assert all(width > 2 and height > 2 for width, height in boxes)
