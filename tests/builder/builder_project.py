"""A small project to build: a package with code, data and built JavaScript, and one chapter."""

from pathlib import Path

from tools.notebooks.build import notebook_path
from tools.notebooks.faults import ChapterError, Fault

FRONT = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
chapter:
  number: 1
  title: Small
  needs: ["what a list is", "a sum"]
  teaser: "A sum forgets the order."
  minutes: {cpu: 1, gpu: 1}
---
"""
FRONT_LINES = FRONT.count("\n")

FILES = {
    "_config.yml": "repository:\n  url: https://example.org/OWNER/book/\n  branch: main\n",
    "contextbook/__init__.py": "",
    "contextbook/sums.py": '''\
"""Sums."""

from functools import cache

from contextbook.checks import check_numbers

LIMIT = 3  # more than that is refused
STEP: int = 1
TWICE = 1
TWICE = 2


@cache
def total(numbers: tuple[int, ...]) -> int:
    """Add the numbers up.

    Args:
        numbers: whole numbers.
    """
    check_numbers(numbers, LIMIT)
    return sum(numbers)


class Counter:
    """Counts.

    From 0.
    """

    def __init__(self) -> None:
        self.value = 0

    def up(self) -> int:
        """Count one up.

        Returns:
            The new count.
        """
        self.value += STEP
        return self.value


def wordy() -> None:
    """Say a purpose that takes
    two lines.
    """
''',
    "contextbook/checks.py": '''\
"""Checks."""


def check_numbers(numbers: tuple[int, ...], limit: int) -> None:
    """Refuse more than ``limit`` numbers."""
    if len(numbers) > limit:
        raise ValueError(f"got {len(numbers)} numbers, at most {limit} can be added")
''',
    "contextbook/relative.py": '"""Bad."""\n\nfrom .checks import check_numbers\n\nNUMBER = 1\n',
    "contextbook/unused.py": '"""Used by no chapter."""\n',
    "contextbook/words/__init__.py": "from contextbook.sums import total\n",
    "contextbook/words/en.json": "{}",
    "contextbook/widgets/__init__.py": '''\
"""A figure."""

from pathlib import Path

import anywidget
import traitlets

STATIC = Path(__file__).parent / "static"


class Dial(anywidget.AnyWidget):
    """A number to turn."""

    _esm = STATIC / "dial.js"
    _css = "div { color: red }"
    value = traitlets.Int(3).tag(sync=True)

    def __repr__(self) -> str:
        return "Dial(figure)"
''',
    "contextbook/widgets/static/dial.js": "export default { render() {} };\n",
}


class Project:
    """A project in a folder of its own, with the one chapter ``01-small``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name, text in FILES.items():
            self.write(name, text)
        self.source = root / "chapters_src" / "en" / "01-small.md"
        self.notebook = notebook_path(root, self.source)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def write_chapter(self, body: str, front: str = FRONT) -> None:
        """Write the chapter; ``body`` starts on line 1 after the front matter."""
        self.write("chapters_src/en/01-small.md", front + body)


def faults_of(error: ChapterError) -> list[tuple[int, str]]:
    """Return (line of the body, message and mend) of faults that lie in the chapter."""
    return [(fault.line - FRONT_LINES, said(fault)) for fault in error.faults]


def said(fault: Fault) -> str:
    return f"{fault.message}\n{fault.mend}"
