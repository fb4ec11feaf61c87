"""The view of heads in Python: it computes what PyTorch does, and refuses what it cannot show.

``python tests/package/test_heads_view.py`` writes anew the examples that the figure's JavaScript
is tested on.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from contextbook.attention import MultiHeadAttention
from contextbook.datasets.scenes import ANIMALS, PARTICLES
from contextbook.experiments.chapter10 import FourQuestions
from contextbook.widgets import HeadsView, rounded
from contextbook.widgets._weights import Packed, read_model, unpack, write_model

EXAMPLES = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "heads-view.json"
SENTENCES = [
    [[0, 0], [1, 3], [2, 1], [3, 2]],
    [[31, 2], [17, 2], [4, 0], [4, 1]],
    [[9, 1], [8, 1], [7, 1], [6, 1]],
]
SWITCHES = [[True] * 4, [True, False, True, True], [False] * 4]


def model(heads: int = 4, seed: int = 0, attention: Any = MultiHeadAttention) -> FourQuestions:
    """Random weights, larger than they start, so that heads and answers differ much."""
    torch.manual_seed(seed)
    made = FourQuestions(attention, heads)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(2)
    return made


def view(**changes: Any) -> HeadsView:
    return HeadsView(**{"model": {"four": model()}, **changes})


def answers_of(trained: FourQuestions, phrases: Any, on: Any) -> tuple[Any, Any]:
    """What PyTorch computes with the weights that a page holds: weights and logits."""
    twin = rounded(trained).double()
    animals, particles = torch.tensor(phrases).T
    with torch.no_grad():
        size = twin.attention.output.in_features // len(on)
        for head, is_on in enumerate(on):
            if not is_on:
                twin.attention.output.weight[:, head * size : (head + 1) * size] = 0
        logits, weights = twin(animals[None], particles[None], need_weights=True)
    return weights[0, :, 0].numpy(), logits[0].numpy()


def examples() -> dict[str, Any]:
    trained = model()
    figure = HeadsView({"four": trained})
    cases = []
    for phrases in SENTENCES:
        for on in SWITCHES:
            weights, logits = answers_of(trained, phrases, on)
            shares = torch.softmax(torch.tensor(logits), -1).numpy()
            cases.append(
                {
                    "phrases": phrases,
                    "on": on,
                    "weights": np.round(weights, 8).tolist(),
                    "animals": logits.argmax(-1).tolist(),
                    "shares": np.round(shares.max(-1), 8).tolist(),
                }
            )
    names = ("figure", "phrases", "on", "models", "model_name", "animals", "particles", "verb")
    state = figure.get_state()
    return {"state": {name: state[name] for name in (*names, "example")}, "cases": cases}


def test_the_examples_of_the_javascript_are_what_pytorch_computes() -> None:
    stored, fresh = json.loads(EXAMPLES.read_text(encoding="utf-8")), examples()
    assert stored["state"] == json.loads(json.dumps(fresh["state"]))
    for old, new in zip(stored["cases"], fresh["cases"], strict=True):
        for name in ("phrases", "on", "animals"):
            assert old[name] == new[name], "run: python tests/package/test_heads_view.py"
        for name in ("weights", "shares"):
            assert np.array(old[name]) == pytest.approx(np.array(new[name]), abs=1e-7)


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_python_computes_what_pytorch_does(heads: int) -> None:
    trained = model(heads, seed=heads)
    figure = HeadsView({"four": trained})
    figure.phrases = SENTENCES[1]
    figure.on = [head % 2 == 0 for head in range(heads)]
    weights, logits = answers_of(trained, figure.phrases, figure.on)
    assert np.array(figure.weights) == pytest.approx(weights, abs=1e-9)
    assert figure.answers == [ANIMALS[i].text for i in logits.argmax(-1)]


def test_a_head_that_is_off_changes_answers_and_reset_brings_all_back() -> None:
    figure = view()
    before, example = figure.answers, dict(figure.example)
    for head in range(4):
        figure.switch(head, on=False)
    assert figure.answers != before
    figure.switch(2)
    assert figure.on == [False, False, True, False]
    figure.phrases = SENTENCES[1]
    figure.reset()
    assert (figure.answers, figure.on) == (before, [True] * 4)
    assert figure.phrases == example["phrases"] == [[0, 0], [1, 3], [2, 1], [3, 2]]


def test_it_prints_stably_and_knows_its_heights() -> None:
    figure = view()
    assert repr(figure) == "HeadsView(4 heads)"
    assert figure.height < view(model={"eight": model(8)}).height
    assert figure.height_narrow > figure.height


def test_the_sentence_can_be_another() -> None:
    figure = view(phrases=[("蛇", "に"), ("象", "と"), ("蝶", "が"), ("虎", "を")])
    assert [ANIMALS[a].gloss for a, _ in figure.phrases] == [
        "snake",
        "elephant",
        "butterfly",
        "tiger",
    ]
    assert [PARTICLES[p].text for _, p in figure.phrases] == ["に", "と", "が", "を"]


def test_a_name_alone_shows_a_model_that_a_chapter_trained(
    tmp_path: Path, monkeypatch: Any
) -> None:
    from contextbook.widgets import _heads_view

    entry = view().models["four"]
    write_model("four", Packed(entry["data"], entry["sha256"]), tmp_path)
    monkeypatch.setattr(_heads_view, "read_model", lambda name: read_model(name, tmp_path))
    assert HeadsView("four").models == {"four": entry}
    config = unpack(Packed(**entry)).config
    assert config == {"kind": "four-questions", "heads": 4, "width": 32}


def test_another_kind_of_model_is_refused(tmp_path: Path, monkeypatch: Any) -> None:
    from contextbook.widgets import _heads_view
    from contextbook.widgets._weights import pack

    write_model("line", pack(torch.nn.Linear(2, 2), {"kind": "line"}), tmp_path)
    monkeypatch.setattr(_heads_view, "read_model", lambda name: read_model(name, tmp_path))
    with pytest.raises(ValueError, match="'line' is not one"):
        HeadsView("line")


class Unscaled(MultiHeadAttention):
    """An edit of a reader's: the queries are twice as long."""

    def attend(self, query: Any, *rest: Any, **options: Any) -> Any:
        return super().attend(2 * query, *rest, **options)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"model": {"four": model(attention=Unscaled)}}, "undo the edit"),
        ({"model": {"four": torch.nn.Linear(2, 2)}}, "Linear has no"),
        ({"model": {"four": model(16)}}, "1 to 8 heads, got 16"),
        ({"model": {}}, "one model by its name, got 0"),
        ({"model": {"Four Heads": model()}}, "Four Heads"),
        ({"phrases": [("cow", "が")] * 4}, "'cow' is not one of"),
        ({"phrases": [("犬", "は")] * 4}, "'は' is not one of"),
        ({"phrases": [("犬", "が")] * 3}, "has 4 phrases"),
    ],
)
def test_what_cannot_be_shown_is_refused(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        view(**changes)


@pytest.mark.parametrize(
    ("trait", "value", "named"),
    [
        ("phrases", [[32, 0], [1, 1], [2, 2], [3, 3]], "one of 32 animals"),
        ("phrases", [[0, 4], [1, 1], [2, 2], [3, 3]], r"\[0, 4\]"),
        ("phrases", [[0, -1], [1, 1], [2, 2], [3, 3]], r"\[0, -1\]"),
        ("on", [True] * 3, "each of 4 heads"),
    ],
)
def test_what_a_kernel_sets_is_checked(trait: str, value: Any, named: str) -> None:
    figure = view()
    before = getattr(figure, trait)
    with pytest.raises(ValueError, match=named):
        setattr(figure, trait, value)
    assert getattr(figure, trait) == before
    with pytest.raises(ValueError, match="no head 4"):
        figure.switch(4)


if __name__ == "__main__":
    EXAMPLES.write_text(json.dumps(examples(), ensure_ascii=False) + "\n", encoding="utf-8")
