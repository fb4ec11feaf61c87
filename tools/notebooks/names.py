"""Checks that a chapter's code stands on its own: each free name is defined earlier or built in.

A name used inside a function counts too: quoted code must find what it uses in the cells above
it, and not by luck in one further down.
"""

import ast
import builtins
from functools import cache

from IPython.core.inputtransformer2 import TransformerManager
from pyflakes.checker import Checker
from pyflakes.messages import ImportStarUsed, UndefinedLocal, UndefinedName

from tools.notebooks.faults import Report
from tools.notebooks.source import Cell

# what IPython and Colab put into every notebook
NOTEBOOK_NAMES = {"display", "get_ipython"}


@cache
def to_python(source: str) -> str:
    """Turn the magics of a cell into Python, as IPython does before it runs the cell."""
    return TransformerManager().transform_cell(source)


def parse(cell: Cell) -> ast.Module:
    """Parse a code cell.

    Raises:
        SyntaxError: the cell is no Python; ``lineno`` counts from the cell's first line.
    """
    return ast.parse(to_python(cell.text))


def check_names(cells: list[Cell], report: Report) -> None:
    """Report syntax errors, and every free name that neither its cell nor an earlier one defines.

    The set-up cell that the builder makes does not count: readers of the website do not see it.
    """
    sound = True
    for cell in cells:
        if cell.text.lstrip().startswith("%%"):
            report.add(cell.body, "a cell magic hides the code from these checks", "delete it")
            sound = False
            continue
        try:
            parse(cell)
        except SyntaxError as error:
            report.add(
                cell.line_of(error.lineno or 1),
                f"cell {cell.name!r} is no valid Python: {error.msg}",
                "mend the syntax",
            )
            sound = False
    if not sound:
        return
    prefix = ""
    for cell in cells:
        start = prefix.count("\n")
        prefix += to_python(cell.text).rstrip("\n") + "\n"
        _check_last(prefix, start, cell, report)


def _check_last(prefix: str, start: int, cell: Cell, report: Report) -> None:
    """Check the last cell of ``prefix``, which starts after ``start`` lines.

    All cells up to this one are analysed as one module: names in function bodies are looked up
    at its end, and so a name that only a later cell defines is found missing.
    """
    checker = Checker(ast.parse(prefix), builtins=NOTEBOOK_NAMES | set(dir(builtins)))
    seen = set()
    for message in sorted(checker.messages, key=lambda found: found.lineno):
        if message.lineno <= start:
            continue
        line = cell.line_of(message.lineno - start)
        if isinstance(message, ImportStarUsed):
            report.add(line, "import * hides where names come from", "import each name by itself")
        elif isinstance(message, UndefinedName | UndefinedLocal):
            name = message.message_args[0]
            if name in seen:
                continue
            seen.add(name)
            where = f"the code that cell {cell.name!r} quotes" if cell.quotes else "this cell"
            report.add(
                line,
                f"undefined name {name!r} in cell {cell.name!r}",
                f"import or define {name} in a cell above it: {where} uses it, "
                "and no cell up to there defines it",
            )
