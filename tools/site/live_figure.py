"""The directive `live-figure`: a chapter's interactive figure on a page that is no notebook."""

import json
from pathlib import Path
from typing import Any, ClassVar

import nbformat
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


class LiveFigure(SphinxDirective):
    """Show the figure that a notebook's cell shows, from the state that the notebook saved.

    ::

        ```{live-figure} ../notebooks/en/09-queries-keys-values.ipynb
        :cell: attention-view
        ```
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"cell": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The figure's state and view as HTML, as myst-nb writes them for notebooks."""
        _, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(path)
        try:
            state, view = read_figure(Path(path), self.options.get("cell", ""))
        except ValueError as error:
            raise self.error(str(error)) from error
        return [nodes.raw("", script(STATE, state) + script(VIEW, view), format="html")]


def read_figure(path: Path, cell: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Saved state and view of the figure that a notebook's cell shows.

    Args:
        path: the notebook.
        cell: id of the cell.

    Returns:
        What the scripts of a page hold: the state of this one widget, and its view.

    Raises:
        ValueError: no such notebook or cell, or the cell shows no figure.
    """
    if not path.is_file():
        raise ValueError(f"there is no notebook {path.name}: build it with `make notebooks`")
    notebook = nbformat.read(path, as_version=4)
    saved = notebook.metadata.get("widgets", {}).get(STATE, {"state": {}})
    outputs = [
        output["data"][VIEW]
        for found in notebook.cells
        if found.get("id") == cell
        for output in found.get("outputs", [])
        if VIEW in output.get("data", {})
    ]
    if not outputs:
        raise ValueError(f"no cell {cell!r} of {path.name} shows a figure: name one with :cell:")
    view = outputs[0]
    model = view["model_id"]
    if model not in saved["state"]:
        raise ValueError(f"{path.name} saved no state of the figure of {cell!r}: build it again")
    return {**saved, "state": {model: saved["state"][model]}}, view


def script(kind: str, content: dict[str, Any]) -> str:
    """A script element that holds data; `</` cannot end it early."""
    text = json.dumps(content).replace("</", "<\\/")
    return f'<script type="{kind}">{text}</script>\n'
