"""Chapter 9: a soft dictionary, masks, the scale, self-attention, and what it does not know."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = [
    "causal_weights",
    "is_equivariant",
    "key_mask",
    "score_scale",
    "self_attention",
    "soft_lookup",
]


@exercise(
    chapter=9, errors={"items_forgotten": "ValueError: (too many|not enough) values to unpack"}
)
def soft_lookup(attempt: Attempt) -> None:
    """A dictionary with text as keys that answers with a weighted mean."""
    hours = {"cat": 13.0, "dog": 11.0, "bat": 20.0, "horse": 3.0}
    rounds: list[tuple[dict[str, float], dict[str, float]]] = [
        (hours, {"cat": 0.5, "dog": 1.5, "bat": -1.0, "horse": 1.0}),
        (hours, {"cat": -2.0, "dog": -1.0, "bat": 3.0, "horse": 0.5}),
        ({"only": 7.0}, {"only": -1.0}),
    ]
    for entries, score in rounds:

        def similarity(question: str, key: str, score: dict[str, float] = score) -> float:
            # the two arguments have their own places: other orders get other numbers
            return score[key] if question == "goat" else -2.0 * score[question]

        weight = {key: math.exp(score[key]) for key in entries}
        total = sum(weight.values())
        swapped = {key: math.exp(-2.0 * score[key]) for key in entries}
        linear = sum(score[key] for key in entries)
        recognise(
            attempt.number(entries, "goat", similarity),
            sum(weight[key] * value for key, value in entries.items()) / total,
            {
                "hard": entries[max(entries, key=lambda key: score[key])],
                "not_divided": sum(weight[key] * value for key, value in entries.items()),
                "no_exponential": sum(score[key] * value for key, value in entries.items())
                / linear,
                "no_weights": sum(entries.values()) / len(entries),
                "divided_by_count": sum(weight[key] * value for key, value in entries.items())
                / len(entries),
                "swapped": sum(swapped[key] * value for key, value in entries.items())
                / sum(swapped.values()),
            },
        )


@exercise(chapter=9)
def key_mask(attempt: Attempt) -> None:
    """A mask over keys from token ids and the id of the filler."""
    ids = torch.tensor([[5, 2, 7, 0, 0], [3, 0, 4, 4, 1]])
    for padding in (0, 4):
        right = ids != padding
        answer = attempt(ids, padding)
        if isinstance(answer, Tensor) and answer.dtype != torch.bool:
            raise Hint("not_boolean", got=str(answer.dtype).removeprefix("torch."))
        answer = attempt.tensor(ids, padding, shape=(2, 5), dtype=torch.bool)
        places = torch.arange(5)
        recognise(
            answer,
            right,
            {
                "inverted": ~right,
                "always_zero": ids != 0,
                "by_length": places < right.sum(-1, keepdim=True),
                "up_to_the_first": right.cumprod(-1).bool(),
            },
        )


@exercise(chapter=9)
def causal_weights(attempt: Attempt) -> None:
    """Scores to weights of which none goes to a later token."""
    batch = torch.randn(2, 4, 4, generator=torch.Generator().manual_seed(9)) * 2
    past = torch.ones(4, 4, dtype=torch.bool).tril()
    # one sentence first: only then are leading axes to blame
    _check_one_sentence(attempt, batch[0], past)
    right = _causal_softmax(batch, past)
    try:
        recognise(attempt.tensor(batch, shape=(2, 4, 4)), right, {})
    except Hint:
        raise Hint("leading_axes", shape=tuple(batch.shape)) from None
    # the softmax does not change when all scores of a row go up or down alike
    shifted = batch + torch.tensor([0.0, 2000.0, -2000.0, 0.0])[:, None]
    answer = attempt.tensor(shifted, shape=(2, 4, 4), finite=False)
    if bool((answer[:, ~past] > 1e-3).any()):
        raise Hint("fill_too_high")
    if not torch.allclose(answer, right, 1e-3, 1e-3):
        raise Hint("overflow")
    attempt.differentiable(batch)


def _causal_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    return torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), dim)


def _check_one_sentence(attempt: Attempt, scores: Tensor, past: Tensor) -> None:
    right = _causal_softmax(scores, past)
    everywhere = torch.softmax(scores, -1)
    exponentials = scores.exp() * past
    answer = attempt.tensor(scores, shape=(4, 4), finite=False)
    # who leaves out the token itself gets NaN, zeros or a flat first row: the rest is compared
    if torch.allclose(answer[1:], _causal_softmax(scores, past.tril(-1))[1:], 1e-4, 1e-5):
        raise Hint("without_itself")
    if torch.allclose(answer[past], scores[past], 1e-4, 1e-5):  # whatever stands for the future
        raise Hint("no_softmax")
    # the last token has no future: with -inf its row is NaN
    if torch.allclose(answer[:-1], _causal_softmax(scores, ~past)[:-1], 1e-4, 1e-5):
        raise Hint("inverted_strict")
    if not bool(torch.isfinite(answer).all()):
        raise Hint("not_finite", count=int((~torch.isfinite(answer)).sum()))
    recognise(
        answer,
        right,
        {
            "no_mask": everywhere,
            "mask_after_softmax": everywhere * past,
            "inverted": _causal_softmax(scores, past.T),
            "scores_set_to_zero": torch.softmax(scores * past, -1),
            "wrong_axis": _causal_softmax(scores, past, -2),
            "wrong_axis_after": torch.softmax(scores, -2) * past,
            "not_divided": exponentials,
            "sum_of_all": exponentials / exponentials.sum(),
            "no_keepdim": exponentials / exponentials.sum(-1),
        },
    )


@exercise(chapter=9)
def score_scale(attempt: Attempt) -> None:
    """The factor that gives scores a variance of 1, whatever the variance of queries and keys."""
    # in the first case every mistake gives a number of its own
    for d_k, query, key in ((16, 4.0, 9.0), (64, 4.0, 0.25), (100, 0.5, 0.5), (4, 1.0, 1.0)):
        variance = d_k * query * key
        recognise(
            attempt.number(d_k, query, key),
            variance**-0.5,
            {
                "variances_ignored": d_k**-0.5,
                "no_root": 1 / variance,
                "upside_down": variance**0.5,
                "upside_down_no_root": variance,
                "variance_as_deviation": d_k**-0.5 / (query * key),
                "width_without_root": (query * key) ** -0.5 / d_k,
                "variances_above": (query * key / d_k) ** 0.5,
                "only_query_variance": (d_k * query) ** -0.5,
                "only_key_variance": (d_k * key) ** -0.5,
                "added": (d_k * (query + key)) ** -0.5,
                "no_width": (query * key) ** -0.5,
            },
        )


# the sizes are those of the check's tokens (5, 6) and matrices (6, 4), (6, 4), (6, 6)
@exercise(
    chapter=9,
    errors={
        "key_not_transposed": r"cannot be multiplied \((?P<left>5x4) and (?P<right>5x4)\)",
        "matrix_first": r"cannot be multiplied \((?P<left>[46]x6|6x4) and (?P<right>5x6)\)",
        "matrix_transposed": r"cannot be multiplied \((?P<left>5x6) and (?P<right>4x6)\)",
        "queries_not_rows": r"cannot be multiplied \((?P<left>4x4) and (?P<right>5x6)\)",
    },
)
def self_attention(attempt: Attempt) -> None:
    """Tokens, three matrices, and the tokens attend to each other."""
    draw = torch.Generator().manual_seed(9)
    # the values are as wide as the tokens, so that a missing W^V is a mistake and no error
    x, w_query, w_key, w_value = (
        torch.randn(shape, generator=draw) for shape in ((5, 6), (6, 4), (6, 4), (6, 6))
    )
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.T

    def mix(scores: Tensor, values: Tensor = value, dim: int = -1) -> Tensor:
        return torch.softmax(scores, dim) @ values

    def mix_exponentials(weigh: Callable[[Tensor], Tensor]) -> Tensor:
        exponentials = (scores / 2).exp()
        return exponentials / weigh(exponentials) @ value

    recognise(
        attempt.tensor(x, w_query, w_key, w_value, shape=(5, 6)),
        mix(scores / 2),
        {
            "no_scale": mix(scores),
            "scaled_by_d_k": mix(scores / 4),
            "scaled_by_model": mix(scores / 6**0.5),
            "scaled_by_tokens": mix(scores / 5**0.5),
            "multiplied": mix(scores * 2),
            "wrong_axis": mix(scores / 2, dim=0),
            "sum_of_all": mix_exponentials(torch.sum),
            "no_keepdim": mix_exponentials(lambda exponentials: exponentials.sum(-1)),
            "not_divided": mix_exponentials(torch.ones_like),
            "roles_swapped": mix(scores.T / 2),
            "value_not_projected": mix(scores / 2, x),
            "key_as_query": mix(key @ key.T / 2),
            "query_as_key": mix(query @ query.T / 2),
            "nothing_projected": mix(x @ x.T / 6**0.5, x),
            "no_softmax": (scores / 2) @ value,
        },
    )
    attempt.differentiable(x, w_query, w_key, w_value)


def _running_sum(x: Tensor) -> Tensor:
    """Adds the tokens one after the other, so that another order rounds differently."""
    total = torch.zeros_like(x[0])
    for row in x:
        total = total + row
    return x + total


def _layers() -> list[tuple[str, Callable[[Tensor], Tensor], bool]]:
    """Layers on ``(time, features)`` and whether shuffling what goes in shuffles what comes out."""

    def attend(x: Tensor, mask: Tensor | None = None) -> Tensor:
        scores = x @ x.T
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(x.dtype).min)
        return torch.softmax(scores, -1) @ x

    return [
        ("attention", attend, True),
        ("causal", lambda x: attend(x, torch.ones(len(x), len(x), dtype=torch.bool).tril()), False),
        ("positions", lambda x: x + torch.arange(len(x))[:, None], False),
        ("rounding", _running_sum, True),
        ("token_by_token", lambda x: torch.tanh(x) * 2, True),
        ("mean", lambda x: x.mean(0).expand_as(x), True),
        ("first", lambda x: x[:1].expand_as(x), False),
    ]


@exercise(chapter=9)
def is_equivariant(attempt: Attempt) -> None:
    """Does shuffling the tokens shuffle the outputs along, and change nothing else?"""
    x = torch.randn(6, 3, generator=torch.Generator().manual_seed(9))
    layers = _layers()
    # two rounds of three, which undone is another order; and two swaps, which undo themselves
    orders = [torch.tensor([2, 0, 1, 5, 3, 4]), torch.tensor([1, 0, 2, 3, 5, 4])]
    cases = [(name, layer, order, right) for name, layer, right in layers for order in orders]
    answers = []
    for _, layer, order, _ in cases:
        answer = attempt(layer, x, order)
        if isinstance(answer, Tensor) and answer.numel() == 1:
            answer = bool(answer)
        if not isinstance(answer, bool):
            raise Hint("not_a_bool", type=type(answer).__name__)
        answers.append(answer)
    wrong = [
        name for (name, _, _, right), answer in zip(cases, answers, strict=True) if answer != right
    ]
    if not wrong:
        return
    mistakes: dict[str, Callable[[Callable[[Tensor], Tensor], Tensor], bool]] = {
        "outputs_not_shuffled": lambda f, order: torch.allclose(f(x[order]), f(x), atol=1e-5),
        "shuffled_twice": lambda f, order: torch.allclose(f(x[order])[order], f(x), atol=1e-5),
        "exact": lambda f, order: torch.equal(f(x[order]), f(x)[order]),
        "always_yes": lambda f, order: True,
        "always_no": lambda f, order: False,
        "inverted": lambda f, order: not torch.allclose(f(x[order]), f(x)[order], atol=1e-5),
    }
    for kind, test in mistakes.items():
        if answers == [test(layer, order) for _, layer, order, _ in cases]:
            raise Hint(kind)
    raise Hint(f"wrong_for_{wrong[0]}")
