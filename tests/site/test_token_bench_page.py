"""The token bench on the page of chapter 1: typed, slid, pointed at, tapped, and by an IME."""

import json

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_times

from contextbook.datasets import RUNNING_SENTENCE
from contextbook.text import ByteLevelBPE
from contextbook.widgets import TokenBench

CHAPTER = "notebooks/en/01-tokens"
STATE = "application/vnd.jupyter.widget-state+json"
LONGEST_UPDATE = 16.0  # milliseconds: a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def saved() -> TokenBench:
    """The figure as the chapter's notebook holds it."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text("utf-8"))
    states = notebook["metadata"]["widgets"][STATE]["state"].values()
    (state,) = (one["state"] for one in states if one["state"].get("figure") == "token-bench")
    merges = [tuple(map(int, pair.split(","))) for pair in state["merges"].split()]
    return TokenBench(merges, text=state["text"], merges_used=state["merges_used"])


BENCH = saved()


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-token-bench")
    figure.scroll_into_view_if_needed()
    return figure


def ids(figure: Locator) -> list[int]:
    """The ids that the reader sees."""
    return [int(text) for text in figure.locator(".cb-id").all_inner_texts()]


def used(figure: Locator) -> int:
    """The number of merges that the slider says."""
    return int(figure.locator("output").inner_text().split()[0])


def test_it_shows_what_the_notebook_holds_and_follows_slider_and_text(
    page: Page, base: str
) -> None:
    figure = open_figure(page, base)
    assert ids(figure) == BENCH.ids
    assert used(figure) == BENCH.merges_used
    for count in (0, len(BENCH.merges), 777):
        figure.locator(".cb-range").fill(str(count))
        assert ids(figure) == ByteLevelBPE(BENCH.merges[:count]).encode(RUNNING_SENTENCE)
    text = "She'll <b>see</b>\n\t犬 & 🐕‍🦺 \u3000\""
    figure.locator("textarea").fill(text)
    assert ids(figure) == ByteLevelBPE(BENCH.merges[:777]).encode(text)
    assert figure.locator("b").count() == 0
    assert_quick(LONGEST_UPDATE, update_times(page, figure))


def test_presets_steps_and_reset_by_mouse(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    for label in ("English", "Emoji", "Mixed", "Dog and cat"):
        button = figure.get_by_role("button", name=label)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        text = figure.locator("textarea").input_value()
        assert ids(figure) == ByteLevelBPE(BENCH.merges[: used(figure)]).encode(text)
    before = used(figure)
    tokens = len(ids(figure))
    figure.get_by_role("button", name="Next merge").click()
    assert used(figure) > before
    assert len(ids(figure)) < tokens
    figure.get_by_role("button", name="One back").click()
    assert len(ids(figure)) == tokens
    figure.locator("textarea").fill("")
    assert "no ids at all" in figure.locator(".cb-tokens").inner_text()
    figure.get_by_role("button", name="Reset").click()
    assert figure.locator("textarea").input_value() == RUNNING_SENTENCE
    assert ids(figure) == BENCH.ids


def marked(figure: Locator) -> dict[str, list[str]]:
    """The texts of what is marked, in each strip."""
    return {
        strip: figure.locator(f".cb-{strip}.cb-marked").all_inner_texts()
        for strip in ("chip", "byte", "id")
    }


def test_next_merge_jumps_to_what_changes_the_text(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    tokens = ByteLevelBPE(BENCH.merges).tokens
    jumps = {"Dog and cat": (1, 2, 3, 7, 8), "English": (4, 5, 6, 11)}
    for label, numbers in jumps.items():
        figure.get_by_role("button", name=label).click()
        figure.locator(".cb-range").fill("0")
        for number in numbers:
            figure.get_by_role("button", name="Next merge").click()
            assert used(figure) == number
    assert tokens[256 + 10] == b" the"


def test_a_token_under_the_pointer_is_marked_everywhere(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    place = BENCH.ids.index(next(number for number in BENCH.ids if number >= 256))
    token = ByteLevelBPE(BENCH.merges).tokens[BENCH.ids[place]]
    for strip in ("chip", "byte", "id"):
        figure.locator(f'.cb-{strip}[data-token="{place}"]').first.hover()
        found = marked(figure)
        assert len(found["chip"]) == 1
        assert found["byte"] == [f"{byte:02X}" for byte in token]
        assert found["id"] == [str(BENCH.ids[place])]
        assert f"has id {BENCH.ids[place]}" in figure.locator(".cb-details").inner_text()
    figure.locator(".cb-counts").hover()
    assert marked(figure) == {"chip": [], "byte": [], "id": []}


def test_everything_by_keyboard(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator("textarea").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("the dog")
    assert len(ids(figure)) < 7
    for _ in range(6):  # four texts, Reset, and then the slider
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert ids(figure) == ByteLevelBPE([]).encode("the dog")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # one back: nothing to take back, and the focus stays
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    count = len(ids(figure))
    assert count <= 5
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    focused = page.locator(":focus")
    assert f"token {count} of {count}" in focused.get_attribute("aria-label")
    assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    assert len(marked(figure)["chip"]) == 1
    page.keyboard.press("Tab")
    assert figure.locator(":focus").count() == 0


def test_an_input_method_composes_in_peace(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    field = figure.locator("textarea")
    field.fill("")
    field.focus()
    keyboard = page.context.new_cdp_session(page)
    for guess in ("ｎ", "ね", "ねｋ", "ねこ", "猫"):
        keyboard.send(
            "Input.imeSetComposition",
            {"text": guess, "selectionStart": len(guess), "selectionEnd": len(guess)},
        )
        assert ids(figure) == []
        assert field.input_value() == guess
        assert field.evaluate("node => node === document.activeElement")
    keyboard.send("Input.insertText", {"text": "猫"})
    assert field.input_value() == "猫"
    assert ids(figure) == ByteLevelBPE(BENCH.merges[: used(figure)]).encode("猫")


def test_a_long_text_is_cut_with_a_word_about_it(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator("textarea").fill("犬" * 400)
    assert "400 characters: only the first 300" in figure.locator(".cb-complaint").inner_text()
    assert figure.locator(".cb-caption").count() == 300
    assert len(figure.locator("textarea").input_value()) == 400


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_it_works_by_touch_on_a_phone(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    figure.locator(".cb-id").nth(2).tap()
    assert marked(figure)["id"] == [str(BENCH.ids[2])]
    figure.locator(".cb-chip").nth(4).tap()
    assert marked(figure)["id"] == [str(BENCH.ids[4])]
    figure.get_by_role("button", name="Mixed").tap()
    text = figure.locator("textarea").input_value()
    assert ids(figure) == ByteLevelBPE(BENCH.merges[: used(figure)]).encode(text)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_words_say_what_the_picture_shows(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-range").fill("0")
    spoken = figure.locator(".cb-hidden[role=status]")
    page.wait_for_function(
        "node => node.textContent.startsWith('After 0 merges')", arg=spoken.element_handle()
    )
    assert "17 characters, 51 bytes, 51 tokens" in spoken.text_content()


def test_the_place_kept_free_is_about_as_high_as_the_figure(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    place, height = page.locator(".figure-mount").bounding_box(), figure.bounding_box()
    assert abs(place["height"] - height["height"]) < 40
