"""The view of positions on the page of chapter 11: slid, dragged, tapped and by keyboard."""

import pytest
from playwright.sync_api import Locator, Page
from site_pages import assert_quick, settle, update_times

from contextbook.widgets import PositionsView

CHAPTER = "notebooks/en/11-transformer"
LONGEST_UPDATE = 16.0  # milliseconds: a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-positions-view")
    figure.scroll_into_view_if_needed()
    return figure


def agrees(figure: Locator, view: PositionsView) -> bool:
    """Whether the first sentence names the places and the dot product that Python finds."""
    dot = f"{view.dot:.2f}".replace("-", "\N{MINUS SIGN}")
    first = f"Places {view.place} and {view.place + view.shift} have the dot product {dot}, "
    return figure.locator(".cb-sentences p").first.inner_text().startswith(first)


def test_by_mouse_and_keyboard(page: Page, served: str) -> None:
    figure, view = open_figure(page, served), PositionsView()
    assert agrees(figure, view)
    place = page.locator(".figure-mount").filter(has=figure).bounding_box()
    height = figure.bounding_box()
    assert abs(place["height"] - height["height"]) < 40

    # dragged in the table, until it is let go
    box = figure.locator(".cb-table").bounding_box()
    x = box["x"] + 100
    page.mouse.move(x, box["y"] + 4 + 5 * 3 + 2)
    page.mouse.down()
    page.mouse.move(x, box["y"] + 4 + 5 * 30 + 2, steps=3)
    page.mouse.up()
    page.mouse.move(x, box["y"] + 10)
    view.place = 30
    assert agrees(figure, view)

    # by keyboard: place, shift, width, base, Reset, and out
    curve = figure.locator(".cb-curve")
    before = curve.get_attribute("d")
    figure.locator(".cb-range").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    view.update(place=47, shift=16)
    assert agrees(figure, view)
    assert curve.get_attribute("d") != before
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    view.update(width=4, base=2)
    assert agrees(figure, view)
    assert figure.locator("li:visible").count() == 2
    focused = page.locator(":focus")
    assert focused.get_attribute("aria-valuetext") == "2"
    assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    page.wait_for_function(
        "node => node.textContent.startsWith('Width 4, base 2.')",
        arg=figure.locator(".cb-hidden[role=status]").element_handle(),
        timeout=5000,
    )
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    view.reset()
    assert agrees(figure, view)
    page.keyboard.press("Tab")
    assert figure.locator(":focus").count() == 0
    assert_quick(LONGEST_UPDATE, update_times(page, figure))


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_by_touch_on_a_phone(page: Page, served: str) -> None:
    figure, view = open_figure(page, served), PositionsView()
    table = figure.locator(".cb-table")
    table.tap(position={"x": 150, "y": 4 + 5 * 20 + 2})
    view.place = 20
    assert agrees(figure, view)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    edge = figure.bounding_box()["x"] + figure.bounding_box()["width"]
    for part in ("svg text", "li", "button", ".cb-output"):
        rights = figure.locator(part).evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect().right)"
        )
        assert max(rights) <= edge + 1, part
    place = page.locator(".figure-mount").filter(has=figure).bounding_box()
    height = figure.bounding_box()
    assert abs(place["height"] - height["height"]) < 40
