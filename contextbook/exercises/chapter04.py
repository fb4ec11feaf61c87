"""Chapter 4: both ways by hand, turned sequences, a sentence's feature, sizes, and leaks."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise
from contextbook.exercises.verdict import Hint

__all__ = [
    "read_both_ways",
    "reverse_real",
    "sees_future",
    "sentence_feature",
    "stack_size",
]

Step = Callable[[str, str], str]


@exercise(chapter=4)
def read_both_ways(attempt: Attempt) -> None:
    """States read from the left and from the right, in the place of their tokens."""

    def append(state: str, token: str) -> str:
        return state + token

    def arrow(state: str, token: str) -> str:
        return f"{state}>{token}"

    rounds: list[tuple[list[str], Step, str]] = [
        (["a", "b", "c"], append, ""),
        (["犬", "が", "歩い", "て"], arrow, "0"),
        (["one"], arrow, "start"),
    ]
    for tokens, step, start in rounds:
        answer = attempt(tokens, step, start)
        if isinstance(answer, zip):
            answer = list(answer)
        if not isinstance(answer, list | tuple):
            raise Hint("not_a_list", type=type(answer).__name__)
        _compare_pairs(list(answer), tokens, step, start)


def _states(tokens: list[str], step: Step, start: str) -> list[str]:
    states = [start]
    for token in tokens:
        states.append(step(states[-1], token))
    return states


def _pairs(tokens: list[str], step: Step, start: str) -> list[tuple[str, str]]:
    """What has been read up to each token, and back to it."""
    ahead, back = _states(tokens, step, start), _states(tokens[::-1], step, start)
    return list(zip(ahead[1:], back[:0:-1], strict=True))


def _compare_pairs(answer: list[object], tokens: list[str], step: Step, start: str) -> None:
    ahead, back = _states(tokens, step, start), _states(tokens[::-1], step, start)
    right = _pairs(tokens, step, start)
    mistakes = {
        "not_in_place": list(zip(ahead[1:], back[1:], strict=True)),
        "both_ahead": list(zip(ahead[1:], ahead[1:], strict=True)),
        "arguments_swapped": _pairs(tokens, lambda state, token: step(token, state), start),
        "back_from_ahead": list(
            zip(ahead[1:], _states(tokens[::-1], step, ahead[-1])[:0:-1], strict=True)
        ),
        "itself_left_out": list(zip(ahead[:-1], back[-2::-1], strict=True)),
        "back_without_itself": list(zip(ahead[1:], back[-2::-1], strict=True)),
        "swapped": [(one, other) for other, one in right],
        "not_carried": [(step(start, token),) * 2 for token in tokens],
        "added": [one + other for one, other in right],
    }
    first = answer[0] if answer else None
    two = len(tokens) != len(answer) == 2 and isinstance(first, list | tuple)
    if two and list(first) == ahead[1:]:  # type: ignore[call-overload]
        raise Hint("two_lists")
    if len(answer) != len(tokens):
        raise Hint("length", got=len(answer), expected=len(tokens))
    got = [tuple(one) if isinstance(one, list) else one for one in answer]
    if got == right:
        return
    for kind, mistake in mistakes.items():
        if got == mistake:
            raise Hint(kind)
    place = next(t for t, (one, other) in enumerate(zip(got, right, strict=True)) if one != other)
    raise Hint("pair", place=place, got=got[place], expected=right[place])


@exercise(chapter=4, errors={"negative_step": r"ValueError: step must be greater than zero"})
def reverse_real(attempt: Attempt) -> None:
    """Padded sequences turned round, each up to its own length."""
    x = torch.arange(1.0, 31.0).reshape(3, 5, 2)
    for lengths in ([3, 5, 2], [5, 5, 5], [1, 4, 3]):
        real = torch.arange(5) < torch.tensor(lengths)[:, None]
        right = _reversed(x, lengths)
        recognise(
            attempt.tensor(x, torch.tensor(lengths), shape=(3, 5, 2)),
            right,
            {
                "filler_first": x.flip(1),
                "batch_turned": x.flip(0),
                "features_turned": x.flip(2),
                "features_turned_to_length": torch.where(real[..., None], x.flip(2), x),
                "unchanged": x,
                "filler_dropped": right * real[..., None],
                "one_too_few": _reversed(x, [length - 1 for length in lengths]),
                "one_length": _reversed(x, [min(lengths)] * 3),
                "first_length": _reversed(x, [lengths[0]] * 3),
            },
        )


def _reversed(x: Tensor, lengths: list[int]) -> Tensor:
    result = x.clone()
    for row, length in enumerate(lengths):
        result[row, :length] = x[row, :length].flip(0)
    return result


@exercise(
    chapter=4,
    errors={
        "one_too_far": r"IndexError: index 5 is out of bounds",
        "steps_of_all": r"same number of dimensions: got 3 and 2",
    },
)
def sentence_feature(attempt: Attempt) -> None:
    """The states that have read the whole sentence, from both directions."""
    features = torch.arange(1.0, 61.0).reshape(3, 5, 4)
    for lengths in ([3, 5, 1], [4, 2, 2]):
        rows, last = torch.arange(3), torch.tensor(lengths) - 1
        ahead, back = features.chunk(2, dim=-1)
        at_last = features[rows, last]
        recognise(
            attempt.tensor(features, torch.tensor(lengths), shape=(3, 4)),
            torch.cat([ahead[rows, last], back[:, 0]], dim=-1),
            {
                "both_at_last": at_last,
                "both_at_end": features[:, -1],
                "both_at_first": features[:, 0],
                "lengths_ignored": torch.cat([ahead[:, -1], back[:, 0]], dim=-1),
                "ends_swapped": torch.cat([ahead[:, 0], back[rows, last]], dim=-1),
                "wrong_halves": torch.cat([back[rows, last], ahead[:, 0]], dim=-1),
                "halves_swapped": torch.cat([back[:, 0], ahead[rows, last]], dim=-1),
                "one_too_far": torch.cat([ahead[rows, (last + 1) % 5], back[:, 0]], dim=-1),
                "one_too_far_if_any": torch.cat(
                    [ahead[rows, (last + 1).clamp(max=4)], back[:, 0]], dim=-1
                ),
                "mean": torch.stack([features[i, :n].mean(0) for i, n in enumerate(lengths)]),
                "mean_with_filler": features.mean(1),
            },
        )


@exercise(chapter=4)
def stack_size(attempt: Attempt) -> None:
    """The number of weights of a stack, one way or both ways."""
    # in the first case every mistake gives a number of its own
    for inputs, hidden, layers, both_ways in (
        (8, 5, 3, True),
        (8, 5, 3, False),
        (32, 16, 1, True),
        (4, 4, 1, False),
    ):
        readers = 2 if both_ways else 1

        def size(
            above: int,
            *,
            biases: int = 2,
            times: int = 1,
            first: int = inputs,
            state: int = hidden,
            hidden: int = hidden,
            layers: int = layers,
        ) -> int:
            """All layers, with so many inputs to those above the first."""
            sizes = [first] + [above] * (layers - 1)
            return times * sum(hidden * one + hidden * state + biases * hidden for one in sizes)

        wide = readers * hidden
        recognise(
            attempt.number(inputs, hidden, layers, both_ways),
            size(wide, times=readers),
            {
                "upper_inputs": size(inputs, times=readers),
                "upper_not_joined": size(hidden, times=readers),
                "one_bias": size(wide, times=readers, biases=1),
                "no_bias": size(wide, times=readers, biases=0),
                "one_reader": size(wide),
                "one_way_only": size(hidden),
                "one_layer": readers * (hidden * inputs + hidden * hidden + 2 * hidden),
                "state_joined": size(wide, times=readers, state=wide),
                "no_state": size(wide, times=readers, state=0),
            },
        )


def _layers() -> list[tuple[str, Callable[[Tensor], Tensor], bool]]:
    """Layers on ``(6, features)`` in Python, and whether an output depends on a later input."""

    def ahead(x: Tensor) -> Tensor:
        state, states = torch.zeros_like(x[0]), []
        for row in x:
            state = torch.tanh(row + 0.5 * state)
            states.append(state)
        return torch.stack(states)

    def third(x: Tensor) -> Tensor:
        """Only a later feature of a later token counts."""
        return x + torch.cat([x[3:, -1:], x.new_zeros(3, 1)])

    return [
        ("Unrolled(cell)", ahead, False),
        (
            "Bidirectional(cell, cell)",
            lambda x: torch.cat([ahead(x), ahead(x.flip(0)).flip(0)], -1),
            True,
        ),
        ("Stacked([Unrolled(cell), Unrolled(cell)])", lambda x: ahead(ahead(x)), False),
        ("torch.cat([x[:4], x[5:], x[5:]])", lambda x: torch.cat([x[:4], x[5:], x[5:]]), True),
        ("x + torch.cat([x[3:, -1:], torch.zeros(3, 1)])", third, True),
        ("x + x[1]", lambda x: x + x[1], True),
        ("x.mean(0).expand_as(x)", lambda x: x.mean(0).expand_as(x), True),
        ("x.cumsum(0)", lambda x: x.cumsum(0), False),
        ("2 * x", lambda x: 2 * x, False),
        ("x[:1].expand_as(x)", lambda x: x[:1].expand_as(x), False),
        ("torch.cat([x[:1], x[:-1]])", lambda x: torch.cat([x[:1], x[:-1]]), False),
    ]


@exercise(chapter=4)
def sees_future(attempt: Attempt) -> None:
    """Whether an output of a layer depends on an input after it."""
    x = torch.randn(6, 3, generator=torch.Generator().manual_seed(4))
    layers = _layers()
    answers = []
    for _, layer, _ in layers:
        answer = attempt(layer, x)
        if isinstance(answer, Tensor) and answer.numel() == 1:
            answer = bool(answer)
        if not isinstance(answer, bool):
            raise Hint("not_a_bool", type=type(answer).__name__)
        answers.append(answer)
    judged = list(zip(layers, answers, strict=True))
    wrong = [(name, right) for (name, _, right), answer in judged if answer != right]
    if not wrong:
        return
    if answers == [not right for _, _, right in layers]:
        raise Hint("inverted")
    if len(set(answers)) == 1:
        raise Hint("always_yes" if answers[0] else "always_no")
    mistakes: dict[str, Callable[[Callable[[Tensor], Tensor]], bool]] = {
        "own_place": lambda f: any(_changes(f, x, t, slice(t + 1)) for t in range(1, 6)),
        "later_outputs": lambda f: any(_changes(f, x, t, slice(t, None)) for t in range(1, 6)),
        "first_output": lambda f: any(_changes(f, x, t, slice(1)) for t in range(1, 6)),
        "last_input": lambda f: _changes(f, x, 5, slice(5)),
        "one_place": lambda f: _changes(f, x, 3, slice(3)),
        "second_input": lambda f: _changes(f, x, slice(1, 2), slice(1)),
        "earlier_input": lambda f: _changes(f, x, slice(1), slice(1, None)),
        "earlier_inputs": lambda f: any(
            _changes(f, x, slice(t, t + 1), slice(t + 1, None)) for t in range(5)
        ),
    }
    for kind, test in mistakes.items():
        got = [test(layer) for _, layer, _ in layers]
        if answers == got:
            raise Hint(kind)
        if answers == [not one for one in got]:
            raise Hint("inverted_too")
    name, right = wrong[0]
    raise Hint("missed" if right else "suspected", layer=name)


def _changes(
    layer: Callable[[Tensor], Tensor], x: Tensor, inputs: int | slice, outputs: slice
) -> bool:
    """Does changing these inputs (a number: from there on) change any of these outputs?"""
    other = x.clone()
    other[inputs if isinstance(inputs, slice) else slice(inputs, None)] += 1.0
    return not torch.allclose(layer(other)[outputs], layer(x)[outputs], atol=1e-6)
