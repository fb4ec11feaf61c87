"""The framework of exercises: whatever a learner's function does, a hint and no traceback."""

import linecache

import pytest
import torch

from contextbook.exercises.describe import call_of, shown
from contextbook.exercises.framework import Attempt, Exercise, recognise
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
        "Your function stopped with RuntimeError: “no good: <object object at 0x…"
    )
    assert "\n" not in text


def test_an_error_is_told_with_the_line_and_the_input() -> None:
    # as IPython does it for a cell
    source = "def soft_lookup(x, sizes):\n    y = x @ x.T\n    return y @ x.mystery\n"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(True), "<cell>")
    names: dict = {}
    exec(compile(source, "<cell>", "exec"), names)
    tests = Exercise("soft_lookup", 9, lambda attempt: attempt(torch.eye(9), {"b", "a"}))
    hint = tests(names["soft_lookup"]).hint
    assert hint.startswith("Your function stopped with AttributeError: “'Tensor' object has no")
    assert "It happened in `return y @ x.mystery`." in hint
    assert hint.endswith("(Called with `x` = a tensor of shape `(9, 9)`, `sizes` = `{'a', 'b'}`.)")


def test_an_error_can_have_a_hint_of_its_own() -> None:
    errors = {"of_shapes": r"RuntimeError: .*\((?P<left>\d+x\d+) and"}
    with pytest.raises(Hint, match="of_shapes") as caught:
        Attempt(lambda x: x @ x, errors)(torch.ones(2, 3))
    assert caught.value.values["left"] == "(2, 3)"


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda x: x @ x, "a matrix of shape `(2, 3)` by one of `(2, 3)`"),
        (lambda x: x + x.T, "two tensors with 3 and 2 numbers along the same axis"),
    ],
)
def test_shapes_that_do_not_fit_are_told(function, hint: str) -> None:
    assert hint in Exercise("soft_lookup", 9, lambda a: a(torch.ones(2, 3)))(function).hint


def test_rows_that_should_add_up_to_one_are_looked_at() -> None:
    right = torch.tensor([[0.5, 0.5], [0.25, 0.75]])
    for answer, sentence in (
        (right.flip(-1), "Each row adds up to 1, as it should."),
        (
            right * torch.tensor([[1.0], [3.0]]),
            "Each row should add up to 1, but yours does not at [1]: its sum is 3.",
        ),
    ):
        with pytest.raises(Hint) as caught:
            recognise(answer, right, {})
        assert verdict_of("soft_lookup", caught.value).hint.endswith(sentence)
    with pytest.raises(Hint) as caught:
        recognise(3 * right, 2 * right, {})  # no weights
    assert caught.value.also == []


def test_values_are_short_and_the_same_at_every_run() -> None:
    assert shown(torch.tensor([[1, 2], [3, 4]])) == "`[[1, 2], [3, 4]]`"
    assert shown(torch.ones(2)) == "a tensor of shape `(2,)`"
    assert shown(lambda: 1) == "a function"
    assert len(shown({f"key {i}": float(i) for i in range(99)})) < 200
    assert len(shown("long " * 99)) < 70
    assert call_of(len, ([1],), {}) == "`obj` = `[1]`"
    assert call_of(lambda: 0, (1,), {"b": 2}) == "`1` = `1`, `b` = `2`"  # it takes neither


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


def test_an_exercise_without_words_says_where_to_add_them() -> None:
    message = (
        r"words/en.json.checks has no 'zzz_new': add checks.zzz_new to contextbook/words/en.json$"
    )
    with pytest.raises(MissingWordError, match=message) as caught:
        verdict_of("zzz_new", Hint("passed"))
    assert "soft_lookup" not in str(caught.value), "a list of all would hide the mend"


def test_a_hint_without_words_is_an_error_of_ours() -> None:
    with pytest.raises(MissingWordError, match="no 'nonsense'"):
        verdict_of("soft_lookup", Hint("nonsense"))
    with pytest.raises(MissingWordError, match="needs a value for"):
        verdict_of("soft_lookup", Hint("shape"))
