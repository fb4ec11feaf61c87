"""Every notebook is what its source makes. `pytest --nbval` compares the outputs (Makefile)."""

from pathlib import Path

import nbformat
import pytest

from tools.config import ROOT
from tools.notebooks.build import chapter_paths, check, notebook_path

CHAPTERS = chapter_paths(ROOT, [])


def test_there_are_chapters() -> None:
    assert CHAPTERS


def test_every_notebook_is_what_its_source_makes() -> None:
    assert check(ROOT) == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=[path.stem for path in CHAPTERS])
def test_a_notebook_is_valid_and_small(chapter: Path) -> None:
    path = notebook_path(ROOT, chapter)
    nbformat.validate(nbformat.read(path, as_version=4))
    # GitHub and Colab show notebooks of a megabyte slowly; a figure's code is not in them
    assert path.stat().st_size < 1_000_000
