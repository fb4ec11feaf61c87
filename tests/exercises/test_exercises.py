"""Each exercise: its stub, its solution, and a hint of its own for each typical wrong answer.

To add an exercise, add its wrong answers to ``wrong_answers/chapterNN.py``; the rest follows.
"""

import ast
import inspect
import json
import re
import runpy
import sys
from pathlib import Path

import pytest
from book_exercises import ROOT, namespace_before, sheets, tasks

from contextbook.exercises import check, exercises

WRONG: dict[str, list[tuple[str, str]]] = {}
for _path in sorted((Path(__file__).parent / "wrong_answers").glob("chapter*.py")):
    WRONG |= runpy.run_path(str(_path))["WRONG"]
HINTS = json.loads((ROOT / "contextbook" / "words" / "en.json").read_text("utf-8"))["checks"]
NAMES = list(exercises())


def wrong_answers(name: str) -> list[tuple[str, str]]:
    """The typical wrong answers to an exercise: the hint that each must get, and its source."""
    file = f"tests/exercises/wrong_answers/chapter{exercises()[name].chapter:02}.py"
    assert name in WRONG, f"add three wrong answers to {name!r}, each with its hint, to {file}"
    return WRONG[name]


def hints(name: str) -> dict[str, str]:
    """The words of an exercise's hints."""
    assert name in HINTS, f"add checks.{name} to contextbook/words/en.json: passed, and the hints"
    return HINTS[name]


def test_the_chapters_and_the_package_hold_the_same_exercises() -> None:
    assert {name: entry.chapter for name, entry in exercises().items()} == {
        task.name: sheet.front.number for sheet in sheets() for task in sheet.tasks
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_untouched_stub_is_not_attempted(name: str) -> None:
    stub = namespace_before(name)[tasks()[name].function]
    verdict = exercises()[name](stub)
    assert verdict.kind == "not_attempted"
    assert not verdict.passed
    assert repr(verdict).startswith("○ Not attempted yet. Write the body of")


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_passes(name: str) -> None:
    names = namespace_before(name)
    exec(tasks()[name].solution, names)
    verdict = exercises()[name](names[tasks()[name].function])
    assert verdict.passed, verdict
    assert repr(verdict).startswith("✓ Right. ")
    assert len(verdict.hint) > 40, "praise gives a reason"


@pytest.mark.parametrize("name", NAMES)
def test_there_are_three_typical_wrong_answers_or_more(name: str) -> None:
    kinds = {kind for kind, _ in wrong_answers(name)}
    assert len(kinds) >= 3, f"{name} has {len(kinds)}: an exercise has three or more"


@pytest.mark.parametrize(
    ("name", "kind", "source"),
    [
        pytest.param(name, kind, source, id=f"{name}-{kind}")
        for name, answers in WRONG.items()
        for kind, source in answers
    ],
)
def test_a_wrong_answer_gets_its_hint(name: str, kind: str, source: str) -> None:
    names = namespace_before(name)
    exec(source, names)
    verdict = getattr(check, name)(names[tasks()[name].function])
    assert verdict.kind == kind, verdict
    assert not verdict.passed
    assert repr(verdict).startswith("✗ Not yet. ")
    assert not re.search(r"\{\w*\}", verdict.hint), "a placeholder was not filled in"
    assert "``" not in verdict.hint, "a placeholder was filled with nothing"


@pytest.mark.parametrize("name", NAMES)
def test_every_hint_is_given_to_some_wrong_answer(name: str) -> None:
    """A hint that nobody can get is a dead word, and one without words is a crash."""
    tried = {kind for kind, _ in wrong_answers(name)}
    assert hints(name).keys() - {"passed"} <= tried
    assert tried <= hints(name).keys() | HINTS["common"].keys()


@pytest.mark.parametrize("name", NAMES)
def test_every_hint_that_the_code_can_give_has_words(name: str) -> None:
    entry = exercises()[name]
    known = hints(name).keys() | HINTS["common"].keys()
    assert entry.errors.keys() <= known
    assert kinds_in(inspect.getsource(entry.tests)) <= known


def test_the_hints_of_helpers_have_words_too() -> None:
    for module in {inspect.getmodule(entry.tests) for entry in exercises().values()}:
        assert module is not None
        tables = [hints(name) for name in NAMES if hasattr(module, name)]
        known = set().union(HINTS["common"], *tables)
        assert kinds_in(inspect.getsource(module)) <= known


def kinds_in(source: str) -> set[str]:
    """The kinds of hints that are written out in a source."""
    kinds = set()
    for node in ast.walk(ast.parse(source)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id == "Hint":
            kinds |= {a.value for a in node.args if isinstance(a, ast.Constant)}
        elif isinstance(called, ast.Name) and called.id == "recognise":
            table = node.args[2]
            assert isinstance(table, ast.Dict), "write the mistakes into the call"
            kinds |= {key.value for key in table.keys if isinstance(key, ast.Constant)}
    return kinds


def test_an_unknown_exercise_names_the_nearest_and_the_way_to_add_one() -> None:
    message = r"no exercise 'soft_lookups': did you mean soft_lookup( or \w+)*\? To add one"
    with pytest.raises(AttributeError, match=message):
        _ = check.soft_lookups
    message = r"'zzz': dir\(check\) lists .* function zzz in contextbook/exercises/chapterNN\.py"
    with pytest.raises(AttributeError, match=message):
        _ = check.zzz
    assert dir(check) == sorted(NAMES)


def test_verdicts_are_the_same_at_every_run() -> None:
    names = namespace_before("self_attention")
    exec(dict(WRONG["self_attention"])["different"], names)
    one, two = (check.self_attention(names["self_attention"]) for _ in range(2))
    assert repr(one) == repr(two)
    assert one._repr_html_() == two._repr_html_()


def test_asking_for_checks_without_running_one_is_cheap() -> None:
    import subprocess

    code = "import sys, contextbook.exercises; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
