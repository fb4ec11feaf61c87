"""The alignment explorer in Python: what it sends, what it refuses.

``python tests/package/test_alignment_explorer.py`` writes anew the examples that the figure's
JavaScript is tested on.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from contextbook.decoding import greedy
from contextbook.recurrent import GRUCell, LSTMCell
from contextbook.seq2seq import (
    AdditiveAttention,
    BahdanauDecoder,
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    LuongDecoder,
    sequence_loss,
)
from contextbook.text import Vocabulary
from contextbook.widgets import AlignmentExplorer
from contextbook.widgets._translators import pack_translator, unpack_translator
from contextbook.widgets._weights import Packed, read_model, unpack, write_model

EXAMPLES = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "alignment-explorer.json"
ENGLISH = Vocabulary(["the", "dog", "cat", "walked", "sees", "a", "and", ",", "."])
JAPANESE = Vocabulary(["犬", "猫", "が", "歩い", "た", "は", "。"])
SENTENCES = ["the dog walked .", "a cat , and the dog sees a cat .", "cat"]
TEMPERATURES = [1.0, 0.1, 4.0]
MOST = 46


def translator(kind: str, seed: int = 0) -> EncoderDecoder:
    """A small model with random weights, large enough for its answers to differ."""
    torch.manual_seed(seed)
    hidden, cell = 8, GRUCell if kind == "additive" else LSTMCell
    encoder = Encoder(len(ENGLISH), 4, hidden, cell)
    sizes = (len(JAPANESE), 4, hidden)
    decoders = {
        "dot": lambda: LuongDecoder(*sizes, DotAttention(hidden), cell),
        "additive": lambda: BahdanauDecoder(*sizes, AdditiveAttention(hidden, hidden, 5), cell),
        "none": lambda: Decoder(*sizes, cell),
    }
    model = EncoderDecoder(encoder, decoders[kind]())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model


def view(**changes: Any) -> AlignmentExplorer:
    arguments: dict[str, Any] = {
        "models": {"one": translator("dot"), "two": translator("additive")},
        "english": ENGLISH,
        "japanese": JAPANESE,
        "sentence": SENTENCES[0],
    }
    return AlignmentExplorer(**{**arguments, **changes})


def translations(packed: Packed) -> list[dict[str, Any]]:
    """What PyTorch makes of the sentences, with the same rounded weights."""
    model, english, japanese = unpack_translator(packed)
    attention = model.decoder.attention
    scores = attention.score
    found = []
    for temperature in TEMPERATURES:

        def cooled(state: Tensor, prepared: Tensor, by: float = temperature) -> Tensor:
            return scores(state, prepared) / by

        attention.score = cooled
        for sentence in SENTENCES:
            source = torch.tensor([english.encode(sentence.split(), eos=True)])
            with torch.no_grad():
                decoded = greedy(model, source, max_length=MOST)
            ids = decoded.ids()[0]
            written = [*japanese.decode(ids), "■"] if len(ids) < MOST else japanese.decode(ids)
            state, weights, before = model.start(source), [], 1
            with torch.no_grad():
                for _ in written:
                    log_probs, state, row = model.step(torch.tensor([before]), state)
                    before = int(log_probs.argmax())
                    weights.append([round(weight, 6) for weight in row[0].tolist()])
            found.append(
                {
                    "sentence": sentence.split(),
                    "temperature": temperature,
                    "target": written,
                    "weights": weights,
                }
            )
    return found


def learned(kind: str) -> EncoderDecoder:
    """A small model that has learned two sentences by heart."""
    model = translator(kind)
    pairs = [
        ("the dog walked .", "犬 は 歩い た 。"),
        ("a cat , and the dog sees a cat .", "猫 が 犬 。"),
    ]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(120):
        english, japanese = pairs[step % 2]
        source = torch.tensor([ENGLISH.encode(english.split(), eos=True)])
        target = torch.tensor([JAPANESE.encode(japanese.split(), bos=True, eos=True)])
        loss = sequence_loss(model(source, None, target[:, :-1])[0], target[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def examples(models: dict[str, dict[str, str]]) -> dict[str, Any]:
    """The state that a kernel sends, and what must come of it with these models."""
    state = view().get_state() | {"models": models}
    names = ["figure", "models", "names", "kinds", "vocabulary", "notes", "example"]
    turned = ["sentence", "chosen", "temperature", "focus"]
    return {
        "state": {name: state[name] for name in names + turned},
        "translations": {name: translations(Packed(**entry)) for name, entry in models.items()},
    }


def test_examples_of_the_javascript_are_current() -> None:
    stored = json.loads(EXAMPLES.read_text("utf8"))
    made = json.loads(json.dumps(examples(stored["state"]["models"])))
    assert stored["state"] == made["state"]
    for name, cases in made["translations"].items():
        for old, new in zip(stored["translations"][name], cases, strict=True):
            assert old["target"] == new["target"]
            np.testing.assert_allclose(old["weights"], new["weights"], atol=1e-3)
        assert len({tuple(case["target"]) for case in cases}) >= 2
        warm, sharp, soft = (cases[start]["weights"][0] for start in (0, 3, 6))
        assert max(soft) < max(warm) < max(sharp)


def test_what_the_page_gets() -> None:
    figure = view()
    assert repr(figure) == "AlignmentExplorer(one, two)"
    state = figure.get_state()
    assert state["figure"] == "alignment-explorer"
    assert (state["names"], state["kinds"]) == (["one", "two"], ["dot", "additive"])
    assert state["vocabulary"] == ENGLISH.tokens[4:]
    assert state["sentence"] == ["the", "dog", "walked", "."]
    assert tuple(state["notes"]["犬"]) == ("inu", "dog")
    assert "<bos>" not in state["notes"]
    for name in state["names"]:
        packed = Packed(**state["models"][name])
        assert Packed.of(base64.b64decode(packed.data)) == packed
        assert unpack(packed).source == ENGLISH.tokens
    assert 300 < state["height"] < state["height_narrow"]


def test_a_word_of_ones_own_has_no_notes() -> None:
    japanese = Vocabulary(["犬", "ぽ"])
    model = EncoderDecoder(
        Encoder(len(ENGLISH), 4, 8, LSTMCell),
        LuongDecoder(len(japanese), 4, 8, DotAttention(8), LSTMCell),
    )
    figure = view(models={"one": model}, japanese=japanese)
    assert list(figure.notes) == ["犬"]


def test_a_model_that_was_trained_before_is_shown_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = view()
    for name, entry in made.models.items():
        write_model(name, Packed(**entry), tmp_path)
    monkeypatch.setattr(read_model, "__defaults__", (tmp_path,))
    for names in (["one", "two"], ("one", "two")):
        assert AlignmentExplorer(names, sentence="the dog").models == made.models
    assert AlignmentExplorer("two", sentence="the dog").kinds == ["additive"]
    with pytest.raises(ValueError, match="there are: one, two"):
        AlignmentExplorer(["three"])


def test_reset_brings_back_what_the_figure_was_made_with() -> None:
    figure = view(temperature=0.5, focus=2)
    figure.sentence, figure.chosen = ["cat"], "two"
    figure.temperature, figure.focus = 2.0, 0
    figure.reset()
    now = (figure.sentence, figure.chosen, figure.temperature, figure.focus)
    assert now == (SENTENCES[0].split(), "one", 0.5, 2)


def edited() -> EncoderDecoder:
    class Loud(DotAttention):
        def score(self, state: Tensor, prepared: Tensor) -> Tensor:
            return 2 * super().score(state, prepared)

    model = translator("dot")
    model.decoder.attention = Loud(8)
    return model


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"models": {}}, "at least one model"),
        ({"models": []}, "at least one model"),
        ({"english": None}, "needs the vocabularies"),
        ({"models": {"one": translator("none")}}, "'one' has no attention"),
        ({"models": {"one": torch.nn.Linear(1, 1)}}, "the book's EncoderDecoder"),
        ({"models": {"one": edited()}}, "undo the edit"),
        ({"models": {"No!": translator("dot")}}, "small letters"),
        ({"sentence": "the cow walked ."}, r"not in the vocabulary: \['cow'\]"),
        ({"sentence": ""}, "1 to 31 words and marks, got 0"),
        ({"sentence": "dog " * 32}, "1 to 31 words and marks, got 32"),
        ({"temperature": 0.0}, "temperature must lie between 0.1 and 100"),
        ({"focus": -1}, "focus must lie between 0 and 45, got -1"),
    ],
)
def test_bad_input_is_refused_by_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        view(**changes)


def test_a_refused_change_leaves_the_figure_as_it_was() -> None:
    figure = view()
    for name, value in (
        ("sentence", ["cow"]),
        ("chosen", "three"),
        ("temperature", float("nan")),
        ("focus", 46),
    ):
        with pytest.raises(ValueError, match=r"vocabulary|chosen|temperature|focus"):
            setattr(figure, name, value)
    assert (figure.sentence, figure.chosen, figure.focus) == (SENTENCES[0].split(), "one", 0)
    with pytest.raises(Exception, match="read-only"):
        figure.models = {}


def test_models_with_other_vocabularies_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Vocabulary([*JAPANESE.tokens[4:-1], "！"])
    write_model("one", pack_translator(translator("dot"), ENGLISH, JAPANESE), tmp_path)
    write_model("two", pack_translator(translator("additive"), ENGLISH, other), tmp_path)
    monkeypatch.setattr(read_model, "__defaults__", (tmp_path,))
    with pytest.raises(ValueError, match="'two' has other vocabularies"):
        AlignmentExplorer(["one", "two"])


if __name__ == "__main__":
    trained = view(models={"one": learned("dot"), "two": learned("additive")}).models
    EXAMPLES.write_text(json.dumps(examples(trained), ensure_ascii=False) + "\n", "utf-8")
