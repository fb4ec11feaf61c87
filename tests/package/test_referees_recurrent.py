"""The referees of chapters 3 to 6: right definitions pass, broken ones are told what broke them."""

import inspect
import json
from pathlib import Path

import pytest

import contextbook.recurrent.bptt
import contextbook.recurrent.cells
import contextbook.recurrent.gated
import contextbook.recurrent.layers
from contextbook.recurrent import (
    Bidirectional,
    GRUCell,
    LSTMCell,
    RNNCell,
    Stacked,
    Unrolled,
    backpropagate_through_time,
)
from contextbook.referees.recurrent import (
    check_bidirectional,
    check_bptt,
    check_gru,
    check_lstm,
    check_rnn,
)

WORDS = Path(contextbook.__file__).parent / "words" / "en.json"
HINTS = json.loads(WORDS.read_text("utf-8"))["checks"]


def no_class(name: str, base: str) -> str:
    """In place of a class, a function that makes no module."""
    return f"def {name}(*sizes):\n    return {{}}\n\n\nclass Other({base}):"


# what is shared by all cells
PARAMETER = "self.weight_hh = nn.Parameter(draw("
ZEROS = "return self.weight_hh.new_zeros(batch, self.hidden_size)"

# --- chapter 3 ---

ACTIVATED = "return self.activation(from_input + from_past)"
FROM_INPUT = "from_input = inputs @ self.weight_ih.T + self.bias_ih"
FROM_PAST = "from_past = hidden @ self.weight_hh.T + self.bias_hh"
RNN_CELLS = [
    ("no_activation", ACTIVATED, "return from_input + from_past"),
    ("other_activation", ACTIVATED, "return torch.sigmoid(from_input + from_past)"),
    ("other_activation", ACTIVATED, "return torch.relu(from_input + from_past)"),
    ("activation_ignored", ACTIVATED, "return torch.tanh(from_input + from_past)"),
    ("bent_twice", ACTIVATED, "return torch.tanh(from_input) + torch.tanh(from_past)"),
    ("past_ignored", ACTIVATED, "return self.activation(from_input)"),
    ("past_ignored", FROM_PAST, "from_past = self.bias_hh"),
    ("past_not_weighted", FROM_PAST, "from_past = hidden + self.bias_hh"),
    ("input_ignored", ACTIVATED, "return self.activation(from_past)"),
    ("no_bias", FROM_PAST, FROM_PAST.removesuffix(" + self.bias_hh")),
    ("no_bias", FROM_INPUT, FROM_INPUT.removesuffix(" + self.bias_ih")),
    ("not_transposed", FROM_PAST, FROM_PAST.replace("weight_hh.T", "weight_hh")),
    ("product_shapes", FROM_INPUT, FROM_INPUT.replace("weight_ih.T", "weight_ih")),
    ("gradient_differs", FROM_PAST, FROM_PAST.replace("hidden @", "hidden.detach() @")),
    ("gradient_differs", ACTIVATED, ACTIVATED + ".detach()"),
    ("weights", PARAMETER, "self.weights_hh = nn.Parameter(draw("),
    ("weights", "draw(hidden_size, input_size)", "draw(input_size, hidden_size)"),
    (
        "not_a_parameter",
        "self.bias_hh = nn.Parameter(draw(hidden_size))",
        "self.bias_hh = draw(hidden_size)",
    ),
    ("no_module", "class RNNCell(nn.Module):", no_class("RNNCell", "nn.Module")),
    ("no_start", "def initial_state", "def start"),
    ("start_not_zero", ZEROS, ZEROS + " + 1"),
    ("shape", ACTIVATED, ACTIVATED + "[:, :1]"),
    ("different", ACTIVATED, ACTIVATED + " * 1.5"),
    ("returned_nothing", ACTIVATED, "pass"),
    ("not_attempted", ACTIVATED, "return ..."),
    ("raised", ACTIVATED, "return self.bend(from_input + from_past)"),
]

STEP = "state = advance(self.cell(x_t, state), state, real, t)"
START = "state = self.cell.initial_state(len(inputs)) if initial is None else initial"
RETURNED = "return zero_padding(outputs, real), state"
LAYERS = [
    (
        "not_carried",
        START,
        START + "; start = state",
        STEP,
        STEP.replace("x_t, state)", "x_t, start)"),
    ),
    ("reversed", "if self.backwards:", "if not self.backwards:"),
    ("reversed", RETURNED, RETURNED.replace("outputs,", "outputs.flip(1),")),
    ("initial_ignored", START, "state = self.cell.initial_state(len(inputs))"),
    ("padding_not_zero", RETURNED, "return outputs, state", STEP, "state = self.cell(x_t, state)"),
    ("padding_not_zero", RETURNED, "return outputs, state"),
    ("padding_not_zero", "real = check_sequence(", "real = None and check_sequence("),
    ("last_in_padding", STEP, "state = self.cell(x_t, state)"),
    ("last_is_first", RETURNED, RETURNED.replace("state", "hidden[0]")),
    ("last_shape", RETURNED, RETURNED.replace("state", "state[None]")),
    ("last_differs", RETURNED, RETURNED.replace("state", "state * 2")),
    ("not_a_pair", RETURNED, "return zero_padding(outputs, real)"),
    ("shape", RETURNED, RETURNED.replace("outputs,", "outputs.transpose(0, 1),")),
    ("gradient_differs", STEP, STEP.replace("x_t, state)", "x_t, state.detach())")),
    (
        "no_module",
        "class Unrolled(nn.Module):",
        no_class("Unrolled", "nn.Module"),
    ),
]

# --- chapter 4 ---

JOINED = "features = torch.cat([ahead, back], dim=-1)"
READ_BACK = "back, last_back = self.back(inputs, initial_back, lengths)"
BACK = "self.back = Unrolled(backward_cell, backwards=True)"
LAST = "return features, stack_states([last_ahead, last_back])"
BOTH_WAYS = [
    ("not_joined", JOINED, "features = ahead + back"),
    ("halves_swapped", JOINED, "features = torch.cat([back, ahead], dim=-1)"),
    ("not_in_place", JOINED, "features = torch.cat([ahead, back.flip(1)], dim=-1)"),
    ("both_forward", BACK, "self.back = Unrolled(backward_cell)"),
    ("lengths_ignored", READ_BACK, READ_BACK.replace(", lengths", "")),
    ("initial_ignored", "unstack_states(initial, 2", "unstack_states(None, 2"),
    ("initial_ignored", "initial_ahead, initial_back =", "initial_back, initial_ahead ="),
    ("states_swapped", LAST, "return features, stack_states([last_back, last_ahead])"),
    ("back_at_end", LAST, "return features, stack_states([last_ahead, back[:, -1]])"),
    ("last_differs", LAST, "return features, stack_states([last_ahead, last_ahead])"),
    ("last_shape", LAST, "return features, torch.cat([last_ahead, last_back])"),
    ("not_a_pair", LAST, "return features"),
    ("no_module", "class Bidirectional(nn.Module):", no_class("Bidirectional", "nn.Module")),
    ("shape", JOINED, "features = torch.cat([ahead, back], dim=1)"),
]  # fmt: skip

LAYER = "features, last = layer(features, state, lengths)"
BETWEEN = "if last_states:  # not below the first layer, and not above the last"
TOP = "return features, stack_states(last_states)"
DROPOUT = "features = self.dropout(features)"
STACKS = [
    ("one_layer", "zip(self.layers, initials, strict=True)", "zip(self.layers[:2], initials)"),
    ("one_layer", TOP, "return self.layers[0](inputs, initials[0], lengths)"),
    ("initial_ignored", LAYER, LAYER.replace("state, lengths", "None, lengths")),
    ("lengths_ignored", LAYER, LAYER.replace(", lengths", "")),
    ("states_swapped", TOP, TOP.replace("last_states", "last_states[::-1]")),
    ("last_shape", TOP, "return features, last"),
    ("dropout_above", TOP, TOP.replace("features,", "self.dropout(features),")),
    ("dropout_below", BETWEEN, "if True:"),
    ("no_dropout", DROPOUT, "pass"),
    ("dropout_always", DROPOUT, "features = nn.functional.dropout(features, self.dropout.p)"),
]

# --- chapter 5 ---

AT_HIDDEN = "at_hidden[:, t] = output_gradients[:, t] + from_later"
AT_SUM = "at_sum = at_hidden[:, t] * (1 - hidden[t + 1] ** 2)"
FOR_PAST = 'sums["weight_hh"] += at_sum.T @ hidden[t]'
BACKWARD = "from_later = at_sum @ cell.weight_hh"
GRADIENTS = 'others = {"inputs": at_inputs, "hidden": at_hidden, "initial": from_later}'
RETURN = "return sums | others"
BPTTS = [
    ("not_carried", AT_HIDDEN, AT_HIDDEN.removesuffix(" + from_later")),
    ("no_slope", AT_SUM, "at_sum = at_hidden[:, t]"),
    ("slope_before", AT_SUM, AT_SUM.replace("[t + 1]", "[t]")),
    ("tanh_twice", AT_SUM, AT_SUM.replace("hidden[t + 1]", "torch.tanh(hidden[t + 1])")),
    ("not_transposed", BACKWARD, BACKWARD + ".T"),
    ("late", FOR_PAST, FOR_PAST.replace("[t]", "[t + 1]")),
    ("not_added", FOR_PAST, FOR_PAST.replace("+=", "=")),
    ("averaged", 'sums["bias_ih"] += at_sum.sum(0)', 'sums["bias_ih"] += at_sum.mean(0)'),
    ("upwards", GRADIENTS, GRADIENTS.replace('"inputs": at', '"inputs": -at')),
    ("gradient_differs", "reversed(range(inputs.shape[1]))", "range(inputs.shape[1])"),
    ("gradient_shape", GRADIENTS, GRADIENTS.replace("at_inputs,", "at_inputs[:, 0],")),
    ("missing", GRADIENTS, GRADIENTS.replace('"initial": from_later', "")),
    ("not_a_dict", RETURN, "return at_inputs, at_hidden, from_later"),
    ("product_shapes", FOR_PAST, FOR_PAST.replace("at_sum.T", "at_sum")),
    ("not_attempted", RETURN, "return ..."),
]

# --- chapter 6 ---

CHUNKS = "i, f, g, o = (from_input + from_past).chunk(4, dim=-1)"
GATES = "return torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)"
CELL = "cell = forget_gate * cell + input_gate * candidate"
HIDDEN = "hidden = output_gate * torch.tanh(cell)"
PAIR = "return hidden, cell"
LSTM_PAST = "from_past = linear(hidden, self.weight_hh, self.bias_hh)  # (B, 4H)"
BLOCKS = "nn.Parameter(draw(self.rows * hidden_size, hidden_size))"
LSTMS = [
    ("gates_order", CHUNKS, CHUNKS.replace("i, f, g, o", "f, i, g, o")),
    ("gates_order", CHUNKS, CHUNKS.replace("i, f, g, o", "i, f, o, g")),
    ("pair_swapped", PAIR, "return cell, hidden"),
    ("cell_not_bent", HIDDEN, "hidden = output_gate * cell"),
    ("old_cell_shown", CELL, "old = cell; " + CELL, HIDDEN, HIDDEN.replace("(cell)", "(old)")),
    ("no_output_gate", HIDDEN, "hidden = torch.tanh(cell)"),
    ("no_forget_gate", CELL, "cell = cell + input_gate * candidate"),
    ("no_input_gate", CELL, "cell = forget_gate * cell + candidate"),
    ("cell_not_kept", CELL, "cell = input_gate * candidate"),
    ("forget_inverted", CELL, CELL.replace("forget_gate", "(1 - forget_gate)")),
    ("forget_inverted", CELL, CELL.replace("forget_gate", "(1 - input_gate)")),
    ("candidate_sigmoid", GATES, GATES.replace("tanh(g)", "sigmoid(g)")),
    ("candidate_sigmoid", GATES, GATES.replace("torch.tanh(g)", "g")),
    ("past_ignored", CHUNKS, CHUNKS.replace(" + from_past", "")),
    ("no_bias", LSTM_PAST, "from_past = hidden @ self.weight_hh.T"),
    ("gradient_differs", CELL, CELL.replace("* cell", "* cell.detach()")),
    ("not_a_pair", PAIR, "return hidden"),
    ("weights", "rows = 4", "rows = 5"),
    ("not_a_parameter", BLOCKS, BLOCKS.replace("nn.Parameter", "")),
    ("no_start", "def initial_state", "def start"),
    ("start_not_zero", "return zeros, zeros", "return zeros, zeros + 1"),
    ("no_module", "class LSTMCell(GatedCell):", no_class("LSTMCell", "GatedCell")),
    ("shape", PAIR, "return hidden, cell[:, :1]"),
    ("different", HIDDEN, HIDDEN + " * 1.5"),
]  # fmt: skip

MIXED = "return update_gate * hidden + (1 - update_gate) * candidate"
CANDIDATE = "candidate = torch.tanh(from_input[2] + reset_gate * from_past[2])"
RESET = "reset_gate = torch.sigmoid(from_input[0] + from_past[0])"
UPDATE = "update_gate = torch.sigmoid(from_input[1] + from_past[1])"
GRU_PAST = "from_past = linear(hidden, self.weight_hh, self.bias_hh).chunk(3, dim=-1)"
PAPERS = (
    "candidate = torch.tanh(from_input[2] + linear(reset_gate * hidden, "
    "self.weight_hh.chunk(3)[2], self.bias_hh.chunk(3)[2]))"
)
GRUS = [
    ("gates_order", RESET, RESET.replace("[0]", "[8]"), UPDATE, UPDATE.replace("[1]", "[0]"),
     "[8]", "[1]"),
    ("update_inverted", MIXED, "return (1 - update_gate) * hidden + update_gate * candidate"),
    ("reset_before", CANDIDATE, PAPERS),
    ("reset_on_all", CANDIDATE,
     "candidate = torch.tanh(reset_gate * (from_input[2] + from_past[2]))"),
    ("no_reset_gate", CANDIDATE, "candidate = torch.tanh(from_input[2] + from_past[2])"),
    ("no_update_gate", MIXED, "return candidate"),
    ("candidate_sigmoid", CANDIDATE, CANDIDATE.replace("tanh", "sigmoid")),
    ("candidate_sigmoid", CANDIDATE, CANDIDATE.replace("torch.tanh", "")),
    ("past_ignored", GRU_PAST, "from_past = [torch.zeros_like(hidden)] * 3"),
    ("no_bias", GRU_PAST, GRU_PAST.replace(", self.bias_hh", "")),
    ("gradient_differs", MIXED, MIXED.replace("* hidden", "* hidden.detach()")),
    ("weights", "rows = 3", "rows = 4"),
    ("not_a_parameter", BLOCKS, BLOCKS.replace("nn.Parameter", "")),
    ("no_start", "def initial_state", "def start"),
    ("start_not_zero", ZEROS, ZEROS + " + 1"),
    ("no_module", "class GRUCell(GatedCell):", no_class("GRUCell", "GatedCell")),
    ("returned_nothing", MIXED, "pass"),
]  # fmt: skip


def edited(module, *replacements: str) -> dict:
    """A module's names with each first text replaced by the second."""
    source = inspect.getsource(module)
    for old, new in zip(replacements[::2], replacements[1::2], strict=True):
        assert old in source, f"the definition no longer holds {old!r}"
        source = source.replace(old, new)
    names: dict = {"__name__": "edited"}
    exec(source, names)
    return names


def numbered(edits: list) -> list:
    return [pytest.param(edit, id=f"{number}-{edit[0]}") for number, edit in enumerate(edits)]


def test_the_books_own_definitions_pass_and_say_on_what():
    for verdict, said in (
        (check_rnn(RNNCell), "9 random inputs"),
        (check_rnn(RNNCell, Unrolled), "below 1e-10"),
        (check_bidirectional(Bidirectional), "10 random inputs"),
        (check_bidirectional(Bidirectional, Stacked), "between layers"),
        (check_bptt(backpropagate_through_time), "4 random sequences"),
        (check_lstm(LSTMCell), "4 random inputs"),
        (check_gru(GRUCell), "4 random inputs"),
    ):
        assert verdict.passed, verdict
        assert said in verdict.hint


@pytest.mark.parametrize("edit", numbered(RNN_CELLS))
def test_a_broken_rnn_cell_is_told_what_broke_it(edit):
    verdict = check_rnn(edited(contextbook.recurrent.cells, *edit[1:])["RNNCell"])
    assert verdict.kind == edit[0], verdict


@pytest.mark.parametrize("edit", numbered(LAYERS))
def test_a_broken_layer_is_told_what_broke_it(edit):
    verdict = check_rnn(RNNCell, edited(contextbook.recurrent.layers, *edit[1:])["Unrolled"])
    assert verdict.kind == edit[0], verdict


@pytest.mark.parametrize("edit", numbered(BOTH_WAYS))
def test_broken_reading_both_ways_is_told_what_broke_it(edit):
    names = edited(contextbook.recurrent.layers, *edit[1:])
    verdict = check_bidirectional(names["Bidirectional"])
    assert verdict.kind == edit[0], verdict


@pytest.mark.parametrize("edit", numbered(STACKS))
def test_a_broken_stack_is_told_what_broke_it(edit):
    verdict = check_bidirectional(
        Bidirectional, edited(contextbook.recurrent.layers, *edit[1:])["Stacked"]
    )
    assert verdict.kind == edit[0], verdict


@pytest.mark.parametrize("edit", numbered(BPTTS))
def test_broken_gradients_are_told_what_broke_them(edit):
    names = edited(contextbook.recurrent.bptt, *edit[1:])
    verdict = check_bptt(names["backpropagate_through_time"])
    assert verdict.kind == edit[0], verdict


@pytest.mark.parametrize("edit", numbered(LSTMS))
def test_a_broken_lstm_is_told_what_broke_it(edit):
    verdict = check_lstm(edited(contextbook.recurrent.gated, *edit[1:])["LSTMCell"])
    assert verdict.kind == edit[0], verdict


@pytest.mark.parametrize("edit", numbered(GRUS))
def test_a_broken_gru_is_told_what_broke_it(edit):
    verdict = check_gru(edited(contextbook.recurrent.gated, *edit[1:])["GRUCell"])
    assert verdict.kind == edit[0], verdict


def test_an_edit_that_breaks_nothing_passes():
    short = edited(
        contextbook.recurrent.cells, ACTIVATED, "return torch.tanh(from_past + from_input)",
        "activation: Callable[[Tensor], Tensor] = torch.tanh,\n", "",
        "self.hidden_size, self.activation = hidden_size, activation",
        "self.hidden_size = hidden_size",
    )  # fmt: skip
    assert check_rnn(short["RNNCell"]).passed
    slope = edited(
        contextbook.recurrent.bptt,
        "(1 - hidden[t + 1] ** 2)",
        "(1 - hidden[t + 1]) * (1 + hidden[t + 1])",
    )
    assert check_bptt(slope["backpropagate_through_time"]).passed
    mixed = edited(
        contextbook.recurrent.gated, MIXED, "return candidate + update_gate * (hidden - candidate)"
    )
    assert check_gru(mixed["GRUCell"]).passed
    no_mask = edited(contextbook.recurrent.layers, BETWEEN, "if len(last_states) > 0:")
    assert check_bidirectional(no_mask["Bidirectional"], no_mask["Stacked"]).passed


def test_every_hint_is_given_to_some_edit():
    for name, edits in (
        ("rnn_referee", RNN_CELLS + LAYERS),
        ("bidirectional_referee", BOTH_WAYS + STACKS),
        ("bptt_referee", BPTTS),
        ("lstm_referee", LSTMS),
        ("gru_referee", GRUS),
    ):
        assert HINTS[name].keys() - {"passed"} <= {kind for kind, *_ in edits}, name


def test_verdicts_are_the_same_at_every_run():
    for check, definition in ((check_rnn, RNNCell), (check_bidirectional, Bidirectional)):
        assert repr(check(definition)) == repr(check(definition))
        assert check(definition)._repr_html_() == check(definition)._repr_html_()
