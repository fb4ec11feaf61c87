"""Queries as Python's word map answers them, which the figure's JavaScript must answer alike.

``python tests/javascript/word_map_examples.py`` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from contextbook.embeddings import cosine_similarity
from contextbook.widgets import WordMap

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "word-map.json"
NAMES = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibex", "jay", "koi", "lark"]
CLASSES = ["small", "small", "pet", "pet", "large", "wild", "large", "bird", "large", "bird"]


def make(seed: int, words: int, dim: int) -> WordMap:
    """A map of random vectors, one of them all zeros and one very long."""
    draw = torch.Generator().manual_seed(seed)
    vectors = 2 * torch.randn(words, dim, generator=draw, dtype=torch.float64)
    vectors[1] = 0
    vectors[2] *= 40
    directions = torch.linalg.qr(torch.randn(dim, 2, generator=draw, dtype=torch.float64)).Q.T
    classes = [CLASSES[i % len(CLASSES)] for i in range(words)]
    return WordMap(NAMES[:words], vectors, classes, directions)


def asked(figure: WordMap) -> dict[str, Any]:
    """What the reader asked and what follows, computed by torch from the rounded vectors."""
    vectors, query = (torch.tensor(x, dtype=torch.float64) for x in (figure.vectors, figure.query))
    directions = torch.tensor(figure.directions, dtype=torch.float64)
    return {
        "state": {
            name: getattr(figure, name) for name in ("asks", "word", "place", "analogy", "shown")
        },
        "query": figure.query,
        "at": _plain(directions @ query),
        "cosines": _plain(cosine_similarity(vectors, query)),
        "products": _plain(vectors @ query),
        "by_cosine": figure.by_cosine,
        "by_product": figure.by_product,
    }


def examples() -> list[dict[str, Any]]:
    """Maps of several sizes, each asked in every way."""
    found = []
    for seed, (words, dim) in enumerate([(12, 16), (7, 2), (10, 5), (3, 3)]):
        figure = make(seed, words, dim)
        data = {name: getattr(figure, name) for name in ("words", "vectors", "classes")}
        asks = []
        for word in figure.words[:4]:
            figure.ask(word)
            asks.append(asked(figure))
        for place in ([0.0, 0.0], [0.5, -0.25], [-3.0, 0.0]):
            figure.ask(place=place)
            asks.append(asked(figure))
        for analogy in (figure.words[:3], [*figure.words[2:0:-1], figure.words[2]]):
            figure.ask(analogy=analogy)
            asks.append(asked(figure))
        figure.shown = figure.shown[:1]
        asks.append(asked(figure))
        found.append({**data, "directions": figure.directions, "asks": asks})
    return found


def _plain(tensor: Tensor) -> list[float]:
    return [float(f"{x:.12g}") for x in tensor.tolist()]


if __name__ == "__main__":
    PATH.write_text(json.dumps(examples()) + "\n", encoding="utf-8")
