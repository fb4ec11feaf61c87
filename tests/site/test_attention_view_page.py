"""The attention view on the built pages: it follows the reader, without a kernel."""

import json

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_time

from contextbook.widgets import AttentionView

CHAPTER = "notebooks/en/09-queries-keys-values"
WELCOME = "book/index"
CELL = "attention-view"
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
LONGEST_UPDATE = 8.0  # milliseconds: half a frame
TOUR = 5000  # milliseconds that a figure may move by itself (WCAG 2.2.2)
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
STILL = {"reduced_motion": "reduce"}


def open_figure(page: Page, base: str, name: str = CHAPTER) -> Locator:
    """Open a page and wait for its figure."""
    page.goto(f"{base}/{name}.html")
    settle(page)
    figure = page.locator(".cb-attention-view").first
    figure.locator(".cb-stage").scroll_into_view_if_needed()
    return figure


def chosen(figure: Locator) -> int:
    """Which token asks."""
    return int(
        figure.evaluate(
            "node => [...node.querySelectorAll('[role=radio]')]"
            ".findIndex(one => one.ariaChecked === 'true')"
        )
    )


def weights(figure: Locator) -> list[float]:
    """The weights that the reader sees for the chosen token: "<.01" as a half of it."""
    return [
        float(text.replace("<.01", ".005"))
        for text in figure.locator(".cb-weight").all_inner_texts()
    ]


def looks(figure: Locator) -> dict[str, object]:
    """All that must follow: arcs, numbers, the table's colours, the sentence."""
    return {
        "arcs": [arc.get_attribute("stroke-width") for arc in figure.locator(".cb-arc").all()],
        "weights": weights(figure),
        "table": [cell.get_attribute("style") for cell in figure.locator("td.cb-heat").all()],
        "sentence": figure.locator(".cb-takes").inner_text(),
    }


def assert_changed(before: dict[str, object], after: dict[str, object], *same: str) -> None:
    """Every part of the picture must be another one, but for those named."""
    assert [part for part in before if before[part] == after[part]] == list(same)


@pytest.mark.parametrize("context", [STILL], indirect=True)
@pytest.mark.parametrize("name", [CHAPTER, WELCOME])
def test_tokens_temperature_and_mask_move_the_figure(page: Page, base: str, name: str) -> None:
    figure = open_figure(page, base, name)
    start = looks(figure)
    figure.locator("[role=radio]").nth(6).click()
    assert chosen(figure) == 6
    moved = looks(figure)
    assert_changed(start, moved, "table")
    figure.locator("input[type=checkbox]").check()
    masked = looks(figure)
    assert_changed(moved, masked)
    assert weights(figure)[7:] == [0] * 6
    figure.locator("input[type=range]").focus()
    page.keyboard.press("Home")
    assert_changed(masked, looks(figure))
    figure.get_by_role("button", name="Reset").click()
    page.mouse.move(0, 0)
    assert looks(figure) == start


@pytest.mark.parametrize("context", [STILL], indirect=True)
def test_the_keyboard_alone_chooses_a_token(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    focus = chosen(figure)
    figure.locator("[role=radio][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert chosen(figure) == focus + 1
    page.keyboard.press("Home")
    assert chosen(figure) == 0
    assert page.evaluate("document.activeElement.textContent").startswith("犬")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "range"
    status = figure.locator("[role=status]")
    page.wait_for_function("node => node.textContent.startsWith('犬')", arg=status.element_handle())


@pytest.mark.parametrize("context", [STILL], indirect=True)
def test_updates_take_less_than_half_a_frame(
    page: Page, served: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = open_figure(page, served)
    figure.locator("input[type=range]").focus()
    times = []
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        times.append(update_time(figure))
    with capsys.disabled():
        mean = sum(times) / len(times)
        print(f"\nattention view updated in {mean:.2f} ms on average, {max(times):.2f} ms at most")
    assert_quick(LONGEST_UPDATE / 2, times, share=0.5)
    assert_quick(LONGEST_UPDATE, times)


@pytest.mark.parametrize("context", [STILL], indirect=True)
def test_a_token_under_the_pointer_is_marked_everywhere(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator("[role=radio]").nth(0).hover()
    assert figure.locator("[role=radio].cb-marked").count() == 1
    assert figure.locator(".cb-arc.cb-marked").count() == 1
    assert figure.locator("th.cb-marked").count() == 2
    assert figure.locator("td.cb-marked").count() == 25  # a row and a column of 13
    page.mouse.move(0, 0)
    assert figure.locator(".cb-marked").count() == 0


@pytest.mark.parametrize("context", [STILL], indirect=True)
def test_a_key_stands_above_its_column_of_the_table(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    left = "nodes => nodes.map(node => node.getBoundingClientRect().x)"
    cells = figure.locator("tbody tr:first-child td").evaluate_all(left)
    keys = figure.locator(".cb-key").evaluate_all(left)
    tokens = figure.locator("[role=radio]").evaluate_all(left)
    assert keys == pytest.approx(cells, abs=0.5)
    assert tokens == pytest.approx(cells, abs=0.5)


@pytest.mark.parametrize("context", [PHONE | STILL], indirect=True)
@pytest.mark.parametrize("name", [CHAPTER, WELCOME])
def test_a_finger_chooses_on_a_phone_and_nothing_sticks_out(
    page: Page, served: str, name: str
) -> None:
    figure = open_figure(page, served, name)
    assert figure.get_attribute("data-layout") == "list"
    figure.locator("[role=radio]").nth(2).tap()
    assert chosen(figure) == 2
    right = figure.evaluate("node => node.getBoundingClientRect().right")
    inside = "node => Math.max(...[...node.querySelectorAll('*:not(.cb-hidden, .cb-hidden *)')]"
    assert figure.evaluate(f"{inside}.map(one => one.getBoundingClientRect().right))") <= right + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_page_shows_what_python_computes(page: Page, served: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    figure = open_figure(page, served)
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == CELL]
    (model,) = [o["data"][VIEW]["model_id"] for o in cell["outputs"] if VIEW in o["data"]]
    saved = notebook["metadata"]["widgets"][STATE]["state"][model]["state"]
    python = AttentionView(saved["tokens"], saved["scores"], **saved["example"])
    assert weights(figure) == pytest.approx(python.weights[python.focus], abs=0.0051)


def test_it_moves_by_itself_once_for_less_than_five_seconds(page: Page, served: str) -> None:
    figure = open_figure(page, served, WELCOME)
    start = chosen(figure)
    handle = figure.locator("[role=radio]").nth(start).element_handle()
    for asks in ("false", "true"):  # away, and back again
        page.wait_for_function(f"node => node.ariaChecked === '{asks}'", arg=handle, timeout=TOUR)
    page.wait_for_timeout(1500)
    assert chosen(figure) == start


def test_a_touch_stops_the_tour(page: Page, served: str) -> None:
    figure = open_figure(page, served, WELCOME)
    page.keyboard.press("Shift")
    start = chosen(figure)
    page.wait_for_timeout(3000)
    assert chosen(figure) == start


@pytest.mark.parametrize("context", [STILL], indirect=True)
def test_it_stays_still_for_readers_who_ask_for_that(page: Page, served: str) -> None:
    figure = open_figure(page, served, WELCOME)
    start = chosen(figure)
    page.wait_for_timeout(3000)
    assert chosen(figure) == start
