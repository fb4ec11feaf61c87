"""Readers with a keyboard, a screen reader, either scheme and any width."""

from typing import Any

import pytest
from playwright.sync_api import Page
from site_pages import AXE, PAGES, WIDTHS, scroll_through, settle

MOST_STOPS = 500  # a page on which Tab gets no further than this has a trap

VIEWS: list[Any] = [
    pytest.param(
        {"color_scheme": scheme, "viewport": {"width": width, "height": 800}},
        id=f"{scheme}-{size}",
    )
    for scheme in ("light", "dark")
    for size, width in WIDTHS.items()
]

RUN_AXE = """async () => {
  const { violations, incomplete } = await axe.run(document, {
    elementRef: true,
    rules: { "target-size": { enabled: true } },
  });
  const say = ({ id, impact, nodes }) =>
    nodes.map(({ html, any }) => `${impact} ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`);
  const unsure = incomplete.filter(({ id }) => id === "color-contrast")
    .flatMap(({ nodes }) => nodes.map(({ element }) => element));
  return { violations: violations.flatMap(say), contrast: unsure.flatMap(tooFaint) };
}"""

# Where something lies over a text (a button, a formula's parts) axe-core does not say what it
# stands on: the nearest backgrounds, one upon the other, are looked up here.
CONTRAST = """
const channels = colour => colour.match(/[\\d.]+/g).map(Number);
const over = ([r, g, b, a = 1], below) =>
  [r, g, b].map((value, i) => value * a + below[i] * (1 - a));
const luminance = colour => {
  const [r, g, b] = colour.map(v => v / 255).map(v =>
    v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
function background(element) {
  const below = element.parentElement ? background(element.parentElement) : [255, 255, 255];
  return over(channels(getComputedStyle(element).backgroundColor), below);
}
// in a drawing a text stands on the shapes that were drawn before it
function shapesUnder(text) {
  const { x, y, width, height } = text.getBoundingClientRect();
  return [...text.parentElement.children]
    .slice(0, [...text.parentElement.children].indexOf(text))
    .filter(shape => shape.matches("circle, rect"))
    .filter(shape => {
      const box = shape.getBoundingClientRect();
      const inside = (start, size, at) => start <= at && at <= start + size;
      return inside(box.x, box.width, x + width / 2) && inside(box.y, box.height, y + height / 2);
    });
}
window.tooFaint = function (element) {
  const style = getComputedStyle(element);
  let paper = background(element);
  for (const shape of element instanceof SVGElement ? shapesUnder(element) : []) {
    const { fill } = getComputedStyle(shape);
    if (fill !== "none") paper = over(channels(fill), paper);
  }
  const ink = over(channels(element instanceof SVGElement ? style.fill : style.color), paper);
  const [dark, light] = [luminance(ink), luminance(paper)].sort((a, b) => a - b);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  return ratio >= needed ? [] : [`${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 160)}`];
};
void 0;
"""


def load_axe(page: Page) -> None:
    """Put axe-core into a page.

    Raises:
        FileNotFoundError: it is not installed.
    """
    if not AXE.is_file():
        raise FileNotFoundError("axe-core is not installed: run `npm ci` in tools/lighthouse")
    page.evaluate(AXE.read_text("utf8"))
    page.evaluate(CONTRAST)


@pytest.mark.parametrize("context", VIEWS, indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    scroll_through(page)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
    load_axe(page)
    found = page.evaluate(RUN_AXE)
    assert found["violations"] == []
    assert found["contrast"] == []


# What a reader can act on, in the order of the page; of a group of radio buttons one is enough.
INTERACTIVE = """() => {
  const groups = new Set();
  const found = [];
  const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  for (const element of document.querySelectorAll(all)) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.disabled) continue;
    if (element.tabIndex < 0 || element.closest("dialog:not([open]), [inert]")) continue;
    if (element.type === "radio") {
      if (groups.has(element.name)) continue;
      groups.add(element.name);
    }
    found.push(element);
  }
  return found;
}"""

REMAINING = f"""() => ({INTERACTIVE})().filter(element => !element.dataset.reached)
  .filter(element => element.type !== "radio" ||
    !document.querySelector(`[name="${{element.name}}"][data-reached]`))
  .map(element => element.outerHTML.slice(0, 160))"""

FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  element.dataset.reached = "yes";
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  const ring = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  return { html: element.outerHTML.slice(0, 160), ringed: ring && width > 0 && height > 0 };
}"""


def looks_focused(page: Page) -> bool:
    """Whether the focus shows another way: drawings mark it in the picture, not by an outline."""
    drawing = page.evaluate_handle("document.activeElement.closest('svg')").as_element()
    if drawing is None:
        return False
    element = page.evaluate_handle("document.activeElement").as_element()
    assert element is not None
    focused = drawing.screenshot()
    element.evaluate("element => element.blur()")
    blurred = drawing.screenshot()
    element.evaluate("element => element.focus({ focusVisible: true })")
    return focused != blurred


@pytest.mark.parametrize("context", VIEWS[:2], indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_tab_reaches_everything_and_shows_where_it_is(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    scroll_through(page)
    unseen = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        if not focused["ringed"] and not looks_focused(page):
            unseen.append(focused["html"])
    assert page.evaluate(REMAINING) == []
    assert unseen == []


def test_first_tab_skips_to_the_text(page: Page, served: str) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    page.keyboard.press("Tab")
    link = page.locator(":focus")
    assert link.inner_text() == "Skip to main content"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main-content")


@pytest.mark.parametrize("context", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_the_list_of_chapters_opens_and_closes_by_keyboard_on_a_phone(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/{PAGES[0]}.html")
    settle(page)
    toggle = page.get_by_role("button", name="Chapters")
    toggle.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#pst-primary-sidebar-modal")
    dialog.wait_for(state="visible")
    assert dialog.get_by_role("link", name="Notation").is_visible()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.wait_for_function(
        "toggle => toggle === document.activeElement", arg=toggle.element_handle()
    )


@pytest.mark.parametrize("context", [{"reduced_motion": "reduce"}], indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_moves_by_itself_for_readers_who_asked_for_that(
    page: Page, served: str, name: str
) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    assert page.evaluate("document.getAnimations().length") == 0
    slow = page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(element => {
          const style = getComputedStyle(element);
          return /[1-9]/.test(style.transitionDuration) || style.animationName !== "none";
        }).map(element => element.outerHTML.slice(0, 100))"""
    )
    assert slow == []
