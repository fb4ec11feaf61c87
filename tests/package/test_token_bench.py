"""The Python side of the token bench: what it holds, what it refuses, what it sends."""

import pytest

from contextbook.datasets import RUNNING_SENTENCE
from contextbook.text import ByteLevelBPE, learn_merges
from contextbook.widgets import TokenBench

MERGES = learn_merges([RUNNING_SENTENCE, "the dog that met the cat that met the dog"], 50)


@pytest.fixture
def bench() -> TokenBench:
    return TokenBench(MERGES)


def test_it_begins_with_the_running_sentence_and_all_merges(bench):
    assert bench.text == RUNNING_SENTENCE
    assert bench.merges_used == len(MERGES)
    assert bench.ids == ByteLevelBPE(MERGES).encode(RUNNING_SENTENCE)
    assert repr(bench) == f"TokenBench({len(MERGES)} merges)"
    assert [label for label, _ in bench.presets] == ["Dog and cat", "English", "Emoji", "Mixed"]


def test_without_merges_of_ones_own_it_takes_those_of_the_prose():
    bench = TokenBench()
    assert len(bench.merges) > 500
    assert len(bench.ids) < len(RUNNING_SENTENCE)


def test_ids_follow_text_and_merges(bench):
    bench.merges_used = 3
    assert bench.ids == ByteLevelBPE(MERGES[:3]).encode(RUNNING_SENTENCE)
    bench.text = "the cat 🐈"
    assert bench.ids == ByteLevelBPE(MERGES[:3]).encode("the cat 🐈")
    bench.text = ""
    assert bench.ids == []
    bench.reset()
    assert (bench.text, bench.merges_used) == (RUNNING_SENTENCE, len(MERGES))


def test_merges_travel_as_one_short_string(bench):
    sent = bench.get_state("merges")["merges"]
    assert sent.split(" ")[0] == ",".join(map(str, MERGES[0]))
    assert len(sent) < 10 * len(MERGES)
    bench.set_state({"merges": sent})
    assert bench.merges == MERGES


def test_what_the_page_sends_arrives(bench):
    bench.set_state({"text": "dog 犬", "merges_used": 1})
    assert bench.ids == ByteLevelBPE(MERGES[:1]).encode("dog 犬")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "a\ud83d"}, "lone surrogate"),
        ({"text": "a" * 301}, "up to 300 characters, got 301"),
        ({"merges_used": len(MERGES) + 1}, f"between 0 and {len(MERGES)}, got {len(MERGES) + 1}"),
        ({"merges_used": -1}, "between 0 and"),
        ({"merges": [(0, 999)]}, "id 999 at position 1 is out of range"),
        ({"merges": [(0, 1), (0, 1)]}, "repeats the pair"),
        ({"merges": [(0, 1)] * 20_001}, r"up to 20000 merges, got 20001"),
        ({"presets": [("one",)]}, "a label and a text"),
        ({"presets": [("a", "b")] * 9}, "up to 8 presets, got 9"),
    ],
)
def test_what_cannot_be_shown_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        TokenBench(**{"merges": MERGES, **options})


def test_a_refused_text_changes_nothing(bench):
    with pytest.raises(ValueError, match="lone surrogate"):
        bench.text = "\udc00"
    assert bench.text == RUNNING_SENTENCE
    with pytest.raises(ValueError, match="make another TokenBench"):
        bench.merges = MERGES[:2]
    assert bench.merges == MERGES


def test_a_longer_text_gets_a_higher_place():
    short, long = TokenBench(MERGES, text="犬"), TokenBench(MERGES, text="犬" * 300)
    assert long.height > short.height > 400
    assert long.height_narrow > long.height


def test_no_merges_are_bytes():
    assert TokenBench([], text="a 犬").ids == [64, 220, 163, 232, 105]
