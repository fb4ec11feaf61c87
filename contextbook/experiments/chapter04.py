"""Chapter 4: what only a later word can tell, read one way and both ways."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.datasets.roles import (
    AMBIGUOUS,
    NO_ROLE,
    ROLE_VOCABULARY,
    ROLES,
    Roles,
    roles_batch,
)
from contextbook.datasets.tasks import HOMOGRAPH_VOCABULARY, Homograph, homograph_batch
from contextbook.embeddings import Embedding
from contextbook.experiments.record import experiment
from contextbook.recurrent import Bidirectional, RNNCell, Stacked, Unrolled
from contextbook.training import train


class Tagger(nn.Module):
    """Words to vectors, a reader, and from the feature of each word a class for it.

    Args:
        vocabulary: how many different words.
        width: numbers in a word's vector, which is what the reader takes.
        reader: called with ``(batch, time, width)`` and ``lengths=``; returns features and a state.
        features: numbers in a feature of the reader.
        classes: how many classes.
    """

    def __init__(
        self, vocabulary: int, width: int, reader: nn.Module, features: int, classes: int
    ) -> None:
        super().__init__()
        self.embedding = Embedding(vocabulary, width)
        self.reader = reader
        self.to_class: nn.Module = nn.Linear(features, classes)

    def forward(self, ids: Tensor, lengths: Tensor | None = None) -> Tensor:
        """Map ids ``(B, T)`` and numbers of real words ``(B,)`` to logits ``(B, T, classes)``."""
        features, _ = self.reader(self.embedding(ids), lengths=lengths)
        return self.to_class(features)


def parameters(model: nn.Module) -> int:
    """How many numbers a model learns."""
    return sum(parameter.numel() for parameter in model.parameters())


# --- はし: a bridge, or chopsticks? ---


def homograph_tagger(reader: nn.Module) -> Tagger:
    """A tagger for はし, whose reader takes vectors of 32 numbers and gives as many."""
    return Tagger(HOMOGRAPH_VOCABULARY, 32, reader, features=32, classes=2)


def train_homograph(model: Tagger, seed: int, steps: int = 300) -> float:
    """Train on はし, and return the share of 2,000 new sentences in which it is told rightly."""
    generator = torch.Generator().manual_seed(seed)

    def answers(batch: Homograph) -> Tensor:
        rows = torch.arange(len(batch.inputs))
        return model(batch.inputs)[rows, batch.position]  # (B, 2): asked at はし alone

    def loss() -> Tensor:
        batch = homograph_batch(generator, 128)
        return F.cross_entropy(answers(batch), batch.targets)

    train(model, loss, steps, learning_rate=5e-3)
    with torch.no_grad():
        batch = homograph_batch(generator, 2000)
        return (answers(batch).argmax(-1) == batch.targets).float().mean().item()


def homograph_reader(both_ways: bool, both: Callable[..., nn.Module] = Bidirectional) -> nn.Module:
    """A reader that gives 32 numbers: 32 units one way, or 16 each way."""
    if both_ways:
        return both(RNNCell(32, 16), RNNCell(32, 16))
    return Unrolled(RNNCell(32, 32))


@experiment(seeds=range(8), grid=[{"both_ways": False}, {"both_ways": True}])
def homograph(seed: int, both_ways: bool) -> dict[str, float]:
    """はし told apart by a later word, one way and both ways."""
    torch.manual_seed(seed)
    model = homograph_tagger(homograph_reader(both_ways))
    return {"parameters": parameters(model), "accuracy": train_homograph(model, seed)}


# --- every word of a Japanese sentence, the running one among them ---

READERS = ("one_way", "both_ways", "stacked", "stacked_both_ways")


def roles_reader(
    kind: str,
    both: Callable[..., nn.Module] = Bidirectional,
    stack: Callable[..., nn.Module] = Stacked,
) -> tuple[nn.Module, int]:
    """A reader of vectors of 8 numbers, and how wide its features are; all are about equally large.

    Args:
        kind: one of ``READERS``.
        both: makes a layer that reads both ways; a reader's edited class takes its place.
        stack: puts layers on top of each other; likewise.

    Raises:
        ValueError: there is no such kind.
    """
    if kind == "one_way":
        return Unrolled(RNNCell(8, 16)), 16
    if kind == "both_ways":
        return both(RNNCell(8, 8), RNNCell(8, 8)), 16
    if kind == "stacked":
        return stack([Unrolled(RNNCell(8, 10)), Unrolled(RNNCell(10, 10))]), 10
    if kind == "stacked_both_ways":
        below, above = both(RNNCell(8, 6), RNNCell(8, 6)), both(RNNCell(12, 6), RNNCell(12, 6))
        return stack([below, above]), 12
    raise ValueError(f"no reader {kind!r}: there are {', '.join(READERS)}")


def roles_tagger(kind: str, **classes: Callable[..., nn.Module]) -> Tagger:
    """A tagger that gives every word its role; arguments as for :func:`roles_reader`."""
    reader, features = roles_reader(kind, **classes)
    return Tagger(ROLE_VOCABULARY, 8, reader, features, len(ROLES))


def train_roles(model: Tagger, seed: int, steps: int = 200) -> dict[str, float]:
    """Train on 1,000 sentences, and return the share of right roles in 500 new ones.

    Returns:
        ``ambiguous``: of the words that only a later one tells; ``others``: of all others;
        ``unpadded`` and ``unpadded_others``: of these, if it is not told where sentences end.
    """
    generator = torch.Generator().manual_seed(seed)
    known, new = roles_batch(generator, 1000), roles_batch(generator, 500)

    def loss() -> Tensor:
        rows = torch.randint(len(known.inputs), (64,), generator=generator)
        logits = model(known.inputs[rows], known.lengths[rows])
        targets = known.targets[rows]
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=NO_ROLE)

    train(model, loss, steps, learning_rate=1e-2)
    return roles_accuracy(model, new)


@torch.no_grad()
def roles_accuracy(model: Tagger, batch: Roles) -> dict[str, float]:
    """The share of right roles, as :func:`train_roles` tells it."""
    numbers = torch.tensor([ROLES.index(role) for role in AMBIGUOUS])
    ambiguous = torch.isin(batch.targets, numbers)
    others = (batch.targets != NO_ROLE) & ~ambiguous
    right = model(batch.inputs, batch.lengths).argmax(-1) == batch.targets
    without = model(batch.inputs).argmax(-1) == batch.targets
    shares = {
        "ambiguous": right[ambiguous],
        "others": right[others],
        "unpadded": without[ambiguous],
        "unpadded_others": without[others],
    }
    return {name: values.float().mean().item() for name, values in shares.items()}


@experiment(seeds=range(5), grid=[{"kind": kind} for kind in READERS])
def word_roles(seed: int, kind: str) -> dict[str, Any]:
    """The role of every word, by four readers of about the same size."""
    torch.manual_seed(seed)
    model = roles_tagger(kind)
    return {"parameters": parameters(model), **train_roles(model, seed)}


# --- writing: who has read the next word knows it ---


def train_leaked_word(reader: nn.Module, features: int, seed: int, steps: int = 200) -> float:
    """Train to name the next of words drawn at random, and return the share of right names.

    Nobody can guess such words: whoever is right more often than once in ten has seen the answer.

    Args:
        reader: takes vectors of 8 numbers.
        features: how many numbers its features have.
        seed: of the words.
        steps: of training.
    """
    generator = torch.Generator().manual_seed(seed)
    model = Tagger(10, 8, reader, features, classes=10)

    def guesses(count: int) -> tuple[Tensor, Tensor]:
        ids = torch.randint(10, (count, 12), generator=generator)
        return model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten()

    train(model, lambda: F.cross_entropy(*guesses(64)), steps, learning_rate=1e-2)
    with torch.no_grad():
        logits, targets = guesses(500)
    return (logits.argmax(-1) == targets).float().mean().item()


@experiment(seeds=range(5), grid=[{"both_ways": False}, {"both_ways": True}])
def leaked_word(seed: int, both_ways: bool) -> dict[str, float]:
    """The next of random words, named by a reader that has not seen it, and by one that has."""
    torch.manual_seed(seed)
    reader, features = roles_reader("both_ways" if both_ways else "one_way")
    return {"accuracy": train_leaked_word(reader, features, seed)}
