"""Readers with a keyboard alone, on a small screen, or who want nothing to move: one visit a page.

What axe-core says of every page is in `test_pages`, where it shares a visit.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route
from site_pages import CHAPTERS, PAGES, settle

from tools.site.visiting.browser import SCRIPT, guarded
from tools.site.visiting.gates import AT_MOST
from tools.site.visiting.keyboard import Tabbing, tab_through, unmoved_figures
from tools.site.visiting.visit import DESKTOP, MODELS, PHONE


@dataclass(frozen=True)
class Worked:
    """What a visit by keyboard has shown, on a phone's screen first, then on a desktop's.

    Attributes:
        name: of the page.
        trouble: errors and foreign requests, below a path.
        shift, moved: cumulative layout shift on the small screen, and what moved.
        moving: what moves though the reader asked that nothing does.
        outside: what makes the page, loaded on the small screen, scroll sideways.
        launch: where the link to Colab is, in pixels; `None` without one.
        fixed: wide pictures that the arrow keys do not scroll, or that are too small to be read.
        tabbing: what Tab has reached, by width.
        unmoved: figures that no key moves.
    """

    name: str
    trouble: tuple[str, ...]
    shift: float
    moved: list[str]
    moving: list[str]
    outside: list[str]
    launch: dict[str, float] | None
    fixed: list[str]
    tabbing: dict[int, Tabbing]
    unmoved: list[str]


@dataclass
class Late:
    """Files that come when the page has been looked through: nothing may jump when they do."""

    held: list[Route] = field(default_factory=list)
    may_come: bool = False

    def ask(self, route: Route) -> None:
        """Let a request wait."""
        if self.may_come:
            route.continue_()
        else:
            self.held.append(route)

    def come(self) -> None:
        """Answer those that wait, and all later ones at once."""
        self.may_come = True
        for route in self.held:
            route.continue_()


@pytest.fixture(scope="module", params=PAGES)
def worked(request: pytest.FixtureRequest, browser: Browser, served_below: str) -> Worked:
    """A page below a path, on a small screen, without motion, by keyboard."""
    trouble: list[str] = []
    context = guarded(browser, trouble, viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    models = Late()
    page.route(f"**{MODELS}*", models.ask)
    # not "load": a model that is asked for early and held back would hold that up
    page.goto(f"{served_below}/{request.param}.html", wait_until="domcontentloaded")
    settle(page, "domcontentloaded")
    page.evaluate(SCRIPT.read_text("utf8"))
    launch = page.get_by_role("link", name="Open in Colab")
    launch_box: Any = launch.bounding_box() if launch.count() else None
    moving = page.evaluate("visiting.moving()")
    page.evaluate("visiting.scrollThrough()")
    models.come()
    page.wait_for_function("visiting.modelsCame()")
    page.evaluate("scrollTo(0, 0)")
    settle(page)
    vitals = page.evaluate("visiting.vitals()")
    outside = page.evaluate("visiting.outside()")
    fixed = fixed_pictures(page)
    tabbing = {PHONE["width"]: tab_through(page)}
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    page.evaluate("visiting.settled()")
    tabbing[DESKTOP["width"]] = tab_through(page)
    unmoved = unmoved_figures(page)
    context.close()
    return Worked(
        name=request.param,
        trouble=tuple(trouble),
        shift=vitals["shift"],
        moved=vitals["moved"],
        moving=moving,
        outside=outside,
        launch=launch_box,
        fixed=fixed,
        tabbing=tabbing,
        unmoved=unmoved,
    )


def fixed_pictures(page: Page) -> list[str]:
    """Wide pictures that are shrunk on a phone, or that the arrow keys do not scroll there."""
    found = []
    for picture in page.locator("article img.wide").all():
        holder = picture.locator("..")
        holder.focus()
        before = holder.evaluate("element => element.scrollLeft")
        page.keyboard.press("ArrowRight")
        scrolled = page.evaluate(
            "([element, before]) => visiting.scrolls(element, before)",
            [holder.element_handle(), before],
        )
        box = picture.bounding_box()
        if not scrolled or box is None or box["width"] <= 480:
            found.append(picture.get_attribute("alt") or "")
    return found


def test_below_a_path_nothing_is_amiss(worked: Worked) -> None:
    assert worked.trouble == ()


def test_a_phone_scrolls_down_only_and_nothing_jumps(worked: Worked) -> None:
    assert worked.outside == []
    assert worked.shift <= AT_MOST["shift"], worked.moved


def test_wide_pictures_stay_readable_on_a_phone_and_scroll_by_keyboard(worked: Worked) -> None:
    assert worked.fixed == []


def test_launch_links_are_in_sight_on_a_phone(worked: Worked) -> None:
    box = worked.launch
    assert (box is not None) == (worked.name in CHAPTERS)
    if box is not None:
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] < PHONE["height"]


def test_nothing_moves_by_itself_for_readers_who_asked_for_that(worked: Worked) -> None:
    assert worked.moving == []


@pytest.mark.parametrize("width", [PHONE["width"], DESKTOP["width"]])
def test_tab_reaches_everything_and_shows_where_it_is(worked: Worked, width: int) -> None:
    tabbing = worked.tabbing[width]
    assert tabbing.stops >= 5
    assert tabbing.unreached == []
    assert tabbing.unseen == []


def test_keys_move_every_figure(worked: Worked) -> None:
    assert worked.unmoved == []


def test_first_tab_skips_to_the_text(page: Page, served: str) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    page.keyboard.press("Tab")
    link = page.locator(":focus")
    assert link.inner_text() == "Skip to main content"
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#main-content")


@pytest.mark.parametrize("context", [{"viewport": PHONE}], indirect=True)
def test_the_list_of_chapters_opens_and_closes_by_keyboard_on_a_phone(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    settle(page)
    toggle = page.get_by_role("button", name="Chapters")
    toggle.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#pst-primary-sidebar-modal")
    dialog.wait_for(state="visible")
    assert dialog.get_by_role("link", name="Notation").is_visible()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.wait_for_function(
        "toggle => toggle === document.activeElement", arg=toggle.element_handle()
    )


@pytest.mark.parametrize(
    ("body", "unreached", "unseen"),
    [
        ("<a href='#'>a</a><button>b</button>", 0, 0),
        ("<a href='#' style='outline: none'>a</a>", 0, 1),
        ("<a href='#' onfocus='this.blur()'>a</a><button>b</button>", 2, 0),
    ],
)
def test_what_tab_does_not_reach_or_show_is_found(
    page: Page, body: str, unreached: int, unseen: int
) -> None:
    page.set_content(body)
    page.evaluate(SCRIPT.read_text("utf8"))
    tabbing = tab_through(page)
    assert (len(tabbing.unreached), len(tabbing.unseen)) == (unreached, unseen)


def test_a_figure_that_no_key_moves_is_found(page: Page) -> None:
    slider = "<input type=range oninput='this.nextSibling.textContent = this.value'><b></b>"
    dead = "<input type=range><button>dead</button>"
    page.set_content(
        f"<div class='figure-mount' data-figure='live'>{slider}</div>"
        f"<div class='figure-mount' data-figure='dead'>{dead}</div>"
    )
    page.evaluate(SCRIPT.read_text("utf8"))
    assert unmoved_figures(page) == ["dead"]
