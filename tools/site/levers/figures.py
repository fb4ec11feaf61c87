"""Places for the interactive figures, as high as the figures will be: nothing moves later."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from tools.site.page import Page

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
BUNDLES = Path("contextbook") / "widgets" / "static" / "page"
FOLDER = "_static/figures"
LOADER = f"{FOLDER}/mount.js"


def copy_bundles(source: Path, root: Path) -> None:
    """Put the figures' scripts beside the pages: the loader, and one for each figure."""
    if (source / BUNDLES).is_dir():
        shutil.copytree(source / BUNDLES, root / FOLDER, dirs_exist_ok=True)


def make_places(page: Page) -> None:
    """Wrap each figure's view in a `div.figure-mount` with its name, models and two heights.

    Other widgets stay as they are: the loader says there that they need a kernel.
    """
    states: dict[str, Any] = {}
    for script in page.soup.find_all("script", type=STATE):
        states |= json.loads(script.string or "{}")["state"]
    for script in page.soup.find_all("script", type=VIEW):
        model = json.loads(script.string or "{}")["model_id"]
        state = states.get(model, {}).get("state", {})
        if "figure" in state:
            name = state["figure"]
            mount = page.tag("div", class_="figure-mount", data_figure=name)
            if page.soup.find(id=f"figure-{name}") is None:  # a link leads to the first
                mount["id"] = f"figure-{name}"
            if state.get("models"):
                mount["data-models"] = " ".join(state["models"])
            height = state.get("height", 0)
            narrow = state.get("height_narrow", height)
            mount["style"] = f"--height:{height}px;--height-narrow:{narrow}px"
            script.wrap(mount)
            mount.wrap(page.tag("div", class_="figure-place"))  # its width decides on the height


def load_figures(page: Page) -> None:
    """Give the loader to pages that show a figure, and to no others."""
    loaded = page.soup.find("script", src=re.compile(LOADER))
    if page.soup.find("script", type=VIEW) and not loaded:
        page.head.append(page.tag("script", src=f"{page.up}{LOADER}", defer=""))
