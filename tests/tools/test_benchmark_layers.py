"""The benchmark of single layers runs: here at sizes that take no time."""

from collections.abc import Iterator

import pytest
import torch

from benchmarks import layers


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One block of two rounds; the number of threads is put back."""
    for name, value in (("BLOCKS", 1), ("ROUNDS", 2), ("LONG", 8), ("BATCHES", (1,))):
        monkeypatch.setattr(layers, name, value)
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("small")
def test_every_layer_is_timed_with_one_thread_and_with_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [row for length in (4, 8) for row in layers.measure(length, 1)]
    sizes = [(row["length"], row["batch"], row["threads"]) for row in rows]
    assert sizes == [(length, 1, threads) for length in (4, 8) for threads in layers.THREADS]
    for row in rows:
        assert all(0 < row[name]["low"] <= row[name]["high"] for name in layers.NAMES)
        assert row["attention_faster_than"].keys() == {"rnn", "lstm", "convolution"}
    layers.show(rows)
    assert len(capsys.readouterr().out.splitlines()) == 2 * (3 + 2)


def test_the_gain_of_threads_is_a_median_over_the_longer_lengths() -> None:
    times = {(64, 1): 9.0, (64, 2): 1.0}  # too short to count
    times |= {(128, 1): 4.0, (128, 2): 2.0, (256, 1): 9.0, (256, 2): 3.0, (512, 1): 4.0}
    times |= {(512, 2): 4.0}
    rows = [
        {"batch": 1, "length": length, "threads": threads}
        | {name: {"median": time} for name in layers.NAMES}
        for (length, threads), time in times.items()
    ]
    assert layers.thread_gains(rows) == dict.fromkeys(layers.NAMES, 2.0)
