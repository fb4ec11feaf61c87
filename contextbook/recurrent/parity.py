"""Copies between the book's layers and PyTorch's: the same weights, so the same numbers."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from contextbook.recurrent.layers import GRU, LSTM, RNN, Recurrent
from contextbook.recurrent.states import State, map_states
from contextbook.recurrent.validation import check_torch_module

_NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
_NONLINEARITIES = {torch.tanh: "tanh", torch.relu: "relu", relu: "relu"}


def copy_to_torch(layer: nn.Module) -> nn.RNN | nn.LSTM | nn.GRU:
    """Make PyTorch's layer with the weights of one of ours.

    Args:
        layer: an unrolled, bidirectional or stacked layer of one kind of cell. What kind it is,
            the number of its gates tells.

    Returns:
        ``nn.RNN``, ``nn.LSTM`` or ``nn.GRU``, ``batch_first``, of the same dtype, device and mode.

    Raises:
        ValueError: the layer has no cell, a number of gates or an activation PyTorch has not, or it
            reads backward only.
    """
    readers: list[Any] = [part for part in layer.modules() if hasattr(part, "cell")]
    if not readers or readers[0].backwards:
        raise ValueError(f"{type(layer).__name__} has no cell that reads forward: nothing to copy")
    first = readers[0].cell
    rows, hidden_size = first.weight_hh.shape
    options: dict[str, Any] = {}
    if rows == hidden_size:
        options["nonlinearity"] = _nonlinearity(first)
    kinds: dict[int, Any] = {1: nn.RNN, 3: nn.GRU, 4: nn.LSTM}
    if rows // hidden_size not in kinds:
        raise ValueError(f"weight_hh {tuple(first.weight_hh.shape)} is of no cell PyTorch has")
    directions = 1 + any(reader.backwards for reader in readers)
    theirs = kinds[rows // hidden_size](
        first.weight_ih.shape[1],
        hidden_size,
        len(readers) // directions,
        batch_first=True,
        bidirectional=directions == 2,
        dropout=getattr(getattr(layer, "dropout", None), "p", 0.0),
        dtype=first.weight_hh.dtype,
        device=first.weight_hh.device,
        **options,
    )
    with torch.no_grad():
        for reader, weights in zip(readers, theirs.all_weights, strict=True):
            for name, weight in zip(_NAMES, weights, strict=True):
                weight.copy_(getattr(reader.cell, name))
    return theirs.train(layer.training)


def copy_from_torch(module: nn.Module) -> Recurrent:
    """Make one of our layers with the weights of PyTorch's.

    Args:
        module: ``nn.RNN``, ``nn.LSTM`` or ``nn.GRU``. Ours takes ``(batch, time, features)``,
            whatever its ``batch_first`` says.

    Raises:
        ValueError: it is another module, or has no biases, or a projection.
    """
    check_torch_module(module)
    theirs: Any = module
    options: dict[str, Any] = {"bidirectional": theirs.bidirectional, "dropout": theirs.dropout}
    if isinstance(module, nn.RNN):
        options["activation"] = torch.relu if module.nonlinearity == "relu" else torch.tanh
    kind = RNN if isinstance(module, nn.RNN) else LSTM if isinstance(module, nn.LSTM) else GRU
    ours = kind(theirs.input_size, theirs.hidden_size, theirs.num_layers, **options)
    ours.to(theirs.weight_hh_l0)
    cells = [part.cell for part in ours.modules() if hasattr(part, "cell")]
    with torch.no_grad():
        for cell, weights in zip(cells, theirs.all_weights, strict=True):
            for name, weight in zip(_NAMES, weights, strict=True):
                getattr(cell, name).copy_(weight)
    ours.train(module.training)
    return ours


def state_to_torch(state: State) -> State:
    """Bring a state into PyTorch's shape, ``(layers * directions, batch, H)``."""

    def flat(part: Tensor) -> Tensor:
        return part.reshape(-1, *part.shape[-2:])

    return map_states(flat, state)


def _nonlinearity(cell: Any) -> str:
    activation = getattr(cell, "activation", torch.tanh)
    if activation not in _NONLINEARITIES:
        raise ValueError(f"nn.RNN knows tanh and relu only, the cell's activation is {activation}")
    return _NONLINEARITIES[activation]
