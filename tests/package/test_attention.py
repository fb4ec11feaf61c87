"""Attention against PyTorch's own, over random shapes and masks, and its errors."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from contextbook.attention import (
    causal_mask,
    masked_softmax,
    padding_mask,
    scaled_dot_product_attention,
)

LEADING = {2: (), 3: (3,), 4: (3, 2)}


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    """Random float64 numbers that ask for gradients."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).requires_grad_()


def with_gradients(function, query, key, value, **options):
    """Return the output of an attention and the gradients of a weighted sum of it."""
    output = function(query, key, value, **options)
    output = output[0] if isinstance(output, tuple) else output
    weighting = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
    return output, torch.autograd.grad((output * weighting).sum(), (query, key, value))


@st.composite
def attention_cases(draw_from):
    """Shapes, a seed, and a mask in which every query may attend to at least one key."""
    axes = draw_from(st.sampled_from([2, 3, 4]))
    queries, keys, d_k, d_v = (draw_from(st.integers(1, 6)) for _ in range(4))
    seed = draw_from(st.integers(0, 2**16))
    mask_axes = draw_from(st.integers(0, axes))
    mask = None
    if mask_axes >= 2:
        full = (*LEADING[axes], queries, keys)
        shape = [
            size if i == axes - 1 or draw_from(st.booleans()) else 1 for i, size in enumerate(full)
        ][axes - mask_axes :]
        generator = torch.Generator().manual_seed(seed)
        mask = torch.rand(shape, generator=generator) < 0.6
        mask[..., seed % keys] = True
    return axes, queries, keys, d_k, d_v, seed, mask


@settings(deadline=None, max_examples=150)
@given(attention_cases())
def test_values_and_gradients_equal_pytorch(case):
    axes, queries, keys, d_k, d_v, seed, mask = case
    inputs = (
        draw(*LEADING[axes], queries, d_k, seed=seed),
        draw(*LEADING[axes], keys, d_k, seed=seed + 1),
        draw(*LEADING[axes], keys, d_v, seed=seed + 2),
    )
    ours, our_gradients = with_gradients(scaled_dot_product_attention, *inputs, mask=mask)
    theirs, their_gradients = with_gradients(
        F.scaled_dot_product_attention, *inputs, attn_mask=mask
    )
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)
    for our_gradient, their_gradient in zip(our_gradients, their_gradients, strict=True):
        torch.testing.assert_close(our_gradient, their_gradient, rtol=0, atol=1e-10)


@settings(deadline=None, max_examples=100)
@given(attention_cases(), st.floats(0.0, 1.0))
def test_weights_are_a_distribution_over_what_may_be_attended(case, share):
    axes, queries, keys, d_k, d_v, seed, _ = case
    generator = torch.Generator().manual_seed(seed)
    mask = torch.rand(*LEADING[axes], queries, keys, generator=generator) < share
    query, key, value = (
        draw(*LEADING[axes], queries, d_k, seed=seed),
        draw(*LEADING[axes], keys, d_k, seed=seed + 1),
        draw(*LEADING[axes], keys, d_v, seed=seed + 2),
    )
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    assert weights.min() >= 0
    assert (weights[~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).to(weights.dtype), rtol=0, atol=1e-12)
    assert (output[~mask.any(-1)] == 0).all()
    gradients = torch.autograd.grad(output.sum(), (query, key, value))
    assert all(torch.isfinite(gradient).all() for gradient in gradients)


def test_scale_is_one_over_root_of_the_width_of_the_keys():
    query, key, value = draw(2, 16), draw(3, 16, seed=1), draw(3, 5, seed=2)
    given_scale, _ = scaled_dot_product_attention(query, key, value, scale=0.25)
    default, _ = scaled_dot_product_attention(query, key, value)
    assert torch.equal(given_scale, default)


def test_changing_a_padded_key_or_value_changes_nothing():
    query, key, value = draw(2, 3, 4), draw(2, 5, 4, seed=1), draw(2, 5, 6, seed=2)
    key_mask = padding_mask(torch.tensor([3, 5]))
    before, weights = scaled_dot_product_attention(query, key, value, key_mask=key_mask)
    other_key, other_value = key.detach().clone(), value.detach().clone()
    other_key[0, 3:], other_value[0, 3:] = 1e6, -1e6
    after, _ = scaled_dot_product_attention(query, other_key, other_value, key_mask=key_mask)
    assert torch.equal(before, after)
    assert (weights[0, :, 3:] == 0).all()


def test_changing_a_later_token_changes_nothing_earlier():
    tokens = draw(1, 6, 4).detach()
    before, _ = scaled_dot_product_attention(tokens, tokens, tokens, causal_mask(6))
    tokens[0, 4:] = 9.0
    after, _ = scaled_dot_product_attention(tokens, tokens, tokens, causal_mask(6))
    assert torch.equal(before[0, :4], after[0, :4])
    assert not torch.equal(before[0, 4:], after[0, 4:])


def test_mask_and_key_mask_are_joined_by_and():
    tokens = draw(2, 2, 4, 3)
    key_mask = padding_mask(torch.tensor([2, 4]))
    _, weights = scaled_dot_product_attention(
        tokens, tokens, tokens, causal_mask(4), key_mask=key_mask
    )
    allowed = causal_mask(4) & key_mask[:, None, None, :]
    assert ((weights > 0) == allowed.expand_as(weights)).all()


def test_padding_alone_gives_zeros_and_finite_gradients():
    tokens = draw(2, 3, 4)
    key_mask = padding_mask(torch.tensor([0, 2]), keys=3)
    output, weights = scaled_dot_product_attention(tokens, tokens, tokens, key_mask=key_mask)
    assert (output[0] == 0).all()
    assert (weights[0] == 0).all()
    (gradient,) = torch.autograd.grad(output.sum(), tokens)
    assert torch.isfinite(gradient).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_masked_softmax_keeps_the_dtype_and_gives_exact_zeros(dtype):
    scores = torch.tensor([[3.0, -50.0, 1.0], [0.0, 0.0, 0.0]], dtype=dtype)
    mask = torch.tensor([[True, False, True], [False, False, False]])
    weights = masked_softmax(scores, mask)
    assert weights.dtype == dtype
    assert weights[0, 1] == 0
    assert weights[1].tolist() == [0, 0, 0]
    assert torch.isfinite(weights).all()


def test_large_scores_do_not_overflow():
    weights = masked_softmax(torch.tensor([1e30, -1e30, 0.0]), torch.tensor([True, True, False]))
    assert weights.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_products_too_large_for_16_bits_are_scaled_before(dtype):
    tokens = torch.full((1, 2, 64), 40.0, dtype=dtype)  # their product is beyond 65504
    output, weights = scaled_dot_product_attention(tokens, tokens, tokens)
    assert torch.equal(output, F.scaled_dot_product_attention(tokens, tokens, tokens))
    assert weights.flatten().tolist() == [0.5] * 4


def test_causal_mask_of_last_queries_sees_all_earlier_keys():
    assert torch.equal(causal_mask(2, 4), causal_mask(4)[2:])


@pytest.mark.parametrize(
    ("shapes", "named"),
    [
        (((2, 3), (4, 5), (4, 5)), ["(2, 3)", "(4, 5)", "3 and 5"]),
        (((2, 3), (4, 3), (5, 3)), ["(4, 3)", "(5, 3)", "4 keys and 5 values"]),
        (((1, 2, 3), (2, 4, 3), (2, 4, 3)), ["(1, 2, 3)", "(2, 4, 3)", "expand"]),
        (((3,), (4, 3), (4, 3)), ["query", "(3,)", "two axes"]),
        (((2, 0), (4, 0), (4, 3)), ["(2, 0)", "at least 1"]),
    ],
)
def test_wrong_shapes_are_named(shapes, named):
    with pytest.raises(ValueError, match=r"shape|features|agree|value|axes") as caught:
        scaled_dot_product_attention(*(torch.zeros(shape) for shape in shapes))
    assert all(part in str(caught.value) for part in named)


@pytest.mark.parametrize(
    ("masks", "named"),
    [
        ({"mask": torch.ones(2, 5)}, ["torch.float32", "(2, 5)", "boolean"]),
        ({"mask": torch.ones(2, 5, dtype=torch.int64)}, ["torch.int64", "boolean"]),
        ({"mask": torch.ones(3, 5, dtype=torch.bool)}, ["(3, 5)", "(4, 2, 5)", "key_mask"]),
        ({"mask": torch.ones(2, 4, 2, 5, dtype=torch.bool)}, ["(2, 4, 2, 5)", "(4, 2, 5)"]),
        ({"key_mask": torch.ones(5, dtype=torch.bool)}, ["(4, 5)", "(5,)"]),
        ({"key_mask": torch.ones(4, 5)}, ["key_mask", "torch.float32"]),
    ],
)
def test_wrong_masks_are_named(masks, named):
    query, key = torch.zeros(4, 2, 3), torch.zeros(4, 5, 3)
    with pytest.raises(ValueError, match="mask") as caught:
        scaled_dot_product_attention(query, key, key, **masks)
    assert all(part in str(caught.value) for part in named)


def test_wrong_dtypes_are_named():
    floats = torch.zeros(2, 3)
    with pytest.raises(ValueError, match=r"torch.int64.*\.float\(\)"):
        scaled_dot_product_attention(floats.long(), floats, floats)
    with pytest.raises(ValueError, match=r"float32.*float64"):
        scaled_dot_product_attention(floats, floats.double(), floats)


def test_wrong_lengths_are_named():
    with pytest.raises(ValueError, match=r"\(2, 1\)"):
        padding_mask(torch.tensor([[1], [2]]))
    with pytest.raises(ValueError, match="from 1 to 5 for 4 keys"):
        padding_mask(torch.tensor([1, 5]), keys=4)
    with pytest.raises(ValueError, match="3 queries and 2 keys"):
        causal_mask(3, 2)
    assert padding_mask(torch.tensor([], dtype=torch.long)).shape == (0, 0)
