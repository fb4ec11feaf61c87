"""Decoders write the target sentence: without attention, and with Bahdanau's and Luong's.

A decoder takes one step at a time: ``step(tokens, state) -> (logits, state, weights)``. Trained or
let loose, it is the same step; only the tokens that go in come from elsewhere.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor, nn

from contextbook.recurrent import GRUCell, State
from contextbook.recurrent.states import hidden_of
from contextbook.seq2seq.attention import Attention
from contextbook.seq2seq.validation import check_decoder_attention, check_sizes

Mask: TypeAlias = Tensor | None


class DecoderState(NamedTuple):
    """What a decoder carries from step to step; only ``hidden`` changes."""

    hidden: State  # s_i (B, H), a pair for an LSTM
    memory: Tensor | None = None  # h_j (B, T_x, memory_size)
    key_mask: Mask = None  # (B, T_x), False for padding
    prepared: Tensor | None = None  # what the attention has made of the memory


Step: TypeAlias = tuple[Tensor, DecoderState, Tensor | None]


class Decoder(nn.Module):
    """Write a sentence from one vector: all it knows of the source is that.

    Sutskever, Vinyals and Le, *Sequence to Sequence Learning with Neural Networks* (2014).

    Args:
        vocabulary_size: number of target tokens.
        embedding_size: numbers in a token's vector.
        hidden_size: numbers in the state, as many as the encoder's last state has.
        cell_class: as in :class:`contextbook.seq2seq.Encoder`; the same class.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        hidden_size: int,
        cell_class: Callable[..., nn.Module] = GRUCell,
    ) -> None:
        super().__init__()
        check_sizes(vocabulary_size=vocabulary_size, embedding_size=embedding_size)
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        self.cell = cell_class(embedding_size, hidden_size)
        self.to_logits = _output(hidden_size, hidden_size, vocabulary_size)

    def start(self, memory: Tensor, last: State, key_mask: Mask) -> DecoderState:
        """Take the encoder's last state for a first state, and forget the memory."""
        return DecoderState(last)

    def step(self, tokens: Tensor, state: DecoderState) -> Step:
        """Write one token.

        Args:
            tokens: the tokens before, ``(batch,)``.
            state: the state before.

        Returns:
            Logits ``(batch, V)`` of the next token, the next state, and no weights.
        """
        hidden = self.cell(self.embedding(tokens), state.hidden)
        return self.to_logits(hidden_of(hidden)), state._replace(hidden=hidden), None


class AttentionDecoder(nn.Module):
    """What Bahdanau's and Luong's decoders share: they keep the memory at hand.

    Args:
        vocabulary_size: number of target tokens.
        embedding_size: numbers in a token's vector.
        hidden_size: numbers in the state, as many as the encoder's last state has.
        attention: an :class:`Attention` made for these sizes; the book's, or one of your own.
        cell_class: as in :class:`contextbook.seq2seq.Encoder`; the same class.
        memory_size: numbers in each h_j; ``hidden_size`` when ``None``.

    Raises:
        ValueError: a size is not positive, or the attention is made for others.
    """

    feeds_context: bool  # is the context an input of the cell?

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        hidden_size: int,
        attention: Attention,
        cell_class: Callable[..., nn.Module] = GRUCell,
        memory_size: int | None = None,
    ) -> None:
        super().__init__()
        check_sizes(vocabulary_size=vocabulary_size, embedding_size=embedding_size)
        memory_size = hidden_size if memory_size is None else memory_size
        self.attention = check_decoder_attention(attention, hidden_size, memory_size)
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        inputs, features = embedding_size, hidden_size + memory_size
        if self.feeds_context:
            inputs, features = inputs + memory_size, features + embedding_size
        self.cell = cell_class(inputs, hidden_size)
        self.to_logits = _output(features, hidden_size, vocabulary_size)

    def start(self, memory: Tensor, last: State, key_mask: Mask) -> DecoderState:
        """Take the encoder's last state for a first state, and keep its memory."""
        return DecoderState(last, memory, key_mask, self.attention.prepare(memory))


class BahdanauDecoder(AttentionDecoder):
    """Look first, then step: s_{i-1} finds c_i, which goes into the cell.

    Bahdanau et al. (2015), appendix A.2, with a tanh layer where they have maxout, and the
    encoder's last state as s_0.
    """

    feeds_context = True

    def step(self, tokens: Tensor, state: DecoderState) -> Step:
        """Write one token; returns logits ``(batch, V)``, state, weights."""
        before = hidden_of(state.hidden)  # s_{i-1}
        context, weights = self.attention(before, *state[1:])
        embedded = self.embedding(tokens)
        hidden = self.cell(torch.cat([embedded, context], dim=-1), state.hidden)  # s_i
        features = torch.cat([hidden_of(hidden), context, embedded], dim=-1)
        return self.to_logits(features), state._replace(hidden=hidden), weights


class LuongDecoder(AttentionDecoder):
    """Step first, then look: s_i finds c_i, and both together choose the token.

    Luong et al. (2015), section 3, without input feeding.
    """

    feeds_context = False

    def step(self, tokens: Tensor, state: DecoderState) -> Step:
        """Write one token; returns logits ``(batch, V)``, state, weights."""
        hidden = self.cell(self.embedding(tokens), state.hidden)  # s_i
        context, weights = self.attention(hidden_of(hidden), *state[1:])
        features = torch.cat([context, hidden_of(hidden)], dim=-1)
        return self.to_logits(features), state._replace(hidden=hidden), weights


def _output(features: int, hidden_size: int, vocabulary_size: int) -> nn.Sequential:
    """From features to logits, by one hidden layer: W_s tanh(W_c features)."""
    to_hidden = nn.Linear(features, hidden_size)
    return nn.Sequential(to_hidden, nn.Tanh(), nn.Linear(hidden_size, vocabulary_size))
