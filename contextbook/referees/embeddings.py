"""The referees of chapter 2: a look-up table against ``nn.Embedding``, a loss against autograd.

They judge definitions that the reader may have edited; the verdict is shown like an exercise's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from contextbook.exercises.framework import Attempt, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict, verdict_of

__all__ = ["check_embedding", "check_skip_gram"]

BOUND = 1e-10  # of the difference, in double precision
_SHAPES: list[tuple[int, ...]] = [(), (1,), (7,), (3, 4), (2, 3, 2)]
_SIZES = [(5, 3), (1, 1), (4, 4), (9, 2)]  # of the table
_BATCHES = [(1, 1, 1), (4, 1, 3), (1, 5, 2), (3, 4, 5), (6, 2, 8)]  # B, K, dim


def check_embedding(embedding: Callable[..., Any]) -> Verdict:
    """Compare a look-up table with ``torch.nn.Embedding``: values and gradients, padding included.

    Args:
        embedding: called as :class:`contextbook.embeddings.Embedding` is; its table is ``weight``.

    Returns:
        A verdict to be displayed; it never raises for what the class does.
    """
    cases = 0
    try:
        for rows, dim in _SIZES:
            for shape in _SHAPES:
                for padding in (None, rows - 1):
                    _compare_tables(embedding, rows, dim, padding, shape)
                    cases += 1
        raise Hint(PASSED, cases=cases, bound=f"{BOUND:.0e}")
    except Hint as hint:
        return verdict_of("embedding_referee", hint)


def _compare_tables(
    embedding: Callable[..., Any], rows: int, dim: int, padding: int | None, shape: tuple[int, ...]
) -> None:
    draw = torch.Generator().manual_seed(rows)
    ours = Attempt(embedding).call(rows, dim, padding)
    table = getattr(ours, "weight", None)
    if not isinstance(table, Tensor) or tuple(table.shape) != (rows, dim):
        found = tuple(table.shape) if isinstance(table, Tensor) else "none"
        raise Hint("table", got=found, expected=(rows, dim))
    if not isinstance(table, nn.Parameter):
        raise Hint("not_a_parameter", type=type(table).__name__)
    if padding is not None and bool(table[padding].any()):
        raise Hint("padding_not_zero")
    theirs = nn.Embedding(rows, dim, padding, dtype=torch.float64)
    ours.double()
    with torch.no_grad():  # also the row of the padding: where it is not zero, it is looked up
        theirs.weight.copy_(torch.randn(rows, dim, generator=draw, dtype=torch.float64))
        ours.weight.copy_(theirs.weight)
    ids = torch.randint(rows, shape, generator=draw)
    answer, expected = Attempt(ours).call(ids), theirs(ids)
    if not isinstance(answer, Tensor) or answer.shape != expected.shape:
        got = tuple(answer.shape) if isinstance(answer, Tensor) else type(answer).__name__
        raise Hint("shape", got=got, expected=tuple(expected.shape))
    mistakes = {
        "padding_zeroed": torch.where((ids == padding)[..., None], 0.0, expected.detach())
        if padding is not None
        else expected,
        "next_row": theirs.weight[(ids + 1) % rows].detach(),
        "row_before": theirs.weight[ids - 1].detach(),
    }
    recognise(answer.detach(), expected.detach(), mistakes, relative=0.0, absolute=BOUND)
    weighting = torch.randn(expected.shape, generator=draw, dtype=torch.float64)
    (expected * weighting).sum().backward()
    if answer.requires_grad:
        (answer * weighting).sum().backward()
    _compare_gradient(ours.weight.grad, theirs.weight.grad, padding, ids)


def _compare_gradient(ours: Tensor | None, theirs: Any, padding: int | None, ids: Tensor) -> None:
    ours = torch.zeros_like(theirs) if ours is None else ours
    if torch.allclose(ours, theirs, 0.0, BOUND):
        return
    if not bool(ours.any()):
        raise Hint("no_gradient")
    if padding is not None and bool(ours[padding].any()):
        raise Hint("padding_trained")
    raise Hint("gradient_differs", twice=len(ids.flatten()) - len(ids.unique()))


def check_skip_gram(loss: Callable[..., Any], gradient: Callable[..., Any]) -> Verdict:
    """Compare a loss with PyTorch's cross-entropy, and its gradient by hand with autograd's.

    Autograd differentiates the very loss that is given, so that both can be edited together.

    Args:
        loss: of ``(centre, context, noise)``, as :func:`contextbook.embeddings.skip_gram_loss`.
        gradient: of the same, as :func:`contextbook.embeddings.skip_gram_gradient`.

    Returns:
        A verdict to be displayed; it never raises for what the two do.
    """
    try:
        for seed, (batch, negatives, dim) in enumerate(_BATCHES):
            draw = torch.Generator().manual_seed(seed)
            vectors = tuple(
                torch.randn(shape, generator=draw, dtype=torch.float64).requires_grad_()
                for shape in ((batch, dim), (batch, dim), (batch, negatives, dim))
            )
            value = _check_loss(loss, vectors)
            _check_gradient(gradient, value, vectors)
        raise Hint(PASSED, cases=len(_BATCHES), bound=f"{BOUND:.0e}")
    except Hint as hint:
        return verdict_of("skip_gram_referee", hint)


def _check_loss(loss: Callable[..., Any], vectors: tuple[Tensor, ...]) -> Tensor:
    """The reader's loss, which must be PyTorch's."""
    value = Attempt(loss).call(*vectors)
    if not isinstance(value, Tensor) or value.ndim:
        got = tuple(value.shape) if isinstance(value, Tensor) else type(value).__name__
        raise Hint("not_one_number", got=got)
    centre, context, noise = (part.detach() for part in vectors)
    scores = torch.cat([context[:, None], noise], dim=1) @ centre[:, :, None]
    target = torch.zeros_like(scores)
    target[:, 0] = 1
    expected = functional.binary_cross_entropy_with_logits(scores, target, reduction="sum")
    recognise(
        value.detach(),
        expected / len(centre),
        _mistakes(scores[:, 0, 0], scores[:, 1:, 0]),
        relative=BOUND,
        absolute=BOUND,
    )
    if not value.requires_grad:
        raise Hint("no_gradient")
    return value


def _mistakes(true: Tensor, noise: Tensor) -> Iterator[tuple[str, Tensor]]:
    """What typical edits of the loss give, from the scores ``(B,)`` and ``(B, K)``."""
    log = functional.logsigmoid
    right = -(log(true) + log(-noise).sum(-1))
    yield "not_averaged", right.sum()
    yield "sign_flipped", -right.mean()
    yield "noise_not_negated", -(log(true) + log(noise).sum(-1)).mean()
    yield "noise_averaged", -(log(true) + log(-noise).mean(-1)).mean()
    yield "noise_left_out", -log(true).mean()
    yield "no_logarithm", -(torch.sigmoid(true) + torch.sigmoid(-noise).sum(-1)).mean()


def _check_gradient(
    gradient: Callable[..., Any], value: Tensor, vectors: tuple[Tensor, ...]
) -> None:
    found = Attempt(gradient).call(*(part.detach() for part in vectors))
    autograds = torch.autograd.grad(value, vectors)
    if not isinstance(found, tuple | list) or len(found) != 3:
        raise Hint("not_three", type=type(found).__name__)
    for name, ours, theirs in zip(("centre", "context", "noise"), found, autograds, strict=True):
        if not isinstance(ours, Tensor) or ours.shape != theirs.shape:
            got = tuple(ours.shape) if isinstance(ours, Tensor) else type(ours).__name__
            raise Hint("gradient_shape", name=name, got=got, expected=tuple(theirs.shape))
        for kind, mistake in (
            ("gradient_not_averaged", theirs * len(vectors[0])),
            ("gradient_upwards", -theirs),
        ):
            if torch.allclose(ours, mistake, BOUND, BOUND) and not torch.allclose(ours, theirs):
                raise Hint(kind, name=name)
        if not torch.allclose(ours, theirs, BOUND, BOUND):
            raise Hint("gradient_differs", name=name)
