"""The referee of BPE: the book's own passes, and each typical edit gets a hint of its own."""

import inspect
import json
import re
import sys
from pathlib import Path

import pytest

import contextbook
from contextbook.referees.text import check_bpe
from contextbook.text import ByteLevelBPE, bpe, learn_merges, learn_merges_naive, merges

WORDS = Path(contextbook.__file__).parent / "words" / "en.json"
HINTS = json.loads(WORDS.read_text("utf-8"))["checks"]["bpe_referee"]
LEARNING, USING = inspect.getsource(merges), inspect.getsource(bpe)

KEY = "key=lambda pair: (-pairs[pair], pair)"
END = "return learned\n\n\ndef learn_merges("
LEARN_EDITS = [
    ("pieces_counted_once", "pairs[pair] += counts[piece]", "pairs[pair] += 1"),
    ("tie", KEY, "key=lambda pair: (-pairs[pair], -pair[0])"),
    ("too_few", KEY, "key=lambda pair: (pairs[pair], pair)"),
    ("other_merge", KEY, "key=lambda pair: (pairs[pair] % 7, pair)"),
    ("too_few", "pairs[best] < min_count", "pairs[best] < min_count + 1"),
    ("too_many", "pairs[best] < min_count", "pairs[best] < 1"),
    ("limit", "while len(learned) < merges:", "while True:"),
    (
        "no_merges",
        "    return learned\n\n\ndef learn_merges(",
        "    return len(learned)\n\n\ndef learn_merges(",
    ),
    ("no_pair", "learned.append(best)", "learned.append(new_id)"),
    ("not_attempted", END, END.replace("learned", "...")),
    ("raised", "counts[piece]\n", "counts[pair]['x']\n"),
]
USE_EDITS = [
    ("other_cut", "new_ids.get(pair, math.inf)", "-new_ids.get(pair, -math.inf)"),
    ("lost", "byte_ids(piece)", "byte_ids(piece.lower())"),
    ("not_decoded", "return check_decodable(joined, errors)", "return joined.decode('latin-1')"),
    ("no_method", "def decode(", "def decoded("),
    ("raised", "joined = b", "joined = ''"),
]


def edited(source: str, old: str, new: str) -> dict:
    assert old in source, f"the definition no longer holds {old!r}"
    names: dict = {"__name__": "edited"}
    exec(source.replace(old, new), names)
    return names


@pytest.mark.parametrize("learn", [learn_merges_naive, learn_merges])
def test_the_books_own_passes_and_says_on_what(learn) -> None:
    verdict = check_bpe(learn, ByteLevelBPE)
    assert verdict.passed, verdict
    assert re.search(r"same \d\d merges .* ids for 9 texts", verdict.hint)
    assert repr(verdict) == repr(check_bpe(learn, ByteLevelBPE))


@pytest.mark.parametrize(("kind", "old", "new"), LEARN_EDITS)
def test_an_edit_of_learning_gets_its_hint(kind, old, new) -> None:
    verdict = check_bpe(edited(LEARNING, old, new)["learn_merges_naive"], ByteLevelBPE)
    assert verdict.kind == kind, verdict
    assert "{" not in verdict.hint


@pytest.mark.parametrize(("kind", "old", "new"), USE_EDITS)
def test_an_edit_of_the_tokenizer_gets_its_hint(kind, old, new) -> None:
    verdict = check_bpe(learn_merges, edited(USING, old, new)["ByteLevelBPE"])
    assert verdict.kind == kind, verdict
    assert "{" not in verdict.hint


def test_every_hint_is_given_to_some_edit() -> None:
    tried = {kind for kind, _, _ in LEARN_EDITS + USE_EDITS}
    assert HINTS.keys() - {"passed"} <= tried


def test_without_the_referee_it_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ImportError, match="pip install tokenizers"):
        check_bpe(learn_merges, ByteLevelBPE)
