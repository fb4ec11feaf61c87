"""What chapter 2 claims, on every seed of the record."""

import pytest
import torch

from contextbook.datasets import word_class
from contextbook.experiments import load_record
from contextbook.experiments.chapter02 import (
    CONTENT,
    ING_PAIRS,
    analogy_score,
    company_sizes,
    content_words,
    rank_correlation,
)
from contextbook.probes import chance_purity
from contextbook.text import Vocabulary

VECTORS = load_record("word-vectors")
RATINGS = load_record("recommender")
KINDS = ("gender", "tense", "ing")


def of(measure: str, dim: int = 16) -> list[float]:
    values = VECTORS.values(measure, dim=dim)
    assert len(values) >= 5
    return values


def test_word_classes_are_recovered_far_beyond_chance():
    assert min(of("purity")) >= 0.9
    assert max(of("purity_random")) <= 0.35  # what vectors without training give
    assert min(of("purity", dim=4)) > 0.85
    assert max(of("purity", dim=2)) < 0.75


def test_the_dot_product_recovers_them_less_well():
    for dim in (2, 4, 8, 16):
        assert max(of("purity_by_product", dim)) < min(of("purity", dim))
    assert max(of("purity_by_product", dim=4)) < 0.4


def test_narrow_company_makes_long_vectors():
    assert max(of("length_by_company")) < -0.7
    assert set(of("there_rank")) == {1}


def test_gender_is_answered_but_not_by_arithmetic():
    assert min(of("gender")) == min(of("gender_lazy")) == 1


def test_tense_fails_and_laziness_does_better():
    assert max(of("tense")) < 0.6
    for ours, lazy in zip(of("tense"), of("tense_lazy"), strict=True):
        assert ours < lazy
    assert min(of("tense_in_five")) > 0.75  # it is near, at least


def test_the_ing_form_has_a_direction():
    assert min(of("landed_on_ing")) > 0.7
    assert min(of("ing")) >= 0.2
    assert max(of("ing_lazy")) < 0.05


def test_held_out_ratings_are_predicted_better_than_by_the_mean():
    for dim in (1, 2, 4, 8):
        errors, means = (RATINGS.values(name, dim=dim) for name in ("error", "error_of_mean"))
        assert all(error < mean for error, mean in zip(errors, means, strict=True))
    two = RATINGS.values("error", dim=2)
    assert max(two) < 0.6
    assert max(two) < min(min(RATINGS.values("error", dim=dim)) for dim in (1, 4, 8))
    assert min(RATINGS.values("error_of_mean", dim=2)) > 1


def test_the_content_words_of_the_grammar():
    vocabulary = Vocabulary(["the", "cat", "dog", "ran", "was"], special_tokens=["<pad>"])
    assert content_words(vocabulary) == (["cat", "dog", "ran"], ["animal", "animal", "verb"])
    assert all(word_class(word) == "verb" for pair in ING_PAIRS for word in pair)
    assert len(ING_PAIRS) >= 6
    assert len(CONTENT) == 7
    assert chance_purity(["animal", "animal", "verb"]) == pytest.approx(1 / 3)


def test_company_counts_neighbours_as_if_they_were_equally_frequent():
    pairs = torch.tensor([[0, 1], [0, 2], [0, 3], [1, 0], [1, 0], [2, 0]])
    assert company_sizes(pairs, 5).tolist() == pytest.approx([3, 1, 1, 1, 1])
    often = torch.tensor([[0, 1]] * 98 + [[0, 2], [0, 3]])
    assert 1 < company_sizes(often, 4)[0] < 1.2


def test_rank_correlation():
    values = torch.tensor([3.0, 1.0, 2.0])
    assert rank_correlation(values, values.exp()) == pytest.approx(1)
    assert rank_correlation(values, -values) == pytest.approx(-1)


def test_a_lazy_player_does_no_arithmetic():
    vocabulary = Vocabulary(["king", "queen", "man", "woman", "dog"], special_tokens=["<pad>"])
    vectors = torch.tensor([[0, 0, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1], [1, -0.1, 0]])
    pairs = [("king", "queen"), ("man", "woman")]
    assert analogy_score(vocabulary, vectors, pairs) == 1
    # the dog stands nearest to the king, and lures whoever looks no further
    assert analogy_score(vocabulary, vectors, pairs, lazy=True) == 0.75
    assert analogy_score(vocabulary, vectors, pairs, k=2, lazy=True) == 1
