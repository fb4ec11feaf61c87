"""Where a token stands, written as waves and added to what it is."""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor, nn

from contextbook.transformer.validation import check_positions, check_within

PositionTable: TypeAlias = Callable[[int, int], Tensor]


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """Sines and cosines of falling frequency, a row for each position.

    Vaswani et al. (2017), section 3.5: ``sin(p / 10000^(2i/d_model))`` in feature 2i, the cosine
    in feature 2i + 1.

    Args:
        length: number of positions p = 0, 1, 2, …
        d_model: number of features.

    Returns:
        ``(length, d_model)``, numbers from -1 to 1.

    Raises:
        ValueError: a size is not positive.
    """
    check_positions(length, d_model)
    position = torch.arange(length)[:, None]  # (length, 1)
    even = torch.arange(0, d_model, 2)  # the features 2i
    angle = position * 10_000.0 ** (-even / d_model)  # (length, d_model / 2)
    waves = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
    return waves[:, :d_model]  # (length, d_model)


class PositionedEmbedding(nn.Embedding):
    """Embed tokens, and add where they stand.

    The vectors are multiplied by √d_model, as in section 3.4 of Vaswani et al. (2017): they start
    with variance 1 / d_model, which suits logits that are made by the same table (tied), and enter
    the model with variance 1, so that the waves do not drown them.

    Args:
        vocabulary_size: number of tokens.
        d_model: numbers in a vector.
        positions: called ``positions(max_length, d_model)`` for a table of that shape; ``None``
            leaves out where the tokens stand.
        max_length: most tokens in a sequence.
        dropout: share of the numbers that are dropped in training.

    Raises:
        ValueError: a size is not positive.
    """

    table: Tensor | None

    def __init__(
        self,
        vocabulary_size: int,
        d_model: int,
        positions: PositionTable | None = sinusoidal_positions,
        max_length: int = 512,
        dropout: float = 0.0,
    ) -> None:
        check_positions(max_length, d_model, vocabulary_size)
        super().__init__(vocabulary_size, d_model)
        nn.init.normal_(self.weight, std=d_model**-0.5)
        # computed, so not worth saving
        table = None if positions is None else positions(max_length, d_model)
        self.register_buffer("table", table, persistent=False)
        self.max_length, self.dropout = max_length, nn.Dropout(dropout)

    def forward(self, tokens: Tensor, first: int = 0) -> Tensor:
        """From ids ``(batch, T)``, the first at ``first``, to vectors.

        Returns:
            ``(batch, T, d_model)``.

        Raises:
            ValueError: they are no batch of ids of the vocabulary, or a position is not below
                ``max_length``.
        """
        check_within(tokens, first, self.num_embeddings, self.max_length)
        last = first + tokens.shape[1]
        x = super().forward(tokens) * self.embedding_dim**0.5
        return self.dropout(x if self.table is None else x + self.table[first:last])
