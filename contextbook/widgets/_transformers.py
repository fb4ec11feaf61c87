"""Transformers for the figures of chapters 10 to 12: packed, read again, and searched for heads."""

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
    from contextbook.datasets import Pair
    from contextbook.text import Vocabulary
    from contextbook.transformer import Transformer

# what a page knows of a model's shape: it runs no others
_SHOWN = ("kind", "d_model", "heads", "layers", "d_ff", "norm_first", "positions")


def pack_transformer(model: Any, english: Vocabulary, japanese: Vocabulary) -> Packed:
    """Pack a :class:`contextbook.transformer.Transformer`.

    Raises:
        FigureDataError: the model is another one, or computes something else than the book's: a
            page runs the book's definitions, and would not show what an edited one does.
    """
    config = _config(model)
    packed = pack(model, config, english.tokens, japanese.tokens)
    check_same(model, _make(config, len(english), len(japanese)), len(english), len(japanese))
    return packed


def unpack_transformer(packed: Packed) -> tuple[Transformer, Vocabulary, Vocabulary]:
    """Make the model of a block again, with the weights as a page holds them.

    Returns:
        The model, the source vocabulary and the target vocabulary.
    """
    content = unpack(packed)
    english, japanese = vocabularies_of(content)
    model = _make(content.config, len(english), len(japanese))
    load_into(model, content)
    return model, english, japanese


def load_transformer(name: str = "transformer") -> tuple[Transformer, Vocabulary, Vocabulary]:
    """Load a Transformer that a chapter has trained.

    Raises:
        FigureDataError: there is none by that name.
    """
    return unpack_transformer(read_model(name))


def best_aligning_head(
    model: Any, english: Vocabulary, japanese: Vocabulary, pairs: Sequence[Pair] = ()
) -> tuple[int, int, float]:
    """Find the head of the decoder whose look at the source agrees best with the gold alignment.

    Args:
        model: a Transformer.
        english: vocabulary of the source.
        japanese: vocabulary of the target.
        pairs: sentences with gold alignment; without any, the last layer's first head is named.

    Returns:
        Layer and head, counted from 0, and the share of the words that attend most to the word
        which they translate.
    """
    if not pairs:
        return len(model.decoder.layers) - 1, 0, 0.0
    import torch

    from contextbook.metrics import alignment_accuracy
    from contextbook.seq2seq import make_batch

    batch = make_batch(pairs, english, japanese)
    device = next(model.parameters()).device
    inputs = [part.to(device) for part in (batch.source, batch.source_lengths, batch.target_in)]
    was_training = model.training
    with torch.no_grad():
        maps = model.eval().attention_maps(*inputs).cross
    model.train(was_training)
    shares = {
        (layer, head): alignment_accuracy(weights[:, head].cpu(), batch.gold)
        for layer, weights in enumerate(maps)
        for head in range(weights.shape[1])
    }
    layer, head = max(shares, key=shares.__getitem__)
    return layer, head, round(shares[layer, head], 3)


def _config(model: Any) -> dict[str, Any]:
    """Read off what a page must know of the model's shape."""
    from contextbook.saving.configuration import UnknownModelError, transformer_configuration

    try:
        configuration = transformer_configuration(model)
    except UnknownModelError as error:
        raise FigureDataError(f"the figure shows the book's Transformer: {error}") from error
    return {name: configuration[name] for name in _SHOWN}


def _make(config: Mapping[str, Any], source_size: int, target_size: int) -> Any:
    """Make the book's model of a configuration, with weights still to be loaded."""
    from contextbook.saving.configuration import make_model

    return make_model(config, source_size, target_size)
