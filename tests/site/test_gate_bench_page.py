"""The gate bench on the page of chapter 6: slid, typed, clicked, tapped and by keyboard."""

import json
import math

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_times

from contextbook.widgets import GateBench

CHAPTER = "notebooks/en/06-lstm"
STATE = "application/vnd.jupyter.widget-state+json"
ROWS = ("candidate", "input_gate", "forget_gate", "output_gate")
LONGEST_UPDATE = 16.0  # milliseconds: a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def saved() -> GateBench:
    """The figure as the chapter's notebook holds it."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text("utf-8"))
    states = notebook["metadata"]["widgets"][STATE]["state"].values()
    (state,) = (one["state"] for one in states if one["state"].get("figure") == "gate-bench")
    return GateBench(**{name: state[name] for name in ROWS}, step=state["step"])


@pytest.fixture
def bench() -> GateBench:
    """What the page must show."""
    return saved()


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-gate-bench")
    figure.scroll_into_view_if_needed()
    return figure


def row(figure: Locator, name: str, field: str = ".cb-range") -> Locator:
    """The slider, or the field, of one row."""
    return figure.locator(f".cb-row.cb-{name} {field}")


def step(figure: Locator) -> int:
    """The chosen step."""
    return int(figure.locator(".cb-controls output").first.inner_text().split()[0])


def agrees(figure: Locator, bench: GateBench) -> bool:
    """Whether the numbers beside the curves are those that Python computes."""
    t = step(figure) - 1
    shown = [figure.locator(f".cb-line-{kind} .cb-value") for kind in ("cell", "hidden")]
    numbers = [float(one.text_content().replace("\N{MINUS SIGN}", "-")) for one in shown]
    expected = (bench.cell[t], bench.hidden[t])
    return all(math.isclose(a, b, abs_tol=0.0051) for a, b in zip(numbers, expected, strict=True))


def test_it_shows_what_the_notebook_holds_and_follows_sliders_and_fields(
    page: Page, base: str, bench: GateBench
) -> None:
    figure = open_figure(page, base)
    assert step(figure) == bench.step
    assert agrees(figure, bench)
    assert figure.locator(".cb-bar").count() == 4 * len(bench.candidate)
    row(figure, "forget_gate").fill("0.9")
    bench.forget_gate = [0.9] * 12
    figure.get_by_label("only step").check()
    figure.locator(".cb-controls > .cb-slider .cb-range").fill("5")
    row(figure, "input_gate", "input[type=text]").fill("0.5")
    row(figure, "candidate", "input[type=text]").fill("-1")
    row(figure, "candidate", "input[type=text]").blur()
    bench.input_gate = [1, 0, 0, 0, 0.5, *[0] * 7]
    bench.candidate = [*bench.candidate[:4], -1, *bench.candidate[5:]]
    for chosen in (5, 6, 12):
        figure.locator(".cb-controls > .cb-slider .cb-range").fill(str(chosen))
        assert step(figure) == chosen
        assert agrees(figure, bench)
    assert f"leave {100 * 0.9**11:.0f}% of it" in figure.locator(".cb-left").inner_text()
    assert_quick(LONGEST_UPDATE, update_times(page, figure))


def test_presets_clicks_and_reset_by_mouse(page: Page, served: str, bench: GateBench) -> None:
    figure = open_figure(page, served)
    picture = figure.locator("svg.cb-steps")
    for preset in GateBench().presets:
        button = figure.get_by_role("button", name=preset["label"], exact=True)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        bench.update(**{name: preset[name] for name in ROWS})
        box = picture.bounding_box()
        picture.click(position={"x": box["width"] - 12, "y": 60})
        assert step(figure) == 12
        assert agrees(figure, bench)
    assert "57%" in figure.locator(".cb-left").inner_text()
    figure.get_by_role("button", name="Reset").click()
    assert step(figure) == 1
    assert agrees(figure, saved())


def test_a_wrong_number_gets_a_word_and_changes_nothing(
    page: Page, served: str, bench: GateBench
) -> None:
    figure = open_figure(page, served)
    field = row(figure, "forget_gate", "input[type=text]")
    for wrong in ("1.2", "<b>half</b>"):
        field.fill(wrong)
        field.blur()
        assert field.get_attribute("aria-invalid") == "true"
        complaint = figure.locator(".cb-complaint").inner_text()
        assert complaint == "forget gate takes a number from 0 to 1."
        assert agrees(figure, bench)
    assert figure.locator("b").count() == 0
    figure.get_by_role("button", name="Reset").click()
    assert field.input_value() == "1"
    assert figure.locator(".cb-complaint").inner_text() == ""


def test_everything_by_keyboard(page: Page, served: str, bench: GateBench) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("button", name="Keep").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    bench.update(**{name: GateBench().presets[2][name] for name in ROWS})
    for _ in range(4):  # two presets, Reset, and then the step
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert step(figure) == 12
    assert agrees(figure, bench)
    page.keyboard.press("Tab")
    page.keyboard.press("Home")  # what step 12 offers: -1
    bench.candidate = [*bench.candidate[:11], -1]
    assert agrees(figure, bench)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # only this step
    page.keyboard.press("Tab")
    page.keyboard.press("Home")  # its input gate: shut
    bench.input_gate = [1] * 11 + [0]
    assert agrees(figure, bench)
    focused = page.locator(":focus")
    assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    assert focused.get_attribute("aria-valuetext") == "0.00"
    for _ in range(6):  # its field, two sliders with theirs, and out
        page.keyboard.press("Tab")
    assert figure.locator(":focus").count() == 0


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_it_works_by_touch_on_a_phone(page: Page, served: str, bench: GateBench) -> None:
    figure = open_figure(page, served)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    figure.get_by_role("button", name="Count").tap()
    bench.update(**{name: GateBench().presets[2][name] for name in ROWS})
    picture = figure.locator("svg.cb-steps")
    picture.tap(position={"x": picture.bounding_box()["width"] - 10, "y": 300})
    assert step(figure) == 12
    assert agrees(figure, bench)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    texts = figure.locator("svg.cb-steps text").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect().right)"
    )
    right = picture.bounding_box()["x"] + picture.bounding_box()["width"]
    assert max(texts) <= right + 1, "letters stand out of the picture"


def test_the_words_say_what_the_picture_shows(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("button", name="Bias 1").click()
    spoken = figure.locator(".cb-hidden[role=status]")
    page.wait_for_function(
        "node => node.textContent.includes('forget gate 0.73')", arg=spoken.element_handle()
    )
    assert "leave 3.1% of it" in spoken.text_content()


def test_the_place_kept_free_is_about_as_high_as_the_figure(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    place, height = page.locator(".figure-mount").bounding_box(), figure.bounding_box()
    assert abs(place["height"] - height["height"]) < 40
