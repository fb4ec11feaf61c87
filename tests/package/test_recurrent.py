"""Recurrent cells and layers against torch.nn: outputs, states and gradients, padding included."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from contextbook.recurrent import (
    GRU,
    LSTM,
    RNN,
    Bidirectional,
    GRUCell,
    LSTMCell,
    Recurrent,
    RNNCell,
    Stacked,
    Unrolled,
    copy_from_torch,
    copy_to_torch,
    state_to_torch,
)
from contextbook.recurrent.states import map_states, parts_of

KINDS = [RNN, LSTM, GRU]
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
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64).requires_grad_()


def start(layer, batch: int, seed: int = 0):
    """A random initial state for a layer."""
    _, state = layer(torch.zeros(batch, 1, first_cell(layer).weight_ih.shape[1]).double())
    return map_states(lambda part: draw(*part.shape, seed=seed), state)


def first_cell(layer):
    return next(part.cell for part in layer.modules() if isinstance(part, Unrolled))


def theirs_of(state):
    """A state of ours, as leaves that PyTorch's layer takes."""
    flat = state_to_torch(map_states(lambda part: part.detach().clone(), state))
    return map_states(lambda part: part.requires_grad_(), flat)


def weight_gradients(ours, theirs):
    """The gradients of each weight of ours and of its copy."""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    cells = [part.cell for part in ours.modules() if isinstance(part, Unrolled)]
    for cell, copies in zip(cells, theirs.all_weights, strict=True):
        for name, copy in zip(names, copies, strict=True):
            yield getattr(cell, name).grad, copy.grad


def compare_with_pytorch(kind, sizes, layers, bidirectional, activation, lengths, seed):
    batch, time, features, hidden = sizes
    options = {"activation": activation} if kind is RNN else {}
    ours = kind(features, hidden, layers, bidirectional=bidirectional, **options).double()
    theirs = copy_to_torch(ours)
    inputs = draw(batch, time, features, seed=seed)
    copy = inputs.detach().clone().requires_grad_()
    initial = start(ours, batch, seed)
    their_initial = theirs_of(initial)
    outputs, last = ours(inputs, initial, lengths)
    if lengths is None:
        expected, their_last = theirs(copy, their_initial)
    else:
        packed = pack_padded_sequence(copy, lengths, batch_first=True, enforce_sorted=False)
        packed_outputs, their_last = theirs(packed, their_initial)
        expected, _ = pad_packed_sequence(packed_outputs, batch_first=True, total_length=time)
    last, their_last = parts_of(state_to_torch(last)), parts_of(their_last)
    torch.testing.assert_close(outputs, expected, **EXACT)
    torch.testing.assert_close(last, their_last, **EXACT)
    for answers in ((outputs, *last), (expected, *their_last)):
        weighted = [(each * draw(*each.shape, seed=seed + 1)).sum() for each in answers]
        torch.stack(weighted).sum().backward()
    torch.testing.assert_close(inputs.grad, copy.grad, **EXACT)
    for our, their in zip(parts_of(initial), parts_of(their_initial), strict=True):
        torch.testing.assert_close(our.grad.view_as(their), their.grad, **EXACT)
    for our, their in weight_gradients(ours, theirs):
        torch.testing.assert_close(our, their, **EXACT)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(KINDS),
    st.tuples(*[st.integers(1, 5)] * 4),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([torch.tanh, torch.relu]),
    st.booleans(),
    st.integers(0, 99),
)
def test_layers_equal_pytorchs(kind, sizes, layers, bidirectional, activation, padded, seed):
    lengths = torch.randint(1, sizes[1] + 1, sizes[:1], generator=seeded(seed)) if padded else None
    compare_with_pytorch(kind, sizes, layers, bidirectional, activation, lengths, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_layers_equal_pytorchs_over_many_steps(kind):
    lengths = torch.tensor([61, 1, 37])
    compare_with_pytorch(kind, (3, 61, 7, 9), 2, True, torch.tanh, lengths, 5)


@pytest.mark.parametrize(
    ("cell", "theirs"), [(RNNCell, nn.RNNCell), (LSTMCell, nn.LSTMCell), (GRUCell, nn.GRUCell)]
)
def test_cells_equal_pytorchs(cell, theirs):
    ours, theirs = cell(3, 5).double(), theirs(3, 5, dtype=torch.float64)
    theirs.load_state_dict(ours.state_dict())  # they have the same names
    state = map_states(lambda part: draw(*part.shape, seed=1), ours.initial_state(4))
    torch.testing.assert_close(ours(draw(4, 3), state), theirs(draw(4, 3), state), **EXACT)


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU])
@pytest.mark.parametrize(("layers", "bidirectional"), [(1, False), (3, True)])
def test_weights_copied_from_pytorch_give_its_outputs(kind, layers, bidirectional):
    theirs = kind(3, 4, layers, bidirectional=bidirectional, dtype=torch.float64)  # time first
    ours = copy_from_torch(theirs)
    inputs = draw(2, 5, 3)
    torch.testing.assert_close(ours(inputs)[0], theirs(inputs.transpose(0, 1))[0].transpose(0, 1))
    again = copy_to_torch(ours)
    for name, weight in theirs.state_dict().items():
        assert torch.equal(again.state_dict()[name], weight)


def test_copies_keep_what_is_not_a_weight():
    relu = nn.RNN(3, 4, 2, nonlinearity="relu", dropout=0.3).eval()
    ours = copy_from_torch(relu)
    again = copy_to_torch(ours)
    assert (again.nonlinearity, again.dropout, again.training) == ("relu", 0.3, False)
    assert ours.dropout.p == 0.3
    assert not ours.training
    assert copy_to_torch(RNN(3, 4).train()).training


def test_layers_made_by_hand_are_copied_too():
    one = Unrolled(LSTMCell(3, 4)).double()
    both = Bidirectional(GRUCell(3, 4), GRUCell(3, 4)).double()
    for layer, initial in ((one, one.cell.initial_state(2)), (both, torch.zeros(2, 2, 4).double())):
        outputs, last = layer(draw(2, 5, 3), initial)
        expected, their_last = copy_to_torch(layer)(draw(2, 5, 3))
        torch.testing.assert_close(outputs, expected, **EXACT)
        torch.testing.assert_close(state_to_torch(last), their_last, **EXACT)


# --- padding ---


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("layers", "bidirectional"), [(1, False), (1, True), (2, True)])
def test_a_padded_batch_gives_each_sequence_what_it_gives_alone(kind, layers, bidirectional):
    layer = kind(3, 4, layers, bidirectional=bidirectional).double()
    lengths = torch.tensor([6, 1, 0, 4])
    inputs, initial = draw(4, 6, 3), start(layer, 4)
    outputs, last = layer(inputs, initial, lengths)
    for row, length in enumerate(lengths.tolist()):
        assert not outputs[row, length:].any()
        own = map_states(lambda part, row=row: part[..., row : row + 1, :], initial)
        here = map_states(lambda part, row=row: part[..., row : row + 1, :], last)
        if length == 0:  # nothing was read: the state is still the initial one
            torch.testing.assert_close(here, own, **EXACT)
            continue
        alone, last_alone = layer(inputs[row : row + 1, :length], own)
        torch.testing.assert_close(outputs[row : row + 1, :length], alone, **EXACT)
        torch.testing.assert_close(here, last_alone, **EXACT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("filler", [1e9, float("nan"), float("inf")])
def test_what_fills_the_padding_changes_nothing(kind, filler):
    layer, lengths = kind(3, 4, 2, bidirectional=True).double(), torch.tensor([2, 5, 0])
    found = []
    for value in (0.0, filler):
        inputs = draw(3, 5, 3).detach().clone()
        for row, length in enumerate(lengths.tolist()):
            inputs[row, length:] = value
        inputs.requires_grad_()
        outputs, last = layer(inputs, None, lengths)
        layer.zero_grad()
        (outputs.sum() + sum(part.sum() for part in parts_of(last))).backward()
        gradients = [weight.grad.clone() for weight in layer.parameters()]
        found.append([outputs.detach(), *(part.detach() for part in parts_of(last)), *gradients])
        assert not inputs.grad[0, 2:].any()
    for clean, filled in zip(*found, strict=True):
        assert torch.equal(clean, filled)


def test_full_lengths_are_the_same_as_none():
    layer = LSTM(3, 4, 2, bidirectional=True)
    inputs = torch.randn(2, 5, 3, generator=seeded())
    full = torch.tensor([5, 5], dtype=torch.int32)
    torch.testing.assert_close(layer(inputs, lengths=full), layer(inputs))


# --- directions and layers ---


def test_the_backward_reader_reads_each_sequence_reversed_within_its_length():
    cell = RNNCell(3, 4)
    inputs, lengths = torch.randn(3, 6, 3, generator=seeded()), torch.tensor([6, 2, 4])
    outputs, last = Unrolled(cell, backwards=True)(inputs, None, lengths)
    for row, length in enumerate(lengths.tolist()):
        alone, last_alone = Unrolled(cell)(inputs[row : row + 1, :length].flip(1))
        torch.testing.assert_close(outputs[row, :length], alone[0].flip(0))
        torch.testing.assert_close(last[row], last_alone[0])


def test_a_bidirectional_feature_joins_both_readers():
    both = Bidirectional(RNNCell(3, 4), RNNCell(3, 4))
    inputs = torch.randn(2, 5, 3, generator=seeded())
    features, last = both(inputs)
    ahead, back = both.ahead(inputs)[0], both.back(inputs)[0]
    assert torch.equal(features, torch.cat([ahead, back], -1))
    assert torch.equal(last, torch.stack([ahead[:, -1], back[:, 0]]))


@pytest.mark.parametrize("kind", KINDS)
def test_reading_in_two_halves_is_reading_at_once(kind):
    layer, inputs = kind(3, 4, 2).double(), draw(2, 7, 3)
    first, state = layer(inputs[:, :3])
    second, last = layer(inputs[:, 3:], state)
    at_once, expected = layer(inputs)
    torch.testing.assert_close(torch.cat([first, second], 1), at_once, **EXACT)
    torch.testing.assert_close(last, expected, **EXACT)


def test_dropout_acts_between_layers_and_only_in_training():
    torch.manual_seed(0)
    inputs = torch.randn(4, 6, 3)
    plain, dropping = RNN(3, 50, 2), RNN(3, 50, 2, dropout=0.5)
    dropping.load_state_dict(plain.state_dict())
    assert torch.equal(plain.train()(inputs)[0], plain.eval()(inputs)[0])
    assert torch.equal(dropping.eval()(inputs)[0], plain(inputs)[0])
    dropping.train()
    seen = []
    dropping.layers[1].register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    outputs, last = dropping(inputs)
    lower, _ = dropping.layers[0](inputs)
    dropped = seen[0] == 0
    assert 0.4 < dropped.float().mean() < 0.6
    torch.testing.assert_close(seen[0], torch.where(dropped, 0.0, 2 * lower))
    assert torch.equal(last[0], lower[:, -1])  # the first layer's own state is whole
    assert not (outputs == 0).any()  # nothing above the last layer
    with pytest.raises(ValueError, match="no place to act"):
        RNN(3, 4, dropout=0.5)


def test_a_cell_of_ones_own_is_read_with_and_trained():
    class Sum(nn.Module):
        """The state is the sum of all inputs, times a weight."""

        def __init__(self, input_size, hidden_size, generator=None):
            super().__init__()
            self.hidden_size = hidden_size
            self.weight = nn.Parameter(torch.ones(()))

        def initial_state(self, batch):
            return torch.zeros(batch, self.hidden_size)

        def forward(self, x_t, state):
            return state + self.weight * x_t

    inputs = torch.randn(2, 5, 3, generator=seeded())
    layer = Recurrent(Sum, 3, 3, 2)
    outputs, last = layer(inputs)
    torch.testing.assert_close(outputs, inputs.cumsum(1).cumsum(1))
    torch.testing.assert_close(last, torch.stack([inputs.sum(1), inputs.cumsum(1).sum(1)]))
    outputs.sum().backward()
    assert all(weight.grad is not None for weight in layer.parameters())
    assert len(list(layer.parameters())) == 2
    lengths = torch.tensor([2, 4])
    _, (_, last) = Recurrent(Sum, 3, 3, 2)(inputs, lengths=lengths)
    torch.testing.assert_close(last[0], inputs[0, :2].cumsum(0).sum(0))


def test_weights_start_as_pytorchs_do_and_follow_the_generator():
    one, two = (LSTM(8, 64, generator=seeded(3)) for _ in range(2))
    for ours, again in zip(one.parameters(), two.parameters(), strict=True):
        assert torch.equal(ours, again)
        assert ours.abs().max() <= 64**-0.5
        assert ours.abs().max() > 0.95 * 64**-0.5
        assert abs(ours.mean()) < 0.02
    state = torch.random.get_rng_state()
    RNN(3, 4, 2, bidirectional=True, generator=seeded())
    assert torch.equal(torch.random.get_rng_state(), state)


# --- errors ---

FLOATS = torch.zeros(2, 5, 3)
STATE = torch.zeros(1, 2, 4)


@pytest.mark.parametrize(
    ("layer", "arguments", "message"),
    [
        (RNN(3, 4), (torch.zeros(2, 5, 7),), r"takes inputs \(batch, 3\), got \(2, 7\)"),
        (RNN(3, 4), (torch.zeros(5, 3),), "add a batch axis"),
        (RNN(3, 4), (torch.zeros(2, 5, 3, dtype=torch.long),), "embed ids first"),
        (RNN(3, 4), (torch.zeros(2, 0, 3),), "no step to read"),
        (RNN(3, 4), (FLOATS.double(),), "use one dtype"),
        (RNN(3, 4), (FLOATS, torch.zeros(2, 4)), "first axis with one entry for each layer"),
        (RNN(3, 4), (FLOATS, torch.zeros(2, 2, 4)), "first axis with one entry for each layer"),
        (RNN(3, 4), (FLOATS, torch.zeros(1, 1, 4)), r"shape \(2, 4\), got .* \(1, 4\)"),
        (RNN(3, 4), (FLOATS, STATE.double()), "should be torch.float32"),
        (RNN(3, 4), (FLOATS, (STATE, STATE)), "should be one tensor, got a tuple of 2"),
        (LSTM(3, 4), (FLOATS, STATE), "should be a tuple of 2, got a tensor"),
        (LSTM(3, 4), (FLOATS, (STATE,)), "should be a tuple of 2, got 1"),
        (
            RNN(3, 4, bidirectional=True),
            (FLOATS, torch.zeros(1, 1, 2, 4)),
            "one entry for each direction",
        ),
        (RNN(3, 4), (FLOATS, None, torch.tensor([5, 6])), "between 0 and 5.* got 5 to 6"),
        (RNN(3, 4), (FLOATS, None, torch.tensor([-1, 5])), "got -1 to 5"),
        (RNN(3, 4), (FLOATS, None, torch.tensor([5.0, 5.0])), "integers of shape"),
        (RNN(3, 4), (FLOATS, None, torch.tensor([True, True])), "integers of shape"),
        (RNN(3, 4), (FLOATS, None, torch.tensor([5])), "integers of shape"),
        (RNN(3, 4), (FLOATS, None, torch.ones(2, 5, dtype=torch.long)), "mask.sum"),
        (RNNCell(3, 4), (torch.zeros(2, 3), torch.zeros(4)), r"shape \(2, 4\), got \(4,\)"),
        (RNNCell(3, 4), (torch.zeros(2, 3), torch.zeros(1, 4)), r"shape \(2, 4\), got \(1, 4\)"),
        (RNNCell(3, 4), (FLOATS, torch.zeros(2, 4)), "a layer .* takes whole sequences"),
        (RNNCell(3, 4), (FLOATS[:, 0], (FLOATS,)), "only an LSTM has a pair"),
        (LSTMCell(3, 4), (torch.zeros(2, 3), torch.zeros(2, 4)), "pair .* got a tensor"),
        (GRUCell(3, 4), (torch.zeros(2, 3), torch.zeros(2, 5)), r"\(2, 4\), got \(2, 5\)"),
    ],
)
def test_bad_input_is_named(layer, arguments, message):
    with pytest.raises(ValueError, match=message):
        layer(*arguments)


def test_bad_sizes_are_named():
    for make, message in (
        (lambda: RNNCell(0, 4), "at least one input"),
        (lambda: LSTMCell(3, 0), "at least one input"),
        (lambda: RNN(3, 4, 0), "num_layers must be at least 1"),
        (lambda: Stacked([]), "num_layers must be at least 1"),
        (lambda: RNN(3, 4, 2, dropout=1.5), "from 0 to 1"),
        (lambda: GRU(3, 4, forget_bias=1.0), "four gates"),
        (lambda: LSTM(3, 4, forget_bias=float("nan")), "finite"),
        (lambda: copy_from_torch(nn.Linear(3, 4)), "needs nn.RNN"),
        (lambda: copy_from_torch(nn.LSTM(3, 4, bias=False)), "bias=False"),
        (lambda: copy_from_torch(nn.LSTM(3, 4, proj_size=2)), "proj_size=2"),
        (lambda: copy_to_torch(nn.Linear(3, 4)), "no cell that reads forward"),
        (lambda: copy_to_torch(Unrolled(RNNCell(3, 4), backwards=True)), "reads forward"),
        (lambda: copy_to_torch(RNN(3, 4, activation=torch.sigmoid)), "tanh and relu only"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


@pytest.mark.parametrize("kind", KINDS)
def test_half_precision_works_under_autocast(kind):
    layer, inputs = kind(3, 4, 2, bidirectional=True), torch.randn(2, 5, 3, generator=seeded())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs, _ = layer(inputs, lengths=torch.tensor([5, 3]))
    torch.testing.assert_close(
        outputs.float(), layer(inputs, None, torch.tensor([5, 3]))[0], rtol=0, atol=0.05
    )


def test_an_empty_batch_gives_empty_outputs():
    for kind, bidirectional in itertools.product(KINDS, (False, True)):
        layer = kind(3, 4, 2, bidirectional=bidirectional)
        outputs, _ = layer(torch.zeros(0, 5, 3), lengths=torch.zeros(0, dtype=torch.long))
        assert outputs.shape == (0, 5, 4 * (1 + bidirectional))
