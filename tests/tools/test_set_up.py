"""What each target sets up, and which browser is found."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tools import chromium
from tools.config import ROOT

BROWSER, TORCH, SITE = "-m tools.chromium", "-r requirements.txt", "-r requirements-site.txt"


def commands(target: str) -> str:
    """What make would run in a fresh clone."""
    by_hand = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(
        ["make", "--dry-run", "--always-make", "--no-print-directory", target],
        cwd=ROOT,
        env=by_hand,
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout


@pytest.mark.parametrize("target", ["test", "audit"])
def test_what_looks_at_pages_sets_up_a_browser_last(target: str) -> None:
    said = commands(target)
    assert said.index(SITE) < said.index(TORCH) < said.index("npm") < said.index(BROWSER)


@pytest.mark.parametrize("target", ["setup", "notebooks", "lint", "widgets", "sheets", "colab"])
def test_nothing_else_needs_a_browser(target: str) -> None:
    said = commands(target)
    assert TORCH in said
    assert BROWSER not in said


@pytest.mark.parametrize("target", ["site", "links", "new-chapter", "new-figure"])
def test_what_needs_no_torch_installs_none(target: str) -> None:
    said = commands(target)
    assert SITE in said
    assert TORCH not in said
    assert BROWSER not in said


def test_a_browser_of_macos_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome") in chromium.PLACES
    place = tmp_path / "Google Chrome"
    place.touch()
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "PLACES", (tmp_path / "none", place))
    assert chromium.find_chromium() == place


def test_who_may_not_install_is_told_what_needs_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    with pytest.raises(ValueError, match=r"`\.venv/bin/playwright install chromium`"):
        chromium.install_chromium()


def test_the_hooks_need_no_activated_environment() -> None:
    (hooks,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf8"))["repos"]
    programs = [hook["entry"].split()[0] for hook in hooks["hooks"]]
    assert len(programs) == 5
    for program in programs:
        assert program.startswith(".venv/bin/"), program
        assert (ROOT / program).is_file(), program


def test_what_training_writes_is_not_offered_for_a_commit() -> None:
    readme = (ROOT / "README.md").read_text("utf8")
    (output,) = set(re.findall(r"-m contextbook.train --output (\S+)", readme))
    written = [output, str(Path(output).with_suffix(".checkpoint"))]
    ignored = subprocess.run(
        ["git", "check-ignore", *written], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ignored.stdout.split() == written
