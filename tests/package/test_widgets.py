"""The Python side of the figures."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import traitlets

import contextbook.widgets
from contextbook.attention import scaled_dot_product_attention
from contextbook.widgets import STUB, Figure, SoftDictionary


@pytest.fixture
def figure() -> SoftDictionary:
    return SoftDictionary(
        keys=[[1, 0], [0, 2], [-1, -1]], values=[10, 20, 30], query=[1, 1], names=["a", "b", "c"]
    )


def test_importing_the_figures_imports_neither_torch_nor_widgets():
    code = (
        "import sys, contextbook.widgets; contextbook.widgets.STUB;"
        "sys.exit(any(m in sys.modules for m in ('torch', 'anywidget', 'ipywidgets')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_figure_is_an_attribute_error():
    with pytest.raises(AttributeError, match="NoSuchFigure"):
        contextbook.widgets.NoSuchFigure  # noqa: B018
    assert set(contextbook.widgets.__all__) <= set(dir(contextbook.widgets))


def test_the_stub_is_one_line_that_names_no_figure():
    assert "\n" not in STUB
    assert "Run this notebook to use the figure." in STUB


def test_repr_is_the_same_in_every_run(figure):
    assert repr(figure) == "SoftDictionary(3 keys)"
    data, _ = figure._repr_mimebundle_()
    assert data["text/plain"] == "SoftDictionary(3 keys)"
    assert "application/vnd.jupyter.widget-view+json" in data


def test_the_live_module_is_the_built_script(figure):
    script = Path(contextbook.widgets.__file__).parent / "static" / "soft-dictionary.js"
    assert figure._esm == script.read_text(encoding="utf-8")
    assert "export" in figure._esm


def test_saved_state_says_all_that_the_page_needs(figure):
    state = json.loads(json.dumps(figure.get_state()))
    assert state["figure"] == "soft-dictionary"
    assert state["key_vectors"] == [[1.0, 0.0], [0.0, 2.0], [-1.0, -1.0]]
    assert state["example"]["keys"] == state["key_vectors"]
    assert state["mask"] == [True] * 3
    assert state["scale"] == pytest.approx(2**-0.5)
    assert state["height"] >= 400
    assert state["height_narrow"] > state["height"]
    assert "weights" not in state, "weights follow from the rest"
    # a viewer that leaves out what is at its default still learns the figure's name
    assert figure.get_state(drop_defaults=True)["figure"] == "soft-dictionary"


def test_weights_are_those_of_the_book_and_of_torch(figure):
    figure.update(query=[0.3, -1.2], mask=[True, False, True], temperature=0.7, scale=1.3)
    query, key, value = (
        torch.tensor(x, dtype=torch.float64)
        for x in ([figure.query], figure.key_vectors, [[v] for v in figure.values])
    )
    mask = torch.tensor([figure.mask])
    output, weights = scaled_dot_product_attention(query, key, value, mask, scale=1.3 / 0.7)
    assert figure.weights == pytest.approx(weights[0].tolist(), abs=1e-12)
    assert figure.output == pytest.approx(output.item(), abs=1e-12)
    referee = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, mask, scale=1.3 / 0.7
    )
    assert figure.output == pytest.approx(referee.item(), abs=1e-12)
    assert figure.scores == pytest.approx((1.3 * query @ key.T)[0].tolist())


def test_temperature_zero_is_the_hard_look_up_and_equals_share(figure):
    figure.temperature = 0
    assert figure.weights == [0.0, 1.0, 0.0]
    figure.query = [1, 0.5]
    assert figure.weights == [0.5, 0.5, 0.0]
    assert figure.output == 15.0
    figure.mask = [False, False, True]
    assert figure.weights == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("temperature", [0, 1])
def test_a_fully_masked_query_gets_zeros(figure, temperature):
    figure.update(mask=[False] * 3, temperature=temperature)
    assert figure.weights == [0.0, 0.0, 0.0]
    assert figure.output == 0.0


def test_weights_can_be_observed_and_agree_with_the_output(figure):
    seen = []
    figure.observe(lambda change: seen.append((change.new, figure.output)), "weights")
    figure.query = [2, -1]
    figure.update(keys=[[1, 1]], values=[5], names=["only"], mask=[True])
    assert len(seen) == 2
    for weights, output in seen:
        assert sum(weights) == pytest.approx(1)
        assert output == pytest.approx(np.dot(weights, [10, 20, 30][: len(weights)])) or output == 5
    with pytest.raises(traitlets.TraitError, match="read-only"):
        figure.weights = [1.0]


def test_what_the_reader_does_reaches_python(figure):
    """As ipywidgets hands on a message from the browser: several traits at once."""
    figure.set_state({"key_vectors": [[3, 0], [0, 1]], "values": [1, 2], "names": ["x", "y"],
                      "mask": [True, True]})  # fmt: skip
    assert figure.key_vectors == [[3.0, 0.0], [0.0, 1.0]]
    assert len(figure.weights) == 2
    assert repr(figure) == "SoftDictionary(2 keys)"


def test_reset_brings_the_example_back(figure):
    before = figure.get_state(["key_vectors", "values", "names", "mask", "query", "temperature"])
    figure.update(keys=[[9, 9]], values=[1], names=["z"], mask=[False], temperature=0, query=[0, 0])
    figure.reset()
    assert figure.get_state(list(before)) == before


def test_arrays_and_tensors_are_taken():
    keys = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    figure = SoftDictionary(keys=keys, values=np.array([1, 2]), mask=np.array([True, False]))
    assert figure.key_vectors == [[1.0, 2.0], [3.0, 4.0]]
    assert figure.names == ["key 1", "key 2"]
    assert figure.mask == [True, False]
    assert figure.query == [0.25, 0.5]


def test_axes_take_a_word_or_a_pair():
    figure = SoftDictionary([[1, 2]], [3], axes=("size", ("wild", "tame")), value_label="hours")
    assert figure.axes == [["", "size"], ["wild", "tame"]]
    assert figure.unit == "hours"


def test_without_arguments_it_shows_animals():
    figure = SoftDictionary()
    assert "dog" in figure.names
    assert len(figure.weights) == 6
    assert SoftDictionary(query=[1, 0]).query == [1.0, 0.0]


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"keys": [[1, 2]], "values": [1, 2]}, r"keys \(1, 2\), values \(2,\)"),
        ({"keys": np.zeros((3, 3)), "values": [1, 2, 3]}, r"shape \(n, 2\), got shape \(3, 3\)"),
        ({"keys": [1, 2], "values": [1, 2]}, r"shape \(n, 2\), got shape \(2,\)"),
        ({"keys": [[1, 2], [3]], "values": [1, 2]}, r"numbers of shape \(n, 2\)"),
        ({"keys": 5, "values": [1]}, r"got shape \(\)"),
        ({"keys": [], "values": []}, r"\(n, 2\), got shape \(0,\)"),
        ({"keys": np.zeros((0, 2)), "values": []}, "1 to 16 entries, got 0"),
        ({"keys": np.zeros((17, 2)), "values": [0] * 17}, "1 to 16 entries, got 17"),
        ({"keys": [[1, NAN]], "values": [1]}, r"key_vectors of shape \(1, 2\).*nan at \[0, 1\]"),
        ({"keys": [[1, 2]], "values": [INF]}, r"values of shape \(1,\).*inf at \[0\]"),
        ({"keys": [[1, 2]], "values": [1e7]}, "between -1e.06 and 1e.06"),
        ({"keys": [[1, 2]], "values": ["many"]}, "values must be numbers"),
        ({"keys": [[1, 2]], "values": [[1, 2]]}, r"shape \(n,\), got shape \(1, 2\)"),
        ({"keys": [[1, 2]]}, "both keys"),
        ({"keys": [[1, 2]], "values": [1], "query": [1, 2, 3]}, r"shape \(2,\), got shape \(3,\)"),
        ({"keys": [[1, 2]], "values": [1], "query": [1, NAN]}, "nan"),
        ({"keys": [[1, 2]], "values": [1], "names": ["a", "b"]}, r"names \(2,\)"),
        ({"keys": [[1, 2]], "values": [1], "names": [" "]}, "1 to 40 signs"),
        ({"keys": [[1, 2]], "values": [1], "mask": [True, True]}, r"mask \(2,\)"),
        ({"keys": [[1, 2]], "values": [1], "temperature": -1}, "temperature.*got -1"),
        ({"keys": [[1, 2]], "values": [1], "temperature": NAN}, "temperature.*got nan"),
        ({"keys": [[1, 2]], "values": [1], "scale": -1}, "scale.*got -1"),
        ({"keys": [[1, 2]], "values": [1], "axes": ("a",)}, "two axes"),
        ({"keys": [[1, 2]], "values": [1], "axes": ("a", ("b", "c", "d"))}, "pair of words"),
    ],
)
def test_bad_data_is_refused_by_name_and_shape(arguments, message):
    with pytest.raises(ValueError, match=message):
        SoftDictionary(**arguments)


def test_a_refused_change_changes_nothing(figure):
    before = figure.get_state()
    for change in (
        lambda: setattr(figure, "key_vectors", [[1, 2]]),
        lambda: setattr(figure, "query", [NAN, 1]),
        lambda: figure.update(keys=[[1, 2]], values=[1, 2]),
        lambda: figure.update(temperature=0.5, scale=NAN),
        lambda: figure.update(key=[[1, 2]]),
        lambda: setattr(figure, "keys", [[1, 2]]),
    ):
        with pytest.raises(ValueError, match=r"shapes|finite|lie between|update"):
            change()
        assert figure.get_state() == before


def test_figures_share_a_base():
    assert issubclass(SoftDictionary, Figure)
    assert issubclass(SoftDictionary, traitlets.HasTraits)
