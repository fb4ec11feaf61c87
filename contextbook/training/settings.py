"""Whether a saved training and the one that would take it up are the same."""

import inspect
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


def parts_of(model: nn.Module) -> dict[str, Any]:
    """Write down of each module its class, and the plain values that it was made with.

    These are the arguments of its class that it keeps under their names. Other values that a module
    keeps, such as a counter, may change in training.
    """
    parts: dict[str, Any] = {}
    for name, module in model.named_modules():
        stem = name or "the model"
        parts[f"{stem}: class"] = type(module).__name__
        for key in _kept(module):
            parts[f"{stem}: {key}"] = vars(module)[key]
    return {name: value for name, value in parts.items() if _is_plain(value)}


def usual_of(run: Run) -> dict[str, Any]:
    """Write down the defaults of what :func:`settings_of` and :func:`parts_of` name.

    Another version of torch may know settings that this one does not, and at its default a setting
    changes nothing. What an optimizer has without being given it is fixed by its class.
    """
    usual: dict[str, Any] = {}
    defaults = _arguments(type(run.optimizer))
    for number, group in enumerate(run.optimizer.param_groups):
        for key, value in group.items():
            usual[f"optimizer group {number}: {key}"] = defaults.get(key, value)
    for name, module in run.model.named_modules():
        for key, default in _kept(module).items():
            usual[f"{name or 'the model'}: {key}"] = default
    return {name: value for name, value in usual.items() if _is_plain(value)}


def _kept(module: nn.Module) -> dict[str, Any]:
    """The arguments that a module keeps under their names, with their defaults."""
    arguments = _arguments(*type(module).__mro__)
    return {key: default for key, default in arguments.items() if key in vars(module)}


def _arguments(*kinds: type) -> dict[str, Any]:
    """Names of what classes are made with, and the defaults; the first class counts most."""
    found: dict[str, Any] = {}
    for kind in reversed(kinds):
        made_by = vars(kind).get("__init__")
        if inspect.isfunction(made_by):
            parameters = inspect.signature(made_by).parameters.values()
            found |= {parameter.name: parameter.default for parameter in parameters}
    return found


def _is_plain(value: object) -> bool:
    """Whether a file that is read with ``weights_only=True`` may hold it."""
    return all(map(_is_plain, value)) if type(value) is tuple else type(value) in PLAIN


def shapes_of(model: nn.Module) -> dict[str, Any]:
    """Write down the shape and type of each tensor of a model."""
    return {
        name: f"{tuple(tensor.shape)} {tensor.dtype}"
        for name, tensor in model.state_dict().items()
        if isinstance(tensor, Tensor)
    }


def check_same(
    kind: str,
    saved: Mapping[str, Any],
    own: Mapping[str, Any],
    path: str | os.PathLike[str],
    usual: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
) -> None:
    """Check that two tables agree.

    Args:
        kind: what they name.
        saved: the table of the file.
        own: that of the training which would go on.
        path: of the file.
        usual: the defaults of either: what only one table names may be missing at its default.

    Raises:
        ValueError: they differ; the first three differences are named.
    """
    saved, own = _unusual(saved, own, usual[0]), _unusual(own, saved, usual[1])
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


def _unusual(
    table: Mapping[str, Any], other: Mapping[str, Any], usual: Mapping[str, Any]
) -> dict[str, Any]:
    """The table without what it alone names and has at its default."""
    return {
        name: value
        for name, value in table.items()
        if name in other or name not in usual or value != usual[name]
    }


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
