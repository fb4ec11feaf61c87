"""Chapter 2: neighbours, cosine, the skip-gram loss, analogies, sentences as bags of vectors."""

from __future__ import annotations

import math
from collections import Counter

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = ["cosine", "negative_sampling_loss", "sentence_vector", "solve_analogy", "word_pairs"]

Pairs = list[tuple[str, str]]


@exercise(chapter=2, errors={"past_the_end": "IndexError: list index out of range"})
def word_pairs(attempt: Attempt) -> None:
    """Every word of a sentence with each neighbour in its window."""
    rounds = [
        (["the", "dog", "met", "a", "cat"], 2),
        (["the", "dog", "met", "a", "cat"], 1),
        (["a", "cat", "saw", "a", "cat"], 3),
        (["dog"], 2),
        (["the", "dog", "slept"], 5),
    ]
    for tokens, window in rounds:
        answer = attempt(tokens, window)
        if not isinstance(answer, list | tuple | set):
            raise Hint("not_a_list", type=type(answer).__name__)
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in answer):
            raise Hint("not_pairs")
        got = sorted((str(one), str(other)) for one, other in answer)
        right = sorted(_pairs(tokens, window))
        if got == right:
            continue
        given = f"{tokens}, {window}"
        for kind, mistake in _wrong_pairs(tokens, window).items():
            if got == sorted(mistake):
                raise Hint(kind, given=given)
        told = {"given": given, "got": len(got), "expected": len(right)}
        if missing := sorted((Counter(right) - Counter(got)).elements()):
            raise Hint("missing_pair", pair=missing[0], **told)
        extra = sorted((Counter(got) - Counter(right)).elements())
        raise Hint("extra_pair", pair=extra[0], **told)


def _pairs(tokens: list[str], window: int, left: int | None = None) -> Pairs:
    left = window if left is None else left
    return [
        (centre, tokens[j])
        for i, centre in enumerate(tokens)
        for j in range(max(0, i - left), min(len(tokens), i + window + 1))
        if i != j
    ]


def _wrong_pairs(tokens: list[str], window: int) -> dict[str, Pairs]:
    """What typical mistakes give."""
    places = range(len(tokens))
    around = [(i, j) for i in places for j in range(i - window, i + window + 1) if i != j]
    sliced = [tokens[i - window : i] + tokens[i + 1 : i + window + 1] for i in places]
    return {
        "with_itself": _pairs(tokens, window) + [(word, word) for word in tokens],
        "right_only": _pairs(tokens, window, left=0),
        "left_only": [(other, centre) for centre, other in _pairs(tokens, window, left=0)],
        "window_too_small": _pairs(tokens, window - 1, left=window),
        "window_too_large": _pairs(tokens, window + 1),
        "wraps_around": [
            (tokens[i], tokens[j]) for i, j in around if -len(tokens) <= j < len(tokens)
        ],
        "slice_from_the_end": [(tokens[i], other) for i in places for other in sliced[i]],
        "same_word_dropped": [pair for pair in _pairs(tokens, window) if pair[0] != pair[1]],
        "once_each": list(set(_pairs(tokens, window))),
    }


@exercise(chapter=2, errors={"nan_for_zeros": "ZeroDivisionError: "})
def cosine(attempt: Attempt) -> None:
    """The cosine of the angle between two vectors."""
    rounds = [
        ([3.0, 4.0], [5.0, -12.0]),
        ([1.0, 2.0, 2.0], [0.5, 0.0, 0.25]),
        ([2.0, 0.0], [0.0, 3.0]),
        ([-0.1], [40.0]),
    ]
    for first, second in rounds:
        a, b = torch.tensor(first), torch.tensor(second)
        dot, lengths = float(a @ b), (float(a.norm()), float(b.norm()))
        value = dot / (lengths[0] * lengths[1])
        recognise(
            attempt.number(a, b),
            value,
            {
                "dot_product": dot,
                "one_length": dot / lengths[0],
                "other_length": dot / lengths[1],
                "squared_lengths": dot / (lengths[0] * lengths[1]) ** 2,
                "first_twice": dot / lengths[0] ** 2,
                "second_twice": dot / lengths[1] ** 2,
                "sign_lost": abs(value),
                "lengths_added": dot / (lengths[0] + lengths[1]),
                "distance": float((a - b).norm()),
                "angle": math.acos(max(-1.0, min(1.0, value))),
                "divided_by_count": dot / len(a),
            },
        )
    zero = torch.zeros(2)
    answer = attempt(zero, torch.tensor([1.0, 2.0]))
    if not bool(torch.isfinite(torch.as_tensor(answer)).all()):
        raise Hint("nan_for_zeros")
    if float(answer) != 0.0:
        raise Hint("zeros_not_zero", got=f"{float(answer):.3g}")


@exercise(chapter=2)
def negative_sampling_loss(attempt: Attempt) -> None:
    """The loss of one true pair and a few noise words."""
    draw = torch.Generator().manual_seed(2)
    for negatives, dim in ((4, 3), (1, 2)):
        centre, context = (torch.randn(dim, generator=draw) for _ in range(2))
        noise = torch.randn(negatives, dim, generator=draw)
        true, false = context @ centre, noise @ centre
        log = torch.nn.functional.logsigmoid
        first = attempt(centre, context, noise)
        if isinstance(first, int | float):
            raise Hint("plain_number")
        if isinstance(first, Tensor) and negatives > 1 and first.shape == (negatives,):
            raise Hint("noise_not_summed", count=negatives)
        recognise(
            attempt.tensor(centre, context, noise, shape=()),
            -(log(true) + log(-false).sum()),
            {
                "noise_not_negated": -(log(true) + log(false).sum()),
                "noise_sign": -log(true) + log(-false).sum(),
                "one_minus_logarithm": -(log(true) + (1 - log(false)).sum()),
                "noise_averaged": -(log(true) + log(-false).mean()),
                "noise_left_out": -log(true),
                "true_left_out": -log(-false).sum(),
                "sign_flipped": log(true) + log(-false).sum(),
                "no_logarithm": -(torch.sigmoid(true) + torch.sigmoid(-false).sum()),
                "no_sigmoid": -(true - false.sum()),
                "error_rate": 1 - torch.sigmoid(true) + torch.sigmoid(false).sum(),
            },
        )
    large = 200 * torch.ones(2)
    extreme = attempt(large, -large, large[None])
    if not bool(torch.isfinite(torch.as_tensor(extreme)).all()):
        raise Hint("overflow")
    attempt.differentiable(centre, context, noise)


@exercise(chapter=2)
def solve_analogy(attempt: Attempt) -> None:
    """a is to b as c is to …: the number of the word that answers."""
    draw = torch.Generator().manual_seed(5)
    rounds: list[tuple[Tensor, int, int, int]] = []
    while len(rounds) < 12:
        vectors = torch.randn(9, 3, generator=draw) * (0.2 + 4 * torch.rand(9, 1, generator=draw))
        a, b, c = torch.randperm(9, generator=draw)[:3].tolist()
        rounds.append((vectors, a, b, c))
    rounds.append(_all_others_negative())
    answers = []
    for vectors, a, b, c in rounds:
        answer = attempt(vectors, a, b, c)
        if isinstance(answer, Tensor) and answer.numel() == 1 and not answer.is_floating_point():
            answer = int(answer)
        if isinstance(answer, bool) or not isinstance(answer, int):
            raise Hint("not_an_id", type=type(answer).__name__)
        answers.append(answer)
    tables = [_analogies(*given) for given in rounds]
    if answers == [table["right"] for table in tables]:
        return
    for kind in tables[0]:
        if answers == [table[kind] for table in tables]:
            raise Hint(kind)
    if any(answer in given[1:] for answer, given in zip(answers, rounds, strict=True)):
        raise Hint("not_excluded")
    right = sum(one == table["right"] for one, table in zip(answers, tables, strict=True))
    raise Hint("other_answers", right=right, count=len(rounds))


def _all_others_negative() -> tuple[Tensor, int, int, int]:
    """An analogy in which every word that may be the answer has a negative cosine."""
    near = torch.tensor([[0.0, 2.0], [1.0, 1.0], [3.0, -1.0]])
    others = torch.tensor([[-1.0, 0.5], [-0.5, -0.1], [-2.0, -2.0]])
    return torch.cat([others, near]), 3, 4, 5


def _analogies(vectors: Tensor, a: int, b: int, c: int) -> dict[str, int]:
    """The right answer, and those of typical mistakes."""
    unit = vectors / vectors.norm(dim=-1, keepdim=True)

    def best(scores: Tensor, *, excluded: float | None = -torch.inf) -> int:
        scores = scores.clone()
        if excluded is not None:
            scores[[a, b, c]] = excluded
        return int(scores.argmax())

    query, raw = unit[b] - unit[a] + unit[c], vectors[b] - vectors[a] + vectors[c]
    return {
        "right": best(unit @ query),
        "not_excluded": best(unit @ query, excluded=None),
        "set_to_zero": best(unit @ query, excluded=0.0),
        "backwards": best(unit @ (unit[a] - unit[b] + unit[c])),
        "not_to_length_one": best(unit @ raw),
        "dot_product": best(vectors @ query),
        "dot_product_of_raw": best(vectors @ raw),
        "distance": best(-(vectors - raw).norm(dim=-1)),
        "added": best(unit @ (unit[a] + unit[b] + unit[c])),
        "lazy": best(unit @ unit[c]),
    }


_TENSORS = r"The size of tensor a \({}\) must match the size of tensor b \({}\)"


@exercise(
    chapter=2,
    errors={
        "mask_without_axis": _TENSORS.format(4, 5),
        "count_without_axis": _TENSORS.format(4, 3),
    },
)
def sentence_vector(attempt: Attempt) -> None:
    """Sentences of a batch, each as the mean of its words' vectors, without the padding."""
    draw = torch.Generator().manual_seed(2)
    table = torch.randn(6, 4, generator=draw)
    ids = torch.tensor([[3, 1, 5, 0, 0], [2, 2, 4, 1, 3], [5, 0, 0, 0, 0]])
    for padding in (0, 3):
        real = ids != padding
        vectors = table[ids]
        total = (vectors * real[..., None]).sum(1)
        counts = real.sum(1, keepdim=True)
        recognise(
            attempt.tensor(table, ids, padding, shape=(3, 4)),
            total / counts,
            {
                "padding_counted": vectors.mean(1),
                "divided_by_all": total / ids.shape[1],
                "not_divided": total,
                "one_too_many": total / (counts + 1),
                "padding_added": vectors.sum(1) / counts,
                "always_zero": (vectors * (ids != 0)[..., None]).sum(1)
                / (ids != 0).sum(1, keepdim=True),
            },
        )
    empty = attempt(table, torch.zeros(1, 3, dtype=torch.long), 0)
    if not bool(torch.isfinite(torch.as_tensor(empty)).all()):
        raise Hint("empty_sentence")
    if bool(torch.as_tensor(empty).any()):
        raise Hint("empty_not_zero")
