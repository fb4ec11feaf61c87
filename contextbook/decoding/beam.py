"""Beam search: keep several beginnings of a sentence, and let them compete."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from contextbook.decoding.protocol import Decodable, Decoded, normalised
from contextbook.decoding.validation import check_beams, check_decoding, check_step


def beam_search(
    model: Decodable,
    *source: Any,
    width: int,
    max_length: int,
    alpha: float = 1.0,
    start: int = 1,
    stop: int = 2,
) -> Decoded:
    """Keep the ``width`` best beginnings at each step, not the best alone.

    A sentence that has stopped stays in the beam as it is and competes with those that go on.
    Width 1 is greedy decoding; a width as great as the number of all sentences up to
    ``max_length`` finds the best of them.

    Args:
        model: as in :func:`contextbook.decoding.greedy`, like ``source``, ``start`` and ``stop``.
        width: number of beginnings to keep, the beam.
        max_length: most tokens to write, the stop token included.
        alpha: hypotheses are compared by score / length^alpha; 0 compares the bare scores.

    Returns:
        For each sentence ``width`` hypotheses, best first: tokens ``(batch, width, T_y)``, lengths
        and scores ``(batch, width)``, alignments ``(batch, width, T_y, T_x)``. Where there are
        fewer sentences than that, the last ones have length 0 and score -inf.

    Raises:
        ValueError: a setting is out of range, or the model's answers have the wrong shape.
    """
    first = check_decoding(source, max_length, start, stop)
    check_beams(width, alpha)
    with torch.no_grad():
        rows = torch.arange(len(first), device=first.device).repeat_interleave(width)
        state = model.reorder(model.start(*source), rows)  # each sentence, width times
        beams = first_beams(first, width)
        while beams.tokens.shape[-1] <= max_length and not bool(beams.done.all()):
            log_probs, state, weights = model.step(beams.tokens[:, :, -1].flatten(), state)
            check_step(log_probs, len(rows), stop)
            beams, rows = grow(beams, log_probs, weights, alpha, stop)
            state = model.reorder(state, rows)
    return Decoded(beams.tokens[:, :, 1:], beams.lengths, beams.scores, beams.alignments)


@dataclass
class Beams:
    """The beginnings kept for each sentence, best first."""

    tokens: Tensor  # (B, W, 1 + i), the start token first
    scores: Tensor  # (B, W), -inf: there is no such beginning
    lengths: Tensor  # (B, W)
    done: Tensor  # (B, W), boolean
    alignments: Tensor | None = None  # (B, W, i, T_x)


def first_beams(first: Tensor, width: int) -> Beams:
    """One empty beginning for each sentence, ``width`` places, all but one of them free."""
    scores = first.new_full((len(first), width), float("-inf"), dtype=torch.float)
    scores[:, 0] = 0.0
    tokens = first[:, None, None].repeat(1, width, 1)
    return Beams(tokens, scores, tokens[..., 0] * 0, scores.isinf())


def grow(
    beams: Beams, log_probs: Tensor, weights: Tensor | None, alpha: float, stop: int
) -> tuple[Beams, Tensor]:
    """Take each beginning one token further in every way, and keep the best.

    Args:
        beams: the beginnings.
        log_probs: of the next token, ``(batch * width, V)``.
        weights: ``(batch * width, T_x)``, or ``None``.
        alpha: as in :func:`beam_search`, like ``stop``.

    Returns:
        The new beginnings, and for each the row of ``log_probs`` from which it comes.
    """
    batch, width, vocabulary = *beams.scores.shape, log_probs.shape[-1]
    step = log_probs.view(batch, width, vocabulary).masked_fill(beams.done[..., None], -torch.inf)
    step[..., 0] = step[..., 0].masked_fill(beams.done, 0.0)  # the done go on with padding, free
    candidates = (beams.scores[..., None] + step).flatten(1)  # (B, W * V)
    lengths = beams.lengths + ~beams.done
    ranks = normalised(candidates, lengths.repeat_interleave(vocabulary, dim=1), alpha)
    best = ranks.topk(width).indices  # (B, W)
    parents, chosen = best // vocabulary, best % vocabulary
    scores = candidates.gather(1, best)
    free = scores.isinf()  # fewer sentences than places
    tokens = torch.cat([_of(beams.tokens, parents), chosen.masked_fill(free, 0)[..., None]], -1)
    alignments = _attended(beams, weights, parents)
    done = beams.done.gather(1, parents) | (chosen == stop) | free
    lengths = lengths.gather(1, parents).masked_fill(free, 0)
    rows = parents + width * torch.arange(batch, device=parents.device)[:, None]
    return Beams(tokens, scores, lengths, done, alignments), rows.flatten()


def _of(kept: Tensor, parents: Tensor) -> Tensor:
    """What was kept ``(batch, width, …)`` of the beginnings ``parents`` ``(batch, width)``."""
    return kept[torch.arange(len(kept), device=kept.device)[:, None], parents]


def _attended(beams: Beams, weights: Tensor | None, parents: Tensor) -> Tensor | None:
    """The alignments so far, and those of this step, of each new beginning."""
    if weights is None:
        return None
    step = weights.view(*beams.done.shape, 1, -1).masked_fill(beams.done[..., None, None], 0.0)
    if beams.alignments is not None:
        step = torch.cat([beams.alignments, step], dim=2)
    return _of(step, parents)
