"""Chapter 12: an attention map, and an ablation that disagrees with it."""

from collections.abc import Collection
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.datasets.tasks import HASHI, HOMOGRAPH_VOCABULARY, homograph_batch
from contextbook.experiments.record import experiment
from contextbook.training import train
from contextbook.transformer import Design, Encoder, PositionedEmbedding

WIDTH, HEADS, LAYERS = 32, 4, 3
FIRST_CUE = HOMOGRAPH_VOCABULARY - 2  # the two cues are the last two ids


class HashiReader(nn.Module):
    """A bridge or chopsticks? Three layers of self-attention read, はし answers."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = PositionedEmbedding(HOMOGRAPH_VOCABULARY, WIDTH)
        self.encoder = Encoder(LAYERS, Design(d_model=WIDTH, heads=HEADS))
        self.answer = nn.Linear(WIDTH, 2)

    def forward(
        self,
        tokens: Tensor,
        blocked: Collection[int] = (),
    ) -> tuple[Tensor, list[Tensor]]:
        """Read sentences in which はし stands once.

        Args:
            tokens: ids ``(batch, 12)``.
            blocked: layers in which はし may not attend to the cue.

        Returns:
            Logits ``(batch, 2)``, and for each layer what はし takes from each token, the mean of
            the heads ``(batch, 12)``.
        """
        is_hashi, is_cue = tokens == HASHI, tokens >= FIRST_CUE
        apart = ~(is_hashi[:, :, None] & is_cue[:, None])[:, None]  # (batch, 1, 12, 12)
        x: Any = self.embedding(tokens)
        maps = []
        for number, layer in enumerate(self.encoder.layers):
            mask = apart if number in blocked else None
            x, weights = layer(x, mask, need_weights=True)
            maps.append(weights.mean(dim=1)[is_hashi])
        return self.answer(self.encoder.norm(x)[is_hashi]), maps


def train_hashi_reader(model: HashiReader, seed: int, steps: int = 300) -> HashiReader:
    """Train a reader on sentences drawn at random, 64 a step."""
    draw = torch.Generator().manual_seed(seed)

    def loss() -> Tensor:
        tokens, _, targets = homograph_batch(draw, 64)
        return F.cross_entropy(model(tokens)[0], targets)

    train(model, loss, steps, 3e-3, clip_norm=1.0)
    return model.eval()


@torch.no_grad()
def ablate(model: HashiReader, seed: int) -> dict[str, float]:
    """Compare where はし looks with what its answer hangs on, in 2,048 new sentences.

    Returns:
        ``right``: share of right answers; ``right_without_3``: those when はし may not look at the
        cue in layer 3, and so on, ``right_without_all`` in none; ``weight_3``: the mean weight on
        the cue in layer 3; ``largest_3``: how often it is the largest; ``turned``: how often the
        answer changes when the cue is exchanged for the other one.
    """
    tokens, _, targets = homograph_batch(torch.Generator().manual_seed(1000 + seed), 2048)
    is_cue = tokens >= FIRST_CUE
    logits, maps = model(tokens)

    def right(blocked: Collection[int]) -> float:
        return (model(tokens, blocked)[0].argmax(-1) == targets).float().mean().item()

    measured = {"right": right(()), "right_without_all": right(range(LAYERS))}
    for number, weights in enumerate(maps):
        largest = is_cue.gather(1, weights.argmax(-1, keepdim=True))
        measured[f"weight_{number + 1}"] = weights[is_cue].mean().item()
        measured[f"largest_{number + 1}"] = largest.float().mean().item()
        measured[f"right_without_{number + 1}"] = right([number])
    other = torch.where(is_cue, 2 * FIRST_CUE + 1 - tokens, tokens)
    turned = model(other)[0].argmax(-1) != logits.argmax(-1)
    return measured | {"turned": turned.float().mean().item()}


@experiment(seeds=range(5))
def map_and_ablation(seed: int) -> dict[str, float]:
    """Where はし looks, and what its answer hangs on."""
    torch.manual_seed(seed)
    return ablate(train_hashi_reader(HashiReader(), seed), seed)
