"""The shape of a translating model in plain values, and back: read it off, make it again.

A reader's own class, typed over in a notebook, is as good as the book's while it has the same
parts: the shape is read off the weights, and :mod:`contextbook.saving.comparison` compares the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from contextbook import recurrent, seq2seq
from contextbook.transformer import Transformer, sinusoidal_positions

if TYPE_CHECKING:
    from contextbook.seq2seq import EncoderDecoder

Configuration = dict[str, Any]
CELLS: dict[str, Any] = {
    "rnn": recurrent.RNNCell,
    "gru": recurrent.GRUCell,
    "lstm": recurrent.LSTMCell,
}
_BLOCKS = {1: "rnn", 3: "gru", 4: "lstm"}  # blocks of rows in a cell's weights


class UnknownModelError(ValueError):
    """A model that is none of the book's, or computes something else."""


def configuration_of(model: Any) -> Configuration:
    """Read off the shape of a Transformer or an encoder–decoder, as values that JSON holds.

    Raises:
        UnknownModelError: it is neither.
    """
    names = model.state_dict()
    if "source_embedding.weight" in names:
        return transformer_configuration(model)
    if "decoder.cell.weight_hh" in names:
        return translator_configuration(model)
    raise UnknownModelError(
        f"this {type(model).__name__} is neither a Transformer (chapter 11) nor an EncoderDecoder "
        "(chapters 7 and 8)"
    )


def make_model(
    configuration: Mapping[str, Any], source_size: int, target_size: int
) -> Transformer | EncoderDecoder:
    """Make the book's model of a configuration, its weights still to be loaded.

    Raises:
        UnknownModelError: the configuration's kind is unknown, or it lacks a value.
        ValueError: a value is out of range.
    """
    makers: dict[Any, Callable[..., Any]] = {
        "transformer": _make_transformer,
        "seq2seq": _make_translator,
    }
    kind = configuration.get("kind")
    if kind not in makers:
        raise UnknownModelError(f"there is no kind of model {kind!r}; there are {list(makers)}")
    try:
        made: Transformer | EncoderDecoder = makers[kind](configuration, source_size, target_size)
    except KeyError as error:
        raise UnknownModelError(
            f"the configuration lacks {error}, it has only {dict(configuration)}"
        ) from error
    return made


def transformer_configuration(model: Any) -> Configuration:
    """Read off the shape of a Transformer.

    Raises:
        UnknownModelError: it lacks a part.
    """
    shapes = _shapes(model)
    try:
        layers = model.decoder.layers
        return {
            "kind": "transformer",
            "d_model": shapes["source_embedding.weight"][1],
            "heads": int(layers[0].self_attention.heads),
            "layers": len(layers),
            "d_ff": shapes["encoder.layers.0.feed_forward.expand.weight"][0],
            "norm_first": "decoder.norm.weight" in shapes,
            "positions": model.source_embedding.table is not None,
            "tied": model.to_logits.weight is model.target_embedding.weight,
            "max_length": model.source_embedding.max_length,
            "dropout": model.source_embedding.dropout.p,
            "connect": layers[0].self_residual.connect,
        }
    except (AttributeError, KeyError) as error:
        raise UnknownModelError(f"this {type(model).__name__} has no {error}") from error


def _make_transformer(
    configuration: Mapping[str, Any], source_size: int, target_size: int
) -> Transformer:
    sizes = ("layers", "d_model", "heads", "d_ff", "norm_first")
    choices = ("tied", "max_length", "dropout", "connect")  # a figure does not name these
    return Transformer(
        source_size,
        target_size,
        positions=sinusoidal_positions if configuration["positions"] else None,
        **{name: configuration[name] for name in sizes},
        **{name: configuration[name] for name in choices if name in configuration},
    )


def translator_configuration(model: Any) -> Configuration:
    """Read off the shape of an encoder–decoder of :mod:`contextbook.seq2seq`.

    Raises:
        UnknownModelError: it lacks weights.
    """
    shapes = _shapes(model)
    try:
        rows, hidden = shapes["decoder.cell.weight_hh"]
        embedding = shapes["decoder.embedding.weight"][1]
        source_embedding = shapes["encoder.embedding.weight"][1]
        inputs = shapes["decoder.cell.weight_ih"][1]
        cell = _BLOCKS[rows // hidden]
        features = shapes["decoder.to_logits.0.weight"][1]
    except KeyError as error:
        raise UnknownModelError(f"this {type(model).__name__} has no weights {error}") from error
    attention, size = _attention(shapes) if features > hidden else ("none", 0)
    return {
        "kind": "seq2seq",
        "cell": cell,
        "embedding": embedding,
        "source_embedding": source_embedding,
        "hidden": hidden,
        "bidirectional": any(name.startswith("encoder.reader.back") for name in shapes),
        "attention": attention,
        "attention_size": size,
        "feeds_context": inputs > embedding,
    }


def _attention(shapes: Mapping[str, tuple[int, ...]]) -> tuple[str, int]:
    """Name the score by the weights that it has, and the width in which it compares."""
    stem = "decoder.attention."
    if f"{stem}from_state.weight" in shapes:
        return "additive", shapes[f"{stem}from_state.weight"][0]
    if f"{stem}from_both.weight" in shapes:
        return "concat", shapes[f"{stem}from_both.weight"][0]
    return ("general" if f"{stem}from_memory.weight" in shapes else "dot"), 0


def _make_translator(
    configuration: Mapping[str, Any], source_size: int, target_size: int
) -> EncoderDecoder:
    cell, hidden = CELLS[configuration["cell"]], configuration["hidden"]
    width = configuration["attention_size"]
    sizes = (configuration["embedding"], hidden)
    encoder = seq2seq.Encoder(
        source_size,
        configuration.get("source_embedding", sizes[0]),  # older files know of one width
        hidden,
        cell,
        bidirectional=configuration["bidirectional"],
    )
    if configuration["attention"] == "none":
        return seq2seq.EncoderDecoder(encoder, seq2seq.Decoder(target_size, *sizes, cell))
    scores: dict[str, Callable[[], seq2seq.Attention]] = {
        "dot": lambda: seq2seq.DotAttention(hidden),
        "general": lambda: seq2seq.GeneralAttention(hidden, hidden),
        "concat": lambda: seq2seq.ConcatAttention(hidden, hidden, width),
        "additive": lambda: seq2seq.AdditiveAttention(hidden, hidden, width),
    }
    decoder = seq2seq.BahdanauDecoder if configuration["feeds_context"] else seq2seq.LuongDecoder
    score = scores[configuration["attention"]]()
    return seq2seq.EncoderDecoder(encoder, decoder(target_size, *sizes, score, cell))


def _shapes(model: Any) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
