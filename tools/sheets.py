"""Takes the exercises out of the chapters: sheets without solutions, and what the tests run.

``python -m tools.sheets`` writes, for every chapter with exercises, a notebook and a Markdown page
into ``_build/sheets/<language>/``: statements, stubs and checks, for teachers to hand out.

An exercise in a chapter is a heading of the third level below ``## Exercises``, its statement, a
cell with the stub, a cell that calls ``check.<name>(<function>)``, and the solution as fenced
Python in ``<details>``.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.config import ROOT, Repository, read_repository
from tools.notebooks.assemble import setup_source
from tools.notebooks.faults import ChapterError, Report
from tools.notebooks.front import Front
from tools.notebooks.source import Cell, Chapter, read_chapter

__all__ = ["Sheet", "Task", "read_sheet", "write_sheets"]

HEADING = "## Exercises"
# the credit that LICENSE-CONTENT.md asks for
CREDIT = "*How Context Travels: from tokens to the Transformer*, by its authors"
LICENCE = "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)"
_DETAILS = re.compile(r"<details>.*?</details>\s*", re.S)
_FENCED = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@dataclass(frozen=True)
class Task:
    """One exercise: ``check.<name>(<function>)``, what is asked, the stub, and the solution."""

    name: str
    function: str
    stub: str
    solution: str


@dataclass(frozen=True)
class Sheet:
    """The exercises of a chapter, in order; ``cells`` hold no solution.

    ``page`` is where the chapter stands on the website, without its suffix.
    """

    front: Front
    page: str
    cells: tuple[Cell, ...]
    tasks: tuple[Task, ...]


def read_sheet(path: Path, root: Path = ROOT) -> Sheet | None:
    """Read the exercises of a chapter; ``None`` when it has none.

    Raises:
        ChapterError: the chapter cannot be read, or an exercise lacks its stub or its solution.
    """
    report = Report(path, root)
    chapter = read_chapter(path, report)
    report.raise_if_any()
    assert chapter.front is not None  # its faults would have been raised
    cells = _section(chapter)
    tasks = []
    for index, cell in enumerate(cells):
        for name, function in _checks(cell):
            stub = next((c for c in cells[:index] if _defines(c, function)), None)
            following = cells[index + 1].text if index + 1 < len(cells) else ""
            solution = _solution(following, function)
            if stub is None:
                report.add(
                    cell.line,
                    f"check.{name} has no stub: no cell of the exercises defines {function}",
                    f"put a cell before it with   def {function}(…):   that returns …",
                )
            elif solution is None:
                report.add(
                    cell.line,
                    f"check.{name} has no solution",
                    "put one below it: <details><summary>Solution</summary>, a blank line, and "
                    f"```python with   def {function}(…)",
                )
            else:
                tasks.append(Task(name, function, stub.text, solution))
    report.raise_if_any()
    if not tasks:
        return None
    kept = (
        Cell(cell.kind, _DETAILS.sub("", cell.text).strip(), cell.line, cell.body, cell.name)
        for cell in cells
    )
    shown = tuple(cell for cell in kept if cell.text)
    page = f"notebooks/{path.parent.name}/{path.stem}"
    return Sheet(chapter.front, page, shown, tuple(tasks))


def write_sheets(root: Path, target: Path) -> list[Path]:
    """Write the sheets of all chapters.

    Args:
        root: folder of the project.
        target: folder for the sheets; there is a folder for each language in it.

    Returns:
        The files that were written.

    Raises:
        ChapterError: see :func:`read_sheet`.
        ValueError: ``_config.yml`` does not say where the book lives.
    """
    repository = read_repository(root)
    written = []
    for source in sorted((root / "chapters_src").glob("*/[0-9]*.md")):
        sheet = read_sheet(source, root)
        if sheet is None:
            continue
        folder = target / source.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        for suffix, make in ((".ipynb", _notebook), (".md", _markdown)):
            path = folder / f"{source.stem}-exercises{suffix}"
            path.write_text(make(sheet, repository), encoding="utf-8")
            written.append(path)
    return written


def _section(chapter: Chapter) -> list[Cell]:
    """The cells from the heading of the exercises to the next heading of its level."""
    section: list[Cell] = []
    inside = False
    for cell in chapter.cells:
        text = cell.text
        if cell.kind == "markdown":
            parts = re.split(r"^(?=## )", text, flags=re.M)
            wanted = []
            for part in parts:
                if part.startswith("## "):
                    inside = part.startswith(HEADING)
                if inside:
                    wanted.append(part)
            text = "".join(wanted)
        if inside or (cell.kind == "markdown" and text):
            section.append(Cell(cell.kind, text, cell.line, cell.body, cell.name, cell.tags))
    return section


def _checks(cell: Cell) -> list[tuple[str, str]]:
    """The calls ``check.<name>(<function>)`` of a cell."""
    if cell.kind != "code":
        return []
    return [
        (node.func.attr, node.args[0].id)
        for node in ast.walk(ast.parse(cell.text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "check"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
    ]


def _defines(cell: Cell, function: str) -> bool:
    return cell.kind == "code" and _defines_in(cell.text, function)


def _defines_in(code: str, function: str) -> bool:
    return any(
        isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == function
        for node in ast.parse(code).body
    )


def _solution(markdown: str, function: str) -> str | None:
    for details in _DETAILS.findall(markdown):
        for code in _FENCED.findall(details):
            if _defines_in(code, function):
                return str(code)
    return None


def _heading(sheet: Sheet, repository: Repository) -> str:
    """Number and title, where the chapter is, whose it is and what one may do with it."""
    number, title = sheet.front.number, sheet.front.title
    chapter = f"[chapter {number}]({repository.pages}{sheet.page}.html)"
    return (
        f"# {number}. {title}\n\n"
        f"The exercises of {chapter} of {CREDIT}, {LICENCE}; the code: MIT licence. "
        'What they call "above" may stand in the chapter.'
    )


def _notebook(sheet: Sheet, repository: Repository) -> str:
    cells = [
        new_markdown_cell(_heading(sheet, repository), id="title"),
        new_code_cell(setup_source(sheet.front, repository), id="setup"),
    ]
    for cell in sheet.cells:
        make = new_code_cell if cell.kind == "code" else new_markdown_cell
        cells.append(make(cell.text, id=cell.name))
    notebook = new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"


def _markdown(sheet: Sheet, repository: Repository) -> str:
    texts = [_heading(sheet, repository)]
    for cell in sheet.cells:
        texts.append(f"```python\n{cell.text}\n```" if cell.kind == "code" else cell.text)
    return "\n\n".join(texts) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write all sheets; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.sheets",
        description="Make exercise sheets without solutions from the chapters.",
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the project")
    root = parser.parse_args(arguments).root.resolve()
    try:
        written = write_sheets(root, root / "_build" / "sheets")
    except (ChapterError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    for path in written:
        print(f"made {path.relative_to(root).as_posix()}")
    if not written:
        print("no chapter has exercises yet")
    return 0


if __name__ == "__main__":
    sys.exit(main())
