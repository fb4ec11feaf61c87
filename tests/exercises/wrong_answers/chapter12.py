"""Typical wrong answers to chapter 12's exercises, by the kind of hint that each must get."""

REACH = """
def layers_to_reach(distance, kernel, dilated):
    step = STEP
    layers = reach = 0
    while reach < distance:
        reach += step * 2**layers if dilated else step
        layers += 1
    return layers
"""
LOG = """
import math

def layers_to_reach(distance, kernel, dilated):
    layers = math.log2(distance / (kernel - 1) + 1) if dilated else distance / (kernel - 1)
    return RETURNED
"""
LAST = """
def layers_to_reach(distance, kernel, dilated):
    layers = 1
    while (kernel - 1) * (2 ** (layers - 1) if dilated else layers) < distance:
        layers += 1
    return layers
"""
WITHOUT = """
def without_key(scores, key):
    scores, free = scores.clone(), scores.softmax(-1)
    CHANGE
    return RETURNED
"""
WRITE = """
def write_on(model, tokens, count):
    start = tokens
    for _ in range(count):
        best = CHOSEN
        tokens = torch.cat([tokens, best], dim=1)
    return tokens
"""
MISLEADING = """
def misleading(weights, cue, right, without):
    pointed = weights.argmax(dim=-1) == cue
    idle = without > right - 0.01
    return RETURNED
"""


def reach(step: str) -> str:
    return REACH.replace("STEP", step)


def log(returned: str) -> str:
    return LOG.replace("RETURNED", returned)


def products(returned: str) -> str:
    return (
        "def attention_products(length, d_model):\n"
        f"    t, d = length, d_model\n    return {returned}\n"
    )


def table(returned: str) -> str:
    return (
        "def table_bytes(batch, layers, heads, length):\n"
        f"    b, n, h, t = batch, layers, heads, length\n    return {returned}\n"
    )


def without(change: str, returned: str) -> str:
    return WITHOUT.replace("CHANGE", change).replace("RETURNED", returned)


def write(chosen: str) -> str:
    return WRITE.replace("CHOSEN", chosen)


def misled(returned: str) -> str:
    return MISLEADING.replace("RETURNED", returned)


LIKELIEST = "model(tokens)[:, -1].argmax(-1, keepdim=True)"
BLOCKED = "scores[:, key] = -torch.inf"

WRONG = {
    "layers_to_reach": [
        ("itself_counted", reach("kernel")),
        ("rounded_down", log("int(layers)")),
        ("not_rounded", log("layers")),
        ("never_dilated", reach("kernel - 1").replace("if dilated", "if False")),
        ("always_dilated", reach("kernel - 1").replace("if dilated", "if True")),
        ("last_layer_only", LAST),
    ],
    "attention_products": [
        ("pairs_only", products("2 * t * t * d")),
        ("projections_only", products("4 * t * d * d")),
        ("values_not_mixed", products("4 * t * d * d + t * t * d")),
        ("no_output", products("3 * t * d * d + 2 * t * t * d")),
        ("products_and_sums", products("8 * t * d * d + 4 * t * t * d")),
        ("pairs_without_width", products("4 * t * d * d + 2 * t * t")),
    ],
    "table_bytes": [
        ("numbers", table("b * n * h * t * t")),
        ("bits", table("32 * b * n * h * t * t")),
        ("one_row", table("4 * b * n * h * t")),
        ("one_head", table("4 * b * n * t * t")),
        ("one_layer", table("4 * b * h * t * t")),
        ("one_sentence", table("4 * n * h * t * t")),
        ("lower_half", table("4 * b * n * h * t * (t + 1) // 2")),
    ],
    "without_key": [
        ("not_shared_out", without("free[:, key] = 0", "free")),
        ("score_of_zero", without("scores[:, key] = 0", "scores.softmax(-1)")),
        ("nothing_blocked", without("pass", "free")),
        ("not_softmaxed", without(BLOCKED, "scores")),
        ("query_blocked", without("scores[key % 3] = -torch.inf", "scores.softmax(-1)")),
        ("over_queries", without(BLOCKED, "scores.softmax(0)")),
        ("mutated", without(BLOCKED, "scores.softmax(-1)").replace(".clone()", "")),
    ],
    "write_on": [
        ("first_place", write(LIKELIEST.replace("-1]", "0]"))),
        ("forgetful", write(LIKELIEST.replace("(tokens)", "(tokens[:, -1:])"))),
        ("least_likely", write(LIKELIEST.replace("argmax", "argmin"))),
        ("never_read_again", write(LIKELIEST.replace("(tokens)", "(start)"))),
        ("in_front", write(LIKELIEST).replace("return tokens", "return tokens.roll(count, 1)")),
        ("shape", write(LIKELIEST).replace("return tokens", "return tokens[:, -count:]")),
    ],
    "misleading": [
        ("map_only", misled("pointed")),
        ("ablation_only", misled("idle")),
        ("needed", misled("pointed & ~idle")),
        ("better_is_no_fall", misled("pointed & ((right - without).abs() < 0.01)")),
        ("more_than_half", misled("(weights[:, cue] > 0.5) & idle")),
        ("opposite", misled("~(pointed & idle)")),
        ("dtype", misled("(pointed & idle).float()")),
    ],
}
