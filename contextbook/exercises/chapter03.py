"""Chapter 3: counting pairs, a step, reading, parameters, lengths, and how a change fades."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = [
    "last_real_state",
    "ngram_probability",
    "parameter_count",
    "read",
    "rnn_step",
    "trace_of_change",
]

# what `math.tanh` and `torch.tensor` say when they are given tensors of more than one number
ONE_ELEMENT = "only one element tensors can be converted to Python scalars"

Step = Callable[[Tensor, Tensor], Tensor]


@exercise(chapter=3, errors={"never_seen": "ZeroDivisionError: "})
def ngram_probability(attempt: Attempt) -> None:
    """How likely a word follows another, by counting pairs."""
    sentences = [
        ["the", "dog", "met", "the", "cat"],
        ["the", "cat", "met", "the", "cat"],
        ["a", "dog", "met", "a", "cat"],
    ]
    for before, token in (("the", "cat"), ("dog", "met"), ("met", "the"), ("cat", "met")):
        pairs = [pair for words in sentences for pair in itertools.pairwise(words)]
        words = [word for sentence in sentences for word in sentence]
        joined = list(itertools.pairwise(words))
        count = pairs.count((before, token))
        follow = sum(first == before for first, _ in pairs)
        own = [list(itertools.pairwise(s)) for s in sentences]
        recognise(
            attempt.number(sentences, before, token),
            count / follow,
            {
                "not_divided": count,
                "divided_by_all": count / len(pairs),
                "last_counted": count / words.count(before),
                "token_frequency": words.count(token) / len(words),
                "other_way": pairs.count((token, before))
                / max(1, sum(second == before for _, second in pairs)),
                "across_sentences": joined.count((before, token))
                / sum(first == before for first, _ in joined),
                "roles_swapped": count / sum(second == token for _, second in pairs),
                "once_a_sentence": sum((before, token) in p for p in own)
                / sum(any(first == before for first, _ in p) for p in own),
            },
        )
    unseen = attempt(sentences, "zebra", "the")
    if isinstance(unseen, bool) or not isinstance(unseen, int | float) or unseen != 0:
        raise Hint("never_seen")


@exercise(
    chapter=3,
    errors={
        "matrix_last": r"(?:size mismatch, got input|mat1 and mat2 shapes cannot be multiplied) "
        r"\((?P<left>[\dx]+)(?:\), mat \(| and )(?P<right>\d+x\d+)\)",
        "math_tanh": f"{ONE_ELEMENT}|a Tensor with .* cannot be converted to Scalar",
    },
)
def rnn_step(attempt: Attempt) -> None:
    """One step of an RNN for single vectors."""
    x, h, w_ih, w_hh, b = _weights(3)
    inside, past = w_ih @ x, w_hh @ h
    recognise(
        attempt.tensor(x, h, w_ih, w_hh, b, shape=(3,)),
        torch.tanh(inside + past + b),
        {
            "no_activation": inside + past + b,
            "no_bias": torch.tanh(inside + past),
            "no_past": torch.tanh(inside + b),
            "no_input": torch.tanh(past + b),
            "bent_apart": torch.tanh(inside) + torch.tanh(past + b),
            "bent_with_bias": torch.tanh(inside + b) + torch.tanh(past),
            "each_bent": torch.tanh(inside) + torch.tanh(past) + b,
            "past_bent_first": torch.tanh(inside + torch.tanh(past) + b),
            "bias_twice": torch.tanh(inside + past + 2 * b),
            "bias_outside": torch.tanh(inside + past) + b,
            "sigmoid": torch.sigmoid(inside + past + b),
            "kept": h + torch.tanh(inside + past + b),
            "transposed": torch.tanh(inside + w_hh.T @ h + b),
        },
    )
    attempt.differentiable(x, h, w_ih, w_hh, b)


@exercise(chapter=3, errors={"not_stacked": ONE_ELEMENT})
def read(attempt: Attempt) -> None:
    """The state after each step."""
    step, xs, h0 = _sequence()
    right = _states(step, xs, h0)
    answer = attempt(step, xs, h0)
    if isinstance(answer, tuple) and len(answer) == 2:
        raise Hint("with_last")
    _refuse_list(answer)
    if isinstance(answer, Tensor) and tuple(answer.shape) == (15,):
        raise Hint("joined_end_to_end")
    if isinstance(answer, Tensor) and tuple(answer.shape) == (6, 3):
        raise Hint("with_start")
    if isinstance(answer, Tensor) and tuple(answer.shape) == (3,):
        raise Hint("only_last")
    recognise(
        attempt.tensor(step, xs, h0, shape=(5, 3)),
        right,
        {
            "not_handed_on": torch.stack([step(x, h0) for x in xs]),
            "from_zeros": _states(step, xs, torch.zeros(3)),
            "backwards": _states(step, xs.flip(0), h0),
            "last_first": right.flip(0),
            "same_state": right[-1].expand(5, 3),
            "one_behind": torch.cat([h0[None], right[:-1]]),
            "swapped": _states(lambda x, h: step(h, x), xs, h0),
        },
    )


@exercise(chapter=3)
def parameter_count(attempt: Attempt) -> None:
    """The weights and biases of an RNN cell, however long the sequence."""
    for d, h, steps in ((16, 24, 13), (3, 5, 100), (1, 1, 7)):
        right = h * d + h * h + 2 * h
        recognise(
            attempt.number(d, h, steps),
            right,
            {
                "times_steps": right * steps,
                "one_bias": right - h,
                "no_bias": right - 2 * h,
                "no_recurrence": right - h * h,
                "vector_recurrence": right - h * h + h,
                "with_start_state": right + h,
                "bias_size": right - h + d,
                "square_input": d * d + h * h + 2 * h,
            },
        )


@exercise(
    chapter=3,
    errors={
        "not_stacked": ONE_ELEMENT,
        "rows_picked": r"IndexError: index \d+ is out of bounds for dimension 0",
    },
)
def last_real_state(attempt: Attempt) -> None:
    """The state at the last real token of each sentence of a padded batch."""
    states = torch.randn(4, 6, 3, generator=torch.Generator().manual_seed(3))
    lengths = torch.tensor([2, 5, 1, 4])
    rows, mask = torch.arange(4), torch.arange(6) < lengths[:, None]
    answer = attempt(states, lengths)
    _refuse_list(answer)
    if isinstance(answer, Tensor) and tuple(answer.shape) == (4, 4, 3):
        raise Hint("all_pairs", got=tuple(answer.shape))
    recognise(
        attempt.tensor(states, lengths, shape=(4, 3)),
        states[rows, lengths - 1],
        {
            "last_column": states[:, -1],
            "one_too_far": states[rows, lengths],
            "first": states[:, 0],
            "mean": states.mean(1),
            "mean_real": (states * mask[..., None]).sum(1) / lengths[:, None],
        },
    )
    alone = attempt(states[:1], lengths[:1])
    if isinstance(alone, Tensor) and alone.ndim == 1:
        raise Hint("axis_lost", got=tuple(alone.shape))
    recognise(attempt.tensor(states[:1], lengths[:1], shape=(1, 3)), states[:1, lengths[0] - 1], {})


@exercise(chapter=3)
def trace_of_change(attempt: Attempt) -> None:
    """How far the states of two sequences are apart at each step."""
    step, xs, h0 = _sequence()
    changed = xs.clone()
    changed[1] += torch.tensor([2.0, -1.0, 0.5])
    first, second = _states(step, xs, h0), _states(step, changed, h0)
    gap, longer = first - second, first.norm(dim=-1) - second.norm(dim=-1)
    apart = torch.stack([step(x, h0) - step(y, h0) for x, y in zip(xs, changed, strict=True)])
    answer = attempt(step, xs, changed, h0)
    if (isinstance(answer, Tensor) and answer.ndim == 0) or isinstance(answer, float):
        raise Hint("one_number")
    _refuse_list(answer)
    if isinstance(answer, Tensor) and tuple(answer.shape) in {(5, 3), (3,)}:
        raise Hint("no_norm" if answer.ndim == 2 else "over_time")
    recognise(
        attempt.tensor(step, xs, changed, h0, shape=(5,)),
        gap.norm(dim=-1),
        {
            "squared": gap.pow(2).sum(-1),
            "mean_absolute": gap.abs().mean(-1),
            "sum_absolute": gap.abs().sum(-1),
            "lengths_compared": longer.abs(),
            "lengths_subtracted": longer,
            "start_carried": (first - _states(step, changed, first[-1])).norm(dim=-1),
            "inputs_compared": (xs - changed).norm(dim=-1),
            "not_handed_on": apart.norm(dim=-1),
            "one_state": _interleaved(step, xs, changed, h0),
        },
    )


def _refuse_list(answer: object) -> None:
    """Name the way from a list of states to one tensor."""
    if isinstance(answer, list | tuple):
        raise Hint("list", type=type(answer).__name__)


def _weights(inputs: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """An input, a state of 3, two matrices and a bias, all different enough to tell mistakes."""
    generator = torch.Generator().manual_seed(inputs)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    return draw(2), draw(3), draw(3, 2), draw(3, 3), draw(3)


def _sequence() -> tuple[Step, Tensor, Tensor]:
    """A step whose two arguments play different parts, five inputs and a start."""
    generator = torch.Generator().manual_seed(30)
    w_ih = torch.randn(3, 3, generator=generator)
    w_hh = 0.5 * torch.randn(3, 3, generator=generator)

    def step(x: Tensor, h: Tensor) -> Tensor:
        return torch.tanh(w_ih @ x + w_hh @ h)

    return step, torch.randn(5, 3, generator=generator), torch.tensor([0.3, -0.2, 0.1])


def _states(step: Step, xs: Tensor, h: Tensor) -> Tensor:
    states = []
    for x in xs:
        h = step(x, h)
        states.append(h)
    return torch.stack(states)


def _interleaved(step: Step, xs: Tensor, ys: Tensor, h: Tensor) -> Tensor:
    """What reading both sequences into one state gives."""
    gaps = []
    for x, y in zip(xs, ys, strict=True):
        first = step(x, h)
        h = step(y, first)
        gaps.append((first - h).norm())
    return torch.stack(gaps)
