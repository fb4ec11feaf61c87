"""The little server, and finding a browser."""

import gzip
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tools import chromium
from tools.serve import open_server, serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site of one page, with a secret beside it."""
    site = tmp_path / "site"
    (site / "book").mkdir(parents=True)
    (site / "index.html").write_text("<p>犬</p>" * 100, "utf8")
    (site / "a.woff2").write_bytes(b"font")
    (tmp_path / "secret.txt").write_text("secret")
    return site


def fetch(address: str, **headers: str) -> tuple[bytes, dict[str, str]]:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.read(), dict(answer.headers)


def test_text_is_compressed_for_those_who_can_read_that(folder: Path) -> None:
    with serving(folder) as address:
        body, headers = fetch(f"{address}/", **{"Accept-Encoding": "gzip"})
        plain, others = fetch(f"{address}/index.html?q=1")
    assert gzip.decompress(body) == plain == (folder / "index.html").read_bytes()
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "Content-Encoding" not in others


def test_fonts_are_sent_as_they_are(folder: Path) -> None:
    with serving(folder) as address:
        body, headers = fetch(f"{address}/a.woff2", **{"Accept-Encoding": "gzip"})
    assert body == b"font"
    assert headers["Content-Type"] == "font/woff2"


@pytest.mark.parametrize("path", ["/none.html", "/../secret.txt", "/%2e%2e/secret.txt", "/book/"])
def test_other_addresses_are_not_found(folder: Path, path: str) -> None:
    with serving(folder) as address, pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(address + path)


def test_a_site_below_a_path_is_there_alone(folder: Path) -> None:
    with serving(folder, "/a/book") as address:
        assert fetch(f"{address}/")[0]
        with pytest.raises(urllib.error.HTTPError, match="404"):
            fetch(address.removesuffix("/a/book") + "/index.html")


def test_a_taken_port_is_passed_over(folder: Path) -> None:
    with open_server(folder) as first, open_server(folder) as second:
        assert second.server_port > first.server_port >= 8000


def test_no_site_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="build it with `make site`"):
        open_server(tmp_path)


@pytest.mark.parametrize(
    ("fault", "told"), [(ConnectionResetError("gone"), False), (ValueError("odd"), True)]
)
def test_a_browser_that_goes_away_is_no_fault(
    folder: Path, capsys: pytest.CaptureFixture[str], fault: Exception, told: bool
) -> None:
    with open_server(folder, 0) as server:
        try:
            raise fault
        except type(fault):
            server.handle_error(None, ("127.0.0.1", 1))
    assert ("Traceback" in capsys.readouterr().err) is told


def test_command_prints_its_address(folder: Path) -> None:
    command = [sys.executable, "-m", "tools.serve", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            words = server.stdout.readline().split()
            address = next(word for word in words if word.startswith("http"))
            assert fetch(address)[0]
        finally:
            server.terminate()


def test_chromium_of_the_environment_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tmp_path / "my-chromium"
    mine.touch()
    monkeypatch.setenv("CHROMIUM", str(mine))
    assert chromium.find_chromium() == mine


def test_chromium_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(ValueError, match="/nowhere/chromium"):
        chromium.find_chromium()


def test_without_any_chromium_there_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chromium, "find_chromium", lambda: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert chromium.main() == 1
    assert capsys.readouterr().err.strip() == chromium.MEND
