"""Whether a model computes what the book's does with the same weights."""

from __future__ import annotations

from typing import Any, TypeAlias

import torch
from torch import Tensor

from contextbook.attention import padding_mask
from contextbook.saving.configuration import UnknownModelError
from contextbook.transformer import Transformer

LENGTH = 24  # of the sentences that both read

Inputs: TypeAlias = tuple[Tensor, Tensor | None, Tensor]  # source, its lengths, target


def check_same(model: Any, twin: Any, source_size: int, target_size: int) -> None:
    """Refuse a model that does not compute what the book's does with the same weights.

    Args:
        model: called ``model(source, lengths, target_in)``; returns logits first.
        twin: the book's model of the same shape; it takes the weights.
        source_size: number of source tokens.
        target_size: number of target tokens.

    Raises:
        UnknownModelError: the weights are others, or the numbers that they give, with padding or
            without.
    """
    name = type(twin).__name__
    try:
        twin.eval().load_state_dict(model.state_dict())
    except RuntimeError as error:
        raise UnknownModelError(
            f"this {type(model).__name__} has other weights than the book's {name}: {error}"
        ) from error
    length = LENGTH
    if isinstance(twin, Transformer):  # it may know fewer positions
        length = min(length, twin.source_embedding.max_length)
    was_training = model.training
    try:
        model.eval()
        for kind, inputs in _examples(source_size, target_size, length).items():
            _check_answer(model, twin, kind, inputs)
    finally:
        model.train(was_training)


def _examples(source_size: int, target_size: int, length: int) -> dict[str, Inputs]:
    """Sentences by which models are told apart: one alone, and two of which one is padded."""
    source = torch.arange(source_size)[:length].repeat(2, 1)
    target = torch.arange(target_size)[1 : length + 1].repeat(2, 1)
    whole = source.shape[1]
    lengths = torch.tensor([whole, (whole + 1) // 2])
    padded = source.where(padding_mask(lengths, whole), 0)
    return {
        "a source without padding": (source[:1], None, target[:1]),
        "a source with padding": (padded, lengths, target),
    }


def _check_answer(model: Any, twin: Any, kind: str, inputs: Inputs) -> None:
    """Refuse a model whose logits are not the twin's, up to rounding."""
    device = next(model.parameters()).device
    there = [None if part is None else part.to(device) for part in inputs]
    with torch.no_grad():
        wanted, found = twin(*inputs)[0], model(*there)[0]
    if torch.allclose(wanted, found.cpu().to(wanted.dtype), atol=1e-3):
        return
    mend = "undo the edit, and train it again"
    if "forward" in vars(model):  # put over the class's own
        mend = f"save it after the `with mixed_precision(…)`; if it is in none, {mend}"
    raise UnknownModelError(
        f"this model gives other numbers than the book's {type(twin).__name__} with the same "
        f"weights, for {kind}: {mend}"
    )
