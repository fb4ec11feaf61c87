"""One visit to a page, for all that it tells: bytes, trouble, axe-core in both schemes, width."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

from tools.site.visiting.browser import SCRIPT, guarded, load_axe, settle
from tools.site.visiting.gates import AT_MOST, SOFT_AT_MOST, misses
from tools.site.visiting.keyboard import unmoved_figures

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
MODELS = "/_static/figures/models/"


@dataclass
class Traffic:
    """What came over the network: bytes and requests of the page, and the models' bytes.

    Models are asked for when their figure comes into view, and are counted apart.
    """

    kib: float = 0.0
    requests: int = 0
    model_kib: float = 0.0
    models: set[str] = field(default_factory=set)

    def watch(self, page: Page) -> None:
        """Count what this page asks for from now on."""
        client = page.context.new_cdp_session(page)
        client.send("Network.enable")
        client.on("Network.requestWillBeSent", self.asked)
        client.on("Network.loadingFinished", self.came)

    def asked(self, event: dict[str, Any]) -> None:
        """Remember which requests are for models."""
        if MODELS in event["request"]["url"]:
            self.models.add(event["requestId"])

    def came(self, event: dict[str, Any]) -> None:
        """Add what a request brought."""
        kib = event["encodedDataLength"] / 1024
        if event["requestId"] in self.models:
            self.model_kib += kib
        else:
            self.kib += kib
            self.requests += 1


@dataclass(frozen=True)
class Visit:
    """What one visit to a page has shown.

    Attributes:
        name: of the page, as in `_toc.yml`.
        kib, requests: over the network, compressed, before a model is loaded.
        model_kib: of the models that came as the figures came into view.
        blocking_ms: of tasks longer than 50 ms while the page was loaded, what is above that.
        shift: cumulative layout shift.
        trouble: console errors and warnings, page errors, failed and foreign requests.
        axe: findings by view, such as `dark-360`.
        outside: what makes the page scroll sideways, by width.
        unmoved: figures that no key moves.
        headings: texts of the main part's first-order headings.
        broken: addresses of images that did not come.
        link_colour: of the first link; the browser's own when the stylesheet did not come.
        texts: those beyond the alphabet, with the language that they are said to be in.
    """

    name: str
    kib: float
    requests: int
    model_kib: float
    blocking_ms: float
    shift: float
    trouble: tuple[str, ...]
    axe: dict[str, list[str]]
    outside: dict[int, list[str]]
    unmoved: list[str]
    headings: list[str]
    broken: list[str]
    link_colour: str
    texts: list[tuple[str, str]]

    @property
    def faults(self) -> list[str]:
        """What breaks a bound or is plainly wrong, in words."""
        found = misses(self, {}, AT_MOST)
        found += self.trouble
        found += [f"{view}: {finding}" for view, all_ in self.axe.items() for finding in all_]
        found += [
            f"beyond {width} px: {out}" for width, all_ in self.outside.items() for out in all_
        ]
        found += [f"no key moves {figure}" for figure in self.unmoved]
        found += [f"image did not come: {address}" for address in self.broken]
        return found

    @property
    def warnings(self) -> list[str]:
        """What misses a bound that depends on the machine, in words."""
        return misses(self, {}, SOFT_AT_MOST)

    @property
    def findings(self) -> list[str]:
        """All findings of axe-core, each once."""
        return list(dict.fromkeys(one for found in self.axe.values() for one in found))


def visit(browser: Browser, address: str, name: str) -> Visit:
    """Open a page as a new reader does, look at it in both schemes and at two widths, and leave.

    The page is loaded once, light and wide; the other views are switched to, as a reader's system
    would switch them.

    Args:
        browser: where it is opened, with nothing cached.
        address: of the site, without a slash at its end.
        name: of the page, such as `book/index`.

    Raises:
        ValueError: axe-core is not installed.
    """
    trouble: list[str] = []
    context = guarded(browser, trouble, viewport=DESKTOP, color_scheme="light")
    page = context.new_page()
    traffic = Traffic()
    traffic.watch(page)
    page.goto(f"{address}/{name}.html")
    settle(page)
    page.wait_for_load_state("networkidle")  # all that comes is counted
    page.evaluate(SCRIPT.read_text("utf8"))
    kib, requests = traffic.kib, traffic.requests
    vitals = page.evaluate("visiting.vitals()")
    page.evaluate("visiting.scrollThrough()")
    settle(page)
    page.wait_for_function("visiting.modelsCame()")
    said = {
        "headings": page.locator("main h1").all_inner_texts(),
        "broken": page.evaluate(
            "[...document.images].filter(i => !i.naturalWidth).map(i => i.src)"
        ),
        "link_colour": page.evaluate("getComputedStyle(document.querySelector('a')).color"),
        "texts": [(text, lang) for text, lang in page.evaluate("visiting.texts()")],
    }
    shift = page.evaluate("visiting.vitals().shift")  # a change of width moves everything
    load_axe(page)
    axe, outside = look_around(page)
    unmoved = unmoved_figures(page)
    context.close()
    return Visit(
        name=name,
        kib=kib,
        requests=requests,
        model_kib=traffic.model_kib,
        blocking_ms=vitals["blocking_ms"],
        shift=shift,
        trouble=tuple(trouble),
        axe=axe,
        outside=outside,
        unmoved=unmoved,
        **said,
    )


# What axe-core is asked in each scheme, on a desktop and on a phone: by which rules, and whether
# only of what is drawn anew for the width.
ASKED: tuple[dict[str, list[tuple[str, bool]]], ...] = (
    {"light": [("all", False)], "dark": [("colours", False)]},
    {"light": [("not colours", False), ("colours", True)], "dark": [("colours", True)]},
)


def look_around(page: Page) -> tuple[dict[str, list[str]], dict[int, list[str]]]:
    """axe-core's findings in four views, and what lies outside at two widths.

    All rules are asked at the larger width, and at the smaller those that are not about colour. The
    other scheme changes colours alone, and another width the colours of figures and header alone:
    there those rules are enough.
    """
    axe: dict[str, list[str]] = {}
    outside: dict[int, list[str]] = {}
    for size in (DESKTOP, PHONE):
        width = size["width"]
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate("visiting.settled()")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
            asked = ASKED[size is PHONE][scheme]
            axe[f"{scheme}-{width}"] = [one for ask in asked for one in find(page, *ask)]
        outside[width] = page.evaluate("visiting.outside()")
    return axe, outside


def find(page: Page, rules: str, drawn_anew: bool) -> list[str]:
    """axe-core's findings by some rules, on the page or on what is drawn anew for a width."""
    found: list[str] = page.evaluate(
        "([rules, drawnAnew]) => visiting.axeFindings(rules, drawnAnew)", [rules, drawn_anew]
    )
    return found
