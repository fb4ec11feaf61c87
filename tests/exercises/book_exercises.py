"""The exercises of the chapters as their sources hold them."""

import functools
from pathlib import Path
from typing import Any

from tools.sheets import Sheet, Task, read_sheet

ROOT = Path(__file__).parents[2]


@functools.cache
def sheets() -> list[Sheet]:
    paths = sorted((ROOT / "chapters_src" / "en").glob("[0-9]*.md"))
    return [sheet for path in paths if (sheet := read_sheet(path))]


@functools.cache
def tasks() -> dict[str, Task]:
    return {task.name: task for sheet in sheets() for task in sheet.tasks}


def namespace_before(name: str) -> dict[str, Any]:
    """What is defined when a reader has run the cells of the sheet up to an exercise's stub."""
    sheet = next(sheet for sheet in sheets() if any(task.name == name for task in sheet.tasks))
    names: dict[str, Any] = {}
    for task in sheet.tasks:
        exec(task.stub, names)
        if task.name == name:
            break
    return names
