"""What a chapter runs only when a reader asks for it runs, too: here at sizes that take seconds."""

import ast
from dataclasses import replace
from typing import Any

import matplotlib.pyplot as plt
import pytest

import contextbook.larger
import contextbook.real_sentences
import contextbook.translation
from contextbook.datasets import prose
from contextbook.real_sentences import REDUCED, compare, real_task
from contextbook.training import best_device
from tools.config import ROOT
from tools.notebooks.assemble import assemble
from tools.notebooks.build import chapter_paths
from tools.notebooks.names import to_python

Names = dict[str, Any]
KEPT = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)


def cells_of(number: int) -> dict[str, str]:
    """The code of a chapter's cells by name, as the builder makes them of its source."""
    (path,) = (path for path in chapter_paths(ROOT, []) if path.name.startswith(f"{number:02}-"))
    _, notebook = assemble(path, ROOT)
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}


def names_before(cells: dict[str, str], cell: str) -> Names:
    """What the cells before have imported and defined; nothing else of them is run."""
    names: Names = {}
    for name, source in cells.items():
        if name == cell:
            return names
        tree = ast.parse(to_python(source))
        tree.body = [part for part in tree.body if isinstance(part, KEPT)]
        exec(compile(tree, name, "exec"), names)
    raise KeyError(cell)


def turned_on(source: str, off: str, on: str) -> str:
    """The cell with its switch turned, which is in it once."""
    assert source.count(off) == 1
    return source.replace(off, on)


@pytest.mark.parametrize("number", [7, 8, 11])
def test_the_larger_net_trains_and_reports(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = cells_of(number)
    names = names_before(cells, "larger")
    trained = []

    def briefly(model: Any, task: Any, **settings: Any) -> Any:
        assert settings.keys() == {"steps", "learning_rate", "batch_size"}
        assert next(model.parameters()).device.type == best_device().type
        trained.append(model)
        return whole_training(model, task, **settings | {"steps": 2, "batch_size": 4})

    whole_training = contextbook.translation.train_translator
    whole_task = contextbook.larger.larger_task
    monkeypatch.setitem(names, "train_translator", briefly)
    monkeypatch.setattr(contextbook.larger, "larger_task", lambda: whole_task(train=400, test=8))
    exec(turned_on(cells["larger"], "LARGER = False", "LARGER = True"), names)
    assert trained == [names["wide"]]
    said = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    lengths = [f"{low} to {high} words" for low, high in contextbook.larger.BINS]
    assert said == lengths[: len(said)] != []  # among so few sentences may be none of the longest


def test_real_sentences_are_learned_and_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tatoeba's are not here: a few of the book's own stand for them."""
    few = replace(REDUCED, train=24, test=4, merges=80, width=16, hidden=16, steps=4, batch_size=8)
    asked = []

    def measure(settings: Any) -> Any:
        asked.append(settings)
        return compare(real_task(few, prose.load()[:40]), few, tell=lambda line: None)

    cells = cells_of(12)
    names = names_before(cells, "real-sentences")
    monkeypatch.setattr(contextbook.real_sentences, "results", measure)
    exec(turned_on(cells["real-sentences"], "REAL = None", "REAL = REDUCED"), names)
    assert asked == [REDUCED]
    exec(cells["real-translations"], names)
    for seen in names["measured"]["alignments"].values():
        for found in seen.values():  # after four steps a model writes what no font can show
            found["japanese"] = ["犬"] * len(found["japanese"])
    exec(cells["plot-real-alignments"], names)
    plt.close("all")
    assert "    Transformer " in capsys.readouterr().out
