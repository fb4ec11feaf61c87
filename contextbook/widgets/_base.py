"""What all figures share: where their script lies, how they print, what data they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import anywidget
import numpy as np
import traitlets

STATIC = Path(__file__).parent / "static"

if TYPE_CHECKING:
    _ArrayTrait = traitlets.TraitType[list[Any], Any]
else:  # Colab's traitlets is older than the types of traits
    _ArrayTrait = traitlets.TraitType


class FigureDataError(traitlets.TraitError, ValueError):
    """Data that a figure cannot show. A ``TraitError`` too, so that traitlets rolls back."""


class Figure(anywidget.AnyWidget):
    """A figure that a reader moves.

    A subclass sets ``_name``, the name of its script in ``static/``, and the two heights. All other
    traits with ``sync=True`` are shared with the script.

    Attributes:
        figure: name of the figure, such as ``"soft-dictionary"``.
        height: pixels that a page keeps free for the figure in a column of 640 pixels or more.
        height_narrow: the same on a phone, 320 pixels wide.
    """

    _name: ClassVar[str]

    figure = traitlets.Unicode(read_only=True).tag(sync=True)
    height = traitlets.Int(read_only=True).tag(sync=True)
    height_narrow = traitlets.Int(read_only=True).tag(sync=True)
    _esm = traitlets.Unicode().tag(sync=True)

    @traitlets.default("figure")
    def _figure(self) -> str:
        return self._name

    @traitlets.default("_esm")
    def _read_script(self) -> str:
        return (STATIC / f"{self.figure}.js").read_text(encoding="utf-8")

    def __repr__(self) -> str:
        # what notebooks store and compare: it must say the same in every run
        return f"{type(self).__name__}({self._summary()})"

    def _summary(self) -> str:
        return "figure"

    @contextmanager
    def _together(self) -> Iterator[None]:
        """Change several traits as one: checked together, sent to the page together."""
        with self.hold_sync(), self.hold_trait_notifications():
            yield


class Bench(Figure):
    """A figure whose settings are in the reader's hand, each by itself or several as one.

    A subclass sets ``_settings``, the names of the traits that a reader may change.
    """

    _settings: ClassVar[tuple[str, ...]]

    example = traitlets.Dict(read_only=True).tag(sync=True)

    # first read when the figure is opened: what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._settings}

    def update(self, **settings: Any) -> None:
        """Change several settings as one, such as two that must fit each other.

        Raises:
            ValueError: there is no such setting, or they do not fit; then nothing is changed.
        """
        unknown = sorted(set(settings) - set(self._settings))
        if unknown:
            known = ", ".join(self._settings)
            raise ValueError(f"update knows {known}, got {', '.join(unknown)}")
        with self._together():
            for name, value in settings.items():
                self.set_trait(name, value)

    def reset(self) -> None:
        """Bring back what the figure was made with."""
        self.update(**self.example)


class Numbers(_ArrayTrait):
    """A trait for an array of finite numbers; takes any array, holds nested lists of floats.

    Args:
        shape: the length of each axis, ``None`` where any length will do.
        limit: largest magnitude.

    Raises:
        FigureDataError: wrong shape, not a number, not finite, or beyond the limit.
    """

    def __init__(self, shape: tuple[int | None, ...], limit: float, **options: Any) -> None:
        self.shape = shape
        self.limit = limit
        super().__init__(**options)

    def validate(self, obj: traitlets.HasTraits, value: Any) -> list[Any]:
        name = f"{type(obj).__name__}.{self.name}"
        wanted = ", ".join("n" if length is None else str(length) for length in self.shape)
        wanted = f"({wanted}{',' if len(self.shape) == 1 else ''})"
        if hasattr(value, "detach"):  # a tensor that may need gradients or live on a GPU
            value = value.detach().cpu()
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise FigureDataError(
                f"{name} must be numbers of shape {wanted}, got {_short(value)}: {error}"
            ) from error
        fits = array.ndim == len(self.shape) and all(
            length in (None, actual) for length, actual in zip(self.shape, array.shape, strict=True)
        )
        if not fits:
            raise FigureDataError(f"{name} must have shape {wanted}, got shape {array.shape}")
        if not np.isfinite(array).all():
            place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
            raise FigureDataError(
                f"{name} of shape {array.shape} must hold finite numbers, got {array[place]} at "
                f"{list(place)}: remove or replace it"
            )
        if np.abs(array).max(initial=0) > self.limit:
            raise FigureDataError(
                f"{name} must lie between {-self.limit:g} and {self.limit:g}, "
                f"got {np.abs(array).max():g} in size: choose a smaller unit"
            )
        return array.tolist()


def check_number(name: str, value: float, lowest: float, highest: float) -> None:
    """Refuse a number outside of ``lowest`` to ``highest``, and NaN."""
    if not lowest <= value <= highest:
        raise FigureDataError(f"{name} must lie between {lowest:g} and {highest:g}, got {value}")


def check_same_length(**arrays: list[Any]) -> None:
    """Refuse arrays that do not have one entry each for the same things."""
    if len({len(array) for array in arrays.values()}) > 1:
        shapes = ", ".join(f"{name} {np.shape(array)}" for name, array in arrays.items())
        raise FigureDataError(
            f"the arrays must be equally long, got shapes {shapes}: to change several at once, "
            f"call update({'=..., '.join(arrays)}=...)"
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
