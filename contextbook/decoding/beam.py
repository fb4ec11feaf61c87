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
            before = beams.tokens[:, :, -1].flatten()  # (B * W,)
            log_probs, state, weights = model.step(before, state)
            check_step(log_probs, len(rows), stop)
            beams, rows = grow(beams, log_probs, weights, alpha, stop)
            state = model.reorder(state, rows)
    return decoded(beams)


@dataclass
class Beams:
    """The beginnings kept for each sentence, best first."""

    tokens: Tensor  # (B, W, 1 + i), the start token first
    scores: Tensor  # (B, W), -inf: there is no such beginning
    lengths: Tensor  # (B, W)
    done: Tensor  # (B, W), boolean
    alignments: Tensor | None = None  # (B, W, i, T_x)


def first_beams(first: Tensor, width: int) -> Beams:
    """One empty beginning for each sentence, and ``width`` - 1 free places."""
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
    vocabulary, done = log_probs.shape[-1], beams.done
    step = log_probs.view(*done.shape, vocabulary)  # (B, W, V)
    step = step.masked_fill(done[..., None], -torch.inf)
    step[..., 0] = step[..., 0].masked_fill(done, 0.0)  # the done add padding, for free
    candidates = (beams.scores[..., None] + step).flatten(1)  # (B, W * V)
    lengths = beams.lengths + ~done  # (B, W)
    ranks = normalised(candidates, lengths.repeat_interleave(vocabulary, dim=1), alpha)
    best = ranks.topk(done.shape[1]).indices  # (B, W)
    parents, chosen = best // vocabulary, best % vocabulary
    scores = candidates.gather(1, best)
    free = scores.isinf()  # fewer sentences than places
    chosen = chosen.masked_fill(free, 0)
    grown = Beams(
        torch.cat([rows_of(beams.tokens, parents), chosen[..., None]], dim=-1),
        scores,
        lengths.gather(1, parents).masked_fill(free, 0),
        done.gather(1, parents) | (chosen == stop) | free,
        attended(beams, weights, parents),
    )
    return grown, flat_rows(parents)


def decoded(beams: Beams) -> Decoded:
    """What the beams hold, without the start token; zeros in free places."""
    free = beams.scores.isinf()[..., None]
    tokens = beams.tokens[:, :, 1:].masked_fill(free, 0)
    alignments = beams.alignments
    if alignments is not None:
        alignments = alignments.masked_fill(free[..., None], 0.0)
    return Decoded(tokens, beams.lengths, beams.scores, alignments)


def flat_rows(parents: Tensor) -> Tensor:
    """Numbers in each beam ``(batch, width)`` as rows of the ``batch * width``."""
    batch, width = parents.shape
    first = width * torch.arange(batch, device=parents.device)
    return (first[:, None] + parents).flatten()


def rows_of(kept: Tensor, parents: Tensor) -> Tensor:
    """What was kept of the beginnings ``parents``, from ``(batch, width, …)``."""
    return kept.flatten(0, 1)[flat_rows(parents)].view(kept.shape)


def attended(beams: Beams, weights: Tensor | None, parents: Tensor) -> Tensor | None:
    """The alignments so far, and those of this step, of each new beginning."""
    if weights is None:
        return None
    step = weights.view(*beams.done.shape, 1, -1)  # (B, W, 1, T_x)
    step = step.masked_fill(beams.done[..., None, None], 0.0)
    if beams.alignments is not None:
        step = torch.cat([beams.alignments, step], dim=2)
    return rows_of(step, parents)
