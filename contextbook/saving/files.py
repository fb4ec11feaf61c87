"""A model in a safetensors file: the weights as they are, all else as JSON in its metadata."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as as_bytes
from torch import Tensor

from contextbook.saving.configuration import check_same, configuration_of, make_model
from contextbook.text import Vocabulary
from contextbook.writing import replacing

FORMAT = "contextbook model"
VERSION = 1
_TIED = ("to_logits.weight", "target_embedding.weight")  # one tensor under two names


class Saved(NamedTuple):
    """What a file holds, in the order in which the figures take it."""

    model: Any  # a Transformer or an EncoderDecoder, in evaluation mode
    source: Vocabulary
    target: Vocabulary


def save(
    model: Any,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    path: str | os.PathLike[str],
) -> None:
    """Write a translating model and its vocabularies to a file that :func:`load` reads.

    The file is written beside its place and then moved there: an interruption leaves an older one
    whole. It holds numbers and text only, and reading it runs no code. What only training needs,
    such as the optimizer's state, is not in it: that is :class:`contextbook.training.Checkpoint`.

    Args:
        model: a Transformer or an EncoderDecoder, on any device; also one whose class was typed
            over in a notebook, while it computes what the book's does.
        source_vocabulary: of the language that it reads.
        target_vocabulary: of the language that it writes.
        path: the file, by custom ``….safetensors``; missing folders are made.

    Raises:
        UnknownModelError: the model is none of the book's, or computes something else: its
            ``state_dict`` can be saved by ``safetensors.torch.save_file``.
        ValueError: a vocabulary has more or fewer tokens than the model, a weight is no finite
            number, or the path is a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file in it, such as translator.safetensors")
    sizes = len(source_vocabulary), len(target_vocabulary)
    configuration = configuration_of(model)
    weights = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    _check_sizes(configuration, weights, sizes)
    _check_finite(weights)
    with torch.random.fork_rng(devices=[]):  # a new model draws weights: nobody else's chance
        twin = make_model(configuration, *sizes).to(_dtype(weights))
    check_same(model, twin, *sizes, padded=True)
    if configuration.get("tied"):
        del weights[_TIED[0]]  # the format holds no tensor twice
    metadata = {
        "format": FORMAT,
        "version": str(VERSION),
        "configuration": json.dumps(configuration),
        "source": _vocabulary_as_text(source_vocabulary),
        "target": _vocabulary_as_text(target_vocabulary),
    }
    with replacing(path) as unfinished:
        contiguous = {name: tensor.contiguous() for name, tensor in weights.items()}
        # save_file would keep the file from all other users of the machine
        unfinished.write_bytes(as_bytes(contiguous, metadata=metadata))


def load(path: str | os.PathLike[str], device: torch.device | str = "cpu") -> Saved:
    """Read a model and its vocabularies from a file of :func:`save`.

    ``LiveTransformer(*contextbook.load(path))`` shows it.

    Args:
        path: the file.
        device: where the model is put.

    Returns:
        The model in evaluation mode, with the weights that were saved, bit for bit, and the source
        and target vocabularies.

    Raises:
        ValueError: there is no such file, it is damaged or of another kind, from a newer version of
            the book, or its weights do not fit its configuration.
    """
    path = Path(path)
    metadata, weights = _read(path)
    try:
        configuration: Mapping[str, Any] = json.loads(metadata["configuration"])
        source, target = (_vocabulary_of(metadata[name]) for name in ("source", "target"))
        with torch.random.fork_rng(devices=[]):
            model = make_model(configuration, len(source), len(target))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} does not describe a model of this book: {error}") from error
    if configuration.get("tied") and _TIED[1] in weights:
        weights[_TIED[0]] = weights[_TIED[1]]
    _check_weights(path, weights, model.state_dict())
    model.to(_dtype(weights)).load_state_dict(weights)
    return Saved(model.to(device).eval(), source, target)


def _read(path: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    if not path.is_file():
        raise ValueError(f"there is no file {path}: contextbook.save writes one")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != FORMAT:
                raise ValueError(
                    f"{path} holds tensors, but no model that contextbook.save has written"
                )
            _check_version(path, metadata.get("version", ""))
            names = file.keys()  # the file itself cannot be gone through
            return metadata, {name: file.get_tensor(name) for name in names}
    except SafetensorError as error:
        raise ValueError(
            f"{path} cannot be read as safetensors ({error}): it is damaged or of another kind"
        ) from error


def _check_version(path: Path, version: str) -> None:
    if not version.isdigit():
        raise ValueError(f"{path} names no version of its format, but {version!r}: it is damaged")
    if int(version) > VERSION:
        raise ValueError(
            f"{path} has format {version}, and this version of the book reads formats up to "
            f"{VERSION}: install a newer contextbook"
        )


def _check_sizes(
    configuration: Mapping[str, Any], weights: Mapping[str, Tensor], sizes: tuple[int, int]
) -> None:
    if configuration["kind"] == "transformer":
        tables = ("source_embedding.weight", "target_embedding.weight")
    else:
        tables = ("encoder.embedding.weight", "decoder.embedding.weight")
    for side, table, size in zip(("source", "target"), tables, sizes, strict=True):
        if len(weights[table]) != size:
            raise ValueError(
                f"the model has {len(weights[table])} {side} tokens and the vocabulary {size}: "
                "give the vocabularies that it was trained with, source first"
            )


def _check_finite(weights: Mapping[str, Tensor]) -> None:
    for name, tensor in weights.items():
        if not tensor.isfinite().all():
            raise ValueError(
                f"the weights {name} hold numbers that are not finite: the training has diverged; "
                "train again with a lower learning rate"
            )


def _check_weights(path: Path, weights: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> None:
    """Refuse weights that do not fit, and name the first that does not."""
    for name in [*wanted, *weights]:
        if name not in weights or name not in wanted:
            fault = "lacks" if name not in weights else "has, beside those of its model,"
            raise ValueError(f"{path} {fault} the tensor {name}: it is damaged; save it again")
        found, right = tuple(weights[name].shape), tuple(wanted[name].shape)
        if found != right:
            raise ValueError(
                f"{path}: the tensor {name} has shape {found}, and the model that the file "
                f"describes needs {right}: it is damaged; save it again"
            )


def _dtype(weights: Mapping[str, Tensor]) -> torch.dtype:
    return next(iter(weights.values())).dtype


def _vocabulary_as_text(vocabulary: Vocabulary) -> str:
    special = len(vocabulary.special_tokens)
    lists = {"special": vocabulary.tokens[:special], "tokens": vocabulary.tokens[special:]}
    return json.dumps(lists, ensure_ascii=False)


def _vocabulary_of(text: str) -> Vocabulary:
    lists = json.loads(text)
    return Vocabulary(lists["tokens"], special_tokens=lists["special"])
