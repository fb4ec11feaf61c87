"""Typical wrong answers to chapter 9's exercises, by the kind of hint that each must get."""

SOFT = """
def soft_lookup(entries, question, similarity):
    weights = {key: exp(similarity(question, key)) for key in entries}
    mixed = sum(weights[key] * value for key, value in entries.items())
    return RETURNED
"""
CAUSAL = """
def causal_weights(scores):
    past = torch.ones(scores.shape[-1], scores.shape[-1], dtype=torch.bool).tril()
    return RETURNED
"""
ATTENTION = """
def self_attention(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    return RETURNED
"""


def soft(returned: str) -> str:
    return SOFT.replace("RETURNED", returned)


def causal(returned: str) -> str:
    return CAUSAL.replace("RETURNED", returned)


def attention(returned: str) -> str:
    return ATTENTION.replace("RETURNED", returned)


def scale(returned: str) -> str:
    return f"def score_scale(d_k, a, b):\n    return {returned}\n"


def by_length(lengths: str) -> str:
    return (
        "import torch\ndef key_mask(ids, padding):\n"
        f"    return torch.arange(ids.shape[1]) < ({lengths})[:, None]\n"
    )


def equivariant(returned: str) -> str:
    return f"def is_equivariant(layer, x, order):\n    return {returned}\n"


WRONG = {
    "soft_lookup": [
        ("hard", soft("entries[max(weights, key=weights.get)]")),
        ("not_divided", soft("mixed")),
        ("divided_by_count", soft("mixed / len(entries)")),
        ("no_weights", soft("sum(entries.values()) / len(entries)")),
        (
            "no_exponential",
            soft("mixed / sum(weights.values())").replace("exp(", "("),
        ),
        (
            "swapped",
            soft("mixed / sum(weights.values())").replace("(question, key))", "(key, question))"),
        ),
        (
            "items_forgotten",
            soft("mixed / sum(weights.values())").replace("entries.items()", "entries"),
        ),
        ("not_a_number", soft("weights")),
        ("different", soft("2 * mixed / sum(weights.values())")),
        ("raised", soft("mixed / weights")),
    ],
    "key_mask": [
        ("inverted", "def key_mask(ids, padding):\n    return ids == padding\n"),
        ("always_zero", "def key_mask(ids, padding):\n    return ids != 0\n"),
        ("by_length", by_length("(ids != padding).sum(-1)")),
        ("by_length", by_length("torch.tensor([sum(row != padding) for row in ids])")),
        (
            "up_to_the_first",
            "def key_mask(ids, padding):\n    return (ids != padding).cumprod(-1).bool()\n",
        ),
        ("not_boolean", "def key_mask(ids, padding):\n    return (ids != padding).float()\n"),
        ("shape", "def key_mask(ids, padding):\n    return (ids != padding)[:, None]\n"),
        ("not_a_tensor", "def key_mask(ids, padding):\n    return ids.tolist() != padding\n"),
        ("returned_nothing", "def key_mask(ids, padding):\n    mask = ids != padding\n"),
        (
            "mutated",
            "def key_mask(ids, padding):\n    ids[0] = padding\n    return ids != padding\n",
        ),
    ],
    "causal_weights": [
        ("no_mask", causal("scores.softmax(-1)")),
        ("mask_after_softmax", causal("scores.softmax(-1) * past")),
        ("mask_after_softmax", causal("scores.softmax(-1).masked_fill(~past, 0)")),
        ("inverted", causal("scores.masked_fill(~past.T, float('-inf')).softmax(-1)")),
        ("inverted_strict", causal("scores.masked_fill(past, -1e9).softmax(-1)")),
        ("inverted_strict", causal("scores.masked_fill(past, float('-inf')).softmax(-1)")),
        ("without_itself", causal("scores.masked_fill(~past.tril(-1), -1e9).softmax(-1)")),
        ("without_itself", causal("scores.masked_fill(~past.tril(-1), -torch.inf).softmax(-1)")),
        ("scores_set_to_zero", causal("(scores * past).softmax(-1)")),
        ("scores_set_to_zero", causal("scores.tril().softmax(-1)")),
        ("wrong_axis", causal("scores.masked_fill(~past, float('-inf')).softmax(-2)")),
        ("wrong_axis_after", causal("scores.softmax(-2) * past")),
        ("no_softmax", causal("scores * past")),
        ("no_softmax", causal("scores.masked_fill(~past, -torch.inf)")),
        ("sum_of_all", causal("(scores.exp() * past) / (scores.exp() * past).sum()")),
        ("no_keepdim", causal("(scores.exp() * past) / (scores.exp() * past).sum(-1)")),
        ("not_divided", causal("scores.exp() * past")),
        (
            "overflow",
            causal("(scores.exp() * past) / (scores.exp() * past).sum(-1, keepdim=True)"),
        ),
        (
            "overflow",  # the largest score of all is not that of each row
            causal(
                "(e := (scores - scores.max()).exp() * past) / e.sum(-1, keepdim=True)",
            ),
        ),
        (
            "overflow",
            causal(
                "((e := scores.exp() * past) / e.sum(-1, keepdim=True)).nan_to_num()",
            ),
        ),
        (
            "leading_axes",
            causal("scores.masked_fill(~past, -torch.inf).softmax(-1)").replace("-1]", "0]"),
        ),
        ("leading_axes", causal("scores.masked_fill(~past, -torch.inf).softmax(1)")),
        (
            "leading_axes",
            "def causal_weights(scores):\n"
            "    scores = scores.clone()\n"
            "    for i in range(scores.shape[0]):\n"
            "        scores[i, i + 1 :] = -torch.inf\n"
            "    return scores.softmax(-1)\n",
        ),
        ("not_finite", causal("scores.masked_fill(~past, -torch.inf).softmax(-1) / 0")),
        ("product_shapes", causal("scores.softmax(-1) @ past[:2].float()")),
        ("sizes_differ", causal("scores.softmax(-1) * past[:3]")),
        ("different", causal("(scores * 2).masked_fill(~past, -1e9).softmax(-1)")),
        ("fill_too_high", causal("scores.masked_fill(~past, -1000.0).softmax(-1)")),
        ("mutated", causal("scores.masked_fill_(~past, float('-inf')).softmax(-1)")),
        (
            "not_differentiable",
            causal("scores.detach().masked_fill(~past, float('-inf')).softmax(-1)"),
        ),
        ("shape", causal("scores.masked_fill(~past, float('-inf')).softmax(-1)[..., 0]")),
        ("dtype", causal("(scores.masked_fill(~past, -1e9).softmax(-1) * 100).long()")),
    ],
    "score_scale": [
        ("variances_ignored", scale("d_k ** -0.5")),
        ("no_root", scale("1 / (d_k * a * b)")),
        ("upside_down", scale("(d_k * a * b) ** 0.5")),
        ("upside_down_no_root", scale("d_k * a * b")),
        ("variance_as_deviation", scale("1 / (d_k ** 0.5 * a * b)")),
        ("width_without_root", scale("1 / (d_k * (a * b) ** 0.5)")),
        ("variances_above", scale("(a * b / d_k) ** 0.5")),
        ("only_query_variance", scale("(d_k * a) ** -0.5")),
        ("only_key_variance", scale("(d_k * b) ** -0.5")),
        ("different", scale("d_k * a + b")),
        ("added", scale("(d_k * (a + b)) ** -0.5")),
        ("no_width", scale("(a * b) ** -0.5")),
        ("not_a_number", scale("f'1/√{d_k * a * b}'")),
        ("not_finite", scale("float('inf')")),
    ],
    "self_attention": [
        ("no_scale", attention("(query @ key.T).softmax(-1) @ value")),
        ("scaled_by_d_k", attention("(query @ key.T / key.shape[-1]).softmax(-1) @ value")),
        ("scaled_by_model", attention("(query @ key.T / x.shape[-1] ** 0.5).softmax(-1) @ value")),
        ("scaled_by_tokens", attention("(query @ key.T / len(key) ** 0.5).softmax(-1) @ value")),
        ("multiplied", attention("(query @ key.T * key.shape[-1] ** 0.5).softmax(-1) @ value")),
        ("wrong_axis", attention("(query @ key.T / 2).softmax(0) @ value")),
        ("roles_swapped", attention("(key @ query.T / 2).softmax(-1) @ value")),
        ("value_not_projected", attention("(query @ key.T / 2).softmax(-1) @ x")),
        ("key_as_query", attention("(key @ key.T / 2).softmax(-1) @ value")),
        ("query_as_key", attention("(query @ query.T / 2).softmax(-1) @ value")),
        ("nothing_projected", attention("(x @ x.T / 6 ** 0.5).softmax(-1) @ x")),
        ("no_softmax", attention("query @ key.T / 2 @ value")),
        (
            "sum_of_all",
            attention("(e := (query @ key.T / 2).exp()) / e.sum() @ value"),
        ),
        ("no_keepdim", attention("(e := (query @ key.T / 2).exp()) / e.sum(-1) @ value")),
        ("not_divided", attention("(query @ key.T / 2).exp() @ value")),
        ("key_not_transposed", attention("(query @ key / 2).softmax(-1) @ value")),
        ("queries_not_rows", attention("(query.T @ key / 2).softmax(-1) @ value")),
        ("matrix_first", attention("value").replace("x @ w_query", "w_query @ x")),
        ("matrix_first", attention("value").replace("x @ w_query", "w_query.T @ x")),
        ("matrix_first", attention("value").replace("x @ w_value", "w_value @ x")),
        (
            "matrix_transposed",
            attention("value").replace("x @ w_key", "torch.nn.functional.linear(x, w_key)"),
        ),
        ("product_shapes", attention("(query @ key.T) @ value.T")),
        ("sizes_differ", attention("query + value")),
        ("not_a_tensor", attention("value, query")),
        ("shape", attention("(query @ key.T / 2).softmax(-1)")),
        ("not_differentiable", attention("((query @ key.T / 2).softmax(-1) @ value).detach()")),
        ("different", attention("(query @ key.T / 2).softmax(-1) @ value + 1")),
    ],
    "is_equivariant": [
        (
            "outputs_not_shuffled",
            equivariant("torch.allclose(layer(x[order]), layer(x), atol=1e-5)"),
        ),
        (
            "shuffled_twice",
            equivariant("torch.allclose(layer(x[order])[order], layer(x), atol=1e-5)"),
        ),
        ("exact", equivariant("torch.equal(layer(x[order]), layer(x)[order])")),
        ("always_yes", equivariant("True")),
        ("always_no", equivariant("False")),
        (
            "inverted",
            equivariant("not torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)"),
        ),
        ("not_a_bool", equivariant("layer(x[order]) == layer(x)[order]")),
        (
            "wrong_for_attention",
            equivariant("torch.equal(layer(x[:1]), layer(x)[:1])"),
        ),
        (
            "wrong_for_causal",
            equivariant("not torch.equal(layer(x), x + torch.arange(6)[:, None])"),
        ),
        (
            "wrong_for_positions",
            equivariant(
                "torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)"
                " or torch.equal(layer(x), x + torch.arange(6)[:, None])"
            ),
        ),
        (
            "wrong_for_rounding",
            equivariant(
                "torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)"
                " and not torch.allclose(layer(x) - x, (layer(x) - x)[:1], atol=1e-5)"
            ),
        ),
        (
            "wrong_for_token_by_token",
            equivariant(
                "torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)"
                " and not torch.allclose(layer(x[:1]), layer(x)[:1])"
            ),
        ),
        (
            "wrong_for_mean",
            equivariant(
                "torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)"
                " and not torch.equal(layer(x)[0], layer(x)[-1])"
            ),
        ),
        (
            "wrong_for_first",
            equivariant(
                "torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)"
                " or torch.equal(layer(x)[0], layer(x)[-1])"
            ),
        ),
    ],
}
