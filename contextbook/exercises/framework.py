"""How an exercise is checked: call the learner's function, look at what comes back, give a hint.

An exercise is a function of an :class:`Attempt`, decorated with :func:`exercise`. It goes through
its tests in order and raises the :class:`Hint` of the first that fails::

    @exercise(chapter=9)
    def double(attempt: Attempt) -> None:
        x = torch.tensor([1.0, 2.0])
        recognise(attempt.tensor(x, shape=(2,)), 2 * x, {"squared": x**2})

The words of the hints stand in the table of words, ``checks.double.squared`` in this case, and
``checks.double.passed`` says why a right answer is right.
"""

from __future__ import annotations

import copy
import numbers
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from contextbook.exercises.verdict import NOT_ATTEMPTED, PASSED, Hint, Verdict, verdict_of

__all__ = ["Attempt", "Exercise", "exercise", "recognise"]

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # a learner may compute in single precision


class Attempt:
    """A learner's function, called so that whatever it does becomes a hint and never an error."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.name = getattr(function, "__name__", "the function")

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns for a copy of the arguments.

        Raises:
            Hint: it raised, returned nothing or ``...``, or changed what it was given.
        """
        given = copy.deepcopy(arguments)
        answer = self.call(*given)
        for before, after in zip(arguments, given, strict=True):
            if not _same(before, after):
                raise Hint("mutated", function=self.name)
        return answer

    def call(self, *arguments: Any, **keywords: Any) -> Any:
        """The same with the very arguments, so that gradients can come back to them."""
        if self.function is ...:
            raise Hint(NOT_ATTEMPTED, function=self.name)
        if not callable(self.function):
            raise Hint("not_a_function", type=type(self.function).__name__)
        try:
            answer = self.function(*arguments, **keywords)
        except Exception as error:
            if "ellipsis" in str(error):
                raise Hint("unfinished", function=self.name) from None
            raise Hint("raised", error=type(error).__name__, message=_one_line(error)) from None
        if answer is ...:
            raise Hint(NOT_ATTEMPTED, function=self.name)
        if answer is None:
            raise Hint("returned_nothing", function=self.name)
        return answer

    def tensor(
        self,
        *arguments: Any,
        shape: tuple[int, ...],
        dtype: torch.dtype | None = None,
        finite: bool = True,
    ) -> Tensor:
        """The answer, which must be a tensor of this shape.

        Args:
            arguments: what the function is called with.
            shape: what the answer's shape must be.
            dtype: what its type must be; any floating point type when ``None``.
            finite: refuse NaN and infinities.

        Raises:
            Hint: it is something else.
        """
        answer = self(*arguments)
        if not isinstance(answer, Tensor):
            raise Hint("not_a_tensor", type=_kind_of(answer))
        if tuple(answer.shape) != shape:
            raise Hint("shape", got=tuple(answer.shape), expected=shape)
        if dtype is not None and answer.dtype != dtype:
            raise Hint("dtype", got=_dtype(answer.dtype), expected=_dtype(dtype))
        if dtype is None and not answer.is_floating_point():
            raise Hint("dtype", got=_dtype(answer.dtype), expected=_dtype(torch.float32))
        if finite and not bool(torch.isfinite(answer).all()):
            raise Hint("not_finite", count=int((~torch.isfinite(answer)).sum()))
        return answer.detach() if dtype is None else answer

    def number(self, *arguments: Any) -> float:
        """The answer, which must be one finite number.

        Raises:
            Hint: it is something else.
        """
        answer = self(*arguments)
        if isinstance(answer, Tensor) and answer.numel() == 1:
            answer = answer.item()
        if isinstance(answer, bool) or not isinstance(answer, numbers.Real):
            raise Hint("not_a_number", type=_kind_of(answer))
        if not torch.isfinite(torch.tensor(float(answer))):
            raise Hint("not_finite", count=1)
        return float(answer)

    def differentiable(self, *arguments: Tensor) -> None:
        """Check that a gradient comes back through the function to each of its arguments.

        Raises:
            Hint: none comes, or one is NaN.
        """
        leaves = [argument.clone().requires_grad_() for argument in arguments]
        answer = self.call(*leaves)
        if not isinstance(answer, Tensor) or not answer.requires_grad:
            raise Hint("not_differentiable")
        weighted = (answer * torch.linspace(0.5, 1.5, answer.numel()).reshape(answer.shape)).sum()
        for gradient in torch.autograd.grad(weighted, leaves, allow_unused=True):
            if gradient is None or not bool(torch.isfinite(gradient).all()):
                raise Hint("not_differentiable")


@dataclass(frozen=True)
class Exercise:
    """An exercise of a chapter; calling it with a learner's function gives the verdict."""

    name: str
    chapter: int
    tests: Callable[[Attempt], None]

    def __call__(self, function: Any) -> Verdict:
        """Check a function; never raises for what the function does."""
        try:
            self.tests(Attempt(function))
        except Hint as hint:
            return verdict_of(self.name, hint)
        return verdict_of(self.name, Hint(PASSED))


def exercise(*, chapter: int) -> Callable[[Callable[[Attempt], None]], Exercise]:
    """Make the tests that follow an exercise of that chapter, under their own name."""

    def register(tests: Callable[[Attempt], None]) -> Exercise:
        return Exercise(tests.__name__, chapter, tests)

    return register


def recognise(
    answer: Tensor | float,
    expected: Tensor | float,
    mistakes: Mapping[str, Tensor | float] | Iterable[tuple[str, Tensor | float]],
    *,
    relative: float = RELATIVE,
    absolute: float = ABSOLUTE,
) -> None:
    """Compare an answer with the right one, and a wrong one with what typical mistakes give.

    Args:
        answer, expected: numbers, or tensors of one shape.
        mistakes: the kind of hint by what one gets who makes the mistake; the first that fits is
            told. A mistake whose result has another shape fits nothing.
        relative, absolute: how far from ``expected`` still counts as equal.

    Raises:
        Hint: the answer is wrong: the mistake, ``close`` for one that is off by little, or
            ``different`` with the place of the largest difference.
    """
    got, right = torch.as_tensor(answer).double(), torch.as_tensor(expected).double()
    if _close(got, right, relative, absolute):
        return
    for kind, mistake in mistakes.items() if isinstance(mistakes, Mapping) else mistakes:
        if _close(got, torch.as_tensor(mistake).double(), relative, absolute):
            raise Hint(kind)
    flat = (got - right).abs().flatten()
    place = int(flat.argmax())
    if _close(got, right, 1e-2, 1e-3):
        raise Hint("close", difference=f"{flat[place].item():.0e}")
    raise Hint(
        "different",
        got=f"{got.flatten()[place].item():.4g}",
        expected=f"{right.flatten()[place].item():.4g}",
        place=_place(place, got.shape),
    )


def _close(one: Tensor, other: Tensor, relative: float, absolute: float) -> bool:
    return one.shape == other.shape and torch.allclose(
        one, other, relative, absolute, equal_nan=True
    )


def _place(flat_index: int, shape: torch.Size) -> str:
    """Where in a tensor, as one writes it in Python; nothing for a single number."""
    if not shape:
        return ""
    index = torch.unravel_index(torch.tensor(flat_index), shape)
    return f" at [{', '.join(str(int(i)) for i in index)}]"


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, Tensor):
        same_form = before.shape == after.shape and before.dtype == after.dtype
        return same_form and torch.equal(before.nan_to_num(), after.nan_to_num())
    return callable(before) or bool(before == after)


def _kind_of(answer: Any) -> str:
    if isinstance(answer, tuple | list):
        return f"{type(answer).__name__} of {len(answer)}"
    if isinstance(answer, Tensor):
        return f"tensor of shape {tuple(answer.shape)}"
    return type(answer).__name__


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _one_line(error: Exception) -> str:
    """An error's message without line breaks, and without addresses, which change at every run."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x…", " ".join(str(error).split()))[:300]
