"""The Python side of the recurrent reader: what it reads, what it refuses, what it sends."""

import json

import numpy as np
import pytest
import torch
from torch import nn

from contextbook.embeddings import Embedding
from contextbook.readers import FromEachState
from contextbook.recurrent import RNNCell, Unrolled
from contextbook.widgets import RecurrentReader

WORDS = ["<pad>", "犬", "が", "本", "と", "。"]
TOKENS = ["犬", "が", "と", "。"]


def model(activation=torch.tanh) -> FromEachState:
    torch.manual_seed(0)
    cell = RNNCell(3, 4, activation=activation)
    return FromEachState(Embedding(6, 3), Unrolled(cell), nn.Linear(4, 6))


@pytest.fixture
def figure() -> RecurrentReader:
    return RecurrentReader.of(model(), WORDS, TOKENS, changes=[(0, "本")], step=1, end="。")


def weights(figure: RecurrentReader) -> dict[str, list]:
    names = ["embedding", "weight_ih", "weight_hh", "bias_ih", "bias_hh", "head", "head_bias"]
    return {name: getattr(figure, name) for name in names}


def test_it_reads_as_the_model_does(figure):
    network = model()
    ids = torch.tensor([[WORDS.index(token) for token in TOKENS]])
    with torch.no_grad():
        states, _ = network.layer(network.embedding(ids))
        expected = network(ids)[0].softmax(-1)
    assert np.array(figure.states) == pytest.approx(states[0].numpy(), abs=1e-3)  # rounded
    assert figure.expected == pytest.approx(expected[1].tolist(), abs=1e-3)
    assert sum(figure.expected) == pytest.approx(1)
    assert figure.moved == [0, 0, 0, 0]
    assert repr(figure) == "RecurrentReader(4 tokens, 4 units)"


def test_an_edit_moves_the_states_from_its_place_on(figure):
    figure.replace(1, "本")
    assert (figure.tokens, figure.step) == (["犬", "本", "と", "。"], 1)
    assert figure.moved[0] == 0
    assert min(figure.moved[1:]) > 0
    before = figure.expected
    figure.step = 3
    assert figure.expected != before
    figure.reset()
    assert (figure.tokens, figure.step, figure.moved) == (TOKENS, 1, [0, 0, 0, 0])


def test_saved_state_says_all_that_the_page_needs(figure):
    state = json.loads(json.dumps(figure.get_state()))
    assert state["figure"] == "recurrent-reader"
    assert state["example"] == {"tokens": TOKENS, "step": 1}
    assert state["changes"] == [[0, "本"]]
    assert state["names"][1] == ["inu", "dog"]
    assert state["names"][0] == ["", ""]
    assert state["names"][4] == ["to", "with / when"]
    assert "states" not in state
    assert all(round(x, 4) == x for row in state["weight_hh"] for x in row)


def test_an_edited_cell_is_refused_with_the_mend():
    with pytest.raises(ValueError, match=r"equation \(3.1\).*undo the edit"):
        RecurrentReader.of(model(activation=torch.relu), WORDS, TOKENS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": ["犬", "馬"]}, "'馬' is not in the vocabulary of 6 tokens"),
        ({"tokens": []}, "1 to 20 tokens, got 0"),
        ({"tokens": ["犬"] * 21}, "1 to 20 tokens, got 21"),
        ({"vocabulary": [*WORDS[:5], "犬"]}, "6, 5 of them different"),
        ({"vocabulary": [*WORDS, "馬"]}, r"embedding should have shape \(7, 3\), got \(6, 3\)"),
        ({"names": [("", "")]}, "a pair of names for each of 6 tokens, got 1"),
        ({"changes": [(9, "本")]}, "no place 9: the sentence has 4 tokens"),
        ({"changes": [(0, "馬")]}, "'馬' is not in the vocabulary"),
        ({"step": 4}, "between 0 and 3, got 4"),
        ({"weights": {}}, "the weights lack embedding, weight_ih"),
    ],
)
def test_bad_data_is_refused(figure, change, message):
    arguments = {"weights": weights(figure), "vocabulary": WORDS, "tokens": TOKENS} | change
    with pytest.raises(ValueError, match=message):
        RecurrentReader(**arguments)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("weight_hh", np.zeros((4, 3)), r"weight_hh should have shape \(4, 4\), got \(4, 3\)"),
        ("bias_ih", np.full(4, np.nan), "must hold finite numbers"),
        ("head", np.zeros((6, 5)), r"head should have shape \(6, 4\)"),
        ("weight_ih", "text", "must be numbers of shape"),
        ("weight_hh", np.zeros((33, 33)), "1 to 32 units, got 33"),
    ],
)
def test_bad_weights_are_refused(figure, name, value, message):
    with pytest.raises(ValueError, match=message):
        RecurrentReader(weights(figure) | {name: value}, WORDS, TOKENS)


def test_a_refused_change_leaves_the_figure_as_it_was(figure):
    for name, value, message in (
        ("tokens", ["犬"], "keeps its 4 tokens, so that states can be compared; got 1"),
        ("tokens", ["馬"] * 4, "'馬' is not in the vocabulary"),
        ("step", 7, "between 0 and 3, got 7"),
    ):
        before = getattr(figure, name)
        with pytest.raises(ValueError, match=message):
            setattr(figure, name, value)
        assert getattr(figure, name) == before
    with pytest.raises(ValueError, match="keeps its vocabulary"):
        figure.vocabulary = WORDS[::-1]
    with pytest.raises(ValueError, match="no place -1"):
        figure.replace(-1, "本")
