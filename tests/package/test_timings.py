"""The committed timings: of the shape that chapters read, and saying what chapter 12 says."""

import json
import math

import pytest

from contextbook.timings import TIMINGS, load_timings

NAMES = ("rnn", "lstm", "convolution", "attention")
LENGTHS = (16, 32, 64, 128, 256, 512, 1024)


@pytest.fixture(scope="module")
def layers():
    return load_timings("layers")


def milliseconds(layers, name, length, batch, threads):
    (row,) = (
        row
        for row in layers["rows"]
        if (row["length"], row["batch"], row["threads"]) == (length, batch, threads)
    )
    return row[name]["median"]


def test_every_size_is_there_with_quartiles_and_the_machine(layers):
    sizes = [(row["batch"], row["length"], row["threads"]) for row in layers["rows"]]
    assert sorted(sizes) == [(b, n, t) for b in (1, 8) for n in LENGTHS for t in (1, 2)]
    for row in layers["rows"]:
        spreads = [row[name] for name in NAMES]
        spreads += [row["attention_faster_than"][name] for name in NAMES[:-1]]
        assert all(0 < one["low"] <= one["median"] <= one["high"] for one in spreads)
    assert layers["machine"].keys() == {"processor", "cores", "system", "python", "packages"}
    assert (layers["d_model"], layers["heads"]) == (128, 4)


def test_the_quartiles_lie_close_enough_to_speak_of(layers):
    spreads = [row[name] for row in layers["rows"] for name in NAMES]
    widths = sorted((one["high"] - one["low"]) / one["median"] for one in spreads)
    assert widths[len(widths) // 2] < 0.3, "measured on a busy machine: run make bench again"


@pytest.mark.parametrize("name", ["rnn", "lstm"])
@pytest.mark.parametrize("batch", [1, 8])
def test_a_recurrent_net_takes_time_in_proportion_to_the_length(layers, name, batch):
    times = [milliseconds(layers, name, length, batch, 1) for length in (64, 1024)]
    assert 0.8 < math.log(times[1] / times[0], 16) < 1.15


def test_attention_outgrows_proportion_and_beats_an_rnn_while_sequences_are_short(layers):
    times = [milliseconds(layers, "attention", length, 8, 1) for length in (256, 1024)]
    assert times[1] > 5 * times[0]
    for length in (64, 128, 256):
        attention = milliseconds(layers, "attention", length, 1, 1)
        assert attention < milliseconds(layers, "rnn", length, 1, 1) / 2
    # where sequences share each step of an RNN, attention's lead is gone
    assert milliseconds(layers, "attention", 1024, 8, 1) > milliseconds(layers, "rnn", 1024, 8, 1)


def test_a_second_thread_helps_attention_more_than_an_rnn(layers):
    gains = layers["thread_gains"]
    assert gains["attention"] > 1.3 > gains["rnn"]


def test_unknown_timings_are_refused_with_those_there_are():
    known = ", ".join(sorted(json.stem for json in TIMINGS.glob("*.json")))
    with pytest.raises(ValueError, match=f"no timings 'layer'; there are: {known}"):
        load_timings("layer")


def test_no_host_and_no_path_is_told():
    for file in TIMINGS.glob("*.json"):
        text = file.read_text(encoding="utf-8")
        assert "/" not in json.dumps(json.loads(text)["machine"])
