"""How recurrent weights start: uniform as in PyTorch, and with a property that is asked for."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from contextbook.recurrent.validation import check_forget_bias, check_radius


def uniform(hidden_size: int, generator: torch.Generator | None) -> Callable[..., Tensor]:
    """Return a function that draws from -1/√H to 1/√H, as PyTorch starts recurrent weights."""
    bound = hidden_size**-0.5

    def draw(*shape: int) -> Tensor:
        return bound * (2 * torch.rand(*shape, generator=generator) - 1)

    return draw


@torch.no_grad()
def set_forget_bias(cell: Any, bias: float) -> Any:
    """Start an LSTM's forget gate near σ(bias): 1 → .73, 3 → .95.

    The gate adds two vectors, ``bias_ih`` and ``bias_hh``: the first is set to ``bias`` and the
    second to 0, so that their sum is ``bias``. Gers, Schmidhuber and Cummins, *Learning to Forget*
    (2000); Jozefowicz, Zaremba and Sutskever (2015) recommend a bias of 1.

    Args:
        cell: an LSTM cell, changed in place; its second quarter of rows is the forget gate.
        bias: the bias of every unit.

    Returns:
        The cell.

    Raises:
        ValueError: ``cell`` has not the four gates of an LSTM, or ``bias`` is not finite.
    """
    check_forget_bias(cell, bias)
    hidden_size = cell.hidden_size
    forget = slice(hidden_size, 2 * hidden_size)
    cell.bias_ih[forget] = bias
    cell.bias_hh[forget] = 0.0
    return cell


def spectral_radius(matrix: Tensor) -> float:
    """The size of the largest eigenvalue: how much a product of many such matrices grows a step.

    It is not the largest singular value, which says how much *one* step can grow a vector.
    """
    return torch.linalg.eigvals(matrix.detach().double()).abs().max().item()


@torch.no_grad()
def with_spectral_radius(
    cell: Any,
    radius: float,
    generator: torch.Generator | None = None,
) -> Any:
    """Give a cell random recurrent weights with eigenvalues of at most ``radius``.

    Normal random numbers, scaled; the biases are set to 0, so that the state's own dynamics show.

    Args:
        cell: an RNN cell, changed in place.
        radius: more than 0.
        generator: source of the random numbers, on the CPU.

    Returns:
        The cell.

    Raises:
        ValueError: the recurrent weights are not square, or ``radius`` is not a positive number.
    """
    check_radius(cell, radius)
    size = cell.hidden_size
    weight = torch.randn(size, size, generator=generator, dtype=torch.float64)
    cell.weight_hh.copy_(weight * (radius / spectral_radius(weight)))
    cell.bias_ih.zero_()
    cell.bias_hh.zero_()
    return cell


@torch.no_grad()
def with_orthogonal(
    cell: Any, radius: float = 1.0, generator: torch.Generator | None = None
) -> Any:
    """Give a cell random recurrent weights that turn a state, ``radius`` times as long.

    Every singular value is ``radius``, and the size of every eigenvalue too. Arguments, errors
    and biases are those of :func:`with_spectral_radius`.
    """
    check_radius(cell, radius)
    size = cell.hidden_size
    weight = torch.randn(size, size, generator=generator, dtype=torch.float64)
    turn, triangle = torch.linalg.qr(weight)
    # without the signs of the diagonal, some turns would be likelier than others
    cell.weight_hh.copy_(radius * turn * triangle.diagonal().sign())
    cell.bias_ih.zero_()
    cell.bias_hh.zero_()
    return cell
