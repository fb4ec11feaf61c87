"""The record of experiments: that it is current, resumes, and bears out what chapters claim."""

import json

import pytest

from contextbook.experiments import (
    all_experiments,
    experiment,
    is_current,
    load_record,
    measure,
)
from contextbook.experiments.provenance import code_hash, reached_definitions


@pytest.mark.parametrize("name", list(all_experiments()))
def test_record_is_current(name):
    assert is_current(all_experiments()[name]), f"run: make experiments ({name} is out of date)"


def test_scaled_attention_is_the_same_at_every_width():
    record = load_record("softmax-scale")
    for width in (4, 64, 1024):
        assert all(0.8 < e < 0.95 for e in record.values("entropy", width=width, scaled=True))
        assert all(g > 0.1 for g in record.values("gradient", width=width, scaled=True))


def test_unscaled_attention_hardens_as_the_width_grows():
    record = load_record("softmax-scale")

    def values(measure: str, width: int) -> list[float]:
        return record.values(measure, width=width, scaled=False)

    assert min(values("entropy", 4)) > 0.5
    assert max(values("entropy", 1024)) < 0.1
    assert min(values("largest", 1024)) > 0.85
    assert max(values("gradient", 1024)) < 1e-2


def test_scaled_lookup_is_learned_and_unscaled_is_not():
    record = load_record("lookup-training")
    assert min(record.values("accuracy", scaled=True)) >= 0.98
    assert max(record.values("accuracy", scaled=False)) <= 0.75


@experiment(seeds=range(3), grid=[{"width": 2}, {"width": 4}])
def doubling(seed: int, width: int) -> dict[str, float]:
    return {"doubled": 2 * width + seed / 3}


def test_measure_writes_rounded_rows_in_order(tmp_path):
    assert not is_current(doubling, tmp_path)
    record = measure(doubling, tmp_path)
    assert record.values("doubled", width=4) == [8.0, 8.3333, 8.6667]
    assert [row["seed"] for row in record.rows] == [0, 1, 2, 0, 1, 2]
    assert is_current(doubling, tmp_path)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    def two_only(runs):
        return runs[:2]

    assert len(measure(doubling, tmp_path, track=two_only).rows) == 2
    assert not is_current(doubling, tmp_path)
    seen = []

    def spy(runs):
        seen.extend(runs)
        return runs

    assert len(measure(doubling, tmp_path, track=spy).rows) == 6
    assert len(seen) == 4


def test_rows_of_other_code_are_measured_again(tmp_path):
    measure(doubling, tmp_path)
    path = tmp_path / "doubling.json"
    table = json.loads(path.read_text())
    table["code"] = "of yesterday"
    path.write_text(json.dumps(table))
    assert not is_current(doubling, tmp_path)
    ran = []
    measure(doubling, tmp_path, track=lambda runs: ran.extend(runs) or runs)
    assert len(ran) == 6


def test_what_is_not_there_is_named(tmp_path):
    record = measure(doubling, tmp_path)
    with pytest.raises(ValueError, match="no row with"):
        record.values("doubled", width=3)
    with pytest.raises(ValueError, match="does not measure 'speed'"):
        record.values("speed")
    with pytest.raises(ValueError, match=r"no record 'nothing'.*doubling"):
        load_record("nothing", tmp_path)
    (tmp_path / "doubling.json").write_text("{}")
    with pytest.raises(ValueError, match="make experiments"):
        load_record("doubling", tmp_path)


def test_hash_follows_the_code_that_is_reached():
    reached = reached_definitions("contextbook.experiments.chapter09", "lookup_training")
    assert ("contextbook.attention", "scaled_dot_product_attention") in reached
    assert ("contextbook.attention", "masked_softmax") in reached
    assert ("contextbook.validation", "check_attention_inputs") in reached
    assert ("contextbook.training", "train") in reached
    assert ("contextbook.attention", "causal_mask") not in reached
    with pytest.raises(ValueError, match="defines no 'nothing'"):
        code_hash("contextbook.attention", "nothing")


def test_hash_counts_code_and_not_comments(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    from contextbook.experiments import provenance

    plain = "def f(x):\n    return x + g()\ndef g():\n    return 1\n"
    texts = [
        plain,
        plain.replace("def f(x):", 'def f(x):\n    """Say."""\n    # why').replace(
            "x + g", "(x) +g"
        ),
        plain + "def unused(): pass\n",
        plain.replace("return 1", "return 2"),
    ]
    hashes = []
    for text in texts:
        (tmp_path / "toy.py").write_text(text)
        provenance._bindings.cache_clear()
        hashes.append(code_hash("toy", "f"))
    assert hashes[0] == hashes[1] == hashes[2] != hashes[3]
