"""Values and errors in a few words, the same at every run: for hints."""

from __future__ import annotations

import inspect
import re
import reprlib
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

__all__ = ["call_of", "dtype_of", "kind_of", "line_of", "message_of", "shown", "sizes_in"]

_FEW = 12  # numbers of a tensor that are still read at a glance
_short = reprlib.Repr()
_short.maxdict = _short.maxlist = _short.maxtuple = 8
_short.maxstring = _short.maxother = 60


def call_of(function: Any, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    """What a function was called with, by the names that its author gave the parameters."""
    try:
        given = inspect.signature(function).bind(*arguments, **keywords).arguments
    except (TypeError, ValueError):  # it takes other arguments, or has no signature
        given = {str(number): value for number, value in enumerate(arguments, start=1)}
        given |= keywords
    return ", ".join(f"`{name}` = {shown(value)}" for name, value in given.items())


def shown(value: Any) -> str:
    """A value, short enough for a sentence: a large tensor by its shape."""
    if isinstance(value, Tensor):
        exact = not value.is_floating_point() or value.ndim == 0
        if exact and value.numel() <= _FEW:
            return f"`{value.tolist()}`"
        return f"a tensor of shape `{tuple(value.shape)}`"
    if isinstance(value, set | frozenset):  # whose order changes from run to run
        return "`{" + ", ".join(sorted(map(repr, value))) + "}`"
    if callable(value):
        return "a function"
    return f"`{_short.repr(value)}`"


def kind_of(answer: Any) -> str:
    """The type of an answer, with its length or shape."""
    if isinstance(answer, tuple | list):
        return f"{type(answer).__name__} of {len(answer)}"
    if isinstance(answer, Tensor):
        return f"tensor of shape {tuple(answer.shape)}"
    return type(answer).__name__


def dtype_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def message_of(error: Exception) -> str:
    """An error's message without line breaks, and without addresses, which change at every run."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x…", " ".join(str(error).split()))[:300]


def line_of(error: Exception, function: Callable[..., Any]) -> str:
    """The function's own line in which the error came up; empty if its source is not known."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    lines = [
        frame.line
        for frame in traceback.extract_tb(error.__traceback__)
        if code is not None and frame.filename == code.co_filename
    ]
    return (lines[-1] or "") if lines else ""


def sizes_in(error: Exception, pattern: str) -> dict[str, str] | None:
    """What a pattern's groups hold in ``Type: message``, ``5x4`` as ``(5, 4)``; else ``None``."""
    found = re.search(pattern, f"{type(error).__name__}: {message_of(error)}")
    if found is None:
        return None
    groups = found.groupdict(default="")
    return {key: re.sub(r"^(\d+)x(\d+)$", r"(\1, \2)", text) for key, text in groups.items()}
