"""The tables of words: complete in every language, and every word that code asks for is there."""

import ast
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextbook import words as module
from contextbook.words import LANGUAGE_VARIABLE, MissingWordError, Phrase, Words, languages, words

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "contextbook" / "words"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of tables of its own, so that errors can be tried out."""
    english = {"plot": {"title": "{n} keys", "keys": "keys", "axis": {"x": "time"}}}
    (tmp_path / "en.json").write_text(json.dumps(english))
    (tmp_path / "ja.json").write_text(json.dumps({"plot": {"title": "鍵 {n} 個"}}))
    monkeypatch.setattr(module, "_FOLDER", tmp_path)
    monkeypatch.delenv(LANGUAGE_VARIABLE, raising=False)
    module._table.cache_clear()
    yield tmp_path
    module._table.cache_clear()


def test_a_word_is_a_string_by_attribute_and_by_item(table: Path) -> None:
    plot = words("plot")
    assert plot.keys == plot["keys"] == "keys"
    assert isinstance(plot.keys, str)
    assert plot.axis.x == "time"
    assert plot.title.format(n=4) == "4 keys"
    assert json.dumps(plot.keys) == '"keys"'
    assert list(plot) == ["title", "keys", "axis"]
    assert "axis" in plot
    assert "y" not in plot.axis
    assert len(plot.axis) == 1
    assert pickle.loads(pickle.dumps(plot.title)).format(n=1) == "1 keys"


def test_the_language_comes_from_the_environment_or_the_call(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert languages() == ["en", "ja"]
    assert words("plot", language="ja").title == "鍵 {n} 個"
    monkeypatch.setenv(LANGUAGE_VARIABLE, "ja")
    assert words("plot").title == "鍵 {n} 個"
    assert words("plot", language="en").title == "{n} keys"
    with pytest.raises(ValueError, match=r"no words for the language 'fr': there is en, ja"):
        words("plot", language="fr")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: words("plots"),
            r"words/en.json has no 'plots': did you mean plot\? "
            r"Else add plots to contextbook/words/en.json$",
        ),
        (lambda: words("plot").titel, r"words/en.json.plot has no 'titel': did you mean title\? "),
        (lambda: words("plot")["y"], r"no 'y': did you mean title or keys or axis\? "),
        (lambda: words("plot").axis.y, r"did you mean x\? Else add plot.axis.y to contextbook/wo"),
        (lambda: words("plot").title.format(), r"plot.title needs a value for \['n'\], got only"),
        (lambda: words("plot").title.format(m=1), r"value for \['n'\], got only \['m'\]"),
    ],
)
def test_what_is_missing_is_named(table: Path, ask, message: str) -> None:
    with pytest.raises(KeyError, match=message):
        ask()
    with pytest.raises(AttributeError):  # so that hasattr, copy and displays work as usual
        ask()


def test_placeholders_are_filled_by_name(table: Path) -> None:
    with pytest.raises(TypeError, match="by name"):
        words("plot").title.format(3)


def _leaves(table: dict, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, entry in table.items():
        if isinstance(entry, dict):
            yield from _leaves(entry, (*path, key))
        else:
            yield (*path, key), entry


@pytest.mark.parametrize("language", languages())
def test_each_language_has_the_keys_and_placeholders_of_english(language: str) -> None:
    english = dict(_leaves(json.loads((TABLES / "en.json").read_text("utf-8"))))
    other = dict(_leaves(json.loads((TABLES / f"{language}.json").read_text("utf-8"))))
    assert other.keys() == english.keys()
    for path, text in other.items():
        assert isinstance(text, str), f"{path}: words are strings"
        assert text.strip(), f"{path} is empty"
        assert Phrase(text, "").placeholders == Phrase(english[path], "").placeholders, path
        assert all(re.fullmatch(r"[a-z][A-Za-z0-9_]*", key) for key in path), f"{path}: not a name"


def _python_sources() -> Iterator[tuple[str, str]]:
    for folder in ("contextbook", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text("utf-8")
    for path in sorted((ROOT / "chapters_src").rglob("*.md")):
        cells = re.findall(
            r"^```\{code-cell\}[^\n]*\n(.*?)^```", path.read_text("utf-8"), re.M | re.S
        )
        code = [re.sub(r"^:[a-z-]+:.*\n", "", cell, flags=re.M) for cell in cells]
        yield str(path.relative_to(ROOT)), "\n".join(code)


def _section_of(node: ast.AST) -> str | None:
    """The section when the node is the call ``words("section")``."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "words"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ):
        return node.args[0].value
    return None


def missing_words(source: str, table: dict) -> list[str]:
    """What ``source`` asks of the table and does not get.

    A name bound once or more to ``words("section")`` stands for that section in its whole file.
    """
    tree = ast.parse(source)
    bound: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and (section := _section_of(node.value)):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    bound.setdefault(target.id, set()).add(section)
    missing = []
    for node in ast.walk(tree):
        if (section := _section_of(node)) and section not in table:
            missing.append(section)
        if isinstance(node, ast.Attribute):
            base, key = node.value, node.attr
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            base, key = node.value, node.slice.value
        else:
            continue
        direct = _section_of(base)
        sections = {direct} if direct else bound.get(getattr(base, "id", ""), set())
        if sections and not any(key in table.get(section, {}) for section in sections):
            missing.append(f"{'/'.join(sorted(sections))}.{key}")
    return missing


def test_the_search_for_missing_words_finds_them() -> None:
    table = {"plot": {"title": "a"}}
    source = 'w = words("plot")\nw.title, w["title"], w.alt, words("plot").x, words("other")'
    assert sorted(missing_words(source, table)) == ["other", "plot.alt", "plot.x"]


def test_every_word_that_python_asks_for_is_there() -> None:
    table = json.loads((TABLES / "en.json").read_text("utf-8"))
    missing = {name: missing_words(source, table) for name, source in _python_sources()}
    assert {name: keys for name, keys in missing.items() if keys} == {}


def test_every_section_that_javascript_imports_is_there() -> None:
    table = json.loads((TABLES / "en.json").read_text("utf-8"))
    for path in sorted((ROOT / "widgets" / "src").rglob("*.js")):
        for names in re.findall(
            r"import\s*\{([^}]*)\}\s*from\s*['\"][^'\"]*words/en\.json", path.read_text("utf-8")
        ):
            sections = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
            assert sections <= table.keys(), f"{path.name} imports {sections - table.keys()}"


def test_words_shows_its_place(table: Path) -> None:
    assert repr(words("plot").axis) == "Words(words/en.json.plot.axis)"
    assert isinstance(words("plot").axis, Words)
    assert issubclass(MissingWordError, KeyError)
