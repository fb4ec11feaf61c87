"""What a page's JavaScript translates is what PyTorch translates with the same rounded weights."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from contextbook.decoding import beam_search, greedy
from contextbook.recurrent import GRUCell, LSTMCell, RNNCell
from contextbook.seq2seq import (
    AdditiveAttention,
    BahdanauDecoder,
    ConcatAttention,
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    GeneralAttention,
    LuongDecoder,
)
from contextbook.text import Vocabulary
from contextbook.translation import LONGEST, train_translator, translation_task
from contextbook.widgets._translators import load_translator, pack_translator, unpack_translator
from contextbook.widgets._weights import read_model
from tools.node import node

WIDGETS = Path(__file__).parents[2] / "widgets"
SENTENCES = 300
WORDS = Vocabulary([f"w{number}" for number in range(9)])


def run(*jobs: dict[str, Any]) -> list[Any]:
    """What JavaScript makes of each job."""
    script = [node(), str(WIDGETS / "test" / "run_models.js")]
    done = subprocess.run(
        script, input=json.dumps(jobs), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def small(kind: str, cell: type[nn.Module], both: bool) -> EncoderDecoder:
    """A model with random weights, large enough for its answers to differ."""
    torch.manual_seed(1)
    hidden, size = 8, len(WORDS)
    encoder = Encoder(size, 4, hidden, cell, bidirectional=both)
    decoders = {
        "none": lambda: Decoder(size, 4, hidden, cell),
        "dot": lambda: LuongDecoder(size, 4, hidden, DotAttention(hidden), cell),
        "general": lambda: LuongDecoder(size, 4, hidden, GeneralAttention(hidden, hidden), cell),
        "concat": lambda: LuongDecoder(size, 4, hidden, ConcatAttention(hidden, hidden, 5), cell),
        "additive": lambda: BahdanauDecoder(
            size, 4, hidden, AdditiveAttention(hidden, hidden, 5), cell
        ),
        "dot, fed": lambda: BahdanauDecoder(size, 4, hidden, DotAttention(hidden), cell),
    }
    model = EncoderDecoder(encoder, decoders[kind]())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2.5)
    return model


@pytest.mark.parametrize("cell", [RNNCell, GRUCell, LSTMCell])
@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("kind", ["none", "dot", "general", "concat", "additive", "dot, fed"])
def test_every_kind_gives_pytorchs_probabilities_and_weights(
    kind: str, cell: type[nn.Module], both: bool
) -> None:
    packed = pack_translator(small(kind, cell, both), WORDS, WORDS)
    model, _, _ = unpack_translator(packed)
    sources = [[4, 5, 6, 7, 2], [12, 2], [8, 8, 8, 2]]
    answers = run({"data": packed.data, "sources": sources, "maxLength": 9, "whole": True})[0]
    for source, answer in zip(sources, answers, strict=True):
        state = model.start(torch.tensor([source]))
        before, difference = 1, 0.0
        for step, written in enumerate(answer["logProbs"]):
            with torch.no_grad():
                log_probs, state, weights = model.step(torch.tensor([before]), state)
            probs = torch.tensor(written, dtype=torch.float).exp()
            difference = max(difference, float((probs - log_probs[0].exp()).abs().max()))
            if weights is None:
                assert answer["weights"][step] is None
            else:
                found = torch.tensor(answer["weights"][step], dtype=torch.float)
                difference = max(difference, float((found - weights[0]).abs().max()))
            before = int(log_probs[0].argmax())
        assert difference < 1e-4


@pytest.mark.parametrize(("width", "alpha"), [(1, 1.0), (3, 1.0), (3, 0.0), (5, 0.6)])
@pytest.mark.parametrize("kind", ["none", "dot", "additive"])
def test_beams_are_those_of_pytorch(kind: str, width: int, alpha: float) -> None:
    packed = pack_translator(small(kind, GRUCell, True), WORDS, WORDS)
    model, _, _ = unpack_translator(packed)
    sources = [[4, 5, 6, 7, 2], [12, 2], [8, 8, 8, 2], [5, 9, 2]]
    job = {"data": packed.data, "sources": sources, "maxLength": 8, "width": width, "alpha": alpha}
    for source, beams in zip(sources, run(job)[0], strict=True):
        wanted = beam_search(model, torch.tensor([source]), width=width, max_length=8, alpha=alpha)
        assert [beam["tokens"] for beam in beams] == wanted.ids()[0]
        scores = torch.tensor([beam["score"] for beam in beams])
        assert torch.allclose(scores, wanted.scores[0], atol=1e-4)


@pytest.fixture(scope="module")
def sources() -> list[list[int]]:
    """Test sentences of all lengths, which no model has learned from."""
    task = translation_task()
    return [task.english.encode(pair.english, eos=True) for pair in task.test[:SENTENCES]]


@pytest.mark.parametrize("name", ["seq2seq", "luong-dot", "additive"])
def test_a_page_translates_as_pytorch_does(name: str, sources: list[list[int]]) -> None:
    model, english, _ = load_translator(name)
    assert english.tokens == translation_task().english.tokens
    packed = read_model(name)
    job = {"data": packed.data, "maxLength": LONGEST}
    greedily, wide = run(
        {**job, "sources": sources}, {**job, "sources": sources[:40], "width": 4, "alpha": 1.0}
    )
    for source, answer in zip(sources, greedily, strict=True):
        wanted = greedy(model, torch.tensor([source]), max_length=LONGEST)
        assert answer["tokens"] == wanted.ids()[0]
        assert answer["score"] == pytest.approx(float(wanted.scores[0]), abs=1e-3)
    for source, beams in zip(sources[:40], wide, strict=True):
        best = beam_search(model, torch.tensor([source]), width=4, max_length=LONGEST).best()
        assert beams[0]["tokens"] == best.ids()[0]


@pytest.mark.parametrize("name", ["seq2seq", "luong-dot", "additive"])
def test_probabilities_and_attention_of_the_trained_models(
    name: str, sources: list[list[int]]
) -> None:
    model, _, _ = load_translator(name)
    some = sorted(sources, key=len)[::30]
    job = {"data": read_model(name).data, "sources": some, "maxLength": LONGEST, "whole": True}
    worst = 0.0
    for source, answer in zip(some, run(job)[0], strict=True):
        state, before = model.start(torch.tensor([source])), 1
        for written, looked in zip(answer["logProbs"], answer["weights"], strict=True):
            with torch.no_grad():
                log_probs, state, weights = model.step(torch.tensor([before]), state)
            pairs = [(torch.tensor(written).exp(), log_probs[0].exp())]
            if weights is not None:
                pairs.append((torch.tensor(looked), weights[0]))
            worst = max(worst, *(float((one - other).abs().max()) for one, other in pairs))
            before = int(log_probs[0].argmax())
    print(f"\n{name}: probabilities and weights differ by {worst:.1e} at most")
    assert worst < 1e-4


def test_rounding_the_weights_changes_hardly_a_translation(sources: list[list[int]]) -> None:
    task = translation_task()
    torch.manual_seed(0)
    encoder = Encoder(len(task.english), 32, 64, GRUCell)
    decoder = LuongDecoder(len(task.japanese), 32, 64, DotAttention(64), GRUCell)
    model = EncoderDecoder(encoder, decoder)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # so small a model is faster on one
    train_translator(model, task, steps=150, learning_rate=8e-3, batch_size=32)
    torch.set_num_threads(threads)
    packed = pack_translator(model.eval(), task.english, task.japanese)
    answers = run({"data": packed.data, "sources": sources, "maxLength": LONGEST})[0]
    alike = 0
    for source, answer in zip(sources, answers, strict=True):
        wanted = greedy(model, torch.tensor([source]), max_length=LONGEST)
        alike += answer["tokens"] == wanted.ids()[0]
    print(f"\nwith weights that are not rounded: {alike} of {len(sources)} translated alike")
    assert alike >= 0.9 * len(sources)
