"""Each lever alone, on a page of a few lines."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont

from tools.site.levers import accessibility, figures, fonts, head, images, notes, scripts, styles
from tools.site.page import Page, pages

SVG = '<svg xmlns="http://www.w3.org/2000/svg" role="img" {} viewBox="0 0 40 30"></svg>'


def page_of(root: Path, body: str = "", head_: str = "", name: str = "book/one") -> Page:
    """A page with a head and an article, in a site at `root`."""
    path = root / f"{name}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<html lang="en"><head><meta charset="utf-8"/><title>One</title>{head_}</head>'
        f"<body><article><section>{body}</section></article></body></html>",
        "utf8",
    )
    return Page.load(path, root)


def test_description_is_the_first_paragraph_cut_between_words(tmp_path: Path) -> None:
    page = page_of(tmp_path, f"<h1>One</h1><p>{'many words ' * 40}</p>")
    head.describe(page)
    content = str(page.soup.find("meta", attrs={"name": "description"})["content"])
    assert content.startswith("many words many")
    assert len(content) <= 160
    assert content.endswith(("words…", "many…"))


def test_own_description_stays(tmp_path: Path) -> None:
    page = page_of(tmp_path, "<p>x</p>", '<meta name="description" content="mine"/>')
    head.describe(page)
    assert [meta["content"] for meta in page.soup.select("meta[name=description]")] == ["mine"]


def test_page_without_paragraph_is_described_by_its_title(tmp_path: Path) -> None:
    page = page_of(tmp_path)
    head.describe(page)
    assert page.soup.find("meta", attrs={"name": "description"})["content"] == "One"


def test_scheme_is_settled_first_and_once(tmp_path: Path) -> None:
    page = page_of(tmp_path, head_="<script>document.documentElement.dataset.mode = ''</script>")
    head.resolve_scheme(page)
    found = page.head.find_all("script")
    assert len(found) == 1
    assert "prefers-color-scheme" in found[0].string
    assert page.soup.html["data-mode"] == "auto"


def test_one_viewport_is_left(tmp_path: Path) -> None:
    page = page_of(tmp_path, head_='<meta name="viewport" content="a"/>' * 2)
    head.keep_one_viewport(page)
    assert len(page.soup.select("meta[name=viewport]")) == 1


def test_thebe_goes_and_the_rest_stays(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        '<script type="text/x-thebe-config">{}</script><script>kernelName = "x"</script>',
        '<script>const THEBE_JS_URL = "u"</script><script src="s/sphinx-thebe.js"></script>'
        '<link rel="stylesheet" href="../_static/sphinx-thebe.css"/><script src="a.js"></script>',
    )
    head.drop_thebe(page)
    assert "thebe" not in str(page.soup).lower()
    assert [script["src"] for script in page.soup.find_all("script")] == ["a.js"]


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


def image_page(root: Path, attributes: str, alt: str = "plot.svg") -> Page:
    (root / "book").mkdir(exist_ok=True)
    (root / "book" / "plot.svg").write_text(SVG.format(attributes), "utf8")
    return page_of(root, f'<img src="plot.svg" alt="{alt}"/><img src="plot.svg" alt="{alt}"/>')


def test_images_say_what_they_show_how_large_they_are_and_wait(tmp_path: Path) -> None:
    page = image_page(tmp_path, 'aria-label="Weights: 犬 most" width="30pt" height="15pt"')
    images.prepare_images(page)
    first, second = page.soup.find_all("img")
    assert first["alt"] == "Weights: 犬 most"
    assert (first["width"], first["height"]) == ("40", "20")
    assert not first.has_attr("loading")
    assert second["loading"] == "lazy"
    assert "dark-light" in first["class"]


def test_size_may_come_from_the_view_box_and_alt_from_the_author(tmp_path: Path) -> None:
    page = image_page(tmp_path, "", "a loop")
    images.prepare_images(page)
    assert page.soup.img["alt"] == "a loop"
    assert (page.soup.img["width"], page.soup.img["height"]) == ("40", "30")


def test_png_size(tmp_path: Path) -> None:
    header = images.PNG + b"\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    (tmp_path / "a.png").write_bytes(header)
    assert images.read_size(tmp_path / "a.png") == (640, 480)


def test_image_without_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"book/one: the image plot\.svg has no text alternative"):
        images.prepare_images(image_page(tmp_path, ""))


def test_foreign_image_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not of this site"):
        images.prepare_images(page_of(tmp_path, '<img src="https://elsewhere.org/a.png" alt="a"/>'))


def test_image_of_unknown_size_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.gif").write_bytes(b"GIF89a")
    with pytest.raises(ValueError, match=r"a\.gif says no size"):
        images.read_size(tmp_path / "a.gif")


def test_figures_get_a_place_as_high_as_they_are(tmp_path: Path) -> None:
    state = {
        "state": {
            "m": {"state": {"figure": "plane", "height": 420, "height_narrow": 600}},
            "k": {"state": {}},
        }
    }
    view = '<script type="application/vnd.jupyter.widget-view+json">{}</script>'
    body = (
        f'<script type="application/vnd.jupyter.widget-state+json">{json.dumps(state)}</script>'
        + view.format('{"model_id": "m"}')
        + view.format('{"model_id": "k"}')
    )
    page = page_of(tmp_path, body)
    figures.make_places(page)
    figures.load_figures(page)
    places = page.soup.select(".figure-mount")
    assert [(place["data-figure"], place["style"]) for place in places] == [
        ("plane", "--height:420px;--height-narrow:600px")
    ]
    assert places[0].script["type"].endswith("widget-view+json")
    assert len(page.soup.select('script[src="../_static/figures/mount.js"]')) == 1


def test_page_without_figure_gets_no_loader(tmp_path: Path) -> None:
    page = page_of(tmp_path, "<p>x</p>")
    figures.load_figures(page)
    assert page.soup.find("script") is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<strong>Try it.</strong> Drag.", "try-it"),
        ("\n<strong>Note.</strong>", "note"),
        ("<strong>Before you start.</strong>", "before-you-start"),
    ],
)
def test_notes_are_boxed_by_their_first_bold_words(tmp_path: Path, text: str, kind: str) -> None:
    page = page_of(tmp_path, f"<blockquote><div><p>{text}</p></div></blockquote>")
    notes.box_notes(page)
    assert page.soup.blockquote["class"] == ["note-box", kind]


def test_plain_quotation_stays_plain(tmp_path: Path) -> None:
    page = page_of(
        tmp_path, "<blockquote><div><p>It is <strong>so</strong>.</p></div></blockquote>"
    )
    notes.box_notes(page)
    assert not page.soup.blockquote.has_attr("class")


def test_names_of_controls_hold_the_words_on_them(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        '<button class="search-button-field" aria-label="Search" title="Search"><i></i>'
        "<span>Search</span><span><kbd>Ctrl</kbd>+<kbd>K</kbd></span></button>"
        '<details><summary aria-label="Toggle">Show</summary></details>'
        '<button class="primary-toggle" title="t" data-bs-toggle="tooltip"></button>',
    )
    accessibility.name_controls(page)
    assert page.soup.button["aria-label"] == "Search Ctrl+K"
    assert not page.soup.summary.has_attr("aria-label")
    toggle = page.soup.select_one(".primary-toggle")
    assert toggle["aria-label"] == "Chapters"
    assert not toggle.has_attr("data-bs-toggle")


def test_regions_and_roles(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        '<div id="pst-primary-sidebar"></div><div class="citation-list" role="list"></div>'
        '<div id="ethical-ad-placement"></div>',
    )
    accessibility.mark_regions(page)
    accessibility.drop_citation_roles(page)
    accessibility.drop_left_overs(page)
    sidebar = page.soup.select_one("#pst-primary-sidebar")
    assert (sidebar["role"], sidebar["aria-label"]) == ("navigation", "Book")
    assert page.soup.select_one("[role=list]") is None
    assert page.soup.select_one("#ethical-ad-placement") is None


def test_folded_cells_speak_of_code(tmp_path: Path) -> None:
    page = page_of(
        tmp_path, '<details class="hide"><summary><p>Show code cell source</p></summary></details>'
    )
    accessibility.word_cells(page)
    assert page.soup.summary.get_text() == "Show the code"


def test_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="make site"):
        list(pages(tmp_path))
