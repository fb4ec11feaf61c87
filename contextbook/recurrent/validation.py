"""Checks of what goes into recurrent cells and layers, so that these stay short.

Each raises a ``ValueError`` that names the offending shape or value and says how to mend it.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.recurrent.states import State, parts_of


def check_cell_sizes(input_size: int, hidden_size: int) -> None:
    """Check that a cell has inputs and a state."""
    if input_size < 1 or hidden_size < 1:
        raise ValueError(
            f"a cell needs at least one input and one hidden unit, got input_size={input_size} and "
            f"hidden_size={hidden_size}"
        )


def check_step(cell: Any, inputs: Tensor, state: State, parts: int = 1) -> None:
    """Check that an input and a state fit a cell; a smaller state would silently be broadcast.

    Args:
        cell: has ``weight_ih`` and ``hidden_size``.
        inputs: ``(batch, input_size)``.
        state: a tensor ``(batch, hidden_size)``, or a tuple of ``parts`` of them.
        parts: 1 for a single tensor.
    """
    if parts == 1 and not isinstance(state, Tensor):
        raise ValueError(
            f"the state should be one tensor (batch, {cell.hidden_size}), got a "
            f"{type(state).__name__}: only an LSTM has a pair (hidden, cell)"
        )
    if parts > 1 and (not isinstance(state, tuple | list) or len(state) != parts):
        raise ValueError(
            "the state of an LSTM is a pair (hidden, cell), each "
            f"(batch, {cell.hidden_size}), got {_kind(state)}"
        )
    weight = cell.weight_ih
    if inputs.ndim != 2 or inputs.shape[1] != weight.shape[1]:
        raise ValueError(
            f"one step takes inputs (batch, {weight.shape[1]}), got {tuple(inputs.shape)}; a "
            "layer (Unrolled, RNN …) takes whole sequences (batch, time, features)"
        )
    expected = (inputs.shape[0], cell.hidden_size)
    for part in parts_of(state):
        if part.shape != expected:
            raise ValueError(f"the state should have shape {expected}, got {tuple(part.shape)}")
    if inputs.dtype != weight.dtype and not torch.is_autocast_enabled(inputs.device.type):
        raise ValueError(
            f"the inputs are {inputs.dtype} and the weights {weight.dtype}: use one dtype, for "
            "example by layer.double() or inputs.float()"
        )


def check_sequence(
    cell: Any, inputs: Tensor, initial: State | None, lengths: Tensor | None
) -> Tensor | None:
    """Check that inputs, initial state and lengths fit together and the cell.

    Args:
        cell: has ``initial_state(batch)``.
        inputs: ``(batch, time, features)``, at least one step.
        initial: shaped like ``cell.initial_state(batch)``, or ``None``.
        lengths: integers ``(batch,)`` from 0 to time, or ``None``.

    Returns:
        A mask ``(batch, time)``, ``True`` for a real token; ``None`` if all of them are real.
    """
    if inputs.ndim != 3 or not inputs.is_floating_point():
        raise ValueError(
            "a layer takes floating point inputs (batch, time, features), got "
            f"{inputs.dtype} of shape {tuple(inputs.shape)}: embed ids first, and add a batch "
            "axis to a single sequence by inputs[None]"
        )
    batch, time = inputs.shape[:2]
    if time == 0:
        raise ValueError(
            f"inputs {tuple(inputs.shape)} have no step to read: time must be at least 1 (an empty "
            "sequence among others is padded and gets length 0)"
        )
    if initial is not None:
        _check_initial(initial, cell.initial_state(batch))
    return None if lengths is None else _mask(lengths, batch, time, inputs.device)


def _check_initial(initial: State, expected: State) -> None:
    if isinstance(expected, Tensor) != isinstance(initial, Tensor):
        wanted = "one tensor" if isinstance(expected, Tensor) else f"a tuple of {len(expected)}"
        raise ValueError(f"the initial state should be {wanted}, got {_kind(initial)}")
    given, needed = parts_of(initial), parts_of(expected)
    if len(given) != len(needed):
        raise ValueError(f"the initial state should be a tuple of {len(needed)}, got {len(given)}")
    for got, need in zip(given, needed, strict=True):
        if got.shape != need.shape or got.dtype != need.dtype:
            raise ValueError(
                f"the initial state should be {need.dtype} of shape {tuple(need.shape)}, got "
                f"{got.dtype} of {tuple(got.shape)}"
            )


def _mask(lengths: Tensor, batch: int, time: int, device: torch.device) -> Tensor | None:
    integers = not (lengths.is_floating_point() or lengths.dtype == torch.bool)
    if tuple(lengths.shape) != (batch,) or not integers:
        raise ValueError(
            f"lengths should be integers of shape ({batch},), one for each sequence, got "
            f"{lengths.dtype} of {tuple(lengths.shape)}; from a mask: mask.sum(-1)"
        )
    if batch and not 0 <= int(lengths.min()) <= int(lengths.max()) <= time:
        raise ValueError(
            f"lengths must lie between 0 and {time}, the steps of the inputs, got "
            f"{int(lengths.min())} to {int(lengths.max())}"
        )
    return torch.arange(time, device=device) < lengths.to(device)[:, None]  # (B, T)


def check_layer_sizes(num_layers: int, dropout: float) -> None:
    """Check that there are layers, and a place for dropout if there is any."""
    if num_layers < 1:
        raise ValueError(f"num_layers must be at least 1, got {num_layers}")
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout is a probability from 0 to 1, got {dropout}")
    if dropout and num_layers == 1:
        raise ValueError(
            f"dropout={dropout} has no place to act: it goes between layers, and there is one; "
            "raise num_layers, or put nn.Dropout before or behind the layer"
        )


def check_forget_bias(cell: Any, bias: float) -> None:
    """Check that a cell has the four gates of an LSTM."""
    if cell.weight_hh.shape[0] != 4 * cell.hidden_size:
        raise ValueError(
            f"a forget bias needs the four gates of an LSTM, and weight_hh of shape "
            f"{(4 * cell.hidden_size, cell.hidden_size)}; got {tuple(cell.weight_hh.shape)}"
        )
    if not math.isfinite(bias):
        raise ValueError(f"the forget bias must be a finite number, got {bias}")


def check_radius(cell: Any, radius: float) -> None:
    """Check that a cell's recurrent weights are one square matrix, and a radius is positive."""
    if tuple(cell.weight_hh.shape) != (cell.hidden_size, cell.hidden_size):
        raise ValueError(
            "a spectral radius is that of one square matrix, as in an RNN cell; weight_hh has "
            f"shape {tuple(cell.weight_hh.shape)}"
        )
    if not 0 < radius < math.inf:
        raise ValueError(f"the radius must be a positive number, got {radius}")


def check_bptt(cell: Any, inputs: Tensor, output_gradients: Tensor, initial: Tensor | None) -> None:
    """Check that a hand-made backward pass fits the cell and the sequence."""
    if getattr(cell, "activation", torch.tanh) is not torch.tanh:
        raise ValueError("backpropagation by hand knows the slope of tanh only: use torch.tanh")
    check_sequence(cell, inputs, initial, None)
    expected = (*inputs.shape[:2], cell.hidden_size)
    if tuple(output_gradients.shape) != expected:
        raise ValueError(
            f"output_gradients should have the shape of the outputs, {expected}, got "
            f"{tuple(output_gradients.shape)}"
        )


def check_clipping(gradients: list[Tensor], max_norm: float) -> None:
    """Check that there are gradients, all of them finite, and a positive length to clip to."""
    if not max_norm > 0:
        raise ValueError(f"max_norm must be positive, got {max_norm}")
    if not gradients:
        raise ValueError("no parameter has a gradient: call loss.backward() first")
    finite = [bool(torch.isfinite(gradient).all()) for gradient in gradients]
    if not all(finite):
        raise ValueError(
            f"{finite.count(False)} of {len(finite)} gradients hold infinity or NaN, which no "
            "factor mends: lower the learning rate before it comes to this"
        )


def check_probed(inputs: Tensor, outputs: Any, *, one: bool = False) -> None:
    """Check that a layer gave an output for each step, and if asked, that one sequence went in."""
    if not isinstance(outputs, Tensor) or outputs.shape[:2] != inputs.shape[:2]:
        raise ValueError(
            f"the layer should give one output for each step of {tuple(inputs.shape)}, (batch, "
            f"time, ...), alone or first in a tuple; got {_kind(outputs)}"
        )
    if one and len(inputs) != 1:
        raise ValueError(f"influence looks at one sequence, got a batch of {len(inputs)}")


def check_reference(norms: Tensor, distance: int) -> None:
    """Check that gradients can be measured relative to that at a distance."""
    if not 0 <= distance < len(norms):
        raise ValueError(f"relative_to must lie between 0 and {len(norms) - 1}, got {distance}")
    if not 0 < norms[distance].item() < math.inf:
        raise ValueError(
            f"the gradient at distance {distance} is {norms[distance].item()}: nothing can be "
            "relative to it; take another distance, or relative_to=None"
        )


def check_torch_module(module: nn.Module) -> None:
    """Check that a module is a recurrent layer of PyTorch's, of the form that the book teaches."""
    if not isinstance(module, nn.RNN | nn.LSTM | nn.GRU):
        raise ValueError(f"needs nn.RNN, nn.LSTM or nn.GRU, got {type(module).__name__}")
    if not module.bias or module.proj_size:
        raise ValueError(
            f"the book's cells have biases and no projection, got bias={module.bias} and "
            f"proj_size={module.proj_size}"
        )


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    return type(value).__name__
