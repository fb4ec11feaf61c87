"""Makes the notebook of a chapter, complete but for its outputs.

What this module makes is compared with the stored notebook to tell whether it is current; so
everything in it follows from the sources alone.
"""

import ast
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.config import Repository, read_repository
from tools.notebooks.faults import Report
from tools.notebooks.front import Front
from tools.notebooks.imports import chapter_hash
from tools.notebooks.legible import check_legible, check_width
from tools.notebooks.names import check_names, parse
from tools.notebooks.quote import QuoteError, quote_all
from tools.notebooks.source import Cell, Chapter, read_chapter

SETUP = """\
# In Colab this installs the book's package; anywhere else it does nothing.
# To keep what you change, save a copy of your own: File > Save a copy in Drive.
import sys
from importlib.util import find_spec

if "google.colab" in sys.modules and find_spec("contextbook") is None:
    %pip install -q "contextbook{extras} @ {address}"
"""


def assemble(path: Path, root: Path) -> tuple[Chapter, NotebookNode]:
    """Read a chapter, check it and make its notebook, without running anything.

    Args:
        path: the chapter's source, ``chapters_src/<language>/NN-name.md``.
        root: folder of the project.

    Raises:
        ChapterError: with every fault that can be found without running the chapter.
        ValueError: ``_config.yml`` does not say where the book lives.
    """
    repository = read_repository(root)
    report = Report(path, root)
    chapter = read_chapter(path, report)
    _fill_quotes(chapter, root, report)
    for cell in chapter.cells:
        if cell.kind == "markdown":
            check_legible(cell, report)
        else:
            check_width(cell, report)
    if chapter.front is not None:
        _check_front_legible(chapter.front, report)
        _check_closing(chapter, chapter.front, report)
    check_names(chapter.code_cells, report)
    report.raise_if_any()
    assert chapter.front is not None  # its faults would have been raised
    return chapter, _notebook(chapter, chapter.front, repository, root)


def _fill_quotes(chapter: Chapter, root: Path, report: Report) -> None:
    for cell in chapter.code_cells:
        try:
            cell.text = quote_all(root, cell.quotes) if cell.quotes else cell.text
        except QuoteError as error:
            report.add(error.line or cell.line, error.message, error.mend, path=error.path)


def _check_front_legible(front: Front, report: Report) -> None:
    end = ("closing", front.closing) if front.closing else ("teaser", front.teaser)
    for key, text in (("needs", "\n\n".join(front.needs)), end):
        line = front.lines[f"chapter.{key}"]
        found = Report(report.file, report.root)
        check_legible(Cell("markdown", text, line, line), found)
        for fault in found.faults:  # the key's line: those of folded YAML do not match the text's
            report.add(line, f"chapter.{key}: {fault.message}", fault.mend)


def _check_closing(chapter: Chapter, front: Front, report: Report) -> None:
    """Only the last chapter ends the book; each other opens the next."""
    following = sorted(
        path.name
        for path in chapter.path.parent.glob("[0-9][0-9]-*.md")
        if path.name > chapter.path.name
    )
    if front.closing and following:
        report.add(
            front.lines["chapter.closing"],
            f"chapter.closing ends the book, but {following[0]} follows",
            "write a teaser in its place, which opens the next chapter",
        )


def setup_source(front: Front, repository: Repository) -> str:
    """The code of the set-up cell, with what the chapter needs beside the package."""
    extras = f"[{','.join(front.extras)}]" if front.extras else ""
    return SETUP.format(extras=extras, address=repository.install).rstrip("\n")


def _notebook(chapter: Chapter, front: Front, repository: Repository, root: Path) -> NotebookNode:
    heading, _, rest = chapter.cells[0].text.partition("\n")
    cells = [
        new_markdown_cell(f"{heading}\n\n{_opening(front)}", id="title"),
        new_code_cell(
            setup_source(front, repository), id="setup", metadata={"tags": ["remove-cell"]}
        ),
    ]
    for index, cell in enumerate(chapter.cells):
        text = rest.strip("\n") if index == 0 else cell.text
        if cell.kind == "code":
            metadata = {"tags": list(cell.tags)} if cell.tags else {}
            cells.append(new_code_cell(text, id=cell.name, metadata=metadata))
        elif text:
            cells.append(new_markdown_cell(text, id=cell.name))
    if front.closing:
        cells.append(new_markdown_cell(f"> **The end.** {_quoted(front.closing)}", id="end"))
    else:
        cells.append(new_markdown_cell(f"> **Next.** {_quoted(front.teaser)}", id="next"))
    name = chapter.path.with_suffix(".ipynb").name
    notebook = new_notebook(cells=cells, metadata=_metadata(chapter, front, name, root))
    notebook.nbformat_minor = 5  # the first version with cell ids, and one that Colab reads
    nbformat.validate(notebook)
    # the hash covers the finished cells, so that quoted code is in it; not the set-up cell, which
    # changes no output: a copy of the book at another address keeps what its notebooks show
    sources = [cell.source for cell in notebook.cells if cell.id != "setup"]
    notebook.metadata["contextbook"]["hash"] = chapter_hash(
        root, [chapter.text.replace("\r\n", "\n"), *sources], _trees(chapter)
    )
    return notebook


def _trees(chapter: Chapter) -> list[ast.Module]:
    return [parse(cell) for cell in chapter.code_cells]


def _metadata(chapter: Chapter, front: Front, name: str, root: Path) -> dict[str, object]:
    colab: dict[str, object] = {"name": name, "provenance": [], "toc_visible": True}
    book = {"source": chapter.path.relative_to(root).as_posix(), "language": chapter.language}
    metadata: dict[str, object] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        # no version of Python: it would change from machine to machine
        "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        "colab": colab,
        "contextbook": book,
    }
    if front.description:
        book["description"] = front.description
    if front.gpu:
        colab["gpuType"] = "T4"
        metadata["accelerator"] = "GPU"
    return metadata


def _opening(front: Front) -> str:
    needs = [need.strip() for need in front.needs]
    cpu, gpu = _about(front.minutes_cpu), _about(front.minutes_gpu)
    takes = f"{cpu}, on a CPU or on a GPU" if cpu == gpu else f"{cpu} on a CPU, {gpu} on a GPU"
    if len(needs) == 1:
        known = f"You need to know {needs[0].rstrip('.')}. "
    else:
        known = "You need to know:\n\n" + "".join(f"* {need}\n" for need in needs) + "\n"
    return f"> {_quoted(f'**Before you start.** {known}Running every cell takes {takes}.')}"


def _about(minutes: float) -> str:
    if minutes < 1:
        return "less than a minute"
    return "about a minute" if minutes == 1 else f"about {minutes:g} minutes"


def _quoted(text: str) -> str:
    """Keep Markdown of several lines inside the block quote that its first line opens."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))[2:]
