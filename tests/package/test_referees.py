"""The referee that judges a reader's edit of attention: right ones pass, wrong ones get a hint."""

import inspect
import json
import re
from pathlib import Path

import pytest
import torch

import contextbook.attention
from contextbook.attention import scaled_dot_product_attention
from contextbook.referees.attention import check_scaled_dot_product_attention

SOURCE = inspect.getsource(contextbook.attention)
WORDS = Path(contextbook.__file__).parent / "words" / "en.json"
HINTS = json.loads(WORDS.read_text("utf-8"))["checks"]

SCORES = "scores = (query * scale) @ key.transpose(-2, -1)"
SCALE = "scale = query.shape[-1] ** -0.5 if scale is None else scale"
WEIGHTS = "weights = masked_softmax(scores, mask)"
FILLED = "weights = torch.softmax(scores.masked_fill(~mask, lowest), dim=-1)"
LOWEST = "lowest = torch.finfo(scores.dtype).min"
ZEROS = "return weights.masked_fill(~mask, 0.0)"
CHECKED = "mask = check_attention_inputs(query, key, value, mask, key_mask)"

EDITS = [
    ("no_scale", SCORES, SCORES.replace(" * scale", "")),
    ("scale_none", SCALE, ""),
    ("multiplied", SCALE, SCALE.replace("-0.5", "0.5")),
    ("leading_axes", SCORES, SCORES.replace("transpose(-2, -1)", "T")),
    ("leading_axes", SCORES, SCORES.replace("transpose(-2, -1)", "transpose(0, 1)")),
    ("leading_axes", SCORES, SCORES.replace("transpose(-2, -1)", "transpose(1, 0)")),
    ("scaled_by_d_k", SCALE, SCALE.replace("-0.5", "-1.0")),
    ("scale_ignored", SCALE, "scale = query.shape[-1] ** -0.5"),
    ("scale_twice", SCALE, "scale = query.shape[-1] ** -0.5 * (scale or 1.0)"),
    ("wrong_axis", WEIGHTS, "weights = torch.softmax(scores, dim=-2)"),
    ("no_softmax", WEIGHTS, "weights = scores"),
    ("mask_ignored", WEIGHTS, "weights = torch.softmax(scores, dim=-1)"),
    ("key_mask_ignored", CHECKED, CHECKED.replace(", key_mask)", ")")),
    ("mask_after_softmax", FILLED, "weights = torch.softmax(scores, dim=-1)"),
    ("mask_inverted", FILLED, FILLED.replace("~mask", "mask")),
    ("mask_inverted", CHECKED, CHECKED + "; mask = None if mask is None else ~mask"),
    (
        "scores_set_to_zero",
        WEIGHTS,
        "weights = (scores if mask is None else scores.masked_fill(~mask, 0)).softmax(-1)",
    ),
    ("masked_row_nan", LOWEST, "lowest = float('-inf')", ZEROS, "return weights"),
    ("masked_row_weights", ZEROS, "return weights"),
    (
        "masked_row_gradient",
        FILLED,
        "weights = (scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)).softmax(-1)",
        ZEROS,
        "return weights.nan_to_num()",
    ),
    ("not_a_pair", "return weights @ value, weights", "return weights @ value"),
    ("weights_differ", "return weights @ value, weights", "return weights @ value, scores"),
    (
        "weights_shape",
        "return weights @ value, weights",
        "return weights @ value, weights[..., :1]",
    ),
    ("shape", "return weights @ value, weights", "return weights @ value[..., :1], weights"),
    ("gradient_differs", WEIGHTS, WEIGHTS + ".detach()"),
    ("gradient_differs", WEIGHTS, WEIGHTS + "; value = value.detach()"),
    ("close", SCORES, SCORES + "; scores = scores.float().double()"),
    ("different", SCORES, SCORES + "; scores = scores * 1.7"),
    ("key_not_transposed", SCORES, SCORES.replace(".transpose(-2, -1)", "")),
    ("raised", SCORES, SCORES.replace("query", "queries")),
    ("returned_nothing", "return weights @ value, weights", "pass"),
    ("not_attempted", "return weights @ value, weights", "return ..."),
]


def edited(*replacements: str):
    """The definition with each first text replaced by the second."""
    source = SOURCE
    for old, new in zip(replacements[::2], replacements[1::2], strict=True):
        assert old in source, f"the definition no longer holds {old!r}"
        source = source.replace(old, new)
    names: dict = {}
    exec(source, names)
    return names["scaled_dot_product_attention"]


def test_the_books_own_definition_passes_and_says_on_what() -> None:
    verdict = check_scaled_dot_product_attention(scaled_dot_product_attention)
    assert verdict.passed, verdict
    assert re.search(r"on 30 random inputs: .* below 1e-10\.", verdict.hint)


@pytest.mark.filterwarnings("ignore:Dropping a mask", "ignore:The use of .x.T.")
@pytest.mark.parametrize(
    "edit", [pytest.param(edit, id=f"{i}-{edit[0]}") for i, edit in enumerate(EDITS)]
)
def test_an_edit_that_breaks_it_is_told_what_it_broke(edit: tuple[str, ...]) -> None:
    verdict = check_scaled_dot_product_attention(edited(*edit[1:]))
    assert verdict.kind == edit[0], verdict
    assert not verdict.passed


def test_an_edit_that_breaks_nothing_passes() -> None:
    for edit in (
        (WEIGHTS, "weights = masked_softmax(scores - scores.max(), mask)"),
        (LOWEST, "lowest = float('-inf')"),  # the last line zeroes what is NaN, and its gradient
    ):
        assert check_scaled_dot_product_attention(edited(*edit)).passed


def test_every_hint_of_the_referee_is_given_to_some_edit() -> None:
    assert HINTS["attention_referee"].keys() - {"passed"} <= {edit[0] for edit in EDITS}


def test_the_verdict_is_the_same_at_every_run() -> None:
    torch.manual_seed(1)
    one = check_scaled_dot_product_attention(scaled_dot_product_attention)
    torch.manual_seed(2)
    two = check_scaled_dot_product_attention(scaled_dot_product_attention)
    assert repr(one) == repr(two)
    assert one._repr_html_() == two._repr_html_()
