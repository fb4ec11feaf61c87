"""The examples that the gradient bench's JavaScript is held to are those that Python makes."""

import json
from typing import Any

import pytest
from recurrent_examples import PATH, examples


def close(old: Any, new: Any) -> bool:
    """Whether two trees of lists, dicts and numbers agree to seven digits."""
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(close(old[key], new[key]) for key in old)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(close, old, new))
    if isinstance(old, float):
        return bool(new == pytest.approx(old, rel=1e-6, abs=1e-9))
    return bool(old == new)


def test_the_examples_are_what_python_makes():
    stored, fresh = json.loads(PATH.read_text(encoding="utf-8")), examples()
    assert len(stored["gradients"]) >= 4
    assert len(stored["bench"]["curves"]) >= 6
    assert close(stored, fresh), "run: python tests/javascript/recurrent_examples.py"
    assert not close(stored, {**fresh, "gradients": fresh["gradients"][::-1]})
