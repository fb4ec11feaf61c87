"""Multi-head attention: against PyTorch's, against its own loop, its masks, dropout and errors."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from contextbook.attention import MultiHeadAttention, causal_mask, padding_mask
from contextbook.heads import HeadByHead, stack_heads

CLOSE = {"rtol": 0, "atol": 1e-10}


def draw(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).requires_grad_()


def make(d_model, heads, seed=0, **options):
    torch.manual_seed(seed)
    return MultiHeadAttention(d_model, heads, **options).double()


def twin_of(ours, bias=True):
    twin = nn.MultiheadAttention(
        ours.output.in_features, ours.heads, bias=bias, batch_first=True, dtype=torch.float64
    )
    parts = ours.query, ours.key, ours.value
    with torch.no_grad():
        twin.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        twin.out_proj.weight.copy_(ours.output.weight)
        if bias:
            twin.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
            twin.out_proj.bias.copy_(ours.output.bias)
    return twin


@st.composite
def cases(draw_from):
    heads, d_head, batch = (draw_from(st.integers(1, 4)) for _ in range(3))
    queries = draw_from(st.integers(1, 6))
    keys = draw_from(st.integers(1, 6))
    return (
        (heads * d_head, heads, batch, queries, keys),
        draw_from(st.integers(0, 2**16)),
        *(draw_from(st.booleans()) for _ in range(4)),
    )


@settings(deadline=None, max_examples=120)
@given(cases())
def test_values_weights_and_gradients_equal_pytorch(case):
    (d_model, heads, batch, queries, keys), seed, own, masked, padded, bias = case
    ours = make(d_model, heads, seed, bias=bias)
    twin = twin_of(ours, bias)
    asking = draw(batch, queries, d_model, seed=seed)
    asked = asking if own else draw(batch, keys, d_model, seed=seed + 1)
    generator = torch.Generator().manual_seed(seed)
    mask = torch.rand(queries, asked.shape[1], generator=generator) < 0.6
    key_mask = torch.rand(batch, asked.shape[1], generator=generator) < 0.6
    mask[:, 0] = key_mask[:, 0] = True  # a query that sees nothing is not PyTorch's to judge
    mask, key_mask = mask if masked else None, key_mask if padded else None
    theirs, their_weights = twin(
        asking,
        asked,
        asked,
        attn_mask=None if mask is None else ~mask,
        key_padding_mask=None if key_mask is None else ~key_mask,
        average_attn_weights=False,
    )
    weighting = torch.linspace(-1, 1, theirs.numel(), dtype=torch.float64).view_as(theirs)
    inputs = [asking] if own else [asking, asked]
    right = torch.autograd.grad((theirs * weighting).sum(), [*inputs, twin.out_proj.weight])
    for need_weights in (False, True):
        output, weights = ours(
            asking, None if own else asked, mask=mask, key_mask=key_mask, need_weights=need_weights
        )
        torch.testing.assert_close(output, theirs, **CLOSE)
        if need_weights:
            torch.testing.assert_close(weights, their_weights, **CLOSE)
        else:
            assert weights is None
        found = torch.autograd.grad((output * weighting).sum(), [*inputs, ours.output.weight])
        for our, their in zip(found, right, strict=True):
            torch.testing.assert_close(our, their, **CLOSE)


@settings(deadline=None, max_examples=40)
@given(cases())
def test_the_loop_and_the_fused_product_are_equal(case):
    (d_model, heads, batch, queries, keys), seed, _, masked, *_ = case
    torch.manual_seed(seed)
    loop, fused = HeadByHead(d_model, heads).double(), make(d_model, heads, seed + 1)
    stack_heads(loop, fused)
    asking, asked = draw(batch, queries, d_model), draw(batch, keys, d_model, seed=1)
    mask = torch.rand(queries, keys) < 0.5 if masked else None
    output, weights = loop(asking, asked, mask)
    for need_weights in (False, True):
        again, fused_weights = fused(asking, asked, mask=mask, need_weights=need_weights)
        torch.testing.assert_close(again, output, **CLOSE)
    torch.testing.assert_close(fused_weights, weights, **CLOSE)


def test_values_of_their_own():
    ours = make(6, 2)
    query, key, value = draw(2, 3, 6), draw(2, 4, 6, seed=1), draw(2, 4, 6, seed=2)
    output, _ = ours(query, key, value)
    torch.testing.assert_close(output, twin_of(ours)(query, key, value)[0], **CLOSE)


def test_a_query_that_may_attend_to_nothing_gets_zeros_from_every_head():
    ours = make(6, 3)
    tokens = draw(2, 4, 6)
    key_mask = padding_mask(torch.tensor([0, 3]), keys=4)
    for need_weights in (False, True):
        output, weights = ours(tokens, key_mask=key_mask, need_weights=need_weights)
        torch.testing.assert_close(output[0], ours.output.bias.expand(4, 6), **CLOSE)
        (gradient,) = torch.autograd.grad(output.sum(), tokens)
        assert torch.isfinite(gradient).all()
    assert (weights[0] == 0).all()


@pytest.mark.parametrize("need_weights", [False, True])
def test_neither_padding_nor_the_future_changes_anything(need_weights):
    ours = make(8, 2)
    tokens = draw(2, 5, 8).detach()
    real = padding_mask(torch.tensor([3, 5]))
    before, _ = ours(tokens, mask=causal_mask(5), key_mask=real, need_weights=need_weights)
    tokens[0, 3:] = 1e3
    tokens[1, 4:] = -1e3
    after, _ = ours(tokens, mask=causal_mask(5), key_mask=real, need_weights=need_weights)
    assert torch.equal(before[0, :3], after[0, :3])
    assert torch.equal(before[1, :4], after[1, :4])


def test_prepared_keys_and_values_give_what_forward_gives():
    ours = make(8, 4)
    query, memory = draw(2, 3, 8), draw(2, 5, 8, seed=1)
    key, value = ours.keys_values(memory)
    assert key.shape == value.shape == (2, 4, 5, 2)
    mask = padding_mask(torch.tensor([5, 2]))
    output, weights = ours.attend(query, key, value, mask[:, None, None], need_weights=True)
    again, weights_again = ours(query, memory, key_mask=mask, need_weights=True)
    assert torch.equal(output, again)
    assert torch.equal(weights, weights_again)


@pytest.mark.parametrize("need_weights", [False, True])
def test_dropout_drops_in_training_alone(need_weights):
    ours = make(8, 2, dropout=0.5)
    plain = make(8, 2)
    plain.load_state_dict(ours.state_dict())
    tokens = draw(64, 6, 8)
    expected, _ = plain(tokens)
    torch.manual_seed(1)
    dropped, weights = ours(tokens, need_weights=need_weights)
    assert not torch.allclose(dropped, expected, atol=1e-3)
    # what is left is scaled up, so that the mean stays
    drawn = [ours(tokens, need_weights=need_weights)[0].detach() for _ in range(400)]
    means = torch.stack(drawn).mean(0)
    assert (means - expected).abs().mean() < 0.1 * (dropped - expected).abs().mean()
    output, _ = ours.eval()(tokens, need_weights=need_weights)
    torch.testing.assert_close(output, expected, **CLOSE)
    if need_weights:
        assert weights is not None
        torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]), **CLOSE)


def test_without_dropout_training_and_evaluation_agree():
    ours = make(8, 2, dropout=0.0)
    tokens = draw(2, 6, 8)
    assert torch.equal(ours(tokens)[0], ours.eval()(tokens)[0])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"d_model": 10, "heads": 3}, ["10", "3 heads"]),
        ({"d_model": 8, "heads": 0}, ["0 heads"]),
        ({"d_model": 8, "heads": 2, "dropout": 1.0}, ["1.0"]),
    ],
)
def test_wrong_sizes_are_named(options, named):
    with pytest.raises(ValueError, match=r"d_model|dropout") as caught:
        MultiHeadAttention(**options)
    assert all(part in str(caught.value) for part in named)


@pytest.mark.parametrize(
    ("shapes", "masks", "named"),
    [
        (((4, 8), None), {}, ["query", "(4, 8)"]),
        (((2, 4, 6), None), {}, ["(2, 4, 6)", "8"]),
        (((2, 4, 8), (3, 4, 8)), {}, ["key", "(3, 4, 8)"]),
        (((2, 4, 8), None), {"key_mask": torch.ones(2, 5, dtype=torch.bool)}, ["(2, 5)"]),
        (((2, 4, 8), None), {"key_mask": torch.ones(2, 4)}, ["torch.float32"]),
        # added to the scores, it would let the future through
        (((2, 4, 8), None), {"mask": torch.ones(4, 4).tril()}, ["torch.float32", "(4, 4)"]),
        (((2, 4, 8), None), {"mask": torch.ones(4, 4).long()}, ["torch.int64", "boolean"]),
        (((2, 4, 8), None), {"mask": causal_mask(5)}, ["(5, 5)", "(2, 2, 4, 4)"]),
        (((2, 4, 8), (2, 3, 8)), {"mask": causal_mask(4)}, ["(4, 4)", "(2, 2, 4, 3)"]),
        (((2, 4, 8), None), {"mask": causal_mask(4).expand(3, 1, 4, 4)}, ["(3, 1, 4, 4)"]),
        (
            ((2, 4, 8), None),
            {"mask": torch.ones(4, 4), "key_mask": padding_mask(torch.tensor([4, 2]))},
            ["torch.float32", "boolean"],
        ),
    ],
)
def test_wrong_shapes_are_named(shapes, masks, named):
    query, key = (None if shape is None else torch.zeros(shape) for shape in shapes)
    for need_weights in (False, True):
        with pytest.raises(ValueError, match=r"query|key|mask") as caught:
            MultiHeadAttention(8, 2)(query, key, **masks, need_weights=need_weights)
        assert all(part in str(caught.value) for part in named)


def test_stacking_refuses_other_sizes():
    with pytest.raises(ValueError, match=r"\(2, 8, True\).*\(4, 8, True\)"):
        stack_heads(HeadByHead(8, 2), MultiHeadAttention(8, 4))
    with pytest.raises(ValueError, match="False"):
        stack_heads(HeadByHead(8, 2), MultiHeadAttention(8, 2, bias=False))
