"""The sequence writer's Python side: what it takes, keeps and refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from contextbook.datasets import running_pair
from contextbook.experiments.chapter07 import EMBEDDING
from contextbook.recurrent import LSTMCell
from contextbook.seq2seq import Decoder, Encoder, EncoderDecoder
from contextbook.translation import TranslationTask, translation_task
from contextbook.widgets import SequenceWriter
from contextbook.widgets._base import FigureDataError
from contextbook.widgets._weights import MODELS, Packed, unpack


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    return translation_task(train=300, test=60)


@pytest.fixture(scope="module")
def model(task: TranslationTask) -> EncoderDecoder:
    torch.manual_seed(0)
    encoder = Encoder(len(task.english), EMBEDDING, 8, LSTMCell)
    return EncoderDecoder(encoder, Decoder(len(task.japanese), EMBEDDING, 8, LSTMCell))


@pytest.fixture
def figure(model: EncoderDecoder, task: TranslationTask) -> SequenceWriter:
    return SequenceWriter(model, task.english, task.japanese, task.test, "that dog walks .")


def test_the_model_travels_in_a_trait(figure: SequenceWriter, task: TranslationTask) -> None:
    (name,) = figure.names
    content = unpack(Packed(**figure.models[name]))
    assert name == "seq2seq"
    assert content.source == task.english.tokens
    assert content.config["attention"] == "none"
    assert repr(figure) == f"SequenceWriter(seq2seq, {len(figure.samples)} samples)"


def test_samples_are_sorted_by_length_and_few(figure: SequenceWriter) -> None:
    lengths = [sample["words"] for sample in figure.samples]
    assert lengths == sorted(lengths)
    assert max(lengths.count(length) for length in lengths) <= 3
    wanted = {" ".join(sample["english"]) for sample in figure.samples}
    assert " ".join(running_pair().english) in wanted
    assert json.dumps(figure.samples)


def test_reset_brings_back_what_it_was_made_with(figure: SequenceWriter) -> None:
    assert figure.example == {"sentence": ["that", "dog", "walks", "."], "step": 0, "width": 3}
    figure.sentence, figure.step, figure.width = ["that", "cat", "walks", "."], 2, 5
    figure.reset()
    assert (figure.sentence[1], figure.step, figure.width) == ("dog", 0, 3)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("sentence", ["that", "zebra"], "zebra"),
        ("sentence", [], "1 to 31"),
        ("width", 6, "between 1 and 5"),
        ("step", -1, "between 0"),
    ],
)
def test_settings_out_of_range_are_refused(
    figure: SequenceWriter, name: str, value: Any, message: str
) -> None:
    before = getattr(figure, name)
    with pytest.raises(FigureDataError, match=message):
        setattr(figure, name, value)
    assert getattr(figure, name) == before


def test_without_samples_or_vocabularies_it_is_refused(
    model: EncoderDecoder, task: TranslationTask
) -> None:
    with pytest.raises(FigureDataError, match=r"task\.test"):
        SequenceWriter(model, task.english, task.japanese)
    with pytest.raises(FigureDataError, match="vocabularies"):
        SequenceWriter(model, samples=task.test)


def test_a_model_that_a_chapter_trained_is_shown_by_its_name() -> None:
    assert (Path(MODELS) / "seq2seq.js").is_file()
    figure = SequenceWriter("seq2seq", samples=translation_task().test[:20])
    assert figure.names == ["seq2seq"]
