"""The counts of costs against what the book's own layers do when they run."""

import itertools
import math
from functools import partial

import pytest
import torch
from torch import nn

from contextbook.attention import MultiHeadAttention
from contextbook.convolution import CausalConv
from contextbook.costs import (
    KERNEL,
    PerLayer,
    convolution_layers,
    convolution_reach,
    costs,
    dearer_above,
    kept_numbers,
    operations,
)
from contextbook.counting import bytes_kept, multiply_adds
from contextbook.recurrent import LSTM, RNN

SIZES = [(10, 16, 4), (21, 16, 2), (33, 24, 3)]


def layers_of(width: int, heads: int) -> dict[str, nn.Module]:
    return {
        "rnn": RNN(width, width),
        "lstm": LSTM(width, width),
        "convolution": CausalConv(width),
        "attention": MultiHeadAttention(width, heads),
    }


def run(layer: nn.Module, x: torch.Tensor, fused: bool) -> None:
    layer(x, need_weights=not fused) if isinstance(layer, MultiHeadAttention) else layer(x)


@pytest.mark.parametrize(("length", "width", "heads"), SIZES)
def test_operations_are_those_that_pytorch_counts(length, width, heads):
    x = torch.randn(1, length, width)
    counted = costs(length, width, heads, layers=1)
    for kind, layer in layers_of(width, heads).items():
        found = multiply_adds(partial(run, layer, x, fused=False))
        assert counted[kind].operations == found, kind


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize(("length", "width", "heads"), SIZES)
def test_memory_is_what_the_layers_keep(length, width, heads, fused):
    x = torch.randn(1, length, width, requires_grad=True)
    counted = costs(length, width, heads, layers=1, fused=fused)
    for kind, layer in layers_of(width, heads).items():
        numbers = bytes_kept(partial(run, layer, x, fused)) // x.element_size()
        # recurrent nets keep a state more or less than there are tokens, convolutions the zeros
        # before the first
        edge = {"rnn": 1, "lstm": 1, "convolution": KERNEL, "attention": 0}[kind]
        assert abs(counted[kind].memory - numbers) <= edge * width, kind


@pytest.mark.parametrize("layers", [1, 3])
def test_steps_are_the_longest_chain_of_layers_and_tokens(layers):
    length = 9
    chain = {}
    for layer, t in itertools.product(range(layers), range(length)):
        before = [(layer - 1, t), (layer, t - 1)]
        chain[layer, t] = 1 + max(chain.get(one, 0) for one in before)
    counted = costs(length, 16, 4, layers)
    assert counted["rnn"].steps == counted["lstm"].steps == max(chain.values())
    assert counted["attention"].steps == counted["convolution"].steps == layers


@pytest.mark.parametrize("dilated", [False, True])
@pytest.mark.parametrize("distance", [1, 2, 3, 5, 6, 7, 13, 14, 15])
def test_so_many_layers_of_convolution_reach_so_far_and_no_fewer(distance, dilated):
    needed = convolution_layers(distance, dilated=dilated)
    assert costs(distance + 1, 16, 4, dilated=dilated)["convolution"].path == needed
    for layers in (needed, needed - 1):
        x = torch.ones(1, distance + 1, 2, requires_grad=True)
        y = x
        for number in range(layers):
            convolution = CausalConv(2, KERNEL, 2**number if dilated else 1)
            nn.init.constant_(convolution.weight, 1.0)
            y = convolution(y)
        (gradient,) = torch.autograd.grad(y[0, -1].sum(), x)
        assert bool(gradient[0, 0].any()) == (layers == needed)
        assert (convolution_reach(layers, dilated=dilated) >= distance) == (layers == needed)


def test_paths_are_those_of_table_1():
    counted = costs(65, 16, 4, layers=2)
    assert [counted[kind].path for kind in ("rnn", "lstm", "attention")] == [64, 64, 1]
    assert [one.path for one in costs(1, 16, 4).values()] == [0, 0, 0, 0]


def test_layers_multiply_operations_and_memory():
    one, three = costs(20, 32, 4, 1), costs(20, 32, 4, 3)
    for kind, cost in one.items():
        assert three[kind].operations == 3 * cost.operations
        assert three[kind].memory == 3 * cost.memory


def test_attention_meets_the_others_where_the_chapter_says():
    width, heads = 128, 4
    counted, kept = operations(width), kept_numbers(width, heads)
    assert dearer_above(counted["attention"], counted["lstm"]) == 2 * width
    assert dearer_above(counted["attention"], counted["rnn"]) == 0
    bare = operations(width, projections=False)
    assert dearer_above(bare["attention"], bare["rnn"]) == width
    assert dearer_above(kept["attention"], kept["lstm"]) == 3 * width / heads
    fused = kept_numbers(width, heads, fused=True)
    assert dearer_above(fused["attention"], fused["lstm"]) == math.inf
    for length in (255, 256, 257):
        difference = counted["attention"].at(length) - counted["lstm"].at(length)
        assert math.copysign(1, difference) == math.copysign(1, length - 256) or length == 256
    assert PerLayer(2, 3).at(5) == 85


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 16, 4), "length and layers must be positive, got 0 and 1"),
        ((8, 16, 4, 0), "length and layers must be positive, got 8 and 0"),
        ((8, 16, 3), "cannot be shared out evenly among 3 heads"),
    ],
)
def test_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        costs(*sizes)


def test_a_negative_reach_is_refused():
    with pytest.raises(ValueError, match="distance must be 0 tokens or more, got -1"):
        convolution_layers(-1)
    with pytest.raises(ValueError, match="layers must be 0 or more, got -2"):
        convolution_reach(-2, dilated=True)
