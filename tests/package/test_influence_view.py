"""The influence view in Python: what it sends, what it refuses.

``python tests/package/test_influence_view.py`` writes anew the examples that the figure's
JavaScript is tested on.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from contextbook.datasets import running_sentence
from contextbook.datasets.roles import ROLE_WORDS, ROLES
from contextbook.experiments.chapter04 import READERS, Tagger, roles_reader
from contextbook.probes import influence
from contextbook.recurrent import LSTMCell, RNNCell, Unrolled
from contextbook.widgets import InfluenceView

EXAMPLES = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "influence-view.json"
WORDS = [("犬", "inu", "dog"), ("が", "ga", "(subject)"), ("歩い", "arui", "walk")]
TRAITS = ("vocabulary", "readings", "glosses", "names", "networks", "classes", "sentence")


def tagger(kind: str, words: int = 3, classes: int = 2, seed: int = 0) -> Tagger:
    """A model in double precision; its weights have few digits, and travel without a loss."""
    torch.manual_seed(seed)
    reader, features = roles_reader(kind)
    model = Tagger(words + 1, 8, reader, features, classes).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.round(parameter, decimals=3))
    return model


def view(**changes: Any) -> InfluenceView:
    arguments: dict[str, Any] = {
        "models": {"ahead": tagger("one_way"), "both": tagger("both_ways")},
        "words": WORDS,
        "sentence": ["犬", "が", "歩い", "が"],
        "classes": ["yes", "no"],
    }
    return InfluenceView(**{**arguments, **changes})


def examples() -> list[dict[str, Any]]:
    """Influence and answers of each kind of network, by autograd."""
    cases = []
    for seed, kind in enumerate(READERS):
        model = tagger(kind, seed=seed)
        figure = view(models={kind: model}, sentence=["が", "犬", "犬", "歩い", "が"])
        inputs = model.embedding(torch.tensor(figure.sentence) + 1)
        features, _ = model.reader(inputs[None])
        cases.append(
            {
                "network": figure.networks[0],
                "sentence": figure.sentence,
                "influence": influence(model.reader, inputs).tolist(),
                "answers": torch.softmax(model.to_class(features[0]), -1).tolist(),
            }
        )
    return cases


def test_examples_of_the_javascript_are_current() -> None:
    stored, made = json.loads(EXAMPLES.read_text("utf8")), examples()
    assert len(stored) == len(made) == 4
    for old, new in zip(stored, made, strict=True):
        assert old["sentence"] == new["sentence"]
        assert json.dumps(old["network"]) == json.dumps(new["network"])
        for name in ("influence", "answers"):
            np.testing.assert_allclose(old[name], new[name], atol=1e-9)


def test_depth_does_not_reach_ahead() -> None:
    for case in examples():
        ahead = np.triu(case["influence"], 1)
        both_ways = len(case["network"]["layers"][0]) == 2
        assert np.count_nonzero(ahead) == (10 if both_ways else 0)


def test_the_running_sentence_and_what_the_page_gets() -> None:
    words = [word.text for word in running_sentence()]
    models = {kind: tagger(kind, len(ROLE_WORDS), len(ROLES)) for kind in READERS}
    figure = InfluenceView(models, ROLE_WORDS, words, ROLES, focus=6)
    assert repr(figure) == "InfluenceView(13 words, 4 networks)"
    state = figure.get_state()
    assert state["figure"] == "influence-view"
    assert [state["vocabulary"][i] for i in state["sentence"]] == words
    assert state["names"] == list(READERS)
    assert [len(network["layers"]) for network in state["networks"]] == [1, 1, 2, 2]
    backwards = [reader["backwards"] for reader in state["networks"][1]["layers"][0]]
    assert backwards == [False, True]
    assert state["example"] == {"sentence": state["sentence"], "network": 0, "focus": 6}
    text = json.dumps({name: state[name] for name in TRAITS}, allow_nan=False)
    assert len(text) < 40_000
    assert 400 < state["height"] < 700 < state["height_narrow"] < 1000


def test_weights_have_few_digits_and_both_biases_are_one() -> None:
    model = tagger("one_way")
    with torch.no_grad():
        model.reader.cell.weight_ih[0, 0] = 1 / 3
    (network,) = view(models={"one": model}).networks
    (reader,) = network["layers"][0]
    assert reader["weight_ih"][0][0] == 0.33333
    cell = model.reader.cell
    np.testing.assert_allclose(reader["bias"], (cell.bias_ih + cell.bias_hh).tolist(), atol=1e-6)
    assert len(network["embedding"]) == 3  # without the filler
    assert network["embedding"][0] == model.embedding.weight[1].tolist()


def test_reset_brings_back_what_the_figure_was_made_with() -> None:
    figure = view(focus=1)
    figure.sentence, figure.network, figure.focus = [2, 2, 2, 2], 1, 3
    figure.reset()
    assert (figure.sentence, figure.network, figure.focus) == ([0, 1, 2, 1], 0, 1)


def lstm_tagger() -> Tagger:
    return Tagger(4, 8, Unrolled(LSTMCell(8, 4)), 4, 2)


def relu_tagger() -> Tagger:
    return Tagger(4, 8, Unrolled(RNNCell(8, 4, activation=torch.relu)), 4, 2)


def endless_tagger() -> Tagger:
    model = tagger("one_way")
    with torch.no_grad():
        model.to_class.bias[0] = torch.inf
    return model


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"models": {}}, "at least one model"),
        ({"words": []}, "1 to 60 words, got 0"),
        ({"sentence": []}, "1 to 20 words, got 0"),
        ({"sentence": ["犬"] * 21}, "1 to 20 words, got 21"),
        ({"sentence": ["犬", "dog"]}, r"unknown words \['dog'\]"),
        ({"focus": 4}, "focus must lie between 0 and 3, got 4"),
        ({"models": {"x": nn.Linear(2, 2)}}, "'x' has no embedding"),
        ({"models": {"x": tagger("one_way", words=4)}}, "vectors for 4 words.*there are 3"),
        ({"models": {"x": tagger("one_way", classes=3)}}, "3 classes apart.*2 names"),
        ({"models": {"x": Tagger(4, 8, nn.Linear(8, 8), 8, 2)}}, "layer Linear"),
        ({"models": {"x": lstm_tagger()}}, "cells with tanh"),
        ({"models": {"x": relu_tagger()}}, "cells with tanh"),
        ({"models": {"x": endless_tagger()}}, "finite, got inf"),
        ({"models": {"x": Tagger(4, 8, Unrolled(RNNCell(8, 65)), 65, 2)}}, "64 units here, got 65"),
    ],
)
def test_bad_input_is_refused_by_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        view(**changes)


def test_a_refused_change_leaves_the_figure_as_it_was() -> None:
    figure = view()
    for name, value in (
        ("focus", 4),
        ("network", 2),
        ("sentence", [0, 1]),
        ("sentence", [0, 1, 2, 3]),
    ):
        with pytest.raises(ValueError, match=name):
            setattr(figure, name, value)
    assert (figure.sentence, figure.network, figure.focus) == ([0, 1, 2, 1], 0, 0)
    with pytest.raises(Exception, match="read-only"):
        figure.networks = []


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in examples())
    EXAMPLES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
