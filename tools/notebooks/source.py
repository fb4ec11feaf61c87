"""Reads a chapter's Markdown into cells that know their lines, names, tags and quotes."""

import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from jupytext.myst import (
    MystMetadataParsingError,
    get_parser,
    myst_to_notebook,
    read_fenced_cell,
)

from tools.notebooks.faults import Report
from tools.notebooks.front import Front, read_front

OPTIONS = ("name", "tags", "quote")
TAGS = (
    "full-width",
    "hide-cell",
    "hide-input",
    "hide-output",
    "raises-exception",
    "remove-cell",
    "remove-input",
    "remove-output",
    "scroll-output",
)
# Cells that the builder makes, and the prefix of the ids that it gives to text.
MADE = ("title", "setup", "next")
TEXT_PREFIX = "text-"
# An id of nbformat may have 64 characters; text needs a few of them for its prefix and number.
NAME = re.compile(r"[a-zA-Z0-9_-]{1,50}")
FENCE = "{code-cell}"


@dataclass
class Cell:
    """One cell: its text, its id, and where it stands in the Markdown file (1-based lines).

    ``line`` is where the cell opens (a code cell's fence), ``body`` where its text starts.
    """

    kind: str
    text: str
    line: int
    body: int
    name: str = ""
    tags: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()

    def line_of(self, line_in_cell: int) -> int:
        """Return the line of the file for a 1-based line of the cell; quoted code has none."""
        return self.line if self.quotes else self.body + line_in_cell - 1


@dataclass
class Chapter:
    """A chapter as written: ``text`` is the whole file, ``cells`` what it holds."""

    path: Path
    language: str
    text: str
    front: Front | None
    cells: list[Cell] = field(default_factory=list)

    @property
    def code_cells(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "code"]


def read_chapter(path: Path, report: Report) -> Chapter:
    """Read a chapter; what is wrong with it goes to ``report``."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    front, taken = read_front(lines, report)
    chapter = Chapter(path, path.parent.name, text, front)
    # Blank lines in place of the front matter: line numbers hold, and only one reader reads it.
    body = "\n" * taken + "\n".join(lines[taken:])
    if _fences_are_sound(body, report):
        notebook = myst_to_notebook(body, add_source_map=True)
        source_map = notebook.metadata.pop("source_map")
        for raw, start in zip(notebook.cells, source_map, strict=True):
            chapter.cells.append(_cell(raw, start, body.split("\n"), report))
        _name_text(chapter.cells)
        _check_names(chapter, report)
        _check_opening(chapter, report)
    return chapter


def _fences_are_sound(body: str, report: Report) -> bool:
    """Check that the options of every code cell can be read, before Jupytext reads them all."""
    sound = True
    for token in get_parser().parse(body + "\n"):
        if token.type != "fence" or not token.info.startswith(FENCE) or token.level:
            continue
        line = token.map[0] + 1
        language = token.info[len(FENCE) :].strip()
        if not body.split("\n")[token.map[1] - 1].strip().startswith(token.markup):
            report.add(line, "the code cell is never closed", f"end it with {token.markup}")
            sound = False
        if language not in ("", "python", "ipython3"):
            report.add(line, f"the code cell is in {language!r}", "write ```{code-cell} python")
        try:
            options, _ = read_fenced_cell(token, 0, "Code")
        except (MystMetadataParsingError, yaml.YAMLError) as error:
            problem = str(error).split("could not be read: ")[-1].splitlines()[0]
            options = f"no valid YAML ({problem})"
        if not isinstance(options, dict):
            report.add(
                line,
                f"the options of this cell are {options}",
                "write each on a line of its own, as in   :name: attention",
            )
            sound = False
        elif not _types_are_sound(options, line, report):
            sound = False
    return sound


def _types_are_sound(options: dict[str, Any], line: int, report: Report) -> bool:
    """Check what a notebook's format would refuse, so that Jupytext can make cells of it."""
    name, tags = options.get("name", "unnamed"), options.get("tags", [])
    if not isinstance(name, str) or not name:
        report.add(line, f"{name!r} cannot name a cell", 'quote it, as in   :name: "7"')
        return False
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        report.add(line, f"tags are {tags!r}", "write a list, as in   :tags: [hide-input]")
        return False
    if len(set(tags)) < len(tags):
        report.add(line, f"a tag is given twice in {tags!r}", "write it once")
        return False
    return True


def _cell(raw: Any, start: int, lines: list[str], report: Report) -> Cell:
    """Make a cell of what Jupytext read; ``start`` is its entry in Jupytext's source map."""
    if raw.cell_type != "code":
        while not lines[start].strip():
            start += 1
        if raw.cell_type == "raw":
            report.add(start, "raw cells show as plain text", "write Markdown or a code cell")
        if raw.metadata:
            report.add(start + 1, "text takes no metadata", "write +++ alone on its line")
        return Cell("markdown", raw.source, start + 1, start + 1)
    options = dict(raw.metadata)
    cell = Cell("code", raw.source, start, _body_line(lines, start))
    for key in options:
        if key not in OPTIONS:
            near = difflib.get_close_matches(str(key), OPTIONS, n=1)
            mend = f"did you mean {near[0]}?" if near else "known: " + ", ".join(OPTIONS)
            report.add(start, f"unknown cell option {key!r}", mend)
    cell.name = _name(options, start, report)
    cell.tags = _tags(options, start, report)
    cell.quotes = _quotes(options, cell, report)
    return cell


def _body_line(lines: list[str], start: int) -> int:
    """Return the line of a code cell's first line of code, after fence, options and a blank."""
    index = start  # 0-based index of the line after the fence
    if lines[index].startswith("---"):
        index += 1
        while not lines[index].startswith("---"):
            index += 1
        index += 1
    else:
        while lines[index].lstrip().startswith(":"):
            index += 1
    if index < len(lines) and not lines[index].strip():
        index += 1
    return index + 1


def _name(options: dict[str, Any], line: int, report: Report) -> str:
    name = str(options.get("name", ""))
    if not name:
        report.add(line, "the code cell has no name", "add a line   :name: what-it-does")
        return ""
    if not NAME.fullmatch(name):
        report.add(
            line,
            f"{name!r} cannot name a cell",
            "use 1 to 50 letters, digits, hyphens and underscores",
        )
        return ""
    if name in MADE or name.startswith(TEXT_PREFIX):
        report.add(
            line,
            f"the name {name!r} is taken by a cell that the builder makes",
            f"choose another name than {', '.join(MADE)} and {TEXT_PREFIX}…",
        )
    return name


def _tags(options: dict[str, Any], line: int, report: Report) -> tuple[str, ...]:
    tags = options.get("tags", [])
    for tag in tags:
        if tag not in TAGS:
            near = difflib.get_close_matches(tag, TAGS, n=1)
            mend = f"did you mean {near[0]}?" if near else "known: " + ", ".join(TAGS)
            report.add(line, f"unknown tag {tag!r}", mend)
    return tuple(tags)


def _quotes(options: dict[str, Any], cell: Cell, report: Report) -> tuple[str, ...]:
    if "quote" not in options:
        if not cell.text.strip():
            report.add(cell.line, "the code cell is empty", "write code in it or delete it")
        return ()
    quote = options["quote"]
    if not isinstance(quote, str):
        report.add(
            cell.line,
            f"quote is {quote!r}",
            "name definitions, as in   :quote: contextbook.attention.masked_softmax",
        )
        return ()
    if cell.text.strip():
        report.add(
            cell.line,
            "a cell that quotes has code of its own",
            "move that code to a cell of its own, with its own name",
        )
    return tuple(name.strip() for name in quote.split(","))


def _name_text(cells: list[Cell]) -> None:
    """Give each text cell an id made from the code cell that follows it.

    Such an id stays when text is added elsewhere in the chapter.
    """
    following, number = "end", 0
    for cell in reversed(cells):
        if cell.kind == "code":
            following, number = cell.name or f"line-{cell.line}", 0
        else:
            number += 1
            cell.name = f"{TEXT_PREFIX}{following}" + (f"-{number}" if number > 1 else "")


def _check_names(chapter: Chapter, report: Report) -> None:
    first: dict[str, int] = {}
    for cell in chapter.code_cells:
        if cell.name in first:
            report.add(
                cell.line,
                f"the cell name {cell.name!r} is used twice, first on line {first[cell.name]}",
                "names are unique in a chapter: rename one of the two",
            )
        elif cell.name:
            first[cell.name] = cell.line


def _check_opening(chapter: Chapter, report: Report) -> None:
    """Check that number and title agree in the file's name, the front matter and the heading."""
    front = chapter.front
    if front is None:
        return
    if not chapter.path.name.startswith(f"{front.number:02d}-"):
        report.add(
            1,
            f"chapter {front.number} stands in a file called {chapter.path.name}",
            f"name the file {front.number:02d}-….md, or mend chapter.number",
        )
    heading = f"# {front.number}. {front.title}"
    opening = chapter.cells[0] if chapter.cells else None
    if opening is None or opening.kind != "markdown" or not opening.text.startswith(heading):
        line = opening.line if opening else 1
        report.add(line, "the chapter does not open with its heading", f"write {heading}")
