"""The Transformer's encoder alone, as a model of a language: it foresees, or it fills gaps.

With a causal mask it is a small relative of GPT (Radford et al., 2018), without one of BERT (Devlin
et al., 2019).
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.attention import causal_mask
from contextbook.transformer import Design, Encoder, PositionedEmbedding
from contextbook.validation import check_token_ids

PADDING, GAP = 0, 3
"""Ids of what fills a batch up, and of what stands for a hidden token (``<unk>``)."""


class LanguageModel(nn.Module):
    """Layers of self-attention, and a guess at every place.

    Args:
        vocabulary_size: number of tokens.
        causal: no token sees what comes after it.
        layers: how many.
        choices: sizes and parts of the layers, the fields of
            :class:`contextbook.transformer.Design`.
    """

    def __init__(
        self, vocabulary_size: int, causal: bool, *, layers: int = 2, **choices: Any
    ) -> None:
        super().__init__()
        design = Design(**choices)
        self.causal = causal
        self.embedding = PositionedEmbedding(vocabulary_size, design.d_model)
        self.encoder = Encoder(layers, design)
        self.to_logits = nn.Linear(design.d_model, vocabulary_size)

    def forward(self, tokens: Tensor) -> Tensor:
        """From ids ``(batch, T)``, 0 for padding, to logits ``(batch, T, words)``.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        check_token_ids(tokens, self.embedding.num_embeddings)
        mask = (  # without one, each token sees both sides
            causal_mask(tokens.shape[1], device=tokens.device) if self.causal else None
        )
        x, _ = self.encoder(self.embedding(tokens), mask, key_mask=tokens != PADDING)
        return self.to_logits(x)


def foresee_loss(model: nn.Module, tokens: Tensor) -> Tensor:
    """Mean surprise at each next token of ``(batch, T)``: what a GPT is trained by.

    Raises:
        ValueError: no token but padding comes after another.
    """
    check_some_scored(tokens[:, 1:] != PADDING, "next to another")
    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], ignore_index=PADDING)


def fill_loss(model: nn.Module, tokens: Tensor, hidden: Tensor) -> Tensor:
    """Mean surprise at hidden tokens of ``(batch, T)``: what a BERT is trained by.

    Raises:
        ValueError: no token is hidden.
    """
    check_some_scored(hidden, "hidden")
    logits = model(tokens.masked_fill(hidden, GAP))
    return F.cross_entropy(logits[hidden], tokens[hidden])


def hide(tokens: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Choose tokens to hide, each with this chance, never padding, start or stop.

    Returns:
        Boolean, shaped as ``tokens``; at least one is true: all that may be, if none was chosen.

    Raises:
        ValueError: ``share`` is not above 0 and up to 1, or there is no token to hide.
    """
    real = tokens > GAP
    if not 0 < share <= 1 or not bool(real.any()):
        raise ValueError(
            f"share must lie above 0 and up to 1, got {share}; and there must be a token to hide, "
            f"got {int(real.sum())}"
        )
    chance = torch.rand(tokens.shape, generator=generator).to(tokens.device)
    hidden = (chance < share) & real
    return hidden if bool(hidden.any()) else real


def check_some_scored(scored: Tensor, what: str) -> None:
    """Check that a mean has something to be taken of."""
    if not bool(scored.any()):
        raise ValueError(
            f"no token is {what}, of shape {tuple(scored.shape)}: there is no mean of none"
        )
