"""The live Transformer's Python side: what it takes, keeps and refuses."""

from typing import Any

import pytest
import torch
from torch import Tensor

from contextbook.transformer import Transformer
from contextbook.translation import TranslationTask, translation_task
from contextbook.widgets import LiveTransformer
from contextbook.widgets._base import FigureDataError
from contextbook.widgets._weights import Packed, unpack


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    return translation_task(train=300, test=20)


@pytest.fixture(scope="module")
def model(task: TranslationTask) -> Transformer:
    torch.manual_seed(0)
    return Transformer(len(task.english), len(task.japanese), d_model=8, heads=2, layers=2)


@pytest.fixture
def figure(model: Transformer, task: TranslationTask) -> LiveTransformer:
    return LiveTransformer(model, task.english, task.japanese, beside=(), pairs=task.test)


def test_any_size_travels_with_its_vocabularies(
    figure: LiveTransformer, task: TranslationTask
) -> None:
    assert figure.names == ["transformer"]
    content = unpack(Packed(**figure.models["transformer"]))
    assert (content.source, content.target) == (task.english.tokens, task.japanese.tokens)
    assert (content.config["heads"], content.config["layers"]) == (2, 2)
    layer, head, share = figure.aligning
    assert layer in (0, 1)
    assert head in (0, 1)
    assert 0 <= share <= 1


def test_models_stand_beside_it(model: Transformer, task: TranslationTask) -> None:
    torch.manual_seed(1)
    blind = Transformer(
        len(task.english), len(task.japanese), d_model=8, heads=2, layers=2, positions=None
    )
    figure = LiveTransformer(model, task.english, task.japanese, blind)
    assert figure.names == ["transformer", "transformer-no-positions", "seq2seq", "luong-dot"]
    packed = Packed(**figure.models["transformer-no-positions"])
    assert unpack(packed).config["positions"] is False


def test_reset_brings_back_the_model_as_it_was_trained(figure: LiveTransformer) -> None:
    example = figure.example
    figure.sentence = ["the", "dog", "walks", "."]
    figure.temperature, figure.scale, figure.positions = 2.0, False, False
    figure.residuals, figure.off, figure.width = False, ["encoder.0.self.1", "decoder.1"], 4
    figure.forced = {"0": "猫"}
    figure.reset()
    assert {name: getattr(figure, name) for name in example} == example
    assert (figure.temperature, figure.scale, figure.off, figure.forced) == (1.0, True, [], {})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("sentence", ["the", "zebra"], "zebra"),
        ("sentence", [], "1 to 32"),
        ("temperature", 0.0, "temperature"),
        ("off", ["encoder.7.self.0"], "no parts"),
        ("forced", {"0": "シマウマ"}, "cannot force"),
        ("forced", {"x": "猫"}, "cannot force"),
        ("width", 2, "one of"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    figure: LiveTransformer, name: str, value: Any, message: str
) -> None:
    before = getattr(figure, name)
    with pytest.raises(FigureDataError, match=message):
        setattr(figure, name, value)
    assert getattr(figure, name) == before


def test_a_model_that_computes_something_else_is_refused(task: TranslationTask) -> None:
    class Louder(Transformer):
        def forward(self, *arguments: Any, **keywords: Any) -> tuple[Tensor, Any]:
            logits, weights = super().forward(*arguments, **keywords)
            return 2 * logits, weights

    louder = Louder(len(task.english), len(task.japanese), d_model=8, heads=2, layers=1)
    with pytest.raises(FigureDataError, match="undo the edit"):
        LiveTransformer(louder, task.english, task.japanese, beside=())


def test_another_kind_of_model_is_refused(task: TranslationTask) -> None:
    with pytest.raises(FigureDataError, match="book's Transformer"):
        LiveTransformer(torch.nn.Linear(2, 2), task.english, task.japanese, beside=())


def test_examples_with_words_that_the_model_lacks_are_left_out(
    model: Transformer, task: TranslationTask
) -> None:
    figure = LiveTransformer(
        model,
        task.english,
        task.japanese,
        beside=(),
        examples=("the dog walks .", "the zebra walks ."),
    )
    assert figure.examples == [["the", "dog", "walks", "."]]
