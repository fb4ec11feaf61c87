"""The running task from chapter 7 on: translate the grammar's English into Japanese.

::

    task = translation_task()
    model = EncoderDecoder(encoder, decoder)  # or a Transformer, or one of your own
    train_translator(model, task, steps=400, learning_rate=8e-3)
    written = translate(model, task, ["the dog walked ."])
    report = evaluate(model, task)  # exact matches by length, BLEU, alignment

Any model will do that is called ``model(source, source_lengths, target_in) -> (logits, weights)``
and that :mod:`contextbook.decoding` can decode.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.datasets import Pair, splits
from contextbook.decoding import beam_search, greedy
from contextbook.metrics import alignment_accuracy, bleu, exact_match_by_length
from contextbook.seq2seq import Batch, make_batch, sequence_loss, vocabularies
from contextbook.text import Vocabulary
from contextbook.training import History, linear_decay, train

LONGEST = 46
"""Most tokens that a translation is allowed, the stop token included; the longest has 42."""


@dataclass(frozen=True)
class TranslationTask:
    """Sentence pairs to learn from and to be tested on, and the vocabularies of both languages."""

    train: list[Pair]
    test: list[Pair]
    english: Vocabulary
    japanese: Vocabulary

    def batch(self, pairs: Sequence[Pair]) -> Batch:
        """Sentence pairs as tensors, padded."""
        return make_batch(pairs, self.english, self.japanese)


def translation_task(
    seed: int = 0, *, train: int = 20_000, test: int = 600, longest: int = 25
) -> TranslationTask:
    """Generate the task: pairs of 3 to ``longest`` English words, each length about as often.

    No test sentence is among those of training; the running sentence is in neither.

    Raises:
        ValueError: as :func:`contextbook.datasets.splits`.
    """
    data = splits(seed, train=train, validation=0, test=test, longest=longest)
    return TranslationTask(data.train, data.test, *vocabularies(data.train))


def train_translator(
    model: nn.Module,
    task: TranslationTask,
    *,
    steps: int,
    learning_rate: float,
    batch_size: int = 64,
    seed: int = 0,
) -> History:
    """Train a model to foresee each next token of the translation, by teacher forcing.

    A batch holds sentences of like length, so that little of it is padding. The learning rate rises
    over the first tenth of the steps, then falls in equal steps; gradients are clipped to length 1.

    Args:
        model: called ``model(source, source_lengths, target_in)``; returns logits first.
        task: what it learns from.
        steps: number of updates.
        learning_rate: Adam's, at its highest.
        batch_size: pairs in a batch.
        seed: of the order of the batches.
    """
    draw = torch.Generator().manual_seed(seed)
    chance = torch.rand(len(task.train), generator=draw).tolist()
    rows = range(len(task.train))
    order = sorted(rows, key=lambda row: (len(task.train[row].english), chance[row]))
    starts = range(0, len(order), batch_size)
    batches = [[task.train[row] for row in order[first : first + batch_size]] for first in starts]
    device = next(model.parameters()).device
    waiting: list[int] = []

    def loss() -> Tensor:
        if not waiting:
            waiting.extend(torch.randperm(len(batches), generator=draw).tolist())
        batch = to_device(task.batch(batches[waiting.pop()]), device)
        logits = model(batch.source, batch.source_lengths, batch.target_in)[0]
        return sequence_loss(logits, batch.target_out)

    schedule = linear_decay(steps, warmup=steps // 10)
    return train(
        model, loss, steps, learning_rate, schedule=schedule, clip_norm=1.0, generator=draw
    )


@torch.no_grad()
def translate(
    model: Any, task: TranslationTask, sentences: Sequence[Sequence[str] | str], *, width: int = 1
) -> list[list[str]]:
    """Translate English sentences, greedily or with a beam.

    Args:
        model: decoded as :mod:`contextbook.decoding` says; it is put in evaluation mode meanwhile.
        task: whose vocabularies are used.
        sentences: lists of tokens, or strings with spaces between tokens.
        width: of the beam; 1 is greedy.

    Returns:
        The tokens of each translation.

    Raises:
        ValueError: there are no sentences, or one has a word that is not in the vocabulary.
    """
    rows = [sentence.split() if isinstance(sentence, str) else sentence for sentence in sentences]
    _check_sentences(rows, task.english)
    ids = [task.english.encode(row, eos=True) for row in rows]
    device = next(model.parameters()).device
    lengths = torch.tensor([len(row) for row in ids])
    source = torch.zeros(len(ids), int(lengths.max()), dtype=torch.long)
    for row, numbers in zip(source, ids, strict=True):
        row[: len(numbers)] = torch.tensor(numbers)
    inputs = source.to(device), lengths.to(device)
    with evaluating(model):
        if width == 1:
            written = greedy(model, *inputs, max_length=LONGEST).ids()
        else:
            written = beam_search(model, *inputs, width=width, max_length=LONGEST).best().ids()
    return [task.japanese.decode(row) for row in written]


@dataclass(frozen=True)
class Report:
    """How good a model's translations of the test sentences are.

    Attributes:
        exact: share of sentences without a mistake, for each range of lengths in words.
        bleu: of all test sentences together, 0 to 100.
        alignment: share of the words that attend most to the word they translate, by teacher
            forcing; ``None`` for a model without attention.
    """

    exact: dict[tuple[int, int], float]
    bleu: float
    alignment: float | None

    def numbers(self) -> dict[str, float]:
        """The report as one row of a record: ``exact_3`` is that of 3 to 4 words."""
        row = {f"exact_{shortest}": share for (shortest, _), share in self.exact.items()}
        row["bleu"] = self.bleu
        return row if self.alignment is None else row | {"alignment": self.alignment}


@torch.no_grad()
def evaluate(model: Any, task: TranslationTask, *, pairs: Sequence[Pair] | None = None) -> Report:
    """Translate the test sentences greedily, and compare with the grammar's translations.

    Args:
        model: as in :func:`translate`.
        task: whose test sentences and vocabularies are used.
        pairs: other pairs to report on.
    """
    pairs = task.test if pairs is None else pairs
    written = translate(model, task, [pair.english for pair in pairs])
    wanted = [pair.japanese for pair in pairs]
    exact = exact_match_by_length(written, wanted, [pair.words for pair in pairs])
    return Report(exact, bleu(written, wanted), gold_alignment(model, task.batch(pairs)))


@torch.no_grad()
def gold_alignment(model: Any, batch: Batch) -> float | None:
    """Share of target words that attend most to the word they translate; ``None`` without weights.

    Weights with an axis for heads, ``(batch, heads, T_y, T_x)``, are averaged over the heads.
    """
    moved = to_device(batch, next(model.parameters()).device)
    with evaluating(model):
        weights = model(moved.source, moved.source_lengths, moved.target_in)[1]
    if weights is None:
        return None
    weights = weights.mean(dim=1) if weights.ndim == 4 else weights
    return alignment_accuracy(weights.cpu(), batch.gold)


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Put a model in evaluation mode; afterwards, whatever happens, it is as it was."""
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)


def to_device(batch: Batch, device: torch.device) -> Batch:
    """The same batch on another device."""
    return Batch(*(part.to(device) for part in batch))


def _check_sentences(rows: Sequence[Sequence[str]], english: Vocabulary) -> None:
    if not rows:
        raise ValueError("there is no sentence to translate")
    for row in rows:
        unknown = [word for word in row if word not in english.ids]
        if unknown or not row:
            raise ValueError(
                f"cannot translate {' '.join(row)!r}: not in the vocabulary are {unknown}"
                if row
                else "a sentence to translate is empty"
            )
