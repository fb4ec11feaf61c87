"""The examples that the recurrent reader's JavaScript is held to are those that Python makes."""

import json

import numpy as np
import pytest
from recurrent_reader_examples import PATH, examples


def test_the_examples_are_what_python_makes():
    stored = json.loads(PATH.read_text(encoding="utf-8"))
    fresh = examples()
    assert len(stored) == len(fresh) >= 3
    for old, new in zip(stored, fresh, strict=True):
        assert {k: v for k, v in old.items() if k != "readings"} == {
            k: v for k, v in new.items() if k != "readings"
        }, "run: python tests/javascript/recurrent_reader_examples.py"
        for one, other in zip(old["readings"], new["readings"], strict=True):
            assert one["tokens"] == other["tokens"]
            for name in ("states", "expected", "moved"):
                assert np.array(one[name]) == pytest.approx(np.array(other[name]), abs=1e-8)
