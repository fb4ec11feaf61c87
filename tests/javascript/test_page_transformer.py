"""The Transformer in a page computes what PyTorch computes with the same rounded weights."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor

from contextbook.decoding import beam_search, greedy
from contextbook.seq2seq import make_batch
from contextbook.text import Vocabulary
from contextbook.transformer import Transformer
from contextbook.translation import LONGEST, TranslationTask, translation_task
from contextbook.widgets._base import FigureDataError
from contextbook.widgets._transformers import (
    best_aligning_head,
    load_transformer,
    pack_transformer,
    unpack_transformer,
)
from contextbook.widgets._weights import read_model
from contextbook.words import words
from tools.node import node

SCRIPT = Path(__file__).parents[2] / "widgets" / "test" / "run_transformer.js"
LIVE = Path(__file__).parents[2] / "book" / "live.md"
CHAPTER = Path(__file__).parents[2] / "notebooks" / "en" / "11-transformer.ipynb"
STATE = "application/vnd.jupyter.widget-state+json"
SENTENCES = 500
TOLERANCE = 1e-4
WORDS = Vocabulary([f"w{number}" for number in range(9)])
SOURCES = [[4, 5, 6, 7, 2], [12, 2], [8, 8, 8, 2], [5, 9, 11, 4, 6, 10, 2]]


def run(**job: Any) -> list[list[int]]:
    """What JavaScript writes for each source."""
    done = subprocess.run(
        [node(), str(SCRIPT)], input=json.dumps([job]), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout)[0])


class Numbers(NamedTuple):
    """All that a model says of one sentence, one number after the other."""

    probabilities: np.ndarray
    weights: np.ndarray


@torch.no_grad()
def numbers_of(model: Transformer, source: list[int], written: list[int]) -> Numbers:
    """PyTorch's probabilities and weights while these tokens are written, in the page's order."""
    target = torch.tensor([[1, *written][:LONGEST]])
    inputs = torch.tensor([source]), None, target
    probabilities = model(*inputs)[0].softmax(-1)[0]
    encoder, decoder, cross = model.attention_maps(*inputs)
    rows: list[Tensor] = []
    for place in range(len(source)):
        rows += [head[place] for layer in encoder for head in layer[0]]
    for step in range(target.shape[1]):
        for own, across in zip(decoder, cross, strict=True):
            rows += [head[step, : step + 1] for head in own[0]]
            rows += [head[step] for head in across[0]]
    return Numbers(probabilities.flatten().numpy(), torch.cat(rows).numpy())


def differences(
    model: Transformer, sources: list[list[int]], written: list[list[int]], path: Path
) -> tuple[float, float]:
    """The largest difference of a probability and of a weight between the page and PyTorch."""
    found, place = np.fromfile(path, np.float32), 0
    largest = [0.0, 0.0]
    for source, tokens in zip(sources, written, strict=True):
        for which, wanted in enumerate(numbers_of(model, source, tokens)):
            part = found[place : place + wanted.size]
            largest[which] = max(largest[which], float(np.abs(part - wanted).max()))
            place += wanted.size
    assert place == found.size
    return largest[0], largest[1]


def small(**choices: Any) -> Transformer:
    """A model with random weights, large enough for its answers to differ."""
    torch.manual_seed(3)
    model = Transformer(len(WORDS), len(WORDS), **{"d_model": 12, "heads": 3} | choices)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5).add_(torch.randn_like(parameter) * 0.1)
    return model.eval()


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"norm_first": False},
        {"positions": None},
        {"layers": 1, "heads": 1, "d_ff": 7},
        {"layers": 3, "d_model": 10, "heads": 2},
        {"tied": True},
    ],
)
def test_every_shape_of_model_gives_pytorchs_probabilities_and_weights(
    choices: dict[str, Any], tmp_path: Path
) -> None:
    packed = pack_transformer(small(**choices), WORDS, WORDS)
    model, english, japanese = unpack_transformer(packed)
    assert english.tokens == japanese.tokens == WORDS.tokens
    path = tmp_path / "numbers"
    job = {"data": packed.data, "sources": SOURCES, "maxLength": LONGEST}
    written = run(**job, numbers=str(path))
    for source, tokens in zip(SOURCES, written, strict=True):
        assert tokens == greedy(model, torch.tensor([source]), max_length=LONGEST).ids()[0]
    assert max(differences(model, SOURCES, written, path)) < TOLERANCE
    for source, tokens in zip(SOURCES, run(**job, width=3), strict=True):
        best = beam_search(model, torch.tensor([source]), width=3, max_length=LONGEST).best()
        assert tokens == best.ids()[0]


class Softer(torch.nn.Module):
    """Attention weights with another temperature or without the scale, by way of the queries."""

    def __init__(self, query: torch.nn.Module, factor: float) -> None:
        super().__init__()
        self.query, self.factor = query, factor

    def forward(self, x: Tensor) -> Tensor:
        return self.query(x) * self.factor


@pytest.mark.parametrize(
    ("settings", "factor"), [({"temperature": 2.5}, 1 / 2.5), ({"scale": False}, 2.0)]
)
def test_temperature_and_scale_are_a_factor_of_the_queries(
    settings: dict[str, Any], factor: float
) -> None:
    packed = pack_transformer(small(), WORDS, WORDS)  # heads of 4 numbers: the scale is 1/2
    model, _, _ = unpack_transformer(packed)
    job = {"data": packed.data, "sources": SOURCES, "maxLength": 12}
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if ".query." in name:
                weight.mul_(factor)
    for source, tokens in zip(SOURCES, run(**job, settings=settings), strict=True):
        assert tokens == greedy(model, torch.tensor([source]), max_length=12).ids()[0]


def silenced(model: Transformer, part: str) -> None:
    """Take a head or a layer out of a PyTorch model by its weights."""
    stack, layer, *rest = part.split(".")
    place = getattr(model, stack).layers[int(layer)]
    with torch.no_grad():
        if rest:
            attention = place.self_attention if rest[0] == "self" else place.cross_attention
            size = attention.output.weight.shape[1] // attention.heads
            first = int(rest[1]) * size
            attention.output.weight[:, first : first + size] = 0
            return
        # with pre-norm, a layer whose corrections are all zero hands on what it was given
        for name, weight in place.named_parameters():
            if ".output." in name or ".contract." in name:
                weight.zero_()


@pytest.mark.parametrize(
    "off",
    [
        [f"encoder.{layer}.self.{head}" for layer in (0, 1) for head in (0, 2)],
        ["decoder.1.cross.0", "decoder.0.self.2"],
        ["encoder.1"],
        ["decoder.0", "decoder.1.cross.2"],
    ],
)
def test_what_is_off_gives_nothing(off: list[str]) -> None:
    packed = pack_transformer(small(), WORDS, WORDS)
    model, _, _ = unpack_transformer(packed)
    job = {"data": packed.data, "sources": SOURCES, "maxLength": 12}
    for part in off:
        silenced(model, part)
    wanted = [greedy(model, torch.tensor([row]), max_length=12).ids()[0] for row in SOURCES]
    assert run(**job, settings={"off": off}) == wanted
    assert run(**job) != wanted


def test_without_positions_or_residuals_it_is_the_model_made_without() -> None:
    packed = pack_transformer(small(), WORDS, WORDS)
    model, _, _ = unpack_transformer(packed)
    job = {"data": packed.data, "sources": SOURCES, "maxLength": 12}
    for settings, choices in (
        ({"positions": False}, {"positions": None}),
        ({"residuals": False}, {"connect": False}),
    ):
        twin = Transformer(len(WORDS), len(WORDS), **{"d_model": 12, "heads": 3} | choices)
        twin.load_state_dict(model.state_dict())
        twin.eval()
        wanted = [greedy(twin, torch.tensor([row]), max_length=12).ids()[0] for row in SOURCES]
        assert run(**job, settings=settings) == wanted


def test_another_model_is_refused() -> None:
    with pytest.raises(FigureDataError, match="Linear has no"):
        pack_transformer(torch.nn.Linear(2, 2), WORDS, WORDS)
    edited = small()
    edited.decoder.norm = torch.nn.Identity()
    with pytest.raises(FigureDataError):
        pack_transformer(edited, WORDS, WORDS)


def test_the_head_that_aligns_best_is_found_by_the_gold_alignment() -> None:
    task = translation_task(train=200, test=20, longest=8)
    torch.manual_seed(0)
    model = Transformer(len(task.english), len(task.japanese))
    assert best_aligning_head(model, task.english, task.japanese) == (1, 0, 0.0)
    layer, head, share = best_aligning_head(model, task.english, task.japanese, task.test)
    assert layer in (0, 1)
    assert head in range(4)
    assert 0 < share < 1


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    """The chapter's task; its test sentences are none of those that the models learned from."""
    return translation_task()


def differences_in_page(name: str, task: TranslationTask, count: int, path: Path) -> None:
    """Assert that a page translates that many test sentences as PyTorch does, number by number."""
    model, english, japanese = load_transformer(name)
    assert (english.tokens, japanese.tokens) == (task.english.tokens, task.japanese.tokens)
    pairs = task.test[:count]
    assert len(pairs) == count
    sources = [english.encode(pair.english, eos=True) for pair in pairs]
    job = {"data": read_model(name).data, "sources": sources, "maxLength": LONGEST}
    written = run(**job, numbers=str(path))
    batch = make_batch(pairs, english, japanese)
    decoded = greedy(model, batch.source, batch.source_lengths, max_length=LONGEST)
    assert written == decoded.ids()
    probability, weight = differences(model, sources, written, path)
    print(
        f"{name}, {count} sentences: the same tokens; largest difference {probability:.1e} "
        f"(probability), {weight:.1e} (weight)"
    )
    assert probability <= TOLERANCE
    assert weight <= TOLERANCE


def test_the_page_says_how_much_the_model_knows(task: TranslationTask) -> None:
    said = " ".join(LIVE.read_text("utf8").split())
    known = [token for token in task.english.tokens if not token.startswith("<")]
    assert len(known) == pytest.approx(120, abs=5)
    assert f"about 120 English words and the sentences of a small grammar, {spans(task)}" in said


def test_the_tour_says_on_which_sentences_the_head_aligns(task: TranslationTask) -> None:
    said = re.search(r"in (\d+) test sentences", words("live_transformer").tour_steps.align.notice)
    assert said
    widgets = json.loads(CHAPTER.read_text("utf8"))["metadata"]["widgets"]
    states = [one["state"] for one in widgets[STATE]["state"].values()]
    [shown] = [one["aligning"] for one in states if one.get("figure") == "live-transformer"]
    found = best_aligning_head(*load_transformer(), task.test[: int(said[1])])
    assert list(found) == pytest.approx(shown, abs=0.005)


def spans(task: TranslationTask) -> str:
    """Lengths of the sentences that it learns from, in words."""
    lengths = [pair.words for pair in task.train]
    return f"{min(lengths)} to {max(lengths)} words long"


def test_the_chapters_model_translates_in_a_page_as_in_pytorch(
    task: TranslationTask, tmp_path: Path
) -> None:
    differences_in_page("transformer", task, SENTENCES, tmp_path / "numbers")


def test_the_model_without_positions_does_too(task: TranslationTask, tmp_path: Path) -> None:
    differences_in_page("transformer-no-positions", task, 60, tmp_path / "numbers")


def test_without_its_positions_the_chapters_model_falls_apart(task: TranslationTask) -> None:
    pairs = task.test[:60]
    sources = [task.english.encode(pair.english, eos=True) for pair in pairs]
    job = {"data": read_model("transformer").data, "sources": sources, "maxLength": LONGEST}
    written = run(**job, settings={"positions": False})
    right = [
        [task.japanese.tokens[token] for token in tokens] == list(pair.japanese)
        for tokens, pair in zip(written, pairs, strict=True)
    ]
    assert sum(right) <= 0.1 * len(right)


def test_rounding_moves_probabilities_little(task: TranslationTask, tmp_path: Path) -> None:
    """What half precision costs a trained model that has more digits than it holds: printed."""
    model, english, japanese = load_transformer()
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():  # by up to half a step of half precision
            parameter.mul_(1 + (2 * torch.rand_like(parameter) - 1) * 2**-11)
    pairs = task.test[:60]
    sources = [english.encode(pair.english, eos=True) for pair in pairs]
    path = tmp_path / "numbers"
    packed = pack_transformer(model, english, japanese)
    job = {"data": packed.data, "sources": sources, "maxLength": LONGEST}
    written = run(**job, numbers=str(path))
    batch = make_batch(pairs, english, japanese)
    wanted = greedy(model, batch.source, batch.source_lengths, max_length=LONGEST).ids()
    same = sum(one == other for one, other in zip(written, wanted, strict=True))
    probability, weight = differences(model, sources, written, path)
    print(
        f"against the unrounded model: {same} of {len(written)} translations are the same; largest "
        f"difference {probability:.1e} (probability), {weight:.1e} (weight)"
    )
    assert same >= 0.95 * len(written)
    assert 0 < max(probability, weight) < 0.05
