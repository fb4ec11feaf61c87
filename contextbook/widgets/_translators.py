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
    from collections.abc import Callable

    from contextbook.seq2seq import EncoderDecoder
    from contextbook.text import Vocabulary

_CELLS = {1: "rnn", 3: "gru", 4: "lstm"}  # blocks of rows in a cell's weights


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
    shapes = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    try:
        rows, hidden = shapes["decoder.cell.weight_hh"]
        embedding = shapes["decoder.embedding.weight"][1]
        inputs = shapes["decoder.cell.weight_ih"][1]
        cell = _CELLS[rows // hidden]
        features = shapes["decoder.to_logits.0.weight"][1]
    except KeyError as error:
        raise FigureDataError(
            f"the figure shows the book's EncoderDecoder, and this {type(model).__name__} has no "
            f"weights {error}"
        ) from error
    both_ways = any(name.startswith("encoder.reader.back") for name in shapes)
    attention, size = "none", 0
    if features > hidden:
        attention, size = _attention(shapes)
    return {
        "kind": "seq2seq",
        "cell": cell,
        "embedding": embedding,
        "hidden": hidden,
        "bidirectional": both_ways,
        "attention": attention,
        "attention_size": size,
        "feeds_context": inputs > embedding,
    }


def _attention(shapes: dict[str, tuple[int, ...]]) -> tuple[str, int]:
    """Name the score by the weights that it has, and the width in which it compares."""
    stem = "decoder.attention."
    if f"{stem}from_state.weight" in shapes:
        return "additive", shapes[f"{stem}from_state.weight"][0]
    if f"{stem}from_both.weight" in shapes:
        return "concat", shapes[f"{stem}from_both.weight"][0]
    return ("general" if f"{stem}from_memory.weight" in shapes else "dot"), 0


def _make(config: dict[str, Any], source_size: int, target_size: int) -> EncoderDecoder:
    """Make the book's model of a configuration, with weights still to be loaded."""
    from contextbook import recurrent, seq2seq

    cells: dict[str, Any] = {
        "rnn": recurrent.RNNCell,
        "gru": recurrent.GRUCell,
        "lstm": recurrent.LSTMCell,
    }
    cell, hidden = cells[config["cell"]], config["hidden"]
    encoder = seq2seq.Encoder(
        source_size, config["embedding"], hidden, cell, bidirectional=config["bidirectional"]
    )
    sizes = (target_size, config["embedding"], hidden)
    if config["attention"] == "none":
        return seq2seq.EncoderDecoder(encoder, seq2seq.Decoder(*sizes, cell))
    width = config["attention_size"]
    scores: dict[str, Callable[[], seq2seq.Attention]] = {
        "dot": lambda: seq2seq.DotAttention(hidden),
        "general": lambda: seq2seq.GeneralAttention(hidden, hidden),
        "concat": lambda: seq2seq.ConcatAttention(hidden, hidden, width),
        "additive": lambda: seq2seq.AdditiveAttention(hidden, hidden, width),
    }
    decoder = seq2seq.BahdanauDecoder if config["feeds_context"] else seq2seq.LuongDecoder
    return seq2seq.EncoderDecoder(encoder, decoder(*sizes, scores[config["attention"]](), cell))
