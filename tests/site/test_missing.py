"""An address that the site does not have, at any depth, where the site stands and elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page
from site_pages import settle, soup_of

from tools.config import Repository, read_repository
from tools.serve import serving
from tools.site.visiting.browser import guarded
from tools.site.visiting.visit import visit

PATH = urlsplit(read_repository().pages).path.rstrip("/")
AMISS = ["x.html", "notebooks/x.html", "notebooks/en/old/x.html?a=b"]


@pytest.fixture(scope="module", params=["as on GitHub Pages", "at the root"])
def base(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    """The site below the path that `_config.yml` says, or at the root of a server."""
    with serving(site, PATH if "Pages" in request.param else "") as address:
        yield address


@pytest.fixture
def lost(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page, and what goes wrong on it apart from the one missing address."""
    trouble: list[str] = []
    context = guarded(browser, trouble)
    yield context.new_page(), trouble
    context.close()


@pytest.mark.parametrize("address", AMISS)
def test_whoever_is_lost_is_shown_the_way(
    lost: tuple[Page, list[str]], base: str, address: str
) -> None:
    page, trouble = lost
    answer = page.goto(f"{base}/{address}")
    assert answer is not None
    assert answer.status == 404
    settle(page)
    # The address itself is not there; all that the page asks for is. At the root a browser looks
    # for the page's parts where `_config.yml` says before a script has told it better.
    asked = [one for one in trouble if address not in one and "status of 404" not in one]
    assert [one for one in asked if PATH not in one or base.endswith(PATH)] == []
    assert page.evaluate("getComputedStyle(document.querySelector('a')).color") != "rgb(0, 0, 238)"
    page.locator("#pst-skip-link a, a[href$='#main-content']").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/{address}#main-content")
    page.get_by_role("link", name="welcome page").click()
    page.wait_for_url(f"{base}/book/index.html")
    page.goto(f"{base}/{address}")
    page.get_by_label("Words to look for").fill("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/search.html?q=softmax")
    page.wait_for_selector("#search-results li a")


def test_it_is_as_sound_as_any_page(browser: Browser, site: Path) -> None:
    with serving(site, PATH) as address:
        seen = visit(browser, address, "404")
    assert seen.headings == ["There is no such page"]
    assert seen.faults == []


def test_it_is_no_page_for_search_engines(site: Path) -> None:
    soup = soup_of(site, "404")
    (robots,) = soup.select("meta[name=robots]")
    assert robots["content"] == "noindex"
    assert soup.select("link[rel=canonical], meta[property^='og:']") == []
    assert "404" not in (site / "sitemap.xml").read_text("utf8")


def test_a_site_may_have_an_address_of_its_own() -> None:
    own = Repository("https://github.com/a/b", "main", "https://book.example.org")
    assert own.pages == "https://book.example.org/"
    assert Repository("https://github.com/A/b", "main").pages == "https://a.github.io/b/"
