"""A dictionary that answers any question: a query that a reader drags among keys in the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import traitlets

from contextbook.widgets._base import (
    Figure,
    FigureDataError,
    Numbers,
    check_number,
    check_same_length,
)
from contextbook.words import words

MAX_KEYS = 16
MAX_COORDINATE = 1000.0
MAX_VALUE = 1e6
MAX_NAME = 40
MIN_TEMPERATURE, MAX_TEMPERATURE = 1e-6, 100.0
MAX_SCALE = 100.0
# Scores this close to the best one, relative to it, count as equal in a hard look-up: two equal
# products may differ in their last digit by the order in which they were summed.
TIE = 1e-9

# What a reader can change: each argument, and the trait that holds it. ipywidgets keeps `keys` of
# every widget for itself.
_TRAITS = {
    "keys": "key_vectors",
    **{name: name for name in ("values", "names", "mask", "query", "temperature", "scale")},
}
_LISTS = ("keys", "values", "names", "mask")


class SoftDictionary(Figure):
    """Scaled dot-product attention in the plane: one query, a few keys, a value for each key.

    The reader drags the query, moves, renames, adds, removes and masks keys, edits values, and
    turns temperature and scale; scores, weights and the mixed value follow. With a kernel both
    sides stay in step: setting ``figure.query`` moves the picture, and ``figure.weights`` can be
    observed. To change keys together with values and names, call :meth:`update`.

    Args:
        keys: ``(n, 2)``, up to 16 points of the plane. Without keys and values: a few animals.
        values: ``(n,)``, a number for each key.
        query: ``(2,)``; a quarter of the way to the first key unless given.
        names: a name for each key; ``key 1``, ``key 2``, ... unless given.
        temperature: divides the scores before the softmax; 0 is the hard look-up, its limit, in
            which several best keys share equally.
        scale: factor on the scores; ``1/√d_k = 1/√2`` unless given.
        mask: boolean ``(n,)``, ``True`` = may attend; all may unless given. A query that may attend
            to nothing gets weights and answer 0.
        axes: what the two axes measure: for each a word, or a pair of words for its two ends.
        value_label: what the values measure, such as ``"hours asleep"``.

    Raises:
        ValueError: arrays that do not fit together, or numbers that are not finite; the message
            names the shapes.

    Attributes:
        key_vectors: the keys; ``figure.keys`` belongs to ipywidgets. The other traits are named as
            the arguments are.
        scores: ``query · key · scale`` for each key.
        weights: the softmax of ``scores / temperature`` over the keys that the mask allows.
        output: the mixed value, ``weights · values``.
    """

    _name = "soft-dictionary"

    key_vectors = Numbers((None, 2), MAX_COORDINATE).tag(sync=True)
    values = Numbers((None,), MAX_VALUE).tag(sync=True)
    query = Numbers((2,), MAX_COORDINATE).tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    mask = traitlets.List(traitlets.Bool()).tag(sync=True)
    temperature = traitlets.Float().tag(sync=True)
    scale = traitlets.Float().tag(sync=True)

    axes: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    scores = traitlets.List(traitlets.Float(), read_only=True)
    weights = traitlets.List(traitlets.Float(), read_only=True)
    output = traitlets.Float(read_only=True)

    def __init__(
        self,
        keys: Any = None,
        values: Any = None,
        query: Any = None,
        names: Sequence[str] | None = None,
        temperature: float = 1.0,
        scale: float | None = None,
        mask: Sequence[bool] | None = None,
        axes: Sequence[str | Sequence[str]] = ("", ""),
        value_label: str = "",
    ) -> None:
        if keys is None and values is None:
            keys, values, query, names, axes, value_label = _animals(query)
        elif keys is None or values is None:
            raise FigureDataError(
                "SoftDictionary needs both keys (n, 2) and values (n,), or neither"
            )
        if len(axes) != 2:
            raise FigureDataError(f"SoftDictionary has two axes, got words for {len(axes)}")
        given = {
            "query": query,
            "names": names,
            "scale": scale,
            "mask": None if mask is None else [bool(allowed) for allowed in mask],
        }
        super().__init__(
            key_vectors=keys,
            values=values,
            temperature=temperature,
            axes=[_ends(axis) for axis in axes],
            unit=value_label,
            **{name: value for name, value in given.items() if value is not None},
        )

    @traitlets.default("query")
    def _query(self) -> list[float]:
        return [x / 4 for x in self.key_vectors[0]]

    @traitlets.default("names")
    def _names(self) -> list[str]:
        label = words("soft_dictionary").new_key
        return [label.format(number=i + 1) for i in range(len(self.key_vectors))]

    @traitlets.default("scale")
    def _scale(self) -> float:
        return 1 / math.sqrt(2)

    @traitlets.default("mask")
    def _mask(self) -> list[bool]:
        return [True] * len(self.key_vectors)

    # these three are first read when the figure is opened, and so hold what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, trait) for name, trait in _TRAITS.items()}

    @traitlets.default("height")
    def _height(self) -> int:
        return max(580, 370 + 34 * len(self.key_vectors))  # the plane, or the rows beside it

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 760 + 34 * len(self.key_vectors)

    def update(self, **traits: Any) -> None:
        """Change several traits at once, such as keys together with values, names and mask.

        Raises:
            ValueError: they do not fit together; then nothing is changed.
        """
        unknown = sorted(set(traits) - set(_TRAITS))
        if unknown:
            raise ValueError(f"update knows {', '.join(_TRAITS)}, got {', '.join(unknown)}")
        with self._together():
            for name, value in traits.items():
                self.set_trait(_TRAITS[name], value)

    def reset(self) -> None:
        """Bring back what the figure was made with."""
        self.update(**self.example)

    def _summary(self) -> str:
        return f"{len(self.key_vectors)} keys"

    @traitlets.validate(*_TRAITS.values())
    def _check(self, proposal: Any) -> Any:
        """Refuse what does not fit together; traitlets then keeps the old traits."""
        name, value = proposal["trait"].name, proposal["value"]
        if name == "temperature" and value != 0:
            check_number("temperature (if not 0)", value, MIN_TEMPERATURE, MAX_TEMPERATURE)
        if name == "scale":
            check_number("scale", value, 0, MAX_SCALE)
        if isinstance(value, list) and name != "query":
            lists = {part: getattr(self, _TRAITS[part]) for part in _LISTS}
            check_same_length(**{**lists, name.replace("key_vectors", "keys"): value})
            if not 1 <= len(value) <= MAX_KEYS:
                raise FigureDataError(f"{name} must have 1 to {MAX_KEYS} entries, got {len(value)}")
        if name == "names":
            for text in value:
                if not text.strip() or len(text) > MAX_NAME:
                    raise FigureDataError(f"a name must have 1 to {MAX_NAME} signs, got {text!r}")
        return value

    @traitlets.validate("keys")
    def _check_not_keys(self, proposal: Any) -> Any:
        if not all(isinstance(name, str) for name in proposal["value"]):
            raise FigureDataError(
                "ipywidgets keeps `keys` for itself: set figure.key_vectors, or call "
                "update(keys=...)"
            )
        return proposal["value"]

    @traitlets.observe(*_TRAITS.values())
    def _look_up(self, change: Any = None) -> None:
        """Compute scores, weights and mixed value with the book's own attention."""
        import torch

        from contextbook.attention import masked_softmax

        query = torch.tensor([self.query], dtype=torch.float64)  # (1, 2)
        keys = torch.tensor(self.key_vectors, dtype=torch.float64)  # (n, 2)
        values = torch.tensor(self.values, dtype=torch.float64)[:, None]  # (n, 1)
        mask = torch.tensor([self.mask])  # (1, n)
        scores = query @ keys.T * self.scale  # (1, n)
        if self.temperature == 0:
            best = scores.masked_fill(~mask, -math.inf).amax()
            best_keys = mask & (scores >= best - TIE * max(1.0, abs(best.item())))
            weights = masked_softmax(torch.zeros_like(scores), best_keys)
        else:
            weights = masked_softmax(scores / self.temperature, mask)
        with self.hold_trait_notifications():  # whoever observes one of them finds all three new
            self.set_trait("scores", scores[0].tolist())
            self.set_trait("weights", weights[0].tolist())
            self.set_trait("output", (weights @ values).item())


def _ends(axis: str | Sequence[str]) -> list[str]:
    """Give the words at the low and the high end of an axis."""
    ends = ["", axis] if isinstance(axis, str) else list(axis)
    if len(ends) != 2 or not all(isinstance(word, str) for word in ends):
        raise FigureDataError(f"an axis takes a word or a pair of words, got {axis!r}")
    return ends


def _animals(query: Any) -> tuple[Any, ...]:
    """Give a few animals, by size and tameness, and the hours they sleep in a day."""
    label = words("soft_dictionary").example
    animals = {
        label.cat: ((-0.6, 1.4), 13),
        label.dog: ((0.2, 1.8), 11),
        label.horse: ((1.6, 1.1), 3),
        label.fox: ((-0.3, -1.0), 10),
        label.bat: ((-1.8, -0.8), 20),
        label.giraffe: ((2.0, -1.3), 2),
    }
    keys, values = zip(*animals.values(), strict=True)
    query = (0.7, 0.9) if query is None else query
    axes = (label.size, label.tameness)
    return keys, values, query, list(animals), axes, label.unit
