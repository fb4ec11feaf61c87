"""The Python side of the gate bench: what it holds, computes, refuses and sends."""

import pytest

from contextbook.widgets import GateBench

ROWS = ("candidate", "input_gate", "forget_gate", "output_gate")


@pytest.fixture
def bench() -> GateBench:
    return GateBench([0.5, -0.5, 1.0], input_gate=[1, 0, 1], forget_gate=0.5)


def test_it_takes_the_steps_of_an_lstm(bench):
    assert bench.cell == pytest.approx([0.5, 0.25, 1.125])
    assert bench.hidden == pytest.approx([0.4621, 0.2449, 0.8093], abs=1e-4)
    assert bench.output_gate == [1, 1, 1]
    assert repr(bench) == "GateBench(3 steps)"


def test_the_presets_do_what_they_say():
    bench = GateBench()
    assert [preset["label"] for preset in bench.presets] == [
        *("Keep", "Forget", "Count", "Bias 1", "Bias 3"),
    ]
    last = {}
    for preset in bench.presets:
        bench.update(**{name: preset[name] for name in ROWS})
        last[preset["label"]] = bench.cell[-1]
    assert last["Keep"] == bench.example["candidate"][0] == 0.8
    assert last["Forget"] == bench.example["candidate"][6] == -0.6
    assert last["Count"] == 8
    assert last["Bias 1"] == pytest.approx(0.8 * 0.73**11)
    assert last["Bias 3"] == pytest.approx(0.8 * 0.95**11)


def test_cell_and_hidden_follow_and_are_told_together(bench):
    told = []
    bench.observe(lambda _: told.append((bench.cell[0], bench.hidden[0])), "cell")
    bench.candidate = [0.0, 0.0, 1.0]
    assert bench.cell == [0, 0, 1]
    assert told == [(0, 0)]


def test_reset_brings_the_example_back(bench):
    bench.update(candidate=[1.0, 1.0], input_gate=[1, 1], forget_gate=[1, 1], output_gate=[0, 0])
    assert (bench.cell, bench.hidden) == ([1, 2], [0, 0])
    bench.reset()
    assert bench.cell == pytest.approx([0.5, 0.25, 1.125])
    with pytest.raises(ValueError, match="update knows candidate, input_gate"):
        bench.update(gate=1)


def test_what_the_page_sends_arrives(bench):
    bench.set_state({"forget_gate": [1, 1, 0], "step": 3, "every": False})
    assert bench.cell == pytest.approx([0.5, 0.5, 1.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidate": [0.5, 1.5]}, "between -1 and 1"),
        ({"candidate": [0.5]}, "2 to 24 steps, got 1"),
        ({"candidate": [0.5] * 25}, "2 to 24 steps, got 25"),
        ({"candidate": [0.5, float("nan")]}, "finite numbers"),
        ({"candidate": [0.5, 0.5], "forget_gate": [0.5, -0.1]}, "forget_gate must lie between 0"),
        ({"candidate": [0.5, 0.5], "input_gate": [1, 1, 1]}, "equally long"),
        ({"candidate": [0.5, 0.5], "step": 3}, "step must lie between 1 and 2, got 3"),
        ({"candidate": [0.5, 0.5], "step": 0}, "step must lie between 1 and 2, got 0"),
        ({"presets": {}}, "needs a candidate for each step, or a preset"),
        ({"presets": {" ": {"candidate": [0, 0]}}}, "a label must have"),
        ({"presets": {"a": {"gate": 1}}}, "needs a candidate and may set"),
        ({"presets": {"a": {"candidate": [0, 0], "forget_gate": 2}}}, "between 0 and 1, got 2"),
        ({"presets": {"a": {"candidate": [0, 0], "forget_gate": [1]}}}, "equally long"),
        ({"presets": {str(i): {"candidate": [0, 0]} for i in range(9)}}, "up to 8 presets, got 9"),
    ],
)
def test_what_cannot_be_shown_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        GateBench(**options)


def test_a_refused_row_changes_nothing(bench):
    with pytest.raises(ValueError, match="between 0 and 1"):
        bench.output_gate = [0, 0, -0.1]
    assert bench.output_gate == [1, 1, 1]
    with pytest.raises(ValueError, match="equally long"):
        bench.candidate = [0.0, 0.0]
    assert len(bench.candidate) == 3
