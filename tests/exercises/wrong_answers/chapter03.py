"""Typical wrong answers to chapter 3's exercises, by the kind of hint that each must get."""

PAIRS = """
def ngram_probability(sentences, before, token):
    pairs = [pair for words in sentences for pair in zip(words, words[1:])]
    words = [word for words in sentences for word in words]
    after = [second for first, second in pairs if first == before]
    if not after:
        return 0.0
    return RETURNED
"""
STEP = "import torch\ndef rnn_step(x, h, w_ih, w_hh, b):\n    return {}\n"
READ = """
def read(step, xs, h0):
    states, h = [], h0
    for x in xs:
        h = step(x, h)
        states.append(h)
    return RETURNED
"""
TRACE = """
import torch
def trace_of_change(step, xs, ys, h0):
    first, second, h, k = [], [], h0, h0
    for x, y in zip(xs, ys):
        h, k = step(x, h), step(y, k)
        first.append(h)
        second.append(k)
    gap = torch.stack(first) - torch.stack(second)
    return RETURNED
"""


def pairs(returned: str) -> str:
    return PAIRS.replace("RETURNED", returned)


def reading(returned: str, change: tuple[str, str] = ("", "")) -> str:
    return READ.replace("RETURNED", returned).replace(*change)


def trace(returned: str) -> str:
    return TRACE.replace("RETURNED", returned)


def count(returned: str) -> str:
    return f"def parameter_count(input_size, hidden_size, steps):\n    return {returned}\n"


def last(returned: str) -> str:
    return f"import torch\ndef last_real_state(states, lengths):\n    return {returned}\n"


STACKED = "torch.stack(states)"

WRONG = {
    "ngram_probability": [
        ("not_divided", pairs("after.count(token)")),
        ("divided_by_all", pairs("after.count(token) / len(pairs)")),
        ("last_counted", pairs("after.count(token) / words.count(before)")),
        ("token_frequency", pairs("words.count(token) / len(words)")),
        (
            "other_way",
            "def ngram_probability(sentences, before, token):\n"
            "    pairs = [p for words in sentences for p in zip(words, words[1:])]\n"
            "    ahead = [first for first, second in pairs if second == before]\n"
            "    return ahead.count(token) / len(ahead) if ahead else 0.0\n",
        ),
        (
            "roles_swapped",
            "def ngram_probability(sentences, before, token):\n"
            "    pairs = [p for words in sentences for p in zip(words, words[1:])]\n"
            "    ahead = [first for first, second in pairs if second == token]\n"
            "    return ahead.count(before) / len(ahead) if ahead else 0.0\n",
        ),
        (
            "across_sentences",
            "def ngram_probability(sentences, before, token):\n"
            "    words = sum(sentences, [])\n"
            "    after = [b for a, b in zip(words, words[1:]) if a == before]\n"
            "    return after.count(token) / len(after) if after else 0.0\n",
        ),
        (
            "once_a_sentence",
            "def ngram_probability(sentences, before, token):\n"
            "    own = [list(zip(words, words[1:])) for words in sentences]\n"
            "    with_both = sum((before, token) in pairs for pairs in own)\n"
            "    with_one = sum(any(a == before for a, _ in pairs) for pairs in own)\n"
            "    return with_both / with_one if with_one else 0.0\n",
        ),
        (
            "never_seen",
            pairs("after.count(token) / len(after)")
            .replace("    if not after:\n", "")
            .replace("        return 0.0\n", ""),
        ),
        (
            "never_seen",
            pairs("after.count(token) / len(after)").replace("return 0.0", "return 1e-9"),
        ),
        ("not_a_number", pairs("after")),
        ("different", pairs("0.5")),
    ],
    "rnn_step": [
        ("no_activation", STEP.format("w_ih @ x + w_hh @ h + b")),
        ("no_bias", STEP.format("torch.tanh(w_ih @ x + w_hh @ h)")),
        ("no_past", STEP.format("torch.tanh(w_ih @ x + b)")),
        ("no_input", STEP.format("torch.tanh(w_hh @ h + b)")),
        ("bent_apart", STEP.format("torch.tanh(w_ih @ x) + torch.tanh(w_hh @ h + b)")),
        ("bent_with_bias", STEP.format("torch.tanh(w_ih @ x + b) + torch.tanh(w_hh @ h)")),
        ("each_bent", STEP.format("torch.tanh(w_ih @ x) + torch.tanh(w_hh @ h) + b")),
        ("past_bent_first", STEP.format("torch.tanh(w_ih @ x + torch.tanh(w_hh @ h) + b)")),
        ("bias_twice", STEP.format("torch.tanh(w_ih @ x + b + w_hh @ h + b)")),
        ("math_tanh", "import math\n" + STEP.format("math.tanh(w_ih @ x + w_hh @ h + b)")),
        ("bias_outside", STEP.format("torch.tanh(w_ih @ x + w_hh @ h) + b")),
        ("sigmoid", STEP.format("torch.sigmoid(w_ih @ x + w_hh @ h + b)")),
        ("kept", STEP.format("h + torch.tanh(w_ih @ x + w_hh @ h + b)")),
        ("transposed", STEP.format("torch.tanh(w_ih @ x + h @ w_hh + b)")),
        ("transposed", STEP.format("torch.tanh(w_ih @ x + w_hh.T @ h + b)")),
        ("matrix_last", STEP.format("torch.tanh(x @ w_ih + h @ w_hh + b)")),
        ("matrix_last", STEP.format("torch.tanh(x[None] @ w_ih + w_hh @ h + b)[0]")),
        ("sizes_differ", STEP.format("torch.tanh(w_ih @ x + w_hh @ h + b + x)")),
        ("not_differentiable", STEP.format("torch.tanh(w_ih @ x + w_hh @ h + b).detach()")),
        ("shape", STEP.format("torch.tanh(w_ih @ x + w_hh @ h + b)[None]")),
        ("different", STEP.format("torch.tanh(2 * (w_ih @ x) + w_hh @ h + b)")),
    ],
    "read": [
        ("with_start", reading(STACKED, ("[], h0", "[h0], h0"))),
        ("only_last", reading("h")),
        ("not_handed_on", reading(STACKED, ("step(x, h)", "step(x, h0)"))),
        ("backwards", reading(STACKED, ("in xs:", "in xs.flip(0):"))),
        ("last_first", reading("torch.stack(states[::-1])")),
        (
            "same_state",
            "import torch\ndef read(step, xs, h0):\n"
            "    states, h = [], h0.clone()\n"
            "    for x in xs:\n        h[:] = step(x, h)\n        states.append(h)\n"
            "    return torch.stack(states)\n",
        ),
        (
            "one_behind",
            "import torch\ndef read(step, xs, h0):\n"
            "    states, h = [], h0\n"
            "    for x in xs:\n        states.append(h)\n        h = step(x, h)\n"
            "    return torch.stack(states)\n",
        ),
        ("swapped", reading(STACKED, ("step(x, h)", "step(h, x)"))),
        ("from_zeros", "import torch\n" + reading(STACKED, ("[], h0", "[], torch.zeros_like(h0)"))),
        ("list", reading("states")),
        ("list", reading("tuple(states)")),
        ("with_last", reading(f"{STACKED}, h")),
        ("not_stacked", reading("torch.tensor(states)")),
        ("joined_end_to_end", reading("torch.cat(states)")),
        ("shape", reading(f"{STACKED}[None]")),
        ("mutated", reading(STACKED, ("in xs:", "in xs.mul_(1.5):"))),
    ],
    "parameter_count": [
        (
            "times_steps",
            count("steps * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)"),
        ),
        ("one_bias", count("hidden_size * (input_size + hidden_size + 1)")),
        ("with_start_state", count("hidden_size * (input_size + hidden_size + 3)")),
        ("bias_size", count("hidden_size * (input_size + hidden_size + 1) + input_size")),
        ("no_bias", count("hidden_size * (input_size + hidden_size)")),
        ("no_recurrence", count("hidden_size * (input_size + 2)")),
        ("vector_recurrence", count("hidden_size * (input_size + 3)")),
        ("square_input", count("input_size ** 2 + hidden_size ** 2 + 2 * hidden_size")),
        ("different", count("hidden_size")),
    ],
    "last_real_state": [
        ("last_column", last("states[:, -1]")),
        ("one_too_far", last("states[torch.arange(len(lengths)), lengths]")),
        ("first", last("states[:, 0]")),
        ("mean", last("states.mean(1)")),
        (
            "mean_real",
            last("torch.stack([s[:n].mean(0) for s, n in zip(states, lengths.tolist())])"),
        ),
        ("all_pairs", last("states[:, lengths - 1]")),
        (
            "axis_lost",
            last(
                "states.gather(1, (lengths - 1)[:, None, None]"
                ".expand(-1, 1, states.shape[-1])).squeeze()"
            ),
        ),
        ("rows_picked", last("states[lengths - 1]")),
        (
            "not_stacked",
            last("torch.tensor([s[n - 1] for s, n in zip(states, lengths.tolist())])"),
        ),
        ("list", last("[s[n - 1] for s, n in zip(states, lengths.tolist())]")),
        ("shape", last("states[torch.arange(len(lengths)), lengths - 1].T")),
    ],
    "trace_of_change": [
        ("squared", trace("gap.pow(2).sum(-1)")),
        ("mean_absolute", trace("gap.abs().mean(-1)")),
        ("sum_absolute", trace("gap.abs().sum(-1)")),
        (
            "lengths_compared",
            trace("(torch.stack(first).norm(dim=-1) - torch.stack(second).norm(dim=-1)).abs()"),
        ),
        (
            "inputs_compared",
            "def trace_of_change(step, xs, ys, h0):\n    return (xs - ys).norm(dim=-1)\n",
        ),
        (
            "not_handed_on",
            trace("gap.norm(dim=-1)").replace("step(x, h), step(y, k)", "step(x, h0), step(y, h0)"),
        ),
        (
            "one_state",
            "import torch\ndef trace_of_change(step, xs, ys, h0):\n"
            "    gaps, h = [], h0\n"
            "    for x, y in zip(xs, ys):\n"
            "        first = step(x, h)\n"
            "        h = step(y, first)\n"
            "        gaps.append((first - h).norm())\n"
            "    return torch.stack(gaps)\n",
        ),
        ("one_number", trace("gap.norm()")),
        (
            "lengths_subtracted",
            trace("torch.stack(first).norm(dim=-1) - torch.stack(second).norm(dim=-1)"),
        ),
        (
            "start_carried",
            "import torch\ndef trace_of_change(step, xs, ys, h0):\n"
            "    def states(sequence, h):\n"
            "        found = []\n"
            "        for x in sequence:\n            h = step(x, h)\n            found.append(h)\n"
            "        return torch.stack(found)\n"
            "    first = states(xs, h0)\n"
            "    return (first - states(ys, first[-1])).norm(dim=-1)\n",
        ),
        ("no_norm", trace("gap.abs()")),
        ("over_time", trace("gap.norm(dim=0)")),
        ("list", trace("gap.norm(dim=-1).tolist()")),
        ("list", trace("list(gap.norm(dim=-1))")),
        ("different", trace("2 * gap.norm(dim=-1)")),
    ],
}
