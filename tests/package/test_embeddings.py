"""Embeddings against torch.nn, skip-gram against autograd, geometry, probes and the recommender."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from contextbook.datasets.grammar import translation_pairs
from contextbook.datasets.lexicon import word_class
from contextbook.embeddings import (
    Embedding,
    SkipGram,
    analogy,
    cosine_similarity,
    nearest,
    noise_distribution,
    one_hot,
    skip_gram_gradient,
    skip_gram_loss,
    skip_gram_pairs,
    train_skip_gram,
)
from contextbook.probes import chance_purity, neighbour_purity
from contextbook.recommender import (
    MatrixFactorization,
    make_ratings,
    rating_error,
    train_factorization,
)
from contextbook.text import Vocabulary, frequent_tokens

CONTENT = ("name", "person", "animal", "thing", "place", "verb", "adjective")


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64).requires_grad_()


# --- the look-up table ---


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 4), max_size=3),
    st.integers(1, 7),
    st.integers(1, 5),
    st.integers(0, 99),
    st.booleans(),
)
def test_embedding_equals_pytorch(shape, words, dim, seed, padded):
    padding = seed % words if padded else None
    ids = torch.randint(words, shape, generator=seeded(seed))
    ours = Embedding(words, dim, padding, generator=seeded(seed))
    theirs = nn.Embedding(words, dim, padding)
    if padded:
        assert torch.equal(ours.weight[padding], torch.zeros(dim))
        nn.init.normal_(ours.weight)  # a padding row that someone has filled is still looked up
    theirs.load_state_dict(ours.state_dict())
    weighting = torch.randn(*shape, dim)
    (ours(ids) * weighting).sum().backward()
    (theirs(ids) * weighting).sum().backward()
    assert torch.equal(ours(ids), theirs(ids))
    torch.testing.assert_close(ours.weight.grad, theirs.weight.grad)


def test_a_one_hot_row_times_the_table_is_a_row_of_the_table():
    table, ids = Embedding(5, 3, generator=seeded()), torch.tensor([[4, 0, 4], [1, 2, 3]])
    assert torch.equal(one_hot(ids, 5), F.one_hot(ids, 5).float())
    torch.testing.assert_close(one_hot(ids, 5) @ table.weight, table(ids))


def test_embedding_starts_with_the_spread_asked_for():
    weight = Embedding(1000, 50, std=0.2, generator=seeded()).weight
    assert abs(weight.std().item() - 0.2) < 0.01
    assert torch.equal(weight, Embedding(1000, 50, std=0.2, generator=seeded()).weight)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (torch.tensor([5]), "must lie between 0 and 4, got 5 to 5"),
        (torch.tensor([[-1, 2]]), "got -1 to 2"),
        (torch.tensor([1.0]), r"must be integers, got torch.float32 of shape \(1,\)"),
        (torch.tensor([True]), "must be integers, got torch.bool"),
    ],
)
@pytest.mark.parametrize("look_up", [Embedding(5, 3), lambda ids: one_hot(ids, 5)])
def test_ids_that_are_none_are_refused(look_up, ids, message):
    with pytest.raises(ValueError, match=message):
        look_up(ids)


def test_a_padding_id_without_a_row_is_refused():
    with pytest.raises(ValueError, match="must lie between 0 and 4, got 5 to 5"):
        Embedding(5, 3, padding_idx=5)


# --- skip-gram ---


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=8), min_size=1, max_size=4),
    st.integers(1, 9),
)
def test_pairs_are_all_words_within_the_window(sentences, window):
    expected = [
        (ids[i], ids[j])
        for ids in sentences
        for i in range(len(ids))
        for j in range(len(ids))
        if 0 < abs(i - j) <= window
    ]
    assert skip_gram_pairs(sentences, window).tolist() == list(map(list, expected))


def test_pairs_of_nothing_are_refused():
    with pytest.raises(ValueError, match="no sentence has two words"):
        skip_gram_pairs([[1], [], [2]])
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        skip_gram_pairs([[1, 2]], window=0)


def test_noise_distribution():
    noise = noise_distribution(torch.tensor([0, 1, 16, 81]))
    torch.testing.assert_close(noise, torch.tensor([0.0, 1.0, 8.0, 27.0]) / 36)
    assert noise_distribution(torch.tensor([0, 3, 1]), power=0.0).tolist() == [0.0, 0.5, 0.5]
    for counts in ([0, 0], [-1, 2], [], [[1, 2]]):
        with pytest.raises(ValueError, match="counts must be"):
            noise_distribution(torch.tensor(counts))


@settings(deadline=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 6), st.integers(0, 99))
def test_loss_and_gradient_equal_autograds(batch, negatives, dim, seed):
    vectors = (
        draw(batch, dim, seed=seed),
        draw(batch, dim, seed=seed + 1),
        draw(batch, negatives, dim, seed=seed + 2),
    )
    loss = skip_gram_loss(*vectors)
    centre, context, noise = vectors
    scores = torch.cat([context[:, None], noise], dim=1) @ centre[:, :, None]
    target = torch.zeros(batch, 1 + negatives, dtype=torch.float64)
    target[:, 0] = 1
    closed = F.binary_cross_entropy_with_logits(scores[:, :, 0], target, reduction="sum") / batch
    torch.testing.assert_close(loss, closed)
    for ours, autograds in zip(
        skip_gram_gradient(*vectors), torch.autograd.grad(loss, vectors), strict=True
    ):
        torch.testing.assert_close(ours, autograds)


def test_loss_stays_finite_for_extreme_scores():
    centre, noise = torch.full((1, 4), 100.0), torch.full((1, 2, 4), 100.0)
    assert skip_gram_loss(centre, -centre, noise).item() == pytest.approx(3 * 40_000.0)


@pytest.mark.parametrize("function", [skip_gram_loss, skip_gram_gradient])
def test_vectors_that_do_not_fit_are_refused(function):
    with pytest.raises(ValueError, match=r"got \(2, 3\), \(2, 4\) and \(2, 5, 3\)"):
        function(torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 5, 3))
    with pytest.raises(ValueError, match=r"noise \(B, K, dim\)"):
        function(torch.ones(2, 3), torch.ones(2, 3), torch.ones(2, 3))


@pytest.fixture(scope="module")
def one_thread():
    """Tables this small train several times faster when no second thread has to be waited for."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def trained(one_thread) -> tuple[Vocabulary, SkipGram, list[float]]:
    """A skip-gram model of the grammar's English, trained for a second or two."""
    sentences = [pair.english for pair in translation_pairs(5_000, seed=0)]
    vocabulary = Vocabulary(frequent_tokens(sentences), special_tokens=["<pad>"])
    corpus = [vocabulary.encode(sentence) for sentence in sentences]
    counts = torch.bincount(torch.tensor([number for ids in corpus for number in ids]))
    model = SkipGram(len(vocabulary), 16, generator=seeded())
    losses = train_skip_gram(
        model,
        skip_gram_pairs(corpus),
        noise_distribution(counts),
        generator=seeded(),
        steps=1000,
    )
    return vocabulary, model, losses


def test_skip_gram_finds_the_word_classes(trained):
    vocabulary, model, losses = trained
    assert sum(losses[-50:]) < 0.7 * sum(losses[:50])
    words = [word for word in vocabulary.tokens[1:] if word_class(word) in CONTENT]
    classes = [word_class(word) for word in words]
    vectors = model.words.weight.detach()[vocabulary.encode(words)]
    assert neighbour_purity(vectors, classes).mean() >= 0.9
    untrained = torch.randn(vectors.shape, generator=seeded())
    assert neighbour_purity(untrained, classes).mean() < chance_purity(classes) + 0.15


def test_skip_gram_finds_the_gender_analogy(trained):
    vocabulary, model, _ = trained
    man, woman, king = vocabulary.encode(["man", "woman", "king"])
    answer = analogy(model.words.weight.detach(), man, woman, king)
    assert vocabulary.decode(answer) == ["queen"]


def test_training_is_repeatable():
    pairs, noise = torch.tensor([[0, 1], [1, 2], [2, 0]]), torch.full((3,), 1 / 3)

    def run() -> torch.Tensor:
        model = SkipGram(3, 4, generator=seeded(1))
        train_skip_gram(model, pairs, noise, generator=seeded(2), steps=5, batch=2)
        return model.words.weight

    assert torch.equal(run(), run())


# --- geometry ---


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 99))
def test_cosine_similarity_equals_pytorch(rows, dim, seed):
    first, second = draw(rows, 1, dim, seed=seed), draw(rows, dim, seed=seed + 1)
    torch.testing.assert_close(
        cosine_similarity(first, second), F.cosine_similarity(first, second, dim=-1)
    )


def test_cosine_similarity_of_a_vector_without_direction_is_zero():
    first = torch.tensor([[0.0, 0.0], [3.0, 4.0], [1e-30, 0.0]], requires_grad=True)
    similarity = cosine_similarity(first, torch.tensor([6.0, 8.0]))
    assert similarity.tolist()[:2] == pytest.approx([0.0, 1.0])
    assert similarity.isfinite().all()
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(4,\) must agree in the last axis"):
        cosine_similarity(torch.ones(2, 3), torch.ones(4))


def test_nearest_and_analogy():
    vectors = torch.tensor([[1.0, 0.0], [5.0, 5.0], [0.0, 2.0], [-1.0, 0.0]])
    rows, similarities = nearest(vectors, torch.tensor([2.0, 0.1]), k=2)
    assert rows.tolist() == [0, 1]
    assert similarities[0] > similarities[1] > 0
    assert nearest(vectors, vectors[0], exclude=[0])[0].tolist() == [1]
    square = torch.tensor([[1.0, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [-1, 0, 0]])
    assert analogy(square, 0, 1, 2).tolist() == [3]
    with pytest.raises(ValueError, match="at least 5 rows"):
        nearest(vectors, vectors[0], k=4, exclude=[0])
    with pytest.raises(ValueError, match="at least 6 rows"):
        analogy(square, 0, 1, 2, k=3)


# --- probes ---


def test_neighbour_purity():
    vectors = torch.tensor([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0], [0.2, 1.0]])
    classes = ["a", "a", "b", "b", "c"]
    assert neighbour_purity(vectors, classes).tolist() == [1, 1, 1, 0, 0]
    assert neighbour_purity(vectors, classes, k=2).tolist() == [0.5, 0.5, 0.5, 0.5, 0.0]
    assert chance_purity(classes) == pytest.approx((2 + 2) / (5 * 4))
    with pytest.raises(ValueError, match="one class for each"):
        neighbour_purity(vectors, ["a"])
    with pytest.raises(ValueError, match="k must lie between 1 and 4, got 5"):
        neighbour_purity(vectors, classes, k=5)


# --- the recommender ---


@pytest.mark.parametrize("seed", range(5))
def test_factors_predict_held_out_ratings_better_than_the_mean(one_thread, seed):
    ratings = make_ratings(seeded(seed))
    mean = ratings.stars[ratings.seen].mean().item()
    model = MatrixFactorization(*ratings.stars.shape, dim=2, mean=mean, generator=seeded(seed))
    train_factorization(model, ratings.stars, ratings.seen)
    with torch.no_grad():
        assert rating_error(model(), ratings) < 0.7 * rating_error(mean, ratings)


def test_the_ratings_are_a_table_of_stars():
    stars, seen, held_out = make_ratings(seeded(3), people=200, films=100)
    assert stars.unique().tolist() == [1, 2, 3, 4, 5]
    assert not (seen & held_out).any()
    assert math.isclose(seen.float().mean().item(), 0.48, abs_tol=0.02)
    assert math.isclose(held_out.float().mean().item(), 0.12, abs_tol=0.02)
    assert torch.equal(stars, make_ratings(seeded(3), people=200, films=100).stars)


def test_ratings_that_do_not_fit_are_refused():
    model = MatrixFactorization(2, 3, dim=1, mean=3.0, generator=seeded())
    with pytest.raises(ValueError, match=r"torch.float32 \(2, 3\)"):
        train_factorization(model, torch.ones(2, 3), torch.ones(2, 3))
    with pytest.raises(ValueError, match="no rating was seen"):
        train_factorization(model, torch.ones(2, 3), torch.zeros(2, 3, dtype=torch.bool))
