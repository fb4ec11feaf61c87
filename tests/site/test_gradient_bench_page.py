"""The gradient bench on the page of chapter 5: slid, pointed at, tapped, and by keyboard."""

import re

import pytest
from playwright.sync_api import Locator, Page
from site_pages import settle

from contextbook.widgets import GradientBench

CHAPTER = "notebooks/en/05-vanishing-gradients"
LONGEST_UPDATE = 50.0  # milliseconds: forward and back through 128 steps
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DISTANCE, RADIUS, INPUTS, LENGTH = range(4)  # the sliders, from top to bottom


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-gradient-bench")
    figure.scroll_into_view_if_needed()
    return figure


def slider(figure: Locator, which: int) -> Locator:
    return figure.locator(".cb-range").nth(which)


def half(figure: Locator) -> int | None:
    """The distance from which less than half is left, as the reader reads it."""
    line = figure.locator(".cb-readings p").nth(1).inner_text()
    found = re.search(r"from distance (\d+)\.", line)
    return int(found[1]) if found else None


def reading(figure: Locator) -> str:
    return figure.locator(".cb-readings p").first.inner_text()


def curve(figure: Locator) -> str:
    return str(figure.locator(".cb-curve").get_attribute("d"))


def test_the_page_computes_what_python_computes(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    bench = GradientBench()
    assert half(figure) == bench.half
    slow = []
    for radius, inputs, length in ((1.2, 0.05, 128), (0.7, 0.3, 40), (2.0, 0.9, 128)):
        for which, value in ((RADIUS, radius), (INPUTS, inputs), (LENGTH, length)):
            slider(figure, which).fill(str(value))
            slow.append(float(page.locator("[data-update-ms]").get_attribute("data-update-ms")))
        bench.update(radius=radius, input_size=inputs, length=length)
        assert half(figure) == bench.half
    assert min(slow) < LONGEST_UPDATE


def test_presets_weights_and_reset_by_mouse(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    first = curve(figure)
    for name, lasting in (("Vanish", 3), ("Keep", 89), ("Explode", None)):
        button = figure.get_by_role("button", name=name)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert half(figure) == lasting
    assert "clipping at 1 would multiply it by" in figure.locator(".cb-readings").inner_text()
    figure.get_by_label("orthogonal").check()
    exploded = curve(figure)
    figure.get_by_label("random").check()
    assert curve(figure) != exploded
    figure.get_by_role("button", name="Reset").click()
    assert curve(figure) == first


def test_the_curve_is_read_off_under_the_pointer(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    chart = figure.locator(".cb-chart")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    before = curve(figure)
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 150)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 150, steps=5)
    read = int(slider(figure, DISTANCE).input_value())
    assert 68 <= read <= 78
    assert reading(figure).startswith(f"At distance {read} ")
    page.mouse.up()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 150)
    assert int(slider(figure, DISTANCE).input_value()) == read, "let go, it stays"
    assert curve(figure) == before


def test_everything_by_keyboard(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("button", name="Vanish").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert half(figure) == 89
    for _ in range(3):  # Explode, Reset, and then what is read off
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert reading(figure).startswith("At distance 127 ")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert half(figure) == 1
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert slider(figure, INPUTS).input_value() == "0.02"
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert slider(figure, LENGTH).input_value() == "8"
    assert reading(figure).startswith("At distance 7 ")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert figure.get_by_label("random").is_checked()
    focused = page.locator(":focus")
    assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    page.keyboard.press("Tab")
    assert figure.locator(":focus").count() == 0


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_it_works_by_touch_on_a_phone(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    figure.get_by_role("button", name="Explode").tap()
    assert half(figure) is None
    chart = figure.locator(".cb-chart")
    box = chart.bounding_box()
    chart.tap(position={"x": box["width"] / 2, "y": 150})
    assert 50 <= int(slider(figure, DISTANCE).input_value()) <= 64
    figure.get_by_text("orthogonal").tap()
    assert figure.get_by_label("orthogonal").is_checked()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_words_say_what_the_picture_shows(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("button", name="Keep").click()
    spoken = figure.locator(".cb-hidden[role=status]")
    page.wait_for_function(
        "node => node.textContent.includes('from distance 89')", arg=spoken.element_handle()
    )
    assert spoken.text_content() == figure.locator(".cb-chart").get_attribute("aria-label")


@pytest.mark.parametrize("context", [{}, PHONE], indirect=True, ids=["desktop", "phone"])
def test_the_place_kept_free_is_about_as_high_as_the_figure(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    for preset in ("Vanish", "Explode"):
        figure.get_by_role("button", name=preset).click()
        place, height = page.locator(".figure-mount").bounding_box(), figure.bounding_box()
        assert abs(place["height"] - height["height"]) < 40, "nothing moves when it comes"
