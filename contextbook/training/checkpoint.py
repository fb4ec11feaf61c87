"""A training written to disk, to be taken up again as if it had never stopped."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

import torch

from contextbook.training.run import Best, History, Run
from contextbook.training.seeds import random_state, set_random_state
from contextbook.training.settings import (
    check_learning_rates,
    check_same,
    parts_of,
    settings_of,
    shapes_of,
    usual_of,
)
from contextbook.writing import replacing

FORMAT = "contextbook training, format 1"


@dataclass(frozen=True)
class Checkpoint:
    """Where a training is saved, how often, and whether it goes on from there.

    A file holds the weights, the optimizer, the generators, the batches and the history: tensors
    and plain values only, read with ``weights_only=True``, so that it cannot run code. It is
    written beside its place and then moved there: an interruption leaves the older one whole.

    A training goes on with the same model and settings only. Of a module's own settings those are
    compared that it takes when it is made and keeps under the same name as a plain value, such as
    the number of heads or the share of a dropout.

    Args:
        path: the file; missing folders are made. A training that does not resume replaces it.
        every: steps between two saves; the end is saved too.
        resume: go on from the file, which must exist (``resume=path.exists()`` begins or goes on).

    Raises:
        ValueError: ``every`` is less than 1.
    """

    path: str | os.PathLike[str]
    every: int = 100
    resume: bool = False

    def __post_init__(self) -> None:
        """Check the interval."""
        if self.every < 1:
            raise ValueError(f"every must be at least 1 step, got {self.every}")

    def save(self, run: Run) -> None:
        """Write a run as it stands after an update."""
        best = run.best
        state = {
            "format": FORMAT,
            "settings": settings_of(run),
            "model_parts": parts_of(run.model),
            "usual": usual_of(run),
            "model_shapes": shapes_of(run.model),
            "model": run.model.state_dict(),
            "optimizer": run.optimizer.state_dict(),
            "generator": None if run.generator is None else run.generator.get_state(),
            "torch_generators": random_state(_device(run)),
            "batches": None if run.batches is None else run.batches.state_dict(),
            "history": asdict(run.history),
            # a dict of its own: dataclasses.asdict would copy every weight once more
            "best": best and {"value": best.value, "step": best.step, "weights": best.weights},
        }
        with replacing(self.path) as unfinished:
            torch.save(state, unfinished)

    def load(self, run: Run, steps: int) -> None:
        """Bring a fresh run to where the saved one stood.

        Args:
            run: changed in place, once the file has passed all checks.
            steps: number of updates wanted in all.

        Raises:
            ValueError: the file is missing, cannot be read, or is of another model, other settings
                or a training that is already beyond ``steps``.
        """
        state = _read(Path(self.path))
        check_same("shape", state["model_shapes"], shapes_of(run.model), self.path)
        parts, usual = parts_of(run.model), (state.get("usual", {}), usual_of(run))
        # an older file knows nothing of the parts
        check_same("part", state.get("model_parts", parts), parts, self.path, usual)
        check_same("setting", state["settings"], settings_of(run), self.path, usual)
        history = History(**state["history"])
        if len(history.steps) > steps:
            raise ValueError(
                f"{self.path} is at step {len(history.steps)}, beyond the {steps} steps asked for: "
                "ask for more, or train anew without resume"
            )
        check_learning_rates(history, run, self.path)
        if run.batches is not None:
            run.batches.load_state_dict(state["batches"])
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.history = history
        run.best = Best(**state["best"]) if state["best"] else None
        if run.generator is not None:
            run.generator.set_state(state["generator"])
        set_random_state(state["torch_generators"], _device(run))


def _read(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        raise ValueError(f"there is no checkpoint {path}: train without resume to begin one")
    with path.open("rb") as file:  # outside: that a file may not be opened is no damage
        try:
            _check_whole(file)
            state = torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:  # by the kind of damage torch raises almost any kind of error
            raise ValueError(
                f"{path} cannot be read as a checkpoint ({type(error).__name__}): it is damaged or "
                "of another kind; take an older copy, or train anew without resume"
            ) from error
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ValueError(f"{path} holds no training of this book ({FORMAT}): name another file")
    return state


def _check_whole(file: BinaryIO) -> None:
    """Compare the checksums of all parts: ``torch.save`` writes them, but ``torch.load`` does not.

    Raises:
        BadZipFile: the file, or a part of it, is damaged.
    """
    with ZipFile(file) as parts:
        broken = parts.testzip()
    if broken is not None:
        raise BadZipFile(f"{broken} is damaged")
    file.seek(0)


def _device(run: Run) -> torch.device:
    return next(run.model.parameters()).device
