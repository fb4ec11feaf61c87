"""The referees of chapter 7: the book's definitions pass, each wrong edit gets its hint."""

import inspect
from typing import Any

import pytest
from torch import Tensor

from contextbook.referees.translation import check_encoder, check_encoder_decoder
from contextbook.seq2seq import Decoder, Encoder, EncoderDecoder, encoder, model
from contextbook.seq2seq.encoder import Encoded


def edited(module: Any, name: str, old: str, new: str) -> Any:
    """A class of a module with one line changed, as a reader changes it in a notebook."""
    source = inspect.getsource(getattr(module, name))
    assert old in source
    scope = dict(vars(module))
    exec(source.replace(old, new), scope)
    return scope[name]


def test_the_books_definitions_pass() -> None:
    assert "Equal to nn.LSTM and nn.GRU" in str(check_encoder(Encoder))
    assert "changes nothing" in str(check_encoder_decoder(EncoderDecoder, Encoder, Decoder))


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("lengths=lengths", "lengths=None", "differs from PyTorch's"),
        ("return memory, last", "return memory.flip(-1), last", "differs from PyTorch's"),
        ("part.unbind()", "part.unbind()[::-1]", "the last state is not"),
        ("return memory, last", "return memory + 0 * memory[:, :1] + 1e-3, last", "differs"),
        ("return memory, last", "return memory", "returns two things"),
    ],
)
def test_an_edited_encoder_gets_its_hint(old: str, new: str, hint: str) -> None:
    assert hint in str(check_encoder(edited(encoder, "Encoder", old, new)))


def test_an_encoder_that_leaves_padding_in_the_memory_gets_its_hint() -> None:
    class Filled(Encoder):
        def forward(self, source: Tensor, lengths: Tensor | None = None) -> Encoded:
            memory, last = super().forward(source, lengths)
            return memory.masked_fill((source == 0)[..., None], 1.0), last

    assert "zero where a sentence is padded" in str(check_encoder(Filled))


def test_what_is_no_module_gets_its_hint() -> None:
    assert "nn.Module" in str(check_encoder(lambda *sizes: 3))
    assert "nn.Module" in str(check_encoder_decoder(lambda *parts: 3, Encoder, Decoder))


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("target_in.unbind(dim=1)", "target_in.roll(-1, dims=1).unbind(dim=1)", "A later token"),
        ("self.start(source, source_lengths)", "self.start(source)", "padded batch"),
        (
            "logits_i, state, weights_i = self.decoder",
            "logits_i, _, weights_i = self.decoder",
            "one by one",
        ),
        ("return torch.stack(logits, dim=1), attended", "return logits", "returns two things"),
        ("torch.stack(logits, dim=1), attended", "torch.stack(logits), attended", "shape"),
    ],
)
def test_an_edited_model_gets_its_hint(old: str, new: str, hint: str) -> None:
    changed = edited(model, "EncoderDecoder", old, new)
    assert hint in str(check_encoder_decoder(changed, Encoder, Decoder))
