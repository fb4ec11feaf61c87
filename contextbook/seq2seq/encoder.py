"""The encoder: a recurrent network that reads the source sentence."""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor, nn

from contextbook.recurrent import Bidirectional, GRUCell, State, Unrolled
from contextbook.recurrent.states import map_states
from contextbook.seq2seq.validation import check_encoder_sizes, check_source

Encoded: TypeAlias = tuple[Tensor, State]  # memory and last state


class Encoder(nn.Module):
    """Read a sentence: a state h_j for each word, and a last one that has seen all.

    Args:
        vocabulary_size: number of source tokens.
        embedding_size: numbers in a token's vector.
        hidden_size: numbers in each h_j. Reading both ways, each reader has half of them.
        cell_class: ``RNNCell``, ``GRUCell``, ``LSTMCell`` or one of your own, called with input
            size and hidden size.
        bidirectional: read both ways.

    Raises:
        ValueError: a size is not positive, or ``hidden_size`` is odd for two readers.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        hidden_size: int,
        cell_class: Callable[..., nn.Module] = GRUCell,
        *,
        bidirectional: bool = True,
    ) -> None:
        super().__init__()
        check_encoder_sizes(vocabulary_size, embedding_size, hidden_size, bidirectional)
        self.bidirectional = bidirectional
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        size = hidden_size // 2 if bidirectional else hidden_size
        cells = [cell_class(embedding_size, size) for _ in range(1 + bidirectional)]
        self.reader = Bidirectional(*cells) if bidirectional else Unrolled(*cells)

    def forward(self, source: Tensor, lengths: Tensor | None = None) -> Encoded:
        """Read a batch of sentences.

        Args:
            source: token ids ``(batch, T_x)``.
            lengths: number of real tokens of each sentence, ``(batch,)``; all when ``None``.

        Returns:
            The memory ``(batch, T_x, H)``, zeros where a sentence is padded, and the last state
            ``(batch, H)``, a pair for an LSTM; of two readers, the last states side by side.

        Raises:
            ValueError: ids or lengths do not fit.
        """
        check_source(source, self.embedding.num_embeddings)
        memory, last = self.reader(self.embedding(source), lengths=lengths)
        if self.bidirectional:  # (2, B, H/2) -> (B, H)
            last = map_states(lambda part: torch.cat(part.unbind(), dim=-1), last)
        return memory, last
