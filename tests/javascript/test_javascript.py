"""The figures' JavaScript: its types, its tests, and that the committed scripts are its build."""

import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest
from pytorch_examples import examples

from tools.node import environment, node, npm

ROOT = Path(__file__).parents[2]
WIDGETS = ROOT / "widgets"
STATIC = ROOT / "contextbook" / "widgets" / "static"


@pytest.fixture(scope="module")
def installed() -> None:
    """The packages that the lock file names, installed if they are not."""
    lock, done = WIDGETS / "package-lock.json", WIDGETS / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        run([*npm(), "ci"])
        done.touch()


@pytest.fixture(scope="module")
def rebuilt(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a fresh build."""
    folder = tmp_path_factory.mktemp("static")
    run([node(), "build.js", str(folder)])
    return folder


def run(command: list[str], **variables: str) -> str:
    """Run a command in ``widgets/``; what it printed is shown if it fails."""
    env = environment({**os.environ, **variables})
    done = subprocess.run(
        command, cwd=WIDGETS, env=env, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_types(installed):
    run([*npm(), "run", "check"])


def test_javascript_passes_its_tests_and_agrees_with_pytorch(rebuilt, tmp_path):
    path = tmp_path / "examples.json"
    path.write_text(json.dumps(examples(), allow_nan=False), encoding="utf-8")
    files = sorted(str(file) for file in (WIDGETS / "test").glob("*.test.js"))
    output = run(
        [node(), "--test", "--test-reporter=tap", *files],
        PYTORCH_EXAMPLES=str(path),
        WIDGETS_STATIC=str(rebuilt),
    )
    assert "# skipped 0" in output, output
    assert "# fail 0" in output, output


def test_committed_scripts_are_what_the_sources_make(rebuilt):
    def contents(folder: Path) -> dict[str, bytes]:
        files = (
            path
            for path in folder.rglob("*")
            if path.is_file() and path.parent.name != "models"  # those come from notebooks
        )
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    fresh, committed = contents(rebuilt), contents(STATIC)
    assert sorted(fresh) == sorted(committed)
    stale = [name for name in fresh if fresh[name] != committed[name]]
    assert stale == [], "run `make widgets` and commit what it makes"


def test_scripts_stay_small_and_ask_for_nothing(rebuilt):
    for path in rebuilt.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        code = text.split("/*!\n")[0]  # the notices of libraries name their homes
        code = code.replace("http://www.w3.org/2000/svg", "")
        assert "://" not in code, f"{path.name} names an address"
        travels = len(gzip.compress(text.encode()))  # the live Transformer and its tour: 30 kB
        assert travels < 32_000, f"{path.name} travels as {travels} bytes"


def test_the_lock_file_names_no_server():
    text = (WIDGETS / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    assert "://registry" not in text
