"""Chapter 3: n-grams and their wall, at a task made for it and at the grammar's next word."""

import math
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.datasets import splits
from contextbook.datasets.tasks import Recall, recall_batch, recall_vocabulary
from contextbook.embeddings import Embedding
from contextbook.experiments.record import experiment
from contextbook.ngrams import NGramModel
from contextbook.readers import FromEachState, FromLastState
from contextbook.recurrent import RNNCell, Unrolled
from contextbook.text import Vocabulary, frequent_tokens, pad
from contextbook.training import train

SYMBOLS = 8
ORDERS = (2, 3, 5, 9)  # of the n-grams at the wall
WIDTH, HIDDEN = 16, 24  # of the embeddings and states that read words
EVEN = 0.01  # of the probability, spread evenly over all words before perplexity is taken


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: networks this small wait longer for a second one than it saves."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


# --- the first token decides the last ---


def recall_reader(layer: nn.Module, width: int = WIDTH, hidden: int = 64) -> FromLastState:
    """A model that reads symbols and answers with one of the eight."""
    return FromLastState(
        Embedding(recall_vocabulary(SYMBOLS), width), layer, nn.Linear(hidden, SYMBOLS)
    )


def recall_batches(generator: torch.Generator, distance: int, count: int = 500) -> list[Recall]:
    """The rows to learn from, 64 in a batch: the same for the network and for the n-grams."""
    return [recall_batch(generator, 64, distance, SYMBOLS) for _ in range(count)]


def train_recall(model: nn.Module, batches: Sequence[Recall]) -> None:
    """Let a network see each batch once."""
    left = iter(batches)

    def loss() -> Tensor:
        batch = next(left)
        return F.cross_entropy(model(batch.inputs), batch.targets)

    train(model, loss, len(batches), 3e-3)


def recall_rows(batches: Sequence[Recall]) -> list[list[Any]]:
    """The same rows as sentences for an n-gram; the answer, written as text, ends each."""
    return [
        [*inputs, str(target)]
        for batch in batches
        for inputs, target in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True)
    ]


def ngram_accuracy(model: NGramModel, sentences: Sequence[Sequence[Hashable]]) -> float:
    """Share of the sentences whose last token is guessed from all before it."""
    return sum(model.predict(row[:-1]) == row[-1] for row in sentences) / len(sentences)


@torch.no_grad()
def accuracy(logits: Tensor, targets: Tensor) -> float:
    """Share of the answers whose largest score is that of the target."""
    return (logits.argmax(-1) == targets).float().mean().item()


@experiment(seeds=range(5), grid=[{"distance": distance} for distance in range(7)])
def long_dependency(seed: int, distance: int) -> dict[str, float]:
    """Right answers to "which symbol came first?" behind ``distance`` others, chance 1/8."""
    with one_thread():
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed)
        batches = recall_batches(generator, distance)
        model = recall_reader(Unrolled(RNNCell(WIDTH, 64)))
        train_recall(model, batches)
        test = recall_batch(generator, 2000, distance, SYMBOLS)
        measured = {"rnn": accuracy(model(test.inputs), test.targets)}
        rows, questions = recall_rows(batches), recall_rows([test])
        for n in ORDERS:
            measured[f"ngram{n}"] = ngram_accuracy(NGramModel(n).learn(rows), questions)
        return measured


# --- each state predicts the next word ---


class Corpus(NamedTuple):
    """The grammar's Japanese, of the small vocabulary: 3 to 16 English words a sentence."""

    vocabulary: Vocabulary
    train: list[tuple[str, ...]]
    test: list[tuple[str, ...]]

    def ids(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Sentences as a padded batch, ``(sentences, time)``."""
        return torch.from_numpy(pad([self.vocabulary.encode(tokens) for tokens in sentences]))


def japanese_corpus(seed: int, sentences: int = 8000) -> Corpus:
    """Sentences to learn from and 1,000 others to judge by; the running sentence is in neither."""
    made = splits(seed, train=sentences, validation=0, test=1000, longest=16, vocabulary="small")
    learned, judged = ([pair.japanese for pair in part] for part in (made.train, made.test))
    return Corpus(Vocabulary(frequent_tokens(learned), ["<pad>"]), learned, judged)


def next_word_loss(model: nn.Module, ids: Tensor) -> Tensor:
    """How badly each state foretells the next word; padding does not count.

    Args:
        model: from ids ``(batch, time)`` to logits ``(batch, time, words)``.
        ids: ``(batch, time + 1)``: all but the last are read, all but the first are foretold.
    """
    logits = model(ids[:, :-1])  # (B, T, words)
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=0)


def train_next_word(
    model: nn.Module, ids: Tensor, generator: torch.Generator, steps: int = 1000
) -> list[float]:
    """Train on batches of 64 sentences drawn at random; return the loss at each step."""

    def loss() -> Tensor:
        batch = ids[torch.randint(len(ids), (64,), generator=generator)]
        return next_word_loss(model, batch)

    return train(model, loss, steps, 5e-3).loss


def score_guesses(probabilities: Tensor, right: Tensor) -> dict[str, float]:
    """Judge guesses: the share that is right, and the perplexity.

    Perplexity is the exponential of the mean surprise: guessing evenly among k words has k. A
    hundredth of the probability is first spread evenly over all words, so that one word which was
    thought impossible does not make it infinite.

    Args:
        probabilities: ``(guesses, words)``.
        right: ids ``(guesses,)``.
    """
    mixed = (1 - EVEN) * probabilities + EVEN / probabilities.shape[-1]
    surprise = -mixed.gather(-1, right[:, None]).log().mean()
    hits = (probabilities.argmax(-1) == right).float().mean()
    return {"accuracy": hits.item(), "perplexity": math.exp(surprise.item())}


@torch.no_grad()
def score_reader(model: nn.Module, ids: Tensor) -> dict[str, float]:
    """Judge a network on every word but the first of each sentence."""
    right, guesses = ids[:, 1:], model(ids[:, :-1]).softmax(-1)
    return score_guesses(guesses[right > 0], right[right > 0])


def score_ngram(n: int, corpus: Corpus) -> dict[str, float]:
    """Judge n-grams that learned from the same sentences, on the same words."""
    model = NGramModel(n).learn(corpus.train)
    ids = corpus.vocabulary.ids
    places = [(tokens[:t], tokens[t]) for tokens in corpus.test for t in range(1, len(tokens))]
    guesses = torch.zeros(len(places), len(corpus.vocabulary))
    for row, (before, _) in zip(guesses, places, strict=True):
        found = model.probabilities(before)
        row[[ids[token] for token in found]] = torch.tensor(list(found.values()))
    return score_guesses(guesses, torch.tensor([ids[token] for _, token in places]))


@experiment(seeds=range(5))
def guess_the_next_word(seed: int) -> dict[str, float]:
    """Guesses of the next word of unread sentences, by n-grams and from an RNN's states."""
    with one_thread():
        corpus = japanese_corpus(seed)
        torch.manual_seed(seed)
        words = len(corpus.vocabulary)
        model = FromEachState(
            Embedding(words, WIDTH), Unrolled(RNNCell(WIDTH, HIDDEN)), nn.Linear(HIDDEN, words)
        )
        generator = torch.Generator().manual_seed(seed)
        train_next_word(model, corpus.ids(corpus.train), generator)
        measured: dict[str, float] = {}
        scores = {"rnn": score_reader(model, corpus.ids(corpus.test))}
        scores |= {f"ngram{n}": score_ngram(n, corpus) for n in range(1, 7)}
        for name, score in scores.items():
            measured |= {f"{name}_{measure}": value for measure, value in score.items()}
        return measured
