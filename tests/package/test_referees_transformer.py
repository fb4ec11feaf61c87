"""The referees of chapter 11: the book's definitions pass, each wrong edit gets its hint."""

import inspect
import sys
from typing import Any

import pytest

from contextbook.referees import transformer as referees
from contextbook.transformer import (
    DecoderLayer,
    EncoderLayer,
    LayerNorm,
    Transformer,
    sinusoidal_positions,
)

CHECKS: dict[str, Any] = {
    "sinusoidal_positions": (referees.check_positions, sinusoidal_positions),
    "LayerNorm": (referees.check_layer_norm, LayerNorm),
    "EncoderLayer": (referees.check_encoder_layer, EncoderLayer),
    "DecoderLayer": (referees.check_decoder_layer, DecoderLayer),
    "Transformer": (referees.check_transformer, Transformer),
}
WAVES = "torch.stack([angle.sin(), angle.cos()], dim=-1)"
ANGLE = "10_000.0 ** (-even / d_model)"
NORM = "F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)"
WORKED = "self.feed_forward_residual.add(x, worked)"
EDITS = [
    ("sine_only", "sinusoidal_positions", WAVES, WAVES.replace("cos", "sin")),
    ("swapped", "sinusoidal_positions", WAVES, "torch.stack([angle.cos(), angle.sin()], dim=-1)"),
    ("half_exponent", "sinusoidal_positions", ANGLE, ANGLE.replace("even", "0.5 * even")),
    ("from_one", "sinusoidal_positions", "torch.arange(length)", "torch.arange(1, length + 1)"),
    (
        "n_minus_one",
        "LayerNorm",
        NORM,
        "self.weight * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + self.eps).sqrt()"
        " + self.bias",
    ),
    ("no_bias", "LayerNorm", NORM, NORM.replace("self.bias", "None")),
    ("no_weight", "LayerNorm", NORM, NORM.replace("self.weight,", "None,")),
    ("not_divided", "LayerNorm", NORM, "self.weight * (x - x.mean(-1, keepdim=True)) + self.bias"),
    ("no_feed_forward", "EncoderLayer", WORKED, "self.feed_forward_residual.add(x, 0 * worked)"),
    ("no_self_attn", "EncoderLayer", "add(x, gathered)", "add(x, 0 * gathered)"),
    ("no_self_attn", "DecoderLayer", "add(x, gathered)", "add(x, 0 * gathered)"),
    ("no_multihead_attn", "DecoderLayer", "add(x, translated)", "add(x, 0 * translated)"),
    (
        "not_a_pair",
        "EncoderLayer",
        f"return {WORKED}, weights",
        f"return {WORKED}",
    ),
    (
        "future",
        "Transformer",
        "causal_mask(target_in.shape[1], device=source.device)",
        "None",
    ),
    (
        "padding",
        "Transformer",
        "None if lengths is None else padding_mask",
        "None and padding_mask",
    ),
]


@pytest.mark.parametrize("name", CHECKS)
def test_the_books_own_passes(name: str) -> None:
    check, definition = CHECKS[name]
    verdict = check(definition)
    assert verdict.passed, verdict


@pytest.mark.parametrize(("kind", "name", "old", "new"), EDITS)
def test_an_edit_gets_its_hint(kind: str, name: str, old: str, new: str) -> None:
    check, definition = CHECKS[name]
    source = inspect.getsource(definition)
    assert old in source
    scope = dict(vars(sys.modules[definition.__module__]))
    exec(source.replace(old, new), scope)
    verdict = check(scope[name])
    assert verdict.kind == kind, verdict
