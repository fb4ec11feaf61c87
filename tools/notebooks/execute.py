"""Runs a notebook, cell by cell, and refuses outputs that must not be committed."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tools.notebooks.faults import Report
from tools.notebooks.source import Cell, Chapter

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE)
_GLYPH = re.compile(r"Glyph .* missing")
TRACEBACK_LINES = 12


def execute(
    notebook: NotebookNode, chapter: Chapter, root: Path, on_cell: Callable[[], object]
) -> None:
    """Run a notebook in a fresh kernel and store its outputs and the state of its widgets in it.

    Args:
        notebook: as made by :func:`tools.notebooks.assemble.assemble`; changed in place.
        chapter: what it was made from; says where each cell stands.
        root: folder of the project; its package is the one that the cells import.
        on_cell: called after each cell, for a progress bar.

    Raises:
        ChapterError: a cell raised, or gave a warning, an address in memory or a path of this
            machine; the remaining cells were not run only in the first case.
    """
    report = Report(chapter.path, root)
    by_name = {cell.name: cell for cell in chapter.code_cells}
    assert chapter.front is not None
    folder = root / "notebooks" / chapter.language
    folder.mkdir(parents=True, exist_ok=True)
    # a cell that hangs must not hold up the build for ever
    minutes = max(10.0, 10 * chapter.front.minutes_cpu)
    client = NotebookClient(
        notebook,
        timeout=int(60 * minutes),
        kernel_name="python3",
        store_widget_state=True,
        record_timing=False,
        coalesce_streams=True,
        # not its warning that a kernel on this machine talks to this process unencrypted
        extra_arguments=["--log-level=ERROR"],
        # notebooks leave nothing to save, and a busy kernel would not answer a polite request
        shutdown_kernel="immediate",
        resources={"metadata": {"path": str(folder)}},
    )
    client.reset_execution_trackers()
    with client.setup_kernel(env=_environment(root, chapter.language)):
        for index, made in enumerate(notebook.cells):
            if made.cell_type == "code":
                cell = by_name.get(made.id) or Cell("code", made.source, 1, 1, made.id)
                _run_cell(client, index, made, cell, report)
                _check_outputs(made, cell, root, report)
            on_cell()
        client.set_widgets_metadata()
    report.raise_if_any()


def _environment(root: Path, language: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    return os.environ | {
        "CONTEXTBOOK_LANGUAGE": language,
        "CONTEXTBOOK_PROGRESS": "off",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONPATH": path,
    }


def _run_cell(
    client: NotebookClient, index: int, made: NotebookNode, cell: Cell, report: Report
) -> None:
    try:
        client.execute_cell(made, index, execution_count=client.code_cells_executed + 1)
        return
    except CellExecutionError as error:
        # nbclient puts the cell's source and its outputs before a rule of hyphens
        traceback = re.split("-{60,}\n", _ANSI.sub("", error.traceback))[-1]
        tail = [line for line in traceback.split("\n") if line.strip()][-TRACEBACK_LINES:]
        frames = re.findall(rf"Cell In ?\[{made.execution_count}\], line (\d+)", traceback)
        report.add(
            cell.line_of(int(frames[-1])) if frames else cell.line,
            f"cell {cell.name!r} raises {error.ename}: {_ANSI.sub('', error.evalue)}",
            "mend the cell, or the package code that it calls:\n      " + "\n      ".join(tail),
        )
    except CellTimeoutError:
        report.add(
            cell.line,
            f"cell {cell.name!r} ran for more than {client.timeout} seconds",
            "shorten it, or raise chapter.minutes.cpu in the front matter",
        )
    except DeadKernelError:
        report.add(
            cell.line, f"the kernel died in cell {cell.name!r}", "use less memory in this cell"
        )
    report.raise_if_any()


def _check_outputs(made: NotebookNode, cell: Cell, root: Path, report: Report) -> None:
    """Note what must not be committed in a cell's outputs; the chapter runs on."""
    for output in made.outputs:
        text = _text(output)
        excerpt = " ".join(text.split())[:200]
        if _GLYPH.search(text):
            report.add(
                cell.line,
                f"cell {cell.name!r} draws text with a font that lacks it: {excerpt}",
                "make the plot with contextbook.figures, which brings a Japanese font",
            )
        elif output.output_type == "stream" and output.name == "stderr":
            report.add(
                cell.line,
                f"cell {cell.name!r} writes to stderr: {excerpt}",
                "mend what the warning says, or silence the bar; no warning is committed",
            )
        elif _ADDRESS.search(text):
            address = _ADDRESS.search(text)
            report.add(
                cell.line,
                f"cell {cell.name!r} shows an address in memory, {address and address.group()}",
                "it changes with every run: give the object a __repr__ of its own",
            )
        elif str(root) in text:
            report.add(
                cell.line,
                f"cell {cell.name!r} shows a path of this machine: {excerpt}",
                "print the path relative to the project, or the error's message alone",
            )


def _text(output: NotebookNode) -> str:
    """Return all text of one output that a reader, or nbval, would see."""
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return _ANSI.sub("", "\n".join(output.traceback))
    shown = [value for kind, value in output.data.items() if kind.startswith("text/")]
    return "\n".join(map(str, shown))
