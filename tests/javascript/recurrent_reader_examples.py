"""Sentences as Python's recurrent reader reads them, which the figure's JavaScript must read alike.

``python tests/javascript/recurrent_reader_examples.py`` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import nn

from contextbook.embeddings import Embedding
from contextbook.readers import FromEachState
from contextbook.recurrent import RNNCell, Unrolled
from contextbook.widgets import RecurrentReader

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "recurrent-reader.json"
WORDS = ["<pad>", "犬", "が", "本", "猫", "と", "。", "ant", "bee"]
SENTENCES = [["犬", "が", "猫", "と", "。"], ["bee"], ["本", "本", "ant", "bee", "と", "が", "。"]]
DATA = (
    *("vocabulary", "names", "changes", "end", "example", "embedding", "weight_ih"),
    *("weight_hh", "bias_ih", "bias_hh", "head", "head_bias"),
)
SIZES = [(3, 4), (1, 1), (16, 24)]


def model(seed: int, width: int, hidden: int) -> FromEachState:
    """A network with random weights, larger than they start, so that states differ much."""
    torch.manual_seed(seed)
    made = FromEachState(
        Embedding(len(WORDS), width),
        Unrolled(RNNCell(width, hidden)),
        nn.Linear(hidden, len(WORDS)),
    )
    with torch.no_grad():
        for parameter in made.parameters():
            parameter *= 1.5
    return made


def examples() -> list[dict[str, Any]]:
    """Networks of several sizes, each reading a sentence and that sentence with an edit."""
    found = []
    for seed, (tokens, (width, hidden)) in enumerate(zip(SENTENCES, SIZES, strict=True)):
        figure = RecurrentReader.of(model(seed, width, hidden), WORDS, tokens, end="。")
        state = json.loads(json.dumps(figure.get_state()))
        data = {name: state[name] for name in DATA}
        readings = []
        for place, token in ((0, tokens[0]), (0, "ant"), (len(tokens) - 1, "本")):
            figure.reset()
            figure.replace(place, token)
            readings.append(
                {
                    "tokens": figure.tokens,
                    "step": figure.step,
                    "states": [_plain(row) for row in figure.states],
                    "expected": _plain(figure.expected),
                    "moved": _plain(figure.moved),
                }
            )
        found.append({**data, "readings": readings})
    return found


def _plain(values: list[float]) -> list[float]:
    return [float(f"{x:.10g}") for x in values]


if __name__ == "__main__":
    PATH.write_text(json.dumps(examples(), ensure_ascii=False) + "\n", encoding="utf-8")
