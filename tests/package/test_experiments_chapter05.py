"""What chapter 5 claims, held to every run of the record, and what its experiments refuse."""

import pytest
import torch

from contextbook.experiments import load_record
from contextbook.experiments.chapter05 import (
    INPUT_SIZES,
    RecallNet,
    half_distance,
    recall_rnn,
    untrained,
    untrained_curve,
)
from contextbook.recurrent import RNNCell, Unrolled

DISTANCES = load_record("gradient-over-distance")
RECALL = load_record("recall")
CHANCE = 1 / 8


def at(distance: int, kind: str) -> list[float]:
    """One number for each of five or more seeds."""
    runs = DISTANCES.values(f"d{distance}", kind=kind)
    assert len(runs) >= 5
    return runs


def right(weights: str, input_size: float, distance: int, steps: int = 400) -> list[float]:
    setting = {"weights": weights, "input_size": input_size}
    runs = RECALL.values("accuracy", **setting, distance=distance, steps=steps)
    assert len(runs) >= 5
    return runs


def test_a_radius_below_one_vanishes_and_more_than_the_matrix_alone():
    assert max(at(100, "radius 0.9")) < 1e-9
    assert max(at(100, "radius 0.9")) < 0.9**100 / 1000


def test_the_usual_start_loses_more_than_half_at_every_step():
    assert max(at(1, "usual start")) < 0.5
    assert max(at(40, "usual start")) < 1e-13


def test_a_radius_of_two_explodes_with_quiet_inputs():
    assert min(at(100, "radius 2.0")) > 100
    assert min(at(50, "radius 2.0")) > 2


def test_an_orthogonal_matrix_keeps_more_than_two_thirds():
    assert min(at(100, "orthogonal")) > 2 / 3
    assert max(at(100, "orthogonal")) < 1


def test_a_forget_bias_of_one_vanishes_and_three_keeps():
    assert max(at(100, "forget bias 0")) < 1e-20
    assert max(at(100, "forget bias 1")) < 1e-8
    assert min(at(100, "forget bias 3")) > 0.1


def test_attention_is_level_and_small():
    assert max(DISTANCES.values("spread", kind="attention")) < 2
    assert max(DISTANCES.values("size", kind="attention")) < 0.05
    assert min(DISTANCES.values("size", kind="orthogonal")) > 4
    # with a way of its own, the token itself outshines all others
    assert max(at(1, "attention + input")) < 0.01
    assert max(DISTANCES.values("spread", kind="attention + input")) < 2


def test_recall_is_learned_across_five_symbols_and_not_across_thirty():
    assert min(right("usual", 1.0, 5)) >= 0.95
    assert max(right("usual", 1.0, 30)) <= 0.25
    assert max(right("usual", 1.0, 30, steps=2000)) <= 0.25


def test_it_takes_orthogonal_weights_and_quiet_inputs_both():
    assert min(right("orthogonal", 0.1, 30)) >= 0.95
    assert max(right("orthogonal", 1.0, 30)) <= 0.25
    assert sum(run >= 0.95 for run in right("usual", 0.1, 30)) == 2


def test_the_record_holds_what_the_chapter_computes():
    for kind in ("radius 0.9", "orthogonal"):
        curve = untrained_curve(kind, seed=0)
        for distance in (10, 100):
            assert curve[distance] == pytest.approx(at(distance, kind)[0], rel=0.01)


def test_an_edited_cell_is_what_is_measured_and_trained():
    class Deaf(RNNCell):
        def forward(self, inputs: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
            return super().forward(inputs, 0 * hidden)

    assert untrained_curve("radius 0.9", 0, rnn_cell=Deaf)[1] == 0
    assert isinstance(recall_rnn("usual", 1.0, Deaf).layer.cell, Deaf)


def test_recall_net_gives_a_logit_for_each_symbol_and_starts_as_quiet_as_asked():
    model = recall_rnn("orthogonal", 0.1)
    assert model(torch.zeros(3, 7, dtype=torch.long)).shape == (3, 8)
    assert 0.08 < model.symbols.weight.std() < 0.12
    weight = model.layer.cell.weight_hh.double()
    assert torch.allclose(weight @ weight.T, torch.eye(64, dtype=torch.float64), atol=1e-5)


def test_half_distance():
    assert half_distance([2.0, 1.5, 0.9, 3.0]) == 2
    assert half_distance([1.0, 0.5]) == 2


@pytest.mark.parametrize("kind", INPUT_SIZES)
def test_every_kind_gives_an_output_for_each_step(kind):
    layer = untrained(kind, torch.Generator().manual_seed(0))
    dtype = torch.float64 if kind.startswith("attention") else torch.float32
    answer = layer(torch.randn(2, 5, 64, dtype=dtype))
    outputs = answer[0] if isinstance(answer, tuple) else answer
    assert outputs.shape == (2, 5, 64)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="kind must be one of radius"):
        untrained("radius", torch.Generator())
    with pytest.raises(ValueError, match="'usual' or 'orthogonal', got 'diagonal'"):
        recall_rnn("diagonal", 1.0)
    assert RecallNet(Unrolled(RNNCell(32, 64)))  # a layer made elsewhere will do
