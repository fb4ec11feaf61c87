"""The live Transformer in a browser: what needs a mouse, a finger, an address, colours or a clock.

All else that a reader can do is tested in Node, on the same scripts: `widgets/test`.
"""

import re
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from site_pages import AXE, settle

PAGE = "book/live"
CHAPTER = "notebooks/en/11-transformer"
MODEL = "models/transformer.js"
RUNNING = "犬が歩いていると猫と出会いました。(end)"
DOG_CHASED = "犬は猫を追いました。(end)"
LONGEST = (
    "suddenly that quiet small girl whom a strong young father painted read her small old letter "
    "in this park, but ken sang in this school."
)
# every switch of the model, moved
MOVED = (
    "&temperature=1.5&scale=off&positions=off&residuals=off"
    "&off=encoder.1+encoder.0.self.1+decoder.0.self.2+decoder.1.cross.3"
)
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}
RETRANSLATION, FRAME, READY = 50.0, 16.0, 300.0  # milliseconds
WAIT = 10_000
DRAWN = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))"


def open_figure(page: Page, base: str, hash_: str = "", name: str = PAGE) -> Locator:
    """Open a page and wait until the model has translated."""
    page.goto(f"{base}/{name}.html{hash_}")
    settle(page)
    page.locator(".figure-mount").last.scroll_into_view_if_needed()
    figure = page.locator(".cb-live-transformer")
    figure.wait_for()
    return figure


def drawn(page: Page) -> None:
    """Let the page draw."""
    page.wait_for_function(DRAWN, timeout=WAIT)


def field(figure: Locator) -> Locator:
    return figure.get_by_role("combobox", name="An English sentence")


def source(figure: Locator) -> str:
    return " ".join(figure.locator(".cb-tokens:not(.cb-written) .cb-word").all_inner_texts())


def translation(figure: Locator) -> str:
    return "".join(figure.locator(".cb-written .cb-word").all_inner_texts())


def numbers(figure: Locator) -> list[str]:
    return figure.locator(".cb-written .cb-chance").all_inner_texts()


def read(page: Page, figure: Locator, sentence: str) -> str:
    """Type a sentence and return its translation."""
    field(figure).fill(sentence)
    drawn(page)
    return translation(figure)


def test_it_translates_and_its_address_carries_what_was_done(page: Page, base: str) -> None:
    figure = open_figure(page, base, "#live?s=the+unicorn+slept&temperature=hot&force=99+x")
    assert translation(figure) == RUNNING
    expect(figure.locator(".cb-complaint")).to_contain_text("“the unicorn slept”")
    figure.get_by_role("button", name="Take the guided tour").click()
    page.wait_for_url("**/*#step-1")
    expect(figure.locator(".cb-tour .cb-heading")).to_be_focused()
    figure.get_by_role("button", name="Next", exact=True).click()
    page.reload()
    figure.wait_for()
    expect(figure.locator(".cb-tour .cb-heading")).to_contain_text("2 of 11")
    figure.get_by_role("button", name="Leave the tour").click()
    page.wait_for_url(lambda url: "#" not in url)
    expect(figure.get_by_role("button", name="Resume the tour at step 2")).to_be_focused()
    assert read(page, figure, "the dog chased the cat.") == DOG_CHASED
    figure.get_by_role("checkbox", name="add positions").uncheck()
    figure.get_by_role("slider").fill("2")
    drawn(page)
    wanted = translation(figure), numbers(figure)
    figure.get_by_role("button", name="Copy a link to this").click()
    expect(figure.locator(".cb-ways-back .cb-note")).not_to_have_text("")
    page.wait_for_url(lambda url: "#live?" in url)
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    figure.wait_for()
    drawn(page)
    assert source(figure) == "the dog chased the cat . (end)"
    assert (translation(figure), numbers(figure)) == wanted
    assert not figure.get_by_role("checkbox", name="add positions").is_checked()


def test_mouse_and_keyboard(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    mark_everywhere(page, figure)
    # words are completed
    read(page, figure, "the pri")
    assert figure.locator(".cb-options li").all_inner_texts() == ["prince", "princess"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type(" slept")
    drawn(page)
    assert translation(figure).startswith("王女")
    # and moved, by dragging and by keyboard
    read(page, figure, "the dog chased the cat.")
    page.keyboard.press("Tab")
    words = figure.locator(".cb-tokens:not(.cb-written) button")
    words.nth(1).drag_to(words.nth(4))
    drawn(page)
    assert source(figure) == "the cat chased the dog . (end)"
    words.nth(4).press("Shift+ArrowLeft")
    drawn(page)
    assert source(figure) == "the cat chased dog the . (end)"
    expect(words.nth(3)).to_be_focused()


def mark_everywhere(page: Page, figure: Locator) -> None:
    """Point at a word, then at a cell of the matrix: both are marked in all that is drawn."""
    figure.locator(".cb-written button").nth(6).hover()
    drawn(page)
    assert figure.locator(".cb-query li.cb-marked").inner_text() == "猫"
    assert figure.locator(".cb-side .cb-marked").inner_text() == "猫"
    assert figure.locator(".cb-arc.cb-marked").count() >= 1
    assert figure.locator(".cb-row-mark").is_visible()
    figure.locator(".cb-ground").scroll_into_view_if_needed()
    ground = figure.locator(".cb-ground").bounding_box()
    assert ground
    rows, columns = 14, 13
    page.mouse.move(
        ground["x"] + 10.5 * ground["width"] / columns, ground["y"] + 6.5 * ground["height"] / rows
    )
    drawn(page)
    assert figure.locator(".cb-written .cb-token.cb-marked .cb-word").inner_text() == "猫"
    marked = figure.locator(".cb-tokens:not(.cb-written) .cb-token.cb-marked")
    assert marked.inner_text() == "cat"
    assert re.fullmatch(r"猫 takes \S+ from cat\.", figure.locator(".cb-said").inner_text())


def check_accessible(page: Page, figure: Locator) -> None:
    """Look for faults where all is open, a switch is off and a word is unknown."""
    figure.get_by_role("button", name="Do it for me").click()
    figure.get_by_text("Side by side").click()
    figure.get_by_role("checkbox", name="add positions").uncheck()
    read(page, figure, "the dag sle")
    page.add_script_tag(path=AXE)
    found = page.evaluate("async () => (await axe.run('.cb-live-transformer')).violations")
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def check_kept_height(page: Page, figure: Locator) -> None:
    """The room that the page keeps before the model is there is what the figure then takes."""
    kept = page.locator(".figure-mount").last.evaluate(
        "n => parseFloat(getComputedStyle(n).minHeight)"
    )
    height = figure.evaluate("n => n.closest('.cb-figure').getBoundingClientRect().height")
    assert kept - 60 <= height <= kept + 2


@pytest.mark.parametrize("context", [{}, DARK], indirect=True)
def test_its_place_is_kept_and_axe_finds_nothing(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    check_kept_height(page, figure)
    page.evaluate("location.hash = '#step-4'")
    figure.get_by_role("button", name="Do it for me").click()
    expect(figure.locator(".cb-way .cb-heading").first).to_be_in_viewport()
    check_accessible(page, figure)


COVERED = """() => {
  const reached = document.activeElement;
  const figure = reached.closest('.cb-live-transformer');
  if (!figure || reached.closest('.cb-tour')) return null;
  const end = figure.querySelector('.cb-tour').getBoundingClientRect().bottom;
  return reached.getBoundingClientRect().top < end - 1 ? reached.outerHTML : '';
}"""


@pytest.mark.parametrize("context", [{"viewport": {"width": 1280, "height": 720}}], indirect=True)
def test_the_tours_card_hides_nothing_that_the_keyboard_comes_to(page: Page, served: str) -> None:
    figure = open_figure(page, served, "#step-2")
    figure.locator(".cb-beside summary").focus()
    reached: list[str] = []
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        covered = page.evaluate(COVERED)
        reached += [] if covered is None else [covered]
    assert len(reached) >= 50
    assert [one for one in reached if one] == []


BRIGHTNESS = """() => [...document.querySelectorAll('.cb-live-transformer canvas')]
  .filter(({ width, height }) => width > 1 && height > 1)
  .map(canvas => {
    const { width, height } = canvas;
    const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, width, height);
    return data.reduce((sum, x) => sum + x, 0) / data.length;
  })"""


@pytest.mark.parametrize("context", [DARK], indirect=True)
def test_its_maps_are_drawn_light_for_paper_at_once(page: Page, served: str) -> None:
    open_figure(page, served)
    drawn(page)
    dark = page.evaluate(BRIGHTNESS)
    paper = page.evaluate(f"dispatchEvent(new Event('beforeprint')) && ({BRIGHTNESS})()")
    assert len(paper) == len(dark) > 8
    assert median(dark) < 128 < median(paper)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    drawn(page)
    assert page.evaluate(BRIGHTNESS) == dark


def test_no_meaning_of_a_word_is_cut(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    read(page, figure, "the beautiful girl suddenly slept.")
    notes = figure.locator(".cb-written .cb-notes, .cb-alternative .cb-notes")
    assert "utsukushii, beautiful" in notes.all_inner_texts()
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert notes.evaluate_all(cut) == 0


def top(node: Locator) -> float:
    box = node.bounding_box()
    assert box
    return float(box["y"])


def drag_by_finger(page: Page, one: Locator, other: Locator) -> None:
    """Put a finger on one word, move it to the other, and lift it."""
    boxes = [one.bounding_box(), other.bounding_box()]
    points = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    (x, y), (to_x, to_y) = points
    way = [{"x": x + (to_x - x) * part, "y": y + (to_y - y) * part} for part in (0, 0.4, 0.8, 1)]
    touch = page.context.new_cdp_session(page)
    for kind, spots in (("Start", way[:1]), *(("Move", [spot]) for spot in way[1:]), ("End", [])):
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": spots})
    drawn(page)


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_on_a_phone_all_of_it_fits_and_works_by_touch(page: Page, served: str) -> None:
    figure = open_figure(page, served)
    check_kept_height(page, figure)
    for sentence in ("a fox always sleeps.", LONGEST, f"the {'x' * 120} slept."):
        read(page, figure, sentence)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        inside = "node => [...node.querySelectorAll('*:not(.cb-hidden, .cb-hidden *, .cb-probe)')]"
        outside = figure.evaluate(
            f"{inside}.filter(one => one.getBoundingClientRect().right > innerWidth + 1)"
            ".map(one => one.outerHTML.slice(0, 90))"
        )
        assert outside == []
    read(page, figure, "the dog chased the cat.")
    words = figure.locator(".cb-tokens:not(.cb-written) button")
    drag_by_finger(page, words.nth(1), words.nth(2))
    assert source(figure) == "the chased dog the cat . (end)"
    expect(figure.get_by_text("Tap a word to move it")).to_be_visible()
    expect(figure.get_by_text("Shift and ←")).to_be_hidden()
    figure.locator(".cb-written button").nth(2).tap()
    drawn(page)
    assert figure.locator(".cb-written [aria-pressed=true]").count() == 1
    read(page, figure, "as the dog was walking along, it met a cat.")
    dog, cat = words.nth(2), words.nth(10)
    assert top(dog) < top(cat)  # a row below: the page must not scroll instead
    drag_by_finger(page, dog, cat)
    assert source(figure).startswith("as the cat was walking along , it met a dog")
    figure.locator(".cb-query li").nth(6).tap()
    expect(figure.locator(".cb-written [aria-pressed=true] .cb-word")).to_have_text("犬")
    expect(figure.locator(".cb-said")).to_contain_text(re.compile(r"^犬 takes \S+ from dog"))
    page.evaluate("location.hash = '#step-4'")
    figure.get_by_role("button", name="Do it for me").tap()
    # what was done is scrolled to, below a slim bar that stays in sight
    expect(figure.locator(".cb-way .cb-heading").first).to_be_in_viewport()
    bar = figure.locator(".cb-tour-slim")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(bar).to_contain_text("4 of 11")
    bar.get_by_role("button", name="Show text").tap()
    expect(bar).to_contain_text("One key has a far higher score")
    check_accessible(page, figure)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


MEASURE = """async ([values, selector]) => {
  const figure = document.querySelector('.cb-live-transformer');
  const host = figure.closest('[data-update-ms]');
  const input = figure.querySelector(selector);
  const times = [];
  for (const value of values) {
    const before = host.dataset.updates;
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    while (host.dataset.updates === before) await new Promise(requestAnimationFrame);
    times.push(Number(host.dataset.updateMs));
  }
  return times;
}"""
SLIDER, FIELD = "input[type=range]", ".cb-field input"


def fastest(page: Page, values: list[str], selector: str, limit: float) -> float:
    """The median time of an update; of three rounds at most, for another process may step in."""
    rounds: list[float] = []
    while len(rounds) < 3 and not (rounds and min(rounds) <= limit):
        given: list[Any] = [values, selector]
        times = page.wait_for_function(MEASURE, arg=given, timeout=3 * WAIT).json_value()
        rounds.append(median(times))
    return min(rounds)


def reach(page: Page, served: str) -> float:
    """Come near the figure; milliseconds until its model was ready. It is not loaded before."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served}/{CHAPTER}.html")
    settle(page)
    assert not any(MODEL in url for url in asked)
    page.locator(".figure-mount").last.scroll_into_view_if_needed()
    figure = page.locator(".cb-live-transformer")
    figure.wait_for()
    assert any(MODEL in url for url in asked)
    return float(figure.evaluate("node => node.closest('[data-ready-ms]').dataset.readyMs"))


def test_speed(page: Page, served: str) -> None:
    """The model's arrival, a slider's frames, and a long sentence with every switch moved."""
    ready = reach(page, served)
    for _ in range(2):  # another process may step in
        if ready > READY:
            ready = min(ready, reach(page, served))
    figure = page.locator(".cb-live-transformer")
    slide = [f"{1 + step / 20:.2f}" for step in range(24)]
    page.wait_for_function(MEASURE, arg=[slide[:8], SLIDER], timeout=WAIT)  # until it is compiled
    frame = fastest(page, slide, SLIDER, FRAME)
    assert len(re.findall(r"\w+", LONGEST)) == 25
    read(page, figure, LONGEST)
    long_frame = fastest(page, slide, SLIDER, FRAME)
    sentences = [LONGEST.replace("girl", "boy"), LONGEST] * 8
    page.evaluate(f"location.hash = '#live?{MOVED}'")
    whole = fastest(page, sentences, FIELD, RETRANSLATION)
    page.evaluate(f"location.hash = '#live?{MOVED}&beam=4'")
    beam = fastest(page, sentences[:6], FIELD, float("inf"))  # told, not promised
    print(
        f"ready after {ready:.0f} ms; medians: a slider's frame {frame:.1f} ms, of 25 words "
        f"{long_frame:.1f} ms; 25 words translated anew with every switch moved {whole:.1f} ms, "
        f"by a beam of 4 {beam:.1f} ms"
    )
    assert ready <= READY
    assert frame <= FRAME
    assert whole <= RETRANSLATION
