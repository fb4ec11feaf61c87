"""Chapter 12: how far a convolution reaches, what attention costs, maps and ablation, GPT."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from contextbook.exercises.framework import Attempt, exercise, recognise

__all__ = [
    "attention_products",
    "layers_to_reach",
    "misleading",
    "table_bytes",
    "without_key",
    "write_on",
]


@exercise(chapter=12)
def layers_to_reach(attempt: Attempt) -> None:
    """How many layers of convolution reach so far back."""
    for distance, kernel in ((10, 3), (7, 4), (64, 5)):
        back = kernel - 1
        plain = math.ceil(distance / back)
        doubling = next(n for n in range(64) if back * (2**n - 1) >= distance)
        recognise(
            torch.tensor([attempt.number(distance, kernel, dilated) for dilated in (False, True)]),
            torch.tensor([plain, doubling]),
            {
                "itself_counted": torch.tensor(
                    [
                        math.ceil(distance / kernel),
                        next(n for n in range(64) if kernel * (2**n - 1) >= distance),
                    ]
                ),
                "rounded_down": torch.tensor(
                    [distance // back, int(math.log2(distance / back + 1))]
                ),
                "not_rounded": torch.tensor([distance / back, math.log2(distance / back + 1)]),
                "never_dilated": torch.tensor([plain, plain]),
                "always_dilated": torch.tensor([doubling, doubling]),
                "last_layer_only": torch.tensor(
                    [plain, next(n for n in range(1, 64) if back * 2 ** (n - 1) >= distance)]
                ),
            },
        )


@exercise(chapter=12)
def attention_products(attempt: Attempt) -> None:
    """Multiply-adds of one attention layer."""
    for time, d in ((10, 4), (128, 64)):
        projections, pairs = 4 * time * d * d, 2 * time * time * d
        recognise(
            attempt.number(time, d),
            projections + pairs,
            {
                "pairs_only": pairs,
                "projections_only": projections,
                "values_not_mixed": projections + time * time * d,
                "no_output": 3 * time * d * d + pairs,
                "products_and_sums": 2 * (projections + pairs),
                "pairs_without_width": projections + 2 * time * time,
            },
        )


@exercise(chapter=12)
def table_bytes(attempt: Attempt) -> None:
    """Memory for the weights of all heads of all layers."""
    for batch, layers, heads, time in ((2, 3, 5, 7), (1, 6, 8, 64)):
        right = 4 * batch * layers * heads * time**2
        recognise(
            attempt.number(batch, layers, heads, time),
            right,
            {
                "numbers": right / 4,
                "bits": right * 8,
                "one_row": right / time,
                "one_head": right / heads,
                "one_layer": right / layers,
                "one_sentence": right / batch,
                "lower_half": 4 * batch * layers * heads * time * (time + 1) // 2,
            },
        )


@exercise(chapter=12)
def without_key(attempt: Attempt) -> None:
    """Weights of a row of scores when one key may not be looked at."""
    scores = 2 * torch.randn(3, 5, generator=torch.Generator().manual_seed(12))
    for key in (1, 4):
        free = scores.softmax(-1)
        cut = free.clone()
        cut[:, key] = 0
        zero = scores.clone()
        zero[:, key] = 0
        blocked = scores.clone()
        blocked[:, key] = -torch.inf
        row = scores.clone()
        row[key % 3] = -torch.inf
        recognise(
            attempt.tensor(scores, key, shape=(3, 5), finite=False),
            blocked.softmax(-1),
            {
                "not_shared_out": cut,
                "score_of_zero": zero.softmax(-1),
                "nothing_blocked": free,
                "not_softmaxed": blocked,
                "query_blocked": row.softmax(-1),
                "over_queries": blocked.softmax(0),
            },
        )


@exercise(chapter=12)
def misleading(attempt: Attempt) -> None:
    """In which layers a map points at a look that the answer does not need."""
    cue, right = 1, 0.9
    weights = torch.tensor(
        [
            [0.1, 0.7, 0.1, 0.1],
            [0.2, 0.4, 0.3, 0.1],  # the largest, and yet less than one half
            [0.1, 0.6, 0.2, 0.1],
            [0.5, 0.1, 0.3, 0.1],
            [0.3, 0.2, 0.1, 0.4],
            [0.3, 0.45, 0.1, 0.15],
        ]
    )
    without = torch.tensor([0.96, 0.895, 0.41, 0.9, 0.53, 0.85])
    pointed = weights.argmax(dim=-1) == cue
    idle = right - without < 0.01
    recognise(
        attempt.tensor(weights, cue, right, without, shape=(6,), dtype=torch.bool),
        pointed & idle,
        {
            "map_only": pointed,
            "ablation_only": idle,
            "needed": pointed & ~idle,
            "better_is_no_fall": pointed & ((right - without).abs() < 0.01),
            "more_than_half": (weights[:, cue] > 0.5) & idle,
            "opposite": ~(pointed & idle),
        },
    )


@exercise(chapter=12)
def write_on(attempt: Attempt) -> None:
    """A causal model writes on, each time the likeliest token."""
    draw = torch.Generator().manual_seed(12)
    table = torch.randn(7, 7, generator=draw)

    def model(tokens: Tensor) -> Tensor:
        """Logits that depend on all tokens so far, as a causal model's do."""
        seen = table[tokens].cumsum(1)  # (batch, T, 7)
        return seen + 2 * table[tokens].roll(1, -1)

    def written(choose: str, only_last: bool = False) -> Tensor:
        tokens = torch.tensor([[2, 5, 1]])
        for _ in range(4):
            logits = model(tokens[:, -1:] if only_last else tokens)
            place = 0 if choose == "first" else -1
            scores = -logits[:, place] if choose == "least" else logits[:, place]
            tokens = torch.cat([tokens, scores.argmax(-1, keepdim=True)], 1)
        return tokens

    start = torch.tensor([[2, 5, 1]])
    once = model(start)[:, -1].argmax(-1, keepdim=True)
    recognise(
        attempt.tensor(model, start, 4, shape=(1, 7), dtype=torch.int64),
        written("last"),
        {
            "first_place": written("first"),
            "forgetful": written("last", only_last=True),
            "least_likely": written("least"),
            "never_read_again": torch.cat([start, once.repeat(1, 4)], 1),
            "in_front": torch.cat([written("last")[:, 3:], start], 1),
        },
    )
