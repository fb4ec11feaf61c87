"""The figure of chapter 2 on the built page: it does what the chapter says. No kernel, no net."""

import math
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from site_pages import assert_quick, settle, update_time

CHAPTER = "notebooks/en/02-embeddings"
LONGEST_UPDATE = 8.0  # milliseconds: half a frame
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(params=["http", "file"])
def address(request: pytest.FixtureRequest, site: Path) -> str:
    """The chapter's address, on a server and as a file."""
    base = site.as_uri() if request.param == "file" else request.getfixturevalue("served")
    return f"{base}/{CHAPTER}.html"


@pytest.fixture
def figure(page: Page, served: str) -> Locator:
    """The figure on the chapter's page, over http."""
    return open_figure(page, f"{served}/{CHAPTER}.html")


def open_figure(page: Page, address: str) -> Locator:
    """Open the chapter and wait for its figure."""
    page.goto(address)
    settle(page)
    figure = page.locator(".cb-word-map")
    figure.scroll_into_view_if_needed()
    return figure


def ranking(figure: Locator, kind: str) -> list[str]:
    """The words that a ranking lists."""
    rows = figure.locator(f".cb-{kind} li:not([hidden]) .cb-word")
    return rows.all_text_contents()


def asked(figure: Locator) -> str:
    """What the figure says that the query is."""
    return figure.locator(".cb-asked").inner_text()


def looks(figure: Locator) -> dict[str, object]:
    """All that must follow the query."""
    return {
        "puck": figure.locator(".cb-puck").get_attribute("transform"),
        "rings": [ring.get_attribute("cx") for ring in figure.locator(".cb-ring").all()],
        "cosine": figure.locator(".cb-cosine .cb-score").all_text_contents(),
        "product": figure.locator(".cb-product .cb-score").all_text_contents(),
        "asked": asked(figure),
    }


def assert_all_changed(before: dict[str, object], after: dict[str, object]) -> None:
    """Every part of the picture must be another one."""
    assert [part for part in before if before[part] == after[part]] == []


def middle(node: Locator) -> tuple[float, float]:
    """The middle of an element in the window."""
    box = node.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_mouse_drags_the_query_and_both_rankings_follow(
    page: Page, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = open_figure(page, address)
    before = looks(figure)
    x, y = middle(figure.locator(".cb-disc"))
    page.mouse.move(x, y)
    page.mouse.down()
    times = []
    for i in range(1, 41):
        page.mouse.move(x - 5 * i, y + 4 * i)
        times.append(update_time(figure))
    page.mouse.up()
    assert_all_changed(before, looks(figure))
    assert "a place on the map" in asked(figure)
    with capsys.disabled():
        print(f"\nword map: {sum(times) / len(times):.2f} ms on average, {max(times):.2f} at most")
    assert_quick(LONGEST_UPDATE, times)


def test_the_arrow_keys_move_the_query(page: Page, address: str) -> None:
    figure = open_figure(page, address)
    before = looks(figure)
    figure.locator(".cb-query").focus()
    for key in ("ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowDown", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert_all_changed(before, looks(figure))


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_finger_drags_the_query_and_taps_a_word(page: Page, figure: Locator) -> None:
    figure.locator(".cb-map").scroll_into_view_if_needed()
    before, top = looks(figure), page.evaluate("scrollY")
    x, y = middle(figure.locator(".cb-disc"))
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": px, "y": py} for px, py in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    for i in range(1, 11):
        touch("touchMove", (x - 12 * i, y + 8 * i))
    touch("touchEnd")
    assert_all_changed(before, looks(figure))
    assert page.evaluate("scrollY") == top
    x, y = middle(figure.locator(".cb-mark").nth(mark_of(figure, "blue")))
    page.touchscreen.tap(x, y)
    assert asked(figure).startswith("The query is blue")


def mark_of(figure: Locator, word: str) -> int:
    """Number of the mark of a word; marks and names come in one order."""
    return figure.locator(".cb-name").all_text_contents().index(word)


def test_what_the_chapter_says_to_try_happens(figure: Locator) -> None:
    by_cosine, by_product = ranking(figure, "cosine"), ranking(figure, "product")
    assert by_cosine[:3] == ["dog", "rabbit", "fox"]
    assert by_product[0] in ("rabbit", "bear", "dog")
    for long in ("egg", "cake"):
        assert by_product.index(long) < 5 <= by_cosine.index(long)
    assert by_product.index("egg") < by_product.index("dog")

    figure.locator(".cb-map").click(position=position(figure, "red"))
    assert "The query is red" in asked(figure)
    assert "there" in ranking(figure, "product")[:3]
    assert "there" not in ranking(figure, "cosine")
    figure.get_by_role("checkbox", name="function word").uncheck()
    assert "there" not in ranking(figure, "product")
    figure.get_by_role("button", name="Reset").click()

    field = figure.get_by_role("combobox", name="Ask with")
    field.fill("beautiful")
    field.press("Enter")
    one, other = (position(figure, word) for word in ("castle", "beautiful"))
    assert abs(one["x"] - other["x"]) + abs(one["y"] - other["y"]) < 20
    assert set(ranking(figure, "cosine")[:2]) == {"famous", "brave"}
    assert not {"castle", "forest", "garden", "park", "school", "town"} & set(
        ranking(figure, "cosine")
    )


@pytest.mark.parametrize("word", ["cat", "red", "beautiful"])
def test_no_name_of_a_ranking_is_cut_short(page: Page, figure: Locator, word: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    field = figure.get_by_role("combobox", name="Ask with")
    field.fill(word)
    field.press("Enter")
    names = figure.locator(".cb-ranking li:not([hidden]) .cb-word")
    cut = "nodes => nodes.filter(n => n.scrollWidth > n.clientWidth).map(n => n.textContent)"
    assert names.count() > 10
    assert names.evaluate_all(cut) == []


def position(figure: Locator, word: str) -> dict[str, float]:
    """Where a word's mark lies on the map, in pixels."""
    mark = figure.locator(".cb-mark").nth(mark_of(figure, word))
    transform = mark.get_attribute("transform") or ""
    x, y = transform.removeprefix("translate(").split(")")[0].split()
    return {"x": float(x), "y": float(y)}


def test_pulling_the_query_outward_changes_no_ranking(figure: Locator) -> None:
    near, far = free_places(figure)
    rankings = []
    for place in (near, far):
        figure.locator(".cb-map").click(position=place)
        assert "a place on the map" in asked(figure)
        rankings.append([ranking(figure, kind)[:4] for kind in ("cosine", "product")])
    assert rankings[0] == rankings[1]


def free_places(figure: Locator) -> tuple[dict[str, float], dict[str, float]]:
    """Two places in one direction from the middle of the map, with no word under them."""
    size = figure.locator(".cb-map").evaluate("node => node.getBoundingClientRect().width")
    words = figure.locator(".cb-name").all_text_contents()
    marks = [position(figure, word) for word in words]

    def place(angle: float, share: float) -> dict[str, float]:
        x, y = share * math.cos(angle), share * math.sin(angle)
        return {"x": size * (0.5 + x), "y": size * (0.5 - y)}

    def free(spot: dict[str, float]) -> bool:
        return all(math.hypot(spot["x"] - m["x"], spot["y"] - m["y"]) > 24 for m in marks)

    for degrees in range(0, 360, 5):
        near, far = (place(math.radians(degrees), share) for share in (0.2, 0.44))
        if free(near) and free(far):
            return near, far
    raise AssertionError("there is no direction without words")


def test_analogies_by_their_buttons(figure: Locator) -> None:
    figure.get_by_role("button", name="gender").click()
    assert asked(figure).startswith("man is to woman as king is to queen. That is the answer")
    figure.get_by_role("button", name="-ing form").click()
    assert asked(figure).startswith("walks is to walking as reads is to reading. That is")
    figure.get_by_role("button", name="tense", exact=True).click()
    assert asked(figure).startswith("meets is to met as sings is to sang. That is")
    figure.get_by_role("button", name="a miss").click()
    assert "Hoped for was walked, which comes in place" in asked(figure)
    expect(figure.locator(".cb-step:not(.cb-gone)")).to_have_count(2)


def test_an_unknown_word_is_refused_with_the_nearest_known_as_text(
    page: Page, figure: Locator
) -> None:
    images = page.locator("img").count()
    field = figure.get_by_role("combobox", name="Ask with")
    field.click()
    page.keyboard.type("hrose")
    expect(figure.get_by_role("option")).to_have_count(3)
    page.keyboard.press("Tab")
    complaint = figure.locator(".cb-complaint").first
    assert "“hrose” is not one of the 123 words" in complaint.inner_text()
    assert "horse" in complaint.inner_text()
    expect(field).to_have_value("cat")
    field.fill("<img src=x onerror=alert(1)>")
    field.press("Tab")
    assert "<img src=x" in complaint.inner_text()
    assert page.locator("img").count() == images


def test_a_word_is_completed_by_pointer_and_by_keys(page: Page, figure: Locator) -> None:
    field = figure.get_by_role("combobox", name="Ask with")
    field.click()
    page.keyboard.type("pri")
    figure.get_by_role("option", name="princess").click()
    assert "The query is princess" in asked(figure)
    field.press("Escape")
    field.fill("wr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = figure.get_by_role("option").nth(1).inner_text()
    page.keyboard.press("Enter")
    assert f"The query is {chosen}" in asked(figure)


def test_a_word_under_the_pointer_is_marked_everywhere(page: Page, figure: Locator) -> None:
    figure.locator(".cb-cosine button").first.hover()
    assert figure.locator(".cb-ranking .cb-marked").count() == 2
    assert figure.locator(".cb-spot:not(.cb-gone)").count() == 1
    assert figure.locator(".cb-product-of").inner_text().startswith("dog: cosine 0.98")
    figure.locator(".cb-map").hover(position=position(figure, "egg"))
    assert figure.locator(".cb-product-of").inner_text().startswith("egg: ")
    figure.locator(".cb-guide").hover()
    assert figure.locator(".cb-marked").count() == 0


def test_reset_brings_all_back(page: Page, figure: Locator) -> None:
    before = looks(figure)
    figure.get_by_role("button", name="gender").click()
    figure.get_by_role("checkbox", name="verb").uncheck()
    figure.get_by_role("button", name="Reset").click()
    page.mouse.move(0, 0)
    assert looks(figure) == before


@pytest.mark.parametrize("context", [{}, PHONE], indirect=True, ids=["desktop", "phone"])
def test_the_page_keeps_a_place_of_the_right_height(page: Page, figure: Locator) -> None:
    place, inner = page.locator(".figure-mount"), page.locator(".cb-figure")
    kept = place.evaluate("node => parseFloat(getComputedStyle(node).minHeight)")
    assert kept == pytest.approx(inner.evaluate("node => node.offsetHeight"), abs=40)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
