"""Chapter 6: how far an LSTM recalls, beside an RNN and attention, and what its gradient keeps."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from contextbook.attention import scaled_dot_product_attention
from contextbook.embeddings import Embedding
from contextbook.experiments.chapter05 import HIDDEN, RecallNet, train_recall
from contextbook.experiments.record import experiment
from contextbook.probes import gradient_by_distance, kept_by_forget_gates
from contextbook.recurrent import GRUCell, LSTMCell, RNNCell, Unrolled, set_forget_bias

WIDTH = RecallNet.width
LONGEST = 512  # places that attention knows

DISTANCES = (5, 30, 60, 200)
BIASES = (0, 1, 3)
PROBED = (10, 50, 100)


class LookBack(nn.Module):
    """The last token asks all tokens, once; to each, a vector for its place is added.

    Args:
        attention: called with query, key and value; returns the answer and the weights.
        generator: source of the random numbers it starts from.
    """

    def __init__(
        self,
        attention: Callable[..., tuple[Tensor, Tensor]],
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.attention = attention
        self.places = Embedding(LONGEST, WIDTH, generator=generator)
        start = WIDTH**-0.5 * torch.randn(2 * WIDTH + HIDDEN, WIDTH, generator=generator)
        to_query, to_key, to_value = start.split([WIDTH, WIDTH, HIDDEN])
        self.to_query, self.to_key = nn.Parameter(to_query), nn.Parameter(to_key)
        self.to_value = nn.Parameter(to_value)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Map vectors ``(B, T, 32)`` to one answer ``(B, 1, 64)`` and its weights (B, 1, T)."""
        placed = inputs + self.places.weight[: inputs.shape[1]]  # (B, T, D)
        query = placed[:, -1:] @ self.to_query.T  # (B, 1, D)
        key, value = placed @ self.to_key.T, placed @ self.to_value.T
        return self.attention(query, key, value)


@torch.no_grad()
def set_update_bias(cell: GRUCell, bias: float) -> GRUCell:
    """Let a GRU begin by keeping: its update gate starts near σ(bias), where 1 keeps all."""
    update = slice(cell.hidden_size, 2 * cell.hidden_size)
    cell.bias_ih[update] = bias
    cell.bias_hh[update] = 0.0
    return cell


def make_layer(model: str, generator: torch.Generator) -> nn.Module:
    """One of the layers that are compared.

    Args:
        model: ``"rnn"``, ``"gru"``, ``"gru-3"`` (and the bias of its update gate), ``"lstm-1"``
            (and the bias of its forget gate), or ``"attention"``.
        generator: source of the random numbers it starts from.
    """
    if model == "attention":
        return LookBack(scaled_dot_product_attention, generator=generator)
    kind, _, bias = model.partition("-")
    if kind == "rnn":
        return Unrolled(RNNCell(WIDTH, HIDDEN, generator=generator))
    if kind == "lstm":
        return Unrolled(LSTMCell(WIDTH, HIDDEN, forget_bias=float(bias), generator=generator))
    gru = GRUCell(WIDTH, HIDDEN, generator=generator)
    return Unrolled(set_update_bias(gru, float(bias)) if bias else gru)


@experiment(
    seeds=range(5),
    grid=[
        {"model": model, "distance": distance}
        for model, distances in {
            "rnn": DISTANCES,
            "lstm-3": DISTANCES,
            "attention": DISTANCES,
            "lstm-1": (5, 30),
            "gru": (5, 30),
            "gru-3": (5, 30),
        }.items()
        for distance in distances
    ],
)
def recall_by_distance(seed: int, model: str, distance: int) -> dict[str, float]:
    """Right answers after 400 steps of training to recall the first symbol."""
    generator = torch.Generator().manual_seed(seed)
    layer = make_layer(model, generator)
    torch.manual_seed(seed)  # the network around the layer draws from the global generator
    return {"accuracy": train_recall(RecallNet(layer), distance, seed)}


class CellPathOnly(LSTMCell):
    """An LSTM cell through which a gradient goes back by the cell alone."""

    def gates(self, inputs: Tensor, hidden: Tensor) -> tuple[Tensor, ...]:
        """The same gates, but no gradient leaves them for the past."""
        return super().gates(inputs, hidden.detach())


def noise(seed: int) -> tuple[torch.Generator, Tensor]:
    """Random inputs ``(32, 128, 64)`` for an untrained cell of 64 units, and what drew them."""
    generator = torch.Generator().manual_seed(seed)
    return generator, torch.randn(32, 128, HIDDEN, generator=generator)


@experiment(seeds=range(5), grid=[{"bias": bias} for bias in BIASES])
def forget_bias(seed: int, bias: int) -> dict[str, float]:
    """Gradient of an untrained LSTM over distance, and what the cell alone keeps of it.

    ``gradient_d`` is the gradient at ``d`` steps back relative to that at 0; ``path_d`` the same
    with the way by the hidden state and the gates cut; ``gates_d`` the product of the last ``d``
    forget gates.
    """
    generator, inputs = noise(seed)
    cell = set_forget_bias(LSTMCell(HIDDEN, HIDDEN, generator=generator), bias)
    cut = CellPathOnly(HIDDEN, HIDDEN)
    cut.load_state_dict(cell.state_dict())
    curves = {
        "gradient": gradient_by_distance(Unrolled(cell), inputs)[1],
        "path": gradient_by_distance(Unrolled(cut), inputs)[1],
        "gates": kept_by_forget_gates(cell, inputs)[1],
    }
    return {f"{name}_{d}": curve[d].item() for name, curve in curves.items() for d in PROBED}
