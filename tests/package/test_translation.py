"""The translation task: its data, one training call for any model, and a fair report."""

import pytest
import torch
from torch import Tensor, nn

from contextbook.datasets import running_pair
from contextbook.metrics import LENGTH_BINS
from contextbook.recurrent import GRUCell
from contextbook.seq2seq import (
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    LuongDecoder,
    sequence_loss,
)
from contextbook.translation import (
    LONGEST,
    Report,
    TranslationTask,
    evaluate,
    gold_alignment,
    train_translator,
    translate,
    translation_task,
)


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    return translation_task(train=1500, test=60)


def small(task: TranslationTask, *, attention: bool) -> EncoderDecoder:
    torch.manual_seed(0)
    encoder = Encoder(len(task.english), 12, 16, GRUCell)
    sizes = len(task.japanese), 12, 16
    if attention:
        decoder: nn.Module = LuongDecoder(*sizes, DotAttention(16), GRUCell)
    else:
        decoder = Decoder(*sizes, GRUCell)
    return EncoderDecoder(encoder, decoder)


class Perfect(nn.Module):
    """Knows the test sentences by heart: what a flawless model would score."""

    def __init__(self, task: TranslationTask) -> None:
        super().__init__()
        self.anchor = nn.Parameter(torch.zeros(1))  # tells the device
        self.task, self.modes = task, []
        batch = task.batch(task.test)
        self.known = {
            tuple(row[:n].tolist()): ids
            for row, n, ids in zip(
                batch.source, batch.source_lengths, batch.target_out.tolist(), strict=True
            )
        }

    def start(self, source: Tensor, lengths: Tensor) -> tuple[list[list[int]], int]:
        self.modes.append(self.training)
        rows = zip(source, lengths, strict=True)
        return [self.known[tuple(row[:n].tolist())] for row, n in rows], 0

    def step(self, tokens: Tensor, state):
        answers, i = state
        log_probs = torch.full((len(tokens), len(self.task.japanese)), -20.0)
        for row, answer in zip(log_probs, answers, strict=True):
            row[answer[i] if i < len(answer) else 0] = 0.0
        return log_probs, (answers, i + 1), None

    def forward(self, source: Tensor, lengths: Tensor, target_in: Tensor):
        self.modes.append(self.training)
        gold = self.task.batch(self.task.test).gold
        weights = torch.zeros(*gold.shape, source.shape[1])
        weights.scatter_(2, gold.clamp(min=0)[..., None], 1.0)
        return None, weights


def test_no_test_sentence_was_learned_from(task):
    learned = {pair.english for pair in task.train}
    assert not learned & {pair.english for pair in task.test}
    assert running_pair().english not in learned | {pair.english for pair in task.test}
    assert (len(task.train), len(task.test)) == (1500, 60)


def test_the_longest_translation_fits(task):
    pairs = task.train + task.test
    assert max(len(pair.japanese) for pair in pairs) < LONGEST


def test_training_lowers_the_loss_and_repeats_itself(task):
    batch = task.batch(task.test)

    def trained() -> tuple[EncoderDecoder, float, float]:
        model = small(task, attention=False)
        losses = []
        for steps in (0, 25):
            if steps:
                train_translator(model, task, steps=steps, learning_rate=1e-2)
            logits = model(batch.source, batch.source_lengths, batch.target_in)[0]
            losses.append(sequence_loss(logits, batch.target_out).item())
        return model, losses[0], losses[1]

    first, before, after = trained()
    second, _, again = trained()
    assert after < before - 0.4
    assert after == again
    for one, other in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_perfect_model_gets_perfect_marks_in_evaluation_mode(task):
    model = Perfect(task)
    assert model.training
    report = evaluate(model, task)
    assert report.exact == dict.fromkeys(LENGTH_BINS, 1.0)
    assert report.bleu == pytest.approx(100)
    assert report.alignment == 1.0
    assert model.modes == [False, False]
    assert model.training, "it is as it was before"


def test_an_untrained_model_gets_none(task):
    report = evaluate(small(task, attention=False), task)
    assert max(report.exact.values()) == 0
    assert report.bleu < 5
    assert report.alignment is None
    assert list(report.numbers()) == [f"exact_{low}" for low, _ in LENGTH_BINS] + ["bleu"]


def test_alignment_is_reported_with_attention_and_averaged_over_heads(task):
    model, batch = small(task, attention=True), task.batch(task.test)
    share = gold_alignment(model, batch)
    assert share is not None
    assert 0 <= share < 1
    assert evaluate(model, task).alignment == share

    class TwoHeads(nn.Module):
        """Head 0 is always right, head 1 looks at the first word, a little less surely."""

        def __init__(self) -> None:
            super().__init__()
            self.anchor = nn.Parameter(torch.zeros(1))

        def forward(self, source, lengths, target_in):
            right = Perfect(task)(source, lengths, target_in)[1]
            first = torch.zeros_like(right)
            first[..., 0] = 0.9
            return None, torch.stack([right, first], dim=1)

    assert gold_alignment(TwoHeads(), batch) == 1.0


def test_one_sentence_alone_and_in_a_batch_is_translated_alike(task):
    model = small(task, attention=True)
    train_translator(model, task, steps=10, learning_rate=1e-2)
    sentences = [pair.english for pair in task.test[:6]]
    together = translate(model, task, sentences)
    assert together == [translate(model, task, [" ".join(row)])[0] for row in sentences]
    # a beam of width 1 would be greedy: see that the width arrives
    assert len(translate(model, task, sentences, width=3)) == len(sentences)


def test_a_model_is_as_it_was_though_its_decoding_fails(task):
    class Failing(Perfect):
        def start(self, source, lengths):
            assert not self.training
            raise RuntimeError("no")

        def forward(self, source, lengths, target_in):
            return self.start(source, lengths)

    model = Failing(task)
    for call in (
        lambda: translate(model, task, [task.test[0].english]),
        lambda: gold_alignment(model, task.batch(task.test)),
    ):
        with pytest.raises(RuntimeError, match="no"):
            call()
        assert model.training


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([], "no sentence"),
        ([""], "is empty"),
        (["the walrus walked ."], r"not in the vocabulary are \['walrus'\]"),
    ],
)
def test_bad_input_is_named(task, sentences, message):
    with pytest.raises(ValueError, match=message):
        translate(small(task, attention=False), task, sentences)


def test_a_report_as_a_row():
    report = Report({(3, 4): 0.5, (22, 25): 0.0}, 12.5, 0.75)
    assert report.numbers() == {"exact_3": 0.5, "exact_22": 0.0, "bleu": 12.5, "alignment": 0.75}
