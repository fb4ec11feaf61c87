"""Takes trained models out of a notebook's widgets, into one file for each model.

A figure that runs a trained model holds its weights in the trait ``models``. In the notebook they
would be stored once for each figure, and a page would load them before it shows its first line.
A chapter can show the model of an earlier one: it reads the file, and so has the same digest.
"""

from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from tools.notebooks.faults import ChapterError, Fault
from tools.notebooks.source import Chapter
from tools.notebooks.stable import STATE

FOLDER = Path("contextbook") / "widgets" / "static" / "page" / "models"


def take_out_models(notebook: NotebookNode) -> dict[str, dict[str, str]]:
    """Remove the weights from the saved state of a notebook's widgets.

    Returns:
        Each model by its name: its ``data`` and ``sha256``. The state keeps the latter.

    Raises:
        ValueError: two figures of the notebook show different models by one name.
    """
    found: dict[str, dict[str, str]] = {}
    states: dict[str, Any] = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    for widget in states.values():
        for name, model in widget["state"].get("models", {}).items():
            known = found.setdefault(name, dict(model))
            if known["sha256"] != model["sha256"]:
                raise ValueError(
                    f"two figures of the notebook show different models named {name!r}: "
                    "give one of them another name"
                )
            model.pop("data", None)
    return found


def keep_models(root: Path, chapter: Chapter, notebook: NotebookNode) -> None:
    """Move the weights from a notebook that was run into files, where a page's loader finds them.

    Raises:
        ChapterError: two figures disagree about a model, or a model cannot be a file of a page.
    """
    try:
        models = take_out_models(notebook)
        if not models:
            return
        # here and not above: a chapter without figures is built without ipywidgets
        from contextbook.widgets._weights import Packed, write_model

        for name, model in models.items():
            write_model(name, Packed(model["data"], model["sha256"]), root / FOLDER)
    except ValueError as error:
        path = chapter.path.relative_to(root).as_posix()
        mend = "correct what the figures of the chapter are given"
        raise ChapterError([Fault(path, 1, str(error), mend)]) from error


def shown_models(notebook: NotebookNode) -> dict[str, str]:
    """The digest of each model that a stored notebook's figures show."""
    states: dict[str, Any] = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    return {
        name: model["sha256"]
        for widget in states.values()
        for name, model in widget["state"].get("models", {}).items()
    }


def other_models(root: Path, notebook: NotebookNode) -> list[str]:
    """Name the models that a stored notebook shows and that the files do not hold (any more)."""
    shown = shown_models(notebook)
    if not shown:
        return []
    from contextbook.widgets._weights import read_model

    folder = root / FOLDER
    return [
        name
        for name, digest in sorted(shown.items())
        if not (folder / f"{name}.js").is_file() or read_model(name, folder).sha256 != digest
    ]
