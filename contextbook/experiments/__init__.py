"""The experiments of the book, one module for each chapter, and their committed record."""

import importlib
import pkgutil

from contextbook.experiments.record import (
    Experiment,
    Record,
    experiment,
    is_current,
    load_record,
    measure,
)

__all__ = [
    "Experiment",
    "Record",
    "all_experiments",
    "experiment",
    "is_current",
    "load_record",
    "measure",
]


def all_experiments() -> dict[str, Experiment]:
    """Return every experiment of every chapter by its name, in the order of the chapters."""
    found: dict[str, Experiment] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        if module.startswith("chapter"):
            chapter = importlib.import_module(f"{__name__}.{module}")
            for value in vars(chapter).values():
                if isinstance(value, Experiment) and value.module == chapter.__name__:
                    found[value.name] = value
    return found
