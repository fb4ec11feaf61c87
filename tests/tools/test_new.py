"""What starts a chapter or a figure writes nothing over what is there."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tools.config import ROOT
from tools.new_chapter import start_chapter, with_entry
from tools.new_figure import start_figure
from tools.notebooks.imports import own_text

CONTENTS = (ROOT / "_toc.yml").read_text("utf8")
WORDS = "contextbook/words/en.json"
EXPORTS = "contextbook/widgets/__init__.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files that are edited, the figures' Python and the chapters' names."""
    shutil.copytree(ROOT / "contextbook/widgets", tmp_path / "contextbook/widgets")
    (tmp_path / "contextbook/words").mkdir()
    for name in (WORDS, "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "chapters_src", tmp_path / "chapters_src")
    return tmp_path


def state(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("base", r"widgets/_base\.py"),
        ("weights", r"widgets/_weights\.py"),
        ("checks", "section 'checks' of contextbook/words/en.json"),
        ("common", "section 'common'"),
        ("chapter09", "section 'chapter09'"),
        ("figure", "Figure in contextbook/widgets/__init__.py"),
        ("token-bench", "_token_bench.py, there is section 'token_bench'.*, there is TokenBench"),
    ],
)
def test_a_figure_whose_name_is_taken_is_refused(project: Path, name: str, taken: str) -> None:
    before = state(project)
    with pytest.raises(ValueError, match=taken):
        start_figure(project, name)
    assert state(project) == before


def test_a_figure_adds_words_and_changes_none(project: Path) -> None:
    before = json.loads((project / WORDS).read_text("utf8"))
    hashed = own_text(project / EXPORTS)
    assert "def __getattr__" in hashed
    assert "TokenBench" not in hashed
    assert start_figure(project, "my-figure") == "MyFigure"
    after = json.loads((project / WORDS).read_text("utf8"))
    assert after.pop("my_figure")["title"]
    assert after == before
    assert own_text(project / EXPORTS) == hashed, "every chapter would be run again"
    with pytest.raises(ValueError, match="there is widgets/src/figures/my-figure"):
        start_figure(project, "my-figure")


@pytest.mark.parametrize(
    ("number", "before", "after"),
    [
        (13, "12-gains-and-costs", "book/live"),
        (40, "12-gains-and-costs", "book/live"),
        (0, "Part I. Recurrence", "01-tokens"),
    ],
)
def test_the_contents_get_one_line_in_its_place(number: int, before: str, after: str) -> None:
    lines = with_entry(CONTENTS, number, f"{number:02}-new").splitlines()
    (place,) = [at for at, line in enumerate(lines) if "-new" in line]
    assert lines[:place] + lines[place + 1 :] == CONTENTS.splitlines()
    near = "\n".join(lines[place - 2 : place + 2])
    assert near.index(before) < near.index("-new") < near.index(after)
    yaml.safe_load("\n".join(lines))


def test_a_chapter_between_two_others_stands_between_them() -> None:
    listed = with_entry(
        CONTENTS.replace("      - file: notebooks/en/08-alignment\n", ""), 8, "08-x"
    )
    assert listed == CONTENTS.replace("08-alignment", "08-x")


def test_contents_without_chapters_are_refused() -> None:
    with pytest.raises(ValueError, match="lists no chapter"):
        with_entry("format: jb-book\nroot: book/index\n", 1, "01-x")


def test_a_chapter_names_the_one_before_it_and_keeps_the_words_of_others(project: Path) -> None:
    before = json.loads((project / WORDS).read_text("utf8"))
    source = start_chapter(project, 13, "my-chapter")
    assert "(chapter 12)" in source.read_text("utf8")
    after = json.loads((project / WORDS).read_text("utf8"))
    assert after.pop("chapter13").keys() == {"plot_x", "plot_y", "plot_alt"}
    assert after == before
    source.unlink()
    unchanged = state(project)
    with pytest.raises(ValueError, match="has a section 'chapter13': delete it first"):
        start_chapter(project, 13, "my-chapter")
    assert state(project) == unchanged


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "Makefile"])
def test_the_examples_of_the_documents_can_be_followed(project: Path, name: str) -> None:
    text = (ROOT / name).read_text("utf8")
    chapters = set(re.findall(r"make new-chapter NUMBER=(\d+) NAME=([\w-]+)", text))
    figures = set(re.findall(r"make new-figure NAME=([\w-]+)", text))
    assert chapters
    for number, chapter in chapters:
        start_chapter(project, int(number), chapter)
    assert figures or name == "README.md"
    for figure in figures:
        start_figure(project, figure)
