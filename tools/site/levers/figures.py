"""Places for the interactive figures, as high as the figures will be: nothing moves later."""

import json
import shutil
from pathlib import Path
from typing import Any

from tools.site.page import Page

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
BUNDLES = Path("contextbook") / "widgets" / "static" / "page"
FOLDER = "_static/figures"


def copy_bundles(source: Path, root: Path) -> None:
    """Put the figures' scripts beside the pages: the loader, and one for each figure."""
    if (source / BUNDLES).is_dir():
        shutil.copytree(source / BUNDLES, root / FOLDER, dirs_exist_ok=True)


def make_places(page: Page) -> None:
    """Wrap each figure's view in a `div.figure-mount` with its name and its height.

    Raises:
        ValueError: a view's widget is none of the book's figures, so the page could not move it.
    """
    states: dict[str, Any] = {}
    for script in page.soup.find_all("script", type=STATE):
        states |= json.loads(script.string or "{}")["state"]
    for script in page.soup.find_all("script", type=VIEW):
        model = json.loads(script.string or "{}")["model_id"]
        state = states.get(model, {}).get("state", {})
        if "figure" not in state:
            kind = states.get(model, {}).get("model_name", "widget without saved state")
            raise ValueError(
                f"{page.name}: a {kind} is shown, which does nothing on a page without a kernel: "
                "use a figure of contextbook.widgets, or tag the cell remove-output"
            )
        place = page.tag("div", class_="figure-mount", data_figure=state["figure"])
        if state.get("height"):
            place["style"] = f"min-height:{state['height']}px"
        script.wrap(place)
