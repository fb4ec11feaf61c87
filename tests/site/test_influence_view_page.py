"""The influence view on the built pages: it follows the reader, without a kernel."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page
from site_pages import ROOT, assert_quick, settle, update_time

CHAPTER = "notebooks/en/04-both-ways"
CELL = "influence-view"
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
LONGEST_UPDATE = 8.0  # milliseconds: half a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
CAT, LAST = 6, 12


def open_figure(page: Page, base: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-influence-view")
    figure.locator(".cb-tokens").scroll_into_view_if_needed()
    return figure


def tokens(figure: Locator) -> Locator:
    return figure.locator(".cb-tokens [role=radio]")


def networks(figure: Locator) -> Locator:
    return figure.locator(".cb-networks [role=radio]")


def reach(figure: Locator) -> list[str]:
    """Where each word lies, seen from the chosen one."""
    script = "nodes => nodes.map(node => node.dataset.reach)"
    return list(tokens(figure).evaluate_all(script))


def answer(figure: Locator) -> str:
    """What the network takes the chosen word for."""
    return figure.locator(".cb-answers .cb-class").first.inner_text()


def looks(figure: Locator) -> dict[str, Any]:
    """All that must follow: numbers, bars, answers, the sentence that says it."""
    return {
        "numbers": figure.locator(".cb-tokens .cb-number").all_inner_texts(),
        "bars": [bar.get_attribute("style") for bar in figure.locator(".cb-bar").all()],
        "answers": figure.locator(".cb-answers li").all_inner_texts(),
        "said": figure.locator(".cb-said").inner_text(),
    }


def saved_state() -> dict[str, Any]:
    """What the notebook keeps of the figure."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == CELL]
    (model,) = [o["data"][VIEW]["model_id"] for o in cell["outputs"] if VIEW in o["data"]]
    state: dict[str, Any] = notebook["metadata"]["widgets"][STATE]["state"][model]["state"]
    return state


def test_what_comes_later_is_out_of_reach_until_one_reads_both_ways(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    one_way = ["before"] * CAT + ["own"] + ["none"] * (LAST - CAT)
    both_ways = ["before"] * CAT + ["own"] + ["after"] * (LAST - CAT)
    start = looks(figure)
    for network, expected in enumerate((one_way, both_ways, one_way, both_ways)):
        networks(figure).nth(network).click()
        assert reach(figure) == expected
        if expected == both_ways:
            assert answer(figure) == "companion"
    changed = looks(figure)
    assert [part for part in start if start[part] == changed[part]] == []
    figure.get_by_role("button", name="Reset").click()
    assert looks(figure) == start


def test_other_words_later_make_the_cat_an_actor(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    networks(figure).nth(1).click()
    assert answer(figure) == "companion"
    for place, word in ((8, "鳥 (tori, bird)"), (9, "が (ga, subject)")):
        tokens(figure).nth(place).click()
        figure.locator("select").select_option(label=word)
    tokens(figure).nth(CAT).click()
    assert answer(figure) == "actor"
    assert tokens(figure).nth(8).inner_text().startswith("鳥")


def test_the_keyboard_alone_does_it_all(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.locator(".cb-networks [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert reach(figure)[LAST] == "after"
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert reach(figure)[LAST] == "own"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    before = looks(figure)
    page.keyboard.press("ArrowUp")  # the word before in the list
    assert looks(figure) != before
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reach(figure) == ["before"] * CAT + ["own"] + ["none"] * (LAST - CAT)
    status = figure.locator("[role=status]")
    page.wait_for_function(
        "node => node.textContent.includes('猫 (neko, cat)')", arg=status.element_handle()
    )


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_finger_chooses_on_a_phone_and_nothing_sticks_out(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    networks(figure).nth(3).tap()
    tokens(figure).nth(LAST).tap()
    assert reach(figure) == ["before"] * LAST + ["own"]
    tops = tokens(figure).evaluate_all("nodes => nodes.map(n => n.getBoundingClientRect().top)")
    assert tops == sorted(set(tops))  # one below the other
    right = figure.evaluate("node => node.getBoundingClientRect().right")
    inside = "node => Math.max(...[...node.querySelectorAll('*:not(.cb-hidden, .cb-hidden *)')]"
    assert figure.evaluate(f"{inside}.map(one => one.getBoundingClientRect().right))") <= right + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("context", [{}, PHONE], indirect=True)
def test_the_page_keeps_a_place_of_the_right_height(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    state = saved_state()
    kept = state["height"] if figure.evaluate("n => n.clientWidth") >= 560 else None
    kept = kept or state["height_narrow"]
    for network in range(4):
        networks(figure).nth(network).click()
        assert figure.evaluate("node => node.getBoundingClientRect().height") <= kept + 2


def test_updates_take_less_than_half_a_frame(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    networks(figure).nth(3).click()  # the largest
    figure.locator(".cb-tokens [tabindex='0']").focus()
    times = []
    for _ in range(26):
        page.keyboard.press("ArrowRight")
        times.append(update_time(figure))
    assert_quick(LONGEST_UPDATE, times, share=0.5)


def test_the_page_shows_what_python_computes(page: Page, served: str) -> None:
    import torch

    from contextbook.probes import influence
    from contextbook.recurrent import Bidirectional, RNNCell, Stacked, Unrolled

    figure = open_figure(page, served)
    state = saved_state()
    for number, network in enumerate(state["networks"]):
        layers = []
        for readers in network["layers"]:
            cells = []
            for reader in readers:
                weight = torch.tensor(reader["weight_ih"])
                cell = RNNCell(weight.shape[1], len(weight))
                with torch.no_grad():
                    cell.weight_ih.copy_(weight)
                    cell.weight_hh.copy_(torch.tensor(reader["weight_hh"]))
                    cell.bias_ih.copy_(torch.tensor(reader["bias"]))
                    cell.bias_hh.zero_()
                cells.append(cell)
            layers.append(Unrolled(*cells) if len(cells) == 1 else Bidirectional(*cells))
        inputs = torch.tensor(network["embedding"])[state["sentence"]]
        expected = influence(Stacked(layers), inputs)[CAT].tolist()
        networks(figure).nth(number).click()
        shown = figure.locator(".cb-tokens .cb-number").all_inner_texts()
        for text, value in zip(shown, expected, strict=True):
            if text == "<.01":
                assert 0 < value < 0.0051
            else:
                assert float(text) == pytest.approx(value, abs=0.0051)
