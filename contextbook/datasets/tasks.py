"""Small tasks, each of which needs one thing that an architecture has or lacks.

Every batch is drawn from the ``torch.Generator`` passed in, so that a seed fixes a whole
training run; tensors are made on the generator's device.
"""

from typing import NamedTuple

import torch
from torch import Generator, Tensor


class Recall(NamedTuple):
    """Remember the first symbol across ``distance`` others (chapters 5 and 6)."""

    inputs: Tensor  # (batch, distance + 2), int64 below recall_vocabulary(symbols)
    targets: Tensor  # (batch,), int64 below symbols: the first input


class Homograph(NamedTuple):
    """はし is a bridge or chopsticks: a word that comes later tells (chapter 4)."""

    inputs: Tensor  # (batch, HOMOGRAPH_LENGTH), int64 below HOMOGRAPH_VOCABULARY
    position: Tensor  # (batch,), int64: where はし stands, and the question is asked
    targets: Tensor  # (batch,), int64: 0 = bridge, 1 = chopsticks


class WhoBites(NamedTuple):
    """One name bites another, and only their order tells who (chapter 11)."""

    inputs: Tensor  # (batch, 4), int64 below WHO_BITES_VOCABULARY: start, biter, verb, bitten
    targets: Tensor  # (batch,), int64: 1 if the biter's number is the smaller one, else 0


class Lookup(NamedTuple):
    """Find the pair whose key is asked for, and say its value (chapter 9)."""

    query: Tensor  # (batch,), int64 below symbols: one of the keys of its row
    keys: Tensor  # (batch, pairs), int64 below symbols, all different within a row
    values: Tensor  # (batch, pairs), int64 below symbols
    targets: Tensor  # (batch,), int64 below symbols: the value beside the key


HOMOGRAPH_LENGTH = 12
HOMOGRAPH_FILLERS = 40
HASHI = 0  # the homograph's id
# ids: はし, one that is kept free for padding, the fillers, the two cues
HOMOGRAPH_VOCABULARY = HOMOGRAPH_FILLERS + 4

WHO_BITES_NAMES = 20
WHO_BITES_VERBS = 8
# ids: one that is kept free for padding, the start, the names, the verbs
WHO_BITES_VOCABULARY = WHO_BITES_NAMES + WHO_BITES_VERBS + 2


def recall_vocabulary(symbols: int = 8) -> int:
    """Return how many ids :func:`recall_batch` uses: symbols, distractors and the question."""
    return 2 * symbols + 1


def recall_batch(
    generator: Generator, batch: int, distance: int, symbols: int = 8, *, distinct: bool = True
) -> Recall:
    """Draw rows of one symbol to remember, ``distance`` distractors and the question.

    A guess is right once in ``symbols`` times.

    Args:
        generator: the source of all randomness.
        batch: number of rows.
        distance: how many distractors stand between the symbol and the question; 0 or more.
        symbols: how many different symbols there are to remember; at least 2.
        distinct: distractors are symbols of their own (``symbols`` to ``2 * symbols - 1``); with
            ``False`` they look like the symbols to remember, and only position tells them apart.

    Raises:
        ValueError: a size is too small.
    """
    _check_sizes(batch=(batch, 1), distance=(distance, 0), symbols=(symbols, 2))
    inputs = _integers(generator, 0, symbols, (batch, distance + 2))
    targets = inputs[:, 0].clone()
    if distinct:
        inputs[:, 1:] += symbols
    inputs[:, -1] = 2 * symbols  # the question
    return Recall(inputs, targets)


def homograph_batch(generator: Generator, batch: int) -> Homograph:
    """Draw rows of fillers with はし among the first words and its cue among the later ones.

    はし stands at 1 to 5, the cue (渡る, to cross; 食べる, to eat) at 6 to 10: a model that has
    read only up to はし can do no better than guess, right half of the time.

    Raises:
        ValueError: ``batch`` is not positive.
    """
    _check_sizes(batch=(batch, 1))
    first_cue = HOMOGRAPH_VOCABULARY - 2
    inputs = _integers(generator, 2, first_cue, (batch, HOMOGRAPH_LENGTH))
    position = _integers(generator, 1, 6, (batch,))
    cue_position = _integers(generator, 6, 11, (batch,))
    targets = _integers(generator, 0, 2, (batch,))
    inputs.scatter_(1, position[:, None], HASHI)
    inputs.scatter_(1, cue_position[:, None], first_cue + targets[:, None])
    return Homograph(inputs, position, targets)


def who_bites_batch(generator: Generator, batch: int) -> WhoBites:
    """Draw sentences of two different names and a verb.

    Each sentence is as likely as its mirror image, which has the other answer: a bag of words,
    which cannot tell the two apart, is right half of the time.

    Raises:
        ValueError: ``batch`` is not positive.
    """
    _check_sizes(batch=(batch, 1))
    biter = _integers(generator, 0, WHO_BITES_NAMES, (batch,))
    step = _integers(generator, 1, WHO_BITES_NAMES, (batch,))  # never 0: nobody bites himself
    bitten = (biter + step) % WHO_BITES_NAMES
    verb = _integers(generator, 0, WHO_BITES_VERBS, (batch,))
    start = torch.ones_like(biter)
    inputs = torch.stack([start, biter + 2, verb + 2 + WHO_BITES_NAMES, bitten + 2], dim=1)
    return WhoBites(inputs, (biter < bitten).long())


def lookup_batch(
    generator: Generator, batch: int = 64, pairs: int = 16, symbols: int = 64
) -> Lookup:
    """Draw small dictionaries and a question to each.

    Args:
        generator: the source of all randomness.
        batch: number of dictionaries.
        pairs: entries in each; no more than ``symbols``, since keys are different.
        symbols: how many different keys, and how many different values, there are.

    Raises:
        ValueError: a size is too small, or there are more pairs than symbols.
    """
    _check_sizes(batch=(batch, 1), pairs=(pairs, 1), symbols=(symbols, 1))
    if pairs > symbols:
        raise ValueError(
            f"{pairs} pairs need as many different keys, but there are only {symbols} symbols"
        )
    order = torch.rand(batch, symbols, generator=generator, device=generator.device)
    keys = order.argsort(dim=1)[:, :pairs]
    values = _integers(generator, 0, symbols, (batch, pairs))
    asked = _integers(generator, 0, pairs, (batch, 1))
    return Lookup(
        keys.gather(1, asked).squeeze(1), keys, values, values.gather(1, asked).squeeze(1)
    )


def _integers(generator: Generator, low: int, high: int, shape: tuple[int, ...]) -> Tensor:
    return torch.randint(low, high, shape, generator=generator, device=generator.device)


def _check_sizes(**sizes: tuple[int, int]) -> None:
    for name, (size, least) in sizes.items():
        if size < least:
            raise ValueError(f"{name} must be at least {least}, got {size}")
