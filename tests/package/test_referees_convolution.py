"""The referee of the causal convolution: the book's passes, and a typical edit gets its hint."""

import inspect
import json
import textwrap
from pathlib import Path

import pytest
import torch
from torch import nn

from contextbook import convolution
from contextbook.convolution import CausalConv
from contextbook.referees.convolution import check_causal_conv

SOURCE = textwrap.dedent(inspect.getsource(CausalConv))
HINTS = json.loads((Path(convolution.__file__).parent / "words/en.json").read_text("utf-8"))[
    "checks"
]["causal_conv_referee"]

LOOP = "for back, weight in enumerate(self.weight):"
SHIFT = "shift = back * self.dilation"
EARLIER = "earlier = F.pad(x, (0, 0, shift, 0))[:, :time]"
ADD = "total = total + earlier @ weight.T"
AHEAD = "earlier = F.pad(x, (0, 0, 0, shift))[:, shift:]"

EDITS = {
    "no_bias": [("total = self.bias", "total = 0 * self.bias")],
    "bias_each_time": [
        ("total = self.bias", "total = 0 * self.bias"),
        (ADD, f"{ADD} + self.bias"),
    ],
    "dilation_ignored": [(SHIFT, "shift = back")],
    "looks_ahead": [(EARLIER, AHEAD)],
    "centred": [
        (SHIFT, "shift = (back - len(self.weight) // 2) * self.dilation"),
        (EARLIER, "earlier = F.pad(x, (0, 0, shift, max(-shift, 0)))[:, :time]"),
    ],
    "itself_left_out": [(SHIFT, "shift = (back + 1) * self.dilation")],
    "turned": [(LOOP, "for back, weight in enumerate(self.weight.flip(0)):")],
    "transposed": [(ADD, ADD.removesuffix(".T"))],
    "wraps_around": [(EARLIER, "earlier = x.roll(shift, 1)")],
    "gradient": [(ADD, "total = total + earlier.detach() @ weight.T")],
    "weights": [("torch.empty(kernel, d_model, d_model)", "torch.empty(d_model, d_model, kernel)")],
    "no_module": [],
}


def edited(changes):
    source = SOURCE
    for old, new in changes:
        assert old in source, f"the definition has no {old!r} any more"
        source = source.replace(old, new)
    scope = dict(vars(convolution))
    exec(source, scope)
    return scope["CausalConv"]


def test_the_books_own_passes() -> None:
    verdict = check_causal_conv(CausalConv)
    assert verdict.passed, verdict


@pytest.mark.parametrize("kind", EDITS)
def test_a_typical_edit_gets_its_hint(kind: str) -> None:
    made = edited(EDITS[kind]) if EDITS[kind] else lambda *sizes: 3
    verdict = check_causal_conv(made)
    assert verdict.kind == kind, verdict
    assert not verdict.passed


def test_every_hint_is_given_to_some_edit() -> None:
    assert HINTS.keys() - {"passed"} == EDITS.keys()


@pytest.mark.parametrize(("kernel", "dilation"), [(3, 1), (2, 4), (1, 1), (3, 5)])
def test_it_sees_its_reach_and_nothing_else(kernel: int, dilation: int) -> None:
    layer = CausalConv(2, kernel, dilation)
    x = torch.randn(1, 12, 2, requires_grad=True)
    (gradient,) = torch.autograd.grad(layer(x)[0, -1].sum(), x)
    seen = gradient[0].abs().sum(-1).flip(0).nonzero()[:, 0].tolist()
    assert seen == [back * dilation for back in range(kernel)]


def test_sizes_that_fit_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="positive, got 4, 0 and 1"):
        CausalConv(4, kernel=0)
    with pytest.raises(ValueError, match=r"\(batch, T, 4\), got shape \(2, 3, 5\)"):
        CausalConv(4)(torch.zeros(2, 3, 5))


def test_it_is_found_as_a_module() -> None:
    assert isinstance(CausalConv(3), nn.Module)
