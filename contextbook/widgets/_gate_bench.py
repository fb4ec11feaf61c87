"""A bench for the gates of an LSTM: one unit over a few steps, its gates in the reader's hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from contextbook.widgets._base import (
    Bench,
    FigureDataError,
    Numbers,
    check_number,
    check_same_length,
)
from contextbook.words import words

MIN_STEPS, MAX_STEPS = 2, 24
STEPS = 12
MAX_PRESETS = 8
MAX_LABEL = 24

ROWS = ("candidate", "input_gate", "forget_gate", "output_gate")

Row = Sequence[float] | float


class GateBench(Bench):
    """One unit of an LSTM: what each step offers, three gates, and what becomes of the cell.

    ``cell = forget_gate * cell + input_gate * candidate`` and
    ``hidden = output_gate * tanh(cell)``, from a cell of 0. The reader sets the gates of all steps
    or of one. With a kernel both sides stay in step: set ``figure.forget_gate``, observe
    ``figure.cell``.

    Args:
        candidate: what each step offers, from -1 to 1, ``(steps,)`` with 2 to 24 steps.
        input_gate, forget_gate, output_gate: from 0 to 1, ``(steps,)``, or one number for all
            steps.
        step: the step that is looked at first, counted from 1.
        every: whether a gate's slider sets all steps, or only the chosen one.
        presets: settings of ``candidate`` and the gates by their labels; four unless given.
            Without ``candidate`` the figure begins with the first of them.

    Raises:
        ValueError: numbers outside their range, or rows that are not equally long.

    Attributes:
        cell: after each step, ``(steps,)``.
        hidden: what is shown of it, ``(steps,)``.
    """

    _name = "gate-bench"
    _settings = (*ROWS, "step", "every")

    candidate = Numbers((None,), 1.0).tag(sync=True)
    input_gate = Numbers((None,), 1.0).tag(sync=True)
    forget_gate = Numbers((None,), 1.0).tag(sync=True)
    output_gate = Numbers((None,), 1.0).tag(sync=True)
    step = traitlets.Int(1).tag(sync=True)
    every = traitlets.Bool(True).tag(sync=True)
    presets: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    cell = traitlets.List(traitlets.Float(), read_only=True)
    hidden = traitlets.List(traitlets.Float(), read_only=True)

    def __init__(
        self,
        candidate: Sequence[float] | None = None,
        input_gate: Row = 1.0,
        forget_gate: Row = 1.0,
        output_gate: Row = 1.0,
        step: int = 1,
        every: bool = True,
        presets: Mapping[str, Mapping[str, Row]] | None = None,
    ) -> None:
        settings = _presets() if presets is None else presets
        if len(settings) > MAX_PRESETS:
            raise FigureDataError(f"up to {MAX_PRESETS} presets, got {len(settings)}")
        made = [_preset(label, rows) for label, rows in settings.items()]
        if candidate is not None:
            gates = {
                "input_gate": input_gate,
                "forget_gate": forget_gate,
                "output_gate": output_gate,
            }
            rows = _rows({"candidate": candidate, **gates})
        elif made:
            rows = {name: made[0][name] for name in ROWS}
        else:
            raise FigureDataError("GateBench needs a candidate for each step, or a preset")
        super().__init__(**rows, step=step, every=every, presets=made)

    # measured in the page, so that nothing jumps when the figure appears
    @traitlets.default("height")
    def _height(self) -> int:
        return 575

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1015

    def _summary(self) -> str:
        return f"{len(self.candidate)} steps"

    @traitlets.validate(*ROWS, "step")
    def _check(self, proposal: Any) -> Any:
        """Refuse what does not fit together; traitlets then keeps the old traits."""
        name, value = proposal["trait"].name, proposal["value"]
        if name == "step":
            check_number("step", value, 1, len(self.candidate))
            return value
        check_same_length(**{row: getattr(self, row) for row in ROWS} | {name: value})
        _check_row(name, value)
        # in the same words as above: which of two that do not fit is looked at first is left open
        check_number("step", self.step, 1, len(value))
        return value

    @traitlets.observe(*ROWS)
    def _run(self, change: Any = None) -> None:
        """Take the steps with the book's own cell, its gates held by the reader."""
        import torch

        from contextbook.recurrent import LSTMCell

        class HeldGates(LSTMCell):
            """A cell whose gates and candidate are its inputs."""

            def gates(self, inputs: Any, hidden: Any) -> Any:
                return inputs.chunk(4, dim=-1)

        held = HeldGates(4, 1).double()
        rows = [self.input_gate, self.forget_gate, self.candidate, self.output_gate]
        state = held.initial_state(1)
        states = []
        for step in torch.tensor(rows, dtype=torch.float64).T[:, None]:  # (1, 4)
            state = held(step, state)
            states.append(state)
        with self.hold_trait_notifications():  # whoever observes one of them finds both new
            self.set_trait("hidden", [hidden.item() for hidden, _ in states])
            self.set_trait("cell", [cell.item() for _, cell in states])


def _rows(given: Mapping[str, Row]) -> dict[str, list[float]]:
    """Write out a gate that is one number for all steps."""
    steps = len(list(given["candidate"]))  # type: ignore[arg-type]
    return {
        name: [float(value)] * steps if isinstance(value, int | float) else list(value)
        for name, value in given.items()
    }


def _check_row(name: str, row: Sequence[float]) -> None:
    if not MIN_STEPS <= len(row) <= MAX_STEPS:
        raise FigureDataError(f"a bench has {MIN_STEPS} to {MAX_STEPS} steps, got {len(row)}")
    for number in row:
        check_number(name, number, -1 if name == "candidate" else 0, 1)


def _preset(label: str, given: Mapping[str, Row]) -> dict[str, Any]:
    """A preset with all of its rows."""
    if not label.strip() or len(label) > MAX_LABEL:
        raise FigureDataError(f"a label must have 1 to {MAX_LABEL} signs, got {label!r}")
    unknown = sorted(set(given) - set(ROWS))
    if unknown or "candidate" not in given:
        raise FigureDataError(
            f"the preset {label!r} needs a candidate and may set {', '.join(ROWS[1:])}, got "
            f"{', '.join(given) or 'nothing'}"
        )
    rows = _rows({**dict.fromkeys(ROWS, 1.0), **given})
    check_same_length(**rows)
    for name, row in rows.items():
        _check_row(name, row)
    return {"label": label, **rows}


def _presets() -> dict[str, dict[str, Row]]:
    """Keep, forget, count, and the gate that a forget bias of 1 gives."""
    label = words("gate_bench").presets
    offered = [0.8, -0.5, 0.6, -0.3, 0.4, 0.7, -0.6, 0.9, 0.3, -0.8, 0.5, -0.4]
    once = [1.0] + [0.0] * (STEPS - 1)
    twice = [float(step in (0, 6)) for step in range(STEPS)]
    rhythm = [float(step % 3 != 2) for step in range(STEPS)]
    return {
        label.keep: {"candidate": offered, "input_gate": once},
        label.forget: {
            "candidate": offered,
            "input_gate": twice,
            "forget_gate": [float(step != 6) for step in range(STEPS)],
        },
        label.count: {"candidate": rhythm},
        label.bias_one: {"candidate": offered, "input_gate": once, "forget_gate": 0.73},
        label.bias_three: {"candidate": offered, "input_gate": once, "forget_gate": 0.95},
    }
