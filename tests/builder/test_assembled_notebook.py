"""The notebook as made from its source, before it is run."""

import json
import re
import shutil
from pathlib import Path

import pytest
from builder_project import FRONT, Project
from nbformat import NotebookNode

from tools.config import ROOT
from tools.notebooks import imports
from tools.notebooks.assemble import assemble
from tools.notebooks.build import chapter_paths
from tools.notebooks.faults import Report
from tools.notebooks.names import parse
from tools.notebooks.source import read_chapter

BODY = """\
# 1. Small: a start

The question.

```{code-cell} python
:name: imports
from functools import cache
from contextbook.checks import check_numbers

LIMIT = 3
```

Text.

+++

More text.

```{code-cell} python
:name: total
:tags: [hide-input]
:quote: contextbook.sums.total
```

The end.
"""


def made(project: Project, front: str = FRONT) -> NotebookNode:
    project.write_chapter(BODY, front)
    return assemble(project.source, project.root)[1]


def test_cells_their_ids_and_their_order(project: Project) -> None:
    notebook = made(project)
    assert [(cell.id, cell.cell_type) for cell in notebook.cells] == [
        ("title", "markdown"),
        ("setup", "code"),
        ("text-imports", "markdown"),
        ("imports", "code"),
        ("text-total-2", "markdown"),
        ("text-total", "markdown"),
        ("total", "code"),
        ("text-end", "markdown"),
        ("next", "markdown"),
    ]
    assert notebook.cells[2].source == "The question."
    assert notebook.cells[6].source.startswith("@cache\ndef total(")
    assert notebook.cells[6].metadata == {"tags": ["hide-input"]}
    assert notebook.cells[3].metadata == {}


def test_opening_and_closing_come_from_the_front_matter(project: Project) -> None:
    notebook = made(project, FRONT.replace("{cpu: 1, gpu: 1}", "{cpu: 12, gpu: 0.5}"))
    assert notebook.cells[0].source == (
        "# 1. Small: a start\n\n"
        "> **Before you start.** You need to know:\n>\n"
        "> * what a list is\n> * a sum\n>\n"
        "> Running every cell takes about 12 minutes on a CPU, less than a minute on a GPU."
    )
    assert notebook.cells[-1].source == "> **Next.** A sum forgets the order."
    same = made(project, FRONT.replace(', "a sum"', "")).cells[0].source
    assert same.endswith(
        "You need to know what a list is. "
        "Running every cell takes about a minute, on a CPU or on a GPU."
    )


def test_a_teaser_of_several_lines_stays_in_its_quote(project: Project) -> None:
    notebook = made(project, FRONT.replace('"A sum', '"Line.\\n\\nA sum'))
    assert notebook.cells[-1].source == "> **Next.** Line.\n>\n> A sum forgets the order."


def test_the_last_chapter_ends_without_a_next(project: Project) -> None:
    notebook = made(project, FRONT.replace("teaser", "closing"))
    assert notebook.cells[-1].source == "> **The end.** A sum forgets the order."
    assert notebook.cells[-1].id == "end"


def test_the_set_up_cell_installs_from_the_repository_in_colab_only(project: Project) -> None:
    setup = made(project).cells[1]
    assert setup.metadata == {"tags": ["remove-cell"]}
    lines = setup.source.split("\n")
    assert 'if "google.colab" in sys.modules and find_spec("contextbook") is None:' in lines
    assert lines[-1] == (
        '    %pip install -q "contextbook @ git+https://example.org/OWNER/book@main"'
    )
    assert "File > Save a copy in Drive" in setup.source
    assert len(lines) <= 8


def test_the_set_up_cell_installs_the_extras_that_the_chapter_names(project: Project) -> None:
    setup = made(project, FRONT.replace("  minutes", "  extras: [japanese, sound]\n  minutes"))
    assert '"contextbook[japanese,sound] @ git+' in setup.cells[1].source


def test_metadata_without_and_with_gpu(project: Project) -> None:
    metadata = dict(made(project).metadata)
    book = metadata.pop("contextbook")
    assert re.fullmatch("[0-9a-f]{16}", book.pop("hash"))
    assert book == {"source": "chapters_src/en/01-small.md", "language": "en"}
    assert metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        "colab": {"name": "01-small.ipynb", "provenance": [], "toc_visible": True},
    }
    extra = "gpu: true\n  description: A sum, in short.\n  teaser"
    metadata = dict(made(project, FRONT.replace("teaser", extra)).metadata)
    assert metadata["accelerator"] == "GPU"
    assert metadata["colab"]["gpuType"] == "T4"
    assert metadata["contextbook"]["description"] == "A sum, in short."


def chapter_hash(project: Project) -> str:
    return str(assemble(project.source, project.root)[1].metadata.contextbook.hash)


@pytest.mark.parametrize(
    "name",
    [
        "contextbook/checks.py",  # imported
        "contextbook/__init__.py",  # runs with every import
        "contextbook/words/__init__.py",  # imported inside a function
        "contextbook/words/notes.txt",  # its data
        "contextbook/sums.py",  # imported by contextbook.words
        "contextbook/lazy.py",  # named by a string
        "chapters_src/en/01-small.md",
    ],
)
def test_what_a_chapter_stands_on_changes_its_hash(project: Project, name: str) -> None:
    project.write("contextbook/lazy.py", "")
    project.write("contextbook/words/notes.txt", "")
    project.write_chapter(BODY)
    checks = (project.root / "contextbook/checks.py").read_text()
    lazy = "\n\ndef f():\n    from contextbook.words import total\n    return 'contextbook.lazy'\n"
    project.write("contextbook/checks.py", checks + lazy)
    before = chapter_hash(project)
    assert before == chapter_hash(project)
    text = (project.root / name).read_text(encoding="utf-8")
    project.write(name, text + "\n")
    assert chapter_hash(project) != before


@pytest.mark.parametrize(
    "name",
    [
        "contextbook/unused.py",
        "contextbook/words/en.json",  # contextbook.words is not imported here
        "contextbook/widgets/static/dial.js",
        "README.md",
    ],
)
def test_nothing_else_changes_its_hash(project: Project, name: str) -> None:
    project.write_chapter(BODY)
    before = chapter_hash(project)
    project.write(name, "changed")
    assert chapter_hash(project) == before


def test_the_address_shows_in_the_set_up_cell_and_not_in_the_hash(project: Project) -> None:
    project.write_chapter(BODY)
    before = chapter_hash(project)
    config = (project.root / "_config.yml").read_text()
    project.write("_config.yml", config.replace("OWNER", "teacher"))
    assert chapter_hash(project) == before
    setup = assemble(project.source, project.root)[1].cells[1].source
    assert "git+https://example.org/teacher/book@main" in setup


def test_of_the_builder_only_what_shapes_outputs_counts(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = tmp_path / "builder"
    shutil.copytree(imports.BUILDER, builder)
    monkeypatch.setattr(imports, "BUILDER", builder)
    project.write_chapter(BODY)
    before = chapter_hash(project)
    for path in sorted(builder.glob("*.py")):
        text = path.read_text("utf8")
        path.write_text(text + "# a comment\n", "utf8")
        shapes = path.name in ("execute.py", "models.py", "stable.py")
        assert (chapter_hash(project) != before) == shapes, path.name
        path.write_text(text, "utf8")


def test_of_the_words_only_the_parts_that_are_named_count(project: Project) -> None:
    cell = "\n```{code-cell} python\n:name: say\nfrom contextbook.words import total as words\n"
    project.write_chapter(BODY + cell + 'words("checks").mean\n```\n')

    def hash_with(table: dict[str, dict[str, object]]) -> str:
        project.write("contextbook/words/en.json", json.dumps(table))
        return chapter_hash(project)

    before = hash_with({"checks": {"mean": {"a": "b"}, "title": "c"}, "chapter02": {"d": "e"}})
    same = {"chapter02": {"d": "other"}, "checks": {"title": "c", "mean": {"a": "b"}}}
    assert hash_with(same) == before
    assert hash_with({"checks": {"mean": {"a": "b"}, "title": "c", "sum": {"f": "g"}}}) == before
    assert hash_with({"checks": {"mean": {"a": "other"}, "title": "c"}}) != before
    assert hash_with({"checks": {"mean": {"a": "b"}, "title": "other"}}) != before


def test_of_the_record_only_the_tables_that_are_named_count(project: Project) -> None:
    project.write("contextbook/experiments/__init__.py", "def load_record(name): return name\n")
    project.write("contextbook/experiments/records/mine.json", "{}")
    cell = "\n```{code-cell} python\n:name: load\nfrom contextbook.experiments import load_record\n"
    project.write_chapter(BODY + cell + 'load_record("mine")\n```\n')
    before = chapter_hash(project)
    project.write("contextbook/experiments/records/other.json", "{}")
    assert chapter_hash(project) == before
    project.write("contextbook/experiments/records/mine.json", '{"code": "new"}')
    assert chapter_hash(project) != before


@pytest.mark.parametrize(
    "code",
    [
        "from contextbook.widgets import Dial",
        "import contextbook.widgets\ncontextbook.widgets.Dial",
        "import contextbook.widgets as figures\nfigures.Dial()",
        "from contextbook import widgets\nwidgets.Dial.of(1)",
        # one cell imports, another uses
        "import contextbook.widgets\n```\n\n```{code-cell} python\n:name: use\n"
        "def f():\n    return contextbook.widgets.Dial",
    ],
)
def test_a_class_that_its_package_loads_when_asked_counts(project: Project, code: str) -> None:
    project.write("contextbook/widgets/__init__.py", '_HOMES = {"Dial": "_dial", "Map": "_map"}\n')
    project.write("contextbook/widgets/_dial.py", "Dial = 1\n")
    project.write("contextbook/widgets/_map.py", "Map = 1\n")
    project.write_chapter(BODY + f"\n```{{code-cell}} python\n:name: dial\n{code}\n```\n")
    before = chapter_hash(project)
    project.write("contextbook/widgets/_map.py", "Map = 2\n")
    assert chapter_hash(project) == before
    project.write("contextbook/widgets/_dial.py", "Dial = 2\n")
    assert chapter_hash(project) != before


PACKAGE = """\
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextbook.widgets._dial import Dial{statement}

__all__ = ["Dial"{listed}]

_HOMES = {{
    "Dial": "{home}",{row}
}}


def __getattr__(name):
    return getattr(importlib.import_module(f"{{__name__}}.{{_HOMES[name]}}"), name)
"""


def test_a_new_figure_changes_the_hash_of_no_chapter_and_the_package_does(project: Project) -> None:
    def write(statement: str = "", listed: str = "", row: str = "", home: str = "_dial") -> None:
        text = PACKAGE.format(statement=statement, listed=listed, row=row, home=home)
        project.write("contextbook/widgets/__init__.py", text)

    project.write("contextbook/widgets/_dial.py", "Dial = 1\n")
    project.write("contextbook/widgets/_other.py", "Dial = 1\n")
    cell = "\n```{code-cell} python\n:name: dial\nfrom contextbook.widgets import Dial\n```\n"
    project.write_chapter(BODY + cell)
    write()
    before = chapter_hash(project)
    new = "\n    from contextbook.widgets._map import Map"
    write(new, ', "Map"', '\n    "Map": "_map",')
    assert chapter_hash(project) == before
    write(home="_other")  # the figure that it uses comes from elsewhere
    assert chapter_hash(project) != before
    write()
    assert chapter_hash(project) == before
    package = project.root / "contextbook/widgets/__init__.py"
    package.write_text(package.read_text() + "print('loaded')\n")
    assert chapter_hash(project) != before


def test_only_chapters_that_save_or_load_stand_on_what_does_it() -> None:
    stands = {}
    for source in chapter_paths(ROOT, []):
        report = Report(source, ROOT)
        cells = read_chapter(source, report).code_cells
        trees = [parse(cell) for cell in cells if not cell.quotes]
        files = {label for label, _ in imports.used_contents(ROOT, trees)}
        stands[source.stem] = "contextbook/saving/files.py" in files
        asks = any("contextbook.save(" in cell.text for cell in cells)
        assert stands[source.stem] >= asks, source.stem
    assert not stands["01-tokens"]
    assert not stands["12-gains-and-costs"]
    assert stands["11-transformer"]


def test_built_javascript_never_changes_the_hash_but_a_widget_class_does(project: Project) -> None:
    cell = "\n```{code-cell} python\n:name: dial\nfrom contextbook.widgets import Dial\n```\n"
    project.write_chapter(BODY + cell)
    before = chapter_hash(project)
    project.write("contextbook/widgets/static/dial.js", "changed")
    project.write("contextbook/widgets/static/page/dial.js", "new")
    assert chapter_hash(project) == before
    project.write("contextbook/widgets/__init__.py", "Dial = 1")
    assert chapter_hash(project) != before


def test_quoted_code_changes_the_hash_and_the_rest_of_its_module_does_not(project: Project) -> None:
    project.write_chapter(BODY)
    before = chapter_hash(project)
    sums = (project.root / "contextbook/sums.py").read_text()
    project.write("contextbook/sums.py", sums.replace("self.value = 0", "self.value = 9"))
    assert chapter_hash(project) == before
    project.write("contextbook/sums.py", sums.replace("return sum(numbers)", "return 1"))
    assert chapter_hash(project) != before


def test_line_ends_do_not_change_the_hash(project: Project) -> None:
    project.write_chapter(BODY)
    before = chapter_hash(project)
    checks = project.root / "contextbook/checks.py"
    checks.write_bytes(checks.read_bytes().replace(b"\n", b"\r\n"))
    assert chapter_hash(project) == before


def test_what_only_a_checker_of_types_imports_does_not_count(project: Project) -> None:
    project.write("contextbook/other.py", "OTHER = 1\n")
    guarded = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    "
    project.write("contextbook/mine.py", guarded + "from contextbook.other import OTHER\n")
    cell = "\n```{code-cell} python\n:name: mine\nimport contextbook.mine\n```\n"
    project.write_chapter(BODY + cell)
    before = chapter_hash(project)
    project.write("contextbook/other.py", "OTHER = 2\n")
    assert chapter_hash(project) == before
    project.write("contextbook/mine.py", "from contextbook.other import OTHER\n")
    assert chapter_hash(project) != before
