"""The built site, a server for it, and pages in a browser that may reach nothing else."""

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, sync_playwright
from site_pages import ROOT

from tools.chromium import require_chromium
from tools.serve import serving
from tools.site.build import build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The site, built once for all workers, and the seconds that it took."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base  # a worker of xdist
    output = shared / "site"
    clock = output / "seconds"
    with FileLock(shared / "site.lock"):
        if not clock.exists():
            start = time.perf_counter()
            build(ROOT, output)
            clock.write_text(str(time.perf_counter() - start))
    return output / "_build" / "html", float(clock.read_text())


@pytest.fixture(scope="session")
def site(built: tuple[Path, float]) -> Path:
    """The folder of the built site."""
    return built[0]


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """Address of the site at the root of a server."""
    with serving(site) as address:
        yield address


@pytest.fixture(scope="session")
def served_below(site: Path) -> Iterator[str]:
    """Address of the site below a path, as on a project's page of a host."""
    with serving(site, "/a/book") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        chromium = playwright.chromium.launch(executable_path=require_chromium(), args=options)
        yield chromium
        chromium.close()


@pytest.fixture
def trouble() -> list[str]:
    """What went wrong on the test's pages: console and page errors, foreign or failed requests."""
    return []


@pytest.fixture
def context(
    browser: Browser, trouble: list[str], request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A browser context that reaches localhost alone; parametrize it indirectly with options."""
    options = {"viewport": {"width": 1280, "height": 900}} | getattr(request, "param", {})
    context = browser.new_context(**options)
    context.route("**/*", lambda route: let_home(route, trouble))
    context.on("console", lambda message: note(trouble, message.type, message.text))
    context.on("weberror", lambda error: trouble.append(f"page error: {error.error}"))
    context.on("requestfailed", lambda failed: note_failure(trouble, failed))
    context.on("response", lambda answer: note_status(trouble, answer.status, answer.url))
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, trouble: list[str]) -> Iterator[Page]:
    """A page of that context; the test fails at its end if there was trouble."""
    page = context.new_page()
    yield page
    assert trouble == []


def let_home(route: Route, trouble: list[str]) -> None:
    """Let requests to this machine pass; block and note all others."""
    parts = urlsplit(route.request.url)
    if parts.scheme in ("file", "data", "blob") or parts.hostname in ("localhost", "127.0.0.1"):
        route.continue_()
    else:
        trouble.append(f"foreign request: {route.request.url}")
        route.abort()


def note(trouble: list[str], kind: str, text: str) -> None:
    """Keep what the console reports as an error or a warning."""
    if kind in ("error", "warning"):
        trouble.append(f"console {kind}: {text}")


def note_failure(trouble: list[str], failed: Request) -> None:
    """Keep requests that failed; one that the browser gave up for the next page did not."""
    if failed.failure != "net::ERR_ABORTED":
        trouble.append(f"failed: {failed.url} ({failed.failure})")


def note_status(trouble: list[str], status: int, address: str) -> None:
    """Keep answers that say that something is missing."""
    if status >= 400:
        trouble.append(f"status {status}: {address}")


@pytest.fixture(params=["http", "sub-path", "file"])
def base(request: pytest.FixtureRequest, site: Path) -> str:
    """The site's address: at the root of a server, below a path, or as a folder."""
    if request.param == "file":
        return site.as_uri()
    return str(request.getfixturevalue("served" if request.param == "http" else "served_below"))
