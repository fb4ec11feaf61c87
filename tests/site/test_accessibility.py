"""Readers with a keyboard, a screen reader, either scheme and any width."""

from typing import Any

import pytest
from playwright.sync_api import Page
from site_pages import AXE, PAGES, WIDTHS, scroll_through, settle

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
    rules: { "target-size": { enabled: true } },
  });
  const say = ({ id, impact, nodes }) =>
    nodes.map(({ html, any }) => `${impact} ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`);
  const contrast = incomplete.filter(({ id }) => id === "color-contrast");
  return { violations: violations.flatMap(say), contrast: contrast.flatMap(say) };
}"""

# Why axe-core cannot say what stands on what: looked at, and right in both schemes.
LOOKED_AT = ("<math", "<mi", "<mo", "<mn", "<mtext", "<m", "<text", "<tspan")


def load_axe(page: Page) -> None:
    """Put axe-core into a page.

    Raises:
        FileNotFoundError: it is not installed.
    """
    if not AXE.is_file():
        raise FileNotFoundError("axe-core is not installed: run `npm ci` in tools/lighthouse")
    page.evaluate(AXE.read_text("utf8"))


@pytest.mark.parametrize("context", VIEWS, indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    scroll_through(page)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    load_axe(page)
    found = page.evaluate(RUN_AXE)
    assert found["violations"] == []
    unsure = [text for text in found["contrast"] if not any(tag in text for tag in LOOKED_AT)]
    assert unsure == []


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

COUNT = f"() => ({INTERACTIVE})().length"
REMAINING = f"""() => ({INTERACTIVE})().filter(element => !element.dataset.reached)
  .filter(element => element.type !== "radio" ||
    !document.querySelector(`[name="${{element.name}}"][data-reached]`))
  .map(element => element.outerHTML.slice(0, 160))"""

FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  element.dataset.reached = "yes";
  const style = getComputedStyle(element);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const box = element.getBoundingClientRect();
  return {
    html: element.outerHTML.slice(0, 160),
    shown: ring || style.boxShadow !== "none",
    visible: box.width > 0 && box.height > 0,
  };
}"""


@pytest.mark.parametrize("context", VIEWS[:2], indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_tab_reaches_everything_and_shows_where_it_is(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}.html")
    settle(page)
    scroll_through(page)
    hidden, ringless = [], []
    for _ in range(page.evaluate(COUNT) + 5):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        if not focused["visible"]:
            hidden.append(focused["html"])
        if not focused["shown"]:
            ringless.append(focused["html"])
    assert page.evaluate(REMAINING) == []
    assert hidden == []
    assert ringless == []


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
    toggle = page.get_by_role("button", name="Chapters")
    toggle.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#pst-primary-sidebar-modal")
    assert dialog.is_visible()
    assert dialog.get_by_role("link", name="Notation").is_visible()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert toggle.evaluate("element => element === document.activeElement")


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
