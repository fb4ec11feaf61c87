"""How an exercise is checked: call the learner's function, look at what comes back, give a hint.

An exercise is a function of an :class:`Attempt`, decorated with :func:`exercise`. It goes through
its tests in order and raises the :class:`Hint` of the first that fails::

    @exercise(chapter=9)
    def double(attempt: Attempt) -> None:
        x = torch.tensor([1.0, 2.0])
        recognise(attempt.tensor(x, shape=(2,)), 2 * x, {"squared": x**2})

The words of the hints stand in the table of words, ``checks.double.squared`` in this case, and
``checks.double.passed`` says why a right answer is right. What a typical mistake *raises* is known
by its message: ``@exercise(chapter=9, errors={"kind": "TypeError: a pattern"})``.
"""

from __future__ import annotations

import copy
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from contextbook.exercises.describe import (
    call_of,
    dtype_of,
    kind_of,
    line_of,
    message_of,
    sizes_in,
)
from contextbook.exercises.verdict import NOT_ATTEMPTED, PASSED, Hint, Verdict, verdict_of

__all__ = ["Attempt", "Exercise", "exercise", "recognise"]

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # a learner may compute in single precision

# messages that many a mistake with shapes ends in, by the kind of hint
_ERRORS = {
    "product_shapes": r"mat1 and mat2 shapes cannot be multiplied "
    r"\((?P<left>\d+x\d+) and (?P<right>\d+x\d+)\)",
    "sizes_differ": r"The size of tensor a \((?P<left>\d+)\) must match "
    r"the size of tensor b \((?P<right>\d+)\)",
}
# hints for which one wants to know what the function was called with
_ASK_FOR_INPUT = {
    *("raised", "shape", "dtype", "not_a_tensor", "not_a_number", "not_finite"),
    *("different", "close", *_ERRORS),
}


class Attempt:
    """A learner's function, called so that whatever it does becomes a hint and never an error.

    Args:
        function: what the learner wrote.
        errors: the kind of hint by a pattern that is searched in ``Type: message`` of what it
            raises; named groups fill the hint's placeholders.
    """

    def __init__(self, function: Any, errors: Mapping[str, str] | None = None) -> None:
        self.function = function
        self.errors = {**(errors or {}), **_ERRORS}
        self.name = getattr(function, "__name__", "the function")
        self._last_call: tuple[tuple[Any, ...], dict[str, Any]] | None = None

    @property
    def input(self) -> str:
        """What the function was called with last, in words."""
        return "" if self._last_call is None else call_of(self.function, *self._last_call)

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
        self._last_call = arguments, keywords
        try:
            answer = self.function(*arguments, **keywords)
        except Exception as error:
            raise self._hint_of(error) from None
        if answer is ...:
            raise Hint(NOT_ATTEMPTED, function=self.name)
        if answer is None:
            raise Hint("returned_nothing", function=self.name)
        return answer

    def _hint_of(self, error: Exception) -> Hint:
        if "ellipsis" in str(error):
            return Hint("unfinished", function=self.name)
        line = line_of(error, self.function)
        known = {kind: sizes_in(error, pattern) for kind, pattern in self.errors.items()}
        kind = next((kind for kind, sizes in known.items() if sizes is not None), "raised")
        told = {"error": type(error).__name__, "message": message_of(error), "line": line}
        return Hint(kind, **told, **(known.get(kind) or {})).add(*["in_line"] * bool(line))

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
            raise Hint("not_a_tensor", type=kind_of(answer))
        if tuple(answer.shape) != shape:
            raise Hint("shape", got=tuple(answer.shape), expected=shape)
        if dtype is not None and answer.dtype != dtype:
            raise Hint("dtype", got=dtype_of(answer.dtype), expected=dtype_of(dtype))
        if dtype is None and not answer.is_floating_point():
            raise Hint("dtype", got=dtype_of(answer.dtype), expected=dtype_of(torch.float32))
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
            raise Hint("not_a_number", type=kind_of(answer))
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
    errors: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, function: Any) -> Verdict:
        """Check a function; never raises for what the function does."""
        return judge(self.name, Attempt(function, self.errors), self.tests)


def judge(name: str, attempt: Attempt, tests: Callable[[Attempt], object]) -> Verdict:
    """Run tests on an attempt and put their first hint, or the praise, into words.

    Args:
        name: whose words are used: ``checks.<name>``.
        attempt: what is tested.
        tests: raises a :class:`Hint` for what is wrong.
    """
    try:
        tests(attempt)
    except Hint as hint:
        return verdict_of(name, hint, attempt.input if hint.kind in _ASK_FOR_INPUT else "")
    return verdict_of(name, Hint(PASSED))


def exercise(
    *, chapter: int, errors: Mapping[str, str] | None = None
) -> Callable[[Callable[[Attempt], None]], Exercise]:
    """Make the tests that follow an exercise of that chapter, under their own name.

    Args:
        chapter: number of the chapter.
        errors: hints for what typical mistakes raise, as :class:`Attempt` takes them.
    """

    def register(tests: Callable[[Attempt], None]) -> Exercise:
        return Exercise(tests.__name__, chapter, tests, errors or {})

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
            ``different`` with the place of the largest difference and, where rows should add up
            to 1, whether they do.
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
    hint = Hint(
        "different",
        got=f"{got.flatten()[place].item():.4g}",
        expected=f"{right.flatten()[place].item():.4g}",
        place=_place(place, got.shape),
    )
    _add_rows(hint, got, right)
    raise hint


def _add_rows(hint: Hint, got: Tensor, right: Tensor) -> None:
    """Let a hint say whether the rows add up to 1, if those of the right answer do."""
    weights = right.ndim > 1 and got.shape == right.shape and bool((right >= 0).all())
    if not weights or not _close(right.sum(-1), torch.ones_like(right[..., 0]), 1e-4, 1e-5):
        return
    sums = got.sum(-1)
    off = (sums - 1).abs().flatten()
    if not bool((off > 1e-4).any()):
        hint.add("rows_add_up")
        return
    row = int(off.argmax())
    hint.values |= {"row": _place(row, sums.shape), "total": f"{sums.flatten()[row].item():.4g}"}
    hint.add("rows_do_not_add_up")


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
