"""The examples that the cost bench's JavaScript is held to are Python's own counts."""

import json

from cost_bench_examples import PATH, examples


def test_the_examples_are_what_python_counts():
    assert json.loads(PATH.read_text(encoding="utf-8")) == examples(), (
        "run: python tests/javascript/cost_bench_examples.py"
    )
