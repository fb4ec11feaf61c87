"""Counts, back-off and the wall of n-grams."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextbook.datasets import running_sentence
from contextbook.ngrams import NGramModel

SENTENCES = [["a", "b", "a", "b", "c"], ["b", "a", "b", "c"], ["a", "b", "a"]]


def test_probabilities_are_shares_of_what_came_next():
    trigrams = NGramModel(3).learn(SENTENCES)
    assert trigrams.probabilities(["a", "b"]) == {"a": 0.5, "c": 0.5}
    assert trigrams.probabilities(["c", "c", "b", "a"]) == {"b": 1.0}
    assert trigrams.predict(["a", "b"]) == "a"  # of two equals, the one seen first
    assert NGramModel(1).learn(SENTENCES).probabilities(["c"]) == {
        "a": 5 / 12,
        "b": 5 / 12,
        "c": 2 / 12,
    }


def test_a_context_never_seen_is_cut_from_the_far_end():
    model = NGramModel(3).learn(SENTENCES)
    assert model.seen_context(["a", "b"]) == ("a", "b")
    assert model.seen_context(["c", "b"]) == ("b",)
    assert model.probabilities(["c", "b"]) == model.probabilities(["b"])
    assert model.seen_context(["b", "z"]) == ()
    assert model.seen_context([]) == ()
    assert sum(model.probabilities(["z"]).values()) == pytest.approx(1)


def test_asking_is_not_learning():
    model = NGramModel(3).learn(SENTENCES)
    before = {context: Counter(seen) for context, seen in model.counts.items()}
    model.probabilities(["z", "z"])
    model.predict(["a", "b"])
    assert model.counts == before


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=5),
    st.lists(st.integers(0, 4), max_size=5),
    st.integers(1, 4),
)
def test_probabilities_are_those_of_a_plain_search(sentences, before, n):
    if not any(sentences):
        return
    found: Counter = Counter()
    length = min(n - 1, len(before))
    while not found:
        context = before[len(before) - length :]
        for tokens in sentences:
            for t in range(length, len(tokens)):
                if tokens[t - length : t] == context:
                    found[tokens[t]] += 1
        length -= 1
    expected = {token: count / sum(found.values()) for token, count in found.items()}
    assert NGramModel(n).learn(sentences).probabilities(before) == expected


def test_the_wall_a_cue_farther_away_than_n_is_not_seen():
    sentences = [[cue, *["x"] * 4, end] for cue, end in (("a", "A"), ("b", "B")) for _ in range(5)]
    short, long = (NGramModel(n).learn(sentences) for n in (5, 6))
    assert short.probabilities(["b", *"xxxx"]) == {"A": 0.5, "B": 0.5}
    assert long.probabilities(["b", *"xxxx"]) == {"B": 1.0}


def test_it_reads_the_running_sentence():
    words = [word.text for word in running_sentence()]
    model = NGramModel(2).learn([words])
    assert model.probabilities(["と"]) == {"猫": 0.5, "出": 0.5}


def test_bad_input_is_named():
    for call, message in (
        (lambda: NGramModel(0), "n must be at least 1"),
        (lambda: NGramModel(2).learn(["a b"]), "cut a text"),
        (lambda: NGramModel(2).learn(SENTENCES).predict("a b"), "cut a text"),
        (lambda: NGramModel(2).predict(["a"]), "nothing has been counted"),
        (lambda: NGramModel(2).learn([[]]).predict(["a"]), "nothing has been counted"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
