"""Every page, as a reader gets it over http: one visit each, and what it has shown."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from site_pages import CHAPTERS, PAGES, ROOT, soup_of

from tools.config import Repository, read_repository
from tools.site.japanese import JAPANESE
from tools.site.levers.figures import STATE
from tools.site.levers.launch import COLAB, colab_address
from tools.site.visiting.gates import AT_MOST, misses
from tools.site.visiting.visit import DESKTOP, PHONE, Visit, visit

MOST_WITH_MODELS = 1_200_000 / 1024  # KiB


def own_models() -> dict[str, set[str]]:
    """The models that each chapter trains for its figures.

    A model of an earlier chapter, beside which a later one sets its own, comes when asked for.
    """
    known: set[str] = set()
    found = {}
    for name in CHAPTERS:
        notebook = json.loads((ROOT / f"{name}.ipynb").read_text("utf8"))
        states = notebook["metadata"].get("widgets", {}).get(STATE, {"state": {}})["state"]
        models = {model for one in states.values() for model in one["state"].get("models", {})}
        found[name] = models - known
        known |= models
    return found


OWN_MODELS = own_models()


@pytest.fixture(scope="module", params=PAGES)
def seen(request: pytest.FixtureRequest, browser: Browser, served: str) -> Visit:
    """What a visit to the page has shown; all tests of a page share it."""
    return visit(browser, served, request.param)


def test_a_page_opens_without_trouble_and_without_asking_anyone(seen: Visit) -> None:
    assert seen.trouble == ()
    assert len(seen.headings) == 1
    assert seen.broken == []
    assert seen.link_colour != "rgb(0, 0, 238)"  # the browser's own: the stylesheet did not come


def test_a_page_is_light_and_nothing_moves_when_its_figures_come(seen: Visit) -> None:
    print(f"\n{seen.name}: {seen.kib:.0f} KiB in {seen.requests} requests, then models")
    for warning in seen.warnings:
        print(f"    missed: {warning}")
    assert seen.requests >= 3  # page, styles, script: or nothing has been counted
    assert misses(seen, {}, AT_MOST) == []


def test_a_chapter_with_its_models_is_light(seen: Visit, site: Path) -> None:
    assert seen.kib + seen.model_kib <= MOST_WITH_MODELS  # what comes to who reads it through
    own = OWN_MODELS.get(seen.name, set())
    files = [site / "_static" / "figures" / "models" / f"{name}.js" for name in own]
    own_kib = sum(len(gzip.compress(file.read_bytes())) for file in files) / 1024
    if own:
        print(
            f"\n{seen.name}: {seen.kib:.0f} KiB, with {', '.join(sorted(own))} {own_kib:.0f} more"
        )
    assert seen.kib + own_kib <= MOST_WITH_MODELS


def test_axe_finds_nothing_in_either_scheme_at_either_width(seen: Visit) -> None:
    assert len(seen.axe) == 4
    assert {view: found for view, found in seen.axe.items() if found} == {}


def test_a_page_scrolls_down_only(seen: Visit) -> None:
    assert seen.outside == {DESKTOP["width"]: [], PHONE["width"]: []}


def test_keys_move_every_figure(seen: Visit) -> None:
    assert seen.unmoved == []


def test_japanese_is_marked_as_such(seen: Visit) -> None:
    unmarked = [
        text for text, lang in seen.texts if JAPANESE.search(text) and not lang.startswith("ja")
    ]
    assert unmarked == []


def test_front_door_leads_to_the_welcome_page(page: Page, served: str) -> None:
    page.goto(f"{served}/")
    page.wait_for_url("**/book/index.html")


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


def test_the_search_dialog_leads_to_the_search_page(page: Page, served: str) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("attention")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=attention")
    page.wait_for_selector("#search-results li a")


def links_of(site: Path, name: str) -> list[str]:
    return [str(link["href"]) for link in soup_of(site, name).select("a[href]")]


@pytest.mark.parametrize("name", CHAPTERS)
def test_colab_opens_a_file_of_this_repository(site: Path, name: str) -> None:
    repository = read_repository(ROOT)
    found = [link for link in links_of(site, name) if link.startswith(COLAB)]
    assert found == [colab_address(repository, f"{name}.ipynb")]
    owner_and_name = repository.url.removeprefix("https://github.com/")
    path = found[0].removeprefix(f"{COLAB}/{owner_and_name}/blob/{repository.branch}/")
    assert (ROOT / path).is_file()


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_notebook_can_be_downloaded_as_it_is(site: Path, name: str) -> None:
    downloads = [link for link in links_of(site, name) if link.endswith(".ipynb")]
    copies = [link for link in downloads if "_sources" in link]
    assert len(copies) == 1
    copy = (site / f"{name}.html").parent / copies[0]
    assert copy.read_bytes() == (ROOT / f"{name}.ipynb").read_bytes()


@pytest.mark.parametrize("name", [name for name in PAGES if name not in CHAPTERS])
def test_pages_that_are_no_notebooks_have_no_launch_links(site: Path, name: str) -> None:
    assert not any(link.startswith(COLAB) for link in links_of(site, name))


def test_an_address_that_colab_cannot_read_is_refused() -> None:
    with pytest.raises(ValueError, match=r"repository\.url .* 'https://example\.org/a/b'"):
        colab_address(Repository("https://example.org/a/b", "main"), "a.ipynb")


@pytest.mark.parametrize("name", PAGES)
def test_the_head_says_what_search_engines_and_browsers_want(site: Path, name: str) -> None:
    soup = soup_of(site, name)
    assert soup.html is not None
    assert soup.html["lang"] == "en"
    assert len(soup.select("meta[name=description]")) == 1
    assert len(soup.select("meta[name=viewport]")) == 1
    assert len(soup.select("link[rel=icon]")) == 1
    assert len(soup.select("link[rel=stylesheet]")) == 1
