"""Typical wrong answers to chapter 4's exercises, by the kind of hint that each must get."""

READ = """
def read_both_ways(tokens, step, start):
    def read(sequence):
        states, state = [], start
        for token in sequence:
            state = step(state, token)
            states.append(state)
        return states

    ahead, back = read(tokens), read(tokens[::-1])[::-1]
    return RETURNED
"""
BEFORE = """
def read_both_ways(tokens, step, start):
    def read(sequence):
        states, state = [], start
        for token in sequence:
            states.append(state)
            state = step(state, token)
        return states

    return list(zip(read(tokens), read(tokens[::-1])[::-1]))
"""
REVERSE = """
def reverse_real(x, lengths):
    result = x.clone()
    for i, length in enumerate(lengths.tolist()):
        result[i, :length] = x[i, :length].flip(0)
    return result
"""
FEATURE = """
import torch
def sentence_feature(features, lengths):
    ahead, back = features.chunk(2, dim=-1)
    rows, last = torch.arange(len(features)), lengths - 1
    return RETURNED
"""
SIZE = """
def stack_size(inputs, hidden, layers, both_ways):
    readers = 2 if both_ways else 1
    total = 0
    for layer in range(layers):
        size = inputs if layer == 0 else readers * hidden
        total += readers * (hidden * size + hidden * hidden + 2 * hidden)
    return total
"""
FUTURE = """
import torch
def sees_future(layer, x):
    before = layer(x)
    for t in range(1, len(x)):
        changed = x.clone()
        changed[t:] += 1.0
        if not torch.allclose(layer(changed)[:t], before[:t], atol=1e-6):
            return True
    return False
"""
SWAPPED = FUTURE.replace("True", "None").replace("False", "True").replace("None", "False")
ROUNDED = """
import torch
def sees_future(layer, x):
    for t in range(1, len(x)):
        changed = x.double()
        changed[t:] += 1.0
        if not torch.equal(layer(changed)[:t].float(), layer(x)[:t]):
            return True
    return False
"""
BACK = """
import torch
def sees_future(layer, x):
    changed = x.clone()
    changed[0] += 1.0
    return not torch.allclose(layer(changed)[1:], layer(x)[1:])
"""


def read(returned: str) -> str:
    return READ.replace("RETURNED", returned)


def feature(returned: str) -> str:
    return FEATURE.replace("RETURNED", returned)


WRONG = {
    "read_both_ways": [
        ("not_in_place", read("list(zip(ahead, back[::-1]))")),
        ("both_ahead", read("list(zip(ahead, ahead))")),
        ("itself_left_out", BEFORE),
        ("back_without_itself", read("list(zip(ahead, [*back[1:], start]))")),
        ("swapped", read("list(zip(back, ahead))")),
        ("two_lists", read("(ahead, back)")),
        ("added", read("[one + other for one, other in zip(ahead, back)]")),
        ("length", read("list(zip(ahead, back[1:]))")),
        ("not_a_list", read("dict(zip(ahead, back))")),
        (
            "arguments_swapped",
            READ.replace("step(state, token)", "step(token, state)").replace(
                "RETURNED", "list(zip(ahead, back))"
            ),
        ),
        (
            "back_from_ahead",
            READ.replace("read(sequence):", "read(sequence, start=start):")
            .replace("read(tokens[::-1])", "read(tokens[::-1], read(tokens)[-1])")
            .replace("RETURNED", "list(zip(ahead, back))"),
        ),
        (
            "not_carried",
            READ.replace("state = step(state", "state = step(start").replace(
                "RETURNED", "list(zip(ahead, back))"
            ),
        ),
        ("pair", read("[(one, '') for one in ahead]")),
        ("returned_nothing", read("None")),
    ],
    "reverse_real": [
        ("filler_first", "def reverse_real(x, lengths):\n    return x.flip(1)\n"),
        ("batch_turned", "def reverse_real(x, lengths):\n    return x.flip(0)\n"),
        ("features_turned", "def reverse_real(x, lengths):\n    return x.flip(-1)\n"),
        ("features_turned_to_length", REVERSE.replace(".flip(0)", ".flip(1)")),
        ("negative_step", "def reverse_real(x, lengths):\n    return x[:, ::-1]\n"),
        ("unchanged", REVERSE.replace("result[i, :length] = ", "")),
        ("filler_dropped", "import torch\n" + REVERSE.replace("x.clone()", "torch.zeros_like(x)")),
        ("one_too_few", REVERSE.replace("lengths.tolist()", "(lengths - 1).tolist()")),
        ("one_length", REVERSE.replace("lengths.tolist()", "[int(lengths.min())] * len(x)")),
        ("first_length", REVERSE.replace("lengths.tolist()", "[int(lengths[0])] * len(x)")),
        ("mutated", REVERSE.replace("x.clone()", "x")),
        ("shape", REVERSE.replace("return result", "return result[0]")),
    ],
    "sentence_feature": [
        ("both_at_last", feature("features[rows, last]")),
        ("both_at_end", feature("features[:, -1]")),
        ("both_at_first", feature("features[:, 0]")),
        ("lengths_ignored", feature("torch.cat([ahead[:, -1], back[:, 0]], -1)")),
        ("ends_swapped", feature("torch.cat([ahead[:, 0], back[rows, last]], -1)")),
        ("halves_swapped", feature("torch.cat([back[:, 0], ahead[rows, last]], -1)")),
        ("one_too_far", feature("torch.cat([ahead[rows, lengths % 5], back[:, 0]], -1)")),
        (
            "mean",
            "import torch\ndef sentence_feature(features, lengths):\n"
            "    pairs = zip(features, lengths.tolist())\n"
            "    return torch.stack([f[:n].mean(0) for f, n in pairs])\n",
        ),
        ("one_too_far", feature("torch.cat([ahead[rows, lengths], back[:, 0]], -1)")),
        (
            "one_too_far_if_any",
            feature("torch.cat([ahead[rows, lengths.clamp(max=4)], back[:, 0]], -1)"),
        ),
        ("wrong_halves", feature("torch.cat([back[rows, last], ahead[:, 0]], -1)")),
        ("steps_of_all", feature("torch.cat([ahead[:, last], back[:, 0]], -1)")),
        ("mean_with_filler", feature("features.mean(1)")),
        ("shape", feature("ahead[rows, last]")),
    ],
    "stack_size": [
        ("upper_inputs", SIZE.replace("inputs if layer == 0 else readers * hidden", "inputs")),
        ("upper_not_joined", SIZE.replace("else readers * hidden", "else hidden")),
        ("one_bias", SIZE.replace("2 * hidden)", "hidden)")),
        ("no_bias", SIZE.replace(" + 2 * hidden)", ")")),
        ("one_reader", SIZE.replace("total += readers * ", "total += ")),
        ("one_way_only", SIZE.replace("2 if both_ways else 1", "1")),
        ("one_layer", SIZE.replace("range(layers)", "range(1)")),
        ("state_joined", SIZE.replace("hidden * hidden", "hidden * readers * hidden")),
        ("no_state", SIZE.replace(" + hidden * hidden", "")),
        ("not_a_number", SIZE.replace("return total", "return [total]")),
    ],
    "sees_future": [
        ("inverted", SWAPPED),
        ("always_yes", "def sees_future(layer, x):\n    return True\n"),
        ("later_outputs", FUTURE.replace("[:t]", "")),
        ("always_no", FUTURE.replace("layer(changed)", "layer(x)")),
        ("own_place", FUTURE.replace("[:t]", "[: t + 1]")),
        ("first_output", FUTURE.replace("[:t]", "[:1]")),
        ("last_input", FUTURE.replace("range(1, len(x))", "[len(x) - 1]")),
        ("one_place", FUTURE.replace("range(1, len(x))", "[len(x) // 2]")),
        ("missed", FUTURE.replace("changed[t:] +=", "changed[t:, 0] +=")),
        ("inverted_too", SWAPPED.replace("range(1, len(x))", "[len(x) - 1]")),
        ("second_input", FUTURE.replace("range(1, len(x))", "[1]").replace("[t:] +=", "[1] +=")),
        ("earlier_input", BACK),
        (
            "earlier_inputs",
            FUTURE.replace("[t:] +=", "[t - 1] +=").replace("[:t]", "[t:]"),
        ),
        ("suspected", ROUNDED),
        ("not_a_bool", FUTURE.replace("return True", "return 'yes'")),
    ],
}
