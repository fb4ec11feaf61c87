"""Chapter 11: layer norm, the stream, label smoothing, sizes, and what a cache saves."""

from __future__ import annotations

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise

__all__ = [
    "keys_projected",
    "layer_parameters",
    "normalise_tokens",
    "smoothed_targets",
    "through_the_stream",
]


@exercise(chapter=11)
def normalise_tokens(attempt: Attempt) -> None:
    """Each token's numbers to mean 0 and variance 1."""
    x = 3 * torch.randn(2, 5, 4, generator=torch.Generator().manual_seed(11)) + 2
    eps = 0.1
    centred = x - x.mean(-1, keepdim=True)
    variance = x.var(-1, keepdim=True, correction=0)
    over_tokens = (x - x.mean(1, keepdim=True)) / (
        x.var(1, keepdim=True, correction=0) + eps
    ).sqrt()
    recognise(
        attempt.tensor(x, eps, shape=(2, 5, 4)),
        centred / (variance + eps).sqrt(),
        {
            "n_minus_one": centred / (x.var(-1, keepdim=True) + eps).sqrt(),
            "eps_outside": centred / (variance.sqrt() + eps),
            "no_eps": centred / variance.sqrt(),
            "not_rooted": centred / (variance + eps),
            "not_centred": x / (variance + eps).sqrt(),
            "not_divided": centred,
            "over_tokens": over_tokens,
            "over_everything": (x - x.mean()) / (x.var(correction=0) + eps).sqrt(),
        },
    )


@exercise(chapter=11)
def through_the_stream(attempt: Attempt) -> None:
    """Pre-norm through a list of parts: each reads the norm of the stream, and adds to it."""
    draw = torch.Generator().manual_seed(12)
    x = torch.randn(3, 4, generator=draw)
    matrices = [torch.randn(4, 4, generator=draw) for _ in range(2)]
    parts = [lambda y, m=m: y @ m for m in matrices]

    def norm(y: Tensor) -> Tensor:
        return torch.nn.functional.layer_norm(y, (4,))

    right = post = no_sum = no_norm = on_first = normed_sum = x
    for part in parts:
        right = right + part(norm(right))
        post = norm(post + part(post))
        no_sum = part(norm(no_sum))
        no_norm = no_norm + part(no_norm)
        on_first = x + part(norm(on_first))
        normed_sum = norm(normed_sum) + part(norm(normed_sum))
    recognise(
        attempt.tensor(x, parts, norm, shape=(3, 4)),
        right,
        {
            "post_norm": post,
            "no_sum": no_sum,
            "no_norm": no_norm,
            "first_only": on_first,
            "normed_stream": normed_sum,
            "normed_at_the_end": norm(right),
            "one_part": x + parts[0](norm(x)),
        },
    )


@exercise(chapter=11)
def smoothed_targets(attempt: Attempt) -> None:
    """The distribution that label smoothing asks for, from ids."""
    ids = torch.tensor([2, 0, 3])
    for size, smoothing in ((4, 0.2), (5, 0.5)):
        hard = torch.eye(size)[ids]
        recognise(
            attempt.tensor(ids, size, smoothing, shape=(3, size)),
            (1 - smoothing) * hard + smoothing / size,
            {
                "not_smoothed": hard,
                "others_only": (1 - smoothing) * hard + smoothing / (size - 1) * (1 - hard),
                "truth_kept": hard + smoothing / size,
                "nothing_spread": (1 - smoothing) * hard,
                "swapped": smoothing * hard + (1 - smoothing) / size,
                "not_shared": (1 - smoothing) * hard + smoothing,
            },
        )


@exercise(chapter=11)
def layer_parameters(attempt: Attempt) -> None:
    """How many weights an encoder layer has."""
    for d, f in ((64, 256), (10, 7)):
        attention, between, norms = 4 * (d * d + d), 2 * d * f + d + f, 4 * d
        recognise(
            attempt.number(d, f),
            attention + between + norms,
            {
                "no_biases": 4 * d * d + 2 * d * f + 4 * d,
                "matrices_only": 4 * d * d + 2 * d * f,
                "no_output": 3 * (d * d + d) + between + norms,
                "no_norms": attention + between,
                "one_norm": attention + between + 2 * d,
                "no_feed_forward": attention + norms,
                "half_feed_forward": attention + d * f + f + norms,
            },
        )


@exercise(chapter=11)
def keys_projected(attempt: Attempt) -> None:
    """How many tokens one layer turns into keys while it writes n tokens."""
    for n in (5, 1, 128):
        again = n * (n + 1) // 2
        answers = [attempt.number(n, cache) for cache in (False, True)]
        recognise(
            torch.tensor(answers),
            torch.tensor([again, n]),
            {
                "inverted": torch.tensor([n, again]),
                "all_each_time": torch.tensor([n * n, n]),
                "without_itself": torch.tensor([n * (n - 1) // 2, n]),
                "cache_ignored": torch.tensor([again, again]),
                "always_n": torch.tensor([n, n]),
            },
        )
