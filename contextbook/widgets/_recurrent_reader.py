"""A sentence read step by step: the hidden state after each token, and what an edit changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import traitlets

from contextbook.widgets._base import Figure, FigureDataError, Numbers

MAX_TOKENS = 20
MAX_WORDS = 200
MAX_UNITS = 32  # more would be too thin to be seen
MAX_WEIGHT = 1000.0
DIGITS = 4  # of each weight after the point; more would only make the notebook heavier

_WEIGHTS = ("embedding", "weight_ih", "weight_hh", "bias_ih", "bias_hh", "head", "head_bias")
_DATA = ("vocabulary", *_WEIGHTS)


class RecurrentReader(Figure):
    """An RNN that reads a sentence and expects the next token at each step.

    The reader steps through the sentence, sees the state after each token as a strip of colours,
    and the likeliest next tokens. A token that is replaced by another moves the later states; how
    far each has moved from that of the author's sentence stands below it.

    Args:
        weights: ``embedding`` ``(words, D)``, ``weight_ih`` ``(H, D)``, ``weight_hh`` ``(H, H)``,
            ``bias_ih`` and ``bias_hh`` ``(H,)``, ``head`` ``(words, H)``, ``head_bias``
            ``(words,)``; they are rounded to four digits.
        vocabulary: up to 200 different tokens, by their ids.
        tokens: what is read first: up to 20 tokens of the vocabulary.
        names: for each token a pair of reading and meaning, which a reader may type in its place;
            ``("", "")`` where there is none.
        changes: edits for the buttons: pairs of a place and the token to put there.
        step: the step that is shown first, counted from 0.
        end: a token behind which nothing was learned, such as the full stop.

    Raises:
        ValueError: arrays that do not fit together, numbers that are not finite, a token that is
            not in the vocabulary; the message names shape or token.

    Attributes:
        states: the hidden state after each of ``tokens``, ``(time, H)``.
        expected: probability of each token of the vocabulary after ``tokens[step]``, ``(words,)``.
        moved: how far each state is from that of the author's sentence, ``(time,)``.
    """

    _name = "recurrent-reader"

    vocabulary: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    names: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    changes: traitlets.List[list[Any]] = traitlets.List().tag(sync=True)
    end = traitlets.Unicode().tag(sync=True)
    embedding = Numbers((None, None), MAX_WEIGHT).tag(sync=True)
    weight_ih = Numbers((None, None), MAX_WEIGHT).tag(sync=True)
    weight_hh = Numbers((None, None), MAX_WEIGHT).tag(sync=True)
    bias_ih = Numbers((None,), MAX_WEIGHT).tag(sync=True)
    bias_hh = Numbers((None,), MAX_WEIGHT).tag(sync=True)
    head = Numbers((None, None), MAX_WEIGHT).tag(sync=True)
    head_bias = Numbers((None,), MAX_WEIGHT).tag(sync=True)

    tokens: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    states: traitlets.List[list[float]] = traitlets.List(read_only=True)
    expected: traitlets.List[float] = traitlets.List(read_only=True)
    moved: traitlets.List[float] = traitlets.List(read_only=True)

    def __init__(
        self,
        weights: Mapping[str, Any],
        vocabulary: Sequence[str],
        tokens: Sequence[str],
        names: Sequence[tuple[str, str]] | None = None,
        changes: Sequence[tuple[int, str]] = (),
        step: int = 0,
        end: str = "",
    ) -> None:
        missing = [name for name in _WEIGHTS if name not in weights]
        if missing:
            raise FigureDataError(f"the weights lack {', '.join(missing)}")
        _check_vocabulary(vocabulary)
        names = [("", "")] * len(vocabulary) if names is None else names
        if len(names) != len(vocabulary):
            raise FigureDataError(
                f"there should be a pair of names for each of {len(vocabulary)} tokens, got "
                f"{len(names)}"
            )
        super().__init__(
            vocabulary=list(vocabulary),
            tokens=list(tokens),
            names=[list(pair) for pair in names],
            changes=[[place, token] for place, token in changes],
            step=step,
            end=end,
            **{name: _rounded(weights[name]) for name in _WEIGHTS},
        )
        for place, token in changes:
            self._with(place, token)
        self._read()

    @classmethod
    def of(
        cls,
        model: Any,
        vocabulary: Sequence[str],
        tokens: Sequence[str],
        changes: Sequence[tuple[int, str]] = (),
        **options: Any,
    ) -> RecurrentReader:
        """Show a trained :class:`contextbook.readers.FromEachState`.

        Readings and meanings are those of the book's grammar.

        Raises:
            ValueError: the model does not read as equation (3.1) says: its cell was edited.
        """
        import torch

        from contextbook.datasets import gloss, reading

        def named(token: str) -> tuple[str, str]:
            try:
                return reading(token), gloss(token).replace(";", " / ")
            except ValueError:  # not of the grammar, such as <pad>
                return "", ""

        cell = model.layer.cell
        weights = {name: getattr(cell, name) for name in _WEIGHTS if hasattr(cell, name)}
        weights |= {"embedding": model.embedding.weight}
        weights |= {"head": model.head.weight, "head_bias": model.head.bias}
        names = [named(token) for token in vocabulary]
        figure = cls(weights, vocabulary, tokens, names, changes, **options)
        ids = torch.tensor([[list(vocabulary).index(token) for token in tokens]])
        with torch.no_grad():
            states, _ = model.layer(model.embedding(ids.to(model.embedding.weight.device)))
        if not np.allclose(states[0].cpu(), figure.states, atol=0.01):
            raise FigureDataError(
                "the figure reads as equation (3.1) says, h_t = tanh(W_ih x_t + b_ih + W_hh h_t-1 "
                "+ b_hh), and this model does not: undo the edit of its cell, and train it again"
            )
        return figure

    # first read when the figure is opened: what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {"tokens": list(self.tokens), "step": self.step}

    @traitlets.default("height")
    def _height(self) -> int:
        return 570

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1010

    def replace(self, place: int, token: str) -> None:
        """Put another token at a place, counted from 0, and go to that step.

        Raises:
            ValueError: there is no such place, or the vocabulary lacks the token.
        """
        tokens = self._with(place, token)
        with self._together():
            self.tokens, self.step = tokens, place

    def reset(self) -> None:
        """Bring back what the figure was made with."""
        with self._together():
            self.tokens, self.step = list(self.example["tokens"]), self.example["step"]

    def _with(self, place: int, token: str) -> list[str]:
        if not 0 <= place < len(self.tokens):
            raise FigureDataError(
                f"there is no place {place}: the sentence has {len(self.tokens)} tokens, from 0 on"
            )
        _check_known(token, self.vocabulary)
        return [*self.tokens[:place], token, *self.tokens[place + 1 :]]

    def _summary(self) -> str:
        return f"{len(self.tokens)} tokens, {len(self.weight_hh)} units"

    @traitlets.validate(*_DATA)
    def _check_data(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        if self.trait_has_value(name) and value != getattr(self, name):
            raise FigureDataError(f"a figure keeps its {name}: make another RecurrentReader of it")
        if all(self.trait_has_value(other) for other in _DATA):
            self._check_shapes()
        return value

    def _check_shapes(self) -> None:
        words, size = len(self.vocabulary), len(self.weight_hh)
        width = len(self.weight_ih[0]) if self.weight_ih else 0
        if not 1 <= size <= MAX_UNITS:
            raise FigureDataError(f"the figure shows 1 to {MAX_UNITS} units, got {size}")
        wanted = {
            "embedding": (words, width),
            "weight_ih": (size, width),
            "weight_hh": (size, size),
            "bias_ih": (size,),
            "bias_hh": (size,),
            "head": (words, size),
            "head_bias": (words,),
        }
        for name, shape in wanted.items():
            if np.shape(getattr(self, name)) != shape:
                raise FigureDataError(
                    f"with {words} words, {size} units and vectors of {width} numbers, {name} "
                    f"should have shape {shape}, got {np.shape(getattr(self, name))}"
                )

    @traitlets.validate("tokens")
    def _check_tokens(self, proposal: Any) -> Any:
        tokens = proposal["value"]
        _check_length(tokens)
        if self.trait_has_value("example") and len(tokens) != len(self.example["tokens"]):
            raise FigureDataError(
                f"the sentence keeps its {len(self.example['tokens'])} tokens, so that states can "
                f"be compared; got {len(tokens)}"
            )
        for token in tokens:
            _check_known(token, self.vocabulary)
        return tokens

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> Any:
        _check_length(self.tokens)  # whichever of the two is checked first
        if not 0 <= proposal["value"] < len(self.tokens):
            raise FigureDataError(
                f"step must lie between 0 and {len(self.tokens) - 1}, got {proposal['value']}"
            )
        return proposal["value"]

    @traitlets.observe("tokens", "step")
    def _read(self, change: Any = None) -> None:
        """Compute what the page computes, from the same rounded weights."""
        if not all(self.trait_has_value(name) for name in _DATA):
            return
        states = self._states(self.tokens)
        scores = np.array(self.head) @ states[self.step] + self.head_bias
        exponentials = np.exp(scores - scores.max())
        gaps = states - self._states(self.example["tokens"])
        self.set_trait("states", states.tolist())
        self.set_trait("expected", (exponentials / exponentials.sum()).tolist())
        self.set_trait("moved", np.linalg.norm(gaps, axis=-1).tolist())

    def _states(self, tokens: Sequence[str]) -> npt.NDArray[np.float64]:
        hidden = np.zeros(len(self.weight_hh))
        states = []
        for token in tokens:
            vector = np.array(self.embedding[self.vocabulary.index(token)])
            from_input = np.array(self.weight_ih) @ vector + self.bias_ih
            hidden = np.tanh(from_input + np.array(self.weight_hh) @ hidden + self.bias_hh)
            states.append(hidden)
        return np.array(states)  # (T, H)


def _check_vocabulary(vocabulary: Sequence[str]) -> None:
    if len(vocabulary) > MAX_WORDS or len(set(vocabulary)) != len(vocabulary):
        raise FigureDataError(
            f"the vocabulary must have up to {MAX_WORDS} different tokens, got {len(vocabulary)}, "
            f"{len(set(vocabulary))} of them different"
        )


def _check_length(tokens: Sequence[str]) -> None:
    if not 1 <= len(tokens) <= MAX_TOKENS:
        raise FigureDataError(f"a sentence has 1 to {MAX_TOKENS} tokens, got {len(tokens)}")


def _check_known(token: str, vocabulary: Sequence[str]) -> None:
    if token not in vocabulary:
        raise FigureDataError(
            f"{token!r} is not in the vocabulary of {len(vocabulary)} tokens, so the network has "
            "no vector for it: choose one of these"
        )


def _rounded(weights: Any) -> Any:
    if hasattr(weights, "detach"):  # a tensor that may need gradients or live on a GPU
        weights = weights.detach().cpu()
    try:
        return np.round(np.asarray(weights, dtype=np.float64), DIGITS)
    except (TypeError, ValueError):  # the trait says what is wrong with it
        return weights
