"""The Python side of the word map: what it ranks, what it refuses, what it sends."""

import json

import numpy as np
import pytest
import torch

from contextbook.embeddings import analogy, nearest
from contextbook.widgets import WordMap

WORDS = ["cat", "dog", "king", "queen", "man", "woman", "there"]
CLASSES = ["animal", "animal", "person", "person", "person", "person", "other"]
VECTORS = torch.tensor(
    [
        [2, 0.2, 0],
        [2, 0.4, 0],
        [0.2, 2, 1],
        [0.2, 2, -1],
        [0.9, 2, 1],
        [0.9, 2, -1],
        [9, 9, 9],
    ]
)
DIRECTIONS = [[1, 0, 0], [0, 1, 0]]
GENDER = ("gender", ("man", "woman", "king"), "queen")


@pytest.fixture
def figure() -> WordMap:
    return WordMap(WORDS, VECTORS, CLASSES, DIRECTIONS, analogies=[GENDER])


def test_it_begins_with_the_first_word_and_leaves_it_out_of_the_answers(figure):
    assert (figure.asks, figure.word) == ("word", "cat")
    assert figure.query == pytest.approx((VECTORS[0] / VECTORS[0].norm()).tolist())
    assert figure.by_cosine[0] == "dog"
    assert figure.by_product[0] == "there"
    assert "cat" not in figure.by_cosine
    assert sorted(figure.by_cosine) == sorted(figure.by_product)
    assert repr(figure) == "WordMap(7 words, 3 numbers each)"


def test_rankings_are_those_of_the_book(figure):
    figure.ask("king")
    best, _ = nearest(VECTORS, VECTORS[2], k=6, exclude=[2])
    assert figure.by_cosine == [WORDS[i] for i in best]
    figure.ask(analogy=["man", "woman", "king"])
    assert figure.by_cosine == [WORDS[i] for i in analogy(VECTORS, 4, 5, 2, k=4)]
    assert figure.by_cosine[0] == "queen"


def test_a_place_asks_within_the_plane_of_the_map(figure):
    figure.ask(place=(0.5, 0.25))
    assert figure.query == [0.5, 0.25, 0.0]
    assert set(figure.by_cosine) == set(WORDS)
    figure.ask(place=(0, 0))
    assert figure.by_cosine == WORDS, "no direction, no ranking: the order of the words"


def test_classes_can_be_left_out(figure):
    figure.shown = ["person"]
    assert set(figure.by_product) == {"king", "queen", "man", "woman"}
    figure.shown = []
    assert figure.by_product == []


def test_saved_state_says_all_that_the_page_needs(figure):
    state = json.loads(json.dumps(figure.get_state()))
    assert state["figure"] == "word-map"
    assert state["vectors"][1] == [2.0, 0.4, 0.0]
    assert state["example"] == {
        "asks": "word",
        "word": "cat",
        "place": [0.0, 0.0],
        "analogy": ["man", "woman", "king"],
        "shown": ["animal", "person", "other"],
    }
    assert state["analogies"] == [
        {"label": "gender", "words": ["man", "woman", "king"], "expected": "queen"}
    ]
    assert "by_cosine" not in state, "rankings follow from the rest"


def test_vectors_are_rounded_for_the_journey():
    vectors = torch.tensor([[1 / 3, 2 / 3]]).requires_grad_()
    assert WordMap(["a"], vectors, ["x"], np.eye(2)).vectors == [[0.3333, 0.6667]]


def test_what_the_reader_does_reaches_python(figure):
    figure.set_state({"asks": "word", "word": "queen"})
    assert figure.by_cosine[0] in ("woman", "king")
    figure.set_state({"asks": "place", "place": [1, 0]})
    assert figure.query == [1.0, 0.0, 0.0]


def test_rankings_can_be_observed(figure):
    seen = []
    figure.observe(lambda change: seen.append((change.new[0], figure.query)), "by_cosine")
    figure.ask("woman")
    assert len(seen) == 1
    assert seen[0][1] == figure.query


def test_reset_brings_the_example_back(figure):
    before = figure.get_state(["asks", "word", "place", "analogy", "shown"])
    figure.ask(place=(0.1, 0.2))
    figure.ask(analogy=["cat", "dog", "man"])
    figure.ask("there")
    figure.shown = ["other"]
    figure.reset()
    assert figure.get_state(list(before)) == before


def test_data_stay_as_they_are(figure):
    for name, value in (("vectors", VECTORS * 2), ("words", WORDS[::-1]), ("classes", ["a"] * 7)):
        with pytest.raises(ValueError, match="make another WordMap"):
            setattr(figure, name, value)
    assert figure.words == WORDS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": WORDS[:6]}, r"words \(6,\), classes \(7,\)"),
        ({"vectors": VECTORS[:6]}, r"words \(7,\), vectors \(6, 3\)"),
        ({"vectors": VECTORS[:, 0]}, r"two axes, got shape \(7,\)"),
        ({"vectors": [["many"]]}, "must be numbers"),
        ({"vectors": VECTORS * float("nan")}, "finite numbers, got nan"),
        ({"vectors": VECTORS * 1000}, "between -1000 and 1000"),
        ({"directions": [[1, 0], [0, 1]]}, r"got \(7, 3\) and \(2, 2\)"),
        ({"directions": [[1, 0, 0]]}, r"shape \(2, n\), got shape \(1, 3\)"),
        ({"directions": [[1, 0, 0], [1, 0, 0]]}, "at right angles"),
        ({"words": ["cat", "Cat", *WORDS[2:]]}, "'cat' comes twice"),
        ({"words": ["", *WORDS[1:]]}, "1 to 40 signs, got ''"),
        ({"words": "catdogs"}, "list of strings"),
        ({"classes": list("abcdefg"), "words": WORDS}, None),
        ({"word": "cow"}, "'cow' is not one of the 7 words"),
        ({"analogies": [("x", ("man", "woman"), "cat")]}, "three words, got 2"),
        ({"analogies": [("x", ("man", "woman", "cow"), "cat")]}, "'cow' is not one of"),
    ],
)
def test_bad_data_is_refused_by_name_and_shape(change, message):
    arguments = {
        "words": WORDS,
        "vectors": VECTORS,
        "classes": CLASSES,
        "directions": DIRECTIONS,
        **change,
    }
    if message is None:
        assert len(WordMap(**arguments).shown) == 7
        return
    with pytest.raises(ValueError, match=message):
        WordMap(**arguments)


def test_more_classes_than_shapes_are_refused():
    words = [f"word {i}" for i in range(9)]
    with pytest.raises(ValueError, match="up to 8 classes apart, got 9"):
        WordMap(words, np.ones((9, 2)), list("abcdefghi"), np.eye(2))


@pytest.mark.parametrize(
    "change",
    [
        lambda figure: figure.ask("cow"),
        lambda figure: figure.ask(),
        lambda figure: figure.ask("cat", place=(0, 0)),
        lambda figure: figure.ask(place=(0, float("inf"))),
        lambda figure: figure.ask(analogy=["cat", "dog"]),
        lambda figure: figure.ask(analogy=["cat", "dog", "cow"]),
        lambda figure: setattr(figure, "shown", ["plants"]),
    ],
)
def test_a_refused_question_changes_nothing(figure, change):
    before = figure.get_state()
    with pytest.raises(ValueError, match=r"cow|one of word|finite|three words|plants"):
        change(figure)
    assert figure.get_state() == before
