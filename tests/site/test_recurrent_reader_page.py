"""The recurrent reader on the page of chapter 3: by mouse, by keyboard, by touch, from a folder."""

import json

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_time

from contextbook.widgets import RecurrentReader

CHAPTER = "notebooks/en/03-recurrence"
STATE = "application/vnd.jupyter.widget-state+json"
LONGEST_UPDATE = 16.0  # milliseconds: a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def saved() -> RecurrentReader:
    """The figure as the chapter's notebook holds it."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text("utf-8"))
    states = notebook["metadata"]["widgets"][STATE]["state"].values()
    (state,) = (one["state"] for one in states if one["state"].get("figure") == "recurrent-reader")
    given = ("vocabulary", "tokens", "names", "changes", "step", "end")
    return RecurrentReader(state, **{name: state[name] for name in given})


READER = saved()


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-recurrent-reader")
    figure.scroll_into_view_if_needed()
    return figure


def shown(figure: Locator) -> dict[str, object]:
    """What the reader sees: tokens, chosen step, distances, the likeliest guess."""
    steps = figure.locator(".cb-step")
    bars = figure.locator(".cb-bar").all()
    checked = [step.get_attribute("aria-checked") == "true" for step in steps.all()]
    return {
        "tokens": figure.locator(".cb-token").all_inner_texts(),
        "step": checked.index(True),
        "moved": [float(bar.get_attribute("title") or "") for bar in bars],
        "guess": figure.locator(".cb-guess").first.inner_text(),
    }


def computed() -> dict[str, object]:
    """The same as Python computes it."""
    best = max(range(len(READER.expected)), key=READER.expected.__getitem__)
    return {
        "tokens": READER.tokens,
        "step": READER.step,
        "moved": pytest.approx(READER.moved, abs=6e-4),
        "guess": READER.vocabulary[best],
    }


def test_it_reads_what_the_notebook_holds_and_follows_edits(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    READER.reset()
    assert shown(figure) == computed()
    for place, token in READER.changes:
        old = READER.example["tokens"][place]
        figure.get_by_role("button", name=f"{old} → {token}").click()
        READER.reset()
        READER.replace(place, token)
        assert shown(figure) == computed()
        assert max(READER.moved) > 0
    figure.get_by_role("button", name="Reset").click()
    READER.reset()
    assert shown(figure) == computed()
    times = []
    for step in range(10):
        figure.locator(".cb-step").nth(step).click()
        times.append(update_time(figure))
    assert_quick(LONGEST_UPDATE, times)


def test_by_mouse_step_and_choose(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-step").nth(6).click()
    figure.locator("select").select_option("鳥")
    READER.reset()
    READER.replace(6, "鳥")
    assert shown(figure) == computed()
    figure.get_by_role("button", name="Next").click()
    READER.step = 7
    assert shown(figure) == computed()
    assert "At step 8 the state has moved by" in figure.locator(".cb-moved-by").inner_text()
    figure.get_by_role("button", name="Back").click()
    figure.get_by_role("button", name="Back").click()
    assert "has not moved" in figure.locator(".cb-moved-by").inner_text()


def test_by_keyboard_alone(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("button", name="Back").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert figure.locator(".cb-step").first.evaluate("node => node === document.activeElement")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")  # to the list of tokens
    page.keyboard.press("Tab")  # to the field
    page.keyboard.type("nemut")
    page.keyboard.press("Enter")
    READER.reset()
    READER.replace(2, "眠っ")
    assert shown(figure) == computed()
    page.keyboard.press("Control+a")
    page.keyboard.type("<i>dgo</i>")
    page.keyboard.press("Tab")
    complaint = figure.locator(".cb-complaint").inner_text()
    assert "“<i>dgo</i>” is not one of the" in complaint
    assert figure.locator("i").count() == 0
    assert shown(figure) == computed()


def test_an_almost_right_word_is_told_the_nearest(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-type input").fill("nekko")
    page.keyboard.press("Tab")
    assert "neko" in figure.locator(".cb-complaint").inner_text()
    figure.locator(".cb-type input").fill("cat")
    assert shown(figure)["tokens"][READER.example["step"]] == "猫"  # type: ignore[index]
    assert figure.locator(".cb-complaint").inner_text() == ""


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_on_a_phone_by_touch(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-step").nth(2).tap()
    assert shown(figure)["step"] == 2
    button = figure.get_by_role("button", name="犬 → 本")
    button.tap()
    READER.reset()
    READER.replace(0, "本")
    assert shown(figure) == computed()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 30


@pytest.mark.parametrize("context", [{"reduced_motion": "reduce"}], indirect=True)
def test_no_motion_for_those_who_want_none(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    duration = figure.locator(".cb-bar").first.evaluate(
        "node => getComputedStyle(node).transitionDuration"
    )
    assert duration == "0s"
