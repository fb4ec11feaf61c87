"""What chapter 12 claims, on the record of all seeds."""

import pytest

from contextbook.costs import convolution_layers
from contextbook.experiments import all_experiments, is_current, load_record
from contextbook.experiments.chapter12 import STACKS

NAMES = ("recall-by-convolution", "recall-elsewhere", "map-and-ablation", "foresee-or-fill")
GUESSING = 1 / 8


@pytest.mark.parametrize("name", NAMES)
def test_the_record_is_what_the_code_makes(name: str) -> None:
    experiment = all_experiments()[name]
    assert is_current(experiment)
    assert len(experiment.seeds) == 5


@pytest.mark.parametrize(
    ("distance", "layers", "dilated"),
    [(distance, *stack) for distance, stacks in STACKS.items() for stack in stacks],
)
def test_out_of_reach_a_convolution_guesses(distance: int, layers: int, dilated: bool) -> None:
    runs = load_record("recall-by-convolution").values(
        "accuracy", distance=distance, layers=layers, dilated=dilated
    )
    needed = convolution_layers(distance + 1, dilated=dilated)
    if layers < needed:
        assert max(runs) < GUESSING + 0.05
    elif dilated or distance == 5:
        assert min(runs) > 0.95
    else:  # five plain layers reach across nine, and none of these learns it
        assert max(runs) < GUESSING + 0.05


def test_attention_recalls_where_a_recurrent_net_guesses() -> None:
    record = load_record("recall-by-distance")
    assert min(record.values("accuracy", model="attention", distance=30)) > 0.95
    assert max(record.values("accuracy", model="rnn", distance=30)) < GUESSING + 0.05


def test_a_convolution_knows_one_distance_and_attention_looks_for_a_symbol() -> None:
    record = load_record("recall-elsewhere")
    for model in ("convolution", "attention"):
        assert min(record.values("across_5", model=model)) > 0.99
    for other in ("across_3", "across_4"):
        guesses = record.values(other, model="convolution")
        finds = record.values(other, model="attention")
        assert max(guesses) < GUESSING + 0.1
        assert min(finds) > 0.6
    assert min(record.values("across_6", model="attention")) < 0.5  # it knows places as well


def test_what_the_map_shows_is_not_what_the_answer_needs() -> None:
    record = load_record("map-and-ablation")
    assert min(record.values("right")) > 0.99
    assert min(record.values("turned")) > 0.99  # everything hangs on the cue
    for layer in (2, 3):
        assert min(record.values(f"largest_{layer}")) > 0.9
        assert min(record.values(f"right_without_{layer}")) > 0.99
    first = record.values("right_without_1")
    assert min(first) < 0.6
    assert max(first) > 0.99
    everywhere = record.values("right_without_all")
    assert max(everywhere) < 0.8
    assert max(everywhere) > 0.55  # the others tell what the cue was


def test_both_sides_help_to_fill_a_gap() -> None:
    record = load_record("foresee-or-fill")
    left, both = (record.values("right", causal=causal) for causal in (True, False))
    assert min(both) > max(left) + 0.05
    assert min(left) > 0.5
