"""A model that is saved and loaded computes the same numbers; files that do not fit are refused."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

import contextbook
from contextbook.attention import MultiHeadAttention
from contextbook.recurrent import GRUCell, LSTMCell, RNNCell
from contextbook.saving import Saved, UnknownModelError, configuration_of
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
from contextbook.training import mixed_precision
from contextbook.transformer import Transformer
from contextbook.widgets import AlignmentExplorer, LiveTransformer

ENGLISH, JAPANESE = Vocabulary(["a", "dog", "walks"]), Vocabulary(["犬", "が", "歩く", "<b>"])
SOURCE, TARGET = len(ENGLISH), len(JAPANESE)
INPUTS = (
    torch.tensor([[4, 5, 6, 2], [5, 6, 2, 0]]),
    torch.tensor([4, 3]),
    torch.tensor([[1, 4, 5], [1, 6, 7]]),
)


def transformer(**choices: Any) -> Transformer:
    torch.manual_seed(0)
    return Transformer(SOURCE, TARGET, **{"d_model": 8, "heads": 2, "layers": 1} | choices)


def translator(decoder: str = "dot", cell: type[nn.Module] = LSTMCell, **options: Any) -> Any:
    torch.manual_seed(0)
    encoder = Encoder(SOURCE, options.pop("source_embedding", 4), 6, cell, **options)
    sizes = (TARGET, 4, 6)
    decoders = {
        "none": lambda: Decoder(*sizes, cell),
        "dot": lambda: LuongDecoder(*sizes, DotAttention(6), cell),
        "general": lambda: LuongDecoder(*sizes, GeneralAttention(6, 6), cell),
        "concat": lambda: LuongDecoder(*sizes, ConcatAttention(6, 6, 5), cell),
        "additive": lambda: BahdanauDecoder(*sizes, AdditiveAttention(6, 6, 5), cell),
    }
    return EncoderDecoder(encoder, decoders[decoder]())


def saved(model: Any, path: Path) -> Saved:
    contextbook.save(model, ENGLISH, JAPANESE, path)
    return contextbook.load(path)


@pytest.mark.parametrize(
    "model",
    [
        *(translator(kind) for kind in ("none", "dot", "general", "concat", "additive")),
        *(translator("dot", cell) for cell in (RNNCell, GRUCell)),
        translator("dot", bidirectional=False),
        *(translator(kind, source_embedding=5) for kind in ("none", "dot", "additive")),
        transformer(),
        transformer(tied=True, layers=2, d_ff=12),
        transformer(norm_first=False, dropout=0.3),
        transformer(positions=None),
        transformer(connect=False),
        transformer(norm=nn.LayerNorm),
        transformer().double(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_loaded_model_gives_the_same_logits_bit_for_bit(model: Any, tmp_path: Path) -> None:
    chance = torch.get_rng_state()
    path = tmp_path / "new" / "model.safetensors"
    loaded, english, japanese = saved(model, path)
    assert torch.equal(chance, torch.get_rng_state())
    assert (english.tokens, japanese.tokens) == (ENGLISH.tokens, JAPANESE.tokens)
    assert english.special_tokens == ENGLISH.special_tokens
    assert (model.training, loaded.training) == (True, False)
    wanted = model.state_dict()
    assert list(loaded.state_dict()) == list(wanted)
    assert all(torch.equal(value, wanted[name]) for name, value in loaded.state_dict().items())
    assert torch.equal(loaded(*INPUTS)[0], model.eval()(*INPUTS)[0])
    model.train()
    assert list(path.parent.iterdir()) == [path]


def test_what_weights_do_not_tell_comes_back_too(tmp_path: Path) -> None:
    model = transformer(tied=True, dropout=0.25, max_length=9, d_ff=20)
    loaded = saved(model, tmp_path / "model").model
    assert loaded.to_logits.weight is loaded.target_embedding.weight
    assert loaded.source_embedding.max_length == 9
    dropouts = {part.p for part in loaded.modules() if isinstance(part, nn.Dropout)}
    dropouts |= {part.dropout for part in loaded.modules() if isinstance(part, MultiHeadAttention)}
    assert dropouts == {0.25}
    with safe_open(tmp_path / "model", "pt") as file:
        names = file.keys()  # the file itself cannot be asked
    assert "to_logits.weight" not in names
    strict = Vocabulary(["a", "dog", "walks", "x"], special_tokens=["<pad>", "<bos>", "<eos>"])
    contextbook.save(transformer(), strict, JAPANESE, tmp_path / "strict")
    with pytest.raises(ValueError, match="'y'"):
        contextbook.load(tmp_path / "strict").source.encode(["y"])


def test_the_figures_take_what_is_loaded(tmp_path: Path) -> None:
    figure = LiveTransformer(
        *saved(transformer(), tmp_path / "model"), beside=(), sentence="a dog walks"
    )
    assert figure.names == ["transformer"]
    model, english, japanese = saved(translator(), tmp_path / "model")
    explorer = AlignmentExplorer({"mine": model}, english, japanese, "a dog")
    assert explorer.names == ["mine"]


def test_a_model_that_cannot_be_made_again_is_refused(tmp_path: Path) -> None:
    class Louder(Transformer):
        def forward(self, *arguments: Any, **keywords: Any) -> tuple[Tensor, Any]:
            logits, weights = super().forward(*arguments, **keywords)
            return 2 * logits, weights

    path = tmp_path / "model"
    with pytest.raises(UnknownModelError, match="undo the edit"):
        contextbook.save(
            Louder(SOURCE, TARGET, d_model=8, heads=2, layers=1), ENGLISH, JAPANESE, path
        )
    with pytest.raises(UnknownModelError, match="Linear is neither"):
        contextbook.save(nn.Linear(2, 2), ENGLISH, JAPANESE, path)
    with pytest.raises(ValueError, match="7 source tokens and the vocabulary 8"):
        contextbook.save(transformer(), JAPANESE, ENGLISH, path)
    lost = transformer()
    with torch.no_grad():
        lost.to_logits.bias[0] = float("nan")
    with pytest.raises(ValueError, match=r"to_logits.bias hold .* not finite"):
        contextbook.save(lost, ENGLISH, JAPANESE, path)
    with pytest.raises(ValueError, match="is a folder: name a file in it"):
        contextbook.save(transformer(), ENGLISH, JAPANESE, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_reads_padding_is_refused(tmp_path: Path) -> None:
    class Blind(Transformer):
        def forward(
            self, source: Tensor, source_lengths: Tensor | None, *rest: Any, **choices: Any
        ) -> tuple[Tensor, Any]:
            return super().forward(source, None, *rest, **choices)

    model = Blind(SOURCE, TARGET, d_model=8, heads=2, layers=1)
    with pytest.raises(UnknownModelError, match="for a source with padding: undo the edit"):
        contextbook.save(model, ENGLISH, JAPANESE, tmp_path / "model")


def test_a_model_in_mixed_precision_is_saved_where_the_with_is_over(tmp_path: Path) -> None:
    model = transformer(d_model=64)
    with (
        mixed_precision(model, torch.bfloat16),
        pytest.raises(UnknownModelError, match=r"save it after the `with mixed_precision"),
    ):
        contextbook.save(model, ENGLISH, JAPANESE, tmp_path / "model")
    contextbook.save(model, ENGLISH, JAPANESE, tmp_path / "model")


def test_whoever_may_read_other_files_may_read_a_model(tmp_path: Path) -> None:
    other, path = tmp_path / "other", tmp_path / "model.safetensors"
    other.touch()
    contextbook.save(transformer(), ENGLISH, JAPANESE, path)
    assert path.stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize("wrong", [1, None, "translator.safetensors"])
def test_what_is_no_model_is_named(wrong: Any, tmp_path: Path) -> None:
    kind = type(wrong).__name__
    with pytest.raises(UnknownModelError, match=f"a model is wanted, got {kind}"):
        contextbook.save(wrong, ENGLISH, JAPANESE, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=f"a model is wanted, got {kind}"):
        LiveTransformer(wrong, ENGLISH, JAPANESE)


def test_a_model_of_one_position_is_saved(tmp_path: Path) -> None:
    model = transformer(max_length=1)
    assert saved(model, tmp_path / "model").model.source_embedding.max_length == 1


def test_only_two_widths_of_embeddings_are_told_apart() -> None:
    one, two = translator(), translator(source_embedding=5)
    assert configuration_of(two) == configuration_of(one) | {"source_embedding": 5}
    assert configuration_of(one)["embedding"] == 4


def test_a_model_that_fails_keeps_its_mode(tmp_path: Path) -> None:
    class Broken(Transformer):
        def forward(self, *arguments: Any, **keywords: Any) -> tuple[Tensor, Any]:
            raise RuntimeError("not yet written")

    model = Broken(SOURCE, TARGET, d_model=8, heads=2, layers=1)
    with pytest.raises(RuntimeError, match="not yet written"):
        contextbook.save(model, ENGLISH, JAPANESE, tmp_path / "model")
    assert model.training


def test_a_model_of_few_positions_and_many_words_is_saved(tmp_path: Path) -> None:
    many = Vocabulary([f"word{number}" for number in range(30)])
    model = Transformer(len(many), len(many), d_model=8, heads=2, layers=1, max_length=9)
    contextbook.save(model, many, many, tmp_path / "model")
    assert contextbook.load(tmp_path / "model").model.source_embedding.max_length == 9


def change(path: Path, tensors: dict[str, Tensor] | None = None, **metadata: str) -> None:
    """Write a file of ``contextbook.save`` again, with other tensors or other metadata."""
    with safe_open(path, "pt") as file:
        before = file.metadata()
    save_file(load_file(path) if tensors is None else tensors, path, before | metadata)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    contextbook.save(transformer(), ENGLISH, JAPANESE, path)
    return path


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"version": "2"}, "install a newer contextbook"),
        ({"version": "x"}, "no version"),
        ({"format": "other"}, "no model that contextbook"),
        ({"configuration": "{"}, "does not describe"),
        ({"configuration": "[]"}, "does not describe"),
        ({"configuration": '{"kind": "oracle"}'}, "no kind of model 'oracle'"),
        ({"configuration": '{"kind": "transformer"}'}, "lacks 'positions'"),
        ({"source": '{"tokens": ["a", "a"], "special": ["<pad>"]}'}, "does not describe"),
        ({"source": '{"tokens": [], "special": ["<pad>"]}'}, r"shape \(7, 8\).*needs \(1, 8\)"),
    ],
)
def test_a_file_of_another_kind_is_refused(
    file: Path, metadata: dict[str, str], message: str
) -> None:
    change(file, **metadata)
    with pytest.raises(ValueError, match=message) as error:
        contextbook.load(file)
    assert str(file) in str(error.value)


def test_a_file_whose_tensors_do_not_fit_is_refused(file: Path) -> None:
    tensors, name = load_file(file), "encoder.norm.weight"
    change(file, {key: value for key, value in tensors.items() if key != name})
    with pytest.raises(ValueError, match=f"lacks the tensor {name}"):
        contextbook.load(file)
    change(file, tensors | {"more": torch.zeros(1)})
    with pytest.raises(ValueError, match="beside those of its model, the tensor more"):
        contextbook.load(file)
    change(file, tensors | {name: torch.zeros(5)})
    with pytest.raises(ValueError, match=rf"{name} has shape \(5,\).*needs \(8,\)"):
        contextbook.load(file)


def test_what_is_no_such_file_is_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no file"):
        contextbook.load(tmp_path / "none")
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(ValueError, match="cannot be read as safetensors"):
        contextbook.load(file)
    file.write_text(json.dumps({"a": 1}))
    with pytest.raises(ValueError, match="cannot be read as safetensors"):
        contextbook.load(file)
    save_file({"x": torch.zeros(2)}, file)
    with pytest.raises(ValueError, match="no model that contextbook"):
        contextbook.load(file)


def test_a_broken_save_leaves_the_older_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older = file.read_bytes()

    def breaks(path: Path, content: bytes) -> int:
        with path.open("wb") as half:
            half.write(content[: len(content) // 2])
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", breaks)
    with pytest.raises(OSError, match="no space"):
        contextbook.save(translator(), ENGLISH, JAPANESE, file)
    assert file.read_bytes() == older
    assert list(file.parent.iterdir()) == [file]
