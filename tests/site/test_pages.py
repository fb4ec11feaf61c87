"""Every page, as a reader gets it: over http, below a path, and as a file."""

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image
from playwright.sync_api import Page
from site_pages import CHAPTERS, PAGES, ROOT, scroll_through, settle

from contextbook.figures.palette import DARK_INK, LIGHT_INK
from tools.config import Repository, read_repository
from tools.site.levers.launch import COLAB, colab_address


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("way", ["http", "sub-path", "file"])
def test_a_page_opens_without_trouble_and_without_asking_anyone(
    page: Page, request: pytest.FixtureRequest, site: Path, name: str, way: str
) -> None:
    if way == "file":
        base = site.as_uri()
    else:
        base = request.getfixturevalue("served" if way == "http" else "served_below")
    page.goto(f"{base}/{name}.html")
    settle(page)
    scroll_through(page)
    assert page.locator("main h1").count() == 1
    broken = page.evaluate("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
    assert broken == []
    colour = page.evaluate("getComputedStyle(document.querySelector('a')).color")
    assert colour != "rgb(0, 0, 238)"  # the browser's own: the stylesheet did not come


def test_front_door_leads_to_the_welcome_page(page: Page, served: str) -> None:
    page.goto(f"{served}/")
    page.wait_for_url("**/book/index.html")


@pytest.mark.parametrize("context", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_a_phone_scrolls_down_only(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    scroll_through(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    outside = page.evaluate(
        """() => [...document.querySelectorAll("article *, footer *")].filter(element => {
          const box = element.getBoundingClientRect();
          if (!box.width || box.right <= 361) return false;
          for (let e = element.parentElement; e; e = e.parentElement) {
            if (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)) return false;
          }
          return true;
        }).map(element => element.outerHTML.slice(0, 120))"""
    )
    assert outside == []


@pytest.mark.parametrize("context", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
@pytest.mark.parametrize("name", CHAPTERS)
def test_wide_pictures_stay_readable_on_a_phone_and_scroll_by_keyboard(
    page: Page, served: str, name: str
) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    scroll_through(page)
    pictures = page.locator("article img.wide")
    for index in range(pictures.count()):
        picture = pictures.nth(index)
        box = picture.bounding_box()
        assert box is not None
        assert box["width"] > 480
        holder = picture.locator("..")
        holder.focus()
        before = holder.evaluate("element => element.scrollLeft")
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "([element, before]) => element.scrollLeft > before",
            arg=[holder.element_handle(), before],
        )


@pytest.mark.parametrize("context", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
@pytest.mark.parametrize("name", CHAPTERS)
def test_launch_links_are_in_sight_on_a_phone(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    box = page.get_by_role("link", name="Open in Colab").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] < 740


SCHEMES: list[Any] = [
    pytest.param({"color_scheme": scheme}, scheme, id=scheme) for scheme in ("light", "dark")
]


@pytest.mark.parametrize(("context", "scheme"), SCHEMES, indirect=["context"])
def test_the_scheme_is_there_before_the_first_drawing(page: Page, served: str, scheme: str) -> None:
    # scripts that come later cannot have set it
    page.route("**/site.js*", lambda route: route.fulfill(status=200, body=""))
    page.goto(f"{served}/{PAGES[0]}.html")
    html = page.locator("html")
    assert html.get_attribute("data-theme") == scheme
    assert html.get_attribute("data-mode") == "auto"


def test_a_chosen_scheme_is_kept(page: Page, served: str) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    page.get_by_role("button", name="Light, dark").click()  # away from what the system says
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def has_colour(shot: bytes, colour: str) -> bool:
    """Whether a screenshot has more than a few pixels of this colour, or very nearly."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), dtype=int)
    return int((np.abs(pixels - wanted).max(axis=-1) <= 6).sum()) > 20


@pytest.mark.parametrize("name", CHAPTERS)
def test_plots_follow_the_scheme_that_the_reader_chose(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    plot = page.locator("article .cell_output img").first
    plot.scroll_into_view_if_needed()
    settle(page)
    light = plot.screenshot()
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = plot.screenshot()
    assert has_colour(light, LIGHT_INK)
    assert has_colour(dark, DARK_INK)
    assert not has_colour(dark, "#ffffff")  # no plate behind it


def test_the_search_finds_words_of_a_chapter(page: Page, served: str) -> None:
    page.goto(f"{served}/search.html?q=softmax")
    page.wait_for_selector("#search-results li a")
    assert page.locator("#search-results li a").count() > 0


def test_the_search_dialog_leads_to_the_search_page(page: Page, served: str) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("attention")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=attention")


def links_of(path: Path) -> list[str]:
    soup = BeautifulSoup(path.read_text("utf8"), "html.parser")
    return [str(link["href"]) for link in soup.select("a[href]")]


@pytest.mark.parametrize("name", PAGES)
def test_links_within_the_site_lead_somewhere(site: Path, name: str) -> None:
    path = site / f"{name}.html"
    lost = []
    for link in links_of(path):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        if not file.is_file() or (
            anchor and file.suffix == ".html" and f'id="{anchor}"' not in file.read_text("utf8")
        ):
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_colab_opens_a_file_of_this_repository(site: Path, name: str) -> None:
    repository = read_repository(ROOT)
    found = [link for link in links_of(site / f"{name}.html") if link.startswith(COLAB)]
    assert found == [colab_address(repository, f"{name}.ipynb")]
    owner_and_name = repository.url.removeprefix("https://github.com/")
    path = found[0].removeprefix(f"{COLAB}/{owner_and_name}/blob/{repository.branch}/")
    assert (ROOT / path).is_file()


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_notebook_can_be_downloaded_as_it_is(site: Path, name: str) -> None:
    downloads = [link for link in links_of(site / f"{name}.html") if link.endswith(".ipynb")]
    copies = [link for link in downloads if "_sources" in link]
    assert len(copies) == 1
    copy = (site / f"{name}.html").parent / copies[0]
    assert copy.read_bytes() == (ROOT / f"{name}.ipynb").read_bytes()


@pytest.mark.parametrize("name", [name for name in PAGES if name not in CHAPTERS])
def test_pages_that_are_no_notebooks_have_no_launch_links(site: Path, name: str) -> None:
    assert not any(link.startswith(COLAB) for link in links_of(site / f"{name}.html"))


def test_an_address_that_colab_cannot_read_is_refused() -> None:
    with pytest.raises(ValueError, match=r"repository\.url .* 'https://example\.org/a/b'"):
        colab_address(Repository("https://example.org/a/b", "main"), "a.ipynb")


@pytest.mark.parametrize("name", PAGES)
def test_the_head_says_what_search_engines_and_browsers_want(site: Path, name: str) -> None:
    soup = BeautifulSoup((site / f"{name}.html").read_text("utf8"), "html.parser")
    assert soup.html is not None
    assert soup.html["lang"] == "en"
    assert len(soup.select("meta[name=description]")) == 1
    assert len(soup.select("meta[name=viewport]")) == 1
    assert len(soup.select("link[rel=icon]")) == 1
    assert len(soup.select("link[rel=stylesheet]")) == 1
    assert all(image.get("alt") and image.get("width") for image in soup.select("article img"))
