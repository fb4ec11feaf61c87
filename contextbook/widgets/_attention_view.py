"""Who attends to whom: a sentence, arcs from one of its tokens to all others, all weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import traitlets

from contextbook.widgets._base import Figure, FigureDataError, Numbers, check_number

MAX_TOKENS = 24
MAX_SIGNS = 40
MAX_SCORE = 1e6
MIN_TEMPERATURE, MAX_TEMPERATURE = 1e-6, 100.0
# Weights that were computed in half precision add up to 1 only about.
SUM_TOLERANCE = 1e-3
# Scores this close to the best one, relative to it, count as equal in a hard look-up: two equal
# products may differ in their last digit by the order in which they were summed.
TIE = 1e-9

_TURNED = ("causal", "temperature", "focus")  # what a reader can change
# Pixels, as in the style sheet: a row of the matrix, and one of a list of tokens.
_MATRIX_ROW, _LIST_ROW = 20, 30
_LONGEST_ROW = 14  # more tokens stand below each other


class _OneOfTwo(Numbers):
    """Numbers, or ``None`` in a figure that was made without them."""

    def validate(self, obj: traitlets.HasTraits, value: Any) -> Any:
        given = obj._trait_values.get(self.name or "") is not None
        return super().validate(obj, value) if given or value is not None else None


class AttentionView(Figure):
    """Attention weights between tokens, as arcs from one token and as the whole matrix.

    The reader chooses the token that asks, turns the temperature and hides the future; the softmax
    is taken anew in the page. With a kernel both sides stay in step: ``figure.focus`` can be set,
    ``figure.weights`` can be observed.

    Args:
        tokens: the queries, up to 24 tokens. In self-attention they are the keys as well.
        scores: ``(queries, keys)``, before mask and softmax.
        weights: ``(queries, keys)``, in place of scores: rows that add up to 1. There is no
            temperature to turn then.
        key_tokens: the keys of cross-attention; ``None`` for self-attention.
        readings: how each of ``tokens`` is read aloud; ``""`` for none.
        glosses: what each of ``tokens`` means.
        causal: hide the future: each token attends to itself and to those before it.
        temperature: divides the scores before the softmax; 0 is the hard look-up, its limit, in
            which several best keys share equally.
        focus: index of the token that asks.
        key_readings: as ``readings``, for ``key_tokens``.
        key_glosses: as ``glosses``, for ``key_tokens``.
        tour: walk through up to three tokens once when the figure comes into view, for at most five
            seconds, until the reader touches anything; never for readers who prefer reduced motion.

    Raises:
        ValueError: arrays that do not fit together, numbers that are not finite, or weights that
            do not add up to 1; the message names the shapes.

    Attributes:
        weights: ``(queries, keys)``, the softmax of ``scores / temperature`` over the keys that the
            mask allows; nested lists, read-only.
    """

    _name = "attention-view"

    scores = _OneOfTwo((None, None), MAX_SCORE, default_value=None).tag(sync=True)
    causal = traitlets.Bool().tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    focus = traitlets.Int().tag(sync=True)

    tokens = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    readings = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    glosses = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    key_tokens = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    key_readings = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    key_glosses = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    cross = traitlets.Bool(read_only=True).tag(sync=True)
    tour = traitlets.Bool(read_only=True).tag(sync=True)
    given_weights = _OneOfTwo((None, None), MAX_SCORE, default_value=None, read_only=True).tag(
        sync=True
    )
    example = traitlets.Dict(read_only=True).tag(sync=True)

    weights: traitlets.List[list[float]] = traitlets.List(read_only=True)

    def __init__(
        self,
        tokens: Sequence[str],
        scores: Any = None,
        weights: Any = None,
        key_tokens: Sequence[str] | None = None,
        readings: Sequence[str] | None = None,
        glosses: Sequence[str] | None = None,
        causal: bool = False,
        temperature: float = 1.0,
        focus: int = 0,
        *,
        key_readings: Sequence[str] | None = None,
        key_glosses: Sequence[str] | None = None,
        tour: bool = False,
    ) -> None:
        if (scores is None) == (weights is None):
            raise FigureDataError("AttentionView needs either scores or weights (queries, keys)")
        if scores is None and temperature != 1:
            raise FigureDataError("a temperature needs scores: weights alone have none to divide")
        fixed: dict[str, Any] = {"cross": key_tokens is not None, "tour": tour}
        fixed |= _labels(tokens, readings, glosses)
        if key_tokens is not None:
            fixed |= _labels(key_tokens, key_readings, key_glosses, "key_")
        elif key_readings is None and key_glosses is None:
            fixed["key_tokens"] = fixed["tokens"]
        else:
            raise FigureDataError("key_readings and key_glosses need key_tokens")
        # before the figure is opened: what it was made with is kept, and its height follows from it
        for name, value in fixed.items():
            self.set_trait(name, value)
        self.causal, self.temperature, self.focus = causal, temperature, focus
        if scores is None:
            self.set_trait("given_weights", weights)
        else:
            self.scores = scores
        super().__init__()

    # these three are first read when the figure is opened, and so hold what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _TURNED}

    @traitlets.default("height")
    def _height(self) -> int:
        queries, keys = len(self.tokens), len(self.key_tokens)
        slider = 0 if self.scores is None else 28
        if max(queries, keys) > _LONGEST_ROW:  # lists beside the matrix
            return 133 + slider + _LIST_ROW * max(queries, keys)
        notes = any([*self.readings, *self.glosses, *self.key_readings, *self.key_glosses])
        return 308 + slider + 42 * notes + 26 * self.cross + _MATRIX_ROW * queries

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        queries, keys = len(self.tokens), len(self.key_tokens)
        slider = 0 if self.scores is None else 47
        return 267 + slider + _LIST_ROW * max(queries, keys) + _MATRIX_ROW * queries

    def reset(self) -> None:
        """Bring back the token, the mask and the temperature that the figure was made with."""
        with self._together():
            for name, value in self.example.items():
                self.set_trait(name, value)

    def _summary(self) -> str:
        return f"{len(self.tokens)} queries, {len(self.key_tokens)} keys"

    @traitlets.validate("scores", "given_weights")
    def _check_shape(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name.replace("given_", ""), proposal["value"]
        if value is None:
            return None
        if name == "scores" and self.given_weights is not None:
            raise FigureDataError("a figure made of weights takes no scores: make a new one")
        wanted, shape = (len(self.tokens), len(self.key_tokens)), np.shape(value)
        if shape != wanted:
            raise FigureDataError(
                f"{name} must have shape {wanted}, a row for each of {wanted[0]} queries and a "
                f"column for each of {wanted[1]} keys; got shape {shape}"
            )
        if name == "weights":
            _check_weights(np.asarray(value))
        return value

    @traitlets.validate("causal")
    def _check_causal(self, proposal: Any) -> bool:
        if proposal["value"] and self.cross:
            raise FigureDataError(
                "causal=True needs self-attention: the keys of cross-attention are another "
                "sequence, of which nothing is the future"
            )
        return bool(proposal["value"])

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal: Any) -> float:
        temperature = float(proposal["value"])
        if temperature != 0:
            check_number("temperature (if not 0)", temperature, MIN_TEMPERATURE, MAX_TEMPERATURE)
        if temperature != 1 and self.given_weights is not None:
            raise FigureDataError("a temperature needs scores: weights alone have none to divide")
        return temperature

    @traitlets.validate("focus")
    def _check_focus(self, proposal: Any) -> int:
        check_number("focus", proposal["value"], 0, len(self.tokens) - 1)
        return int(proposal["value"])

    @traitlets.observe("scores", "given_weights", "causal", "temperature")
    def _attend(self, change: Any = None) -> None:
        """Compute the weights with the book's own attention."""
        if self.scores is None and self.given_weights is None:
            return  # not made yet
        import torch

        from contextbook.attention import causal_mask, masked_softmax

        queries, keys = len(self.tokens), len(self.key_tokens)
        mask = causal_mask(queries) if self.causal else torch.ones(queries, keys, dtype=torch.bool)
        if self.scores is None:
            # softmax(log w) = w, and over fewer keys it shares out what is left
            given = torch.tensor(self.given_weights, dtype=torch.float64)
            weights = masked_softmax(given.log(), mask & (given > 0)) if self.causal else given
        else:
            scores = torch.tensor(self.scores, dtype=torch.float64)
            if self.temperature == 0:
                best = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)  # (queries, 1)
                best_keys = mask & (scores >= best - TIE * best.abs().clamp(min=1))
                weights = masked_softmax(torch.zeros_like(scores), best_keys)
            else:
                weights = masked_softmax(scores / self.temperature, mask)
        self.set_trait("weights", weights.tolist())


def _labels(
    tokens: Sequence[str],
    readings: Sequence[str] | None,
    glosses: Sequence[str] | None,
    prefix: str = "",
) -> dict[str, list[str]]:
    """Check tokens with their readings and glosses; give the traits that hold them."""
    if isinstance(tokens, str):
        raise FigureDataError(f"{prefix}tokens must be a list of tokens, got the text {tokens!r}")
    labels = {f"{prefix}tokens": [str(token) for token in tokens]}
    count = len(labels[f"{prefix}tokens"])
    if not 1 <= count <= MAX_TOKENS:
        raise FigureDataError(f"{prefix}tokens must be 1 to {MAX_TOKENS} tokens, got {count}")
    for token in labels[f"{prefix}tokens"]:
        if not 1 <= len(token) <= MAX_SIGNS:
            raise FigureDataError(f"a token must have 1 to {MAX_SIGNS} signs, got {token!r}")
    for name, notes in (("readings", readings), ("glosses", glosses)):
        if notes is None:
            continue
        labels[f"{prefix}{name}"] = [str(note) for note in notes]
        if len(labels[f"{prefix}{name}"]) != count:
            raise FigureDataError(
                f"{prefix}{name} must have one entry for each of the {count} {prefix}tokens, "
                f"got {len(labels[f'{prefix}{name}'])}"
            )
    return labels


def _check_weights(weights: np.ndarray) -> None:
    """Refuse what is no weight, and rows that add up neither to 1 nor to 0 (all masked)."""
    if weights.min() < 0:
        raise FigureDataError(f"weights must not be negative, got {weights.min():g}")
    sums = weights.sum(-1)
    wrong = np.flatnonzero((np.abs(sums - 1) > SUM_TOLERANCE) & (sums != 0))
    if len(wrong):
        raise FigureDataError(
            f"each row of weights of shape {weights.shape} must add up to 1 (or hold zeros alone, "
            f"if all was masked), but row {wrong[0]} adds up to {sums[wrong[0]]:.4g}: "
            "give scores instead, or take the softmax over the last axis"
        )
