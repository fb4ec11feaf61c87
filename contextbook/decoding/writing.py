"""Greedy decoding and sampling: one token after the other, no way back."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from contextbook.attention import padding_mask
from contextbook.decoding.protocol import Decodable, Decoded
from contextbook.decoding.validation import check_decoding, check_step, check_temperature

COLDEST = torch.finfo(torch.float32).tiny
"""The least temperature that one can divide by in 32 bits."""


def greedy(
    model: Decodable, *source: Any, max_length: int, start: int = 1, stop: int = 2
) -> Decoded:
    """At each step, write the token that is most probable now.

    Args:
        model: call its ``eval()`` before, if it has dropout.
        source: what ``model.start`` takes, a tensor ``(batch, …)`` first: sentences, lengths.
        max_length: most tokens to write, the stop token included.
        start: id that begins each sentence (``<bos>``).
        stop: id that ends it (``<eos>``).

    Raises:
        ValueError: a setting is out of range, or the model's answers have the wrong shape.
    """

    def most_probable(log_probs: Tensor) -> Tensor:
        return log_probs.argmax(dim=-1)

    return write(model, source, most_probable, max_length, start, stop)


def sample(
    model: Decodable,
    *source: Any,
    max_length: int,
    temperature: float = 1.0,
    generator: torch.Generator | None = None,
    start: int = 1,
    stop: int = 2,
) -> Decoded:
    """At each step, draw the token at random, by softmax(log p / temperature).

    Args:
        model: as in :func:`greedy`, like ``source``, ``max_length``, ``start`` and ``stop``.
        temperature: 1 draws by the model's probabilities; towards 0 it becomes greedy. The scores
            are those of the model, whatever the temperature.
        generator: source of chance.

    Raises:
        ValueError: as :func:`greedy`.
    """
    check_temperature(temperature)

    def draw(log_probs: Tensor) -> Tensor:
        fine = log_probs.to(torch.promote_types(log_probs.dtype, torch.float32))
        # the best is at 0 and stays there, however cold; the others may fall to -inf
        below = fine - fine.amax(dim=-1, keepdim=True)
        probabilities = torch.softmax(below / max(temperature, COLDEST), dim=-1)
        return torch.multinomial(probabilities, 1, generator=generator)[:, 0]

    return write(model, source, draw, max_length, start, stop)


@torch.no_grad()
def write(
    model: Decodable,
    source: tuple[Any, ...],
    choose: Callable[[Tensor], Tensor],
    max_length: int,
    start: int = 1,
    stop: int = 2,
) -> Decoded:
    """Write token by token, until every sentence has stopped.

    Args:
        model: as in :func:`greedy`, like the other arguments.
        source: a tuple, what ``model.start`` takes.
        choose: from log-probabilities ``(batch, V)`` to the next tokens ``(batch,)``.
    """
    first = check_decoding(source, max_length, start, stop)
    state = model.start(*source)
    tokens, alignments, lengths = [first], [], torch.zeros_like(first)
    scores, done = torch.zeros_like(first).float(), torch.zeros_like(first).bool()
    while len(tokens) <= max_length and not bool(done.all()):
        log_probs, state, weights = model.step(tokens[-1], state)
        check_step(log_probs, len(first), stop)
        chosen = choose(log_probs)  # (B,)
        gained = log_probs.gather(1, chosen[:, None])[:, 0].masked_fill(done, 0.0)
        scores, lengths = scores + gained, lengths + ~done
        tokens.append(chosen.masked_fill(done, 0))  # who has stopped writes padding
        alignments.append(weights)
        done = done | (tokens[-1] == stop)
    attended = stack_weights(alignments, lengths)
    return Decoded(torch.stack(tokens[1:], dim=1), lengths, scores, attended)


def stack_weights(alignments: list[Tensor | None], lengths: Tensor) -> Tensor | None:
    """The weights of each step ``(batch, T_y, T_x)``, zeros behind a sentence's end."""
    weights = [step for step in alignments if step is not None]
    if not weights:
        return None
    written = padding_mask(lengths, len(weights))  # (B, T_y)
    return torch.stack(weights, dim=1).masked_fill(~written[..., None], 0.0)
