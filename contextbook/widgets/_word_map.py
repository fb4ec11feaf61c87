"""A map of words: who is nearest to a word, a place or an analogy, by cosine and by dot product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import traitlets

from contextbook.widgets._base import Figure, FigureDataError, Numbers, check_same_length

MAX_WORDS = 300
MAX_CLASSES = 8  # as many shapes and colours as can be told apart
MAX_NAME = 40
MAX_COORDINATE = 1000.0
# digits after the point of the numbers that travel; more would only make the notebook heavier
DIGITS = {"vectors": 4, "directions": 6}

_DATA = ("words", "vectors", "classes", "directions", "analogies")
_ASKED = ("asks", "word", "place", "analogy", "shown")

Analogy = tuple[str, tuple[str, str, str], str]


class WordMap(Figure):
    """Words where their vectors point, seen along two directions, and a query among them.

    The reader chooses a word, drags the query over the map or writes an analogy; the words nearest
    to it by cosine and by dot product follow, side by side. A word asks with its direction, a
    vector of length 1. An analogy "a is to b as c is to …" asks with ``b - a + c`` of three such
    vectors. A place on the map asks with a vector of the map's plane: 0 along every other
    direction. The words that ask are no answers.

    Args:
        words: up to 300 different words.
        vectors: ``(words, dim)``; they are rounded to four digits.
        classes: the class of each word; up to eight classes, each with its own colour and shape.
        directions: ``(2, dim)``, the axes of the map: of length 1 and at right angles. A word lies
            where its vector, brought to length 1, falls on them.
        analogies: for each a label, three words a, b and c, and the answer to be hoped for.
        word: what is asked first; the first word unless given.

    Raises:
        ValueError: arrays that do not fit together, numbers that are not finite, words that are
            not in the list; the message names shape or word.

    Attributes:
        asks: ``"word"``, ``"place"`` or ``"analogy"``: which of the next three is the query.
        place: ``(2,)``, a point of the map.
        analogy: three words.
        shown: the classes that are on the map and in the rankings.
        query: the vector that asks.
        by_cosine: the words that are ranked, the one with the greatest cosine first.
        by_product: the same words by their dot product with the query.
    """

    _name = "word-map"

    words: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    vectors = Numbers((None, None), MAX_COORDINATE).tag(sync=True)
    classes: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    directions = Numbers((2, None), 1.01).tag(sync=True)
    analogies: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    asks = traitlets.Enum(("word", "place", "analogy"), "word").tag(sync=True)
    word = traitlets.Unicode().tag(sync=True)
    place = Numbers((2,), MAX_COORDINATE).tag(sync=True)
    analogy: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    shown: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    query = traitlets.List(traitlets.Float(), read_only=True)
    by_cosine = traitlets.List(traitlets.Unicode(), read_only=True)
    by_product = traitlets.List(traitlets.Unicode(), read_only=True)

    def __init__(
        self,
        words: Sequence[str],
        vectors: Any,
        classes: Sequence[str],
        directions: Any,
        analogies: Sequence[Analogy] = (),
        word: str | None = None,
    ) -> None:
        _check_words(words, classes)
        presets = [_preset(analogy, words) for analogy in analogies]
        first = [words[i % len(words)] for i in range(3)]
        super().__init__(
            words=list(words),
            vectors=_rounded("vectors", vectors),
            classes=list(classes),
            directions=_rounded("directions", directions),
            analogies=presets,
            word=words[0] if word is None else word,
            place=[0.0, 0.0],
            analogy=presets[0]["words"] if presets else first,
            shown=list(dict.fromkeys(classes)),
        )

    # first read when the figure is opened: what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _ASKED}

    @traitlets.default("height")
    def _height(self) -> int:
        return 620

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1150

    def ask(
        self,
        word: str | None = None,
        *,
        place: Sequence[float] | None = None,
        analogy: Sequence[str] | None = None,
    ) -> None:
        """Ask with a word, a place on the map or an analogy of three words.

        Raises:
            ValueError: not exactly one of them is given, or a word is unknown; nothing changes.
        """
        asked: dict[str, Any] = {"word": word, "place": place, "analogy": analogy}
        given = {name: value for name, value in asked.items() if value is not None}
        if len(given) != 1:
            raise ValueError(f"ask with one of word, place and analogy, got {len(given)} of them")
        ((name, value),) = given.items()
        with self._together():
            self.set_trait(name, list(value) if name == "analogy" else value)
            self.asks = name

    def reset(self) -> None:
        """Bring back what the figure was made with."""
        with self._together():
            for name, value in self.example.items():
                self.set_trait(name, value)

    def _summary(self) -> str:
        return f"{len(self.words)} words, {len(self.directions[0])} numbers each"

    @traitlets.validate(*_DATA)
    def _check_data(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        if self.trait_has_value(name) and value != getattr(self, name):
            raise FigureDataError(f"a figure keeps its {name}: make another WordMap of these")
        if name in ("vectors", "directions"):
            self._check_shapes()
        return value

    def _check_shapes(self) -> None:
        if not (self.trait_has_value("vectors") and self.trait_has_value("directions")):
            return
        vectors, directions = np.array(self.vectors), np.array(self.directions)
        check_same_length(words=self.words, vectors=self.vectors)
        if vectors.shape[1] != directions.shape[1] or vectors.shape[1] < 2:
            raise FigureDataError(
                f"vectors (words, dim) and directions (2, dim) must agree in dim, at least 2, got "
                f"{vectors.shape} and {directions.shape}"
            )
        if not np.allclose(directions @ directions.T, np.eye(2), atol=0.01):
            raise FigureDataError(
                "directions must have length 1 and be at right angles, or the map would distort: "
                "take rows of torch.linalg.svd(…).Vh"
            )

    @traitlets.validate("word", "analogy", "shown")
    def _check_asked(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        if name == "shown":
            unknown = [kind for kind in value if kind not in self.classes]
            if unknown:
                raise FigureDataError(f"there is no class {unknown[0]!r} among those of the words")
            return value
        if name == "analogy" and len(value) != 3:
            raise FigureDataError(f"an analogy has three words a, b and c, got {len(value)}")
        for word in [value] if name == "word" else value:
            _check_known(word, self.words)
        return value

    @traitlets.observe(*_ASKED)
    def _search(self, change: Any = None) -> None:
        """Rank the words with the book's own cosine."""
        import torch

        from contextbook.embeddings import cosine_similarity

        vectors = torch.tensor(self.vectors, dtype=torch.float64)  # (words, dim)
        lengths = vectors.norm(dim=-1, keepdim=True)
        units = vectors / torch.where(lengths > 0, lengths, 1.0)
        asking = self._asking()
        if self.asks == "place":
            query = torch.tensor(self.place, dtype=torch.float64) @ torch.tensor(
                self.directions, dtype=torch.float64
            )
        elif self.asks == "word":
            query = units[asking[0]]
        else:
            a, b, c = units[asking]
            query = b - a + c
        shown = set(self.shown)
        ranked = [
            i for i, kind in enumerate(self.classes) if kind in shown and i not in set(asking)
        ]

        def order(scores: Any) -> list[str]:
            best = sorted(ranked, key=lambda i: -scores[i])  # stable, as the page's sort is
            return [self.words[i] for i in best]

        with self.hold_trait_notifications():  # whoever observes one of them finds all three new
            self.set_trait("query", query.tolist())
            self.set_trait("by_cosine", order(cosine_similarity(vectors, query).tolist()))
            self.set_trait("by_product", order((vectors @ query).tolist()))

    def _asking(self) -> list[int]:
        """Numbers of the words that ask."""
        asking = {"word": [self.word], "analogy": self.analogy, "place": []}[self.asks]
        return [self.words.index(word) for word in asking]


def _rounded(name: str, array: Any) -> list[Any]:
    """Check an array as the trait would, and round it."""
    if hasattr(array, "detach"):  # a tensor that may need gradients or live on a GPU
        array = array.detach().cpu()
    try:
        numbers = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise FigureDataError(f"WordMap.{name} must be numbers of two axes: {error}") from error
    if numbers.ndim != 2 or numbers.size == 0:
        raise FigureDataError(f"WordMap.{name} must have two axes, got shape {numbers.shape}")
    return [[round(float(x), DIGITS[name]) for x in row] for row in numbers]


def _check_words(words: Sequence[str], classes: Sequence[str]) -> None:
    if isinstance(words, str) or not all(isinstance(word, str) for word in words):
        raise FigureDataError("words must be a list of strings")
    check_same_length(words=list(words), classes=list(classes))
    if not 1 <= len(words) <= MAX_WORDS:
        raise FigureDataError(f"a map has 1 to {MAX_WORDS} words, got {len(words)}")
    for word in words:
        if not word.strip() or len(word) > MAX_NAME:
            raise FigureDataError(f"a word must have 1 to {MAX_NAME} signs, got {word!r}")
    folded = [word.strip().lower() for word in words]
    double = next((word for word in words if folded.count(word.strip().lower()) > 1), None)
    if double is not None:
        raise FigureDataError(f"the word {double!r} comes twice: drop one, or rename it")
    kinds = set(classes)
    if len(kinds) > MAX_CLASSES:
        raise FigureDataError(
            f"a map tells up to {MAX_CLASSES} classes apart, got {len(kinds)}: join some of them"
        )


def _check_known(word: str, words: Sequence[str]) -> None:
    if word not in words:
        raise FigureDataError(f"{word!r} is not one of the {len(words)} words of the map")


def _preset(analogy: Analogy, words: Sequence[str]) -> dict[str, Any]:
    label, asked, expected = analogy
    if len(asked) != 3:
        raise FigureDataError(f"the analogy {label!r} must have three words, got {len(asked)}")
    for word in (*asked, expected):
        _check_known(word, words)
    return {"label": label, "words": list(asked), "expected": expected}
