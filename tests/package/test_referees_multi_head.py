"""The referee of multi-head attention: the book's passes, and a typical edit gets its hint."""

import inspect
import textwrap

import pytest
import torch

from contextbook import attention
from contextbook.attention import MultiHeadAttention
from contextbook.referees.multi_head import check_multi_head_attention

SOURCE = textwrap.dedent(inspect.getsource(MultiHeadAttention))

SPLIT = "x.unflatten(-1, (self.heads, -1)).transpose(1, 2)"
FUSED = "F.scaled_dot_product_attention(query, key, value, mask, dropout_p=p)"
OPEN = "scaled_dot_product_attention(query, key, value, mask)"
JOIN = "mixed.transpose(1, 2).flatten(2)"

EDITS = {
    "no_output": [("self.output(joined)", "joined")],
    "not_transposed": [(JOIN, "mixed.flatten(2).reshape(*mixed.shape[:1], mixed.shape[2], -1)")],
    "split_without_transpose": [(SPLIT, "x.reshape(len(x), self.heads, x.shape[1], -1)")],
    "woven": [(SPLIT, "x.unflatten(-1, (-1, self.heads)).permute(0, 3, 1, 2)")],
    "no_scale": [(FUSED, FUSED[:-1] + ", scale=1.0)"), (OPEN, OPEN[:-1] + ", scale=1.0)")],
    "scaled_by_model": [
        (FUSED, FUSED[:-1] + ", scale=self.output.in_features**-0.5)"),
        (OPEN, OPEN[:-1] + ", scale=self.output.in_features**-0.5)"),
    ],
    "mask_ignored": [(FUSED, FUSED.replace(", mask", "")), (OPEN, OPEN.replace(", mask", ""))],
    "key_mask_ignored": [("mask = key_mask if mask is None else mask & key_mask", "pass")],
    "mask_inverted": [
        (FUSED, FUSED.replace(", mask", ", None if mask is None else ~mask")),
        (OPEN, OPEN.replace(", mask", ", None if mask is None else ~mask")),
    ],
    "key_as_value": [("value = key if value is None else value", "value = key"), (
        "return self._split(self.key(key)), self._split(self.value(key if value is None else value))",
        "return (self._split(self.key(key)),) * 2",
    )],
    "no_weights": [("weights if need_weights else None", "None")],
    "weights_shape": [("weights if need_weights else None", "weights.mean(1) if need_weights else None")],
    "weights_differ": [("weights if need_weights else None", "weights.flip(-1) if need_weights else None")],
    "not_a_pair": [("return self.output(joined), weights if need_weights else None", "return self.output(joined)")],
    "gradient": [("self._split(self.query(query))", "self._split(self.query(query.detach()))")],
    "one_head": [("self.heads, self.dropout = heads, dropout", "self.heads, self.dropout = 1, dropout")],
    "parts": [("self.output = nn.Linear(d_model, d_model, bias=bias)", "self.mix = nn.Linear(d_model, d_model)")],
}  # fmt: skip


def edited(changes):
    source = SOURCE
    for old, new in changes:
        assert old in source, f"the definition has no {old!r} any more"
        # the open path's call ends the name of the fused one: only whole words are meant
        source = source.replace(" " + old, " " + new)
    assert source != SOURCE
    scope = dict(vars(attention))
    exec(source, scope)
    return scope["MultiHeadAttention"]


def test_the_books_own_passes():
    verdict = check_multi_head_attention(MultiHeadAttention)
    assert verdict.passed, verdict


@pytest.mark.parametrize("kind", EDITS)
def test_a_typical_edit_gets_its_hint(kind):
    verdict = check_multi_head_attention(edited(EDITS[kind]))
    assert verdict.kind == kind, verdict


def test_what_is_no_module_is_refused():
    assert check_multi_head_attention(lambda d_model, heads: torch.zeros(2)).kind == "no_module"
    assert check_multi_head_attention(...).kind == "not_attempted"
