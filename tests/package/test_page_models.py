"""Trained models that pages load: packed, read again, one file each, and the notebooks' own."""

import hashlib
import json
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from torch import Tensor, nn

from contextbook.experiments.chapter07 import EMBEDDING
from contextbook.recurrent import GRUCell, LSTMCell, RNNCell
from contextbook.seq2seq import (
    AdditiveAttention,
    BahdanauDecoder,
    ConcatAttention,
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    GeneralAttention,
    LuongDecoder,
)
from contextbook.text import Vocabulary
from contextbook.widgets._base import FigureDataError
from contextbook.widgets._translators import load_translator, pack_translator, unpack_translator
from contextbook.widgets._weights import (
    LARGEST,
    MODELS,
    Models,
    pack,
    read_model,
    rounded,
    unpack,
    write_model,
)
from tools.notebooks.models import shown_models

ROOT = Path(__file__).parents[2]
ENGLISH, JAPANESE = Vocabulary(["a", "dog", "walks"]), Vocabulary(["犬", "が", "歩く"])


def translator(kind: str, cell: type[nn.Module] = LSTMCell, both: bool = True) -> EncoderDecoder:
    torch.manual_seed(0)
    hidden = 6
    encoder = Encoder(len(ENGLISH), 4, hidden, cell, bidirectional=both)
    sizes = (len(JAPANESE), 4, hidden)
    decoders = {
        "none": lambda: Decoder(*sizes, cell),
        "dot": lambda: LuongDecoder(*sizes, DotAttention(hidden), cell),
        "general": lambda: LuongDecoder(*sizes, GeneralAttention(hidden, hidden), cell),
        "concat": lambda: LuongDecoder(*sizes, ConcatAttention(hidden, hidden, 5), cell),
        "additive": lambda: BahdanauDecoder(*sizes, AdditiveAttention(hidden, hidden, 5), cell),
        "dot, fed": lambda: BahdanauDecoder(*sizes, DotAttention(hidden), cell),
    }
    return EncoderDecoder(encoder, decoders[kind]())


@pytest.mark.parametrize("cell", [RNNCell, GRUCell, LSTMCell])
@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("kind", ["none", "dot", "general", "concat", "additive", "dot, fed"])
def test_a_translator_that_is_packed_and_read_again_holds_the_rounded_weights(
    kind: str, cell: type[nn.Module], both: bool
) -> None:
    model = translator(kind, cell, both)
    twin, english, japanese = unpack_translator(pack_translator(model, ENGLISH, JAPANESE))
    assert (english.tokens, japanese.tokens) == (ENGLISH.tokens, JAPANESE.tokens)
    wanted = rounded(model).state_dict()
    assert all(torch.equal(value, wanted[name]) for name, value in twin.state_dict().items())
    inputs = torch.tensor([[4, 5, 6, 2]]), torch.tensor([4]), torch.tensor([[1, 4, 5]])
    assert torch.equal(twin(*inputs)[0], rounded(model)(*inputs)[0])


def test_a_model_that_computes_something_else_is_refused() -> None:
    class Louder(LSTMCell):
        def forward(self, inputs: Tensor, state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
            hidden, cell = super().forward(inputs, state)
            return 2 * hidden, cell

    with pytest.raises(FigureDataError, match="undo the edit"):
        pack_translator(translator("dot", Louder), ENGLISH, JAPANESE)


def test_another_kind_of_model_is_refused() -> None:
    with pytest.raises(FigureDataError, match=r"EncoderDecoder.*Linear has no weights"):
        pack_translator(nn.Linear(2, 2), ENGLISH, JAPANESE)


def test_packing_keeps_training_mode() -> None:
    model = translator("dot").train()
    pack_translator(model, ENGLISH, JAPANESE)
    assert model.training


def test_pack_gives_the_same_bytes_twice_and_other_bytes_for_other_weights() -> None:
    model = nn.Linear(3, 2)
    first = pack(model, {"kind": "x"}, ["ä", "犬"])
    assert first == pack(model, {"kind": "x"}, ["ä", "犬"])
    with torch.no_grad():
        model.bias[0] += 1
    assert pack(model, {"kind": "x"}, ["ä", "犬"]).sha256 != first.sha256


def test_unpack_gives_numbers_of_half_precision() -> None:
    model = nn.Linear(3, 2)
    content = unpack(pack(model, {"kind": "x"}, ["ä"], ["犬"]))
    assert (content.config, content.source, content.target) == ({"kind": "x"}, ["ä"], ["犬"])
    wanted = model.weight.detach().half().float().numpy()
    assert content.tensors["weight"].dtype == np.float32
    assert np.array_equal(content.tensors["weight"], wanted)


@pytest.mark.parametrize("value", [1e6, float("nan"), float("inf")])
def test_weights_beyond_half_precision_are_refused(value: float) -> None:
    model = nn.Linear(3, 2)
    with torch.no_grad():
        model.weight[0, 0] = value
    with pytest.raises(FigureDataError, match=r"weight of shape \(2, 3\)"):
        pack(model, {})


def test_a_model_is_written_and_read(tmp_path: Path) -> None:
    packed = pack(nn.Linear(3, 2), {})
    write_model("small-one", packed, tmp_path)
    assert read_model("small-one", tmp_path) == packed
    text = (tmp_path / "small-one.js").read_text()
    assert text.startswith('window.contextbook.register("small-one", "')
    with pytest.raises(FigureDataError, match="there are: small-one"):
        read_model("other", tmp_path)


def test_a_model_too_large_for_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FigureDataError, match="train a smaller one"):
        write_model("large", pack(nn.Linear(600, 600), {}), tmp_path)


@pytest.mark.parametrize("name", ["", "../up", "Big", "a b", "-x", 'x"y'])
def test_names_that_are_no_file_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FigureDataError, match="small letters"):
        write_model(name, pack(nn.Linear(1, 1), {}), tmp_path)


def test_what_is_no_packed_model_is_refused() -> None:
    packed = pack(nn.Linear(3, 2), {})
    with pytest.raises(FigureDataError, match="no packed model"):
        unpack(packed._replace(data=packed.data[:40]))


def test_the_trait_holds_what_was_packed() -> None:
    packed = pack(nn.Linear(1, 1), {})
    assert Models.entry(packed) == {"data": packed.data, "sha256": packed.sha256}


NOTEBOOKS = sorted((ROOT / "notebooks" / "en").glob("*.ipynb"))
SHOWN = [
    (path.stem, name, digest)
    for path in NOTEBOOKS
    for name, digest in shown_models(nbformat.read(path, as_version=4)).items()
]


@pytest.mark.parametrize(("stem", "name", "digest"), SHOWN)
def test_a_notebook_shows_the_model_in_the_file(stem: str, name: str, digest: str) -> None:
    assert read_model(name).sha256 == digest, (
        f"{stem} was made with another {name} than lies in {MODELS.name}: "
        f"run `python -m tools.notebooks --force {stem[:2]}`"
    )


def test_each_model_is_shown_and_fits_a_page() -> None:
    files = sorted(MODELS.glob("*.js"))
    assert {file.stem for file in files} == {name for _, name, _ in SHOWN}
    for file in files:
        print(f"\n{file.name}: {file.stat().st_size / 1024:.0f} KiB")
        assert file.stat().st_size <= LARGEST
        packed = read_model(file.stem)
        assert json.dumps(unpack(packed).config)
        assert len(packed.sha256) == len(hashlib.sha256().hexdigest())


TRANSLATORS = [
    file.stem
    for file in sorted(MODELS.glob("*.js"))
    if unpack(read_model(file.stem)).config.get("kind") == "seq2seq"
]


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_chapters_translator_can_be_loaded(name: str) -> None:
    model, english, japanese = load_translator(name)
    assert model.encoder.embedding.weight.shape == (len(english), EMBEDDING)
    assert model.decoder.embedding.weight.shape == (len(japanese), EMBEDDING)
