"""The gradient bench: its numbers, what it refuses, and that it stays small."""

import json

import pytest
import torch

from contextbook.probes import gradient_by_distance
from contextbook.recurrent import RNNCell, Unrolled, spectral_radius
from contextbook.widgets import GradientBench


@pytest.fixture(scope="module")
def bench() -> GradientBench:
    return GradientBench()


def test_the_same_seed_makes_the_same_bench(bench):
    again = GradientBench()
    assert again.random == bench.random
    assert again.curve == bench.curve
    assert GradientBench(seed=1).random != bench.random
    assert repr(bench) == "GradientBench(32 units, up to 128 steps)"


def test_the_weights_are_what_they_are_called(bench):
    assert spectral_radius(torch.tensor(bench.random)) == pytest.approx(1, abs=1e-3)
    turn = torch.tensor(bench.turn)
    assert torch.allclose(turn @ turn.T, torch.eye(32), atol=1e-3)
    assert torch.allclose(torch.tensor(bench.weight_ih).norm(dim=1), torch.ones(32), atol=1e-3)


def test_it_measures_as_the_chapter_does(bench):
    """The probe of the experiment, with another direction of the loss: the same order of size."""
    cell = RNNCell(8, 32)
    with torch.no_grad():
        cell.weight_ih.copy_(torch.tensor(bench.weight_ih))
        cell.weight_hh.copy_(0.9 * torch.tensor(bench.random))
        cell.bias_ih.zero_()
        cell.bias_hh.zero_()
    signs = 2.0 * torch.randint(0, 2, (16, 128, 8), generator=torch.Generator().manual_seed(0)) - 1
    _, curve = gradient_by_distance(Unrolled(cell), 0.3 * signs)
    for distance in (10, 50):
        assert 0.1 < bench.curve[distance] / curve[distance].item() < 10


def test_presets_vanish_keep_and_explode():
    bench = GradientBench()
    bench.update(radius=0.9, input_size=0.3)
    assert bench.curve[100] < 1e-9
    assert bench.half == 3
    bench.update(radius=1.0, input_size=0.01, weights="orthogonal")
    assert bench.curve[80] > 0.5
    assert bench.half is not None
    bench.update(radius=2.0, weights="random")
    assert bench.curve[100] > 100
    assert bench.half is None
    assert bench.gradient_norm > 1e3
    bench.update(input_size=1.5)  # the same matrix, with units that saturate
    assert bench.curve[100] < 1e-3
    bench.reset()
    assert (bench.radius, bench.input_size, bench.weights) == (0.9, 0.3, "random")


def test_the_curve_is_as_long_as_asked():
    bench = GradientBench(length=8)
    assert len(bench.curve) == 8
    assert bench.curve[0] == 1
    silent = GradientBench(input_size=0.0, radius=1.0, weights="orthogonal")
    assert min(silent.curve) > 0.4, "without inputs no unit leaves 0, and the matrix only turns"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"radius": 0.0}, "radius must lie between 0.1 and 2.5, got 0.0"),
        ({"radius": float("nan")}, "radius must lie between"),
        ({"input_size": 2.0}, "input_size must lie between 0 and 1.5, got 2.0"),
        ({"length": 7}, "length must lie between 8 and 128, got 7"),
        ({"distance": 128}, "distance must lie between 0 and 127, got 128"),
        ({"weights": "diagonal"}, "diagonal"),
    ],
)
def test_what_is_out_of_range_is_refused_and_changes_nothing(setting, message):
    bench = GradientBench()
    with pytest.raises(ValueError, match=message):
        GradientBench(**setting)
    before = bench.curve
    with pytest.raises(ValueError, match=message):
        bench.update(**setting)
    assert bench.curve == before


def test_unknown_settings_and_other_data_are_refused(bench):
    with pytest.raises(ValueError, match="update knows radius, input_size"):
        bench.update(size=1)
    with pytest.raises(ValueError, match="a figure keeps its random"):
        bench.random = [[0.0] * 32] * 32


def test_its_state_is_small(bench):
    state = {k: v for k, v in bench.get_state().items() if k != "_esm"}
    assert len(json.dumps(state, default=str)) < 32_000
