"""The words that a reader sees in figures, plots and hints: one JSON table for each language.

``words("chapter09").curve_alt`` is a string; code and prose stay free of labels, so that a
translation of the book is a second table and no second figure. The web page's scripts read the
same files.
"""

from __future__ import annotations

import difflib
import functools
import json
import os
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

__all__ = ["LANGUAGE_VARIABLE", "MissingWordError", "Phrase", "Words", "languages", "words"]

LANGUAGE_VARIABLE = "CONTEXTBOOK_LANGUAGE"
_FOLDER = Path(__file__).parent
_FEW = 4  # names that a message lists, if none is near


class MissingWordError(AttributeError, KeyError):
    """A key, or a value for a placeholder, that the table of words does not have."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError alone would put the message in quotes


class Phrase(str):
    """A string of the table, which knows its name so that ``format`` can say what is missing."""

    __slots__ = ("where",)
    where: str

    def __new__(cls, text: str, where: str) -> Phrase:
        phrase = super().__new__(cls, text)
        phrase.where = where
        return phrase

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return (str(self), self.where)

    @property
    def placeholders(self) -> set[str]:
        """The names in braces, which ``format`` must be given."""
        return {name for _, name, _, _ in string.Formatter().parse(self) if name is not None}

    def format(self, *args: object, **values: object) -> str:
        """Fill in the placeholders by name.

        Raises:
            MissingWordError: a placeholder has no value.
            TypeError: a value is given without a name.
        """
        if args:
            raise TypeError(f"{self.where} is filled in by name: {sorted(self.placeholders)}")
        missing = sorted(self.placeholders - values.keys())
        if missing:
            raise MissingWordError(
                f"{self.where} needs a value for {missing}, got only {sorted(values)}: "
                f"{str(self)!r}"
            )
        return super().format(**values)


class Words:
    """A section of the table: ``w.key`` and ``w["key"]`` are a :class:`Phrase` or a subsection.

    It has no public method on purpose: any name, ``keys`` and ``values`` included, can be a label.
    """

    __slots__ = ("_table", "_where")

    def __init__(self, table: Mapping[str, Any], where: str) -> None:
        self._table = table
        self._where = where

    def __getattr__(self, key: str) -> Any:  # a Phrase or Words, as the table says
        try:
            entry = self._table[key]
        except KeyError:
            raise MissingWordError(self._missing(key)) from None
        name = f"{self._where}.{key}"
        return Phrase(entry, name) if isinstance(entry, str) else Words(entry, name)

    def _missing(self, key: str) -> str:
        """What is missing and the mend: the nearest names, all of a few, or where to add it."""
        near = difflib.get_close_matches(key, self._table)
        if not near and len(self._table) <= _FEW:
            near = list(self._table)
        mean = f"did you mean {' or '.join(near)}? Else " if near else ""
        file, suffix, section = self._where.partition(".json")
        path = f"{section}.{key}".removeprefix(".")
        return f"{self._where} has no {key!r}: {mean}add {path} to contextbook/{file}{suffix}"

    def __getitem__(self, key: str) -> Any:
        return self.__getattr__(key)

    def __contains__(self, key: object) -> bool:
        return key in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        return f"Words({self._where})"


def languages() -> list[str]:
    """The languages that have a table, as two-letter codes."""
    return sorted(path.stem for path in _FOLDER.glob("*.json"))


def words(section: str, *, language: str | None = None) -> Words:
    """One section of the words a reader sees.

    Args:
        section: a top-level key of the table, such as ``"chapter09"``.
        language: ``"en"`` …; by default what ``CONTEXTBOOK_LANGUAGE`` says, else English.

    Raises:
        MissingWordError: no such section (it is a ``KeyError`` and an ``AttributeError``).
        ValueError: no table for that language.
    """
    language = language or os.environ.get(LANGUAGE_VARIABLE) or "en"
    found: Words = Words(_table(language), f"words/{language}.json")[section]
    return found


@functools.lru_cache
def _table(language: str) -> dict[str, Any]:
    if language not in languages():
        raise ValueError(
            f"no words for the language {language!r}: there is {', '.join(languages())}; "
            f"set {LANGUAGE_VARIABLE} to one of them"
        )
    table: dict[str, Any] = json.loads((_FOLDER / f"{language}.json").read_text("utf-8"))
    return table
