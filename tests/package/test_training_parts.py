"""What a training is given: clipping, schedules, batches, seeds, a device."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from contextbook.training import (
    ShuffledBatches,
    Validation,
    best_device,
    clip_gradients,
    constant,
    gradient_norm,
    inverse_sqrt_decay,
    linear_decay,
    seeded,
)
from contextbook.training.seeds import random_state, set_random_state

# --- clipping ---


@settings(deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.floats(0.01, 20), st.integers(0, 99))
def test_clipping_equals_pytorch(sizes, max_norm, seed):
    generator = torch.Generator().manual_seed(seed)
    ours, theirs = [], []
    for size in sizes:
        gradient = 3 * torch.randn(size, 2, generator=generator, dtype=torch.float64)
        for twins in (ours, theirs):
            twins.append(nn.Parameter(torch.zeros_like(gradient)))
            twins[-1].grad = gradient.clone()
    for twins in (ours, theirs):
        twins.append(nn.Parameter(torch.zeros(3)))  # frozen: it has no gradient
    norm = clip_gradients(iter(ours), max_norm)
    torch.testing.assert_close(norm, nn.utils.clip_grad_norm_(theirs, max_norm))
    for mine, reference in zip(ours[:-1], theirs[:-1], strict=True):
        torch.testing.assert_close(mine.grad, reference.grad)
    assert gradient_norm(ours) <= max_norm * (1 + 1e-9)


# --- schedules ---


def test_schedules_follow_their_formulas():
    steps = range(1, 11)
    assert [constant()(n) for n in steps] == [1.0] * 10
    assert [constant(4)(n) for n in steps] == [0.25, 0.5, 0.75, *[1.0] * 7]
    assert [linear_decay(10)(n) for n in steps] == pytest.approx([n / 10 for n in range(10, 0, -1)])
    warm = [linear_decay(10, warmup=2)(n) for n in steps]
    assert warm == pytest.approx([1 / 2, *[n / 9 for n in range(9, 0, -1)]])
    root = [inverse_sqrt_decay(4)(n) for n in (1, 2, 4, 16, 64)]
    assert root == pytest.approx([0.25, 0.5, 1.0, 0.5, 0.25])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: constant(-1), "warmup must be 0 or more, got -1"),
        (lambda: inverse_sqrt_decay(-2), "warmup must be 0 or more, got -2"),
        (lambda: linear_decay(5, warmup=5), r"warm-up \(5\) must be shorter than .* \(5\)"),
        (lambda: Validation(dict, every=0), "at least 1, got 0 and None"),
        (lambda: Validation(dict, patience=0), "at least 1, got 100 and 0"),
        (lambda: ShuffledBatches(0, 4, seeded(0)), "size 0 and batch_size 4"),
    ],
)
def test_parts_refuse_what_makes_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# --- where it starts ---


def test_seeded_repeats_model_and_data_which_do_not_share_their_numbers():
    def start(seed):
        generator = seeded(seed)
        return torch.randn(8), torch.randn(8, generator=generator)

    model, data = start(3)
    again_model, again_data = start(3)
    assert torch.equal(model, again_model)
    assert torch.equal(data, again_data)
    assert not torch.equal(model, data)
    assert not torch.equal(data, start(4)[1])


def test_shuffled_batches_deal_each_example_once_a_pass():
    batches = ShuffledBatches(10, 4, seeded(0))
    passes = [torch.cat([next(batches) for _ in range(3)]).tolist() for _ in range(2)]
    assert all(sorted(dealt) == list(range(10)) for dealt in passes)
    assert passes[0] != passes[1]
    assert [len(ids) for ids, _ in zip(batches, range(4), strict=False)] == [4, 4, 2, 4]


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_best_device_takes_the_fastest(monkeypatch, cuda, mps, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert best_device() == torch.device(expected)


@pytest.mark.parametrize("kind", ["cuda", "mps"])
def test_random_state_of_a_gpu_is_kept_with_the_cpus(monkeypatch, kind):
    """On a machine without that GPU its two functions are played."""
    memory = {"state": torch.tensor([1, 2], dtype=torch.uint8)}
    home = getattr(torch, kind)
    monkeypatch.setattr(home, "get_rng_state", lambda *device: memory["state"].clone())
    monkeypatch.setattr(
        home, "set_rng_state", lambda state, *device: memory.__setitem__("state", state)
    )
    device = torch.device(kind)
    saved = random_state(device)
    assert set(saved) == {"cpu", kind}
    drawn = torch.rand(3)
    memory["state"] = torch.zeros(2, dtype=torch.uint8)
    set_random_state(saved, device)
    assert memory["state"].tolist() == [1, 2]
    assert torch.equal(torch.rand(3), drawn)

    set_random_state({"cpu": saved["cpu"]}, device)  # saved where there was no GPU
    assert memory["state"].tolist() == [1, 2]
    assert torch.equal(torch.rand(3), drawn)
