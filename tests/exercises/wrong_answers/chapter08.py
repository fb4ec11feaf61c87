"""Typical wrong answers to chapter 8's exercises, by the kind of hint that each must get."""

TABLE = """
def best_score(pair_scores, gap):
    m, n = len(pair_scores), len(pair_scores[0])
    table = [[0.0] * (n + 1) for _ in range(m + 1)]
    for i in range(m + 1):
        table[i][0] = EDGE * i
    for j in range(n + 1):
        table[0][j] = EDGE * j
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            table[i][j] = max(WAYS)
    return RETURNED
"""
PARTNERS = "table[i - 1][j - 1] + pair_scores[i - 1][j - 1]"


def body(head: str, returned: str, *lines: str) -> str:
    inside = "".join(f"    {line}\n" for line in (*lines, f"return {returned}"))
    return f"import torch\n\ndef {head}:\n{inside}"


def context(returned: str) -> str:
    return body("context_vector(weights, memory)", returned)


def real(returned: str, mask: str = "torch.arange(scores.shape[1]) < lengths[:, None]") -> str:
    lines = (f"real = {mask}", "low = float('-inf')")
    return body("real_weights(scores, lengths)", returned, *lines)


def additive(returned: str) -> str:
    lines = ("a, b = W @ state, memory @ U.T",)
    return body("additive_scores(state, memory, W, U, v)", returned, *lines)


def sharpened(returned: str, power: str = "1 / temperature") -> str:
    lines = (f"powers = weights ** ({power})",)
    return body("at_temperature(weights, temperature)", returned, *lines)


def crossed(returned: str, found: str = "[j for j in partners if j is not None]") -> str:
    lines = (
        f"f = {found}",
        "pairs = [(a, b) for k, a in enumerate(f) for b in f[k + 1:]]",
    )
    return body("crossings(partners)", returned, *lines)


def best(
    ways: str = f"{PARTNERS}, table[i - 1][j] + gap, table[i][j - 1] + gap",
    edge: str = "gap",
    returned: str = "table[m][n]",
) -> str:
    return TABLE.replace("WAYS", ways).replace("EDGE", edge).replace("RETURNED", returned)


WAYS = f"{PARTNERS}, table[i - 1][j] + gap, table[i][j - 1] + gap"
TAKEN_OFF = f"{PARTNERS}, table[i - 1][j] - gap, table[i][j - 1] - gap"
ANYWHERE = "max(max(row) for row in table)"
MASKED = "scores.masked_fill(~real, low)"
WRONG = {
    "context_vector": [
        ("weights_need_an_axis", context("(weights * memory).sum(dim=1)")),
        ("weighted_twice_divided", context("(weights[:, :, None] * memory).mean(dim=1)")),
        ("not_weighted", context("memory.mean(dim=1)")),
        ("all_added", context("memory.sum(dim=1)")),
        ("only_the_best", context("memory[torch.arange(len(weights)), weights.argmax(dim=1)]")),
        ("first_weights_for_all", context("weights[0] @ memory")),
        ("softmax_again", context("(weights.softmax(-1)[:, None] @ memory)[:, 0]")),
        ("shape", context("weights @ memory")),
        ("shape", context("weights[:, None] @ memory")),
    ],
    "real_weights": [
        ("not_masked", real("scores.softmax(dim=-1)")),
        ("masked_after", real("scores.softmax(dim=-1) * real")),
        ("set_to_zero", real("scores.masked_fill(~real, 0.0).softmax(dim=-1)")),
        ("set_to_zero", real("(scores * real).softmax(dim=-1)")),
        ("multiplied_away", real("(scores * real).softmax(dim=-1) * real")),
        ("inverted", real("scores.masked_fill(real, low).softmax(dim=-1)")),
        (
            "one_too_many",
            real(f"{MASKED}.softmax(-1)", "torch.arange(scores.shape[1]) <= lengths[:, None]"),
        ),
        (
            "one_too_few",
            real(f"{MASKED}.softmax(-1)", "torch.arange(scores.shape[1]) < lengths[:, None] - 1"),
        ),
        ("over_the_batch", real(f"{MASKED}.softmax(dim=0)")),
    ],
    "additive_scores": [
        ("no_tanh", additive("(a + b) @ v")),
        ("tanh_outside", additive("torch.tanh((a + b) @ v)")),
        ("tanh_apart", additive("(torch.tanh(a) + torch.tanh(b)) @ v")),
        ("state_left_out", additive("torch.tanh(b) @ v")),
        ("multiplied", additive("torch.tanh(a * b) @ v")),
        ("v_left_out", additive("torch.tanh(a + b).sum(dim=-1)")),
        ("already_weights", additive("(torch.tanh(a + b) @ v).softmax(dim=0)")),
        ("product_shapes", additive("torch.tanh(a + memory @ U) @ v")),
    ],
    "at_temperature": [
        ("unchanged", sharpened("weights")),
        ("unchanged", sharpened("weights / temperature / (weights / temperature).sum(-1, True)")),
        ("divided", sharpened("weights / temperature")),
        ("softmax_of_weights", sharpened("(weights / temperature).softmax(dim=-1)")),
        ("not_normalised", sharpened("powers")),
        ("wrong_power", sharpened("powers / powers.sum(-1, keepdim=True)", "temperature")),
        ("wrong_power_not_normalised", sharpened("powers", "temperature")),
        ("one_sum_for_all", sharpened("powers / powers.sum()")),
        ("sum_over_rows", sharpened("powers / powers.sum(dim=0, keepdim=True)")),
    ],
    "crossings": [
        ("none_compared", crossed("sum(b < a for a, b in pairs)", "partners")),
        ("equal_counted", crossed("sum(b <= a for a, b in pairs)")),
        ("neighbours_only", crossed("sum(b < a for a, b in zip(f, f[1:]))")),
        ("not_crossing", crossed("sum(b > a for a, b in pairs)")),
        ("counted_twice", crossed("2 * sum(b < a for a, b in pairs)")),
        (
            "none_taken_for_zero",
            crossed("sum(b < a for a, b in pairs)", "[j or 0 for j in partners]"),
        ),
        ("zero_left_out", crossed("sum(b < a for a, b in pairs)", "[j for j in partners if j]")),
        ("only_whether", crossed("int(any(b < a for a, b in pairs))")),
    ],
    "best_score": [
        ("outside_the_table", best(WAYS.replace("pair_scores[i - 1][j - 1]", "pair_scores[i][j]"))),
        ("edges_of_zero", best(edge="0.0")),
        ("gap_taken_off", best(TAKEN_OFF, edge="-gap")),
        ("gap_taken_off_inside", best(TAKEN_OFF)),
        ("no_diagonal", best(WAYS.replace(f"{PARTNERS}, ", ""))),
        ("never_below_zero", best(f"0.0, {WAYS}", edge="0.0")),
        ("best_anywhere", best(f"0.0, {WAYS}", edge="0.0", returned=ANYWHERE)),
        ("one_gap_only", best(f"{PARTNERS}, table[i - 1][j] + gap")),
        ("different", best(returned="table[m][n - 1]")),
    ],
}
