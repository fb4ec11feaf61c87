"""The examples that the word map's JavaScript is held to are those that Python makes."""

import json

import pytest
from word_map_examples import PATH, examples


def test_the_examples_are_what_python_makes():
    stored = json.loads(PATH.read_text(encoding="utf-8"))
    fresh = examples()
    assert len(stored) == len(fresh) >= 4
    for old, new in zip(stored, fresh, strict=True):
        assert {k: v for k, v in old.items() if k != "asks"} == {
            k: v for k, v in new.items() if k != "asks"
        }, "run: python tests/javascript/word_map_examples.py"
        for one, other in zip(old["asks"], new["asks"], strict=True):
            for name in ("state", "by_cosine", "by_product"):
                assert one[name] == other[name]
            for name in ("query", "at", "cosines", "products"):
                assert one[name] == pytest.approx(other[name], abs=1e-9)
