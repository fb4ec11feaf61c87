"""Typical wrong answers to chapter 2's exercises, by the kind of hint that each must get."""

PAIRS = """
def word_pairs(tokens, window):
    return [
        (tokens[i], tokens[j])
        for i in range(len(tokens))
        for j in range(FROM, TO)
        if CONDITION
    ]
"""
LOSS = """
from torch.nn import functional as F

def negative_sampling_loss(centre, context, noise):
    true, false = context @ centre, noise @ centre
    return RETURNED
"""
ANALOGY = """
def solve_analogy(vectors, a, b, c):
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    query = QUERY
    scores = SCORES
    scores[[a, b, c]] = -torch.inf
    return int(scores.argmax())
"""
MEAN = """
def sentence_vector(table, ids, padding):
    real = (ids != padding)[..., None]
    vectors = table[ids]
    return RETURNED
"""


def pairs(
    first: str = "max(0, i - window)",
    to: str = "min(len(tokens), i + window + 1)",
    condition: str = "i != j",
) -> str:
    return PAIRS.replace("FROM", first).replace("TO", to).replace("CONDITION", condition)


def sliced(returned: str) -> str:
    return f"def word_pairs(tokens, window):\n    pairs = []\n{SLICES}    return {returned}\n"


SLICES = """\
    for i, centre in enumerate(tokens):
        for other in tokens[i - window : i] + tokens[i + 1 : i + window + 1]:
            pairs.append((centre, other))
"""


def cosine(returned: str) -> str:
    return (
        "def cosine(a, b):\n"
        "    dot, lengths = (a * b).sum(), (a.norm(), b.norm())\n"
        "    if not lengths[0] or not lengths[1]:\n"
        "        return 0.0\n"
        f"    return {returned}\n"
    )


def unguarded(returned: str) -> str:
    return f"def cosine(a, b):\n    return {returned}\n"


def loss(returned: str) -> str:
    return LOSS.replace("RETURNED", returned)


def analogy(query: str = "unit[b] - unit[a] + unit[c]", scores: str = "unit @ query") -> str:
    return ANALOGY.replace("QUERY", query).replace("SCORES", scores)


def mean(returned: str) -> str:
    return MEAN.replace("RETURNED", returned)


EMPTY = "torch.where(real.any(1), (vectors * real).sum(1) / real.sum(1), 1.0)"
RAW = "vectors[b] - vectors[a] + vectors[c]"
WRONG = {
    "word_pairs": [
        ("with_itself", pairs(condition="True")),
        ("right_only", pairs(first="i")),
        ("left_only", pairs(to="i")),
        ("window_too_small", pairs(to="min(len(tokens), i + window)")),
        ("window_too_large", pairs("max(0, i - window - 1)", "min(len(tokens), i + window + 2)")),
        ("wraps_around", pairs(first="i - window", condition="i != j and j >= -len(tokens)")),
        ("past_the_end", pairs(to="i + window + 1")),
        ("same_word_dropped", pairs(condition="tokens[i] != tokens[j]")),
        ("once_each", pairs().replace("return [", "return set([").replace("    ]\n", "    ])\n")),
        ("slice_from_the_end", sliced("pairs")),
        ("not_a_list", sliced("len(pairs)")),
        ("not_pairs", sliced("[other for _, other in pairs]")),
        ("missing_pair", pairs(condition="i < j - 1")),
        ("extra_pair", pairs("0", "len(tokens)")),
        ("returned_nothing", sliced("None")),
    ],
    "cosine": [
        ("dot_product", cosine("dot")),
        ("one_length", cosine("dot / lengths[0]")),
        ("other_length", cosine("dot / lengths[1]")),
        ("squared_lengths", cosine("dot / ((a * a).sum() * (b * b).sum())")),
        ("first_twice", cosine("dot / (a @ a)")),
        ("second_twice", cosine("dot / (b @ b)")),
        ("sign_lost", cosine("abs(dot) / (lengths[0] * lengths[1])")),
        ("lengths_added", cosine("dot / sum(lengths)")),
        ("distance", cosine("(a - b).norm()")),
        ("angle", cosine("torch.acos((dot / (lengths[0] * lengths[1])).clamp(-1, 1))")),
        ("divided_by_count", cosine("(a * b).mean()")),
        ("nan_for_zeros", unguarded("a @ b / (a.norm() * b.norm())")),
        ("nan_for_zeros", unguarded("float(a @ b) / (float(a.norm()) * float(b.norm()))")),
        ("zeros_not_zero", cosine("dot / (lengths[0] * lengths[1])").replace("0.0", "1.0")),
        ("not_a_number", cosine("a * b")),
        ("different", cosine("2 * dot / (lengths[0] * lengths[1])")),
    ],
    "negative_sampling_loss": [
        ("noise_not_negated", loss("-F.logsigmoid(true) - F.logsigmoid(false).sum()")),
        ("noise_averaged", loss("-F.logsigmoid(true) - F.logsigmoid(-false).mean()")),
        ("noise_left_out", loss("-F.logsigmoid(true)")),
        ("true_left_out", loss("-F.logsigmoid(-false).sum()")),
        ("sign_flipped", loss("F.logsigmoid(true) + F.logsigmoid(-false).sum()")),
        ("no_logarithm", loss("-torch.sigmoid(true) - torch.sigmoid(-false).sum()")),
        ("no_sigmoid", loss("-true + false.sum()")),
        ("error_rate", loss("1 - torch.sigmoid(true) + torch.sigmoid(false).sum()")),
        ("overflow", loss("-torch.sigmoid(true).log() - torch.sigmoid(-false).log().sum()")),
        ("noise_not_summed", loss("-F.logsigmoid(true) - F.logsigmoid(-false)")),
        ("noise_sign", loss("-F.logsigmoid(true) + F.logsigmoid(-false).sum()")),
        (
            "one_minus_logarithm",
            loss("-F.logsigmoid(true) - (1 - F.logsigmoid(false)).sum()"),
        ),
        ("shape", loss("-F.logsigmoid(true) - F.logsigmoid(-noise * centre)")),
        (
            "not_differentiable",
            loss("torch.tensor(-F.logsigmoid(true).item() - F.logsigmoid(-false).sum().item())"),
        ),
        ("not_a_tensor", loss("[-F.logsigmoid(true)]")),
        ("plain_number", loss("(-F.logsigmoid(true) - F.logsigmoid(-false).sum()).item()")),
    ],
    "solve_analogy": [
        ("not_excluded", analogy().replace("    scores[[a, b, c]] = -torch.inf\n", "")),
        ("not_excluded", analogy().replace("[a, b, c]]", "[a, b]]")),
        ("set_to_zero", analogy().replace("-torch.inf", "0")),
        ("backwards", analogy("unit[a] - unit[b] + unit[c]")),
        ("not_to_length_one", analogy(RAW)),
        ("dot_product", analogy(scores="vectors @ query")),
        ("dot_product_of_raw", analogy(RAW, "vectors @ query")),
        ("distance", analogy(RAW, "-(vectors - query).norm(dim=-1)")),
        ("added", analogy("unit[a] + unit[b] + unit[c]")),
        ("lazy", analogy("unit[c]")),
        ("other_answers", analogy("unit[b]")),
        ("not_an_id", analogy().replace("int(scores.argmax())", "scores")),
        ("returned_nothing", analogy().replace("return int", "int")),
    ],
    "sentence_vector": [
        ("padding_counted", mean("vectors.mean(1)")),
        ("divided_by_all", mean("(vectors * real).mean(1)")),
        ("not_divided", mean("(vectors * real).sum(1)")),
        ("padding_added", mean("vectors.sum(1) / real.sum(1)")),
        (
            "always_zero",
            mean("(vectors * real).sum(1) / real.sum(1)").replace("ids != padding", "ids != 0"),
        ),
        ("one_too_many", mean("(vectors * real).sum(1) / (real.sum(1) + 1)")),
        ("mask_without_axis", mean("(vectors * real[..., 0]).sum(1)")),
        ("count_without_axis", mean("(vectors * real).sum(1) / real.sum((1, 2))")),
        ("empty_not_zero", mean(EMPTY)),
        ("empty_sentence", mean("(vectors * real).sum(1) / real.sum(1)")),
        ("shape", mean("(vectors * real).sum(0)")),
        ("raised", mean("table[ids != padding].mean()")),
    ],
}
