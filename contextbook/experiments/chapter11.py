"""Chapter 11: what positions are for, and how well a Transformer translates."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.datasets.tasks import WHO_BITES_VOCABULARY, who_bites_batch
from contextbook.experiments.chapter07 import task
from contextbook.experiments.record import experiment
from contextbook.metrics import alignment_accuracy
from contextbook.training import train
from contextbook.transformer import (
    Design,
    Encoder,
    PositionedEmbedding,
    Transformer,
    sinusoidal_positions,
)
from contextbook.transformer.positions import PositionTable
from contextbook.translation import TranslationTask, evaluate, train_translator

STEPS = 1200
LEARNING_RATE = 3e-3
D_MODEL, HEADS, LAYERS = 64, 4, 2


class BiteReader(nn.Module):
    """Who bites whom? One encoder layer, and a yes or no from what the first token has gathered.

    Args:
        positions: as in :class:`PositionedEmbedding`.
    """

    def __init__(self, positions: PositionTable | None = sinusoidal_positions) -> None:
        super().__init__()
        self.embedding = PositionedEmbedding(WHO_BITES_VOCABULARY, 32, positions)
        self.encoder = Encoder(1, Design(d_model=32, heads=4))
        self.answer = nn.Linear(32, 2)

    def forward(self, tokens: Tensor) -> Tensor:
        """From sentences ``(batch, 4)`` to logits ``(batch, 2)``."""
        memory, _ = self.encoder(self.embedding(tokens))
        return self.answer(memory[:, 0])


def train_bites(model: nn.Module, seed: int, steps: int = 400) -> float:
    """Train on sentences drawn at random; the share of 2,048 new ones that it answers rightly."""
    draw = torch.Generator().manual_seed(seed)

    def logits_and_truth(count: int) -> tuple[Tensor, Tensor]:
        tokens, truth = who_bites_batch(draw, count)
        return model(tokens), truth

    train(model, lambda: F.cross_entropy(*logits_and_truth(64)), steps, 3e-3)
    with torch.no_grad():
        logits, truth = logits_and_truth(2048)
    return (logits.argmax(dim=-1) == truth).float().mean().item()


def make_transformer(
    task: TranslationTask, positions: PositionTable | None = sinusoidal_positions
) -> Transformer:
    """A new Transformer of the chapter's size for the task."""
    return Transformer(
        len(task.english),
        len(task.japanese),
        layers=LAYERS,
        d_model=D_MODEL,
        heads=HEADS,
        positions=positions,
    )


@torch.no_grad()
def head_alignments(model: Transformer, task: TranslationTask) -> dict[tuple[int, int], float]:
    """Alignment accuracy of each cross-attention head, by (layer, head), on the test sentences."""
    batch = task.batch(task.test)
    maps = model.eval().attention_maps(batch.source, batch.source_lengths, batch.target_in)
    return {
        (layer, head): alignment_accuracy(weights[:, head], batch.gold)
        for layer, weights in enumerate(maps.cross)
        for head in range(weights.shape[1])
    }


@experiment(seeds=range(5), grid=[{"positions": True}, {"positions": False}])
def who_bites_whom(seed: int, positions: bool) -> dict[str, float]:
    """Share of right answers, with positions and without."""
    torch.manual_seed(seed)
    model = BiteReader(sinusoidal_positions if positions else None)
    return {"accuracy": train_bites(model, seed)}


@experiment(seeds=range(3), grid=[{"positions": True}, {"positions": False}])
def translation_by_transformer(seed: int, positions: bool) -> dict[str, float]:
    """Exact matches by length, BLEU, and alignment accuracy of the last layer and of each head."""
    torch.manual_seed(seed)
    model = make_transformer(task(), sinusoidal_positions if positions else None)
    train_translator(model, task(), steps=STEPS, learning_rate=LEARNING_RATE, seed=seed)
    heads = head_alignments(model, task())
    by_head = {f"head_{layer}_{head}": share for (layer, head), share in heads.items()}
    return evaluate(model, task()).numbers() | by_head
