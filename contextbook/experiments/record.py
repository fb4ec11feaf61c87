"""The record of experiments: every seed, setting and ablation, measured once and committed.

A chapter's notebook trains one seed. ``make experiments`` runs the rest, and the tables it writes
travel with the package, so that a chapter can plot all seeds beside its own run and a test can
hold the chapter's claims to all of them.

An experiment is a function of a seed and its settings that returns numbers::

    @experiment(seeds=range(5), grid=[{"width": 4}, {"width": 64}])
    def softmax_scale(seed: int, width: int) -> dict[str, float]: ...
"""

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from contextbook.experiments.provenance import code_hash

RECORDS = Path(__file__).parent / "records"

Setting: TypeAlias = str | int | float | bool
Row = dict[str, Any]


@dataclass(frozen=True)
class Experiment:
    """A measurement that can be repeated: the function, its settings and its seeds."""

    name: str
    module: str
    function: Callable[..., Mapping[str, float]]
    grid: tuple[dict[str, Setting], ...]
    seeds: tuple[int, ...]

    def runs(self) -> Iterator[dict[str, Setting]]:
        """Yield each run's settings with its seed, the seeds of one setting together."""
        for settings in self.grid:
            for seed in self.seeds:
                yield {**settings, "seed": seed}

    def code_hash(self) -> str:
        """Hash of all code of this package that the experiment reaches."""
        return code_hash(self.module, self.function.__name__)

    def __call__(self, **settings: Setting) -> dict[str, float]:
        """Measure once."""
        return dict(self.function(**settings))


def experiment(
    seeds: Iterable[int], grid: Sequence[Mapping[str, Setting]] = ({},)
) -> Callable[[Callable[..., Mapping[str, float]]], Experiment]:
    """Make an :class:`Experiment` of a function; its name is the function's, with hyphens.

    Args:
        seeds: the seeds that the record holds.
        grid: one mapping of settings for each variant to measure.
    """

    def decorate(function: Callable[..., Mapping[str, float]]) -> Experiment:
        return Experiment(
            name=function.__name__.replace("_", "-"),
            module=function.__module__,
            function=function,
            grid=tuple(dict(settings) for settings in grid),
            seeds=tuple(seeds),
        )

    return decorate


@dataclass(frozen=True)
class Record:
    """The committed rows of one experiment."""

    name: str
    code: str
    made_with: dict[str, str] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()

    def select(self, **settings: Setting) -> "Record":
        """Keep the rows that have these settings.

        Raises:
            ValueError: no row has them.
        """
        kept = tuple(
            row for row in self.rows if all(row.get(key) == want for key, want in settings.items())
        )
        if not kept:
            raise ValueError(f"the record of {self.name} has no row with {settings}")
        return Record(self.name, self.code, self.made_with, kept)

    def values(self, measure: str, **settings: Setting) -> list[float]:
        """Return one measured number for each row with these settings, in the order of the seeds.

        Raises:
            ValueError: no row has these settings, or the experiment does not measure that.
        """
        rows = self.select(**settings).rows
        if measure not in rows[0]:
            raise ValueError(f"{self.name} does not measure {measure!r}, only {sorted(rows[0])}")
        return [float(row[measure]) for row in rows]


def load_record(name: str, folder: Path = RECORDS) -> Record:
    """Read the committed record of an experiment.

    Raises:
        ValueError: there is none by that name, or its file is not a record.
    """
    path = folder / f"{name}.json"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.json"))) or "none"
        raise ValueError(f"there is no record {name!r}; recorded are: {known}")
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        return Record(table["experiment"], table["code"], table["made_with"], tuple(table["rows"]))
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path.name} is not a record of an experiment ({error!r}): "
            "delete it and run `make experiments`"
        ) from error


def measure(
    experiment: Experiment,
    folder: Path = RECORDS,
    track: Callable[[list[Any]], Iterable[Any]] = iter,
) -> Record:
    """Run what the record of an experiment lacks and write it after every run.

    A run that was interrupted goes on where it stopped. Rows made by other code are dropped.

    Args:
        experiment: what to measure.
        folder: where the record lies.
        track: wraps the list of missing runs, for a progress bar.

    Returns:
        The complete record.
    """
    code = experiment.code_hash()
    rows: list[Row] = []
    if (folder / f"{experiment.name}.json").exists():
        record = load_record(experiment.name, folder)
        rows = list(record.rows) if record.code == code else []
    wanted = list(experiment.runs())
    rows = [row for row in rows if _settings(row, wanted[0]) in wanted]
    done = [_settings(row, wanted[0]) for row in rows]
    for settings in track([run for run in wanted if run not in done]):
        rows.append({**settings, **_rounded(experiment(**settings))})
        _write(experiment.name, code, rows, folder)
    rows.sort(key=lambda row: wanted.index(_settings(row, wanted[0])))
    _write(experiment.name, code, rows, folder)
    return load_record(experiment.name, folder)


def is_current(experiment: Experiment, folder: Path = RECORDS) -> bool:
    """Tell whether the record holds every run, made by the code as it is now."""
    if not (folder / f"{experiment.name}.json").exists():
        return False
    record = load_record(experiment.name, folder)
    wanted = list(experiment.runs())
    made = [_settings(row, wanted[0]) for row in record.rows]
    return record.code == experiment.code_hash() and made == wanted


def _settings(row: Row, like: Mapping[str, Setting]) -> dict[str, Setting]:
    return {key: row[key] for key in like if key in row}


def _rounded(results: Mapping[str, float]) -> dict[str, float]:
    """Keep five significant digits: more would only differ between machines."""
    return {key: float(f"{float(value):.5g}") for key, value in results.items()}


def _write(name: str, code: str, rows: Sequence[Row], folder: Path) -> None:
    import torch

    table = {
        "experiment": name,
        "code": code,
        "made_with": {"python": platform.python_version(), "torch": str(torch.__version__)},
    }
    # one row a line: a change of the record shows as the rows that changed
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = json.dumps(table, indent=1)[:-2]
    text = f'{head},\n "rows": [\n{lines}\n ]\n}}\n'
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{name}.json.part"
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, folder / f"{name}.json")  # never half a record
