"""The examples that the JavaScript of positions is held to are the Transformer's own."""

import json

import pytest
from positions_view_examples import PATH, examples


def test_the_examples_are_what_the_transformer_adds():
    stored, fresh = json.loads(PATH.read_text(encoding="utf-8")), examples()
    assert len(stored) == len(fresh) >= 4
    for old, new in zip(stored, fresh, strict=True):
        assert old.keys() == new.keys()
        for name, value in new.items():
            assert old[name] == pytest.approx(value, abs=1e-5), (
                "run: python tests/javascript/positions_view_examples.py"
            )
