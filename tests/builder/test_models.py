"""Trained models on their way from a notebook's figures into files that pages load."""

import base64
import hashlib
import json
from pathlib import Path

import nbformat
import pytest
from builder_project import FRONT, Project

from tools.notebooks.build import build, check, notebook_path
from tools.notebooks.models import FOLDER, shown_models, take_out_models
from tools.notebooks.stable import STATE

FIGURE = '''\
"""A figure that runs a trained model."""

import base64
import hashlib

import anywidget
import traitlets


class Runner(anywidget.AnyWidget):
    """Holds models as the book's figures do."""

    _esm = "export default { render() {} };"
    models = traitlets.Dict().tag(sync=True)

    def __init__(self, **weights):
        super().__init__(models={name: entry(text) for name, text in weights.items()})

    def __repr__(self):
        return "Runner(figure)"


def entry(text):
    block = text.encode()
    digest = hashlib.sha256(block).hexdigest()
    return {"data": base64.b64encode(block).decode(), "sha256": digest}


def stored(name):
    """What a later chapter does: it reads the file of an earlier one."""
    from pathlib import Path

    import contextbook

    folder = Path(contextbook.__file__).parent / "widgets" / "static" / "page" / "models"
    return base64.b64decode((folder / f"{name}.js").read_text().split('"')[3]).decode()
'''
CELL = """\
# {number}. Small

```{{code-cell}} python
:name: figure
from contextbook.runner import Runner, stored

Runner({models})
```
"""


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Book(Project):
    """The small project, with chapters whose figures run models."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.write("contextbook/runner.py", FIGURE)

    def chapter(self, number: int, models: str) -> Path:
        front = FRONT.replace("number: 1", f"number: {number}")
        body = CELL.format(number=number, models=models)
        return self.write(f"chapters_src/en/{number:02d}-small.md", front + body)

    def shown(self, source: Path) -> dict[str, str]:
        return shown_models(nbformat.read(notebook_path(self.root, source), as_version=4))

    def file(self, name: str) -> Path:
        return self.root / FOLDER / f"{name}.js"


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def test_weights_go_into_files_and_their_digests_stay(book: Book) -> None:
    source = book.chapter(1, "one='first weights', two='others'")
    assert build(book.root, [source], quiet=True).faults == []
    notebook = notebook_path(book.root, source)
    before = notebook.read_bytes()
    data = base64.b64encode(b"first weights").decode()
    assert book.file("one").read_text() == f'window.contextbook.register("one", "{data}");\n'
    assert book.file("two").is_file()
    assert data.encode() not in before
    assert book.shown(source) == {"one": digest_of("first weights"), "two": digest_of("others")}
    files = [book.file(name).read_bytes() for name in ("one", "two")]
    build(book.root, [source], force=True, quiet=True)
    assert notebook.read_bytes() == before
    assert [book.file(name).read_bytes() for name in ("one", "two")] == files
    assert check(book.root) == []


def test_a_later_chapter_shows_the_model_of_an_earlier_one(book: Book) -> None:
    first = book.chapter(1, "one='first weights'")
    later = book.chapter(2, "one=stored('one')")
    assert build(book.root, [first, later], quiet=True).faults == []
    assert book.shown(later) == book.shown(first)

    book.chapter(1, "one='trained anew'")
    (fault,) = build(book.root, [first], quiet=True).faults
    assert fault.path == "notebooks/en/02-small.ipynb"
    assert "another model 'one'" in fault.message
    assert "make it again" in fault.mend
    (complaint,) = check(book.root)
    assert "02-small.ipynb: it shows other models than the files hold: one" in complaint

    built = build(book.root, [first, later], quiet=True)
    assert built.faults == []
    assert built.written == [notebook_path(book.root, later)]
    assert book.shown(later) == {"one": digest_of("trained anew")}


def test_two_chapters_that_train_a_model_of_one_name_are_told(book: Book) -> None:
    sources = [book.chapter(1, "one='mine'"), book.chapter(2, "one='no, mine'")]
    (fault,) = build(book.root, sources, quiet=True).faults
    assert fault.path == "notebooks/en/01-small.ipynb"
    assert "if two chapters train a 'one', call one of them otherwise" in fault.mend


def test_a_missing_file_makes_a_notebook_be_made_again(book: Book) -> None:
    source = book.chapter(1, "one='first weights'")
    build(book.root, [source], quiet=True)
    book.file("one").unlink()
    assert "other models than the files hold: one" in check(book.root)[0]
    assert build(book.root, [source], quiet=True).written == [notebook_path(book.root, source)]
    assert book.file("one").is_file()


def test_a_model_too_large_for_a_page_leaves_no_notebook(book: Book) -> None:
    source = book.chapter(1, "large='x' * 600_000")
    (fault,) = build(book.root, [source], quiet=True).faults
    assert "train a smaller one" in fault.message
    assert fault.path == "chapters_src/en/01-small.md"
    assert not book.file("large").exists()
    assert not notebook_path(book.root, source).exists()


def test_two_figures_of_a_notebook_must_agree() -> None:
    def state(digest: str) -> dict[str, object]:
        return {"state": {"models": {"one": {"data": "AAAA", "sha256": digest}}}}

    def notebook(*digests: str) -> nbformat.NotebookNode:
        states = {str(number): state(digest) for number, digest in enumerate(digests)}
        made = {"metadata": {"widgets": {STATE: {"state": states}}}}
        return nbformat.from_dict(json.loads(json.dumps(made)))

    agreed = notebook("a", "a")
    assert take_out_models(agreed) == {"one": {"data": "AAAA", "sha256": "a"}}
    assert shown_models(agreed) == {"one": "a"}
    assert "AAAA" not in json.dumps(agreed)
    with pytest.raises(ValueError, match=r"different models named 'one'.*another name"):
        take_out_models(notebook("a", "b"))
