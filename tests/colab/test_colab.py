"""Each notebook in Colab's conditions: ipywidgets 7, Colab's versions, what its set-up installs.

Colab itself cannot be reached, so what it would get is looked at: the outputs, and the messages
that open the figures. All tests stand in one module, for the environment to be made once.

To run every chapter takes a quarter of an hour. That is `make colab`, and a workflow of every week;
the test suite runs one chapter, whose figures and extras are of several kinds.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from colab_machine import (
    ROOT,
    Machine,
    Run,
    copy_repository,
    make_bare,
    new_machine,
    run_notebook,
    set_up_of,
)
from nbformat.v4 import new_code_cell, new_notebook

from tools.config import read_repository

NOTEBOOKS = sorted((ROOT / "notebooks" / "en").glob("*.ipynb"))
EVERY = os.environ.get("CONTEXTBOOK_COLAB") == "every"
RUN = NOTEBOOKS if EVERY else [path for path in NOTEBOOKS if path.stem == "01-tokens"]
SET_UPS = list(dict.fromkeys(map(set_up_of, RUN)))  # one for each choice of extras
# what Colab lacks; all else that a chapter needs is there, and stands in colab.txt
LACKING = {"contextbook", "matplotlib-fontja", "sudachipy", "sudachidict-small"}
LACKING |= {"sacrebleu", "portalocker", "colorama"}
VIEW = "application/vnd.jupyter.widget-view+json"
PROBE = """
import json, resource, sys
import contextbook
from google.colab import output
print(json.dumps({
    "manager": output._widgets._installed_url,
    "package": contextbook.__file__,
    "path": sys.path,
    "worked": sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]),
    "versions": {
        name: sys.modules[name].__version__ for name in ("torch", "numpy", "matplotlib")
        if name in sys.modules
    },
}))
"""


@dataclass
class SetUp:
    """A machine on which a set-up cell ran, and what was installed before and after."""

    machine: Machine
    run: Run
    before: dict[str, str]
    after: dict[str, str]


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working tree, at the address of the public repository."""
    return copy_repository(tmp_path_factory.mktemp("public"))


@pytest.fixture(scope="session")
def set_ups(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, SetUp]]:
    """For each set-up cell, a machine on which it ran."""
    with ExitStack() as stack:
        done = {}
        for source in SET_UPS:
            machine = stack.enter_context(new_machine(repository))
            before = machine.versions()
            twice = ((source, "setup"), (PROBE, "probe"), (source, "again"), (PROBE, "afterwards"))
            cells = [new_code_cell(code, id=name) for code, name in twice]
            run = run_notebook(
                machine, new_notebook(cells=cells), tmp_path_factory.mktemp("set-up")
            )
            done[source] = SetUp(machine, run, before, machine.versions())
        yield done


@pytest.fixture(params=SET_UPS, ids=lambda source: ", ".join(re.findall(r"\[.*?\]", source)) or "-")
def set_up(set_ups: dict[str, SetUp], request: pytest.FixtureRequest) -> SetUp:
    return set_ups[request.param]


def requirement(source: str) -> str:
    """What a set-up cell asks pip for."""
    found = re.search(r'%pip install -q "(.*)"', source)
    assert found, "the set-up cell does not install the package"
    return found[1]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_set_up_cell_installs_from_this_repository(path: Path) -> None:
    public = read_repository()
    source = set_up_of(path)
    name, _, address = requirement(source).partition(" @ ")
    assert re.fullmatch(r"contextbook(\[[a-z,]+\])?", name)
    assert address == f"git+{public.url}@{public.branch}"
    assert source.startswith("# In Colab this installs"), "one line says what it does"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_colab_is_told_what_a_chapter_wants(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata.colab.toc_visible is True
    assert notebook.metadata.colab.name == path.name
    trains = any("best_device()" in cell.source for cell in notebook.cells)
    assert notebook.metadata.get("accelerator") == ("GPU" if trains else None)


def test_the_environment_is_as_colab_brings_it(set_up: SetUp) -> None:
    shown = ("ipywidgets", "ipykernel", "ipython", "torch", "numpy", "pandas", "matplotlib")
    print(f"\n{', '.join(f'{name} {set_up.before[name]}' for name in (*shown, 'anywidget'))}")
    assert set_up.before["ipywidgets"] == "7.7.1"
    assert not LACKING & set_up.before.keys()


def test_the_set_up_changes_no_version_and_brings_nothing_that_colab_has(set_up: SetUp) -> None:
    assert {name: set_up.after.get(name) for name in set_up.before} == set_up.before
    added = set_up.after.keys() - set_up.before.keys()
    print(f"\nset-up: {set_up.run.seconds:.0f} s, brought {', '.join(sorted(added))}")
    assert added <= LACKING, "does Colab have it? then it belongs into colab.txt, else into LACKING"
    assert {"contextbook", "matplotlib-fontja"} <= added


def test_the_set_up_works_for_less_than_half_a_minute(set_up: SetUp) -> None:
    """Beyond what it waits for downloads: counted is the time that processors were busy."""
    worked = json.loads(set_up.run.printed("probe"))["worked"]
    print(f"\nset-up: {worked:.1f} s of work")
    assert 0.5 < worked < 30


def test_a_second_set_up_does_nothing(set_up: SetUp) -> None:
    first, second = (json.loads(set_up.run.printed(name)) for name in ("probe", "afterwards"))
    assert second == first, "not even a process was started: the time that they took is the same"


def test_the_package_comes_with_all_its_data(set_up: SetUp, repository: Path) -> None:
    source = repository / "contextbook"
    installed = set_up.machine.packages / "contextbook"
    files = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    assert any(path.match("widgets/static/page/*.js") for path in files)
    missing = [
        path.as_posix()
        for path in files
        if not (installed / path).is_file()
        or (installed / path).read_bytes() != (source / path).read_bytes()
    ]
    assert missing == [], "name them under package-data in pyproject.toml"


def test_the_package_is_the_installed_one(set_up: SetUp) -> None:
    check_imports(set_up.run, set_up.machine)


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_a_chapter_runs_from_the_top(path: Path, set_ups: dict[str, SetUp], tmp_path: Path) -> None:
    set_up = set_ups[set_up_of(path)]
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell(PROBE, id="probe"))
    run = run_notebook(set_up.machine, notebook, tmp_path)
    views = check_figures(run, set_up.machine)
    print(f"\n{path.stem}: {run.seconds:.0f} s, {views} figures")
    for ours, theirs in zip(stored.cells, run.notebook.cells, strict=False):
        if ours.cell_type == "code" and ours.id != "setup":
            # a warning would be one more, on stderr, where the stored outputs have nothing
            assert kinds(theirs, run) == kinds(ours), f"the outputs of cell {ours.id!r}"
    versions = check_imports(run, set_up.machine)
    assert all(set_up.before[name] == version for name, version in versions.items())


def kinds(cell: nbformat.NotebookNode, run: Run | None = None) -> list[tuple[str, ...]]:
    """Of what kinds a cell's outputs are: the stream's name, or in which forms a thing is shown.

    What is left out: bars of progress, which a reader sees and the stored notebook does not hold;
    and whether a thing is a cell's value or displayed itself, as a widget of ipywidgets 7 does.
    """
    return [
        (output.name,) if output.output_type == "stream" else tuple(sorted(output.data))
        for output in cell.outputs
        if run is None or VIEW not in output.get("data", {}) or is_figure(output, run)
    ]


def is_figure(output: nbformat.NotebookNode, run: Run) -> bool:
    """Whether an output shows a figure of the book, and not a control that ipywidgets brings."""
    if VIEW not in output.get("data", {}):
        return False
    state = run.opened[output.data[VIEW]["model_id"]]["data"]["state"]
    return "@jupyter-widgets/" not in state["_view_module"]


def check_figures(run: Run, machine: Machine) -> int:
    """Hold what Colab gets of each figure that is shown against what it needs; count them."""
    shown = [
        output
        for cell in run.notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if is_figure(output, run)
    ]
    for output in shown:
        opened = run.opened[output.data[VIEW]["model_id"]]
        state = opened["data"]["state"]
        assert opened["target_name"] == "jupyter.widget"
        assert state["_view_module"] == state["_model_module"] == "anywidget"
        scripts = machine.packages / "contextbook" / "widgets" / "static"
        script = (scripts / f"{state['figure']}.js").read_text("utf-8")
        assert state["_esm"] == script, "the figure's own module, not the stub of the website"
    if shown:  # Colab was asked to show widgets that are not its own
        assert json.loads(run.printed("probe"))["manager"]
    return len(shown)


def check_imports(run: Run, machine: Machine) -> dict[str, str]:
    """The package is the installed one, with nothing of this folder in reach; its versions."""
    probe = json.loads(run.printed("probe"))
    assert Path(probe["package"]).is_relative_to(machine.packages)
    foreign = [
        entry
        for entry in map(Path, filter(None, probe["path"]))
        if entry.is_relative_to(ROOT) and not entry.is_relative_to(machine.folder)
    ]
    assert foreign == []
    versions: dict[str, str] = probe["versions"]
    return versions


def test_the_package_installs_and_imports_where_nothing_else_is(
    repository: Path, tmp_path: Path
) -> None:
    """Neither installing nor importing it needs torch, or anything that it is used with."""
    machine = make_bare(tmp_path / "bare", repository)
    # of a copy, since pip leaves its build in the folder that it installs
    source = tmp_path / "source"
    subprocess.run(["git", "clone", "--quiet", repository, source], check=True, timeout=120)
    machine.run("-m", "pip", "install", "--quiet", "--no-deps", str(source))
    assert "torch" not in machine.versions()
    said = machine.run("-c", "import contextbook, contextbook.words; print(contextbook.__file__)")
    assert Path(said.strip()).is_relative_to(machine.packages)
    scripts = machine.packages / "contextbook" / "widgets" / "static"
    built = ROOT / "contextbook" / "widgets" / "static"
    names = sorted(path.relative_to(built) for path in built.rglob("*.js"))
    assert names == sorted(path.relative_to(scripts) for path in scripts.rglob("*.js"))
    assert len(names) > 2
