"""The built site, a server for it, and pages in a browser that may reach nothing else."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page
from site_pages import ROOT

from tools.serve import serving
from tools.site.build import build
from tools.site.visiting.browser import chromium, guarded


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give a test that was too slow, or waited in vain, two more tries.

    Another process may have stepped in; what is wrong by itself is wrong three times.
    """
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=["TooSlow", "TimeoutError"]))


def processor_seconds() -> float:
    """Seconds that this process and those it has waited for have computed: others do not count."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The site, built once for all workers, and the processor's seconds that it took."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base  # a worker of xdist
    output = shared / "site"
    clock = output / "seconds"
    with FileLock(shared / "site.lock"):
        if not clock.exists():
            start = processor_seconds()
            build(ROOT, output)
            clock.write_text(str(processor_seconds() - start))
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
    with chromium() as browser:
        yield browser


@pytest.fixture
def trouble() -> list[str]:
    """What went wrong on the test's pages: console and page errors, foreign or failed requests."""
    return []


@pytest.fixture
def context(
    browser: Browser, trouble: list[str], request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A browser context that reaches localhost alone; parametrize it indirectly with options."""
    context = guarded(browser, trouble, **getattr(request, "param", {}))
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, trouble: list[str]) -> Iterator[Page]:
    """A page of that context; the test fails at its end if there was trouble."""
    page = context.new_page()
    yield page
    assert trouble == []


@pytest.fixture(params=["http", "sub-path", "file"])
def base(request: pytest.FixtureRequest, site: Path) -> str:
    """The site's address: at the root of a server, below a path, or as a folder."""
    if request.param == "file":
        return site.as_uri()
    return str(request.getfixturevalue("served" if request.param == "http" else "served_below"))
