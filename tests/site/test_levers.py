"""Each lever on what a page says, alone, on a page of a few lines."""

import json
from pathlib import Path

import pytest
from site_pages import page_of

from tools.site.levers import accessibility, figures, head, images, notes, paper
from tools.site.page import Page, pages

SVG = '<svg xmlns="http://www.w3.org/2000/svg" role="img" {} viewBox="0 0 40 30"></svg>'


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


def image_page(root: Path, attributes: str, alt: str = "plot.svg") -> Page:
    (root / "book").mkdir(exist_ok=True)
    (root / "book" / "plot.svg").write_text(SVG.format(attributes), "utf8")
    return page_of(root, f'<img src="plot.svg" alt="{alt}"/><img src="plot.svg" alt="{alt}"/>')


def test_images_say_what_they_show_how_large_they_are_and_wait(tmp_path: Path) -> None:
    label = "Weights: 犬 gets most of all"
    page = image_page(tmp_path, f'aria-label="{label}" width="30pt" height="15pt"')
    images.prepare_images(page)
    first, second = page.soup.find_all("img")
    assert first["alt"] == label
    assert (first["width"], first["height"]) == ("40", "20")
    assert not first.has_attr("loading")
    assert second["loading"] == "lazy"
    assert "dark-light" in first["class"]


def test_size_may_come_from_the_view_box_and_alt_from_the_author(tmp_path: Path) -> None:
    page = image_page(tmp_path, "", "a loop of four arrows, closed")
    images.prepare_images(page)
    assert page.soup.img["alt"] == "a loop of four arrows, closed"
    assert (page.soup.img["width"], page.soup.img["height"]) == ("40", "30")


@pytest.mark.parametrize(("width", "wide"), [("480", False), ("500", True)])
def test_a_wide_picture_is_marked_with_what_holds_it(
    tmp_path: Path, width: str, wide: bool
) -> None:
    page = image_page(
        tmp_path, f'aria-label="Weights of all four words" width="{width}" height="90"'
    )
    images.prepare_images(page)
    image = page.soup.img
    assert ("wide" in image.get("class", [])) == wide
    assert ("holds-wide" in image.parent.get("class", [])) == wide


def test_png_size(tmp_path: Path) -> None:
    header = images.PNG + b"\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    (tmp_path / "a.png").write_bytes(header)
    assert images.read_size(tmp_path / "a.png") == (640, 480)


def test_image_without_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"book/one: the image plot\.svg has no text alternative"):
        images.prepare_images(image_page(tmp_path, ""))


@pytest.mark.parametrize(
    "alt", ["Figure 3", "A plot of the results", "plot", "Loss.", "This is it"]
)
def test_image_whose_words_say_nothing_is_refused(tmp_path: Path, alt: str) -> None:
    with pytest.raises(ValueError, match=r"book/one: the text alternative of plot\.svg is"):
        images.prepare_images(image_page(tmp_path, f'aria-label="{alt}"'))


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


def test_a_chapters_opening_ends_with_where_to_look_things_up(tmp_path: Path) -> None:
    first = "<p><strong>Before you start.</strong> You need:</p>"
    opening = f"{first}<ul><li>x</li></ul><p>A minute.</p>"
    page = page_of(tmp_path, f"<blockquote><div>{opening}</div></blockquote>")
    notes.box_notes(page)
    said = [paragraph.get_text() for paragraph in page.soup.select("blockquote p")]
    assert said[1] == "A minute. Symbols and terms have pages of their own."


def test_plain_quotation_stays_plain(tmp_path: Path) -> None:
    page = page_of(
        tmp_path, "<blockquote><div><p>It is <strong>so</strong>.</p></div></blockquote>"
    )
    notes.box_notes(page)
    assert not page.soup.blockquote.has_attr("class")


def test_links_that_leave_are_numbered_and_listed_once(tmp_path: Path) -> None:
    link = '<a class="reference external" href="https://{}">{}</a>'
    said = link.format("arxiv.org/abs/1706.03762", "arXiv:1706.03762")
    links = [
        link.format("a.org/", "A"),
        link.format("b.org/x", "B"),
        link.format("a.org/", "again"),
    ]
    page = page_of(tmp_path, f'<p>{"".join(links)}{said} <a href="two.html">two</a></p>')
    paper.note_links(page)
    assert [a.get("data-note") for a in page.soup.select("a")] == ["1", "2", "1", None, None]
    listed = [entry.get_text() for entry in page.soup.select("article > .paper-links li")]
    assert listed == ["https://a.org/", "https://b.org/x"]


def test_a_page_without_such_links_gets_no_list(tmp_path: Path) -> None:
    page = page_of(tmp_path, '<a href="two.html">two</a>')
    paper.note_links(page)
    assert page.soup.select(".paper-links") == []


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
