"""Counting what a computation costs, against what can be counted by hand."""

import pytest
import torch
from torch import Tensor, nn

from contextbook.attention import MultiHeadAttention
from contextbook.convolution import CausalConv
from contextbook.costs import costs
from contextbook.counting import bytes_kept, multiply_adds, steps_in_sequence
from contextbook.recurrent import RNNCell, Unrolled


def test_the_longest_chain_counts_and_what_stands_beside_it_does_not() -> None:
    x = torch.ones(3, requires_grad=True)
    assert steps_in_sequence(x.exp()) == 1
    chain = x.exp().exp().exp()
    assert steps_in_sequence(chain + x) == 4
    assert steps_in_sequence(chain + x.exp()) == 4


def test_a_long_chain_is_no_recursion() -> None:
    x = torch.ones(1, requires_grad=True)
    for _ in range(3000):
        x = x + 1
    assert steps_in_sequence(x) == 3000


def test_nothing_is_known_of_an_input() -> None:
    with pytest.raises(ValueError, match="requires_grad"):
        steps_in_sequence(torch.ones(2))


@pytest.mark.parametrize("length", [13, 40])
def test_the_layers_keep_to_the_table(length: int) -> None:
    x = torch.randn(1, length, 16, requires_grad=True)
    attention = MultiHeadAttention(16, 4)
    layers = {
        "rnn": Unrolled(RNNCell(16, 16)),
        "convolution": CausalConv(16),
        "attention": lambda x: attention(x, need_weights=True),
    }
    for name, layer in layers.items():
        assert multiply_adds(lambda layer=layer: layer(x)) == costs(length, 16, 4)[name].operations


def test_only_what_is_recurrent_waits() -> None:
    def chain(layer: nn.Module, length: int) -> int:
        output = layer(torch.randn(1, length, 8, requires_grad=True))
        return steps_in_sequence(output[0] if isinstance(output, tuple) else output)

    rnn, attention, convolution = Unrolled(RNNCell(8, 8)), MultiHeadAttention(8, 2), CausalConv(8)
    assert chain(rnn, 40) - chain(rnn, 20) == chain(rnn, 60) - chain(rnn, 40) > 20
    for layer in (attention, convolution):
        assert chain(layer, 40) == chain(layer, 20)


def test_what_is_kept() -> None:
    x = torch.ones(1000, requires_grad=True)
    assert bytes_kept(lambda: x.exp()) == 4000  # the result is its own derivative
    assert bytes_kept(lambda: x + 1) == 0
    assert bytes_kept(lambda: x * x) == 4000  # once, though both factors are kept
    weight = nn.Parameter(torch.ones(10, 10))
    y = torch.ones(5, 10, requires_grad=True)
    assert bytes_kept(lambda: y @ weight.T) == 200  # the input, and not the weights


def test_tables_grow_with_the_square() -> None:
    attention = MultiHeadAttention(8, 4)

    def kept(length: int, need_weights: bool) -> int:
        x: Tensor = torch.randn(1, length, 8, requires_grad=True)
        return bytes_kept(lambda: attention(x, need_weights=need_weights))

    assert kept(512, True) > 3.8 * kept(256, True)
    assert kept(512, False) < 2.2 * kept(256, False)
