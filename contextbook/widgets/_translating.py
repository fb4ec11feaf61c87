"""What the figures share in which a trained model translates a sentence that the reader edits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import traitlets

from contextbook.widgets._base import Figure, FigureDataError
from contextbook.widgets._weights import Models, Packed

MAX_READ = 31  # words and marks of a sentence; the page's scripts have the same number
MAX_WRITTEN = 46  # tokens of a translation, the stop token included


class TranslatingFigure(Figure):
    """A figure with models and a sentence; ``_turned`` names what a reader changes."""

    _turned: ClassVar[tuple[str, ...]]
    _most_read: ClassVar[int] = MAX_READ

    sentence = traitlets.List(traitlets.Unicode()).tag(sync=True)
    models = Models(read_only=True).tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    notes = traitlets.Dict(read_only=True).tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    def _hold(self, models: Mapping[str, Packed], **fixed: Any) -> None:
        """Set what stays as it is, before the figure is opened and the rest is checked by it."""
        held = {
            "models": {name: Models.entry(packed) for name, packed in models.items()},
            "names": list(models),
            **fixed,
        }
        for name, value in held.items():
            self.set_trait(name, value)

    def _known(self) -> Collection[str]:
        """Words that the sentence may have."""
        raise NotImplementedError(f"{type(self).__name__} needs a method _known")

    # first read when the figure is opened, and so holds what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._turned}

    def reset(self) -> None:
        """Bring back all that it began with."""
        with self._together():
            for name, value in self.example.items():
                self.set_trait(name, value)

    @traitlets.validate("sentence")
    def _check_sentence(self, proposal: Any) -> Any:
        tokens = proposal["value"]
        if not 1 <= len(tokens) <= self._most_read:
            raise FigureDataError(
                f"the sentence must have 1 to {self._most_read} words and marks, got {len(tokens)}"
            )
        known = self._known()
        unknown = [token for token in tokens if token not in known]
        if unknown:
            raise FigureDataError(
                f"the sentence has words that are not in the vocabulary: {unknown}"
            )
        return tokens


def tokens_of(sentence: Sequence[str] | str) -> list[str]:
    """A sentence's tokens; in a string they stand apart by spaces."""
    return sentence.split() if isinstance(sentence, str) else list(sentence)


def words_of(vocabulary: Sequence[str]) -> list[str]:
    """The tokens that are words or marks, without ``<pad>`` and its like."""
    return [token for token in vocabulary if not (token.startswith("<") and token.endswith(">"))]


def notes_of(tokens: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Reading and gloss of the grammar's Japanese tokens; others have none."""
    from contextbook.datasets.lexicon import gloss, reading

    notes = {}
    for token in tokens:
        try:
            notes[token] = (reading(token), gloss(token).replace(";", "; "))
        except ValueError:  # a word of the reader's own
            continue
    return notes
