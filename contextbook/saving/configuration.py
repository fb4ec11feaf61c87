"""The shape of a translating model in plain values, and back: read it off, make it again.

A reader's own class, typed over in a notebook, is as good as the book's while it has the same
parts: the shape is read off the weights, and :func:`check_same` compares the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import Tensor, nn

from contextbook import recurrent, seq2seq
from contextbook.attention import padding_mask
from contextbook.transformer import Transformer, sinusoidal_positions

if TYPE_CHECKING:
    from contextbook.seq2seq import EncoderDecoder

LENGTH = 24  # of the sentences by which a model is compared with the book's

Configuration = dict[str, Any]
Inputs: TypeAlias = tuple[Tensor, Tensor | None, Tensor]  # source, its lengths, target
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
    names = _shapes(model)
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


def check_same(
    model: Any, twin: Any, source_size: int, target_size: int, *, padded: bool = False
) -> None:
    """Refuse a model that does not compute what the book's does with the same weights.

    Args:
        model: called ``model(source, lengths, target_in)``; returns logits first.
        twin: the book's model of the same shape; it takes the weights.
        source_size: number of source tokens.
        target_size: number of target tokens.
        padded: compare a padded source as well; figures read one sentence alone.

    Raises:
        UnknownModelError: the weights are others, or the numbers that they give.
    """
    name = type(twin).__name__
    try:
        twin.eval().load_state_dict(model.state_dict())
    except RuntimeError as error:
        raise UnknownModelError(
            f"this {type(model).__name__} has other weights than the book's {name}: {error}"
        ) from error
    length = LENGTH
    if isinstance(twin, Transformer):  # it may know fewer positions
        length = min(length, twin.source_embedding.max_length)
    was_training = model.training
    try:
        model.eval()
        alone, two = _examples(source_size, target_size, length)
        _check_answer(model, twin, "a source without padding", alone)
        if padded:
            _check_answer(model, twin, "a source with padding", two)
    finally:
        model.train(was_training)


def _examples(source_size: int, target_size: int, length: int) -> tuple[Inputs, Inputs]:
    """Sentences by which models are told apart: one alone, and two of which one is padded."""
    source = torch.arange(source_size)[:length].repeat(2, 1)
    target = torch.arange(target_size)[1 : length + 1].repeat(2, 1)
    whole = source.shape[1]
    lengths = torch.tensor([whole, (whole + 1) // 2])
    padded = source.where(padding_mask(lengths, whole), 0)
    return (source[:1], None, target[:1]), (padded, lengths, target)


def _check_answer(model: Any, twin: Any, kind: str, inputs: Inputs) -> None:
    """Refuse a model whose logits are not the twin's, up to rounding."""
    device = next(model.parameters()).device
    there = [None if part is None else part.to(device) for part in inputs]
    with torch.no_grad():
        wanted, found = twin(*inputs)[0], model(*there)[0]
    if torch.allclose(wanted, found.cpu().to(wanted.dtype), atol=1e-3):
        return
    mend = "undo the edit, and train it again"
    if "forward" in vars(model):  # put over the class's own
        mend = f"save it after the `with mixed_precision(…)`; if it is in none, {mend}"
    raise UnknownModelError(
        f"this model gives other numbers than the book's {type(twin).__name__} with the same "
        f"weights, for {kind}: {mend}"
    )


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
    configuration: Configuration = {
        "kind": "seq2seq",
        "cell": cell,
        "embedding": embedding,
        "hidden": hidden,
        "bidirectional": any(name.startswith("encoder.reader.back") for name in shapes),
        "attention": attention,
        "attention_size": size,
        "feeds_context": inputs > embedding,
    }
    if source_embedding != embedding:  # the files of models with one width stay as they were
        configuration["source_embedding"] = source_embedding
    return configuration


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
        configuration.get("source_embedding", sizes[0]),
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
    if not isinstance(model, nn.Module):
        raise UnknownModelError(f"a model is wanted, got {type(model).__name__}")
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
