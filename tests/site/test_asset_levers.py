"""Each lever on scripts, styles and fonts, alone, on a site of a page or two."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from site_pages import page_of

from tools.site.levers import fonts, scripts, styles


def test_needless_scripts_go(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        head_='<script src="../_static/scripts/fontawesome.js?v=1"></script>'
        '<script src="../_static/scripts/bootstrap.js"></script>'
        '<link rel="preload" as="script" href="../_static/scripts/bootstrap.js"/>'
        "<script>DOCUMENTATION_OPTIONS.pagename = 'x';</script><script>let a = 1;</script>",
    )
    scripts.drop_needless(page)
    assert [script.string for script in page.soup.find_all("script")] == ["let a = 1;"]
    assert page.soup.find("link") is None


@pytest.mark.parametrize(("name", "left"), [("book/one", 0), ("search", 3)])
def test_search_scripts_are_on_the_search_page_alone(tmp_path: Path, name: str, left: int) -> None:
    sources = ("_static/searchtools.js", "_static/language_data.js", "searchindex.js")
    page = page_of(
        tmp_path, head_="".join(f'<script src="{s}"></script>' for s in sources), name=name
    )
    scripts.keep_search_on_its_page(page)
    assert len(page.soup.find_all("script")) == left


def test_repeated_scripts_stand_once_and_data_is_untouched(tmp_path: Path) -> None:
    data = '<script type="application/json">{}</script>'
    page = page_of(tmp_path, head_="<script>var a = 1;</script>" * 2 + data * 2)
    scripts.drop_repeated(page)
    assert len(page.soup.find_all("script")) == 3


def test_scripts_become_one_deferred_file(tmp_path: Path) -> None:
    (tmp_path / "_static" / "figures").mkdir(parents=True)
    (tmp_path / "_static" / "a.js").write_text("// first\nvar first = 1;")
    (tmp_path / "_static" / "b.js").write_text("var second = first + 1;")
    shared = '<script src="../_static/a.js?v=1"></script><script src="../_static/b.js"></script>'
    one = page_of(tmp_path, head_=shared)
    two = page_of(
        tmp_path,
        head_=shared + '<script src="../_static/figures/mount.js"></script>',
        name="book/two",
    )
    scripts.join_scripts([one, two], tmp_path)
    bundle = (tmp_path / scripts.BUNDLE).read_text("utf8")
    assert bundle.index("first=1") < bundle.index("second=first+1") < bundle.index("clipboardData")
    assert "// first" not in bundle
    assert len(one.soup.find_all("script")) == 1
    assert [script["src"].split("?")[0] for script in two.soup.find_all("script")] == [
        "../_static/site.js",
        "../_static/figures/mount.js",
    ]
    assert all(script.has_attr("defer") for script in two.soup.find_all("script"))
    assert not (tmp_path / "_static" / "a.js").exists()


VOCABULARY = styles.Vocabulary(
    [BeautifulSoup('<div class="used" id="here"><p>x</p></div>', "html.parser")], "add('scripted')"
)


@pytest.mark.parametrize(
    "selector",
    [
        "p",
        ".used",
        "#here > p",
        "div.used p::before",
        ".scripted",
        "html[data-theme=dark] p",
        "p:not(.gone)",
        "div p:hover",
        ".used:is(.gone, .used)",
    ],
)
def test_rules_that_may_match_stay(selector: str) -> None:
    assert styles.purge(f"{selector}{{color:red}}", VOCABULARY)


@pytest.mark.parametrize("selector", [".gone", "section", "#elsewhere", "p .gone", "table td"])
def test_rules_that_match_nothing_go(selector: str) -> None:
    assert styles.purge(f"{selector}{{color:red}}", VOCABULARY) == ""


def test_purge_keeps_one_selector_of_a_list_and_looks_into_groups() -> None:
    css = "@media print{.gone,.used{color:red}.gone{top:0}}@supports (top:0){.gone{top:0}}"
    assert styles.purge(css, VOCABULARY) == "@media print{.used{color:red}}"


def test_variables_that_nothing_reads_go() -> None:
    css = "p{--a:1px;--b:var(--c);--c:2px;width:var(--a)}"
    assert styles.purge(css, VOCABULARY) == "p{--a:1px;width:var(--a)}"


def test_styles_become_one_file_with_right_addresses(tmp_path: Path) -> None:
    (tmp_path / "_static" / "styles").mkdir(parents=True)
    (tmp_path / "_static" / "styles" / "a.css").write_text(
        '@import "../b.css";p{background:url("../x.svg")}'
    )
    (tmp_path / "_static" / "b.css").write_text("article{background:url(y.svg)}")
    page = page_of(
        tmp_path, "<p>x</p>", '<link rel="stylesheet" href="../_static/styles/a.css?v=1"/>'
    )
    css = styles.join_styles([page], tmp_path, "")
    assert css.index("article{background:url(y.svg)}") < css.index("p{background:url(x.svg)}")
    links = page.soup.select("link[rel=stylesheet]")
    assert [re.sub(r"\?v=\w+", "", str(link["href"])) for link in links] == ["../_static/site.css"]


def test_math_font_holds_what_formulas_draw_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "_static").mkdir()
    math = "<math><mi>q</mi><mi>softmax</mi><mi>ℝ</mi></math>"
    page = page_of(tmp_path, math, '<link rel="stylesheet" href="x.css"/>')
    plain = page_of(tmp_path, "<p>x</p>", '<link rel="stylesheet" href="x.css"/>', "book/two")
    fonts.cut_math_font([page, plain], tmp_path)
    font = TTFont(tmp_path / fonts.MATH)
    assert {ord("s"), 0x1D45E, ord("ℝ"), ord("(")} <= set(font.getBestCmap())
    assert "MATH" in font  # or fences do not grow
    assert (tmp_path / fonts.MATH).stat().st_size < 40_000
    assert "preload" in str(page.head)
    assert "preload" not in str(plain.head)


def test_icon_font_holds_the_icons_of_the_stylesheet(site: Path) -> None:
    font = TTFont(site / fonts.ICONS)
    css = (site / styles.SHEET).read_text("utf8")
    named = {ord(icon) for icon in fonts.icons_in(css)}
    assert named
    assert named == set(font.getBestCmap())
    assert (site / fonts.ICONS).stat().st_size < 8_000
