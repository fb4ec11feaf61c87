"""Chapter 12: one stack of layers as a small GPT, and as a small BERT."""

from collections.abc import Sequence

import torch
from torch import Tensor

from contextbook.datasets import Pair
from contextbook.experiments.chapter07 import task
from contextbook.experiments.record import experiment
from contextbook.language_model import GAP, LanguageModel, fill_loss, foresee_loss, hide
from contextbook.text import Vocabulary
from contextbook.training import linear_decay, train
from contextbook.translation import TranslationTask

STEPS = 800
HIDDEN = 0.2  # share of the tokens that are hidden
LONGEST = 16  # tokens of a sentence


def japanese_sentences(task: TranslationTask) -> tuple[Tensor, Tensor]:
    """The shorter Japanese sentences of training and test, as ids ``(sentences, T)``."""
    return padded(task.train, task.japanese), padded(task.test, task.japanese)


def padded(pairs: Sequence[Pair], vocabulary: Vocabulary) -> Tensor:
    """Sentences of up to 16 tokens, between start and stop, filled up with padding."""
    rows = [pair.japanese for pair in pairs if len(pair.japanese) <= LONGEST]
    ids = torch.zeros(len(rows), LONGEST + 2, dtype=torch.long)
    for row, sentence in zip(ids, rows, strict=True):
        numbers = vocabulary.encode(sentence, bos=True, eos=True)
        row[: len(numbers)] = torch.tensor(numbers)
    return ids


def train_language_model(
    model: LanguageModel, sentences: Tensor, seed: int, steps: int = STEPS
) -> LanguageModel:
    """Train to foresee each next token, or without a causal mask to fill in what is hidden."""
    draw = torch.Generator().manual_seed(seed)

    def loss() -> Tensor:
        tokens = sentences[torch.randint(len(sentences), (64,), generator=draw)]
        if model.causal:
            return foresee_loss(model, tokens)
        return fill_loss(model, tokens, hide(tokens, HIDDEN, draw))

    schedule = linear_decay(steps, warmup=steps // 10)
    train(model, loss, steps, 3e-3, schedule=schedule, clip_norm=1.0)
    return model.eval()


@torch.no_grad()
def guesses(model: LanguageModel, tokens: Tensor) -> Tensor:
    """Probabilities of every token at every place of ``(T,)``, by what the model sees of the rest.

    A causal model sees what stands before; the other sees all but the token itself, which is
    hidden.

    Returns:
        ``(T - 2, vocabulary)``: start and stop are not guessed.
    """
    inner = range(1, len(tokens) - 1)
    if model.causal:
        return model(tokens[None, :-1])[0, :-1].softmax(dim=-1)
    places = torch.tensor(inner)[:, None]
    one_hidden = tokens.repeat(len(inner), 1).scatter(1, places, GAP)  # a row for each hidden place
    logits = model(one_hidden)
    return logits[torch.arange(len(inner)), places[:, 0]].softmax(dim=-1)


@torch.no_grad()
def guessed_right(model: LanguageModel, sentences: Tensor) -> float:
    """Share of the tokens that are the model's first guess, one hidden at a time."""
    right = count = 0
    for row in sentences:
        tokens = row[row != 0]
        truth = tokens[1:-1]
        right += int((guesses(model, tokens).argmax(dim=-1) == truth).sum())
        count += len(truth)
    return right / count


@experiment(seeds=range(5), grid=[{"causal": True}, {"causal": False}])
def foresee_or_fill(seed: int, causal: bool) -> dict[str, float]:
    """Share of right guesses in 150 test sentences, seeing the left alone, or both sides."""
    torch.manual_seed(seed)
    learned, tested = japanese_sentences(task())
    model = LanguageModel(len(task().japanese), causal, d_model=64, heads=4)
    train_language_model(model, learned, seed)
    return {"right": guessed_right(model, tested[:150])}
