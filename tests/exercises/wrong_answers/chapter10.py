"""Typical wrong answers to chapter 10's exercises, by the kind of hint that each must get."""

PARTS = """
def head_parts(answers, w_output):
    heads, time, d_head = answers.shape
    return RETURNED
"""
WHOLE = """
def multi_head(x, w_query, w_key, w_value, w_output, heads):
    time, d_model = x.shape
    d_head = d_model // heads
    cut = lambda y: CUT
    query, key, value = cut(x @ w_query), cut(x @ w_key), cut(x @ w_value)
    weights = torch.softmax(query @ key.transpose(-2, -1) / SCALE, dim=-1)
    return RETURNED
"""
CUT = "y.reshape(time, heads, d_head).transpose(0, 1)"
JOINED = "(weights @ value).transpose(0, 1).reshape(time, d_model)"


def split(returned: str) -> str:
    return (
        "def split_heads(x, heads):\n    batch, time, d_model = x.shape\n"
        f"    d_head = d_model // heads\n    return {returned}\n"
    )


def join(returned: str) -> str:
    return f"def join_heads(x):\n    batch, heads, time, d_head = x.shape\n    return {returned}\n"


def mask(returned: str) -> str:
    return (
        "def heads_mask(real):\n    time = real.shape[1]\n"
        "    past = torch.ones(time, time, dtype=torch.bool).tril()\n"
        f"    return {returned}\n"
    )


def cost(products: str, weights: str = "heads * time**2") -> str:
    return f"def cost(time, d_model, heads):\n    return {products}, {weights}\n"


def parts(returned: str) -> str:
    return PARTS.replace("RETURNED", returned)


def whole(
    returned: str = f"{JOINED} @ w_output", cut: str = CUT, scale: str = "d_head**0.5"
) -> str:
    return WHOLE.replace("RETURNED", returned).replace("CUT", cut).replace("SCALE", scale)


ALL = "4 * time * d_model**2 + 2 * time**2 * d_model"

WRONG = {
    "split_heads": [
        ("not_transposed", split("x.reshape(batch, time, heads, d_head)")),
        ("heads_first", split("x.reshape(batch, time, heads, d_head).permute(2, 0, 1, 3)")),
        ("reshaped", split("x.reshape(batch, heads, time, d_head)")),
        ("woven", split("x.reshape(batch, time, d_head, heads).permute(0, 3, 1, 2)")),
        ("shape", split("x.reshape(batch, time, heads, d_head).transpose(1, 3)")),
    ],
    "join_heads": [
        ("reshaped", join("x.reshape(batch, time, heads * d_head)")),
        ("woven", join("x.permute(0, 2, 3, 1).reshape(batch, time, heads * d_head)")),
        ("shape", join("x.transpose(1, 2)")),
    ],
    "heads_mask": [
        ("no_axis_for_heads", mask("real[:, None, :] & past")),
        ("future_seen", mask("real[:, None, None, :].expand(-1, -1, time, -1)")),
        ("padding_seen", mask("past.expand(len(real), 1, time, time)")),
        ("queries_hidden", mask("real[:, None, :, None] & past")),
        ("both_hidden", mask("real[:, None, :, None] & real[:, None, None, :] & past")),
        ("either", mask("real[:, None, None, :] | past")),
        ("past_hidden", mask("real[:, None, None, :] & past.T")),
        ("inverted", mask("~(real[:, None, None, :] & past)")),
        ("not_boolean", mask("(real[:, None, None, :] & past).float()")),
    ],
    "cost": [
        ("no_projections", cost("2 * time**2 * d_model")),
        ("only_projections", cost("4 * time * d_model**2")),
        ("no_output_projection", cost("3 * time * d_model**2 + 2 * time**2 * d_model")),
        ("only_scores", cost("4 * time * d_model**2 + time**2 * d_model")),
        ("heads_counted_twice", cost("4 * time * d_model**2 + heads * 2 * time**2 * d_model")),
        ("all_times_heads", cost(f"heads * ({ALL})")),
        ("one_heads_share", cost("4 * time * d_model**2 + 2 * time**2 * d_model / heads")),
        ("for_each_token", cost("4 * d_model**2 + 2 * time * d_model")),
        ("doubled", cost(f"2 * ({ALL})")),
        ("weights_of_one_head", cost(ALL, "time**2")),
        ("weights_by_width", cost(ALL, "time**2 * d_model")),
        ("weights_of_one_query", cost(ALL, "heads * time")),
        ("not_a_pair", "def cost(time, d_model, heads):\n    return 3\n"),
        ("not_a_number", cost(ALL, "[time] * heads")),
    ],
    "head_parts": [
        ("rows", parts("answers @ w_output.reshape(heads, d_head, -1)")),
        (
            "whole_for_each",
            parts("(answers.transpose(0, 1).reshape(time, -1) @ w_output.T).expand(heads, -1, -1)"),
        ),
        (
            "shared_out",
            parts(
                "(answers.transpose(0, 1).reshape(time, -1) @ w_output.T).expand(heads, -1, -1)"
                " / heads"
            ),
        ),
        ("same_slice", parts("answers @ w_output[:, :d_head].T")),
        (
            "woven",
            parts("torch.stack([a @ w_output[:, i::heads].T for i, a in enumerate(answers)])"),
        ),
        (
            "matrix_not_turned",
            parts("torch.stack([a @ w_output[:, :d_head] for a in answers])"),
        ),
    ],
    "multi_head": [
        ("no_output", whole(JOINED)),
        ("scaled_by_model", whole(scale="d_model**0.5")),
        ("no_scale", whole(scale="1")),
        ("not_joined", whole("(weights @ value).reshape(time, d_model) @ w_output")),
        ("reshaped", whole(cut="y.reshape(heads, time, d_head)")),
        ("woven", whole(cut="y.reshape(time, d_head, heads).permute(2, 0, 1)")),
        ("matrix_turned", whole(f"{JOINED} @ w_output.T")),
        (
            "one_head",
            whole(
                f"{JOINED}[:, :d_model] @ w_output",
                cut="y[None]",
                scale="d_model**0.5",
            ),
        ),
        (
            "mean_of_weights",
            whole("(weights.mean(0) @ value).transpose(0, 1).reshape(time, d_model) @ w_output"),
        ),
    ],
}
