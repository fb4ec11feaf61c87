"""Trained models on their way into a page: weights in half precision, with what they need to run.

A model is packed into one block of bytes: the length of a header (four bytes, little-endian), the
header (JSON: configuration, vocabularies, names and shapes of the tensors), and the tensors'
numbers one after the other, two bytes each (IEEE 754 binary16, little-endian). As base64 text the
block travels in a trait to a notebook with a kernel; the notebook builder puts it into a file of
its own, ``static/page/models/<name>.js``, which a page loads when a figure needs it.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import traitlets

from contextbook.widgets._base import STATIC, FigureDataError

if TYPE_CHECKING:
    from torch import nn

    from contextbook.text import Vocabulary

MODELS = STATIC / "page" / "models"
LARGEST = 700 * 1024  # bytes of a model's file: what a phone loads in a second or two
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_CALL = 'window.contextbook.register("{name}", "{data}");\n'

if TYPE_CHECKING:
    _DictTrait = traitlets.TraitType[dict[str, Any], Any]
else:  # Colab's traitlets is older than the types of traits
    _DictTrait = traitlets.TraitType


class Packed(NamedTuple):
    """A model as a block of bytes in base64, and what tells it from others."""

    data: str
    sha256: str

    @classmethod
    def of(cls, block: bytes) -> Packed:
        """The block as text, with its digest."""
        return cls(base64.b64encode(block).decode(), hashlib.sha256(block).hexdigest())


class Unpacked(NamedTuple):
    """What a block holds.

    Attributes:
        config: whatever the figure must know of the model's shape.
        source: tokens of the source vocabulary by their ids.
        target: tokens of the target vocabulary by their ids.
        tensors: single precision arrays by their names in the model's ``state_dict``.
    """

    config: dict[str, Any]
    source: list[str]
    target: list[str]
    tensors: dict[str, npt.NDArray[np.float32]]


def pack(
    model: nn.Module,
    config: Mapping[str, Any],
    source: Sequence[str] = (),
    target: Sequence[str] = (),
) -> Packed:
    """Pack a model's weights in half precision.

    Args:
        model: its ``state_dict`` is packed.
        config: what the figure must know to run it; anything that JSON holds.
        source: tokens of the source vocabulary by their ids.
        target: tokens of the target vocabulary by their ids.

    Raises:
        FigureDataError: a weight is not finite or too large for half precision (65,504).
    """
    tensors = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    header = {
        "config": dict(config),
        "source": list(source),
        "target": list(target),
        "tensors": [[name, list(tensor.shape)] for name, tensor in tensors.items()],
    }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (len(text) % 2)  # numbers begin at an even place
    numbers = [_half(name, tensor.numpy()) for name, tensor in tensors.items()]
    return Packed.of(b"".join([len(text).to_bytes(4, "little"), text, *numbers]))


def _half(name: str, values: npt.NDArray[Any]) -> bytes:
    with np.errstate(over="ignore"):
        half = values.astype("<f2")
    if not np.isfinite(half).all():
        raise FigureDataError(
            f"weights {name} of shape {values.shape} cannot be held in half precision: the largest "
            f"is {np.abs(values).max():g}"
        )
    return half.tobytes()


def unpack(packed: Packed) -> Unpacked:
    """Read a block again.

    Raises:
        FigureDataError: the text is not a packed model.
    """
    block = base64.b64decode(packed.data)
    try:
        start = 4 + int.from_bytes(block[:4], "little")
        header = json.loads(block[4:start])
        numbers = np.frombuffer(block[start:], "<f2").astype(np.float32)
        tensors, place = {}, 0
        for name, shape in header["tensors"]:
            size = int(np.prod(shape))
            tensors[name] = numbers[place : place + size].reshape(shape)
            place += size
        return Unpacked(header["config"], header["source"], header["target"], tensors)
    except (KeyError, ValueError) as error:
        raise FigureDataError(f"this is no packed model: {error}") from error


def load_into(model: nn.Module, content: Unpacked) -> None:
    """Give a model the weights of a block, and put it in evaluation mode."""
    import torch

    model.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in content.tensors.items()})
    model.eval()


def vocabularies_of(content: Unpacked) -> tuple[Vocabulary, Vocabulary]:
    """The source and the target vocabulary of a block."""
    from contextbook.text import Vocabulary
    from contextbook.text.vocabulary import SPECIAL_TOKENS

    special = len(SPECIAL_TOKENS)
    return Vocabulary(content.source[special:]), Vocabulary(content.target[special:])


def check_same(model: Any, twin: Any, source_size: int, target_size: int) -> None:
    """Refuse a model that does not compute what the book's does with the same weights.

    Args:
        model: called ``model(source, lengths, target_in)``; returns logits first.
        twin: the book's model of the same shape; it takes the weights.
        source_size: number of source tokens.
        target_size: number of target tokens.

    Raises:
        FigureDataError: the weights are others, or the numbers that they give.
    """
    from contextbook.saving.configuration import UnknownModelError
    from contextbook.saving.configuration import check_same as check_same_numbers

    try:
        check_same_numbers(model, twin, source_size, target_size)
    except UnknownModelError as error:
        raise FigureDataError(
            f"the figure computes in the page what the book's {type(twin).__name__} computes: "
            f"{error}"
        ) from error


def rounded(model: nn.Module) -> nn.Module:
    """A copy of a model that holds its weights rounded to half precision, as a page does."""
    twin = copy.deepcopy(model)
    twin.load_state_dict({k: v.half().to(v.dtype) for k, v in model.state_dict().items()})
    return twin


def write_model(name: str, packed: Packed, folder: Any = MODELS) -> None:
    """Write a model's file, a classic script that hands the block to the page's loader.

    Raises:
        FigureDataError: the name is no file name, or the file would be too large for a page.
    """
    text = _CALL.format(name=check_model_name(name), data=packed.data)
    if len(text) > LARGEST:
        raise FigureDataError(
            f"model {name!r} would weigh {len(text):,} bytes and a page takes at most {LARGEST:,}: "
            "train a smaller one for it"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.js").write_text(text, encoding="utf-8")


def read_model(name: str, folder: Any = MODELS) -> Packed:
    """Read a model that a chapter has trained from its file.

    Raises:
        FigureDataError: there is none by that name.
    """
    path = folder / f"{check_model_name(name)}.js"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.js"))) or "none"
        raise FigureDataError(f"no chapter has a trained model {name!r}; there are: {known}")
    data = path.read_text(encoding="utf-8").split('"')[3]
    return Packed.of(base64.b64decode(data))


def check_model_name(name: str) -> str:
    """Return a name that can be that of a file and of a model in a page.

    Raises:
        FigureDataError: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise FigureDataError(
            f"a model's name consists of small letters, digits and hyphens, got {name!r}"
        )
    return name


class Models(_DictTrait):
    """A trait for trained models by name: ``{"luong-dot": {"sha256": …, "data": …}}``.

    With a kernel the data travel in it. The notebook builder takes them out of the saved state,
    into a file for each model; what stays says which bytes the page must find there.
    """

    def validate(self, obj: traitlets.HasTraits, value: Any) -> dict[str, Any]:
        for name, packed in value.items():
            check_model_name(name)
            if not {"sha256", "data"} >= set(packed):
                raise FigureDataError(f"model {name!r} should have sha256 and data")
        return dict(value)

    @staticmethod
    def entry(packed: Packed) -> dict[str, str]:
        """What the trait holds for a packed model."""
        return packed._asdict()
