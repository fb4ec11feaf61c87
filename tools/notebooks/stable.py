"""Makes the saved state of widgets repeatable and small: two runs of a chapter give the same bytes.

ipywidgets names each widget by a random number. Here a widget's id follows from the notebook's
name and the widget's place in it instead. The module of a figure is replaced by a one-line stub:
the website binds its own bundle, and so a change of JavaScript changes no notebook.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import nbformat
from nbformat import NotebookNode

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
_ID = re.compile(r"[0-9a-f]{32}")


def stable_text(notebook: NotebookNode, stem: str) -> str:
    """Return the notebook as the text of its file; ``stem`` is the file's name without suffix."""
    states = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    order = _referenced(notebook, states)
    if order:
        kept = {model: _slim(states[model]) for model in order}
        notebook.metadata["widgets"][STATE]["state"] = kept
    else:
        notebook.metadata.pop("widgets", None)
    text = nbformat.writes(notebook)
    new = {model: _stable_id(stem, number) for number, model in enumerate(order)}
    text = _ID.sub(lambda match: new.get(match.group(), match.group()), text)
    # read and written once more, since the order of the models follows their ids
    return nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"


def _stable_id(stem: str, number: int) -> str:
    return hashlib.sha256(f"{stem}:{number}".encode()).hexdigest()[:32]


def _referenced(notebook: NotebookNode, states: dict[str, Any]) -> list[str]:
    """List the models that outputs show, and those these refer to, in order of appearance."""
    order: list[str] = []
    for output in _outputs(notebook):
        model = output.get("data", {}).get(VIEW, {}).get("model_id")
        if model in states and model not in order:
            order.append(model)
    for model in order:  # grows as it is walked
        for found in _ID.findall(json.dumps(states[model], sort_keys=True)):
            if found in states and found not in order:
                order.append(found)
    return order


def _outputs(notebook: NotebookNode) -> Iterator[dict[str, Any]]:
    for cell in notebook.cells:
        yield from cell.get("outputs", [])


def _slim(model: dict[str, Any]) -> dict[str, Any]:
    """Take the code out of an anywidget's state, and sort its buffers."""
    if "_esm" in model["state"]:
        # here and not above: a chapter without figures is built without ipywidgets
        from contextbook.widgets import STUB

        model["state"]["_esm"] = STUB
        model["state"].pop("_css", None)
    if "buffers" in model:
        model["buffers"] = sorted(model["buffers"], key=lambda buffer: str(buffer["path"]))
    return model
