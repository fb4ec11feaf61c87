"""The examples that the gate bench's JavaScript is held to are those that PyTorch makes."""

import json

import pytest
from gate_bench_examples import PATH, examples

from contextbook.widgets import GateBench


def test_the_examples_are_what_pytorch_makes():
    stored, fresh = json.loads(PATH.read_text(encoding="utf-8")), examples()
    assert len(stored) == len(fresh) >= 4
    for old, new in zip(stored, fresh, strict=True):
        assert old.keys() == new.keys()
        for name, row in new.items():
            assert old[name] == pytest.approx(row, abs=1e-9), (
                "run: python tests/javascript/gate_bench_examples.py"
            )


@pytest.mark.parametrize("example", examples())
def test_the_bench_in_python_agrees(example):
    rows = ("candidate", "input_gate", "forget_gate", "output_gate")
    bench = GateBench(**{name: example[name] for name in rows})
    assert bench.cell == pytest.approx(example["cell"], abs=1e-9)
    assert bench.hidden == pytest.approx(example["hidden"], abs=1e-9)
