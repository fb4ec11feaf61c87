"""The cost bench on the page of chapter 12: slid, typed, dragged, tapped and by keyboard."""

import pytest
from playwright.sync_api import Locator, Page
from site_pages import assert_quick, settle, update_times

from contextbook.widgets import CostBench

CHAPTER = "notebooks/en/12-gains-and-costs"
LONGEST_UPDATE = 16.0  # milliseconds: a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
KINDS = ("rnn", "lstm", "convolution", "attention")


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-cost-bench")
    figure.scroll_into_view_if_needed()
    return figure


def size(figure: Locator, name: str, field: str = ".cb-range") -> Locator:
    """The slider, or the field, of one size."""
    return figure.locator(f".cb-row.cb-{name} {field}")


def typed(figure: Locator, name: str) -> Locator:
    return size(figure, name, "input[type=text]")


def shown(figure: Locator) -> dict[str, list[float]]:
    """What the table says, by measure, of the kinds in turn; memory in bytes."""
    units = {
        "operations": {"": 1, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12},
        "steps": {"": 1},
        "path": {"": 1},
        "memory": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12},
    }
    cells = figure.locator("tbody td").all_inner_texts()
    found: dict[str, list[float]] = {measure: [] for measure in units}
    for i, text in enumerate(cells):
        measure = list(units)[i % len(units)]
        digits, _, unit = text.replace(",", "").partition("\N{NO-BREAK SPACE}")
        found[measure].append(float(digits) * units[measure][unit])
    return found


def agrees(figure: Locator, bench: CostBench) -> bool:
    """Whether the table says what Python counts, to the three digits it shows."""
    found = shown(figure)
    expected = {
        measure: [(4 if measure == "memory" else 1) * bench.costs[kind][measure] for kind in KINDS]
        for measure in found
    }
    digits = {"steps": 0.0, "path": 0.0}
    return all(
        found[measure] == pytest.approx(numbers, rel=digits.get(measure, 0.005))
        for measure, numbers in expected.items()
    )


def test_by_mouse_and_keyboard(page: Page, served: str) -> None:
    figure, bench = open_figure(page, served), CostBench()
    assert agrees(figure, bench)
    place, height = page.locator(".figure-mount").bounding_box(), figure.bounding_box()
    assert abs(place["height"] - height["height"]) < 40

    # sizes from a button, and typed; letters that are no number, or markup, change nothing
    figure.get_by_role("button", name="BERT, 2018").click()
    bench.update(length=512, width=768, heads=12, layers=12)
    assert agrees(figure, bench)
    for wrong, word in (("7", "7 heads cannot share a width"), ("<b>8</b>", "from 1 to 96")):
        typed(figure, "heads").fill(wrong)
        typed(figure, "heads").blur()
        assert word in figure.locator(".cb-complaint").inner_text()
        assert agrees(figure, bench)
    assert figure.locator("b").count() == 0
    typed(figure, "width").fill("100")
    typed(figure, "width").blur()
    bench.update(width=100, heads=4)
    assert agrees(figure, bench)
    assert typed(figure, "heads").input_value() == "4"

    # the measure, and the switches that bear on it
    figure.get_by_label("memory", exact=True).check()
    line = figure.locator(".cb-attention .cb-curve").first
    quadratic = line.get_attribute("d")
    figure.get_by_label("fused attention").check()
    assert line.get_attribute("d") != quadratic
    figure.get_by_label("dilated").check()
    bench.update(fused=True, dilated=True)
    assert agrees(figure, bench)

    # dragged: what is read off follows the pointer until it is let go
    box = figure.locator(".cb-chart").bounding_box()
    x, y = box["x"] + box["width"], box["y"] + 100
    page.mouse.move(x - 100, y)
    page.mouse.down()
    page.mouse.move(x, y, steps=4)
    page.mouse.up()
    page.mouse.move(box["x"] + 100, y)
    bench.length = 16384
    assert agrees(figure, bench)

    figure.get_by_role("button", name="Reset").click()
    bench.reset()
    assert agrees(figure, bench)

    # by keyboard: from Reset over the measures, length, width and their numbers to the heads
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert "one another" in figure.locator(".cb-about").inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    bench.length = 192
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    bench.heads = 1
    assert agrees(figure, bench)
    focused = page.locator(":focus")
    assert focused.get_attribute("aria-valuetext") == "1"
    assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    for _ in range(3):  # its number, the layers and their number
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # projections: no longer counted
    bench.projections = False
    assert agrees(figure, bench)
    for _ in range(3):
        page.keyboard.press("Tab")
    assert figure.locator(":focus").count() == 0
    page.wait_for_function(
        "node => node.textContent.startsWith('Length 192, width 128, heads 1')",
        arg=figure.locator(".cb-hidden[role=status]").element_handle(),
        timeout=5000,
    )
    assert_quick(LONGEST_UPDATE, update_times(page, figure))


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_by_touch_on_a_phone(page: Page, served: str) -> None:
    figure, bench = open_figure(page, served), CostBench()
    figure.get_by_role("button", name="GPT-3, 2020").tap()
    bench.update(length=2048, width=12288, heads=96, layers=96)
    assert agrees(figure, bench)
    chart = figure.locator(".cb-chart")
    chart.tap(position={"x": chart.bounding_box()["width"] - 4, "y": 200})
    bench.length = 16384
    assert agrees(figure, bench)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    edge = figure.bounding_box()["x"] + figure.bounding_box()["width"]
    for part in ("table td", "svg.cb-chart text", "button"):
        rights = figure.locator(part).evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect().right)"
        )
        assert max(rights) <= edge + 1, part
    place, height = page.locator(".figure-mount").bounding_box(), figure.bounding_box()
    assert abs(place["height"] - height["height"]) < 40
