"""Exercises that check themselves: ``check.causal_weights(causal_weights)``.

``dir(check)`` lists them all. Each chapter has its own module, ``chapter09`` and so on.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextbook.exercises.framework import Exercise

__all__ = ["check", "exercises"]


@functools.cache
def exercises() -> dict[str, Exercise]:
    """All exercises by name, in the order of the book.

    Raises:
        ValueError: two exercises have one name.
    """
    from contextbook.exercises.framework import Exercise

    found: dict[str, Exercise] = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("chapter"):
            continue
        for entry in vars(importlib.import_module(f"{__name__}.{module.name}")).values():
            if not isinstance(entry, Exercise):
                continue
            if entry.name in found:
                raise ValueError(f"two exercises are called {entry.name!r}: rename one of them")
            found[entry.name] = entry
    return found


class _Check:
    """Finds an exercise by name, so that no chapter has to import its own."""

    def __getattr__(self, name: str) -> Exercise:
        if name.startswith("_"):  # a display asks for many such names
            raise AttributeError(name)
        known = exercises()
        if name not in known:
            near = difflib.get_close_matches(name, known)
            mean = f"did you mean {' or '.join(near)}?" if near else "dir(check) lists them all."
            raise AttributeError(
                f"no exercise {name!r}: {mean} To add one, write a function {name} in "
                "contextbook/exercises/chapterNN.py, with the number of its chapter"
            )
        return known[name]

    def __dir__(self) -> list[str]:
        return list(exercises())


check = _Check()
