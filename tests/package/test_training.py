"""The training loop: what it does at each step, its schedules, clipping, early stop and history."""

import math
import time
from functools import partial

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from contextbook import progress
from contextbook.experiments.provenance import reached_definitions
from contextbook.training import (
    ShuffledBatches,
    Validation,
    constant,
    linear_decay,
    seeded,
    train,
)


def line(seed: int = 0, count: int = 32) -> tuple[nn.Linear, torch.Tensor, torch.Tensor]:
    """A linear model, and points of a plane with noise."""
    generator = seeded(seed)
    inputs = torch.randn(count, 3, generator=generator)
    targets = inputs @ torch.tensor([1.0, -2.0, 0.5]) + 0.1 * torch.randn(
        count, generator=generator
    )
    return nn.Linear(3, 1), inputs, targets


def loss_of(model: nn.Module, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return F.mse_loss(model(inputs)[:, 0], targets)


# --- the loop ---


def test_simple_call_is_adam_written_out():
    model, inputs, targets = line()
    history = train(model, lambda: loss_of(model, inputs, targets), 20, 0.05)

    twin, _, _ = line()
    adam = torch.optim.Adam(twin.parameters(), lr=0.05)
    losses = []
    for _ in range(20):
        adam.zero_grad()
        value = loss_of(twin, inputs, targets)
        value.backward()
        adam.step()
        losses.append(value.item())
    assert history.loss == losses
    assert torch.equal(model.weight, twin.weight)
    assert history.steps == list(range(1, 21))
    assert history.learning_rate == [0.05] * 20
    assert losses[-1] < losses[0] / 2


def test_everything_at_once_is_adamw_written_out():
    model, inputs, targets = line()
    maker = partial(torch.optim.AdamW, weight_decay=0.3)
    generator = seeded(1)
    history = train(
        model,
        lambda ids: loss_of(model, inputs[ids], targets[ids]),
        12,
        0.1,
        optimizer=maker,
        schedule=linear_decay(12, warmup=4),
        clip_norm=0.7,
        batches=ShuffledBatches(32, 10, generator),
    )

    twin, _, _ = line()
    adam = maker(twin.parameters(), lr=0.1)
    batches = ShuffledBatches(32, 10, seeded(1))
    for step in range(1, 13):
        adam.param_groups[0]["lr"] = 0.1 * min(step / 4, (13 - step) / 9)
        ids = next(batches)
        adam.zero_grad()
        loss_of(twin, inputs[ids], targets[ids]).backward()
        norm = nn.utils.clip_grad_norm_(twin.parameters(), 0.7)
        assert history.gradient_norm[step - 1] == pytest.approx(norm.item(), rel=1e-5)
        adam.step()
    assert max(history.gradient_norm) > 0.7  # something was clipped
    torch.testing.assert_close(model.weight, twin.weight, rtol=1e-5, atol=1e-6)


def test_groups_of_parameters_keep_their_ratio_under_a_schedule():
    model, inputs, targets = line()
    made = []

    def maker(parameters, lr):
        weight, bias = parameters
        groups = [{"params": [weight]}, {"params": [bias], "lr": lr / 10}]
        made.append(torch.optim.SGD(groups, lr=lr))
        return made[0]

    history = train(
        model,
        lambda: loss_of(model, inputs, targets),
        4,
        0.1,
        optimizer=maker,
        schedule=constant(warmup=8),
    )
    assert history.learning_rate == pytest.approx([0.1 * n / 8 for n in range(1, 5)])
    assert [group["lr"] for group in made[0].param_groups] == pytest.approx([0.05, 0.005])


@pytest.mark.parametrize("bad_step", [1, 4])
def test_loss_that_is_not_finite_names_step_and_mend(bad_step):
    model, inputs, targets = line()
    calls = []

    def loss():
        calls.append(1)
        value = loss_of(model, inputs, targets)
        return value * math.nan if len(calls) == bad_step else value

    mend = "look at the data" if bad_step == 1 else r"lower the learning rate \(now 0.01\)"
    with pytest.raises(ValueError, match=f"loss is nan at step {bad_step}: .*{mend}"):
        train(model, loss, 9, 0.01)
    assert model.weight.isfinite().all()


@pytest.mark.parametrize("clip_norm", [None, 1.0])
def test_gradient_that_is_not_finite_leaves_the_weights_alone(clip_norm):
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)  # √0 is 0, and its slope is infinite
    with pytest.raises(ValueError, match="length of the gradient is inf at step 1"):
        train(model, lambda: model.weight.sum().sqrt(), 3, clip_norm=clip_norm)
    assert model.weight.item() == 0.0


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (lambda model: model(torch.ones(2, 3)), r"scalar tensor, got shape \(2, 1\)"),
        (lambda model: 0.5, "scalar tensor, got 0.5"),
        (lambda model: model(torch.ones(3)).sum().detach(), "does not depend on the model"),
        (lambda model: torch.ones((), requires_grad=True) * 2, "no parameter has a gradient"),
    ],
)
def test_loss_of_no_use_is_refused(loss, message):
    model, _, _ = line()
    with pytest.raises(ValueError, match=message):
        train(model, lambda: loss(model), 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 0}, "steps must be at least 1, got 0"),
        ({"steps": 1, "clip_norm": 0.0}, "clip_norm must be more than 0, got 0.0"),
        ({"steps": 1, "clip_norm": math.nan}, "clip_norm must be more than 0, got nan"),
        ({"steps": 1, "schedule": lambda step: -1.0}, "schedule gives -1.0 at step 1"),
        ({"steps": 9, "schedule": linear_decay(5)}, "fallen to 0 after 5 steps, .* step 6"),
    ],
)
def test_setting_out_of_range_is_named(settings, message):
    model, inputs, targets = line()
    with pytest.raises(ValueError, match=message):
        train(model, lambda: loss_of(model, inputs, targets), **settings)


def test_training_that_uses_nothing_else_stands_on_nothing_else():
    reached = {module for module, _ in reached_definitions("contextbook.training", "train")}
    assert "contextbook.training.clipping" in reached
    assert "contextbook.training.run" in reached
    for unused in ("checkpoint", "settings", "seeds", "schedules", "validation", "batches"):
        assert f"contextbook.training.{unused}" not in reached


# --- the bar ---


def slow_training() -> None:
    model, inputs, targets = line()

    def loss():
        time.sleep(0.12)  # the bar draws itself every tenth of a second
        return loss_of(model, inputs, targets) * 0 + 1.25

    train(model, loss, 4)


def test_bar_shows_the_loss(monkeypatch, capsys):
    monkeypatch.delenv("CONTEXTBOOK_PROGRESS", raising=False)
    monkeypatch.setattr(progress, "SHOW_AFTER_SECONDS", 0.0)
    slow_training()
    shown = capsys.readouterr().err
    assert "training" in shown
    assert "loss 1.25" in shown


def test_bar_is_silent_when_asked(monkeypatch, capsys):
    monkeypatch.setenv("CONTEXTBOOK_PROGRESS", "off")
    monkeypatch.setattr(progress, "SHOW_AFTER_SECONDS", 0.0)
    slow_training()
    shown = capsys.readouterr()
    assert shown.out == shown.err == ""


# --- validation ---


@pytest.mark.parametrize("higher", [False, True])
def test_early_stop_brings_the_best_weights_back(higher):
    model, inputs, targets = line()
    weights, modes = [], []
    falling = [5.0, 3.0, 4.0, 2.0, 2.0, 6.0, 7.0, 1.0]

    def measure():
        modes.append((model.training, torch.is_grad_enabled()))
        weights.append(model.weight.detach().clone())
        value = falling[len(weights) - 1]
        return {"score": -value if higher else value, "other": torch.tensor(0.5)}

    history = train(
        model,
        lambda: loss_of(model, inputs, targets),
        100,
        0.05,
        validation=Validation(measure, every=3, patience=3, higher_is_better=higher),
    )
    assert history.validation_steps == [3, 6, 9, 12, 15, 18, 21]  # best at 12, then three worse
    sign = -1 if higher else 1
    assert history.validation["score"] == [sign * value for value in falling[:7]]
    assert history.validation["other"] == [0.5] * 7
    assert history.steps[-1] == 21
    assert torch.equal(model.weight, weights[3])
    assert not torch.equal(model.weight, weights[-1])
    assert set(modes) == {(False, False)}
    assert model.training


def test_without_patience_the_last_weights_stay():
    model, inputs, targets = line()
    seen = []

    def measure():
        seen.append(model.weight.detach().clone())
        return {"loss": float(len(seen))}

    history = train(
        model,
        lambda: loss_of(model, inputs, targets),
        6,
        validation=Validation(measure, every=2),
    )
    assert history.validation == {"loss": [1.0, 2.0, 3.0]}
    assert torch.equal(model.weight, seen[-1])


def test_best_weights_come_back_when_all_steps_are_taken():
    model, inputs, targets = line()
    seen = []

    def measure():
        seen.append(model.weight.detach().clone())
        return {"loss": float(len(seen))}

    look = Validation(measure, every=2, patience=50)
    assert len(train(model, lambda: loss_of(model, inputs, targets), 6, validation=look).steps) == 6
    assert torch.equal(model.weight, seen[0])


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ([{}], "at least one measure"),
        ([{"loss": math.nan}], "'loss' is NaN at step 1"),
        ([{"loss": 1.0}, {"bleu": 1.0}], r"got \['bleu'\], before \['loss'\]"),
    ],
)
def test_measures_of_no_use_are_refused(measures, message):
    model, inputs, targets = line()
    given = iter(measures)
    look = Validation(lambda: next(given), every=1)
    with pytest.raises(ValueError, match=message):
        train(model, lambda: loss_of(model, inputs, targets), 5, validation=look)
    assert model.training
