"""Whether a saved training and the one that would take it up are the same."""

import math
import os
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from contextbook.training.run import History, Run

PLAIN = (bool, int, float, str, tuple, type(None))


def settings_of(run: Run) -> dict[str, Any]:
    """Write down all that must stay the same when a training is taken up again, in plain values.

    The schedule is a function and is not here: :func:`check_learning_rates` compares what it did.
    """
    settings: dict[str, Any] = {
        "optimizer": type(run.optimizer).__name__,
        "clip_norm": run.clip_norm,
        "generator": None if run.generator is None else f"on {run.generator.device.type}",
        "batches": None if run.batches is None else type(run.batches).__name__,
        "validation": run.validation is not None,
    }
    if run.validation is not None:
        for name in ("every", "patience", "higher_is_better"):
            settings[f"validation.{name}"] = getattr(run.validation, name)
    groups = zip(run.optimizer.param_groups, run.full_rates, strict=True)
    for number, (group, rate) in enumerate(groups):
        # the schedule changes "lr": what counts is the rate before it
        plain = {key: value for key, value in group.items() if isinstance(value, PLAIN)}
        for key, value in {**plain, "lr": rate, "parameters": len(group["params"])}.items():
            settings[f"optimizer group {number}: {key}"] = value
    return settings


def shapes_of(model: nn.Module) -> dict[str, Any]:
    """Write down the shape and type of each tensor of a model."""
    return {
        name: f"{tuple(tensor.shape)} {tensor.dtype}"
        for name, tensor in model.state_dict().items()
        if isinstance(tensor, Tensor)
    }


def check_same(
    kind: str, saved: Mapping[str, Any], own: Mapping[str, Any], path: str | os.PathLike[str]
) -> None:
    """Check that two tables agree.

    Raises:
        ValueError: they differ; the first three differences are named.
    """
    other = [
        f"{name} was {saved.get(name, 'not there')} and is {own.get(name, 'not there')}"
        for name in {**saved, **own}
        if name not in saved or name not in own or saved[name] != own[name]
    ]
    if other:
        more = f" and {len(other) - 3} more" if len(other) > 3 else ""
        raise ValueError(
            f"{path} is of another training, by its {kind}s: {'; '.join(other[:3])}{more}: resume "
            "with what it was made with, or train anew without resume"
        )


def check_learning_rates(history: History, run: Run, path: str | os.PathLike[str]) -> None:
    """Check that the schedule would have done what was done so far.

    Raises:
        ValueError: it would not.
    """
    for step, was in zip(history.steps, history.learning_rate, strict=True):
        now = run.learning_rates(step)[0]
        if not math.isclose(was, now, rel_tol=1e-9):
            raise ValueError(
                f"{path} was trained with another schedule: the learning rate at step {step} was "
                f"{was:g} and would be {now:g}: resume with the same schedule and number of steps"
            )
