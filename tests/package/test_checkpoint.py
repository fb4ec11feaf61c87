"""A training taken up again equals one that never stopped; files that do not fit are refused."""

import copy
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from contextbook.training import (
    Checkpoint,
    History,
    ShuffledBatches,
    Validation,
    best_device,
    inverse_sqrt_decay,
    linear_decay,
    seeded,
    train,
)

STEPS = 60

Trained = tuple[nn.Module, History]


class Interrupted(Exception):
    """Stands for a power cut."""


def training(
    checkpoint: Checkpoint,
    *,
    seed: int = 0,
    break_at: int | None = None,
    device: torch.device | str = "cpu",
    patience: int | None = None,
    width: int = 8,
    examples: int = 50,
    steps: int = STEPS,
    dropout: nn.Module | None = None,
    **settings: Any,
) -> Trained:
    """Train a net with dropout and batch norm, on batches and on noise; perhaps interrupt it.

    ``seed`` sets everything but the data.
    """
    inputs = torch.randn(examples, 4, generator=torch.Generator().manual_seed(0)).to(device)
    generator = seeded(seed)
    model = nn.Sequential(
        nn.Linear(4, width),
        nn.BatchNorm1d(width),
        dropout or nn.Dropout(0.3),
        nn.Linear(width, 1),
    ).to(device)
    calls = []

    def loss(ids):
        noise = 0.1 * torch.randn(len(ids), 4, generator=generator).to(device)
        calls.append(ids)
        if len(calls) == break_at:
            raise Interrupted
        return F.mse_loss(model(inputs[ids] + noise)[:, 0], inputs[ids].sum(-1))

    def measure():
        drawn = torch.randn(20, 4, generator=generator).to(device)  # draws between the batches
        error = F.mse_loss(model(drawn)[:, 0], drawn.sum(-1))
        return {"error": error, "size": model[0].weight.norm()}

    usual = {
        "learning_rate": 0.03,
        "optimizer": torch.optim.AdamW,
        "schedule": inverse_sqrt_decay(5),
        "clip_norm": 1.0,
        "generator": generator,
        "batches": ShuffledBatches(examples, 16, generator),
        "validation": Validation(measure, every=5, patience=patience),
    }
    history = train(model, loss, steps, checkpoint=checkpoint, **{**usual, **settings})
    return model, history


def assert_same(one: Trained, other: Trained) -> None:
    """Bit for bit: no tolerance."""
    assert asdict(one[1]) == asdict(other[1])
    ours, theirs = one[0].state_dict(), other[0].state_dict()
    assert list(ours) == list(theirs)
    for name in ours:
        assert torch.equal(ours[name], theirs[name]), name


def interrupted(path: Path, break_at: int, **settings: Any) -> None:
    with pytest.raises(Interrupted):
        training(Checkpoint(path, every=7), break_at=break_at, **settings)


def resumed(path: Path, **settings: Any) -> Trained:
    # as in another process: other weights, other generators, before the file is read
    return training(Checkpoint(path, every=7, resume=True), seed=5, **settings)


@pytest.mark.parametrize("patience", [None, 2])
@pytest.mark.parametrize("break_at", [8, 14, 15, 16])
def test_interrupted_training_ends_like_one_that_never_stopped(tmp_path, break_at, patience):
    whole = training(Checkpoint(tmp_path / "whole.pt"), patience=patience)
    assert (len(whole[1].steps) < STEPS) == (patience is not None)  # stopped early
    path = tmp_path / "cut.pt"
    interrupted(path, break_at, patience=patience)
    assert_same(resumed(path, patience=patience), whole)
    assert [file.name for file in tmp_path.glob("*.part")] == []


def test_resuming_twice_is_resuming(tmp_path):
    whole = training(Checkpoint(tmp_path / "whole.pt"))
    path = tmp_path / "cut.pt"
    interrupted(path, 20)
    with pytest.raises(Interrupted):
        resumed(path, break_at=22)
    assert_same(resumed(path), whole)


@pytest.mark.parametrize("patience", [None, 2])
def test_finished_training_is_given_back_without_another_step(tmp_path, patience):
    path = tmp_path / "run.pt"
    whole = training(Checkpoint(path), patience=patience)
    assert_same(resumed(path, patience=patience, break_at=1), whole)


def test_more_steps_go_on_where_fewer_ended(tmp_path):
    whole = training(Checkpoint(tmp_path / "whole.pt"))
    path = tmp_path / "short.pt"
    training(Checkpoint(path), steps=23)
    assert_same(resumed(path), whole)


def test_without_resume_a_training_begins_anew(tmp_path):
    path = tmp_path / "deep" / "run.pt"
    first = training(Checkpoint(path))
    assert_same(training(Checkpoint(path)), first)
    assert first[1].steps == list(range(1, STEPS + 1))


def test_training_without_the_extras_resumes_too(tmp_path):
    plain = {"schedule": None, "clip_norm": None, "validation": None}
    whole = training(Checkpoint(tmp_path / "whole.pt"), **plain)
    path = tmp_path / "cut.pt"
    interrupted(path, 30, **plain)
    assert_same(resumed(path, **plain), whole)


def test_loss_that_draws_for_itself_resumes_too(tmp_path):
    def draw(checkpoint: Checkpoint, seed: int, break_at: int | None = None) -> Trained:
        generator = seeded(seed)
        model = nn.Linear(3, 1)
        calls = []

        def loss():
            calls.append(1)
            if len(calls) == break_at:
                raise Interrupted
            inputs = torch.randn(8, 3, generator=generator)
            return F.mse_loss(model(inputs)[:, 0], inputs.sum(-1))

        return model, train(model, loss, 20, 0.1, generator=generator, checkpoint=checkpoint)

    whole = draw(Checkpoint(tmp_path / "whole.pt"), 0)
    path = tmp_path / "cut.pt"
    with pytest.raises(Interrupted):
        draw(Checkpoint(path, every=3), 0, break_at=11)
    assert_same(draw(Checkpoint(path, resume=True), 5), whole)


def test_file_holds_tensors_and_plain_values_only(tmp_path):
    path = tmp_path / "run.pt"
    model, history = training(Checkpoint(path), patience=2)
    state = torch.load(path, weights_only=True)
    assert state["history"] == asdict(history)
    best = history.validation["error"].index(min(history.validation["error"]))
    assert state["best"]["step"] == history.validation_steps[best]
    assert torch.equal(state["best"]["weights"]["0.weight"], model[0].weight)


# --- a write that fails ---


def test_failed_write_leaves_the_older_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "run.pt"
    interrupted(path, 10)
    older = path.read_bytes()

    def full_disk(state, file):
        Path(file).write_bytes(b"half")
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", full_disk)
        with pytest.raises(OSError, match="no space left"):
            resumed(path)
    assert path.read_bytes() == older
    assert list(tmp_path.iterdir()) == [path]
    assert_same(resumed(path), training(Checkpoint(tmp_path / "whole.pt")))


# --- files that are of no use ---


def damage(kind: str, content: bytes) -> bytes:
    half = len(content) // 2
    return {
        "empty": b"",
        "cut short": content[:half],
        "text": b"loss: 0.1\n" * 50,
    }[kind]


@pytest.mark.parametrize("kind", ["empty", "cut short", "text"])
def test_damaged_file_is_named(tmp_path, kind):
    path = tmp_path / "run.pt"
    interrupted(path, 10)
    path.write_bytes(damage(kind, path.read_bytes()))
    with pytest.raises(ValueError, match=r"run\.pt cannot be read as a checkpoint"):
        resumed(path)


def test_a_flipped_bit_in_a_weight_is_noticed(tmp_path):
    path = tmp_path / "run.pt"
    interrupted(path, 10)
    weight = torch.load(path, weights_only=True)["model"]["0.weight"].numpy().tobytes()
    content = bytearray(path.read_bytes())
    assert content.count(weight) == 1
    content[content.index(weight) + 5] ^= 1
    path.write_bytes(content)
    assert torch.load(path, weights_only=True)  # torch does not notice
    with pytest.raises(ValueError, match=r"run\.pt cannot be read as a checkpoint \(BadZipFile\)"):
        resumed(path)


def test_file_that_would_run_code_is_not_read(tmp_path):
    path = tmp_path / "run.pt"
    torch.save({"format": partial(print, "run")}, path)
    with pytest.raises(ValueError, match="UnpicklingError"):
        resumed(path)


def test_missing_and_foreign_files_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"no checkpoint .*none\.pt: train without resume"):
        resumed(tmp_path / "none.pt")
    torch.save(nn.Linear(2, 2).state_dict(), tmp_path / "weights.pt")
    with pytest.raises(ValueError, match=r"weights\.pt holds no training of this book"):
        resumed(tmp_path / "weights.pt")
    with pytest.raises(ValueError, match="every must be at least 1 step, got 0"):
        Checkpoint(tmp_path / "run.pt", every=0)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"width": 9}, r"shapes: 0\.weight was \(8, 4\) torch.float32 and is \(9, 4\).*4 more"),
        ({"clip_norm": 5.0}, "settings: clip_norm was 1.0 and is 5.0: resume with"),
        ({"clip_norm": None}, "clip_norm was 1.0 and is None"),
        ({"optimizer": torch.optim.Adam}, "optimizer was AdamW and is Adam"),
        (
            {"optimizer": partial(torch.optim.AdamW, weight_decay=0.5)},
            "group 0: weight_decay was 0.01 and is 0.5",
        ),
        ({"learning_rate": 0.1}, "group 0: lr was 0.03 and is 0.1"),
        ({"schedule": inverse_sqrt_decay(9)}, "another schedule: the learning rate at step 1 was"),
        ({"schedule": linear_decay(STEPS, 5)}, "another schedule: the learning rate at step 6"),
        ({"patience": 3}, "validation.patience was None and is 3"),
        ({"validation": None}, "validation was True and is False"),
        ({"generator": None}, "generator was on cpu and is None"),
        ({"batches": None}, "batches was ShuffledBatches and is None"),
        ({"examples": 49}, "dealt from 50 examples by 16, and are now from 49 by 16"),
        ({"steps": 6}, "at step 14, beyond the 6 steps asked for"),
        ({"dropout": nn.Dropout(0.5)}, "by its parts: 2: p was 0.3 and is 0.5: resume with"),
        ({"dropout": nn.AlphaDropout(0.3)}, "parts: 2: class was Dropout and is AlphaDropout"),
    ],
)
def test_file_of_another_training_is_named_and_changes_nothing(tmp_path, other, message):
    path = tmp_path / "run.pt"
    interrupted(path, 16)
    content = path.read_bytes()
    torch.manual_seed(3)
    with pytest.raises(ValueError, match=message):
        resumed(path, **other)
    assert path.read_bytes() == content


def test_what_a_module_counts_for_itself_may_differ(tmp_path):
    class Counting(nn.Module):
        def __init__(self, size: int) -> None:
            super().__init__()
            self.size, self.calls = size, 0

        def forward(self, x):
            self.calls += 1
            return x * self.size

    path = tmp_path / "run.pt"
    whole = training(Checkpoint(tmp_path / "whole.pt"), dropout=Counting(2))
    interrupted(path, 16, dropout=Counting(2))
    assert_same(resumed(path, dropout=Counting(2)), whole)
    with pytest.raises(ValueError, match="2: size was 2 and is 3"):
        resumed(path, dropout=Counting(3))


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what a checkpoint holds."""
    state = torch.load(path, weights_only=True)
    change(state)
    torch.save(state, path)


class OtherTorch(torch.optim.AdamW):
    """AdamW as another version of torch may have it: with one setting more."""

    def __init__(self, params: Any, lr: float, newer: int = 0) -> None:
        super().__init__(params, lr)
        for group in self.param_groups:
            group |= {"newer": newer, "fixed": True}


OtherTorch.__name__ = "AdamW"


@pytest.mark.parametrize("saver", [torch.optim.AdamW, OtherTorch])
def test_a_setting_that_one_version_of_torch_lacks_may_have_its_default(tmp_path, saver):
    whole = training(Checkpoint(tmp_path / "whole.pt"))
    path = tmp_path / "run.pt"
    interrupted(path, 16, optimizer=saver)
    (other,) = {torch.optim.AdamW, OtherTorch} - {saver}
    assert_same(resumed(path, optimizer=other), whole)
    changed = partial(OtherTorch, newer=3)
    interrupted(path, 16, optimizer=changed if saver is OtherTorch else saver)
    with pytest.raises(ValueError, match=r"group 0: newer was (3 and is not there|not there and)"):
        resumed(path, optimizer=torch.optim.AdamW if saver is OtherTorch else changed)


def test_a_file_from_before_the_parts_were_kept_goes_on(tmp_path):
    path = tmp_path / "run.pt"
    whole = training(Checkpoint(tmp_path / "whole.pt"))
    interrupted(path, 16)
    rewrite(path, lambda state: [state.pop(name) for name in ("model_parts", "usual")])
    assert_same(resumed(path), whole)


def test_refused_file_leaves_model_and_generators_as_they_were(tmp_path):
    path = tmp_path / "run.pt"
    interrupted(path, 16)
    generator = seeded(1)
    model = nn.Linear(4, 1)
    before = copy.deepcopy(model.state_dict()), generator.get_state(), torch.get_rng_state()
    with pytest.raises(ValueError, match="shapes"):
        train(
            model,
            lambda: model(torch.ones(4)).sum(),
            90,
            generator=generator,
            checkpoint=Checkpoint(path, resume=True),
        )
    assert all(torch.equal(before[0][name], model.state_dict()[name]) for name in before[0])
    assert torch.equal(before[1], generator.get_state())
    assert torch.equal(before[2], torch.get_rng_state())


# --- devices ---


@pytest.mark.skipif(best_device().type == "cpu", reason="needs a GPU (CUDA or MPS)")
def test_training_on_a_gpu_resumes_bit_for_bit(tmp_path):
    there = {"device": best_device(), "patience": 2}
    whole = training(Checkpoint(tmp_path / "whole.pt"), **there)
    path = tmp_path / "cut.pt"
    interrupted(path, 15, **there)
    assert_same(resumed(path, **there), whole)
