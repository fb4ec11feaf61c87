"""Building for real: few kernels, each shared by many checks."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr
from pathlib import Path

import nbformat
import pytest
from builder_project import FRONT_LINES, Project, faults_of

import tools.notebooks.assemble
from contextbook.widgets import STUB
from tools.config import ROOT
from tools.notebooks.__main__ import main
from tools.notebooks.build import build, chapter_paths, check, differences, write_whole
from tools.notebooks.faults import ChapterError

BODY = """\
# 1. Small

```{code-cell} python
:name: plot
import matplotlib.pyplot as plt

plt.plot([1, 2, 1]);
```

```{code-cell} python
:name: figures
import ipywidgets
from contextbook.widgets import Dial

unseen = ipywidgets.IntSlider()
ipywidgets.VBox([Dial(), ipywidgets.FloatText(0.5)])
```

```{code-cell} python
:name: dial
dial = Dial(value=7)
dial
```

```{code-cell} python
:name: quoted
:quote: contextbook.sums.LIMIT
```

```{code-cell} python
:name: environment
import os

dial.value = 8
print(os.environ["CONTEXTBOOK_LANGUAGE"], os.environ["CONTEXTBOOK_PROGRESS"])
print(os.path.basename(os.getcwd()))
```
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("built"))
    project.write_chapter(BODY)
    result = build(project.root, [project.source])
    assert result.faults == []
    assert result.written == [project.notebook]
    return project


def test_two_forced_builds_give_the_same_bytes_and_no_bar_is_kept(built: Project) -> None:
    before = built.notebook.read_bytes()
    shown = io.StringIO()
    with redirect_stderr(shown):
        build(built.root, [built.source], force=True)
    assert built.notebook.read_bytes() == before
    assert "01-small" in shown.getvalue()
    assert "8/8" in shown.getvalue()
    assert str(built.root).encode() not in before


def test_cells_are_run_in_order_and_keep_their_outputs(built: Project) -> None:
    notebook = nbformat.read(built.notebook, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4, 5, 6]
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    by_id = {cell.id: cell for cell in code}
    assert "image/png" in by_id["plot"].outputs[-1].data
    assert by_id["environment"].outputs[0].text == "en off\nen\n"
    assert by_id["setup"].outputs == []


def test_saved_widgets_are_stubs_with_stable_ids_and_the_last_state(built: Project) -> None:
    notebook = nbformat.read(built.notebook, as_version=4)
    (saved,) = notebook.metadata.widgets.values()
    names = sorted(model["model_name"] for model in saved["state"].values())
    # the box, its two children, the second dial, and their layouts; not the slider never shown
    assert names.count("AnyModel") == 2
    assert names.count("FloatTextModel") == names.count("VBoxModel") == 1
    assert "IntSliderModel" not in names
    dials = [m["state"] for m in saved["state"].values() if m["model_name"] == "AnyModel"]
    assert {dial["_esm"] for dial in dials} == {STUB}
    assert all("_css" not in dial for dial in dials)
    assert sorted(dial["value"] for dial in dials) == [3, 8]
    shown = next(cell for cell in notebook.cells if cell.id == "dial").outputs[0].data
    view = shown["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert saved["state"][view]["state"]["value"] == 8
    assert shown["text/plain"] == "Dial(figure)"
    for reference in json.dumps(saved).split("IPY_MODEL_")[1:]:
        assert reference[:32] in saved["state"]


def test_a_current_notebook_is_not_made_again(built: Project) -> None:
    assert differences(built.root, built.source) == ""
    assert check(built.root) == []
    before = built.notebook.stat().st_mtime_ns
    assert build(built.root, [built.source]) == ([], [], [])
    assert built.notebook.stat().st_mtime_ns == before


def test_check_tells_what_is_not_current(built: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    text, source = built.notebook.read_text(), built.source.read_text()
    try:
        built.notebook.write_text(text.replace("plt.plot([1, 2, 1])", "plt.plot([3, 2, 1])"))
        assert "edited in the notebook" in differences(built.root, built.source)
        built.notebook.write_text(text.replace('"execution_count": 3', '"execution_count": 9'))
        assert "not run from top to bottom" in differences(built.root, built.source)
        built.notebook.write_text("<<<<<<< ours\n" + text)
        assert "no valid notebook" in differences(built.root, built.source)
        built.notebook.write_text(text)
        built.source.write_text(source + "\nMore.\n")
        (complaint,) = check(built.root)
        assert complaint.startswith("notebooks/en/01-small.ipynb: its source, or code")
        built.source.write_text(source + "\n{math}`x`\n")
        (complaint,) = check(built.root)
        assert complaint.startswith(f"chapters_src/en/01-small.md:{source.count(chr(10)) + 2}: ")
        built.source.write_text(source)
        with monkeypatch.context() as patch:
            patch.setattr(tools.notebooks.assemble, "SETUP", "import sys\n")
            assert "set-up cell" in differences(built.root, built.source)
        orphan = built.write("notebooks/en/02-gone.ipynb", text)
        assert check(built.root) == [
            "notebooks/en/02-gone.ipynb: it has no source; delete it or restore the chapter"
        ]
        orphan.unlink()
        built.notebook.unlink()
        assert "there is no notebook" in check(built.root)[0]
    finally:
        built.notebook.write_text("<<<<<<< ours\n" + text)
        assert "no valid notebook" in differences(built.root, built.source)
        built.notebook.write_text(text)
        built.source.write_text(source)


def test_another_address_writes_the_set_up_cell_anew_and_runs_nothing(
    built: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_: object) -> None:
        raise AssertionError("a kernel was started")

    monkeypatch.setattr(tools.notebooks.build, "execute", run)
    monkeypatch.delenv("FORCE", raising=False)
    config = built.root / "_config.yml"
    notebook, text = built.notebook.read_text(), config.read_text()
    try:
        config.write_text(text.replace("OWNER", "teacher"))
        (complaint,) = check(built.root)
        assert "its set-up cell does not install from the address in _config.yml" in complaint
        assert main(["--root", str(built.root)]) == 0
        said = capsys.readouterr().out
        assert said == "set-up cell and metadata of notebooks/en/01-small.ipynb made anew\n"
        assert built.notebook.read_text() == notebook.replace("OWNER", "teacher")
        assert check(built.root) == []
        config.write_text(text)
        assert build(built.root, [built.source]) == ([], [], [built.notebook])
        assert built.notebook.read_text() == notebook

        changed = json.loads(notebook)
        changed["metadata"]["colab"]["name"] = "Copy of 01-small.ipynb"
        built.notebook.write_text(json.dumps(changed))
        assert "its metadata" in differences(built.root, built.source)
        build(built.root, [built.source])
        assert built.notebook.read_text() == notebook
    finally:
        config.write_text(text)
        built.notebook.write_text(notebook)


def test_the_command_checks_and_names_unknown_chapters(
    built: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE", raising=False)
    root = ["--root", str(built.root)]
    assert main([*root, "--check"]) == 0
    assert main([*root, "1"]) == 0
    assert capsys.readouterr().out == "1 notebook current\n" * 2
    assert main([*root, "7"]) == 1
    assert "no chapter '7'; chapters are: 01-small" in capsys.readouterr().err
    for name in ("1", "01", "01-small", "chapters_src/en/01-small.md", "01-small.ipynb"):
        assert chapter_paths(built.root, [name]) == [built.source]


def test_a_cell_that_raises_leaves_the_old_notebook(project: Project) -> None:
    project.write("notebooks/en/01-small.ipynb", "old")
    project.write_chapter(
        "# 1. Small\n\n"
        "```{code-cell} python\n:name: define\n:tags: [hide-input]\n\n"
        "def fail(n):\n    return 1 / n\n```\n\n"
        "```{code-cell} python\n:name: call\nx = 0\n\nfail(x)\n```\n"
    )
    shown = io.StringIO()
    with redirect_stderr(shown):
        result = build(project.root, [project.source])
    assert result.written == []
    (fault,) = result.faults
    assert (fault.path, fault.line - FRONT_LINES) == ("chapters_src/en/01-small.md", 15)
    assert fault.message == "cell 'call' raises ZeroDivisionError: division by zero"
    assert "return 1 / n" in fault.mend
    assert "\x1b" not in fault.mend
    assert files_of(project) == ["01-small.ipynb"]
    assert project.notebook.read_text() == "old"


def test_outputs_that_must_not_be_committed_are_refused_together(project: Project) -> None:
    def cell(name: str, code: str) -> str:
        return f"```{{code-cell}} python\n:name: {name}\n{code}\n```\n"  # 4 lines

    project.write_chapter(
        "# 1. Small\n\n"
        + cell("warn", "import warnings; warnings.warn('careful')")
        + cell("glyph", "print('Glyph 29356 missing from current font.')")
        + cell("address", "object()")
        + cell("path", "import contextbook; contextbook.__file__")
        + cell("fine", "print('0xff')")
    )
    result = build(project.root, [project.source], quiet=True)
    assert result.written == []
    assert not project.notebook.exists()
    found = faults_of(ChapterError(result.faults))
    assert [line for line, _ in found] == [3, 7, 11, 15]
    for (_, text), fragment in zip(
        found,
        ("to stderr: .*careful", "font that lacks it", "address in memory, 0x", "path of this"),
        strict=True,
    ):
        assert re.search(fragment, text)


def test_one_bad_chapter_does_not_keep_others_from_being_made(project: Project) -> None:
    project.write_chapter("# 1. Small\n\n{math}`x`\n")
    good = project.source.read_text().replace("number: 1", "number: 2")
    project.write(
        "chapters_src/en/02-good.md", good.replace("# 1. Small\n\n{math}`x`", "# 2. Small")
    )
    result = build(project.root, chapter_paths(project.root, []), quiet=True)
    assert [path.name for path in result.written] == ["02-good.ipynb"]
    assert len(result.faults) == 1


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_build_leaves_the_old_notebook_and_no_kernel(
    project: Project, sent: signal.Signals
) -> None:
    project.write("notebooks/en/01-small.ipynb", "old")
    project.write_chapter(
        "# 1. Small\n\n```{code-cell} python\n:name: wait\nimport os, time\n"
        "print(open('../../pid', 'w').write(str(os.getpid())))\ntime.sleep(300)\n```\n"
    )
    command = [sys.executable, "-m", "tools.notebooks", "--root", str(project.root)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        # what runs in the background of a shell may have been told to ignore an interrupt
        preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL),
    )
    pid = project.root / "pid"
    deadline = time.monotonic() + 60
    while not (pid.is_file() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(sent)
    _, shown = process.communicate(timeout=30)
    assert process.returncode == 130, shown
    assert "stopped: notebooks that were not finished are as they were" in shown
    assert "Traceback" not in shown
    assert project.notebook.read_text() == "old"
    assert files_of(project) == ["01-small.ipynb"]
    assert gone(int(pid.read_text()))


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def files_of(project: Project) -> list[str]:
    return sorted(path.name for path in (project.root / "notebooks" / "en").iterdir())


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "a.ipynb"
    target.mkdir()
    with pytest.raises(OSError, match=r"a\.ipynb"):
        write_whole(target, "text")
    assert [path.name for path in tmp_path.iterdir()] == ["a.ipynb"]
