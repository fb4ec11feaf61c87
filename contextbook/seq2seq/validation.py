"""Checks of what goes into encoders, attention and decoders, so that these stay short.

Each raises a ``ValueError`` that names the offending shape or value and says how to mend it.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from contextbook.validation import check_token_ids


def check_sizes(**sizes: int) -> None:
    """Check that sizes are positive."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def check_encoder_sizes(
    vocabulary_size: int, embedding_size: int, hidden_size: int, bidirectional: bool
) -> None:
    """Check that sizes are positive, and that two readers can share the hidden state."""
    check_sizes(
        vocabulary_size=vocabulary_size, embedding_size=embedding_size, hidden_size=hidden_size
    )
    if bidirectional and hidden_size % 2:
        raise ValueError(
            f"reading both ways, each reader has half of hidden_size: {hidden_size} is odd"
        )


def check_source(source: Tensor, vocabulary_size: int) -> None:
    """Check that a source is a batch of token ids of the vocabulary."""
    if source.ndim != 2:
        raise ValueError(
            f"source must be token ids (batch, T_x), got shape {tuple(source.shape)}: add a batch "
            "axis to a single sentence by source[None]"
        )
    check_token_ids(source, vocabulary_size)


def check_targets(source: Tensor, target_in: Tensor) -> None:
    """Check that there is a target for each source, of at least one token."""
    fits = target_in.ndim == 2 and len(target_in) == len(source) and target_in.shape[1] > 0
    if not fits:
        raise ValueError(
            f"target_in must be token ids (batch, T_y), with at least the start token, for source "
            f"{tuple(source.shape)}; got shape {tuple(target_in.shape)}"
        )
    if target_in.is_floating_point() or target_in.dtype == torch.bool:
        raise ValueError(f"target_in must be token ids, which are integers; got {target_in.dtype}")


def check_attention_step(
    attention: Any, state: Tensor, memory: Tensor, key_mask: Tensor | None
) -> None:
    """Check that a state, a memory and a mask fit each other and the attention."""
    if memory.ndim != 3 or state.ndim != 2 or len(state) != len(memory):
        raise ValueError(
            "attention looks from one state (batch, state_size) into a memory (batch, T_x, "
            f"memory_size), got {tuple(state.shape)} and {tuple(memory.shape)}"
        )
    for name, tensor in (("state", state), ("memory", memory)):
        size = getattr(attention, f"{name}_size", tensor.shape[-1])
        if tensor.shape[-1] != size:
            raise ValueError(
                f"{name} {tuple(tensor.shape)} does not fit an attention made for {name}_size="
                f"{size}"
            )
    if key_mask is not None and (
        key_mask.dtype != torch.bool or key_mask.shape != memory.shape[:2]
    ):
        raise ValueError(
            f"key_mask must be boolean (batch, T_x) = {tuple(memory.shape[:2])}, got "
            f"{key_mask.dtype} of shape {tuple(key_mask.shape)}"
        )


def check_decoder_attention(attention: Any, hidden_size: int, memory_size: int) -> Any:
    """Check that an attention is made for a decoder's state and the memory; returns it."""
    check_sizes(hidden_size=hidden_size, memory_size=memory_size)
    made_for = (
        getattr(attention, "state_size", hidden_size),
        getattr(attention, "memory_size", memory_size),
    )
    if made_for != (hidden_size, memory_size):
        raise ValueError(
            f"the attention is made for states of {made_for[0]} and a memory of {made_for[1]} "
            f"numbers; the decoder has hidden_size={hidden_size} and memory_size={memory_size}"
        )
    return attention


def check_pairs(pairs: Sequence[Any]) -> None:
    """Check that there is at least one pair of sentences."""
    if not pairs:
        raise ValueError("there are no sentence pairs: a batch needs at least one")
