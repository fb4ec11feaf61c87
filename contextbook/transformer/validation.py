"""Checks of what goes into the Transformer, so that its own code stays short.

Each raises a ``ValueError`` that names the offending size or value and says how to mend it.
"""

from torch import Tensor

from contextbook.seq2seq.validation import check_sizes, check_source, check_targets
from contextbook.validation import check_heads, check_token_ids


def check_positions(length: int, d_model: int, vocabulary_size: int = 1) -> None:
    """Check that a table of positions has rows and features, and that there are tokens."""
    check_sizes(vocabulary_size=vocabulary_size, length=length, d_model=d_model)


def check_within(tokens: Tensor, first: int, vocabulary_size: int, max_length: int) -> None:
    """Check that tokens are a batch of ids of the vocabulary, with a position for each."""
    if tokens.ndim != 2:
        raise ValueError(
            f"tokens must be ids (batch, T), got shape {tuple(tokens.shape)}: add a batch axis to "
            "a single sentence by tokens[None]"
        )
    check_token_ids(tokens, vocabulary_size)
    length = first + tokens.shape[1]
    if length > max_length:
        raise ValueError(
            f"position {length - 1} is beyond the table of {max_length} positions: make the "
            f"Transformer with max_length={length} or more, or shorten the sequence"
        )


def check_width(x: Tensor, d_model: int) -> None:
    """Check that a layer's input has the width it is made for."""
    if not x.ndim or x.shape[-1] != d_model:
        raise ValueError(
            f"the layer is made for d_model={d_model} numbers in the last axis, got shape "
            f"{tuple(x.shape)}"
        )


def check_design(d_model: int, heads: int, d_ff: int, dropout: float) -> None:
    """Check the sizes of a layer."""
    check_sizes(d_ff=d_ff)
    check_heads(d_model, heads, dropout)


def check_pair(source: Tensor, target_in: Tensor, source_size: int, target_size: int) -> None:
    """Check that source and target are ids of their vocabularies, a target for each source."""
    check_source(source, source_size)
    check_targets(source, target_in)
    check_token_ids(target_in, target_size)


def check_smoothing(smoothing: float, logits: Tensor, target: Tensor, padding: int) -> None:
    """Check a share, and that each row of logits has a true token, not all of them padding."""
    if not 0 <= smoothing < 1:
        raise ValueError(f"smoothing is a share from 0 to below 1, got {smoothing}")
    if logits.shape[:-1] != target.shape:
        raise ValueError(
            f"logits {tuple(logits.shape)} need true tokens {tuple(logits.shape[:-1])}, got "
            f"{tuple(target.shape)}"
        )
    if not bool((target != padding).any()):
        raise ValueError(
            f"all true tokens {tuple(target.shape)} are padding, {padding}: no mean of none"
        )
