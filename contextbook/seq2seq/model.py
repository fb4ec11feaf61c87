"""Encoder and decoder together: a model that answers a sentence with another."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from contextbook.attention import padding_mask
from contextbook.seq2seq.validation import check_targets


class StepByStep(nn.Module):
    """What decoding asks of a model that has a decoder: one step, and reordering.

    With ``start``, which reads a source, these are the methods of
    :class:`contextbook.decoding.Decodable`.
    """

    decoder: Any

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        """From the tokens before ``(batch,)`` to log-probabilities ``(batch, V)``.

        Returns:
            Log-probabilities, the next state, and the weights ``(batch, T_x)`` or ``None``.
        """
        logits, state, weights = self.decoder.step(tokens, state)
        return logits.log_softmax(dim=-1), state, weights

    def reorder(self, state: Any, indices: Tensor) -> Any:
        """The state of the sentences ``indices`` of the batch, repeated if they are."""
        if isinstance(state, tuple):
            parts = [self.reorder(part, indices) for part in state]
            return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)
        return None if state is None else state[indices]


class EncoderDecoder(StepByStep):
    """Read a sentence with one network, write another with a second.

    It is trained by teacher forcing (``forward``), and decoded step by step by
    :mod:`contextbook.decoding` (``start``, ``step``, ``reorder``).

    Args:
        encoder: called ``encoder(source, lengths) -> (memory, last_state)``, as
            :class:`contextbook.seq2seq.Encoder` is.
        decoder: has ``start(memory, last_state, key_mask)`` and ``step(tokens, state)``, as
            :class:`contextbook.seq2seq.Decoder` has. Its state is a tensor, or a tuple of tensors,
            tuples and ``None``, in which the first axis of each tensor is the batch.
    """

    def __init__(self, encoder: Any, decoder: Any) -> None:
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def start(self, source: Tensor, lengths: Tensor | None = None) -> Any:
        """Read the source ``(batch, T_x)``; returns the state before the first step."""
        memory, last = self.encoder(source, lengths)
        key_mask = None if lengths is None else padding_mask(lengths, source.shape[1])
        return self.decoder.start(memory, last, key_mask)

    def forward(
        self, source: Tensor, source_lengths: Tensor | None, target_in: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Teacher forcing: whatever the decoder would write, the true token goes in.

        Args:
            source: token ids ``(batch, T_x)``.
            source_lengths: number of real tokens ``(batch,)``; all of them when ``None``.
            target_in: the target, from the start token on, ``(batch, T_y)``.

        Returns:
            Logits ``(batch, T_y, V)`` of the token after each of ``target_in``, and the weights
            ``(batch, T_y, T_x)``, or ``None`` if the decoder has no attention.

        Raises:
            ValueError: source, lengths and target do not fit together.
        """
        check_targets(source, target_in)
        state = self.start(source, source_lengths)
        logits, weights = [], []
        for tokens in target_in.unbind(dim=1):  # not the decoder's own
            logits_i, state, weights_i = self.decoder.step(tokens, state)
            logits.append(logits_i)
            weights.append(weights_i)
        attended = None if weights[0] is None else torch.stack(weights, dim=1)
        return torch.stack(logits, dim=1), attended


def sequence_loss(logits: Tensor, target_out: Tensor, padding: int = 0) -> Tensor:
    """Mean surprise at the true tokens, in nats a token; padding does not count.

    Args:
        logits: ``(batch, T_y, V)``.
        target_out: the true tokens ``(batch, T_y)``, up to the stop token.
        padding: id that fills a sentence up.
    """
    rows, truth = logits.flatten(0, 1), target_out.flatten()  # (B * T_y, V), (B * T_y,)
    return cross_entropy(rows, truth, ignore_index=padding)
