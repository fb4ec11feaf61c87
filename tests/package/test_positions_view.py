"""The view of positions: its numbers are those of the table, and what it refuses."""

import json

import pytest
import torch

from contextbook.transformer import sinusoidal_positions
from contextbook.widgets import PositionsView


@pytest.mark.parametrize(("place", "shift", "width"), [(10, 3, 64), (47, 16, 8), (0, 0, 4)])
def test_it_says_what_the_transformers_table_says(place, shift, width):
    view = PositionsView(place, shift, width)
    table = sinusoidal_positions(64, width).double()
    assert view.dot == pytest.approx((table[place] @ table[place + shift]).item(), abs=1e-4)
    # turning each pair of one row by its angle gives the other row
    sine, cosine = table[place].view(-1, 2).T
    turns = torch.tensor(view.turns, dtype=torch.float64)
    made = [
        sine * turns.cos() + cosine * turns.sin(),
        cosine * turns.cos() - sine * turns.sin(),
    ]
    assert torch.allclose(torch.stack(made, 1).flatten(), table[place + shift], atol=1e-5)


def test_another_base_makes_other_waves():
    view = PositionsView(shift=2, width=4, base=100)
    assert view.turns == pytest.approx([2, 0.2])
    assert view.dot == pytest.approx(-0.4161468 + 0.9800666)
    view.update(base=10_000, place=3)
    assert view.turns == pytest.approx([2, 0.02])
    view.reset()
    assert (view.place, view.base) == (10, 100)
    assert repr(view) == "PositionsView(64 places, width 4, base 100)"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"place": 48}, "place must lie between 0 and 47, got 48"),
        ({"shift": -1}, "shift must lie between 0 and 16, got -1"),
        ({"width": 66}, "width must lie between 4 and 64, got 66"),
        ({"width": 7}, "width must be even, a sine and a cosine each, got 7"),
        ({"base": 1}, "base must lie between 2 and 1"),
    ],
)
def test_what_is_out_of_range_is_refused_and_changes_nothing(setting, message):
    view = PositionsView()
    with pytest.raises(ValueError, match=message):
        PositionsView(**setting)
    before = view.dot
    with pytest.raises(ValueError, match=message):
        view.update(**setting)
    assert view.dot == before
    with pytest.raises(ValueError, match="update knows place, shift"):
        view.update(length=3)


def test_its_state_is_small():
    state = {k: v for k, v in PositionsView().get_state().items() if k != "_esm"}
    assert len(json.dumps(state, default=str)) < 1000
