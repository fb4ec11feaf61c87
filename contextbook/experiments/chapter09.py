"""Chapter 9: what the factor 1/√d_k is for, before training and in it."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.attention import masked_softmax, scaled_dot_product_attention
from contextbook.datasets.tasks import lookup_batch
from contextbook.embeddings import Embedding
from contextbook.experiments.record import experiment
from contextbook.training import best_device, train

KEYS = 64
WIDTHS = (4, 16, 64, 256, 1024)

SYMBOLS = 64
PAIRS = 16
WIDTH = 256


def softmax_statistics(width: int, scaled: bool, generator: torch.Generator) -> dict[str, float]:
    """Measure the attention of random queries over 64 random keys, without any training.

    Args:
        width: number of features d_k of a query and a key, each drawn from N(0, 1).
        scaled: divide the scores by √d_k.
        generator: source of the random numbers, on the CPU.

    Returns:
        ``spread``: standard deviation of the scores; ``entropy``: of the weights, divided by
        ln 64, so that 1 is "all keys alike" and 0 is "one key only"; ``largest``: the mean largest
        weight; ``gradient``: the median norm of the gradient that reaches the scores from a sum
        over random values.
    """
    questions = 512
    query = torch.randn(questions, 1, width, generator=generator)
    key = torch.randn(questions, KEYS, width, generator=generator)
    value = torch.randn(questions, KEYS, 1, generator=generator)
    scores = (query @ key.transpose(-2, -1)) * (width**-0.5 if scaled else 1.0)
    scores.requires_grad_()
    weights = masked_softmax(scores)  # (questions, 1, keys)
    (weights @ value).sum().backward()
    assert scores.grad is not None
    entropy = -torch.xlogy(weights, weights).sum(-1).mean()
    return {
        "spread": scores.std().item(),
        "entropy": entropy.item() / math.log(KEYS),
        "largest": weights.amax(-1).mean().item(),
        "gradient": scores.grad.norm(dim=-1).median().item(),
    }


class PairLookup(nn.Module):
    """Sixteen pairs (key, value) and a question: which value goes with this key?"""

    def __init__(self, attention: Callable[..., tuple[Tensor, Tensor]], scaled: bool = True):
        super().__init__()
        self.attention = attention
        # asked for no scale, an attention brings its own or lacks it: a reader's edit counts
        self.options = {} if scaled else {"scale": 1.0}
        self.keys = Embedding(SYMBOLS, WIDTH)
        self.values = Embedding(SYMBOLS, WIDTH)
        self.to_query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_symbol = nn.Linear(WIDTH, SYMBOLS)
        for layer in (self.to_query, self.to_key):  # queries and keys start with variance 1
            nn.init.normal_(layer.weight, std=WIDTH**-0.5)

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Map pairs ``(B, 16)``, ``(B, 16)`` and one asked key each ``(B,)`` to logits (B, 64)."""
        query = self.to_query(self.keys(asked))[:, None]  # (B, 1, d)
        key = self.to_key(self.keys(keys))  # (B, 16, d)
        mixed, _ = self.attention(query, key, self.values(values), **self.options)
        return self.to_symbol(mixed[:, 0])  # (B, 64)


def train_lookup(model: PairLookup, seed: int, steps: int = 100, batch: int = 64) -> float:
    """Train a look-up and return the share of 2,048 new questions that it answers rightly."""
    device = best_device()
    model.to(device)
    generator = torch.Generator().manual_seed(seed)

    def questions(count: int) -> tuple[Tensor, Tensor]:
        """Answer new questions; return the logits and what is right."""
        drawn = lookup_batch(generator, count, PAIRS, SYMBOLS)
        query, keys, values, targets = (part.to(device) for part in drawn)
        return model(keys, values, query), targets

    train(model, lambda: F.cross_entropy(*questions(batch)), steps)
    with torch.no_grad():
        logits, targets = questions(2048)
    return (logits.argmax(-1) == targets).float().mean().item()


@experiment(
    seeds=range(5),
    grid=[{"width": width, "scaled": scaled} for width in WIDTHS for scaled in (False, True)],
)
def softmax_scale(seed: int, width: int, scaled: bool) -> dict[str, float]:
    """Scores, weights and gradients of untrained attention, with the scale and without."""
    return softmax_statistics(width, scaled, torch.Generator().manual_seed(seed))


@experiment(seeds=range(5), grid=[{"scaled": True}, {"scaled": False}])
def lookup_training(seed: int, scaled: bool) -> dict[str, float]:
    """Right answers after 100 steps of training, with the scale and without."""
    torch.manual_seed(seed)
    model = PairLookup(scaled_dot_product_attention, scaled)
    return {"accuracy": train_lookup(model, seed)}
