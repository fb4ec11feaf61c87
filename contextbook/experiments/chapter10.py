"""Chapter 10: one head against several, where four things must be known at once."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.attention import MultiHeadAttention
from contextbook.datasets.scenes import ANIMALS, PARTICLES, scenes_batch
from contextbook.embeddings import Embedding
from contextbook.experiments.record import experiment
from contextbook.training import best_device, train

WIDTH = 32
STEPS = 400
HEADS = (1, 2, 4, 8, 16)


class FourQuestions(nn.Module):
    """A verb asks four phrases: who, whom, to whom, with whom?

    The verb attends once to the phrases, and a linear map reads all four answers from what it
    got. Only the number of heads is chosen; it changes no matrix's size.

    Args:
        attention: makes attention of a width and a number of heads.
        heads: how many.
    """

    def __init__(self, attention: Callable[..., nn.Module], heads: int) -> None:
        super().__init__()
        self.animals = Embedding(len(ANIMALS), WIDTH)
        self.particles = Embedding(len(PARTICLES), WIDTH)
        self.verb = nn.Parameter(torch.randn(WIDTH))
        self.attention = attention(WIDTH, heads)
        self.answers = nn.Linear(WIDTH, len(PARTICLES) * len(ANIMALS))

    def forward(
        self, animals: Tensor, particles: Tensor, need_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Answer for sentences of phrases, animal and particle ``(B, 4)`` each.

        Returns:
            Logits ``(B, 4, animals)``, one row for each question, and the weights
            ``(B, heads, 1, 4)`` if they are asked for.
        """
        phrases = self.animals(animals) + self.particles(particles)  # (B, 4, d)
        verb = self.verb.expand(len(animals), 1, -1)  # (B, 1, d)
        mixed, weights = self.attention(verb, phrases, need_weights=need_weights)
        logits = self.answers(mixed[:, 0])  # (B, 4 * animals)
        return logits.unflatten(-1, (len(PARTICLES), -1)), weights


def train_questions(model: FourQuestions, seed: int, steps: int = STEPS) -> None:
    """Train on new sentences, 64 a step."""
    device = best_device()
    model.to(device)
    generator = torch.Generator().manual_seed(seed)

    def loss() -> Tensor:
        animals, particles, targets = (part.to(device) for part in scenes_batch(generator, 64))
        logits, _ = model(animals, particles)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())

    train(model, loss, steps, learning_rate=1e-2)


def _new_sentences(sentences: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw sentences for tests, the same ones for every model."""
    drawn = scenes_batch(torch.Generator().manual_seed(10_000), sentences)
    animals, particles, targets = (part.to(best_device()) for part in drawn)
    return animals, particles, targets


def answers_right(model: FourQuestions, sentences: int = 4096) -> Tensor:
    """Answer new sentences.

    Returns:
        ``(sentences, 4)``: whether each answer is right.
    """
    animals, particles, targets = _new_sentences(sentences)
    with torch.no_grad():
        logits, _ = model(animals, particles)
    return (logits.argmax(-1) == targets).cpu()


def weight_by_particle(model: FourQuestions, sentences: int = 4096) -> Tensor:
    """Average over new sentences how much each head takes from the phrase with each particle.

    Returns:
        ``(heads, 4)``; a row sums to 1.
    """
    animals, particles, _ = _new_sentences(sentences)
    with torch.no_grad():
        _, weights = model(animals, particles, need_weights=True)  # (B, heads, 1, 4)
    # gathered into the order of the particles, so that a column is one of them
    places = particles.argsort(dim=1)[:, None].expand_as(weights[:, :, 0])
    return weights[:, :, 0].gather(-1, places).mean(0).cpu()


def weight_by_animal(model: FourQuestions, sentences: int = 4096) -> Tensor:
    """Average over new sentences how much each head takes from each animal, where it occurs.

    Returns:
        ``(heads, animals)``; 1/4 everywhere if the animal makes no difference.
    """
    animals, particles, _ = _new_sentences(sentences)
    with torch.no_grad():
        _, weights = model(animals, particles, need_weights=True)  # (B, heads, 1, 4)
    taken = weights[:, :, 0].transpose(0, 1).flatten(1).cpu()  # (heads, B * 4)
    occurring = animals.flatten().cpu()
    totals = torch.zeros(len(taken), len(ANIMALS)).index_add_(1, occurring, taken)
    return totals / torch.bincount(occurring, minlength=len(ANIMALS))


@experiment(
    seeds=range(5),
    grid=[
        *({"heads": heads, "steps": STEPS} for heads in HEADS),
        {"heads": 1, "steps": 4 * STEPS},
    ],
)
def four_questions(seed: int, heads: int, steps: int) -> dict[str, float]:
    """Right answers by the number of heads, at equal parameters and equal steps."""
    torch.manual_seed(seed)
    model = FourQuestions(MultiHeadAttention, heads)
    train_questions(model, seed, steps)
    right = answers_right(model).double()
    return {
        "answers": right.mean().item(),
        "sentences": right.prod(1).mean().item(),
        "favourite": weight_by_particle(model).amax(-1).mean().item(),
        "parameters": float(sum(p.numel() for p in model.parameters())),
    }
