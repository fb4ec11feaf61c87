"""The build: fast, strict, and clear about what is wrong."""

import shutil
from pathlib import Path

import pytest
from site_pages import PAGES, ROOT

from tools.site.__main__ import main
from tools.site.live_figure import read_figure
from tools.site.page import pages


def test_build_takes_at_most_thirty_seconds(built: tuple[Path, float]) -> None:
    print(f"\nthe site was built in {built[1]:.1f} s of one processor")
    assert built[1] <= 30


def test_build_makes_the_pages_of_the_table_of_contents(site: Path) -> None:
    assert {page.name for page in pages(site)} == {*PAGES, "404"}


def test_build_leaves_no_assets_that_no_page_uses(site: Path) -> None:
    names = {path.name for path in (site / "_static").rglob("*") if path.is_file()}
    figures = {path.name for path in (site / "_static" / "figures").rglob("*")}
    assert names - figures == {
        "card.png",
        "fa-solid-900.woff2",
        "favicon.svg",
        "file.png",
        "language_data.js",
        "math.woff2",
        "searchtools.js",
        "site.css",
        "site.js",
    }


@pytest.fixture
def small_book(tmp_path: Path) -> Path:
    """A book of one page, with the site's own settings."""
    shutil.copy(ROOT / "_config.yml", tmp_path)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    (tmp_path / "book").mkdir()
    assets = tmp_path / "tools" / "site" / "assets"
    shutil.copytree(ROOT / "tools" / "site" / "assets", assets)
    return tmp_path


def build_page(book: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Exit status of a build whose one page says this below its title."""
    (book / "book" / "index.md").write_text(f"# One page\n\n{text}\n", "utf8")
    monkeypatch.setattr("sys.argv", ["tools.site", "--source", str(book)])
    return main()


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (r"The ratio $\frac{a$ is wrong.", ["index.md:3", r"\\frac{a", "KaTeX parse error"]),
        ("[Nowhere](nowhere.md)", ["index.md:3", "nowhere.md"]),
        ("```{live-figure} none.ipynb\n:cell: a\n```", ["index.md:3", "no notebook none.ipynb"]),
    ],
)
def test_faults_fail_the_build_with_page_and_line(
    small_book: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    text: str,
    messages: list[str],
) -> None:
    assert build_page(small_book, text, monkeypatch) == 1
    said = capfd.readouterr().err
    for message in messages:
        assert message in said


def test_image_without_words_fails_the_build(
    small_book: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (small_book / "book" / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"></svg>'
    )
    assert build_page(small_book, "![](a.svg)", monkeypatch) == 1
    assert (
        "book/index: the image ../_images/a.svg has no text alternative" in capfd.readouterr().err
    )


def test_build_removes_what_was_there(small_book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = small_book / "_build" / "html" / "book" / "old.html"
    old.parent.mkdir(parents=True)
    old.write_text("<html></html>")
    assert build_page(small_book, "A formula: $x$.", monkeypatch) == 0
    assert not old.exists()
    assert (small_book / "_build" / "html" / "book" / "index.html").is_file()


def test_notebook_without_the_cell_is_refused() -> None:
    path = next((ROOT / "notebooks" / "en").glob("*.ipynb"))
    with pytest.raises(ValueError, match="no cell 'nowhere' of"):
        read_figure(path, "nowhere")
