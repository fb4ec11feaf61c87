"""The attention view in Python: what it computes, what it refuses, what it shares with the page.

``python tests/package/test_attention_view.py`` writes anew the examples that the figure's
JavaScript is tested on.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from contextbook.attention import causal_mask
from contextbook.datasets import running_sentence
from contextbook.widgets import AttentionView

EXAMPLES = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "attention-view.json"
TEMPERATURES = (0.0, 0.05, 0.5, 1.0, 4.0)
TOKENS = ["a", "b", "c"]
SCORES = [[0.0, 1.0, 2.0], [2.0, 0.0, 0.0], [1.0, 1.0, -1.0]]


def reference(scores: torch.Tensor, causal: bool, temperature: float) -> torch.Tensor:
    """Weights by torch.softmax alone."""
    if causal:
        scores = scores.masked_fill(~causal_mask(len(scores)), -math.inf)
    if temperature == 0:
        best = (scores == scores.amax(-1, keepdim=True)).double()
        return best / best.sum(-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


def examples() -> list[dict[str, Any]]:
    """Random scores and weights, with equal scores among them, and the weights by PyTorch."""
    rng = torch.Generator().manual_seed(0)
    cases = []
    for temperature in TEMPERATURES:
        for number in range(10):
            queries, keys = torch.randint(1, 8, (2,), generator=rng).tolist()
            causal = number % 2 == 0
            shape = (queries, queries if causal else keys)
            scores = torch.randint(-6, 7, shape, generator=rng).double() / 2
            weights = reference(scores, causal, temperature)
            case = {"scores": scores.tolist(), "given_weights": None, "temperature": temperature}
            cases.append({**case, "causal": causal, "weights": weights.tolist()})
            if temperature == 1:  # the same from weights alone
                alone = {"scores": None, "given_weights": torch.softmax(scores, -1).tolist()}
                cases.append({**cases[-1], **alone})
    return cases


@pytest.mark.parametrize("case", examples())
def test_weights_equal_pytorch(case: dict[str, Any]) -> None:
    queries, keys = np.shape(case["weights"])
    figure = AttentionView(
        ["q"] * queries,
        scores=case["scores"],
        weights=case["given_weights"],
        key_tokens=None if case["causal"] else ["k"] * keys,
        causal=case["causal"],
        temperature=case["temperature"],
    )
    np.testing.assert_allclose(figure.weights, case["weights"], atol=1e-9)


def test_examples_of_the_javascript_are_current() -> None:
    stored, made = json.loads(EXAMPLES.read_text("utf8")), examples()
    assert len(stored) == len(made)
    for old, new in zip(stored, made, strict=True):
        assert old.keys() == new.keys()
        for name in old:
            if old[name] is None or new[name] is None:
                assert old[name] is new[name]
            else:
                np.testing.assert_allclose(old[name], new[name], atol=1e-9)


def test_weights_can_be_observed_and_follow_every_change() -> None:
    figure = AttentionView(TOKENS, SCORES)
    seen: list[Any] = []
    figure.observe(lambda change: seen.append(change["new"]), "weights")
    figure.causal = True
    assert figure.weights[0] == [1.0, 0.0, 0.0]
    figure.temperature = 0
    assert figure.weights == [[1, 0, 0], [1, 0, 0], [0.5, 0.5, 0]]
    figure.scores = np.eye(3)
    assert figure.weights == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert seen[-1] == figure.weights
    assert len(seen) == 3


def test_reset_brings_back_what_the_figure_was_made_with() -> None:
    figure = AttentionView(TOKENS, SCORES, causal=True, temperature=2, focus=1)
    before = figure.weights
    figure.causal, figure.temperature, figure.focus = False, 0.5, 2
    assert figure.weights != before
    figure.reset()
    assert (figure.causal, figure.temperature, figure.focus) == (True, 2, 1)
    assert figure.weights == before


def test_the_running_sentence_and_what_the_page_gets() -> None:
    words = running_sentence()
    figure = AttentionView(
        [word.text for word in words],
        torch.zeros(13, 13, requires_grad=True),
        readings=[word.reading for word in words],
        glosses=[word.gloss for word in words],
        focus=9,
    )
    assert repr(figure) == "AttentionView(13 queries, 13 keys)"
    state = figure.get_state()
    assert state["figure"] == "attention-view"
    assert state["tokens"] == state["key_tokens"] == [word.text for word in words]
    assert state["readings"][9] == "ai"
    assert state["example"] == {"causal": False, "temperature": 1.0, "focus": 9}
    assert 550 < state["height"] < 700 < state["height_narrow"]
    assert "weights" not in state  # the page computes them
    json.dumps({name: value for name, value in state.items() if name != "layout"}, allow_nan=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokens": []}, "1 to 24 tokens, got 0"),
        ({"tokens": ["a"] * 25}, "1 to 24 tokens, got 25"),
        ({"tokens": "abc"}, "list of tokens"),
        ({"tokens": ["a", "", "c"]}, "1 to 40 signs"),
        ({"scores": None}, "either scores or weights"),
        ({"weights": np.eye(3)}, "either scores or weights"),
        ({"scores": SCORES[:2]}, r"shape \(3, 3\).*got shape \(2, 3\)"),
        ({"scores": [1.0, 2.0, 3.0]}, r"\(n, n\), got shape \(3,\)"),
        ({"scores": [[math.nan] * 3] * 3}, r"finite.*nan at \[0, 0\]"),
        ({"scores": [[0, 0, 0], [0, 0, math.inf], [0, 0, 0]]}, r"finite.*inf at \[1, 2\]"),
        ({"scores": None, "weights": [[0.5] * 3] * 3}, "row 0 adds up to 1.5"),
        ({"scores": None, "weights": [[2, -1, 0]] * 3}, "not be negative, got -1"),
        ({"scores": None, "weights": np.eye(2)}, r"weights must have shape \(3, 3\)"),
        ({"scores": None, "weights": np.eye(3), "temperature": 2}, "needs scores"),
        ({"key_tokens": ["x"]}, r"shape \(3, 1\).*got shape \(3, 3\)"),
        ({"key_tokens": ["x", "y", "z"], "causal": True}, "self-attention"),
        ({"key_readings": ["x"] * 3}, "need key_tokens"),
        ({"readings": ["x"]}, "readings must have one entry for each of the 3 tokens, got 1"),
        ({"focus": 3}, "focus must lie between 0 and 2, got 3"),
        ({"focus": -1}, "focus must lie between 0 and 2, got -1"),
        ({"temperature": -1}, "temperature"),
        ({"temperature": math.nan}, "temperature"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AttentionView(**{"tokens": TOKENS, "scores": SCORES, **arguments})


def test_a_row_of_zeros_means_that_all_was_masked() -> None:
    figure = AttentionView(TOKENS, weights=[[1, 0, 0], [0, 0, 0], [0.2, 0.3, 0.5]])
    assert figure.weights[1] == [0, 0, 0]
    figure.causal = True
    assert figure.weights[0] == [1, 0, 0]
    assert figure.weights[1] == [0, 0, 0]


def test_a_refused_change_leaves_the_figure_as_it_was() -> None:
    figure = AttentionView(TOKENS, SCORES)
    before = figure.weights
    for name, value in (("scores", [[1.0]]), ("focus", 9), ("temperature", -2), ("scores", None)):
        with pytest.raises(ValueError, match=name):
            setattr(figure, name, value)
    assert (figure.scores, figure.focus, figure.temperature) == (SCORES, 0, 1)
    assert figure.weights == before


def test_what_is_fixed_cannot_be_set() -> None:
    figure = AttentionView(TOKENS, weights=np.eye(3))
    with pytest.raises(ValueError, match="takes no scores"):
        figure.scores = SCORES
    with pytest.raises(ValueError, match="needs scores"):
        figure.temperature = 0.5
    for name in ("tokens", "key_tokens", "weights", "given_weights"):
        with pytest.raises(Exception, match="read-only"):
            setattr(figure, name, [])


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case) for case in examples())
    EXAMPLES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
