"""Chapter 3: what states are good for: the last one to classify, each one to forecast a wave."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.datasets.reviews import TOPICS, Review, reviews
from contextbook.datasets.waves import noisy_waves
from contextbook.embeddings import Embedding
from contextbook.experiments.chapter03 import HIDDEN, WIDTH, accuracy, one_thread
from contextbook.experiments.record import experiment
from contextbook.readers import FromEachState, FromLastState
from contextbook.recurrent import RNNCell, Unrolled
from contextbook.text import Vocabulary, frequent_tokens, pad
from contextbook.training import train

TIME, WARM_UP = 40, 10  # steps of a wave that are read; the first ones are not judged
LAGS = 10  # values that the linear forecast sees


# --- the last state classifies ---


class Labelled(NamedTuple):
    """Reviews as ids, with their lengths and both labels."""

    ids: Tensor  # (reviews, time), padded with 0
    lengths: Tensor  # (reviews,)
    topic: Tensor  # (reviews,), 0 to 3
    liked: Tensor  # (reviews,), 0 or 1


def labelled(written: Sequence[Review], vocabulary: Vocabulary) -> Labelled:
    """Make a batch of reviews."""
    return Labelled(
        torch.from_numpy(pad([vocabulary.encode(review.words) for review in written])),
        torch.tensor([len(review.words) for review in written]),
        torch.tensor([review.topic for review in written]),
        torch.tensor([review.liked for review in written]),
    )


class BagOfWords(nn.Module):
    """The rival that sees which words there are, and not where: counts, then two linear maps."""

    def __init__(self, words: int, answers: int) -> None:
        super().__init__()
        self.words = words
        self.head = nn.Sequential(nn.Linear(words, 32), nn.ReLU(), nn.Linear(32, answers))

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """From padded ids ``(batch, time)`` to logits ``(batch, answers)``."""
        counts = F.one_hot(ids, self.words).sum(1).float()  # (B, words)
        counts[:, 0] = 0.0  # padding is no word
        return self.head(counts)


def train_classifier(
    model: nn.Module,
    data: Labelled,
    label: str,
    generator: torch.Generator,
    steps: int = 600,
) -> None:
    """Train on batches of 64 reviews drawn at random.

    Args:
        model: called with ids and lengths; returns logits ``(batch, answers)``.
        data: what to learn from.
        label: ``"topic"`` or ``"liked"``.
        generator: source of the random numbers.
        steps: number of updates.
    """
    targets = getattr(data, label)

    def loss() -> Tensor:
        rows = torch.randint(len(targets), (64,), generator=generator)
        return F.cross_entropy(model(data.ids[rows], data.lengths[rows]), targets[rows])

    train(model, loss, steps, 5e-3)


@experiment(seeds=range(5), grid=[{"label": "topic"}, {"label": "liked"}])
def review_classification(seed: int, label: str) -> dict[str, float]:
    """Share of new reviews told rightly: always the most frequent label, a bag of words, an RNN."""
    with one_thread():
        generator = torch.Generator().manual_seed(seed)
        written = reviews(generator, 5000)
        vocabulary = Vocabulary(frequent_tokens([r.words for r in written[:4000]]), ["<pad>"])
        data, new = (labelled(part, vocabulary) for part in (written[:4000], written[4000:]))
        words, answers = len(vocabulary), len(TOPICS) if label == "topic" else 2
        torch.manual_seed(seed)
        layer = Unrolled(RNNCell(WIDTH, HIDDEN))
        models = {
            "rnn": FromLastState(Embedding(words, WIDTH), layer, nn.Linear(HIDDEN, answers)),
            "bag": BagOfWords(words, answers),
        }
        target = getattr(new, label)
        frequent = getattr(data, label).bincount().argmax()
        measured = {"majority": (target == frequent).float().mean().item()}
        for name, model in models.items():
            train_classifier(model, data, label, generator)
            measured[name] = accuracy(model(new.ids, new.lengths), target)
        return measured


# --- a plain time series ---


def train_forecast(model: nn.Module, generator: torch.Generator, steps: int = 500) -> None:
    """Train a model to foretell the next value of noisy waves at every step."""

    def loss() -> Tensor:
        waves = noisy_waves(generator, 64, TIME + 1)
        return F.mse_loss(model(waves[:, :-1]), waves[:, 1:])

    train(model, loss, steps, 5e-3)


def forecasts(model: nn.Module, waves: Tensor, generator: torch.Generator) -> dict[str, Tensor]:
    """Foretell each next value of ``waves`` (B, TIME + 1, 1), from step 10 on, in four ways.

    Returns:
        For each way, ``(B, TIME - 10)``: ``last`` says the value before again, ``line`` goes on
        straight from the last two, ``linear`` is the best weighted sum of the last ten (by least
        squares, on waves of its own), ``rnn`` is the model.
    """
    with torch.no_grad():
        foretold = model(waves[:, :-1])[:, WARM_UP:, 0]
    fitted = noisy_waves(generator, 2000, TIME + 1)[..., 0].unfold(1, LAGS + 1, 1).flatten(0, 1)
    weights = torch.linalg.lstsq(fitted[:, :-1], fitted[:, -1:]).solution  # (LAGS, 1)
    series = waves[..., 0]
    windows = series.unfold(1, LAGS, 1)[:, 1:-1]  # (B, TIME - 10, LAGS)
    return {
        "last": series[:, WARM_UP:-1],
        "line": 2 * series[:, WARM_UP:-1] - series[:, WARM_UP - 1 : -2],
        "linear": (windows @ weights)[..., 0],
        "rnn": foretold,
    }


def forecast_errors(guesses: dict[str, Tensor], waves: Tensor) -> dict[str, float]:
    """The root of the mean squared error of each way."""
    right = waves[:, WARM_UP + 1 :, 0]
    return {name: (guess - right).pow(2).mean().sqrt().item() for name, guess in guesses.items()}


@experiment(seeds=range(5))
def wave_forecast(seed: int) -> dict[str, float]:
    """Error of the next value of new noisy waves, whose noise has a size of 0.1."""
    with one_thread():
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed)
        model = FromEachState(nn.Identity(), Unrolled(RNNCell(1, 32)), nn.Linear(32, 1))
        train_forecast(model, generator)
        waves = noisy_waves(generator, 1000, TIME + 1)
        return forecast_errors(forecasts(model, waves, generator), waves)
