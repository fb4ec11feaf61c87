"""One stack of layers that foresees or fills: what it sees, and what it is trained by."""

import pytest
import torch
from torch.nn import functional as F

from contextbook.language_model import (
    GAP,
    LanguageModel,
    fill_loss,
    foresee_loss,
    hide,
)

TOKENS = torch.tensor([[1, 5, 6, 7, 2, 0], [1, 8, 4, 9, 5, 2]])


def model(causal: bool) -> LanguageModel:
    torch.manual_seed(0)
    return LanguageModel(10, causal, layers=2, d_model=8, heads=2).eval()


@torch.no_grad()
@pytest.mark.parametrize("causal", [True, False])
def test_who_sees_what_comes_later(causal: bool) -> None:
    changed = TOKENS.clone()
    changed[:, 3] = 4
    before, after = model(causal)(TOKENS), model(causal)(changed)
    differs = (before - after).abs().amax(-1) > 1e-6
    assert bool(differs[:, 3].all())
    assert bool(differs[:, :3].any()) is not causal


@torch.no_grad()
def test_padding_is_seen_by_no_one() -> None:
    whole, short = model(False)(TOKENS[:1]), model(False)(TOKENS[:1, :5])
    assert torch.allclose(whole[:, :5], short, atol=1e-6)


def test_the_losses_by_hand() -> None:
    logits = model(True)(TOKENS[:, :-1])
    surprises = [
        F.cross_entropy(logits[row, place], TOKENS[row, place + 1])
        for row in range(2)
        for place in range(5)
        if TOKENS[row, place + 1] != 0
    ]
    assert torch.allclose(foresee_loss(model(True), TOKENS), torch.stack(surprises).mean())

    hidden = torch.zeros_like(TOKENS, dtype=torch.bool)
    hidden[1, 2] = True
    shown = TOKENS.clone()
    shown[1, 2] = GAP
    expected = F.cross_entropy(model(False)(shown)[1, 2], TOKENS[1, 2])
    assert torch.allclose(fill_loss(model(False), TOKENS, hidden), expected)


def test_what_may_be_hidden() -> None:
    draw = torch.Generator().manual_seed(0)
    for share in (1e-9, 0.5, 1.0):
        hidden = hide(TOKENS, share, draw)
        assert bool(hidden.any())
        assert bool((TOKENS[hidden] > GAP).all())
    many = torch.full((100, 100), 7)
    assert hide(many, 0.2, draw).float().mean().item() == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("share", [0.0, -1.0, 1.5])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=f"got {share}"):
        hide(TOKENS, share, torch.Generator())


def test_a_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no token is next to another, of shape \(2, 0\)"):
        foresee_loss(model(True), TOKENS[:, :1])
    with pytest.raises(ValueError, match=r"no token is hidden, of shape \(2, 6\)"):
        fill_loss(model(False), TOKENS, torch.zeros_like(TOKENS, dtype=torch.bool))


def test_nothing_to_hide_and_unknown_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="got 0"):
        hide(torch.tensor([[1, 2, 0]]), 0.5, torch.Generator())
    with pytest.raises(ValueError, match="10"):
        model(True)(torch.tensor([[1, 10]]))
