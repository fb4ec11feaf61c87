"""Backpropagation by hand, clipping, how weights start, and the probes that measure reach."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from contextbook.probes import gradient_by_distance, influence, kept_by_forget_gates
from contextbook.recurrent import (
    LSTM,
    RNN,
    GRUCell,
    LSTMCell,
    RNNCell,
    Unrolled,
    backpropagate_through_time,
    clip_gradient_norm,
    set_forget_bias,
    spectral_radius,
    with_orthogonal,
    with_spectral_radius,
)

EXACT = {"rtol": 0.0, "atol": 1e-10}


@pytest.fixture(autouse=True)
def one_thread():
    """Many small steps are slower on several threads, by far on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=seeded(seed), dtype=torch.float64).requires_grad_()


# --- backpropagation through time ---


@settings(deadline=None)
@given(st.tuples(*[st.integers(1, 6)] * 4), st.booleans(), st.integers(0, 99))
def test_gradients_by_hand_equal_autograds(sizes, given_start, seed):
    batch, time, features, hidden = sizes
    cell = RNNCell(features, hidden, generator=seeded(seed)).double()
    inputs, initial = draw(batch, time, features), draw(batch, hidden, seed=1)
    weighting = draw(batch, time, hidden, seed=2).detach()
    states = [initial if given_start else cell.initial_state(batch).requires_grad_()]
    for x_t in inputs.unbind(1):
        states.append(cell(x_t, states[-1]))
        states[-1].retain_grad()
    (torch.stack(states[1:], 1) * weighting).sum().backward()
    found = backpropagate_through_time(cell, inputs, weighting, initial if given_start else None)
    expected = {name: weight.grad for name, weight in cell.named_parameters()}
    expected |= {"inputs": inputs.grad, "initial": states[0].grad}
    expected["hidden"] = torch.stack([state.grad for state in states[1:]], 1)
    assert found.keys() == expected.keys()
    for name, gradient in expected.items():
        torch.testing.assert_close(found[name], gradient, **EXACT)
        assert not found[name].requires_grad


def test_gradients_by_hand_equal_autograds_over_many_steps():
    cell, inputs = with_spectral_radius(RNNCell(3, 8), 0.9, seeded()).double(), draw(2, 90, 3)
    outputs, last = Unrolled(cell)(inputs)
    last.sum().backward()
    weighting = torch.zeros_like(outputs)
    weighting[:, -1] = 1.0
    found = backpropagate_through_time(cell, inputs, weighting)
    torch.testing.assert_close(found["inputs"], inputs.grad, **EXACT)
    torch.testing.assert_close(found["weight_hh"], cell.weight_hh.grad, **EXACT)


def test_backpropagation_by_hand_says_what_it_cannot_do():
    inputs, weighting = torch.zeros(2, 5, 3), torch.zeros(2, 5, 4)
    with pytest.raises(ValueError, match=r"use torch\.tanh"):
        backpropagate_through_time(RNNCell(3, 4, activation=torch.relu), inputs, weighting)
    with pytest.raises(ValueError, match=r"\(2, 5, 4\), got \(2, 4\)"):
        backpropagate_through_time(RNNCell(3, 4), inputs, weighting[:, 0])
    with pytest.raises(ValueError, match=r"shape \(2, 4\), got"):
        backpropagate_through_time(RNNCell(3, 4), inputs, weighting, torch.zeros(1, 4))


# --- clipping ---


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 4), max_size=3), min_size=1, max_size=4),
    st.floats(0.01, 100),
    st.floats(0.001, 10),
    st.integers(0, 99),
)
def test_clipping_equals_pytorchs(shapes, size, max_norm, seed):
    ours = [nn.Parameter(torch.zeros(shape, dtype=torch.float64)) for shape in shapes]
    theirs = [nn.Parameter(weight.detach().clone()) for weight in ours]
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        our.grad = size * draw(*our.shape, seed=seed + number).detach()
        their.grad = our.grad.clone()
    idle = nn.Parameter(torch.ones(3))
    norm = clip_gradient_norm(iter([*ours, idle]), max_norm)
    torch.testing.assert_close(norm, nn.utils.clip_grad_norm_(theirs, max_norm), **EXACT)
    for our, their in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our.grad, their.grad, **EXACT)
    assert idle.grad is None


def test_a_short_gradient_is_left_alone_and_a_broken_one_refused():
    weight = nn.Parameter(torch.zeros(2))
    weight.grad = torch.tensor([3.0, 4.0])
    assert clip_gradient_norm([weight], 6.0) == 5
    assert weight.grad.tolist() == [3, 4]
    for gradient, max_norm, message in (
        (torch.tensor([1.0, math.nan]), 1.0, "1 of 1 gradients hold infinity or NaN"),
        (torch.tensor([1.0, math.inf]), 1.0, "lower the learning rate"),
        (torch.ones(2), 0.0, "must be positive"),
        (torch.ones(2), math.nan, "must be positive"),
        (None, 1.0, "call loss.backward"),
    ):
        weight.grad = gradient
        with pytest.raises(ValueError, match=message):
            clip_gradient_norm([weight], max_norm)


# --- how weights start ---


@pytest.mark.parametrize("radius", [0.1, 0.9, 1.0, 2.0])
def test_the_spectral_radius_is_the_one_asked_for(radius):
    cell = with_spectral_radius(RNNCell(5, 64).double(), radius, seeded())
    size = torch.linalg.eigvals(cell.weight_hh).abs().max().item()
    assert size == pytest.approx(radius, abs=1e-10)
    assert spectral_radius(cell.weight_hh) == pytest.approx(radius, abs=1e-10)
    assert torch.linalg.matrix_norm(cell.weight_hh, 2) > 1.2 * radius  # not the singular value
    assert not cell.bias_ih.any()
    assert not cell.bias_hh.any()
    again = with_spectral_radius(RNNCell(5, 64).double(), radius, seeded())
    assert torch.equal(cell.weight_hh, again.weight_hh)


def test_an_orthogonal_matrix_turns():
    cell = with_orthogonal(RNNCell(5, 16).double(), 1.5, seeded())
    square = cell.weight_hh @ cell.weight_hh.T
    torch.testing.assert_close(square, 1.5**2 * torch.eye(16).double(), **EXACT)
    signs = [with_orthogonal(RNNCell(1, 1), 1.0, seeded(s)).weight_hh.item() for s in range(20)]
    assert {round(sign) for sign in signs} == {-1, 1}  # both turns of one dimension occur


@pytest.mark.parametrize("bias", [0.0, 1.0, 3.0])
def test_the_forget_bias_is_the_sum_of_both_biases(bias):
    cell = LSTMCell(3, 4, forget_bias=bias, generator=seeded())
    plain = LSTMCell(3, 4, generator=seeded())
    total = (cell.bias_ih + cell.bias_hh).chunk(4)
    assert total[1].tolist() == [bias] * 4
    assert not cell.bias_hh[4:8].any()
    for block in (0, 2, 3):  # the other gates start as they would without it
        assert torch.equal(total[block], (plain.bias_ih + plain.bias_hh).chunk(4)[block])
    for weight in ("weight_ih", "weight_hh"):
        assert torch.equal(getattr(cell, weight), getattr(plain, weight))
    nn.init.zeros_(cell.weight_ih)
    forget_gate = cell.gates(torch.ones(2, 3), torch.zeros(2, 4))[1]
    torch.testing.assert_close(forget_gate, torch.full((2, 4), bias).sigmoid())


def test_initialisation_says_what_it_cannot_do():
    for make, message in (
        (lambda: with_spectral_radius(LSTMCell(3, 4), 0.9), "one square matrix"),
        (lambda: with_orthogonal(GRUCell(3, 4), 0.9), "one square matrix"),
        (lambda: with_spectral_radius(RNNCell(3, 4), 0.0), "positive number"),
        (lambda: with_spectral_radius(RNNCell(3, 4), math.inf), "positive number"),
        (lambda: set_forget_bias(RNNCell(3, 4), 1.0), "four gates"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


# --- probes ---


class Window(nn.Module):
    """Each output is the sum of ``size`` inputs, the nearest weighing most."""

    def forward(self, inputs):
        near, far = inputs.clone(), inputs.roll(2, 1)
        return near + 0.25 * far


def test_gradient_by_distance_of_a_layer_that_one_can_work_out():
    distances, norms = gradient_by_distance(Window(), torch.randn(3, 6, 4, generator=seeded()))
    assert distances.tolist() == [0, 1, 2, 3, 4, 5]
    torch.testing.assert_close(norms, torch.tensor([1, 0, 0.25, 0, 0, 0]).double())
    _, relative = gradient_by_distance(Window(), torch.randn(3, 6, 4), relative_to=2)
    torch.testing.assert_close(relative, torch.tensor([4, 0, 1.0, 0, 0, 0]).double())
    _, lengths = gradient_by_distance(Window(), torch.randn(3, 6, 4), relative_to=None)
    torch.testing.assert_close(lengths[2], lengths[0] / 4)
    assert lengths[0] > 0.5


def test_a_linear_networks_gradient_shrinks_by_its_radius_at_each_step():
    def identity(x):
        return x

    cell = with_orthogonal(RNNCell(8, 8, activation=identity, generator=seeded()), 0.5, seeded())
    nn.init.orthogonal_(cell.weight_ih, generator=seeded())
    _, norms = gradient_by_distance(Unrolled(cell), torch.randn(2, 120, 8))
    expected = 0.5 ** torch.arange(120).double()  # down to 1e-36: single precision would show 0
    torch.testing.assert_close(norms, expected, rtol=1e-4, atol=0.0)


def test_the_radius_decides_whether_gradients_vanish():
    inputs = torch.randn(16, 101, 64, generator=seeded())

    def at_100(cell, size):
        return gradient_by_distance(Unrolled(cell), size * inputs)[1][100].item()

    made = RNNCell(64, 64, generator=seeded())
    assert at_100(with_spectral_radius(made, 0.9, seeded()), 1.0) < 1e-9
    assert at_100(with_spectral_radius(made, 2.0, seeded()), 0.01) > 100
    assert 0.3 < at_100(with_orthogonal(made, 1.0, seeded()), 0.01) < 1.0
    assert at_100(LSTMCell(64, 64, forget_bias=1.0, generator=seeded()), 1.0) < 1e-8
    assert at_100(LSTMCell(64, 64, forget_bias=3.0, generator=seeded()), 1.0) > 0.1


def test_probes_leave_the_layer_as_it_was():
    layer, inputs = RNN(3, 4, 2, dropout=0.5), torch.randn(2, 5, 3)
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    one = gradient_by_distance(layer, inputs)
    assert torch.equal(one[1], gradient_by_distance(layer, inputs)[1])  # dropout is off
    assert layer.training
    assert all(torch.equal(before[name], value) for name, value in layer.state_dict().items())
    assert all(weight.grad is None for weight in layer.parameters())
    assert not inputs.requires_grad


def test_influence_is_the_size_of_each_jacobian():
    layer, inputs = LSTM(3, 4, generator=seeded()), torch.randn(5, 3, generator=seeded())
    sizes = influence(layer, inputs)
    jacobian = torch.autograd.functional.jacobian(
        lambda x: layer.double()(x[None])[0][0], inputs.double()
    )  # (5, 4, 5, 3)
    torch.testing.assert_close(sizes, jacobian.pow(2).sum((1, 3)).sqrt(), **EXACT)
    assert torch.equal(sizes, influence(layer, inputs[None]))


def test_influence_shows_who_reaches_whom():
    inputs = torch.randn(6, 3, generator=seeded())
    earlier = torch.ones(6, 6, dtype=torch.bool).tril()
    assert torch.equal(influence(RNN(3, 4), inputs) > 0, earlier)
    assert torch.equal(influence(RNN(3, 4, 3), inputs) > 0, earlier)
    assert torch.equal(influence(Unrolled(RNNCell(3, 4), backwards=True), inputs) > 0, earlier.T)
    assert bool((influence(RNN(3, 4, bidirectional=True), inputs) > 0).all())


def test_forget_gates_alone_keep_a_power_of_what_each_keeps():
    cell = LSTMCell(3, 4, forget_bias=2.0)
    for weight in (cell.weight_ih, cell.weight_hh):
        nn.init.zeros_(weight)
    distances, kept = kept_by_forget_gates(cell, torch.randn(2, 7, 3))
    assert distances.tolist() == list(range(8))
    gate = torch.tensor(2.0).double().sigmoid()
    torch.testing.assert_close(kept, gate ** torch.arange(8))
    varied = LSTMCell(3, 4, generator=seeded())
    inputs = torch.randn(2, 7, 3, generator=seeded())
    state, product = varied.initial_state(2), torch.ones(2, 4)
    for t in range(7):
        if t >= 4:  # the last three
            product = product * varied.gates(inputs[:, t], state[0])[1]
        state = varied(inputs[:, t], state)
    assert kept_by_forget_gates(varied, inputs)[1][3] == pytest.approx(product.mean().item())


def test_probes_say_what_they_cannot_do():
    layer, inputs = RNN(3, 4), torch.randn(2, 5, 3)
    for call, message in (
        (lambda: gradient_by_distance(layer, inputs[0]), "add a batch axis"),
        (lambda: gradient_by_distance(layer, inputs, relative_to=5), "between 0 and 4"),
        (lambda: gradient_by_distance(lambda x: x.sum(1), inputs), "one output for each step"),
        (lambda: gradient_by_distance(lambda x: x.roll(1, 1), inputs), "at distance 0 is 0.0"),
        (lambda: influence(layer, inputs), "one sequence, got a batch of 2"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
