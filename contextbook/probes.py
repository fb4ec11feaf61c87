"""Probes: what the experiments of the book measure in trained models."""

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.embeddings import cosine_similarity
from contextbook.recurrent.validation import check_probed, check_reference, check_sequence
from contextbook.validation import check_classes


def neighbour_purity(vectors: Tensor, classes: Sequence[str], k: int = 1) -> Tensor:
    """How many of each word's ``k`` nearest neighbours (by cosine) are of its own class.

    Args:
        vectors: ``(words, dim)``.
        classes: the class of each word.
        k: number of neighbours looked at; a word is no neighbour of itself.

    Returns:
        Shares from 0 to 1, ``(words,)``; their mean is the purity.

    Raises:
        ValueError: there is not one class for each vector, or fewer than ``k`` other words.
    """
    check_classes(vectors, list(classes), k)
    similarities = cosine_similarity(vectors[:, None], vectors)  # (words, words)
    neighbours = similarities.fill_diagonal_(-torch.inf).topk(k).indices  # (words, k)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    labels = torch.tensor([numbers[name] for name in classes], device=vectors.device)
    return (labels[neighbours] == labels[:, None]).float().mean(-1)


def chance_purity(classes: Sequence[str]) -> float:
    """The purity to expect of random vectors: any other word is as likely a neighbour."""
    same = sum(count * (count - 1) for count in Counter(classes).values())
    return same / (len(classes) * (len(classes) - 1))


# --- reach: how strongly an output depends on the inputs before and after it ---


def gradient_by_distance(
    layer: Callable[[Tensor], Any],
    inputs: Tensor,
    *,
    relative_to: int | None = 0,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """How strongly the last output depends on the input ``distance`` steps before it.

    The loss is the last output in a random direction; what is measured is the length of its
    gradient at each input, averaged over the batch. All of it happens in double precision (in
    single precision a vanishing gradient is soon 0), on a copy of the layer, on the CPU.

    Args:
        layer: takes inputs ``(batch, time, features)`` and returns outputs ``(batch, time, ...)``,
            alone or first in a tuple. A module is put into evaluation mode.
        inputs: ``(batch, time, features)``.
        relative_to: the distance whose gradient counts as 1; ``None`` for the lengths themselves.
        generator: source of the random directions, on the CPU; seeded with 0 when ``None``.

    Returns:
        Distances ``(time,)``, 0 to time - 1, and the gradient's length at each, ``(time,)``.

    Raises:
        ValueError: the inputs are no sequences, ``relative_to`` lies outside them, or the gradient
            there is 0 or not finite, so that nothing can be relative to it.
    """
    check_sequence(None, inputs, None, None)
    layer, inputs = _in_double(layer, inputs)
    last = _outputs(layer(inputs), inputs)[:, -1].flatten(1)  # (B, H)
    draw = torch.Generator().manual_seed(0) if generator is None else generator
    direction = torch.randn(last.shape, generator=draw, dtype=last.dtype)
    (gradient,) = torch.autograd.grad((last * direction).sum(), inputs)  # (B, T, D)
    norms = gradient.norm(dim=-1).mean(0).flip(0)  # (T,): the last input, at distance 0, is first
    distances = torch.arange(len(norms))
    if relative_to is None:
        return distances, norms
    check_reference(norms, relative_to)
    return distances, norms / norms[relative_to]


def influence(layer: Callable[[Tensor], Any], inputs: Tensor) -> Tensor:
    """How strongly each output depends on each input: the size of every ∂output_t / ∂input_s.

    Args:
        layer: as in :func:`gradient_by_distance`.
        inputs: one sequence, ``(time, features)`` or ``(1, time, features)``.

    Returns:
        Frobenius norms ``(time, time)``, in double precision; row ``t`` is the output, column ``s``
        the input. An input that cannot be reached has exactly 0.

    Raises:
        ValueError: the inputs are not one sequence.
    """
    inputs = inputs[None] if inputs.ndim == 2 else inputs
    check_sequence(None, inputs, None, None)
    check_probed(inputs, inputs, one=True)
    layer, inputs = _in_double(layer, inputs)
    outputs = _outputs(layer(inputs), inputs)[0].flatten(1)  # (T, H)
    names = torch.eye(outputs.numel(), dtype=outputs.dtype).view(-1, *outputs.shape)
    (jacobian,) = torch.autograd.grad(outputs, inputs, names, is_grads_batched=True)
    blocks = jacobian.view(*outputs.shape, *inputs.shape[1:])  # (T, H, T, D)
    return blocks.pow(2).sum(dim=(1, 3)).sqrt()  # (T, T)


@torch.no_grad()
def kept_by_forget_gates(cell: Any, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """What an LSTM's forget gates alone leave of the cell of ``distance`` steps ago.

    Args:
        cell: an LSTM cell with a method ``gates(x_t, hidden)``, the forget gate second.
        inputs: ``(batch, time, features)``.

    Returns:
        Distances ``(time + 1,)``, and at each the product of that many last forget gates, averaged
        over units and batch, ``(time + 1,)``: 1 at distance 0.
    """
    check_sequence(cell, inputs, None, None)
    cell, inputs = _in_double(cell, inputs)
    state = cell.initial_state(len(inputs))
    gates = []
    for x_t in inputs.unbind(1):
        gates.append(cell.gates(x_t, state[0])[1])  # (B, H)
        state = cell(x_t, state)
    products = torch.stack(gates[::-1]).cumprod(0).mean((1, 2))  # (T,)
    shares = torch.cat([products.new_ones(1), products])
    return torch.arange(len(shares)), shares


def _in_double(layer: Any, inputs: Tensor) -> tuple[Any, Tensor]:
    if isinstance(layer, nn.Module):
        layer = copy.deepcopy(layer).cpu().double().eval()
    return layer, inputs.detach().cpu().double().requires_grad_()


def _outputs(answer: Any, inputs: Tensor) -> Tensor:
    """The outputs themselves, when a state or weights come with them."""
    outputs = answer[0] if isinstance(answer, tuple) else answer
    check_probed(inputs, outputs)
    return outputs
