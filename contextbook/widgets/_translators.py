"""Encoder–decoders for the figures of chapters 7, 8 and 11: packed, and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from contextbook.widgets._base import FigureDataError
from contextbook.widgets._weights import (
    Packed,
    check_same,
    load_into,
    pack,
    read_model,
    unpack,
    vocabularies_of,
)

if TYPE_CHECKING:
    from contextbook.seq2seq import EncoderDecoder
    from contextbook.text import Vocabulary


def pack_translator(model: Any, english: Vocabulary, japanese: Vocabulary) -> Packed:
    """Pack an encoder–decoder of :mod:`contextbook.seq2seq`.

    Args:
        model: an ``EncoderDecoder``, with or without attention.
        english: vocabulary of the source.
        japanese: vocabulary of the target.

    Raises:
        FigureDataError: the model is another one, or computes something else than the book's: a
            page runs the book's definitions, and would not show what an edited one does.
    """
    config = _config(model)
    packed = pack(model, config, english.tokens, japanese.tokens)
    check_same(model, _make(config, len(english), len(japanese)), len(english), len(japanese))
    return packed


def unpack_translator(packed: Packed) -> tuple[EncoderDecoder, Vocabulary, Vocabulary]:
    """Make the model of a block again, with the weights as a page holds them.

    Returns:
        The model, the source vocabulary and the target vocabulary.
    """
    content = unpack(packed)
    english, japanese = vocabularies_of(content)
    model = _make(content.config, len(english), len(japanese))
    load_into(model, content)
    return model, english, japanese


def load_translator(name: str) -> tuple[EncoderDecoder, Vocabulary, Vocabulary]:
    """Load a translator that a chapter has trained: ``"seq2seq"``, ``"luong-dot"``, ``"additive"``.

    Raises:
        FigureDataError: there is none by that name.
    """
    return unpack_translator(read_model(name))


def packed_translators(
    models: Mapping[str, Any] | Sequence[str],
    english: Vocabulary | None,
    japanese: Vocabulary | None,
) -> dict[str, Packed]:
    """Pack models by their names, or read those of names alone from their files.

    Raises:
        FigureDataError: there are none, or models without their vocabularies; or as
            :func:`pack_translator` and :func:`load_translator`.
    """
    if not models:
        raise FigureDataError("the figure needs at least one model")
    if not isinstance(models, Mapping):
        names = [models] if isinstance(models, str) else models
        return {name: read_model(name) for name in names}
    if english is None or japanese is None:
        raise FigureDataError(
            "the figure needs the vocabularies that its models were trained with: english and "
            "japanese"
        )
    return {name: pack_translator(model, english, japanese) for name, model in models.items()}


def _config(model: Any) -> dict[str, Any]:
    """Read off what a page must know of the model's shape."""
    from contextbook.saving.configuration import UnknownModelError, translator_configuration

    try:
        return translator_configuration(model)
    except UnknownModelError as error:
        raise FigureDataError(f"the figure shows the book's EncoderDecoder: {error}") from error


def _make(config: Mapping[str, Any], source_size: int, target_size: int) -> Any:
    """Make the book's model of a configuration, with weights still to be loaded."""
    from contextbook.saving.configuration import make_model

    return make_model(config, source_size, target_size)
