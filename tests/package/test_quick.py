"""The fast dropout drops what it should, and a model that has it stays what it is."""

import copy

import pytest
import torch
from torch import nn

from contextbook.transformer import QuickDropout, Transformer, quicken


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
    assert QuickDropout in kinds
    assert nn.Dropout not in kinds
    source, target = torch.randint(9, (2, 5)), torch.randint(8, (2, 4))
    inputs = (source, torch.tensor([5, 3]), target)
    for need_weights in (False, True):
        outputs = [model.eval()(*inputs, need_weights=need_weights)[0] for model in (plain, quick)]
        assert torch.equal(*outputs)
    quick.train()
    assert not torch.equal(quick(*inputs)[0], quick(*inputs)[0])


def test_quicken_leaves_a_readers_own_dropout_alone():
    class Own(nn.Dropout):
        pass

    model = quicken(nn.Sequential(Own(0.1), nn.Dropout(0.1).eval()))
    assert type(model[0]) is Own
    assert type(model[1]) is QuickDropout
    assert not model[1].training
