"""The sequence writer on the page of chapter 7, against PyTorch with the same rounded weights."""

import json
import statistics
from typing import Any

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_time

from contextbook.decoding import beam_search
from contextbook.translation import LONGEST
from contextbook.widgets import load_translator

CHAPTER = "notebooks/en/07-seq2seq"
STATE = "application/vnd.jupyter.widget-state+json"
LONGEST_UPDATE = 50.0  # milliseconds
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
END = "■"


def samples() -> list[dict[str, Any]]:
    """The sentences that the figure offers."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text("utf-8"))
    states = notebook["metadata"]["widgets"][STATE]["state"].values()
    (state,) = (one["state"] for one in states if one["state"].get("figure") == "sequence-writer")
    return list(state["samples"])


def translated(sentence: list[str], width: int) -> list[list[str]]:
    """The sentences that PyTorch's beam ends with, best first."""
    import torch

    model, english, japanese = load_translator("seq2seq")
    source = torch.tensor([english.encode(sentence, eos=True)])
    decoded = beam_search(model, source, width=width, max_length=LONGEST)
    return [japanese.decode(ids) for ids in decoded.ids()[0]]


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter, come near its figure and wait for the model."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-sequence-writer")
    figure.scroll_into_view_if_needed()
    page.wait_for_selector(".cb-sequence-writer[data-state=ready]")
    return figure


def written(figure: Locator) -> list[str]:
    words = figure.locator(".cb-words.cb-written button").all_inner_texts()
    return [word for word in words if word != END]


def put(slider: Locator, value: int) -> None:
    slider.evaluate(
        "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }", value
    )


def test_it_translates_as_pytorch_does(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    length, width = figure.locator("input[type=range]").all()
    by_length = {sample["words"]: sample for sample in reversed(samples())}
    times = []
    for words, beams in ((3, 1), (9, 3), (18, 5), (25, 5), (14, 2)):
        put(width, beams)
        put(length, words)
        sample = by_length[words]
        expected = translated(sample["english"], beams)
        assert written(figure) == expected[0]
        shown = figure.locator(".cb-beams li span[lang=ja]").all_inner_texts()
        assert shown == ["".join(tokens) for tokens in expected]
        right = expected[0] == sample["japanese"]
        assert figure.locator(".cb-verdict").get_attribute("data-right") == str(right).lower()
        assert bool(figure.locator(".cb-written .cb-wrong").count()) == (not right)
    put(length, 25)
    for beams in (1, 3, 2, 5, 4, 1, 5):
        put(width, beams)  # read and written anew, with the longest sentence
        times.append(update_time(figure))
    print(f"\nlongest answer {max(times):.1f} ms, median {statistics.median(times):.1f} ms")
    assert min(times) > 1  # or nothing was translated
    assert_quick(LONGEST_UPDATE, times, share=0.5)


def test_steps_by_mouse_and_keyboard_and_reset(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    start = written(figure)
    figure.get_by_role("button", name="Next").click()
    assert figure.locator(".cb-heading").inner_text().startswith("Step 2 of")
    figure.locator(".cb-words.cb-written button").nth(4).click()
    page.keyboard.press("ArrowRight")
    assert figure.locator(".cb-heading").inner_text().startswith("Step 6 of")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert figure.locator(".cb-heading").inner_text().startswith("Step 1 of")
    shares = figure.locator(".cb-row .cb-share").all_inner_texts()
    assert len(shares) == 5
    put(figure.locator("input[type=range]").first, 20)
    assert written(figure) != start
    figure.get_by_role("button", name="Reset").click()
    assert written(figure) == start
    tree = figure.locator(".cb-tree")
    tree.focus()
    assert tree.evaluate("node => node === document.activeElement")


def test_what_is_typed_is_text(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    field = figure.get_by_role("combobox")
    start = written(figure)
    field.fill("that dgo <i>walks</i> .")
    page.keyboard.press("Tab")
    assert "dgo" in figure.locator(".cb-complaint").inner_text()
    assert figure.locator("i").count() == 0
    assert written(figure) == start
    field.fill("that cat walks .")
    page.keyboard.press("Tab")
    assert written(figure) == translated(["that", "cat", "walks", "."], 3)[0]
    assert "only the grammar knows" in figure.locator(".cb-verdict").inner_text()


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_on_a_phone_by_touch(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-words.cb-written button").nth(2).tap()
    assert figure.locator(".cb-heading").inner_text().startswith("Step 3 of")
    figure.get_by_role("button", name="Another sentence").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_model_is_not_asked_for_before_its_figure_comes_near(page: Page, served: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served}/{CHAPTER}.html")
    settle(page)
    assert not any("models/" in address for address in asked)
    page.locator(".cb-sequence-writer").scroll_into_view_if_needed()
    page.wait_for_selector(".cb-sequence-writer[data-state=ready]")
    assert sum("models/seq2seq.js" in address for address in asked) == 1
