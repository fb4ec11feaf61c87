"""The fast twins compute what the plain parts do, and drop what they should."""

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from contextbook.attention import MultiHeadAttention, padding_mask
from contextbook.transformer import FusedAttention, QuickDropout, Transformer, quicken

CLOSE = {"rtol": 0, "atol": 1e-10}


def twins(bias=True, dropout=0.0):
    torch.manual_seed(0)
    plain = MultiHeadAttention(12, 3, bias=bias, dropout=dropout).double()
    fused = FusedAttention(12, 3, bias=bias, dropout=dropout).double()
    fused.load_state_dict(plain.state_dict())
    return plain, fused


@settings(deadline=None, max_examples=40)
@given(
    batch=st.integers(1, 3),
    length=st.integers(1, 6),
    kind=st.sampled_from(["self", "cross", "apart"]),
    masked=st.booleans(),
    bias=st.booleans(),
    need_weights=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_fused_attention_equals_the_plain_one(
    batch, length, kind, masked, bias, need_weights, seed
):
    draw = torch.Generator().manual_seed(seed)
    keys = length if kind == "self" else length + 1
    shapes = [(batch, length, 12), (batch, keys, 12), (batch, keys, 12)]
    given_ = [torch.randn(shape, generator=draw, dtype=torch.float64) for shape in shapes]
    lengths = torch.randint(1, keys + 1, (batch,), generator=draw)
    mask = torch.rand(length, keys, generator=draw) < 0.7 if masked else None
    results = []
    for layer in twins(bias):
        inputs = [each.clone().requires_grad_() for each in given_]
        asked = {"self": inputs[:1], "cross": [*inputs[:2], inputs[1]], "apart": inputs}[kind]
        key_mask = padding_mask(lengths, keys)
        output, weights = layer(*asked, mask=mask, key_mask=key_mask, need_weights=need_weights)
        output.square().sum().backward()
        gradients = [each.grad for each in (*asked, *layer.parameters())]
        results.append([output, *([weights] if need_weights else []), *gradients])
        assert (weights is not None) == need_weights
    for ours, twin in zip(*results, strict=True):
        torch.testing.assert_close(ours, twin, **CLOSE)


def test_fused_attention_drops_weights_in_training_only():
    _, fused = twins(dropout=0.5)
    x = torch.randn(2, 6, 12, dtype=torch.float64)
    assert not torch.equal(fused(x)[0], fused(x)[0])
    fused.eval()
    assert torch.equal(fused(x)[0], fused(x)[0])


def test_fused_attention_names_a_wrong_shape():
    _, fused = twins()
    with pytest.raises(ValueError, match=r"got shape \(2, 5, 11\)"):
        fused(torch.zeros(2, 5, 11, dtype=torch.float64))


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_dropout_drops_its_share_and_keeps_the_mean(p):
    torch.manual_seed(1)
    x = torch.full((400, 1000), 2.0, requires_grad=True)
    dropped = QuickDropout(p)(x)
    # 400 000 draws: five standard errors of the share are below 0.004
    assert (dropped == 0).double().mean().item() == pytest.approx(p, abs=0.004)
    torch.testing.assert_close(
        dropped[dropped != 0], torch.full(((dropped != 0).sum(),), 2 / (1 - p))
    )
    dropped.sum().backward()
    torch.testing.assert_close(x.grad, dropped.detach() / 2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("p", [0.0, 1.0])
def test_dropout_of_nothing_and_of_all(p, dtype):
    x = torch.ones(3, 4, dtype=dtype)
    assert torch.equal(QuickDropout(p)(x), x * (1 - p))
    assert torch.equal(QuickDropout(0.5).eval()(x), x)


def test_quicken_keeps_parameters_and_function():
    torch.manual_seed(0)
    plain = Transformer(9, 8, d_model=12, heads=3, dropout=0.1).double()
    quick = copy.deepcopy(plain)
    names = dict(quick.named_parameters())
    assert quicken(quick) is quick
    assert {name: id(part) for name, part in quick.named_parameters()} == {
        name: id(part) for name, part in names.items()
    }
    kinds = {type(part) for part in quick.modules()}
    assert {FusedAttention, QuickDropout} <= kinds
    assert not {MultiHeadAttention, nn.Dropout} & kinds
    source, target = torch.randint(9, (2, 5)), torch.randint(8, (2, 4))
    inputs = (source, torch.tensor([5, 3]), target)
    for need_weights in (False, True):
        outputs = [model.eval()(*inputs, need_weights=need_weights)[0] for model in (plain, quick)]
        torch.testing.assert_close(*outputs, **CLOSE)
    quick.train()
    assert not torch.equal(quick(*inputs)[0], quick(*inputs)[0])


def test_quicken_leaves_a_readers_own_attention_alone():
    class Own(MultiHeadAttention):
        pass

    model = quicken(nn.Sequential(Own(8, 2), nn.Dropout(0.1).eval()))
    assert type(model[0]) is Own
    assert not model[1].training
