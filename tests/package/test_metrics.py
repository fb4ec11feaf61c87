"""BLEU, exact match by length, alignment accuracy."""

import math
from collections.abc import Callable

import pytest
import torch

from contextbook.datasets import translation_pairs
from contextbook.metrics import (
    LENGTH_BINS,
    alignment_accuracy,
    bleu,
    bleu_by_length,
    by_length,
    exact_match,
    exact_match_by_length,
)

LONG = list("abcdefghij")
SHORT = LONG[:6]


def test_bleu_by_hand_and_not_swapped() -> None:
    """Too short a hypothesis pays the brevity penalty; too long a one pays in precision."""
    assert bleu([SHORT], [LONG]) == pytest.approx(100 * math.exp(1 - 10 / 6), abs=1e-6)  # 51.3
    precisions = [6 / 10, 5 / 9, 4 / 8, 3 / 7]  # of 1- to 4-grams; 51.7
    expected = 100 * math.prod(precisions) ** 0.25
    assert bleu([LONG], [SHORT]) == pytest.approx(expected, abs=1e-6)
    half = LONG[:5]
    assert bleu([half], [LONG]) == pytest.approx(100 * math.exp(-1), abs=1e-6)  # 36.8
    precisions = [5 / 10, 4 / 9, 3 / 8, 2 / 7]
    assert bleu([LONG], [half]) == pytest.approx(100 * math.prod(precisions) ** 0.25)  # 39.3
    assert bleu([LONG], [half]) - bleu([half], [LONG]) > 2


def test_bleu_takes_our_tokens_as_they_are() -> None:
    pairs = [pair for pair in translation_pairs(30, 1) if len(pair.japanese) > 3]
    japanese = [list(pair.japanese) for pair in pairs]
    assert bleu(japanese, japanese) == pytest.approx(100.0)
    # one token each: a tokenizer that cuts further would find matches of several tokens
    assert bleu([["a-b,c.d"] * 5], [["a-b,c.e"] * 5]) == 0.0


def test_bleu_is_that_of_the_corpus_not_a_mean_of_sentences() -> None:
    right, wrong = list("abcdefgh"), list("xyzw")
    both = bleu([right, wrong], [right, list("qrst")])
    precisions = [8 / 12, 7 / 10, 6 / 8, 5 / 6]
    assert both == pytest.approx(100 * math.prod(precisions) ** 0.25, abs=1e-6)


def test_exact_match_by_length() -> None:
    pairs = translation_pairs(300, 2)
    references = [list(pair.japanese) for pair in pairs]
    # what is longer than 12 words loses its last token
    hypotheses = [
        row if pair.words <= 12 else row[:-1] for pair, row in zip(pairs, references, strict=True)
    ]
    shares = exact_match_by_length(hypotheses, references, [pair.words for pair in pairs])
    assert shares == {bounds: float(bounds[1] <= 12) for bounds in LENGTH_BINS}
    assert exact_match([["a"], ["b"]], [("a",), ("c",)]) == 0.5


def test_bleu_by_length_is_bleu_of_each_bin_alone() -> None:
    hypotheses, references = [LONG, SHORT, LONG], [LONG, LONG, LONG[1:]]
    scores = bleu_by_length(hypotheses, references, [4, 20, 21])
    assert scores == {(3, 4): pytest.approx(100), (18, 21): bleu(hypotheses[1:], references[1:])}


def test_each_sentence_is_in_one_bin() -> None:
    found = by_length(range(3, 26))
    assert list(found) == list(LENGTH_BINS)
    assert sorted(i for rows in found.values() for i in rows) == list(range(23))
    assert by_length([4, 9, 3]) == {(3, 4): [0, 2], (9, 12): [1]}


def test_alignment_accuracy_counts_aligned_tokens_alone() -> None:
    weights = torch.tensor([[[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.0, 0.1, 0.9], [0.9, 0.1, 0.0]]])
    assert alignment_accuracy(weights, torch.tensor([[0, 2, 2, -1]])) == pytest.approx(2 / 3)
    assert alignment_accuracy(weights, torch.tensor([[-1, 1, -1, -1]])) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bleu([], []), "at least one"),
        (lambda: bleu([SHORT], [SHORT, LONG]), "got 1 hypotheses and 2 references"),
        (lambda: bleu(["the cat"], [SHORT]), "got the string 'the cat'"),
        (lambda: bleu([["the cat"]], [SHORT]), "'the cat' is empty or has a space"),
        (lambda: bleu([[""]], [SHORT]), "is empty"),
        (lambda: exact_match([SHORT], []), "one reference for each"),
        (lambda: exact_match_by_length([SHORT], [SHORT], [6, 7]), "got 2"),
        (lambda: bleu_by_length([SHORT], [SHORT], [6, 7]), "got 2"),
        (lambda: by_length([2]), "in no bin"),
        (
            lambda: alignment_accuracy(torch.zeros(2, 3, 4), torch.zeros(2, 4)),
            r"gold \(batch, T_y\), got \(2, 3, 4\)",
        ),
        (
            lambda: alignment_accuracy(torch.zeros(1, 1, 4), torch.tensor([[4]])),
            "positions from 0 to 3",
        ),
        (
            lambda: alignment_accuracy(torch.zeros(1, 1, 4), torch.tensor([[-1]])),
            "got at most -1",
        ),
    ],
)
def test_bad_input_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
