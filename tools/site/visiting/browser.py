"""A browser that reaches this machine alone, and keeps account of what goes wrong in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, sync_playwright

from tools.chromium import require_chromium

SCRIPT = Path(__file__).with_name("in_page.js")
AXE = Path(__file__).parents[2] / "lighthouse" / "node_modules" / "axe-core" / "axe.min.js"
WAIT = 10_000  # milliseconds


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium, without a window.

    Raises:
        ValueError: there is none on this machine.
    """
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=require_chromium(), args=options)
        yield browser
        browser.close()


def guarded(browser: Browser, trouble: list[str], **options: Any) -> BrowserContext:
    """A browser context that reaches localhost alone, and notes all trouble.

    Args:
        browser: where it is opened.
        trouble: what goes wrong is added here: console and page errors, foreign or failed requests.
        options: as of Playwright's `new_context`; the window is 1280 by 900 pixels without them.
    """
    context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
    context.route("**/*", lambda route: let_home(route, trouble))
    context.on("console", lambda message: note(trouble, message.type, message.text))
    context.on("weberror", lambda error: trouble.append(f"page error: {error.error}"))
    context.on("requestfailed", lambda failed: note_failure(trouble, failed))
    context.on("response", lambda answer: note_status(trouble, answer.status, answer.url))
    return context


def let_home(route: Route, trouble: list[str]) -> None:
    """Let requests to this machine pass; block and note all others."""
    parts = urlsplit(route.request.url)
    if parts.scheme in ("file", "data", "blob") or parts.hostname in ("localhost", "127.0.0.1"):
        route.continue_()
    else:
        trouble.append(f"foreign request: {route.request.url}")
        route.abort()


def note(trouble: list[str], kind: str, text: str) -> None:
    """Keep what the console reports as an error or a warning.

    On a busy machine Chromium may find that a font fetched early was not drawn within its few
    seconds: that tells of the machine, not of the page.
    """
    if kind in ("error", "warning") and "was preloaded using link preload" not in text:
        trouble.append(f"console {kind}: {text}")


def note_failure(trouble: list[str], failed: Request) -> None:
    """Keep requests that failed; one that the browser gave up for the next page did not."""
    if failed.failure != "net::ERR_ABORTED":
        trouble.append(f"failed: {failed.url} ({failed.failure})")


def note_status(trouble: list[str], status: int, address: str) -> None:
    """Keep answers that say that something is missing."""
    if status >= 400:
        trouble.append(f"status {status}: {address}")


def settle(page: Page, state: Literal["domcontentloaded", "load"] = "load") -> None:
    """Wait until the page, its fonts and its figures are there.

    Not for a network at rest, which takes half a second more: what fails later than this is noted
    as trouble all the same.

    Args:
        page: where to wait.
        state: what of the page itself; `load` waits for every file that was asked for till then.
    """
    page.wait_for_load_state(state)
    page.wait_for_function("document.fonts.status === 'loaded'", timeout=WAIT)
    if page.locator(".figure-mount").count():
        page.wait_for_function("document.documentElement.dataset.figures === 'ready'", timeout=WAIT)


def load_axe(page: Page) -> None:
    """Put axe-core into a page.

    Raises:
        ValueError: it is not installed.
    """
    if not AXE.is_file():
        raise ValueError("axe-core is not installed: run `npm ci` in tools/lighthouse")
    page.evaluate(AXE.read_text("utf8"))
