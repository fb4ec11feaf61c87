"""A recommender in a few lines: how well a person and a film match is a dot product.

Factorising a table of ratings is Koren, Bell and Volinsky, *Matrix Factorization Techniques for
Recommender Systems* (2009). Nothing is known of a person or a film but the stars given.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from contextbook.training import train
from contextbook.validation import check_ratings


class Ratings(NamedTuple):
    """A table of stars, 1 to 5, ``(people, films)``, and which of its cells are known.

    ``seen`` and ``held_out`` are boolean, shaped like the table: ratings to learn from, and
    ratings kept back for the test. All other cells nobody has given.
    """

    stars: Tensor
    seen: Tensor
    held_out: Tensor


def make_ratings(
    generator: torch.Generator, people: int = 40, films: int = 24, tastes: int = 2
) -> Ratings:
    """Invent a table of ratings: people have tastes, films have qualities, chance has its share.

    A rating is 3 plus the dot product of taste and quality, plus noise, rounded to 1 to 5 stars.
    Six in ten cells are known; a fifth of these is held out.

    Args:
        generator: source of the random numbers; the same seed gives the same table.
        people: rows.
        films: columns.
        tastes: numbers that describe a person, and a film.
    """
    likes = torch.randn(people, tastes, generator=generator)
    has = torch.randn(films, tastes, generator=generator)
    noise = 0.3 * torch.randn(people, films, generator=generator)
    stars = (3 + likes @ has.T + noise).round().clamp(1, 5)
    chance = torch.rand(people, films, generator=generator)
    return Ratings(stars, seen=chance < 0.48, held_out=(chance >= 0.48) & (chance < 0.6))


class MatrixFactorization(nn.Module):
    """Predict a rating as the mean rating plus a dot product of learned vectors.

    Args:
        people: number of people.
        films: number of films.
        dim: length of a vector.
        mean: the mean of the known ratings.
        generator: source of the random numbers it starts from.
    """

    def __init__(
        self,
        people: int,
        films: int,
        dim: int,
        mean: float,
        *,
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.people = nn.Parameter(0.1 * torch.randn(people, dim, generator=generator))
        self.films = nn.Parameter(0.1 * torch.randn(films, dim, generator=generator))
        self.mean = mean

    def forward(self) -> Tensor:
        """Predict all ratings, ``(people, films)``."""
        return self.mean + self.people @ self.films.T


def train_factorization(
    model: nn.Module,
    stars: Tensor,
    seen: Tensor,
    *,
    steps: int = 300,
    learning_rate: float = 0.03,
    decay: float = 0.02,
) -> list[float]:
    """Fit the predictions to the ratings that were seen, by gradient descent (Adam).

    Args:
        model: called without arguments, predicts ``(people, films)``.
        stars: the table of ratings ``(people, films)``.
        seen: boolean ``(people, films)``; only these cells are looked at.
        steps: number of updates.
        learning_rate: Adam's step size.
        decay: pull of all vectors towards zero, lest the few ratings are learned by heart.

    Returns:
        The loss at each step.

    Raises:
        ValueError: shapes or dtypes do not fit together, or no rating was seen.
    """
    check_ratings(stars, seen)

    def loss() -> Tensor:
        error = ((model() - stars)[seen] ** 2).mean()
        size = torch.stack([(vectors**2).mean() for vectors in model.parameters()]).sum()
        return error + decay * size

    return train(model, loss, steps, learning_rate).loss


def rating_error(prediction: Tensor | float, ratings: Ratings) -> float:
    """Typical error on the held-out ratings, in stars (root of the mean squared error)."""
    error = (ratings.stars - prediction)[ratings.held_out]
    return (error**2).mean().sqrt().item()
