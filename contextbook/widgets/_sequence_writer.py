"""Translation through one vector, in the page: read, written step by step, searched by a beam."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import traitlets

from contextbook.widgets._base import FigureDataError, check_number
from contextbook.widgets._translating import (
    MAX_WRITTEN,
    TranslatingFigure,
    notes_of,
    tokens_of,
    words_of,
)
from contextbook.widgets._translators import packed_translators
from contextbook.widgets._weights import unpack

if TYPE_CHECKING:
    from contextbook.datasets import Pair
    from contextbook.text import Vocabulary

MAX_WIDTH = 5
PER_LENGTH = 3  # samples of each length: more would only make the notebook heavier


class SequenceWriter(TranslatingFigure):
    """A sentence is read into one vector and written out again, step by step.

    The reader takes a sentence of any length from those that the model was not trained on, or types
    one; sees the vector; steps through the words that are written, each with its alternatives; and
    follows the beam. Where the wanted translation is known, what departs from it is marked. All is
    computed in the page, from the model's weights in half precision.

    Args:
        model: an encoder–decoder; or the name of a model that a chapter has trained before.
        english: vocabulary of the source; not needed for a name.
        japanese: vocabulary of the target; not needed for a name.
        samples: pairs to choose from by length; three of each length are taken.
        sentence: the English to begin with: tokens, or a string with spaces between them.
        width: of the beam, 1 to 5; 1 is greedy decoding.
        name: what the model is called in the whole book.

    Raises:
        ValueError: a model with an edited definition, a word that is not in the vocabulary, no
            samples, or a setting that is out of range. The message says what to do.

    Attributes:
        step: which written word's alternatives are shown, from 0.
    """

    _name = "sequence-writer"

    _turned = ("sentence", "step", "width")

    step = traitlets.Int().tag(sync=True)
    width = traitlets.Int(1).tag(sync=True)

    vocabulary = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    samples: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)

    def __init__(
        self,
        model: Any,
        english: Vocabulary | None = None,
        japanese: Vocabulary | None = None,
        samples: Iterable[Pair] = (),
        sentence: Sequence[str] | str = "as the dog was walking along , it met a cat .",
        *,
        width: int = 3,
        name: str = "seq2seq",
    ) -> None:
        models: Mapping[str, Any] | Sequence[str] = (
            [model] if isinstance(model, str) else {name: model}
        )
        packed = packed_translators(models, english, japanese)
        (content,) = (unpack(one) for one in packed.values())
        self._hold(
            packed,
            vocabulary=words_of(content.source),
            notes=notes_of(content.target),
            samples=_by_length(samples, _running(content.source)),
        )
        self.sentence = tokens_of(sentence)
        self.width = width
        super().__init__()

    def _known(self) -> Collection[str]:
        return self.vocabulary

    @traitlets.default("height")
    def _height(self) -> int:
        return 830

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1120

    def _summary(self) -> str:
        return f"{self.names[0]}, {len(self.samples)} samples"

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int:
        check_number("step", proposal["value"], 0, MAX_WRITTEN - 1)
        return int(proposal["value"])

    @traitlets.validate("width")
    def _check_width(self, proposal: Any) -> int:
        check_number("width", proposal["value"], 1, MAX_WIDTH)
        return int(proposal["value"])


def _running(vocabulary: Sequence[str]) -> list[Pair]:
    """The running sentence's pair, where the model knows its words."""
    from contextbook.datasets import running_pair

    pair = running_pair()
    return [pair] if set(pair.english) <= set(vocabulary) else []


def _by_length(pairs: Iterable[Pair], first: Sequence[Pair]) -> list[dict[str, Any]]:
    """Some pairs of each length, short ones first; those of ``first`` are among them."""
    pairs = list(pairs)
    kept: dict[int, list[dict[str, Any]]] = {}
    for pair in [*first, *pairs] if pairs else []:
        row = {
            "words": pair.words,
            "english": list(pair.english),
            "japanese": list(pair.japanese),
        }
        if len(kept.setdefault(pair.words, [])) < PER_LENGTH:
            kept[pair.words].append(row)
    if not kept:
        raise FigureDataError("SequenceWriter needs samples: pass pairs, such as task.test")
    return [row for length in sorted(kept) for row in kept[length]]
