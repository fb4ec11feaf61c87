"""Encoder–decoders for the figures of chapters 7, 8 and 11: packed, and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextbook.widgets._base import FigureDataError
from contextbook.widgets._weights import Packed, pack, read_model, unpack

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
    _check_same(model, config, english, japanese)
    return packed


def unpack_translator(packed: Packed) -> tuple[EncoderDecoder, Vocabulary, Vocabulary]:
    """Make the model of a block again, with the weights as a page holds them.

    Returns:
        The model, the source vocabulary and the target vocabulary.
    """
    import torch

    from contextbook.text import Vocabulary
    from contextbook.text.vocabulary import SPECIAL_TOKENS

    content = unpack(packed)
    special = len(SPECIAL_TOKENS)
    english, japanese = (Vocabulary(side[special:]) for side in (content.source, content.target))
    model = _make(content.config, len(english), len(japanese))
    model.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in content.tensors.items()})
    return model.eval(), english, japanese


def load_translator(name: str) -> tuple[EncoderDecoder, Vocabulary, Vocabulary]:
    """Load a translator that a chapter has trained: ``"seq2seq"``, ``"luong-dot"``, ``"additive"``.

    Raises:
        FigureDataError: there is none by that name.
    """
    return unpack_translator(read_model(name))


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


def _check_same(
    model: Any, config: dict[str, Any], english: Vocabulary, japanese: Vocabulary
) -> None:
    """Refuse a model that does not compute what the book's does with the same weights."""
    import torch

    twin = _make(config, len(english), len(japanese))
    twin.load_state_dict(model.state_dict())
    device = next(model.parameters()).device
    source = torch.arange(len(english))[:24][None]
    target = torch.arange(len(japanese))[1:24][None]
    was_training = model.training
    with torch.no_grad():
        wanted, _ = twin.eval()(source, None, target)
        found, _ = model.eval()(source.to(device), None, target.to(device))
    model.train(was_training)
    if not torch.allclose(wanted, found.cpu(), atol=1e-3):
        raise FigureDataError(
            "the figure computes in the page what the book's encoder–decoder computes, and this "
            "model gives other numbers with the same weights: undo the edit, and train it again"
        )
