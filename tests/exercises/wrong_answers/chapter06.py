"""Typical wrong answers to chapter 6's exercises, by the kind of hint that each must get."""

HIDDEN = """
import torch

def lstm_hidden(x, hidden, cell, weight_ih, weight_hh, bias):
    sums = SUMS
    ORDER = sums.chunk(4, dim=-1)
    new = torch.sigmoid(f) * KEPT + torch.sigmoid(i) * CANDIDATE
    return RETURNED
"""
PATH = """
import torch

def path_gradient(forget_gates):
    later = START
    for t in reversed(range(len(forget_gates) - 1)):
        later[t] = STEP
    return RETURNED
"""


def cell(returned: str) -> str:
    return (
        "import torch\n\n"
        "def next_cell(cell, input_gate, forget_gate, candidate):\n"
        f"    return {returned}\n"
    )


def held(returned: str) -> str:
    return (
        "import torch\n\n"
        "def hold_last(write):\n"
        "    on = write.float()\n"
        "    off, all_on = 1 - on, torch.ones_like(on)\n"
        f"    return {returned}\n"
    )


def bias(returned: str) -> str:
    return (
        "from math import exp, log\n\n"
        "def bias_to_keep(share, steps):\n"
        "    gate = share ** (1 / steps)\n"
        f"    return {returned}\n"
    )


def rest(returned: str) -> str:
    return bias(returned).replace("gate = share", "gate = (1 - share)")


def hidden(
    returned: str = "torch.sigmoid(o) * torch.tanh(new)",
    order: str = "i, f, g, o",
    sums: str = "x @ weight_ih.T + hidden @ weight_hh.T + bias",
    kept: str = "cell",
    candidate: str = "torch.tanh(g)",
) -> str:
    source = HIDDEN.replace("RETURNED", returned).replace("ORDER", order).replace("SUMS", sums)
    return source.replace("KEPT", kept).replace("CANDIDATE", candidate)


def path(
    returned: str = "later",
    start: str = "torch.ones_like(forget_gates)",
    step: str = "later[t + 1] * forget_gates[t + 1]",
) -> str:
    return PATH.replace("RETURNED", returned).replace("START", start).replace("STEP", step)


def ready(returned: str) -> str:
    return f"import torch\n\ndef path_gradient(forget_gates):\n    return {returned}\n"


ONES = "torch.ones_like(forget_gates[:1])"
WRONG = {
    "next_cell": [
        ("gates_swapped", cell("input_gate * cell + forget_gate * candidate")),
        ("forgets_what_it_keeps", cell("(1 - forget_gate) * cell + input_gate * candidate")),
        ("one_dial", cell("forget_gate * cell + (1 - forget_gate) * candidate")),
        ("nothing_forgotten", cell("cell + input_gate * candidate")),
        ("written_whole", cell("forget_gate * cell + candidate")),
        ("only_kept", cell("forget_gate * cell")),
        ("only_written", cell("input_gate * candidate")),
        ("bent", cell("torch.tanh(forget_gate * cell + input_gate * candidate)")),
        ("different", cell("cell")),
        ("mutated", cell("cell.mul_(forget_gate).add_(input_gate * candidate)")),
        ("returned_nothing", cell("None")),
    ],
    "hold_last": [
        ("rows_swapped", held("torch.stack([off, on])")),
        ("forgets_when_idle", held("torch.stack([on, on])")),
        ("adds_up", held("torch.stack([on, all_on])")),
        ("always_writes", held("torch.stack([all_on, off])")),
        ("never_keeps", held("torch.stack([on, 0 * on])")),
        ("only_the_last", held("torch.stack([on * (on.flip(0).cumsum(0).flip(0) == 1), off])")),
        (
            "one_write_for_all",
            held("torch.stack([last := on * (on.flip(0).cumsum(0).flip(0) == 1), 1 - last])"),
        ),
        ("minus_of_booleans", held("torch.stack([on, (1 - write).float()])")),
        ("shape", held("torch.stack([on, off], dim=1)")),
        ("dtype", held("torch.stack([write, ~write])")),
        ("not_a_tensor", held("(on, off)")),
    ],
    "bias_to_keep": [
        ("gate_itself", bias("gate")),
        ("sigmoid_again", bias("1 / (1 + exp(-gate))")),
        ("one_step", bias("log(share / (1 - share))")),
        ("share_divided", bias("log(share / steps / (1 - share / steps))")),
        ("upside_down", bias("log((1 - gate) / gate)")),
        ("only_logarithm", bias("log(gate)")),
        ("root_of_bias", bias("log(share / (1 - share)) / steps")),
        ("always_half", bias("log(0.5 ** (1 / steps) / (1 - 0.5 ** (1 / steps)))")),
        ("leaves_the_rest", rest("log(gate / (1 - gate))")),
        ("share_lost_by_root", rest("log((1 - gate) / gate)")),
        ("logarithm_of_nothing", bias("log(gate / (gate - 1))")),
        ("different", bias("2 * log(gate / (1 - gate))")),
    ],
    "lstm_hidden": [
        ("order_of_rows", hidden(order="i, f, o, g")),
        ("forget_first", hidden(order="f, i, g, o")),
        ("forget_first_candidate_last", hidden(order="f, i, o, g")),
        ("cell_returned", hidden("new")),
        ("cell_not_bent", hidden("torch.sigmoid(o) * new")),
        ("old_cell_shown", hidden("torch.sigmoid(o) * torch.tanh(cell)")),
        ("all_shown", hidden("torch.tanh(new)")),
        ("candidate_by_sigmoid", hidden(candidate="torch.sigmoid(g)")),
        ("hidden_kept", hidden(kept="hidden")),
        ("no_bias", hidden(sums="x @ weight_ih.T + hidden @ weight_hh.T")),
        ("no_past", hidden(sums="x @ weight_ih.T + bias")),
        (
            "weights_not_transposed",
            hidden(sums="x @ weight_ih + hidden @ weight_hh + bias"),
        ),
        ("rows_of_the_batch_cut", hidden().replace("(4, dim=-1)", "(4)")),
        ("not_a_tensor", hidden("(torch.sigmoid(o) * torch.tanh(new), new)")),
        ("weights_not_transposed", hidden(sums="weight_ih @ x + weight_hh @ hidden + bias")),
        ("different", hidden("torch.sigmoid(o) + torch.tanh(new)")),
    ],
    "path_gradient": [
        ("own_gate_counted", ready("forget_gates.flip(0).cumprod(0).flip(0)")),
        ("forward", ready("forget_gates.cumprod(0)")),
        ("forward_shifted", ready(f"torch.cat([{ONES}, forget_gates.cumprod(0)[:-1]])")),
        ("not_turned_back", ready(f"torch.cat([{ONES}, forget_gates.flip(0).cumprod(0)[:-1]])")),
        ("next_gate_only", ready(f"torch.cat([forget_gates[1:], {ONES}])")),
        (
            "own_gate_and_one",
            ready(f"torch.cat([forget_gates.flip(0).cumprod(0).flip(0)[:-1], {ONES}])"),
        ),
        ("from_the_first", ready(f"torch.cat([{ONES}, forget_gates[1:].cumprod(0)])")),
        ("added", ready(f"torch.cat([forget_gates.flip(0).cumsum(0).flip(0)[1:], {ONES}])")),
        (
            "last_is_not_one",
            ready(
                "torch.cat([forget_gates.flip(0).cumprod(0).flip(0)[1:],"
                " torch.zeros_like(forget_gates[:1])])"
            ),
        ),
        ("shut_gate", ready("forget_gates.prod(0) / forget_gates.cumprod(0)")),
        ("different", path("later * 2")),
        ("shape", ready("forget_gates.prod(0)")),
    ],
}
