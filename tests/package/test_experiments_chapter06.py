"""What chapter 6 claims, on every seed of the record."""

import pytest
import torch
from torch import nn

from contextbook.attention import scaled_dot_product_attention
from contextbook.experiments import load_record
from contextbook.experiments.chapter05 import RecallNet
from contextbook.experiments.chapter06 import (
    HIDDEN,
    CellPathOnly,
    LookBack,
    make_layer,
    noise,
    set_update_bias,
)
from contextbook.probes import gradient_by_distance, kept_by_forget_gates
from contextbook.recurrent import GRUCell, LSTMCell, Unrolled, set_forget_bias

RECALL = load_record("recall-by-distance")
BIAS = load_record("forget-bias")


def right(model: str, distance: int) -> list[float]:
    values = RECALL.values("accuracy", model=model, distance=distance)
    assert len(values) >= 5
    return values


def left(measure: str, bias: int) -> list[float]:
    values = BIAS.values(measure, bias=bias)
    assert len(values) >= 5
    return values


def test_all_recall_five_symbols():
    for model in ("rnn", "lstm-3", "attention"):
        assert min(right(model, 5)) >= 0.95


def test_the_lstm_recalls_what_the_rnn_does_not_and_fails_at_200():
    for distance in (30, 60):
        assert max(right("rnn", distance)) <= 0.25
        assert min(right("lstm-3", distance)) >= 0.95
    assert max(right("lstm-3", 200)) <= 0.25


def test_loud_inputs_are_too_much_for_an_orthogonal_rnn_but_not_for_the_lstm():
    setting = {"weights": "orthogonal", "input_size": 1.0, "distance": 30, "steps": 400}
    assert max(load_record("recall").values("accuracy", **setting)) <= 0.25
    assert min(right("lstm-3", 30)) >= 0.95


def test_attention_recalls_at_every_distance():
    for distance in (5, 30, 60, 200):
        assert min(right("attention", distance)) >= 0.95


def test_it_is_the_start_that_decides():
    assert max(right("lstm-1", 30)) <= 0.25
    assert max(right("gru", 30)) <= 0.25
    assert min(right("gru-3", 30)) >= 0.95


def test_the_usual_bias_of_one_still_vanishes():
    assert max(left("gradient_100", 0)) < 1e-20
    assert max(left("gradient_100", 1)) < 1e-8
    assert min(left("gradient_10", 1)) > 0.05
    assert min(left("gradient_100", 3)) > 0.1


def test_the_cell_alone_does_most_over_ten_steps_and_little_over_a_hundred():
    for distance, low, high in ((10, 0.5, 1.0), (100, 0.0, 1 / 30)):
        ways = (left(f"{name}_{distance}", 3) for name in ("path", "gradient"))
        assert all(low < path / whole < high for path, whole in zip(*ways, strict=True))
    assert 0.0025 < min(left("path_100", 3)) <= max(left("path_100", 3)) < 0.004
    assert 0.004 < min(left("gates_100", 3)) <= max(left("gates_100", 3)) < 0.006


def test_cutting_the_gates_changes_no_output_and_leaves_the_product_of_the_forget_gates():
    generator, vectors = noise(0)
    lstm = set_forget_bias(LSTMCell(HIDDEN, HIDDEN, generator=generator), 3)
    cut = CellPathOnly(HIDDEN, HIDDEN)
    cut.load_state_dict(lstm.state_dict())
    assert torch.equal(Unrolled(cut)(vectors)[0], Unrolled(lstm)(vectors)[0])
    _, path = gradient_by_distance(Unrolled(cut), vectors)
    _, gates = kept_by_forget_gates(lstm, vectors)
    # both fade alike: from step to step the path multiplies by the forget gates
    assert (path[100] / path[50]).item() == pytest.approx((gates[100] / gates[50]).item(), rel=0.3)


def test_one_look_back_is_smaller_than_an_lstm():
    def weights(layer: nn.Module) -> int:
        return sum(parameter.numel() for parameter in layer.parameters())

    look, lstm = (make_layer(name, torch.Generator()) for name in ("attention", "lstm-3"))
    assert weights(look) < weights(lstm)


def test_the_last_token_looks_at_all_and_answers_once():
    look = LookBack(scaled_dot_product_attention, generator=torch.Generator().manual_seed(0))
    inputs = torch.randn(2, 7, RecallNet.width)
    answer, given = look(inputs)
    assert answer.shape == (2, 1, HIDDEN)
    assert given.shape == (2, 1, 7)
    swapped = look(inputs[:, [1, 0, 2, 3, 4, 5, 6]])[0]
    assert not torch.allclose(answer, swapped, atol=1e-4), "each place has a mark of its own"


def test_a_gru_that_begins_by_keeping():
    cell = set_update_bias(GRUCell(4, 8), 50.0)
    hidden = torch.randn(3, 8)
    assert torch.allclose(cell(torch.randn(3, 4), hidden), hidden, atol=1e-5)
