"""The figure of chapter 9 on the built page: a reader moves it and it follows, without a kernel."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_time

from contextbook.widgets import SoftDictionary

CHAPTER = "notebooks/en/09-queries-keys-values"
STATE = "application/vnd.jupyter.widget-state+json"
LONGEST_UPDATE = 8.0  # milliseconds: half a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(params=["http", "sub-path", "file"])
def address(request: pytest.FixtureRequest, site: Path) -> str:
    """The chapter's address: at the root of a server, below a path, or as a file."""
    if request.param == "file":
        base = site.as_uri()
    else:
        base = request.getfixturevalue("served" if request.param == "http" else "served_below")
    return f"{base}/{CHAPTER}.html"


@pytest.fixture
def figure(page: Page, served: str) -> Locator:
    """The figure on the chapter's page, over http."""
    return open_figure(page, f"{served}/{CHAPTER}.html")


def open_figure(page: Page, address: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(address)
    settle(page)
    figure = page.locator(".cb-soft-dictionary")
    figure.scroll_into_view_if_needed()
    return figure


def weights(figure: Locator) -> list[float]:
    """The weights that the reader sees."""
    return [float(text) for text in figure.locator(".cb-weight-number").all_inner_texts()]


def looks(figure: Locator) -> dict[str, object]:
    """All that must follow the query: arrow, halos, bars, balance point, sum."""
    return {
        "arrow": figure.locator(".cb-puck").get_attribute("transform"),
        "halos": [halo.get_attribute("r") for halo in figure.locator(".cb-halo").all()],
        "bars": [bar.get_attribute("style") for bar in figure.locator(".cb-bar").all()],
        "balance": figure.locator(".cb-pivot").get_attribute("transform"),
        "sum": figure.locator(".cb-sum").inner_text(),
        "weights": weights(figure),
    }


def assert_all_changed(before: dict[str, object], after: dict[str, object]) -> None:
    """Every part of the picture must be another one."""
    assert [part for part in before if before[part] == after[part]] == []


def middle(node: Locator) -> tuple[float, float]:
    """The middle of an element in the window."""
    box = node.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_query(page: Page, figure: Locator, dx: float, dy: float, steps: int = 40) -> list[float]:
    """Drag the query by mouse; gives the update time of each step."""
    x, y = middle(figure.locator(".cb-disc"))
    page.mouse.move(x, y)
    page.mouse.down()
    times = []
    for i in range(1, steps + 1):
        page.mouse.move(x + dx * i / steps, y + dy * i / steps)
        times.append(update_time(figure))
    page.mouse.up()
    return times


def test_the_mouse_drags_the_query_and_all_follows_at_once(
    page: Page, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = open_figure(page, address)
    before = looks(figure)
    times = drag_query(page, figure, -90, 110)
    assert_all_changed(before, looks(figure))
    assert sum(weights(figure)) == pytest.approx(1, abs=0.03)
    with capsys.disabled():
        mean = sum(times) / len(times)
        print(f"\nfigure recomputed in {mean:.2f} ms on average, {max(times):.2f} ms at most")
    assert_quick(LONGEST_UPDATE, times)


def test_the_arrow_keys_move_the_query(page: Page, address: str) -> None:
    figure = open_figure(page, address)
    before = looks(figure)
    figure.locator(".cb-query").focus()
    times = []
    for key in ("ArrowLeft", "Shift+ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        times.append(update_time(figure))
    assert_quick(LONGEST_UPDATE, times)
    assert_all_changed(before, looks(figure))


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_finger_drags_the_query_and_the_page_stays_where_it_is(
    page: Page, figure: Locator
) -> None:
    before, top = looks(figure), page.evaluate("scrollY")
    x, y = middle(figure.locator(".cb-disc"))
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": px, "y": py} for px, py in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    for i in range(1, 11):
        touch("touchMove", (x - 6 * i, y + 8 * i))
    touch("touchEnd")
    assert_all_changed(before, looks(figure))
    assert page.evaluate("scrollY") == top


def test_the_page_shows_what_python_computes(site: Path, figure: Locator) -> None:
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))
    states = [one["state"] for one in notebook["metadata"]["widgets"][STATE]["state"].values()]
    (saved,) = [state for state in states if state.get("figure") == "soft-dictionary"]
    python = SoftDictionary(**saved["example"])
    assert weights(figure) == pytest.approx(python.weights, abs=0.0051)
    shown = figure.locator(".cb-pivot text").inner_html()
    assert float(shown.split()[0].replace("−", "-")) == pytest.approx(python.output, abs=0.0051)


def test_temperature_scale_and_mask(page: Page, figure: Locator) -> None:
    slider = figure.get_by_role("slider", name="temperature")
    slider.focus()
    page.keyboard.press("Home")
    assert sorted(weights(figure))[-2:] == [0, 1]  # the hard look-up
    slider.press("ArrowRight")
    soft = weights(figure)
    slider.press("End")
    assert max(weights(figure)) < max(soft)  # warmer is flatter
    figure.get_by_role("slider", name="scale").press("Home")
    assert len(set(weights(figure))) == 1  # scale 0 asks nothing
    for box in figure.get_by_role("checkbox").all():
        box.uncheck()
    assert set(weights(figure)) == {0}
    assert "masked" in figure.locator(".cb-sum").inner_text()


def test_typed_markup_is_shown_as_text(page: Page, figure: Locator) -> None:
    markup = "<img src=x onerror=alert(1)>"
    images = page.locator("img").count()
    figure.locator(".cb-name-cell input").first.fill(markup)
    names = [node.text_content() for node in figure.locator(".cb-plane .cb-name").all()]
    assert names[0] is not None
    assert names[0].startswith("<img")
    figure.locator(".cb-number").first.fill(markup)
    figure.locator(".cb-number").first.press("Tab")
    assert f"“{markup}” is not a number" in figure.locator(".cb-complaint").inner_text()
    assert page.locator("img").count() == images


def test_keys_are_added_moved_and_removed_and_reset_brings_all_back(
    page: Page, figure: Locator
) -> None:
    before, count = looks(figure), len(weights(figure))
    figure.get_by_role("button", name="Add a key").click()
    page.keyboard.type("goat")  # its name is selected, ready to be written over
    box = figure.locator(".cb-plane").bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + 40, box["y"] + box["height"] - 20)
    names = [node.text_content() for node in figure.locator(".cb-plane .cb-name").all()]
    assert len(names) == count + 2
    assert "goat" in names

    key = figure.locator(".cb-key").first
    place = key.get_attribute("aria-valuetext")
    x, y = middle(key.locator(".cb-dot"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 30, steps=3)
    page.mouse.up()
    assert key.get_attribute("aria-valuetext") != place

    figure.locator(".cb-remove").nth(1).click()
    assert len(weights(figure)) == count + 1
    figure.get_by_role("button", name="Reset").click()
    page.mouse.move(0, 0)
    assert looks(figure) == before


def test_a_key_under_the_pointer_is_marked_everywhere(page: Page, figure: Locator) -> None:
    figure.locator(".cb-row .cb-score").nth(1).hover()
    assert figure.locator(".cb-marked").count() == 3
    figure.locator(".cb-guide").hover()
    assert figure.locator(".cb-marked").count() == 0


@pytest.mark.parametrize("context", [{}, PHONE], indirect=True, ids=["desktop", "phone"])
def test_nothing_moves_when_the_figure_comes(page: Page, served: str) -> None:
    open_figure(page, f"{served}/{CHAPTER}.html")
    shift = page.evaluate(
        """() => new Promise(resolve => {
          let sum = 0;
          new PerformanceObserver(list => {
            for (const entry of list.getEntries()) sum += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(sum), 300);
        })"""
    )
    assert shift <= 0.01
    place = page.locator(".figure-mount[data-figure=soft-dictionary]")
    kept = place.evaluate("node => parseFloat(getComputedStyle(node).minHeight)")
    needed = place.locator(".cb-figure").evaluate("node => node.offsetHeight")
    assert needed - 40 <= kept <= needed + 80


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("context", [{}, PHONE], indirect=True, ids=["desktop", "phone"])
def test_every_control_shows_its_focus(
    page: Page, figure: Locator, scheme: str, see: Callable[[Locator], bytes]
) -> None:
    page.evaluate(f"document.documentElement.dataset.theme = {scheme!r}")
    for selector in (".cb-query", ".cb-key", "input[type=text]", "input[type=range]", "button"):
        control = figure.locator(selector).first
        page.keyboard.press("Shift")  # the keyboard is in use: focus is shown
        before = see(figure)
        control.focus()
        assert see(figure) != before, f"{selector} shows no focus in the {scheme}"
        control.blur()


@pytest.fixture
def see() -> Callable[[Locator], bytes]:
    """Take a picture of an element."""
    return lambda node: node.screenshot(animations="disabled", caret="hide")
