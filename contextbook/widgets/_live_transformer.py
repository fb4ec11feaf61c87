"""A whole Transformer in the page: type a sentence, open every attention, switch any part off."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import traitlets

from contextbook.widgets._base import FigureDataError, check_number
from contextbook.widgets._transformers import best_aligning_head, pack_transformer
from contextbook.widgets._translating import MAX_WRITTEN, TranslatingFigure, notes_of, tokens_of
from contextbook.widgets._weights import Packed, read_model, unpack

if TYPE_CHECKING:
    from contextbook.datasets import Pair
    from contextbook.text import Vocabulary

MAX_WORDS = 32  # words and marks of a sentence; the page's scripts have the same number
MIN_TEMPERATURE, MAX_TEMPERATURE = 0.1, 4.0
WIDTHS = (1, 4)
RUNNING = "as the dog was walking along , it met a cat ."
EXAMPLES = (
    RUNNING,
    "the dog chased the cat .",
    "a fox always sleeps .",
    "the boy who met a small bird sang in the garden .",
    "there was a white rabbit in the town .",
    "this prince slept in his park .",  # where a beam writes other words than a greedy search
    "as the strong young bear which slept was running in this famous big school , "
    "it met a rabbit which met the beautiful small fox .",
)


class LiveTransformer(TranslatingFigure):
    """A trained Transformer that translates in the page, with all its attention to see and change.

    The reader types a sentence; the translation follows, with the weights of every head. Any head
    or layer, the positions, the residuals and the scale can be switched off, and words forced.
    With a kernel both sides stay in step: ``figure.sentence``, ``figure.off`` … can be set.

    Args:
        model: a :class:`contextbook.transformer.Transformer` of any size.
        english: vocabulary of the source.
        japanese: vocabulary of the target.
        without_positions: one that was trained without positions, to be shown beside.
        beside: names of models that earlier chapters have trained, to be shown beside.
        pairs: sentence pairs with gold alignment, by which the head is found that aligns best.
        sentence: the English to begin with: tokens, or a string with spaces between them.
        examples: sentences on offer; those with words that the model does not know are left out.
        name: of the model's file in a page; it belongs to one model in the whole book.

    Raises:
        ValueError: another model, or one with an edited definition; a word that is not in the
            vocabulary. The message says what to do.

    Attributes:
        aligning: layer and head whose weights agree best with the gold alignment, and the share of
            the words for which the largest weight is on the right one.
    """

    _name = "live-transformer"

    _turned = (
        *("sentence", "temperature", "scale", "positions", "residuals"),
        *("off", "forced", "width"),
    )
    _most_read = MAX_WORDS

    temperature = traitlets.Float(1.0).tag(sync=True)
    scale = traitlets.Bool(True).tag(sync=True)
    positions = traitlets.Bool(True).tag(sync=True)
    residuals = traitlets.Bool(True).tag(sync=True)
    off = traitlets.List(traitlets.Unicode()).tag(sync=True)
    forced = traitlets.Dict().tag(sync=True)
    width = traitlets.Int(1).tag(sync=True)

    examples: traitlets.List[list[str]] = traitlets.List(read_only=True).tag(sync=True)
    aligning: traitlets.List[float] = traitlets.List(read_only=True).tag(sync=True)
    longest = traitlets.Int(MAX_WRITTEN, read_only=True).tag(sync=True)

    def __init__(
        self,
        model: Any,
        english: Vocabulary,
        japanese: Vocabulary,
        without_positions: Any = None,
        beside: Sequence[str] = ("seq2seq", "luong-dot"),
        pairs: Sequence[Pair] = (),
        sentence: Sequence[str] | str = RUNNING,
        *,
        examples: Sequence[str] = EXAMPLES,
        name: str = "transformer",
    ) -> None:
        packed: dict[str, Packed] = {name: pack_transformer(model, english, japanese)}
        if without_positions is not None:
            packed[f"{name}-no-positions"] = pack_transformer(without_positions, english, japanese)
        packed |= {other: read_model(other) for other in beside}
        self._parts = _parts(unpack(packed[name]).config)
        self._words = [set(english.tokens), set(japanese.tokens)]
        known = set(english.tokens)
        self._hold(
            packed,
            notes=notes_of(japanese.tokens),
            examples=[one.split() for one in examples if set(one.split()) <= known],
            aligning=list(best_aligning_head(model, english, japanese, pairs)),
        )
        self.sentence = tokens_of(sentence)
        super().__init__()

    def _known(self) -> Collection[str]:
        return self._words[0]

    @traitlets.default("height")
    def _height(self) -> int:
        return 1122 + 22 * max(14, len(self.sentence) + 1)

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1762 + 44 * max(14, len(self.sentence) + 1)

    def _summary(self) -> str:
        return ", ".join(self.names)

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal: Any) -> float:
        check_number("temperature", proposal["value"], MIN_TEMPERATURE, MAX_TEMPERATURE)
        return float(proposal["value"])

    @traitlets.validate("off")
    def _check_off(self, proposal: Any) -> Any:
        wrong = [part for part in proposal["value"] if part not in self._parts]
        if wrong:
            raise FigureDataError(
                f"the model has no parts {wrong}: name layers as 'encoder.0' and heads as "
                "'encoder.0.self.1' or 'decoder.1.cross.3', counted from 0"
            )
        return proposal["value"]

    @traitlets.validate("forced")
    def _check_forced(self, proposal: Any) -> dict[str, str]:
        forced: Mapping[Any, str] = proposal["value"]
        for step, word in forced.items():
            if not str(step).isdigit() or int(step) >= MAX_WRITTEN or word not in self._words[1]:
                raise FigureDataError(
                    f"cannot force {word!r} at step {step!r}: steps are 0 to {MAX_WRITTEN - 1}, "
                    "and the word must be in the target's vocabulary"
                )
        return {str(step): word for step, word in forced.items()}

    @traitlets.validate("width")
    def _check_width(self, proposal: Any) -> int:
        if proposal["value"] not in WIDTHS:
            raise FigureDataError(f"width must be one of {WIDTHS}, got {proposal['value']}")
        return int(proposal["value"])


def _parts(config: Mapping[str, Any]) -> set[str]:
    """The names of all layers and heads."""
    layers, heads = range(config["layers"]), range(config["heads"])
    parts = {f"{stack}.{layer}" for stack in ("encoder", "decoder") for layer in layers}
    for place in ("encoder.{}.self", "decoder.{}.self", "decoder.{}.cross"):
        parts |= {f"{place.format(layer)}.{head}" for layer in layers for head in heads}
    return parts
