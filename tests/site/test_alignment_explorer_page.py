"""The alignment explorer on the built page: it translates there, without a kernel."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route
from site_pages import AXE, ROOT, assert_quick, settle, update_time

CHAPTER = "notebooks/en/08-alignment"
CELL = "alignment-explorer"
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
LONGEST_UPDATE = 50.0  # milliseconds
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}
RUNNING = "犬が歩いていると猫と出会いました。■"
# the longest of the test sentences, read and written
LONGEST = (
    "suddenly that quiet small girl whom a strong young father painted read her small old letter "
    "in this park, but ken sang in this school."
)
SHORT = "the dog walked.", "the cat slept."
LONG = LONGEST, LONGEST.replace("girl", "woman")


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait until the network has translated."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-alignment-explorer")
    figure.scroll_into_view_if_needed()
    ready(page)
    return figure


def ready(page: Page) -> None:
    page.locator(".cb-alignment-explorer[data-state=ready]").wait_for()


def field(figure: Locator) -> Locator:
    return figure.get_by_role("combobox")


def translation(figure: Locator) -> str:
    return figure.locator(".cb-translation").inner_text()


def weights(figure: Locator) -> list[str]:
    return figure.locator(".cb-weight").all_inner_texts()


def looks(figure: Locator) -> dict[str, Any]:
    """All that must follow: curves, numbers, the table, the sentence."""
    return {
        "curves": [arc.get_attribute("stroke-width") for arc in figure.locator(".cb-arc").all()],
        "weights": weights(figure),
        "table": figure.locator(".cb-matrix td.cb-heat").evaluate_all(
            "cells => cells.map(cell => cell.style.cssText)"
        ),
        "sentence": figure.locator(".cb-looks").inner_text(),
    }


def saved_state() -> dict[str, Any]:
    """What the notebook keeps of the figure."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == CELL]
    (model,) = [o["data"][VIEW]["model_id"] for o in cell["outputs"] if VIEW in o["data"]]
    state: dict[str, Any] = notebook["metadata"]["widgets"][STATE]["state"][model]["state"]
    return state


def test_an_edited_sentence_is_translated_in_the_page(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    assert translation(figure) == RUNNING
    start = looks(figure)
    field(figure).fill("as the girl was singing, she met a bear.")
    assert "少女が歌っている" in translation(figure)
    assert "熊と出会いました" in translation(figure)
    changed = looks(figure)
    assert [part for part in start if start[part] == changed[part]] == []
    field(figure).fill("the cow walked.")
    assert "Not in the vocabulary: “cow”" in figure.locator(".cb-complaint").inner_text()
    assert looks(figure) == changed
    figure.get_by_role("button", name="Reset").click()
    assert (translation(figure), looks(figure)) == (RUNNING, start)
    assert field(figure).input_value() == "as the dog was walking along, it met a cat."


def test_temperature_and_the_other_network_move_the_weights(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    dot = looks(figure)
    figure.get_by_role("radio", name="additive").click()
    ready(page)
    assert translation(figure) == RUNNING
    additive = looks(figure)
    assert dot["table"] != additive["table"]
    figure.locator(".cb-range").fill("3")
    soft = looks(figure)
    assert [part for part in additive if additive[part] == soft[part]] == []
    figure.get_by_role("button", name="Reset").click()
    assert looks(figure) == dot


def test_models_are_loaded_when_a_reader_comes_near(page: Page, served: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{served}/{CHAPTER}.html")
    settle(page)
    models = {f"{name}.js" for name in saved_state()["names"]}
    assert models.isdisjoint(asked)
    figure = page.locator(".cb-alignment-explorer")
    assert figure.get_attribute("data-state") == "loading"
    assert "Loading" in figure.locator(".cb-waiting").inner_text()
    figure.scroll_into_view_if_needed()
    ready(page)
    assert [name for name in asked if name in models] == ["luong-dot.js"]
    figure.get_by_role("radio", name="additive").click()
    ready(page)
    assert [name for name in asked if name in models] == ["luong-dot.js", "additive.js"]


def test_a_model_that_does_not_come_can_be_asked_for_again(page: Page, served: str) -> None:
    def never(route: Route) -> None:
        route.fulfill(status=200, content_type="text/javascript", body="// nothing")

    page.route("**/models/luong-dot.js", never)
    page.goto(f"{served}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-alignment-explorer")
    # what the figure writes to the console is right here, and no trouble
    page.evaluate("console.error = () => {}")
    figure.scroll_into_view_if_needed()
    page.locator(".cb-alignment-explorer[data-state=failed]").wait_for()
    assert "could not be loaded" in figure.locator(".cb-waiting").inner_text()
    figure.get_by_role("radio", name="additive").click()
    ready(page)
    assert translation(figure) == RUNNING


def test_the_keyboard_alone_does_it_all(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    field(figure).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("the prince sle", delay=5)
    assert figure.get_by_role("option").all_inner_texts() == ["slept", "sleeps", "sleeping"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type(".")
    assert field(figure).input_value() == "the prince sleeps."
    assert translation(figure).startswith("王子は眠")
    marked = figure.locator(".cb-matrix thead th.cb-marked")
    assert marked.inner_text() in ("sleeps", ".")
    page.keyboard.press("Home")
    assert marked.inner_text() == "the"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    ready(page)
    assert figure.get_by_role("radio", name="additive").get_attribute("aria-checked") == "true"
    page.keyboard.press("Tab")
    before = looks(figure)
    page.keyboard.press("ArrowLeft")
    assert looks(figure) != before
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    chosen = figure.locator(".cb-written [aria-checked=true]")
    assert chosen.inner_text().startswith("王子")
    assert "王子 (ouji, prince)" in figure.locator(".cb-looks").inner_text()
    status = figure.locator("> [role=status]").last
    page.wait_for_function(
        "node => node.textContent.includes('Translation: 王子は眠')", arg=status.element_handle()
    )
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert translation(figure) == RUNNING


def test_what_is_under_the_pointer_is_marked_everywhere(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-stage li").nth(2).hover()
    assert figure.locator(".cb-stage li.cb-marked .cb-word").inner_text() == "dog"
    assert figure.locator("thead th.cb-marked").inner_text() == "dog"
    assert "犬" in figure.locator(".cb-translation .cb-partner").all_inner_texts()
    figure.locator(".cb-translation span").nth(0).hover()
    assert figure.locator(".cb-written .cb-marked .cb-word").inner_text() == "犬"
    assert figure.locator("tbody th.cb-marked").inner_text() == "犬"
    assert figure.locator(".cb-stage li.cb-partner .cb-word").inner_text() == "dog"
    figure.locator(".cb-matrix tbody td").nth(0).hover()
    assert "wrote 犬 (inu, dog), it looked at as (" in figure.locator(".cb-looks").inner_text()
    figure.locator(".cb-matrix tbody td").nth(0).click()
    assert figure.locator(".cb-written [aria-checked=true]").inner_text().startswith("犬")


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_finger_edits_on_a_phone_and_nothing_sticks_out(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-stage li").nth(2).tap()
    page.keyboard.type("bi")
    figure.get_by_role("option", name="bird").tap()
    assert translation(figure).startswith("鳥が")
    figure.locator(".cb-written [role=radio]").nth(2).tap()
    assert "歩い" in figure.locator(".cb-looks").inner_text()
    for sentence in ("the dog walked.", LONGEST):
        field(figure).fill(sentence)
        right = figure.evaluate("node => node.getBoundingClientRect().right")
        inside = "node => Math.max(...[...node.querySelectorAll('*:not(.cb-hidden, .cb-hidden *)')]"
        reached = figure.evaluate(f"{inside}.map(one => one.getBoundingClientRect().right))")
        assert reached <= right + 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("context", [{}, PHONE], indirect=True)
def test_the_page_keeps_a_place_of_the_right_height(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    state = saved_state()
    wide = figure.evaluate("node => node.clientWidth") >= 640
    kept = state["height"] if wide else state["height_narrow"]
    height = figure.evaluate("node => node.getBoundingClientRect().height")
    assert kept - 60 <= height <= kept + 2


@pytest.mark.parametrize("context", [{}, PHONE, DARK], indirect=True)
def test_axe_finds_nothing_in_the_figure(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    page.add_script_tag(path=AXE)
    script = "async () => (await axe.run('.cb-alignment-explorer')).violations"
    for sentence in ("the dog walked.", "the cow wal"):
        field(figure).fill(sentence)
        found = page.evaluate(script)
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_an_edit_is_answered_within_50_milliseconds(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    for name in ("dot", "additive"):
        figure.get_by_role("radio", name=name).click()
        ready(page)
        for sentence, other in (SHORT, LONG):
            times = []
            for number in range(20):
                field(figure).fill(other if number % 2 else sentence)
                times.append(update_time(figure))
            slowest, usual = max(times), sorted(times)[len(times) // 2]
            words = len(sentence.split())
            print(f"\n{name}, {words} words: mostly {usual:.0f} ms, at most {slowest:.0f} ms")
            assert_quick(LONGEST_UPDATE, times, share=0.5)
