"""Chapter 2: what word vectors know after training on the grammar, and a recommender's error."""

from collections.abc import Sequence
from itertools import permutations

import torch
from torch import Tensor

from contextbook.datasets import translation_pairs, word_class
from contextbook.datasets.lexicon import GENDER_PAIRS, TENSE_PAIRS, VERBS
from contextbook.embeddings import (
    SkipGram,
    analogy,
    nearest,
    noise_distribution,
    skip_gram_pairs,
    train_skip_gram,
)
from contextbook.experiments.record import experiment
from contextbook.probes import neighbour_purity
from contextbook.recommender import (
    MatrixFactorization,
    make_ratings,
    rating_error,
    train_factorization,
)
from contextbook.text import Vocabulary, frequent_tokens

SENTENCES = 10_000
#: The classes whose words mean something by themselves; a function word is often alone in its own.
CONTENT = ("name", "person", "animal", "thing", "place", "verb", "adjective")
#: (walks, walking) …, for every verb of which the grammar has the -ing form.
ING_PAIRS = tuple((verb.present, verb.progressive) for verb in VERBS if verb.progressive)
PAIRS = {"gender": GENDER_PAIRS, "tense": TENSE_PAIRS, "ing": ING_PAIRS}


def english_corpus(seed: int, sentences: int = SENTENCES) -> list[tuple[str, ...]]:
    """The English side of the grammar: different sentences of 3 to 25 words, cut into tokens."""
    return [pair.english for pair in translation_pairs(sentences, seed=seed)]


def train_vectors(seed: int, dim: int, steps: int = 2000) -> tuple[Vocabulary, Tensor, Tensor]:
    """Train skip-gram on the grammar; return vocabulary, pairs and a vector for each id."""
    sentences = english_corpus(seed)
    vocabulary = Vocabulary(frequent_tokens(sentences), special_tokens=["<pad>"])
    corpus = [vocabulary.encode(sentence) for sentence in sentences]
    counts = torch.bincount(torch.tensor([number for ids in corpus for number in ids]))
    generator = torch.Generator().manual_seed(seed)
    model = SkipGram(len(vocabulary), dim, generator=generator)
    pairs, noise = skip_gram_pairs(corpus, window=2), noise_distribution(counts)
    train_skip_gram(model, pairs, noise, generator=generator, steps=steps)
    return vocabulary, pairs, model.words.weight.detach()


def company_sizes(pairs: Tensor, size: int) -> Tensor:
    """How many different neighbours each word has, counted as if all were equally frequent.

    It is the exponential of the entropy of a word's neighbours: a word that stands beside three
    others, equally often, has 3; so has about one that stands beside many, but nearly always
    beside those three.

    Args:
        pairs: ids ``(pairs, 2)`` of centre and neighbour.
        size: number of ids.

    Returns:
        Numbers from 1 to ``size``, ``(size,)``; 1 also for an id that is in no pair.
    """
    counts = torch.zeros(size, size)
    counts.index_put_((pairs[:, 0], pairs[:, 1]), torch.ones(len(pairs)), accumulate=True)
    shares = counts / counts.sum(-1, keepdim=True).clamp(min=1)
    return torch.exp(-torch.xlogy(shares, shares).sum(-1))


def rank_correlation(first: Tensor, second: Tensor) -> float:
    """Spearman's: 1 where both rank all words alike, -1 where one ranks them backwards."""
    ranks = [values.argsort().argsort().double() for values in (first, second)]
    return torch.corrcoef(torch.stack(ranks))[0, 1].item()


def content_words(vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The words of a vocabulary that belong to a content class, and the class of each."""
    known = vocabulary.tokens[len(vocabulary.special_tokens) :]
    found = [word for word in known if word_class(word) in CONTENT]
    return found, [word_class(word) for word in found]


def analogy_score(
    vocabulary: Vocabulary,
    vectors: Tensor,
    pairs: Sequence[tuple[str, str]],
    k: int = 1,
    *,
    lazy: bool = False,
) -> float:
    """Share of analogies answered rightly: each pair asks about each other one, both ways round.

    Args:
        vocabulary: gives the ids of the words.
        vectors: ``(ids, dim)``.
        pairs: words that differ in the same way, such as (king, queen).
        k: an answer among the best ``k`` counts.
        lazy: do no arithmetic: answer with the word nearest to c, whatever a and b are.
    """
    ids = [vocabulary.encode(pair) for pair in pairs]
    right = total = 0
    for (a, b), (c, d) in permutations(ids, 2):
        for one, two, asked, wanted in ((a, b, c, d), (b, a, d, c)):
            if lazy:
                answers, _ = nearest(vectors, vectors[asked], k, exclude=(one, two, asked))
            else:
                answers = analogy(vectors, one, two, asked, k)
            right += wanted in answers.tolist()
            total += 1
    return right / total


def landed_on_ing(vocabulary: Vocabulary, vectors: Tensor) -> float:
    """Share of the steps like walks → walking that end on an -ing form, the right one or not."""
    ids = [vocabulary.encode(pair) for pair in ING_PAIRS]
    forms = {form for _, form in ids}
    steps = [(a, b, c) for (a, b), (c, _) in permutations(ids, 2)]
    return sum(int(analogy(vectors, *step)) in forms for step in steps) / len(steps)


@experiment(seeds=range(5), grid=[{"dim": dim} for dim in (2, 4, 8, 16, 32)])
def word_vectors(seed: int, dim: int) -> dict[str, float]:
    """Neighbours of the same class, by cosine and by dot product; analogies and the lazy answer.

    ``there_rank`` is 1 where "there" has the longest vector of all; ``length_by_company`` is the
    rank correlation of a vector's length with the size of the word's company.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # tables this small wait longer for a second thread than it saves
    try:
        vocabulary, pairs, vectors = train_vectors(seed, dim)
        words, classes = content_words(vocabulary)
        content = vectors[vocabulary.encode(words)]
        random = torch.randn(content.shape, generator=torch.Generator().manual_seed(seed))
        products = (content @ content.T).fill_diagonal_(-torch.inf).argmax(-1).tolist()
        same = [classes[i] == classes[j] for i, j in enumerate(products)]
        lengths, company = vectors.norm(dim=-1), company_sizes(pairs, len(vocabulary))
        measured = {
            "purity": neighbour_purity(content, classes).mean().item(),
            "purity_random": neighbour_purity(random, classes).mean().item(),
            "purity_by_product": sum(same) / len(same),
            "there_rank": 1 + int((lengths > lengths[vocabulary.ids["there"]]).sum()),
            "length_by_company": rank_correlation(lengths[1:], company[1:]),  # without <pad>
            "tense_in_five": analogy_score(vocabulary, vectors, TENSE_PAIRS, 5),
            "landed_on_ing": landed_on_ing(vocabulary, vectors),
        }
        for name, words_in_pairs in PAIRS.items():
            measured[name] = analogy_score(vocabulary, vectors, words_in_pairs)
            lazy = analogy_score(vocabulary, vectors, words_in_pairs, lazy=True)
            measured[f"{name}_lazy"] = lazy
        return measured
    finally:
        torch.set_num_threads(threads)


@experiment(seeds=range(5), grid=[{"dim": dim} for dim in (1, 2, 4, 8)])
def recommender(seed: int, dim: int) -> dict[str, float]:
    """Error on held-out ratings, in stars, of the factors and of the mean rating."""
    ratings = make_ratings(torch.Generator().manual_seed(seed))
    mean = ratings.stars[ratings.seen].mean().item()
    people, films = ratings.stars.shape
    generator = torch.Generator().manual_seed(seed)
    model = MatrixFactorization(people, films, dim, mean, generator=generator)
    train_factorization(model, ratings.stars, ratings.seen)
    with torch.no_grad():
        error = rating_error(model(), ratings)
    return {"error": error, "error_of_mean": rating_error(mean, ratings)}
