"""The code of *How Context Travels: from tokens to the Transformer*.

Modules stand in the order of the book. Importing the package imports none of them, so that
the website can be built, and a figure's words read, where torch is not installed.

``contextbook.save`` and ``contextbook.load`` write a trained model to a file and read it again:
see :mod:`contextbook.saving`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbook.saving import load, save

__all__ = ["load", "save"]
__version__ = "0.1.0"

# imported when first asked for; the notebook builder reads this table, too
_HOMES = {"load": "saving", "save": "saving"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
