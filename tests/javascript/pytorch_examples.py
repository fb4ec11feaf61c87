"""Examples computed by PyTorch, which the figures' JavaScript must reproduce."""

import math
from typing import Any

import torch
from torch import Tensor

from contextbook.widgets import SoftDictionary

TEMPERATURES = (0.0, 0.05, 0.5, 1.0, 4.0)


def examples(seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    """Make random examples of each piece of arithmetic, with awkward ones among them."""
    rng = torch.Generator().manual_seed(seed)
    torch_examples = {
        "matmul": [_matmul(rng) for _ in range(12)],
        "softmax": [_softmax(rng) for _ in range(20)],
        "attention": [_attention(rng, t) for t in TEMPERATURES for _ in range(10)],
        "dictionary": [_dictionary(rng, t) for t in TEMPERATURES for _ in range(8)],
    }
    return {
        name: [{key: _plain(value) for key, value in one.items()} for one in cases]
        for name, cases in torch_examples.items()
    }


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, Tensor) else value


def _size(rng: torch.Generator, most: int = 7) -> int:
    return int(torch.randint(1, most + 1, (), generator=rng))


def _numbers(rng: torch.Generator, *shape: int) -> Tensor:
    return 2 * torch.randn(*shape, generator=rng, dtype=torch.float64)


def _mask(rng: torch.Generator, queries: int, keys: int) -> Tensor:
    mask = torch.rand(queries, keys, generator=rng) < 0.6
    mask[0] = False  # one query that may attend to nothing
    return mask


def _reference(scores: Tensor, mask: Tensor | None, temperature: float) -> Tensor:
    """Weights by torch.softmax alone; its NaN for fully masked queries becomes zeros."""
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    if temperature == 0:
        best = (scores == scores.amax(-1, keepdim=True)) & (scores > -math.inf)
        return best.double() / best.sum(-1, keepdim=True).clamp(min=1)
    return torch.softmax(scores / temperature, dim=-1).nan_to_num(0.0)


def _matmul(rng: torch.Generator) -> dict[str, Any]:
    n, inner, m = _size(rng), _size(rng), _size(rng)
    a, b = _numbers(rng, n, inner), _numbers(rng, inner, m)
    return {"a": a, "b": b, "product": a @ b}


def _softmax(rng: torch.Generator) -> dict[str, Any]:
    queries, keys = _size(rng), _size(rng)
    scores = 100 * _numbers(rng, queries, keys)
    mask = _mask(rng, queries, keys) if _size(rng) > 3 else None
    return {"scores": scores, "mask": mask, "weights": _reference(scores, mask, 1.0)}


def _attention(rng: torch.Generator, temperature: float) -> dict[str, Any]:
    queries, keys, d_k, d_v = _size(rng), _size(rng), _size(rng), _size(rng)
    query, key = _numbers(rng, queries, d_k), _numbers(rng, keys, d_k)
    value = _numbers(rng, keys, d_v)
    mask = _mask(rng, queries, keys) if _size(rng) > 3 else None
    scale = None if _size(rng) > 3 else float(torch.rand((), generator=rng))
    scores = query @ key.T * (d_k**-0.5 if scale is None else scale)
    weights = _reference(scores, mask, temperature)
    return {
        "query": query,
        "key": key,
        "value": value,
        "mask": mask,
        "scale": scale,
        "temperature": temperature,
        "weights": weights,
        "output": weights @ value,
    }


def _dictionary(rng: torch.Generator, temperature: float) -> dict[str, Any]:
    count = _size(rng, 16)
    # on a coarse grid, so that equal scores happen and the hard look-up must share
    grid = torch.randint(-3, 4, (count, 2), generator=rng).double() / 10
    figure = SoftDictionary(
        keys=grid,
        values=_numbers(rng, count),
        query=torch.randint(-3, 4, (2,), generator=rng) / 10,
        temperature=temperature,
        mask=(torch.rand(count, generator=rng) < 0.7).tolist(),
    )
    return {
        "state": figure.example,
        "scores": figure.scores,
        "weights": figure.weights,
        "output": figure.output,
    }
