"""The framework of exercises: whatever a learner's function does, a hint and no traceback."""

import pytest
import torch

from contextbook.exercises.framework import Attempt, recognise
from contextbook.exercises.verdict import Hint, Verdict, verdict_of
from contextbook.words import MissingWordError

X = torch.tensor([1.0, 2.0, 3.0])


def hint_of(function, *arguments, call="__call__", **options) -> Hint:
    with pytest.raises(Hint) as caught:
        getattr(Attempt(function), call)(*arguments, **options)
    return caught.value


def fails(x):
    raise RuntimeError(f"no good:\n {object()!r}")


def changes(x):
    x += 1
    return x


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (..., "not_attempted"),
        (lambda x: ..., "not_attempted"),
        (lambda x: None, "returned_nothing"),
        (lambda x: ... @ x, "unfinished"),
        (lambda x: x.nothing, "raised"),
        (lambda x, y: x, "raised"),
        (fails, "raised"),
        (changes, "mutated"),
        (X, "not_a_function"),
    ],
)
def test_what_goes_wrong_becomes_a_hint(function, kind: str) -> None:
    hint = hint_of(function, X)
    assert hint.kind == kind
    assert verdict_of("soft_lookup", hint).hint  # it has words


def test_an_error_is_told_in_one_line_without_addresses() -> None:
    text = verdict_of("soft_lookup", hint_of(fails, X)).hint
    assert text.startswith(
        "Your function stopped with RuntimeError: no good: <object object at 0x…"
    )
    assert "\n" not in text


def test_the_callers_tensors_stay_as_they_are() -> None:
    before = X.clone()
    hint_of(changes, X)
    assert torch.equal(X, before)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ([1.0, 2.0, 3.0], "not_a_tensor"),
        ((X, X), "not_a_tensor"),
        (X[None], "shape"),
        (X.long(), "dtype"),
        (X / 0 * 0, "not_finite"),
    ],
)
def test_answers_that_are_no_such_tensor(answer, kind: str) -> None:
    assert hint_of(lambda x: answer, X, call="tensor", shape=(3,)).kind == kind


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("3", "not_a_number"),
        (True, "not_a_number"),
        (X, "not_a_number"),
        (float("nan"), "not_finite"),
    ],
)
def test_answers_that_are_no_number(answer, kind: str) -> None:
    assert hint_of(lambda x: answer, X, call="number").kind == kind


def test_numbers_may_come_as_tensors_and_integers() -> None:
    assert Attempt(lambda x: x.sum()).number(X) == 6.0
    assert Attempt(lambda x: 6).number(X) == 6.0


def test_gradients_must_come_back() -> None:
    Attempt(lambda x: x * x).differentiable(X)
    assert hint_of(lambda x: x.detach(), X, call="differentiable").kind == "not_differentiable"
    # the root of zero has an infinite slope, and infinity times zero is NaN
    assert hint_of(lambda x: (x * 0).sqrt(), X, call="differentiable").kind == "not_differentiable"


def test_a_known_mistake_is_recognised_and_an_unknown_one_is_located() -> None:
    recognise(X, X + 1e-7, {})
    with pytest.raises(Hint, match="doubled"):
        recognise(2 * X, X, {"squared": X**2, "doubled": 2 * X})
    with pytest.raises(Hint, match="different") as caught:
        recognise(
            torch.tensor([[1.0, 2.0], [3.0, 9.0]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]), {}
        )
    assert caught.value.values == {"got": "9", "expected": "4", "place": " at [1, 1]"}
    with pytest.raises(Hint) as caught:
        recognise(1.0, 2.0, {})
    assert caught.value.values["place"] == ""


def test_a_verdict_is_readable_and_escaped() -> None:
    verdict = Verdict("x", "raised", "Not yet.", "Use `a < b`, not <script>alert(1)</script>")
    assert repr(verdict) == "✗ Not yet. Use `a < b`, not <script>alert(1)</script>"
    page = verdict._repr_html_()
    assert "<script>" not in page
    assert "<code>a &lt; b</code>" in page
    assert '<span aria-hidden="true">✗</span> Not yet.</strong>' in page
    assert not verdict


def test_a_hint_without_words_is_an_error_of_ours() -> None:
    with pytest.raises(MissingWordError, match="no 'nonsense'"):
        verdict_of("soft_lookup", Hint("nonsense"))
    with pytest.raises(MissingWordError, match="needs a value for"):
        verdict_of("soft_lookup", Hint("shape"))
