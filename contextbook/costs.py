"""What a layer costs, counted: operations, steps in turn, hops between tokens, numbers kept.

As table 1 of Vaswani et al., *Attention Is All You Need* (2017), but with all factors, so that the
counts are those of the book's own layers. ``T`` is the length, in tokens, ``d`` the width of all
vectors.
"""

import math
from dataclasses import dataclass

from contextbook.validation import check_heads

KERNEL = 3
"""Tokens that an output of the counted convolution sees, itself included."""


@dataclass(frozen=True)
class PerLayer:
    """What grows with the length in one layer: ``linear * T + quadratic * T**2``."""

    linear: int
    quadratic: int = 0

    def at(self, length: int) -> int:
        """The count at a length."""
        return self.linear * length + self.quadratic * length**2


@dataclass(frozen=True)
class Cost:
    """What layers of one kind cost at one length, for one sequence.

    Attributes:
        operations: multiplications, each with an addition, in the matrix products of a pass
            forward.
        steps: how many must wait for one another, however many processors there are.
        path: hops from token to token between the first and the last.
        memory: numbers that are kept for the pass back, the layers' weights aside.
    """

    operations: int
    steps: int
    path: int
    memory: int


def operations(width: int, *, projections: bool = True) -> dict[str, PerLayer]:
    """Multiplications of one layer of each kind.

    Args:
        width: ``d``, of inputs and states.
        projections: count the products with W^Q, W^K, W^V and W^O too; table 1 leaves them out.
    """
    square = width**2
    return {
        "rnn": PerLayer(2 * square),  # from the input, and from the state before
        "lstm": PerLayer(8 * square),  # both for three gates and the candidate
        "convolution": PerLayer(KERNEL * square),
        # every query with every key, and every weight with every value
        "attention": PerLayer(4 * square if projections else 0, 2 * width),
    }


def kept_numbers(width: int, heads: int, *, fused: bool = False) -> dict[str, PerLayer]:
    """Numbers that the book's layers keep for the pass back, one layer of each kind.

    Args:
        width: ``d``, of inputs and states.
        heads: of attention: each keeps weights of its own.
        fused: PyTorch's fused attention keeps no weights, but one number for each query and head,
            and makes the weights anew on the way back.
    """
    return {
        "rnn": PerLayer(2 * width),  # inputs and states
        "lstm": PerLayer(8 * width),  # these, three gates, candidate, cell and its tanh
        "convolution": PerLayer(KERNEL * width),  # the input, shifted for each of its weights
        # input, queries, keys, values and the heads' answers; weights T x T for each head
        "attention": PerLayer(5 * width + heads) if fused else PerLayer(5 * width, heads),
    }


def convolution_layers(distance: int, *, dilated: bool = False) -> int:
    """How many layers of convolution it takes to reach a token so far back.

    Args:
        distance: in tokens.
        dilated: each layer mixes tokens twice as far apart as the one below.

    Raises:
        ValueError: the distance is negative.
    """
    if distance < 0:
        raise ValueError(f"distance must be 0 tokens or more, got {distance}")
    if not dilated:
        return math.ceil(distance / (KERNEL - 1))
    return math.ceil(math.log2(distance / (KERNEL - 1) + 1))


def convolution_reach(layers: int, *, dilated: bool = False) -> int:
    """How many tokens back so many layers of convolution reach.

    Raises:
        ValueError: the number of layers is negative.
    """
    if layers < 0:
        raise ValueError(f"layers must be 0 or more, got {layers}")
    return (KERNEL - 1) * (2**layers - 1 if dilated else layers)


def costs(
    length: int,
    width: int,
    heads: int,
    layers: int = 1,
    *,
    projections: bool = True,
    fused: bool = False,
    dilated: bool = False,
) -> dict[str, Cost]:
    """Count what RNN, LSTM, causal convolution and self-attention cost.

    Args:
        length: tokens ``T``.
        width: ``d``, of inputs and states.
        heads: of attention.
        layers: on top of each other.
        projections: see :func:`operations`.
        fused: see :func:`kept_numbers`.
        dilated: see :func:`convolution_layers`.

    Returns:
        By ``"rnn"``, ``"lstm"``, ``"convolution"`` and ``"attention"``. The path through the
        convolution is that of as many layers as it needs.

    Raises:
        ValueError: a size is not positive, or the width cannot be shared out among the heads.
    """
    if min(length, layers) < 1:
        raise ValueError(f"length and layers must be positive, got {length} and {layers}")
    check_heads(width, heads, dropout=0.0)
    multiplied = operations(width, projections=projections)
    kept = kept_numbers(width, heads, fused=fused)
    # a layer above can follow one step behind the one below it
    in_turn = length + layers - 1
    last = length - 1
    steps_path = {
        "rnn": (in_turn, last),
        "lstm": (in_turn, last),
        "convolution": (layers, convolution_layers(last, dilated=dilated)),
        "attention": (layers, min(1, last)),
    }
    return {
        kind: Cost(
            layers * multiplied[kind].at(length), steps, path, layers * kept[kind].at(length)
        )
        for kind, (steps, path) in steps_path.items()
    }


def dearer_above(attention: PerLayer, other: PerLayer) -> float:
    """Length above which attention costs more: 0 at every length, infinity at none.

    Args:
        attention: of :func:`operations` or :func:`kept_numbers`.
        other: a cost that grows with the length alone.
    """
    head_start = other.linear - attention.linear
    if head_start <= 0:
        return 0.0
    return head_start / attention.quadratic if attention.quadratic else math.inf
