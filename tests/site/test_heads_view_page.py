"""The view of heads on the built page: it answers there, without a kernel."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route
from site_pages import AXE, ROOT, assert_quick, settle, update_time

CHAPTER = "notebooks/en/10-multi-head-attention"
CELL = "heads-view"
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
LONGEST_UPDATE = 30.0  # milliseconds
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}
SENTENCE = "犬が猫と鳥を馬に見せた。"


def open_figure(page: Page, base: str) -> Locator:
    page.goto(f"{base}/{CHAPTER}.html")
    settle(page)
    figure = page.locator(".cb-heads-view")
    figure.scroll_into_view_if_needed()
    page.locator(".cb-heads-view[data-state=ready]").wait_for()
    return figure


def saved_state() -> dict[str, Any]:
    """What the notebook keeps of the figure."""
    notebook = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == CELL]
    (model,) = [o["data"][VIEW]["model_id"] for o in cell["outputs"] if VIEW in o["data"]]
    state: dict[str, Any] = notebook["metadata"]["widgets"][STATE]["state"][model]["state"]
    return state


def sentence(figure: Locator) -> str:
    return figure.locator(".cb-japanese").inner_text()


def answers(figure: Locator) -> list[str]:
    return figure.locator(".cb-answers .cb-text").all_inner_texts()


def verdicts(figure: Locator) -> list[str]:
    return figure.locator(".cb-verdict").all_inner_texts()


def weights(figure: Locator) -> list[list[float]]:
    cells = [float(text) for text in figure.locator(".cb-weight").all_inner_texts()]
    return [cells[start : start + 4] for start in range(0, len(cells), 4)]


def right(figure: Locator) -> int:
    return sum("right" in verdict for verdict in verdicts(figure))


def test_each_head_that_is_switched_off_takes_one_answer_with_it(page: Page, base: str) -> None:
    figure = open_figure(page, base)
    assert sentence(figure) == SENTENCE
    assert answers(figure) == ["犬", "鳥", "馬", "猫"]
    lost = set()
    for head in range(4):
        switch = figure.get_by_role("switch", name=f"Head {head + 1}")
        switch.click()
        (gone,) = [i for i, verdict in enumerate(verdicts(figure)) if "right" not in verdict]
        lost.add(gone)
        switch.click()
        assert right(figure) == 4
    assert lost == {0, 1, 2, 3}


def test_each_head_follows_its_particle(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    before = weights(figure)
    assert all(max(row) > 0.8 for row in before)
    figure.get_by_label("Animal of phrase 1").select_option(label="蛇 hebi, snake")
    assert answers(figure) == ["蛇", "鳥", "馬", "猫"]
    figure.get_by_role("button", name="Let phrases 1 and 2 change places").click()
    assert sentence(figure) == "猫と蛇が鳥を馬に見せた。"
    assert "The snake, together with the cat" in figure.locator(".cb-english").inner_text()
    assert answers(figure) == ["蛇", "鳥", "馬", "猫"]
    after = weights(figure)
    for old, new in zip(before, after, strict=True):
        assert (old.index(max(old)), new.index(max(new))) in {(0, 1), (1, 0), (2, 2), (3, 3)}
    figure.get_by_role("button", name="Reset").click()
    assert (sentence(figure), weights(figure), right(figure)) == (SENTENCE, before, 4)


def test_two_phrases_with_one_particle(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_label("Particle of phrase 4").select_option(label="が ga, who")
    assert sentence(figure) == "犬が猫と鳥を馬が見せた。"
    assert "no sentence of the training" in figure.locator(".cb-english").inner_text()
    assert answers(figure)[0] in ("犬", "馬")
    assert "nobody" in verdicts(figure)[2]
    # the head of が looks at both phrases that have it
    assert any(row[0] + row[3] > 0.8 and min(row[0], row[3]) > 0.02 for row in weights(figure))


def test_the_model_is_loaded_when_a_reader_comes_near(page: Page, served: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{served}/{CHAPTER}.html")
    settle(page)
    assert "four-questions.js" not in asked
    figure = page.locator(".cb-heads-view")
    figure.scroll_into_view_if_needed()
    page.locator(".cb-heads-view[data-state=ready]").wait_for()
    assert asked.count("four-questions.js") == 1


def test_a_model_that_does_not_come_is_told(page: Page, served: str) -> None:
    def never(route: Route) -> None:
        route.fulfill(status=200, content_type="text/javascript", body="// nothing")

    page.route("**/models/four-questions.js", never)
    page.goto(f"{served}/{CHAPTER}.html")
    settle(page)
    # what the figure writes to the console is right here, and no trouble
    page.evaluate("console.error = () => {}")
    page.locator(".cb-heads-view").scroll_into_view_if_needed()
    page.locator(".cb-heads-view[data-state=failed]").wait_for()
    assert "could not be loaded" in page.locator(".cb-heads-view .cb-waiting").inner_text()


def test_the_keyboard_alone_does_it_all(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("button", name="Reset").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert sentence(figure).startswith("猫が猫と")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert sentence(figure).startswith("猫と猫が")
    for _ in range(9):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "checkbox"
    page.keyboard.press("Space")
    assert not figure.get_by_role("switch", name="Head 1").is_checked()
    assert right(figure) < 4
    status = figure.locator("> [role=status]")
    page.wait_for_function(
        "node => node.textContent.includes('Head 1 is off.')", arg=status.element_handle()
    )


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_finger_does_it_on_a_phone_and_nothing_sticks_out(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    figure.get_by_role("switch", name="Head 3").tap()
    assert right(figure) == 3
    figure.get_by_role("button", name="Let phrases 3 and 4 change places").tap()
    assert sentence(figure) == "犬が猫と馬に鳥を見せた。"
    figure.get_by_label("Animal of phrase 2").select_option(label="狸 tanuki, raccoon-dog")
    right_edge = figure.evaluate("node => node.getBoundingClientRect().right")
    inside = "node => Math.max(...[...node.querySelectorAll('*:not(.cb-hidden, option)')]"
    reached = figure.evaluate(f"{inside}.map(one => one.getBoundingClientRect().right))")
    assert reached <= right_edge + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for button in figure.locator(".cb-reset, .cb-board button, select").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24


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
    script = "async () => (await axe.run('.cb-heads-view')).violations"
    for _ in range(2):
        found = page.evaluate(script)
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
        figure.get_by_role("switch", name="Head 2").click()


def test_a_switch_is_answered_at_once(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    times = []
    for _ in range(20):
        figure.get_by_role("switch", name="Head 2").click()
        times.append(update_time(figure))
    assert_quick(LONGEST_UPDATE, times, share=0.5)
