"""Chapter 12: how many layers a convolution needs to reach back, and what it learns there."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from contextbook.convolution import CausalConv
from contextbook.datasets.tasks import recall_batch
from contextbook.experiments.chapter05 import RecallNet, train_recall
from contextbook.experiments.chapter06 import make_layer
from contextbook.experiments.record import experiment

# plain layers reach 2 back each; dilated ones 2, then 4 more, then 8 more
STACKS = {
    5: ((1, False), (2, False), (3, False), (4, False), (2, True)),
    9: ((4, False), (5, False), (6, False), (8, False), (2, True), (3, True)),
}


class ConvolutionStack(nn.Module):
    """Layers of convolution with residuals: each reaches a little further back.

    Args:
        layers: how many.
        dilated: double the steps between the tokens that are mixed, from layer to layer.
        convolution: makes one for a width; the book's, or one of your own.
    """

    def __init__(
        self,
        layers: int,
        dilated: bool = False,
        convolution: Callable[..., nn.Module] = CausalConv,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            convolution(RecallNet.width, dilation=2**number if dilated else 1)
            for number in range(layers)
        )

    def forward(self, x: Tensor) -> tuple[Tensor, None]:
        """From ``(batch, T, 32)`` to ``(batch, T, 32)``, first in a pair as of a recurrent net."""
        for layer in self.layers:
            x = x + layer(x).relu()
        return x, None


@experiment(
    seeds=range(5),
    grid=[
        {"distance": distance, "layers": layers, "dilated": dilated}
        for distance, stacks in STACKS.items()
        for layers, dilated in stacks
    ],
)
def recall_by_convolution(seed: int, distance: int, layers: int, dilated: bool) -> dict[str, float]:
    """Right answers after 400 steps of training to recall a symbol ``distance + 1`` tokens back."""
    torch.manual_seed(seed)
    model = RecallNet(ConvolutionStack(layers, dilated), RecallNet.width)
    return {"accuracy": train_recall(model, distance, seed)}


@torch.no_grad()
def recalled_across(model: nn.Module, distance: int) -> float:
    """Share of 2,048 sequences of that distance whose symbol a trained model names."""
    inputs, targets = recall_batch(torch.Generator().manual_seed(1000), 2048, distance)
    return (model(inputs).argmax(-1) == targets).float().mean().item()


@experiment(seeds=range(5), grid=[{"model": "convolution"}, {"model": "attention"}])
def recall_elsewhere(seed: int, model: str) -> dict[str, float]:
    """Trained across five symbols: what is recalled across three to six?"""
    torch.manual_seed(seed)
    if model == "attention":
        net = RecallNet(make_layer(model, torch.Generator().manual_seed(seed)))
    else:
        net = RecallNet(ConvolutionStack(3), RecallNet.width)
    train_recall(net, 5, seed)
    return {f"across_{distance}": recalled_across(net, distance) for distance in (3, 4, 5, 6)}
