"""Looking at held-out data during training, and stopping when that no longer helps."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from contextbook.training.run import Best, Run


@dataclass(frozen=True)
class Validation:
    """Measure the model now and then; with ``patience``, keep the best and stop early.

    With ``patience`` the model has, at the end, the weights that were best of all looked at: also
    where all steps were taken. Without it the measures are only noted.

    Args:
        measure: called without arguments, in evaluation mode and without gradients; returns named
            numbers. The first of them decides what is best.
        every: steps between two looks.
        patience: stop after so many looks without a better value.
        higher_is_better: as for an accuracy; a loss is better when it is lower.

    Raises:
        ValueError: ``every`` or ``patience`` is less than 1.
    """

    measure: Callable[[], Mapping[str, float]]
    every: int = 100
    patience: int | None = None
    higher_is_better: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.every < 1 or (self.patience is not None and self.patience < 1):
            raise ValueError(
                f"every and patience must be at least 1, got {self.every} and {self.patience}"
            )

    def look(self, run: Run) -> None:
        """Measure the model of a run, note it, and keep the weights if they are the best so far.

        Raises:
            ValueError: the measures have no name or other names than before, or one is NaN.
        """
        run.model.eval()
        try:
            with torch.no_grad():
                measures = {name: float(value) for name, value in self.measure().items()}
        finally:
            run.model.train()
        self._check(measures, run)
        run.history.add_validation(run.step, measures)
        value = next(iter(measures.values()))
        if self.patience is not None and (run.best is None or self._better(value, run.best.value)):
            weights = {name: tensor.clone() for name, tensor in run.model.state_dict().items()}
            run.best = Best(value, run.step, weights)

    def is_over(self, run: Run) -> bool:
        """Tell whether the last looks, as many as ``patience``, found nothing better."""
        if self.patience is None or run.best is None:
            return False
        since = sum(step > run.best.step for step in run.history.validation_steps)
        return since >= self.patience

    def restore_best(self, run: Run) -> None:
        """Give the model the best weights that were kept, if any."""
        if run.best is not None:
            run.model.load_state_dict(run.best.weights)

    def _better(self, value: float, best: float) -> bool:
        return value > best if self.higher_is_better else value < best

    def _check(self, measures: dict[str, float], run: Run) -> None:
        known = list(run.history.validation) or list(measures)
        if not measures or list(measures) != known:
            raise ValueError(
                f"validation must give at least one measure, and the same at every look: got "
                f"{list(measures)}, before {list(run.history.validation)}"
            )
        for name, value in measures.items():
            if math.isnan(value):
                raise ValueError(f"the validation measure {name!r} is NaN at step {run.step}")
