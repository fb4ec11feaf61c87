"""What only a machine with a GPU can tell: the chapters' models train there as on the CPU.

Elsewhere the whole file is skipped; `test_precision.py` then plays what it can.
"""

import copy

import pytest
import torch
from torch import nn

from contextbook.recurrent import LSTMCell
from contextbook.seq2seq import Decoder, DotAttention, Encoder, EncoderDecoder, LuongDecoder
from contextbook.training import (
    Checkpoint,
    best_device,
    half_precision,
    mixed_precision,
    seeded,
    train,
)
from contextbook.transformer import Transformer
from contextbook.translation import (
    TranslationTask,
    evaluate,
    to_device,
    train_translator,
    translate,
    translation_task,
)

DEVICE = best_device()
pytestmark = pytest.mark.skipif(DEVICE.type == "cpu", reason="this machine has no GPU")
KINDS = ["vector", "attention", "transformer"]


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    return translation_task(train=400, test=20, longest=6)


def translator(kind: str, task: TranslationTask) -> nn.Module:
    sizes = len(task.english), len(task.japanese)
    torch.manual_seed(0)
    if kind == "transformer":
        return Transformer(*sizes, layers=2, d_model=32, heads=4)
    if kind == "vector":
        decoder: nn.Module = Decoder(sizes[1], 32, 32, LSTMCell)
    else:
        decoder = LuongDecoder(sizes[1], 32, 32, DotAttention(32), LSTMCell)
    return EncoderDecoder(Encoder(sizes[0], 32, 32, LSTMCell), decoder)


def test_forward_and_translations_are_those_of_the_cpu(task):
    batch, sentences = task.batch(task.test), [pair.english for pair in task.test]
    for kind in KINDS:
        model = translator(kind, task).eval()
        there = copy.deepcopy(model).to(DEVICE)
        with torch.no_grad():
            ours = model(*batch[:3])[0]
            theirs = there(*to_device(batch, DEVICE)[:3])[0]
        assert theirs.device.type == DEVICE.type
        torch.testing.assert_close(theirs.cpu(), ours, rtol=1e-3, atol=1e-3)
        pairs = zip(
            translate(model, task, sentences), translate(there, task, sentences), strict=True
        )
        assert sum(one == other for one, other in pairs) >= len(sentences) - 1, kind
        assert len(translate(there, task, sentences, width=3)) == len(sentences)


def test_training_in_the_precision_that_the_device_is_fast_at_learns(task):
    for kind in KINDS:
        model = translator(kind, task).to(DEVICE)
        with mixed_precision(model) as dtype:
            assert dtype is half_precision(DEVICE)
            history = train_translator(model, task, steps=300, learning_rate=1e-2, batch_size=32)
        assert {weight.dtype for weight in model.parameters()} == {torch.float32}
        assert sum(history.loss[-20:]) / 20 < 1 < 3 < history.loss[0], kind
        there = evaluate(model, task)
        assert evaluate(model.cpu(), task).bleu == pytest.approx(there.bleu, abs=5), kind


def test_a_training_with_dropout_resumes_as_if_it_had_never_stopped(tmp_path):
    def run(steps: int, **options: bool) -> nn.Module:
        generator = seeded(0)
        model = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 1)).to(DEVICE)

        def loss() -> torch.Tensor:
            x = torch.randn(8, 4, generator=generator).to(DEVICE)
            return (model(x)[:, 0] - x.sum(1)).square().mean()

        checkpoint = Checkpoint(tmp_path / f"{options}.pt", every=5, **options)
        train(model, loss, steps, generator=generator, checkpoint=checkpoint)
        return model

    whole = run(20)
    run(10)  # replaces the file of the whole training
    (tmp_path / "{}.pt").rename(tmp_path / "{'resume': True}.pt")
    resumed = run(20, resume=True)
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)
