"""Backpropagation through time by hand, and the clipping of gradients that it makes necessary.

Werbos, *Backpropagation Through Time: What It Does and How to Do It* (1990).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from contextbook.recurrent.validation import check_bptt, check_clipping


@torch.no_grad()
def backpropagate_through_time(
    cell: Any,
    inputs: Tensor,
    output_gradients: Tensor,
    initial: Tensor | None = None,
) -> dict[str, Tensor]:
    """Gradients of an RNN by hand: from the last step back to the first.

    Args:
        cell: an :class:`contextbook.recurrent.RNNCell` with tanh.
        inputs: ``(batch, time, D)``.
        output_gradients: the loss's gradient at each output by itself, ``(batch, time, H)``: zeros
            but for the last step when only this one enters the loss.
        initial: the state before the first step, ``(batch, H)``; zeros when ``None``.

    Returns:
        The gradients for ``weight_ih``, ``weight_hh``, ``bias_ih``, ``bias_hh``, ``inputs`` and
        ``initial``, shaped like these, and for the hidden states, ``hidden``, ``(batch, time, H)``.

    Raises:
        ValueError: the activation is not tanh, or shapes do not fit.
    """
    check_bptt(cell, inputs, output_gradients, initial)
    hidden = [cell.initial_state(len(inputs)) if initial is None else initial]
    for x_t in inputs.unbind(1):
        # hidden[t] and inputs[:, t] make hidden[t + 1]
        hidden.append(cell(x_t, hidden[-1]))
    zeros = torch.zeros_like
    sums = {name: zeros(value) for name, value in cell.named_parameters()}
    at_inputs, at_hidden = zeros(inputs), zeros(output_gradients)
    from_later = zeros(hidden[0])
    for t in reversed(range(inputs.shape[1])):
        # a state serves twice: as output of its step, as start of the next one
        at_hidden[:, t] = output_gradients[:, t] + from_later
        at_sum = at_hidden[:, t] * (1 - hidden[t + 1] ** 2)  # tanh' = 1 - tanh²
        sums["weight_ih"] += at_sum.T @ inputs[:, t]
        sums["weight_hh"] += at_sum.T @ hidden[t]
        sums["bias_ih"] += at_sum.sum(0)
        sums["bias_hh"] += at_sum.sum(0)
        at_inputs[:, t] = at_sum @ cell.weight_ih
        from_later = at_sum @ cell.weight_hh
    others = {"inputs": at_inputs, "hidden": at_hidden, "initial": from_later}
    return sums | others


@torch.no_grad()
def clip_gradient_norm(parameters: Iterable[Tensor], max_norm: float) -> Tensor:
    """Shorten all gradients by one factor if together they exceed ``max_norm``.

    Pascanu, Mikolov and Bengio, *On the difficulty of training recurrent neural networks* (2013).

    Args:
        parameters: their ``.grad`` is changed in place; one without a gradient is left alone.
        max_norm: more than 0.

    Returns:
        The length (Euclidean norm) of all gradients together before clipping.

    Raises:
        ValueError: ``max_norm`` is not positive, there is no gradient, or one is infinite or NaN.
    """
    gradients = [each.grad for each in parameters if each.grad is not None]
    check_clipping(gradients, max_norm)
    norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
    # 1e-6: a norm of 0 does no harm
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient *= factor
    return norm
