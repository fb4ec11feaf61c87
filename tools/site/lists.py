"""The directives `references` and `gallery`: lists made from the notebooks, nothing left out."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from docutils.statemachine import StringList
from nbformat import NotebookNode
from sphinx.util.docutils import SphinxDirective

from contextbook.words import words

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
READING = re.compile(r"^## What to read\n(?P<list>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^\* (?P<text>.*?)(?=^\* |\Z)", re.MULTILINE | re.DOTALL)
# An address may hold brackets of its own: doi.org/10.1016/0022-2836(70)90057-4
ADDRESS = re.compile(r"\((https://(?:[^()\s]|\([^()\s]*\))+)\)")


class NotebookList(SphinxDirective, ABC):
    """A list that is made from all notebooks, written as Markdown."""

    def run(self) -> list[nodes.Node]:
        """The list, parsed as the page's own text is."""
        folder = Path(self.env.srcdir) / "notebooks" / "en"
        chapters = []
        for path in sorted(folder.glob("*.ipynb")):
            self.env.note_dependency(str(path))
            chapters.append((path, nbformat.read(path, as_version=4)))
        node = nodes.container()
        lines = self.lines(chapters)
        self.state.nested_parse(StringList(lines, source=self.env.docname), 0, node)
        return list(node.children)

    @abstractmethod
    def lines(self, chapters: list[tuple[Path, NotebookNode]]) -> list[str]:
        """The list as lines of Markdown."""


class References(NotebookList):
    """All that the chapters' *What to read* name, each once, with the chapters that name it."""

    def lines(self, chapters: list[tuple[Path, NotebookNode]]) -> list[str]:
        """Alphabetical; what a chapter says of a work stays with the chapter."""
        known: dict[str, tuple[str, list[str]]] = {}
        for path, notebook in chapters:
            for text in works(notebook):
                address, citation = split(text)
                place = f"[{int(path.stem[:2])}](../notebooks/en/{path.name})"
                known.setdefault(address, (citation, []))[1].append(place)
        entries = sorted(known.values(), key=lambda entry: entry[0].casefold())
        return [f"* {citation} Chapter {', '.join(places)}." for citation, places in entries]


def works(notebook: NotebookNode) -> Iterator[str]:
    """The entries under a chapter's heading *What to read*, each on one line."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (section := READING.search(cell.source)):
            for entry in ENTRY.finditer(section["list"]):
                yield " ".join(entry["text"].split())


def split(text: str) -> tuple[str, str]:
    """What tells a work from others, and its citation.

    That is its address, and the entry up to the end of its link; of a work that only paper has, the
    whole entry for both.
    """
    found = ADDRESS.search(text)
    return (found[1], text[: found.end()] + ".") if found else (text, text)


class Gallery(NotebookList):
    """All interactive figures, with what each shows, in the order of the book.

    A figure says that itself, as its guide; for one that does not, a line of the directive does::

        ```{gallery}
        live-transformer: Type a sentence, and it translates.
        ```
    """

    has_content = True

    def lines(self, chapters: list[tuple[Path, NotebookNode]]) -> list[str]:
        """A heading's line for each chapter that has figures, then its figures."""
        found = []
        said = dict(line.split(": ", 1) for line in self.content)
        for path, notebook in chapters:
            for name in figures(notebook):
                w: Any = words(name.replace("-", "_"))
                # a figure's anchor is set after Sphinx, whose links do not know it
                href = f"../notebooks/en/{path.stem}.html#figure-{name}"
                chapter = f"[chapter {int(path.stem[:2])}](../notebooks/en/{path.name})"
                guide = w.guide if "guide" in w else said[name]
                found.append(f'* <a href="{href}">{w.title}</a> ({chapter}). {guide}')
        return found


def figures(notebook: NotebookNode) -> list[str]:
    """Names of the figures that a notebook's cells show, in order, each once."""
    saved = notebook.metadata.get("widgets", {}).get(STATE, {"state": {}})["state"]
    shown = [
        saved.get(output["data"][VIEW]["model_id"], {}).get("state", {}).get("figure")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if VIEW in output.get("data", {})
    ]
    return [name for name in dict.fromkeys(shown) if name]
