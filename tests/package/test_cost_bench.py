"""The Python side of the cost bench: what it holds, counts, refuses and sends."""

import pytest

from contextbook.costs import costs
from contextbook.widgets import CostBench


@pytest.fixture
def bench() -> CostBench:
    return CostBench()


def test_it_counts_as_the_book_does_and_follows_its_settings(bench):
    assert repr(bench) == "CostBench(length 128, width 128, heads 4, layers 1)"
    told = []
    bench.observe(lambda _: told.append(bench.costs["attention"]["operations"]), "costs")
    bench.update(width=96, heads=12, projections=False, fused=True, dilated=True)
    counted = costs(128, 96, 12, projections=False, fused=True, dilated=True)
    for kind, cost in counted.items():
        assert bench.costs[kind] == vars(cost)
    assert set(told) == {2 * 96 * 128**2}


def test_reset_brings_the_example_back(bench):
    bench.update(length=4, measure="path", dilated=True)
    bench.reset()
    assert (bench.length, bench.measure, bench.dilated) == (128, "operations", False)
    assert bench.costs == CostBench().costs
    with pytest.raises(ValueError, match="update knows length, width"):
        bench.update(depth=1)


def test_what_the_page_sends_arrives(bench):
    bench.set_state({"width": 768, "heads": 12, "length": 512, "layers": 12, "measure": "memory"})
    assert bench.costs["attention"]["memory"] == 12 * (5 * 512 * 768 + 12 * 512**2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"length": 3}, "length must lie between 4 and 16384, got 3"),
        ({"width": 20000}, "width must lie between 16 and 12288"),
        ({"layers": 0}, "layers must lie between 1 and 96"),
        ({"heads": 128}, "heads must lie between 1 and 96"),
        ({"heads": 5}, "5 heads cannot share a width of 128 evenly"),
        ({"width": 100, "heads": 8}, "8 heads cannot share a width of 100 evenly"),
        ({"measure": "time"}, "measure must be one of operations, steps, path, memory"),
    ],
)
def test_what_cannot_be_shown_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        CostBench(**options)


def test_a_refused_size_changes_nothing(bench):
    with pytest.raises(ValueError, match="heads cannot share"):
        bench.update(length=64, width=130)
    assert (bench.length, bench.width) == (128, 128)
    assert bench.costs == CostBench().costs
