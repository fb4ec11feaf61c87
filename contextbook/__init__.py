"""The code of *How Context Travels: from tokens to the Transformer*.

Modules stand in the order of the book. Importing the package imports none of them, so that
the website can be built, and a figure's words read, where torch is not installed.

``contextbook.save`` and ``contextbook.load`` write a trained model to a file and read it again:
see :mod:`contextbook.saving`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbook.saving import load, save

__all__ = ["load", "save"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import what saves and loads models when it is first asked for."""
    if name in __all__:
        from contextbook import saving

        return getattr(saving, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
