"""A phone's narrow page: what is cut off says so, what stands side by side elsewhere is stacked."""

import pytest
from playwright.sync_api import Page
from site_pages import settle

from tools.site.visiting.visit import PHONE

pytestmark = pytest.mark.parametrize("context", [{"viewport": PHONE}], indirect=True)

WIDE = "div.math > .formula, .pst-scrollable-table-container, .holds-wide, article pre"


def test_what_is_cut_off_fades_until_it_is_scrolled_to_its_end(page: Page, served: str) -> None:
    page.goto(f"{served}/notebooks/en/07-seq2seq.html")
    settle(page)
    states = """([selector, end]) => [...document.querySelectorAll(selector)].filter(
      block => block.checkVisibility({ contentVisibilityAuto: true })  // not what is folded away
    ).map(block => {
      if (end) block.scrollLeft = block.scrollWidth;
      const cut = block.scrollWidth - block.clientWidth - block.scrollLeft > 2;
      return [cut, getComputedStyle(block).maskImage !== "none", block.className];
    })"""
    page.wait_for_selector(".formula.more-right")
    begun = page.evaluate(states, [WIDE, False])
    assert {kind for cut, _, kind in begun if cut} >= {"formula more-right"}
    assert sum(cut for cut, _, _ in begun) > 10
    assert [block for block in begun if block[0] != block[1]] == []
    page.evaluate(states, [WIDE, True])
    page.wait_for_function("!document.querySelector('.more-right')")
    assert [block for block in page.evaluate(states, [WIDE, True]) if block[0] or block[1]] == []


def test_a_formula_has_the_whole_width_and_its_number_below(page: Page, served: str) -> None:
    page.goto(f"{served}/notebooks/en/09-queries-keys-values.html")
    settle(page)
    block = page.locator("div.math", has=page.locator("#equation-9-1"))
    formula, number = block.locator(".formula"), block.locator(".eqno")
    assert formula.evaluate("e => e.scrollWidth <= e.clientWidth")  # none of it is cut off
    above, below = formula.bounding_box(), number.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] >= above["y"] + above["height"] - 1


def test_the_notation_says_what_a_symbol_is_where_it_can_be_seen(page: Page, served: str) -> None:
    page.goto(f"{served}/book/notation.html")
    settle(page)
    rights = page.evaluate(
        "[...document.querySelectorAll('article td:nth-child(2)')]"
        ".map(cell => cell.getBoundingClientRect().right)"
    )
    assert len(rights) > 50
    assert max(rights) <= PHONE["width"]


@pytest.mark.parametrize("name", ["book/index", "book/live", "notebooks/en/09-queries-keys-values"])
def test_the_ways_on_are_stacked(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    column = page.locator(".prev-next-area").bounding_box()
    assert column is not None
    bottoms = []
    for link in page.locator(".prev-next-area a").all():
        box = link.bounding_box()
        assert box is not None
        assert box["width"] > 0.95 * column["width"]
        assert box["y"] >= max(bottoms, default=0)
        bottoms.append(box["y"] + box["height"])
        assert link.evaluate("e => e.scrollWidth <= e.clientWidth")  # its arrow is not cut off
