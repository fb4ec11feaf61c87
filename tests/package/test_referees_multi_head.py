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

PAIR = "return self.output(joined), weights if need_weights else None"
GIVEN = "weights if need_weights else None"
PREPARED = "self._split(self.value(key if value is None else value))"
MIX = "self.output = nn.Linear(d_model, d_model, bias=bias)"
NO_KEY_MASK = "mask = key_mask if mask is None else mask & key_mask"
SIZES = "self.heads, self.dropout = heads, dropout"


def both(change):
    """Change both calls of attention, the fused and the open one."""
    return [(FUSED, change(FUSED)), (OPEN, change(OPEN))]


def with_scale(scale):
    return lambda call: f"{call[:-1]}, scale={scale})"


EDITS = {
    "no_output": [("self.output(joined)", "joined")],
    "not_transposed": [(JOIN, "mixed.flatten(2).reshape(len(mixed), mixed.shape[2], -1)")],
    "split_without_transpose": [(SPLIT, "x.reshape(len(x), self.heads, x.shape[1], -1)")],
    "woven": [(SPLIT, "x.unflatten(-1, (-1, self.heads)).permute(0, 3, 1, 2)")],
    "no_scale": both(with_scale("1.0")),
    "scaled_by_model": both(with_scale("self.output.in_features**-0.5")),
    "mask_ignored": both(lambda call: call.replace(", mask", "")),
    "mask_inverted": both(lambda call: call.replace("mask", "None if mask is None else ~mask")),
    "key_mask_ignored": [(NO_KEY_MASK, "pass")],
    "key_as_value": [
        ("value = key if value is None else value", "value = key"),
        (PREPARED, "self._split(self.key(key))"),
    ],
    "no_weights": [(GIVEN, "None")],
    "weights_shape": [(GIVEN, "weights.mean(1) if need_weights else None")],
    "weights_differ": [(GIVEN, "weights.flip(-1) if need_weights else None")],
    "not_a_pair": [(PAIR, "return self.output(joined)")],
    "gradient": [("self._split(self.query(query))", "self._split(self.query(query.detach()))")],
    "one_head": [(SIZES, "self.heads, self.dropout = 1, dropout")],
    "parts": [(MIX, "self.mix = nn.Linear(d_model, d_model)")],
}


def edited(changes):
    source = SOURCE
    for old, new in changes:
        # the name of the fused function ends like that of the open one: whole words are meant
        assert f" {old}" in source, f"the definition has no {old!r} any more"
        source = source.replace(f" {old}", f" {new}")
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
