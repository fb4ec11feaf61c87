"""Chapters 5 and 6: how far a gradient comes back, and how far a network learns to remember."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.attention import scaled_dot_product_attention
from contextbook.datasets.tasks import recall_batch, recall_vocabulary
from contextbook.embeddings import Embedding
from contextbook.experiments.record import experiment
from contextbook.probes import gradient_by_distance
from contextbook.recurrent import (
    LSTMCell,
    RNNCell,
    Unrolled,
    with_orthogonal,
    with_spectral_radius,
)
from contextbook.recurrent.initialisation import uniform
from contextbook.training import train

HIDDEN = 64
TIME = 128
BATCH = 32

# the distances that the record keeps
DISTANCES = (0, 1, 2, 5, *range(10, 121, 10))

# how large the inputs of each network are: standard deviation
INPUT_SIZES = {
    "radius 0.9": 0.5,
    "radius 2.0": 0.01,
    "orthogonal": 0.01,
    "usual start": 1.0,
    "forget bias 0": 1.0,
    "forget bias 1": 1.0,
    "forget bias 3": 1.0,
    "attention": 1.0,
    "attention + input": 1.0,
}


def untrained(kind: str, generator: torch.Generator, rnn_cell: Any = RNNCell) -> Callable[..., Any]:
    """Make one of the untrained layers whose gradients are compared, 64 features wide.

    Args:
        kind: a key of :data:`INPUT_SIZES`. ``"usual start"`` has the weights that PyTorch starts an
            RNN from; a forget bias is the sum of an LSTM's two bias vectors (the second is 0).
        generator: source of the weights.
        rnn_cell: the class of the RNN's cell; an edited one takes this place.

    Raises:
        ValueError: there is no such kind.
    """
    if kind not in INPUT_SIZES:
        raise ValueError(f"kind must be one of {', '.join(INPUT_SIZES)}; got {kind!r}")
    if kind.startswith("attention"):
        return self_attention(generator, with_input=kind != "attention")
    if kind.startswith("forget bias"):
        bias = float(kind.removeprefix("forget bias"))
        return Unrolled(LSTMCell(HIDDEN, HIDDEN, forget_bias=bias, generator=generator))
    cell = rnn_cell(HIDDEN, HIDDEN, generator=generator)
    if kind == "orthogonal":
        with_orthogonal(cell, 1.0, generator)
    elif kind.startswith("radius"):
        with_spectral_radius(cell, float(kind.removeprefix("radius")), generator)
    return Unrolled(cell)


def self_attention(
    generator: torch.Generator, *, with_input: bool = False
) -> Callable[[Tensor], Tensor]:
    """Make random self-attention in which gradients come back by way of keys and values only.

    The queries are detached: else most of the gradient at distance 0 is that of the token's own
    question. ``with_input`` adds each token to its answer, as the layers of chapter 11 do.
    """
    draw = uniform(HIDDEN, generator)  # as the recurrent layers start
    w_query, w_key, w_value = (draw(HIDDEN, HIDDEN).double() for _ in range(3))

    def layer(inputs: Tensor) -> Tensor:
        query = inputs.detach() @ w_query  # (B, T, H)
        answer, _ = scaled_dot_product_attention(query, inputs @ w_key, inputs @ w_value)
        return inputs + answer if with_input else answer

    return layer


def untrained_curve(
    kind: str, seed: int, relative_to: int | None = 0, rnn_cell: Any = RNNCell
) -> list[float]:
    """Measure the gradient of the last output at each distance, 0 to 127, in an untrained layer."""
    generator = torch.Generator().manual_seed(seed)
    layer = untrained(kind, generator, rnn_cell)
    inputs = INPUT_SIZES[kind] * torch.randn(BATCH, TIME, HIDDEN, generator=generator)
    _, curve = gradient_by_distance(layer, inputs, relative_to=relative_to, generator=generator)
    return curve.tolist()


def half_distance(curve: Sequence[float]) -> int:
    """Return the first distance at which less than half is left; the length if there is none."""
    return next((d for d, share in enumerate(curve) if share < curve[0] / 2), len(curve))


class RecallNet(nn.Module):
    """Names the first symbol of a sequence, when it has read the last.

    Args:
        layer: called with ``(batch, time, 32)``; its outputs ``(batch, time, hidden)`` come first
            in a tuple. An RNN, an LSTM, attention: whatever shall remember.
        hidden: features of its outputs.
        input_size: standard deviation of the numbers that the symbols' vectors start from.
    """

    width = 32  # features of a symbol

    def __init__(self, layer: nn.Module, hidden: int = HIDDEN, input_size: float = 1.0) -> None:
        super().__init__()
        self.symbols = Embedding(recall_vocabulary(), self.width, std=input_size)
        self.layer = layer
        self.to_symbol = nn.Linear(hidden, 8)

    def forward(self, inputs: Tensor) -> Tensor:
        """From ids ``(batch, time)`` to logits ``(batch, 8)``."""
        outputs = self.layer(self.symbols(inputs))[0]  # (B, T, H)
        return self.to_symbol(outputs[:, -1])


def train_recall(model: nn.Module, distance: int, seed: int, steps: int = 400) -> float:
    """Train recall across ``distance`` symbols; return the share of 2,048 that are then right.

    Batches of 64, Adam with a learning rate of 3e-3, gradients clipped to length 1.
    """
    generator = torch.Generator().manual_seed(seed)

    def loss() -> Tensor:
        inputs, targets = recall_batch(generator, 64, distance)
        return F.cross_entropy(model(inputs), targets)

    train(model, loss, steps, 3e-3, clip_norm=1.0)
    model.eval()
    with torch.no_grad():
        inputs, targets = recall_batch(generator, 2048, distance)
        return (model(inputs).argmax(-1) == targets).float().mean().item()


def recall_rnn(weights: str, input_size: float, rnn_cell: Any = RNNCell) -> RecallNet:
    """Make an RNN for recall; all else comes from PyTorch's global random numbers.

    Args:
        weights: ``"usual"``, as PyTorch starts them, or ``"orthogonal"``.
        input_size: as in :class:`RecallNet`.
        rnn_cell: the class of the cell; an edited one takes this place.

    Raises:
        ValueError: ``weights`` is something else.
    """
    if weights not in ("usual", "orthogonal"):
        raise ValueError(f"weights must be 'usual' or 'orthogonal', got {weights!r}")
    cell = rnn_cell(RecallNet.width, HIDDEN)
    if weights == "orthogonal":
        with_orthogonal(cell)
    return RecallNet(Unrolled(cell), HIDDEN, input_size)


@experiment(seeds=range(5), grid=[{"kind": kind} for kind in INPUT_SIZES])
def gradient_over_distance(seed: int, kind: str) -> dict[str, float]:
    """The gradient at each of a few distances relative to distance 0; for attention, to 1.

    ``size`` is the length itself at that distance, ``half`` the distance at which half is left,
    and ``spread`` the largest by the smallest over distances 1 to 100.
    """
    curve = untrained_curve(kind, seed, relative_to=None)
    size = curve[1] if kind == "attention" else curve[0]
    near = curve[1:101]
    return {
        **{f"d{distance}": curve[distance] / size for distance in DISTANCES},
        "size": size,
        "half": half_distance(curve),
        "spread": max(near) / min(near),
    }


@experiment(
    seeds=range(5),
    grid=[
        {"weights": weights, "input_size": input_size, "distance": distance, "steps": steps}
        for weights, input_size, distance, steps in (
            ("usual", 1.0, 5, 400),
            ("usual", 1.0, 30, 400),
            ("usual", 1.0, 30, 2000),
            ("usual", 0.1, 30, 400),
            ("orthogonal", 1.0, 30, 400),
            ("orthogonal", 0.1, 30, 400),
        )
    ],
)
def recall(
    seed: int, weights: str, input_size: float, distance: int, steps: int
) -> dict[str, float]:
    """Share of rightly recalled symbols after training an RNN; a guess is right 1 in 8 times."""
    torch.manual_seed(seed)
    return {"accuracy": train_recall(recall_rnn(weights, input_size), distance, seed, steps)}
