"""The referees of chapter 7: does an encoder read as PyTorch does, and is the teacher honest?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.exercises.framework import Attempt, judge
from contextbook.exercises.verdict import PASSED, Hint, Verdict
from contextbook.recurrent import GRUCell, LSTMCell
from contextbook.recurrent.parity import copy_to_torch

__all__ = ["check_encoder", "check_encoder_decoder"]

BOUND = 1e-10  # of the difference, in double precision
_CELLS = (LSTMCell, GRUCell)
_SIZES = (7, 3, 4)  # tokens, numbers in a token's vector, numbers in a state


def check_encoder(encoder_class: Callable[..., Any]) -> Verdict:
    """Compare an encoder with PyTorch's bidirectional ``nn.LSTM`` and ``nn.GRU``.

    Memory and last state, on a batch with padding.

    Args:
        encoder_class: made and called as :class:`contextbook.seq2seq.Encoder` is.

    Returns:
        A verdict to be displayed; it never raises for what the encoder does.
    """

    def tests(attempt: Attempt) -> None:
        for seed, cell in enumerate(_CELLS):
            torch.manual_seed(seed)
            encoder = attempt.call(*_SIZES, cell)
            if not isinstance(encoder, nn.Module):
                raise Hint("no_module", type=type(encoder).__name__)
            _compare_encoder(encoder.double())
        raise Hint(PASSED, bound=f"{BOUND:.0e}")

    return judge("encoder_referee", Attempt(encoder_class), tests)


def _compare_encoder(encoder: nn.Module) -> None:
    source = torch.tensor([[4, 5, 6, 2], [3, 2, 0, 0], [6, 4, 2, 0]])
    lengths = torch.tensor([4, 2, 3])
    answer = Attempt(encoder).call(source, lengths)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Hint("not_a_pair", type=type(answer).__name__)
    memory, last = answer
    hidden = last[0] if isinstance(last, tuple) else last
    padded = torch.arange(4) >= lengths[:, None]
    with torch.no_grad():
        theirs: Any = copy_to_torch(encoder.get_submodule("reader"))
        embedded = encoder.get_submodule("embedding")(source)
        for row, length in enumerate(lengths.tolist()):
            outputs, state = theirs(embedded[row : row + 1, :length])
            ends = state[0] if isinstance(state, tuple) else state  # (2, 1, H / 2)
            wanted = torch.cat([ends[0], ends[1]], dim=-1)[0]
            _equal("memory", memory[row, :length], outputs[0])
            _equal("last", hidden[row], wanted)
    if not torch.equal(memory[padded], torch.zeros_like(memory[padded])):
        raise Hint("padding_read")


def check_encoder_decoder(
    model_class: Callable[..., Any], encoder_class: Callable[..., Any], decoder_class: Any
) -> Verdict:
    """Look for the usual faults of teacher forcing.

    The forward pass must equal the same steps one by one; a later token of the target must change
    nothing before it; padding of the source must change nothing.

    Args:
        model_class: made and called as :class:`contextbook.seq2seq.EncoderDecoder` is.
        encoder_class: as :class:`contextbook.seq2seq.Encoder`.
        decoder_class: as :class:`contextbook.seq2seq.Decoder`.
    """

    def tests(attempt: Attempt) -> None:
        torch.manual_seed(0)
        parts = encoder_class(*_SIZES, GRUCell), decoder_class(*_SIZES, GRUCell)
        model = attempt.call(*parts)
        if not isinstance(model, nn.Module):
            raise Hint("no_module", type=type(model).__name__)
        with torch.no_grad():
            _compare_steps(model.double())
        raise Hint(PASSED, bound=f"{BOUND:.0e}")

    return judge("encoder_decoder_referee", Attempt(model_class), tests)


def _compare_steps(model: Any) -> None:
    source, lengths = torch.tensor([[4, 5, 6, 2], [3, 2, 0, 0]]), torch.tensor([4, 2])
    target = torch.tensor([[1, 4, 5, 6], [1, 5, 5, 4]])

    def logits(*arguments: Tensor | None) -> Tensor:
        answer = Attempt(model).call(*arguments)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise Hint("not_a_pair", type=type(answer).__name__)
        scores = answer[0]
        if not isinstance(scores, Tensor):
            raise Hint("not_a_tensor", type=type(scores).__name__)
        return scores

    whole = logits(source, lengths, target)
    if tuple(whole.shape) != (*target.shape, _SIZES[0]):
        raise Hint("shape", got=tuple(whole.shape), expected=(*target.shape, _SIZES[0]))
    changed = target.clone()
    changed[:, -1] = 3
    if not torch.allclose(logits(source, lengths, changed)[:, :-1], whole[:, :-1], atol=BOUND):
        raise Hint("sees_the_future")
    alone = logits(source[1:, :2], lengths[1:], target[1:])
    _equal("padding_counts", whole[1:], alone)
    state, steps = model.start(source, lengths), []
    for tokens in target.unbind(dim=1):
        step, state, _ = model.decoder.step(tokens, state)
        steps.append(step)
    _equal("not_the_steps", whole, torch.stack(steps, dim=1))


def _equal(kind: str, got: Tensor, wanted: Tensor) -> None:
    if got.shape != wanted.shape:
        raise Hint("shape", got=tuple(got.shape), expected=tuple(wanted.shape))
    if not torch.allclose(got, wanted, rtol=0.0, atol=BOUND):
        raise Hint(kind, difference=f"{float((got - wanted).abs().max()):.0e}")
