"""Exercise sheets: everything but the solutions, as a notebook and as a page."""

from pathlib import Path

import nbformat
import pytest

from tools.notebooks.faults import ChapterError
from tools.sheets import CREDIT, main, read_sheet

FRONT = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
chapter:
  number: 3
  title: Recurrence
  needs: ["chapter 2"]
  teaser: "What comes next."
  minutes: {cpu: 1, gpu: 1}
---
# 3. Recurrence

Prose with a secret: nothing.

```{code-cell} python
:name: prose
1 + 1
```
"""
EXERCISES = """
Last words of the prose.

## Exercises

Try these.

### 3.1 Twice

Double a number.

```{code-cell} python
:name: exercise-double
def double(x):
    return ...
```

```{code-cell} python
:name: check-double
from contextbook.exercises import check
check.double(double)
```

SOLUTION

## What to read

* A book.
"""
SOLUTION = """<details><summary>Solution</summary>

Add it to itself:

```python
def double(x):
    return x + x  # the secret
```

</details>"""
CONFIG = "repository: {url: https://github.com/owner/book, branch: main}\n"


@pytest.fixture
def chapter(tmp_path: Path) -> Path:
    (tmp_path / "_config.yml").write_text(CONFIG)
    path = tmp_path / "chapters_src" / "en" / "03-recurrence.md"
    path.parent.mkdir(parents=True)
    path.write_text(FRONT + EXERCISES.replace("SOLUTION", SOLUTION))
    return path


def test_a_sheet_has_statements_stubs_and_checks_but_no_solution(chapter: Path, capsys) -> None:
    root = chapter.parents[2]
    assert main(["--root", str(root)]) == 0
    folder = root / "_build" / "sheets" / "en"
    assert "made _build/sheets/en/03-recurrence-exercises.ipynb" in capsys.readouterr().out
    page = (folder / "03-recurrence-exercises.md").read_text()
    notebook = nbformat.read(folder / "03-recurrence-exercises.ipynb", as_version=4)
    whole = "\n\n".join(cell.source for cell in notebook.cells)
    for text in (page, whole):
        assert "# 3. Recurrence" in text
        address = "https://owner.github.io/book/notebooks/en/03-recurrence.html"
        assert f"[chapter 3]({address}) of {CREDIT}, [CC BY 4.0](" in text
        assert "Double a number." in text
        assert "def double(x):\n    return ..." in text
        assert "check.double(double)" in text
        for left_out in ("secret", "details", "Solution", "Last words", "What to read", "1 + 1"):
            assert left_out not in text
    assert [cell.cell_type for cell in notebook.cells] == [
        "markdown",
        "code",
        "markdown",
        "code",
        "code",
    ]
    assert "git+https://github.com/owner/book@main" in notebook.cells[1].source
    assert page.index("Double") < page.index("```python\ndef double")


def test_the_credit_is_the_one_that_the_licence_asks_for() -> None:
    licence = Path(__file__).parents[2] / "LICENSE-CONTENT.md"
    assert f"Credit it as: {CREDIT}, CC BY 4.0." in licence.read_text("utf8")


def test_sheets_are_the_same_at_every_run(chapter: Path) -> None:
    root = chapter.parents[2]
    runs = []
    for _ in range(2):
        main(["--root", str(root)])
        runs.append([path.read_bytes() for path in sorted((root / "_build").rglob("*.*"))])
    assert runs[0] == runs[1]
    assert len(runs[0]) == 2


def test_stub_and_solution_are_found(chapter: Path) -> None:
    sheet = read_sheet(chapter, chapter.parents[2])
    assert sheet is not None
    (task,) = sheet.tasks
    assert (task.name, task.function) == ("double", "double")
    assert task.stub.startswith("def double")
    assert task.solution.endswith("# the secret\n")


def test_a_chapter_without_exercises_has_no_sheet(chapter: Path, capsys) -> None:
    chapter.write_text(FRONT)
    assert read_sheet(chapter, chapter.parents[2]) is None
    assert main(["--root", str(chapter.parents[2])]) == 0
    assert "no chapter has exercises yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (SOLUTION, "", r"03-recurrence.md:\d+: check.double has no solution"),
        ("def double(x):\n    return x", "def twice(x):\n    return x", "has no solution"),
        ("check.double(double)", "check.double(twice)", "has no stub: no cell .* defines twice"),
    ],
)
def test_what_an_exercise_lacks_is_told_with_its_line(
    chapter: Path, capsys, old: str, new: str, message: str
) -> None:
    text = chapter.read_text()
    assert old in text
    chapter.write_text(text.replace(old, new))
    with pytest.raises(ChapterError, match=message):
        read_sheet(chapter, chapter.parents[2])
    assert main(["--root", str(chapter.parents[2])]) == 1
    assert "03-recurrence.md" in capsys.readouterr().err
