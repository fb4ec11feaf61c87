"""Who reaches whom: how strongly the feature of a word depends on every word, by network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import traitlets

from contextbook.widgets._base import Figure, FigureDataError, check_number

MAX_WORDS = 20  # in a sentence
MAX_VOCABULARY = 60
MAX_UNITS = 64
DIGITS = 5  # significant ones of a weight: what the page is sent

_TURNED = ("sentence", "network", "focus")  # what a reader can change


class InfluenceView(Figure):
    """The influence of each word on the feature of the chosen one: the size of ∂f_t / ∂x_s.

    The reader chooses a word, a network that reads, and another word in its place; influence and
    answer are computed in the page, exactly, from the networks' weights. With a kernel both sides
    stay in step: ``figure.focus``, ``figure.network`` and ``figure.sentence`` can be set.

    Args:
        models: by name, each with ``embedding``, ``reader`` and ``to_class``, as
            :class:`contextbook.experiments.chapter04.Tagger` has them. The reader is an
            ``Unrolled``, a ``Bidirectional`` or a ``Stacked`` of these, with cells that use tanh;
            the model's ids are 1 for the first of ``words``, 2 for the second …, and 0 for filler.
        words: what can stand in the sentence: text, reading and gloss of each, up to 60.
        sentence: texts of up to 20 words.
        classes: names of the classes that ``to_class`` tells apart.
        focus: index of the word whose feature is looked at.

    Raises:
        ValueError: models that are not built like that or do not fit words and classes, an unknown
            word, or a place outside the sentence; the message names what.
    """

    _name = "influence-view"

    sentence = traitlets.List(traitlets.Int()).tag(sync=True)
    network = traitlets.Int().tag(sync=True)
    focus = traitlets.Int().tag(sync=True)

    vocabulary = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    readings = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    glosses = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    networks: traitlets.List[dict[str, Any]] = traitlets.List(read_only=True).tag(sync=True)
    classes = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        models: Mapping[str, Any],
        words: Sequence[tuple[str, str, str]],
        sentence: Sequence[str],
        classes: Sequence[str],
        focus: int = 0,
    ) -> None:
        if not models:
            raise FigureDataError("InfluenceView needs at least one model")
        if not 1 <= len(words) <= MAX_VOCABULARY:
            raise FigureDataError(f"words must be 1 to {MAX_VOCABULARY} words, got {len(words)}")
        texts = [text for text, _, _ in words]
        unknown = [text for text in sentence if text not in texts]
        if unknown:
            raise FigureDataError(f"the sentence has unknown words {unknown}: words has {texts}")
        if not 1 <= len(sentence) <= MAX_WORDS:
            raise FigureDataError(f"a sentence has 1 to {MAX_WORDS} words, got {len(sentence)}")
        fixed = {
            "vocabulary": texts,
            "readings": [reading for _, reading, _ in words],
            "glosses": [gloss for _, _, gloss in words],
            "names": list(models),
            "classes": list(classes),
            "networks": [
                _network(name, model, len(words), len(classes)) for name, model in models.items()
            ],
        }
        # before the figure is opened: what it was made with is kept
        for name, value in fixed.items():
            self.set_trait(name, value)
        self.sentence = [texts.index(text) for text in sentence]
        self.network, self.focus = 0, focus
        super().__init__()

    # these three are first read when the figure is opened, and so hold what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _TURNED}

    @traitlets.default("height")
    def _height(self) -> int:
        return 530

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 520 + 30 * len(self.sentence)

    def reset(self) -> None:
        """Bring back the sentence, the network and the word that the figure was made with."""
        with self._together():
            for name, value in self.example.items():
                self.set_trait(name, value)

    def _summary(self) -> str:
        return f"{len(self.sentence)} words, {len(self.networks)} networks"

    @traitlets.validate("sentence")
    def _check_sentence(self, proposal: Any) -> Any:
        before = self._trait_values.get("sentence")
        if before and len(proposal["value"]) != len(before):
            raise FigureDataError(
                f"the sentence keeps its {len(before)} words, got {len(proposal['value'])}"
            )
        for index in proposal["value"]:
            check_number("a word of the sentence", index, 0, len(self.vocabulary) - 1)
        return proposal["value"]

    @traitlets.validate("network")
    def _check_network(self, proposal: Any) -> int:
        check_number("network", proposal["value"], 0, len(self.networks) - 1)
        return int(proposal["value"])

    @traitlets.validate("focus")
    def _check_focus(self, proposal: Any) -> int:
        check_number("focus", proposal["value"], 0, len(self.sentence) - 1)
        return int(proposal["value"])


def _network(name: str, model: Any, words: int, classes: int) -> dict[str, Any]:
    """Weights of a tagger as nested lists; the row of the filler is left out."""
    for part in ("embedding", "reader", "to_class"):
        if not hasattr(model, part):
            raise FigureDataError(f"model {name!r} has no {part}: it must be built like a Tagger")
    embedding = model.embedding.weight[1:]  # (words, D): without the filler
    if len(embedding) != words:
        raise FigureDataError(
            f"model {name!r} has vectors for {len(embedding)} words besides the filler, and there "
            f"are {words} words"
        )
    weight, bias = model.to_class.weight, model.to_class.bias
    if len(weight) != classes:
        raise FigureDataError(
            f"model {name!r} tells {len(weight)} classes apart, and there are {classes} names"
        )
    return {
        "embedding": _rounded(embedding),
        "layers": [
            [_reader(name, reader) for reader in _readers(name, layer)]
            for layer in getattr(model.reader, "layers", [model.reader])
        ],
        "weight": _rounded(weight),
        "bias": _rounded(bias),
    }


def _readers(name: str, layer: Any) -> Iterator[Any]:
    """The readers of a layer whose states are joined, in this order."""
    if hasattr(layer, "cell"):
        yield layer
    elif hasattr(layer, "ahead") and hasattr(layer, "back"):
        yield from (layer.ahead, layer.back)
    else:
        raise FigureDataError(
            f"model {name!r} has a layer {type(layer).__name__}: it must have a cell, or readers "
            "ahead and back"
        )


def _reader(name: str, reader: Any) -> dict[str, Any]:
    import torch

    cell = reader.cell
    if getattr(cell, "activation", None) is not torch.tanh:
        raise FigureDataError(f"model {name!r} must have cells with tanh, got {cell}")
    if cell.hidden_size > MAX_UNITS:
        raise FigureDataError(f"a cell has up to {MAX_UNITS} units here, got {cell.hidden_size}")
    return {
        "weight_ih": _rounded(cell.weight_ih),
        "weight_hh": _rounded(cell.weight_hh),
        "bias": _rounded(cell.bias_ih + cell.bias_hh),
        "backwards": bool(reader.backwards),
    }


def _rounded(tensor: Any) -> Any:
    """Nested lists of numbers with few digits, so that the page stays small."""

    def short(value: Any) -> Any:
        return [short(one) for one in value] if isinstance(value, list) else _short(value)

    return short(tensor.detach().cpu().tolist())


def _short(value: float) -> float:
    rounded = float(f"{value:.{DIGITS}g}")
    if not abs(rounded) < float("inf"):
        raise FigureDataError(f"weights must be finite, got {value}")
    return rounded
