"""Typical wrong answers to chapter 11's exercises, by the kind of hint that each must get."""

NORM = """
def normalise_tokens(x, eps):
    mean = x.mean(-1, keepdim=True)
    variance = x.var(-1, keepdim=True, correction=0)
    return RETURNED
"""
STREAM = """
def through_the_stream(x, parts, norm):
    first = x
    for part in parts:
        x = RETURNED
    return x
"""
SMOOTH = """
def smoothed_targets(ids, size, smoothing):
    hard = torch.eye(size)[ids]
    return RETURNED
"""


def norm(returned: str) -> str:
    return NORM.replace("RETURNED", returned)


def stream(returned: str) -> str:
    return STREAM.replace("RETURNED", returned)


def smooth(returned: str) -> str:
    return SMOOTH.replace("RETURNED", returned)


def size(returned: str) -> str:
    return (
        f"def layer_parameters(d_model, d_ff):\n    d, f = d_model, d_ff\n    return {returned}\n"
    )


def keys(returned: str) -> str:
    return f"def keys_projected(n, cache):\n    return {returned}\n"


WRONG = {
    "normalise_tokens": [
        ("n_minus_one", norm("(x - mean) / (x.var(-1, keepdim=True) + eps).sqrt()")),
        ("eps_outside", norm("(x - mean) / (variance.sqrt() + eps)")),
        ("no_eps", norm("(x - mean) / variance.sqrt()")),
        ("not_rooted", norm("(x - mean) / (variance + eps)")),
        ("not_centred", norm("x / (variance + eps).sqrt()")),
        ("not_divided", norm("x - mean")),
        ("over_everything", norm("(x - x.mean()) / (x.var(correction=0) + eps).sqrt()")),
        ("over_tokens", norm("(x - mean) / (variance + eps).sqrt()").replace("(-1", "(1")),
    ],
    "through_the_stream": [
        ("post_norm", stream("norm(x + part(x))")),
        ("no_sum", stream("part(norm(x))")),
        ("no_norm", stream("x + part(x)")),
        ("first_only", stream("first + part(norm(x))")),
        ("normed_stream", stream("norm(x) + part(norm(x))")),
        ("normed_at_the_end", stream("x + part(norm(x))").replace("return x", "return norm(x)")),
        ("one_part", stream("x + part(norm(x))").replace("in parts", "in parts[:1]")),
    ],
    "smoothed_targets": [
        ("not_smoothed", smooth("hard")),
        ("others_only", smooth("(1 - smoothing) * hard + smoothing / (size - 1) * (1 - hard)")),
        ("truth_kept", smooth("hard + smoothing / size")),
        ("nothing_spread", smooth("(1 - smoothing) * hard")),
        ("swapped", smooth("smoothing * hard + (1 - smoothing) / size")),
        ("not_shared", smooth("(1 - smoothing) * hard + smoothing")),
    ],
    "layer_parameters": [
        ("no_biases", size("4 * d * d + 2 * d * f + 4 * d")),
        ("matrices_only", size("4 * d * d + 2 * d * f")),
        ("no_output", size("3 * (d * d + d) + 2 * d * f + d + f + 4 * d")),
        ("no_norms", size("4 * (d * d + d) + 2 * d * f + d + f")),
        ("one_norm", size("4 * (d * d + d) + 2 * d * f + d + f + 2 * d")),
        ("no_feed_forward", size("4 * (d * d + d) + 4 * d")),
        ("half_feed_forward", size("4 * (d * d + d) + d * f + f + 4 * d")),
    ],
    "keys_projected": [
        ("inverted", keys("n * (n + 1) // 2 if cache else n")),
        ("all_each_time", keys("n if cache else n * n")),
        ("without_itself", keys("n if cache else n * (n - 1) // 2")),
        ("cache_ignored", keys("n * (n + 1) // 2")),
        ("always_n", keys("n")),
    ],
}
