"""Attention between a decoder and an encoder: which source word does the next target word need?

Additive: Bahdanau, Cho and Bengio, *Neural Machine Translation by Jointly Learning to Align and
Translate* (2015). Dot, general and concat: Luong, Pham and Manning, *Effective Approaches to
Attention-based Neural Machine Translation* (2015). They differ in the score alone.
"""

import torch
from torch import Tensor, nn

from contextbook.attention import masked_softmax
from contextbook.seq2seq.validation import check_attention_step, check_sizes


class Attention(nn.Module):
    """Score each h_j against a state, softmax, weighted mean: the context c_i.

    A kind of attention is a subclass with a ``score`` of its own. What of a score does not depend
    on the state is computed once a sentence, in ``prepare``.
    """

    def prepare(self, memory: Tensor) -> Tensor:
        """What scores need of the memory ``(batch, T_x, …)``, the same at all steps."""
        return memory

    def score(self, state: Tensor, prepared: Tensor) -> Tensor:
        """The scores e_ij of one target position i, ``(batch, T_x)``.

        Args:
            state: the decoder's state, ``(batch, state_size)``.
            prepared: what :meth:`prepare` makes of the memory.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method score")

    def forward(
        self,
        state: Tensor,
        memory: Tensor,
        key_mask: Tensor | None = None,
        prepared: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Look from one state of the decoder into the memory.

        Args:
            state: the decoder's state s_{i-1}, ``(batch, state_size)``.
            memory: the encoder's states h_j, ``(batch, T_x, memory_size)``.
            key_mask: boolean ``(batch, T_x)``, ``False`` for padding.
            prepared: ``prepare(memory)``, if it has been computed before.

        Returns:
            The context c_i ``(batch, memory_size)`` and the weights α_ij ``(batch, T_x)``. A
            sentence of padding alone gets zeros in both.

        Raises:
            ValueError: shapes, sizes or the mask do not fit together.
        """
        check_attention_step(self, state, memory, key_mask)
        prepared = self.prepare(memory) if prepared is None else prepared
        scores = self.score(state, prepared)  # e_ij (B, T_x)
        weights = masked_softmax(scores, key_mask)  # α_ij (B, T_x)
        context = (weights[:, None] @ memory)[:, 0]  # c_i (B, memory_size)
        return context, weights


class AdditiveAttention(Attention):
    """Bahdanau's score: e_ij = v · tanh(W s_{i-1} + U h_j).

    Args:
        state_size: numbers in the decoder's state.
        memory_size: numbers in each h_j.
        attention_size: numbers in which the two are compared.
    """

    def __init__(self, state_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        check_sizes(state_size=state_size, memory_size=memory_size)
        check_sizes(attention_size=attention_size)
        self.state_size, self.memory_size = state_size, memory_size
        self.from_state = nn.Linear(state_size, attention_size)  # W
        self.from_memory = nn.Linear(memory_size, attention_size, bias=False)  # U
        self.to_score = nn.Linear(attention_size, 1, bias=False)  # v

    def prepare(self, memory: Tensor) -> Tensor:
        """U h_j, which is the same for every i."""
        return self.from_memory(memory)

    def score(self, state: Tensor, prepared: Tensor) -> Tensor:
        """The scores ``(batch, T_x)``."""
        compared = torch.tanh(self.from_state(state)[:, None] + prepared)  # (B, T_x, A)
        return self.to_score(compared)[..., 0]


class DotAttention(Attention):
    """Luong's dot score: e_ij = s_i · h_j. Nothing to learn; both need one width.

    Args:
        size: numbers in the state, and in each h_j.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        check_sizes(size=size)
        self.state_size = self.memory_size = size

    def score(self, state: Tensor, prepared: Tensor) -> Tensor:
        """The scores ``(batch, T_x)``."""
        return (prepared @ state[:, :, None])[..., 0]


class GeneralAttention(Attention):
    """Luong's general score: e_ij = s_i · W h_j, with a learned W between them.

    Args:
        state_size: numbers in the decoder's state.
        memory_size: numbers in each h_j.
    """

    def __init__(self, state_size: int, memory_size: int) -> None:
        super().__init__()
        check_sizes(state_size=state_size, memory_size=memory_size)
        self.state_size, self.memory_size = state_size, memory_size
        self.from_memory = nn.Linear(memory_size, state_size, bias=False)  # W

    def prepare(self, memory: Tensor) -> Tensor:
        """W h_j, which is the same for every i."""
        return self.from_memory(memory)

    def score(self, state: Tensor, prepared: Tensor) -> Tensor:
        """The scores ``(batch, T_x)``."""
        return (prepared @ state[:, :, None])[..., 0]


class ConcatAttention(Attention):
    """Luong's concat score: e_ij = v · tanh(W [s_i; h_j]), Bahdanau's in one matrix.

    Args:
        state_size: numbers in the decoder's state.
        memory_size: numbers in each h_j.
        attention_size: numbers in which the two are compared.
    """

    def __init__(self, state_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        check_sizes(state_size=state_size, memory_size=memory_size)
        check_sizes(attention_size=attention_size)
        self.state_size, self.memory_size = state_size, memory_size
        both_sizes = state_size + memory_size
        self.from_both = nn.Linear(both_sizes, attention_size, bias=False)  # W
        self.to_score = nn.Linear(attention_size, 1, bias=False)  # v

    def score(self, state: Tensor, prepared: Tensor) -> Tensor:
        """The scores ``(batch, T_x)``."""
        states = state[:, None].expand(-1, prepared.shape[1], -1)  # one for each h_j
        both = torch.cat([states, prepared], dim=-1)
        return self.to_score(torch.tanh(self.from_both(both)))[..., 0]
