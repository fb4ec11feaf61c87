"""Translation with attention, in the page: edit a sentence, and see where the network looks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
from contextbook.widgets._translators import packed_translators, unpack_translator
from contextbook.widgets._weights import Packed, unpack

if TYPE_CHECKING:
    from contextbook.text import Vocabulary

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.1, 100.0

_ROW, _MATRIX_ROW = 26, 21  # pixels, as in the style sheet


class AlignmentExplorer(TranslatingFigure):
    """Trained translators with attention: edit the sentence, see where they look for each word.

    All is computed in the page, from the models' weights in half precision. The weights go into
    a file for each model, which other chapters' figures may show too. With a kernel both sides
    stay in step: ``figure.sentence``, ``figure.chosen`` … can be set.

    Args:
        models: encoder–decoders with attention by name; or the names alone of models that a
            chapter has trained before. A name belongs to one model in the whole book.
        english: vocabulary of the source; not needed for names alone.
        japanese: vocabulary of the target; not needed for names alone.
        sentence: the English to begin with: tokens, or a string with spaces between them.
        temperature: of the attention's softmax; below 1 it looks more sharply.
        focus: the written word whose weights are shown, by its place.

    Raises:
        ValueError: models without attention, or with an edited definition; unequal vocabularies;
            or a word that is not in the vocabulary. The message says what to do.
    """

    _name = "alignment-explorer"

    _turned = ("sentence", "chosen", "temperature", "focus")

    chosen = traitlets.Unicode().tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    focus = traitlets.Int().tag(sync=True)

    kinds = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    vocabulary = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)

    def __init__(
        self,
        models: Mapping[str, Any] | Sequence[str],
        english: Vocabulary | None = None,
        japanese: Vocabulary | None = None,
        sentence: Sequence[str] | str = "as the dog was walking along , it met a cat .",
        *,
        temperature: float = 1.0,
        focus: int = 0,
    ) -> None:
        packed = packed_translators(models, english, japanese)
        contents = {name: unpack(one) for name, one in packed.items()}
        first = next(iter(contents.values()))
        for name, content in contents.items():
            if content.config.get("attention", "none") == "none":
                raise FigureDataError(f"model {name!r} has no attention: there is nothing to show")
            if (content.source, content.target) != (first.source, first.target):
                raise FigureDataError(f"model {name!r} has other vocabularies than the first")
        self._hold(
            packed,
            kinds=[content.config["attention"] for content in contents.values()],
            vocabulary=words_of(first.source),
            notes=notes_of(first.target),
        )
        self.chosen = self.names[0]
        self.sentence = tokens_of(sentence)
        self.temperature, self.focus = temperature, focus
        self._written = _count_written(packed[self.chosen], self.sentence)
        super().__init__()

    def _known(self) -> Collection[str]:
        return self.vocabulary

    @traitlets.default("height")
    def _height(self) -> int:
        lists = _ROW * max(self._written, len(self.sentence) + 1)
        return 310 + max(lists, 72 + _MATRIX_ROW * self._written)

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        lists = _ROW * max(self._written, len(self.sentence) + 1)
        return 450 + lists + 72 + _MATRIX_ROW * self._written

    def _summary(self) -> str:
        return ", ".join(self.names)

    @traitlets.validate("chosen")
    def _check_chosen(self, proposal: Any) -> str:
        if proposal["value"] not in self.names:
            raise FigureDataError(
                f"chosen must be the name of a model, one of {self.names}, "
                f"got {proposal['value']!r}"
            )
        return str(proposal["value"])

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal: Any) -> float:
        check_number("temperature", proposal["value"], MIN_TEMPERATURE, MAX_TEMPERATURE)
        return float(proposal["value"])

    @traitlets.validate("focus")
    def _check_focus(self, proposal: Any) -> int:
        check_number("focus", proposal["value"], 0, MAX_WRITTEN - 1)
        return int(proposal["value"])


def _count_written(packed: Packed, sentence: Sequence[str]) -> int:
    """How many rows the figure begins with, the stop token's included."""
    import torch

    from contextbook.decoding import greedy

    model, english, _ = unpack_translator(packed)
    source = torch.tensor([english.encode(sentence, eos=True)])
    with torch.no_grad():
        ids = greedy(model, source, max_length=MAX_WRITTEN).ids()[0]
    return min(len(ids) + 1, MAX_WRITTEN)
