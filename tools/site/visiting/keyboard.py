"""A reader without a mouse: Tab reaches everything and shows where it is, keys move the figures."""

from dataclasses import dataclass

from playwright.sync_api import ElementHandle, Page

MOST_STOPS = 500  # a page on which Tab gets no further than this has a trap
# What is tried on each control, until the figure shows something else.
KEYS = ("ArrowRight", "ArrowLeft", "Space", "Enter")


@dataclass(frozen=True)
class Tabbing:
    """What pressing Tab from the page's top has shown.

    Attributes:
        stops: how many things had the focus, one after the other.
        unreached: what a reader can act on and Tab does not reach.
        unseen: what had the focus without looking different.
    """

    stops: int
    unreached: list[str]
    unseen: list[str]


def tab_through(page: Page) -> Tabbing:
    """Press Tab until the focus leaves the page.

    A focus that no ring shows must change the drawing that it is in; of controls of one kind in one
    figure the first is looked at.
    """
    page.evaluate("visiting.forget()")
    stops, unseen = 0, []
    looked_at: dict[str, bool] = {}
    while stops < MOST_STOPS:
        page.keyboard.press("Tab")
        focused = page.evaluate("visiting.focused()")
        if focused is None:
            break
        stops += 1
        if focused["ringed"]:
            continue
        kind = focused["kind"]
        if kind not in looked_at:
            looked_at[kind] = looks_focused(page)
        if not looked_at[kind]:
            unseen.append(focused["html"])
    return Tabbing(stops, page.evaluate("visiting.unreached()"), unseen)


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


def unmoved_figures(page: Page) -> list[str]:
    """Names of the page's figures that no key moves, with the focus on any of their controls."""
    figures = page.query_selector_all(".figure-mount")
    return [
        figure.get_attribute("data-figure") or "?" for figure in figures if not moves(page, figure)
    ]


def moves(page: Page, figure: ElementHandle) -> bool:
    """Whether a key on one of its controls changes what the figure shows."""
    figure.scroll_into_view_if_needed()
    controls = page.evaluate_handle("figure => visiting.interactive(figure)", figure)
    for control in controls.get_properties().values():
        element = control.as_element()
        if element is None:
            continue
        element.focus()
        before = page.evaluate("figure => visiting.look(figure)", figure)
        for key in KEYS:
            page.keyboard.press(key)
            if page.evaluate("figure => visiting.look(figure)", figure) != before:
                return True
    return False
