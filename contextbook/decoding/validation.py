"""Checks of what goes into decoding, so that the functions stay short.

Each raises a ``ValueError`` that names the offending shape or value and says how to mend it.
"""

import math
from typing import Any

import torch
from torch import Tensor


def check_decoding(source: tuple[Any, ...], max_length: int, start: int, stop: int) -> Tensor:
    """Check a source and the settings; returns the start token of each sentence, ``(batch,)``."""
    if not source or not isinstance(source[0], Tensor) or not source[0].ndim or not len(source[0]):
        got = tuple(source[0].shape) if source and isinstance(source[0], Tensor) else source[:1]
        raise ValueError(
            f"the source must begin with a tensor (batch, …) of at least one sentence, got {got}"
        )
    if max_length < 1:
        raise ValueError(f"max_length must be at least 1, got {max_length}")
    if stop < 1 or start < 0:
        raise ValueError(
            f"start and stop must be ids of tokens, and stop not 0, which is padding; got "
            f"start={start} and stop={stop}"
        )
    return torch.full((len(source[0]),), start, dtype=torch.int64, device=source[0].device)


def check_step(log_probs: Tensor, rows: int, stop: int) -> None:
    """Check that a step gave log-probabilities for each row, of a vocabulary with a stop token."""
    if log_probs.ndim != 2 or len(log_probs) != rows or log_probs.shape[1] <= stop:
        raise ValueError(
            f"step should return log-probabilities ({rows}, V) with V > {stop}, the id of the stop "
            f"token; got {tuple(log_probs.shape)}"
        )
    if bool((log_probs > 1e-3).any()) or bool(log_probs.isnan().any()):
        raise ValueError(
            "step should return log-probabilities, which are never above 0 and never NaN: "
            "call log_softmax on logits"
        )


def check_temperature(temperature: float) -> None:
    """Check that one can divide by a temperature."""
    if not 0 < temperature < math.inf:
        raise ValueError(
            f"temperature must be a positive number, got {temperature}; for its limit 0 call greedy"
        )


def check_beams(width: int, alpha: float) -> None:
    """Check the width of a beam, and the exponent of its length normalisation."""
    if width < 1:
        raise ValueError(f"width must be at least 1, got {width}")
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha must be 0 or more, got {alpha}")
