"""Chapter 11: a Transformer without one of its parts."""

from typing import Any

import torch
from torch import Tensor, nn

from contextbook.attention import MultiHeadAttention
from contextbook.experiments.chapter07 import task
from contextbook.experiments.chapter11 import D_MODEL, HEADS, LAYERS, LEARNING_RATE
from contextbook.experiments.record import experiment
from contextbook.metrics import exact_match
from contextbook.seq2seq import sequence_loss
from contextbook.transformer import Transformer
from contextbook.translation import train_translator, translate

FEW_STEPS = 400


class UnscaledAttention(MultiHeadAttention):
    """Multi-head attention whose scores are not divided by √d_k."""

    def attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        *,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """As the book's, with keys √d_k times as long, which undoes the division."""
        longer = key * key.shape[-1] ** 0.5
        return super().attend(query, longer, value, mask, need_weights=need_weights)


WITHOUT: dict[str, dict[str, Any]] = {
    "nothing": {},
    "residuals": {"connect": False},
    "norms": {"norm": nn.Identity},
    "scale": {"attention": UnscaledAttention},
    "positions": {"positions": None},
    "pre-norm": {"norm_first": False},
}


@experiment(seeds=range(3), grid=[{"without": part} for part in WITHOUT])
def transformer_without(seed: int, without: str) -> dict[str, float]:
    """Loss and exact matches on the test sentences after a third of the usual training."""
    torch.manual_seed(seed)
    choices = {"layers": LAYERS, "d_model": D_MODEL, "heads": HEADS, **WITHOUT[without]}
    model = Transformer(len(task().english), len(task().japanese), **choices)
    train_translator(model, task(), steps=FEW_STEPS, learning_rate=LEARNING_RATE, seed=seed)
    test = task().test
    batch = task().batch(test)
    with torch.no_grad():
        logits, _ = model.eval()(batch.source, batch.source_lengths, batch.target_in)
    written = translate(model, task(), [pair.english for pair in test])
    return {
        "loss": sequence_loss(logits, batch.target_out).item(),
        "exact": exact_match(written, [pair.japanese for pair in test]),
    }
