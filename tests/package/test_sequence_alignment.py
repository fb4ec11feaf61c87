"""Alignments against Biopython, and against a sum over every alignment of short sequences."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from Bio.Align import PairwiseAligner, substitution_matrices
from hypothesis import given, settings
from hypothesis import strategies as st

from contextbook.datasets.insulin import HUMAN_INSULIN, MOUSE_INSULIN_1, blosum62
from contextbook.sequence_alignment import (
    Alignment,
    Step,
    alignment_table,
    best_alignment,
    forward_backward,
    match_probabilities,
    substitution_scores,
    write_alignment,
)

AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"
GAP = -6.0
BLOSUM62 = substitution_matrices.load("BLOSUM62")
INSULINS = substitution_scores(HUMAN_INSULIN.sequence, MOUSE_INSULIN_1.sequence, blosum62())
SOME = np.array([[2.0, -1.0, 0.5], [-1.0, 3.0, 1.0]])

sequences = st.text(AMINO_ACIDS, min_size=1, max_size=12)
sizes = st.tuples(st.integers(1, 4), st.integers(1, 4))


def every_alignment(m: int, n: int, i: int = 0, j: int = 0) -> Iterator[tuple[Step, ...]]:
    """All ways to write two sequences below each other, from letters i and j on."""
    if (i, j) == (m, n):
        yield ()
    if i < m and j < n:
        yield from (((i, j), *rest) for rest in every_alignment(m, n, i + 1, j + 1))
    if i < m:
        yield from (((i, None), *rest) for rest in every_alignment(m, n, i + 1, j))
    if j < n:
        yield from (((None, j), *rest) for rest in every_alignment(m, n, i, j + 1))


def score_of(steps: tuple[Step, ...], pair_scores: np.ndarray, gap: float) -> float:
    return sum(gap if None in step else float(pair_scores[step]) for step in steps)


def scores(size: tuple[int, int], seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=3, size=size)


def aligner(gap: float) -> PairwiseAligner:
    made = PairwiseAligner(mode="global", substitution_matrix=BLOSUM62)
    made.gap_score = gap
    return made


def test_the_table_of_scores_is_biopythons() -> None:
    ours = blosum62()
    assert len(ours) == 400
    assert ours == {(a, b): BLOSUM62[a, b] for a in AMINO_ACIDS for b in AMINO_ACIDS}


def test_the_insulins_have_their_parts() -> None:
    human, mouse = HUMAN_INSULIN, MOUSE_INSULIN_1
    assert (len(human.sequence), len(mouse.sequence)) == (110, 108)
    assert human.part("B chain") == "FVNQHLCGSHLVEALYLVCGERGFFYTPKT"
    assert human.part("A chain") == "GIVEQCCTSICSLYQLENYCN"
    assert mouse.part("B chain") == "FVKQHLCGPHLVEALYLVCGERGFFYTPKS"
    assert mouse.part("A chain") == "GIVDQCCTSICSLYQLENYCN"
    for protein in (human, mouse):  # two basic residues at either end, where the C-peptide is cut
        b_end, (start, stop) = protein.parts["B chain"][1], protein.parts["C-peptide"]
        assert protein.sequence[b_end:start] == "RR"
        assert protein.sequence[stop : protein.parts["A chain"][0]] == "KR"
    with pytest.raises(ValueError, match=r"parts signal peptide, B chain.*'D chain'"):
        human.part("D chain")


@settings(deadline=None, max_examples=60)
@given(sequences, sequences, st.integers(-12, 0))
def test_the_best_score_is_biopythons(first: str, second: str, gap: int) -> None:
    pair_scores = substitution_scores(first, second, blosum62())
    best = best_alignment(pair_scores, gap)
    assert best.score == aligner(gap).score(first, second)
    assert score_of(best.steps, pair_scores, gap) == best.score
    assert [i for i, _ in best.steps if i is not None] == list(range(len(first)))
    assert [j for _, j in best.steps if j is not None] == list(range(len(second)))


def test_the_best_alignment_of_the_insulins_has_one_gap_of_two() -> None:
    human, mouse = HUMAN_INSULIN.sequence, MOUSE_INSULIN_1.sequence
    best = best_alignment(INSULINS, GAP)
    theirs = aligner(GAP).align(human, mouse)
    assert best.score == theirs.score == 441
    alone = [step for step in best.steps if None in step]
    assert alone == [(72, None), (73, None)]
    start, stop = HUMAN_INSULIN.parts["C-peptide"]
    assert start < 72 < stop
    # the same columns as one of Biopython's
    ours = write_alignment(best, human, mouse, width=200).splitlines()
    assert (ours[0], ours[2]) in {(a[0], a[1]) for a in theirs}


def test_among_equals_gaps_stand_to_the_left() -> None:
    flat = np.zeros((2, 1))
    assert best_alignment(flat, -1.0) == Alignment(-1.0, ((0, None), (1, 0)))
    crossed = np.full((1, 1), -9.0)  # both letters alone; the first sequence's is last
    assert best_alignment(crossed, -1.0).steps == ((None, 0), (0, None))


def test_gaps_along_the_edge_survive_rounding() -> None:
    # 6 * -0.1 is not (5 * -0.1) + -0.1: the way back along an edge must not rely on it
    pair_scores = np.full((9, 1), -9.0)
    pair_scores[8] = 5.0
    alone = range(8)
    best = best_alignment(pair_scores, -0.1)
    assert best.steps == (*((i, None) for i in alone), (8, 0))
    best = best_alignment(pair_scores.T.copy(), -0.1)
    assert best.steps == (*((None, j) for j in alone), (0, 8))


@settings(deadline=None, max_examples=40)
@given(sizes, st.integers(0, 2**32 - 1), st.floats(-5, 0), st.floats(0.05, 20))
def test_sums_and_probabilities_are_those_of_every_alignment(
    size: tuple[int, int], seed: int, gap: float, temperature: float
) -> None:
    pair_scores = scores(size, seed)
    everything = list(every_alignment(*size))
    totals = np.array([score_of(steps, pair_scores, gap) for steps in everything])
    assert best_alignment(pair_scores, gap).score == pytest.approx(totals.max())
    log_partition = np.logaddexp.reduce(totals / temperature)
    chances = np.exp(totals / temperature - log_partition)
    expected = np.zeros(size)
    for steps, chance in zip(everything, chances, strict=True):
        for step in steps:
            if None not in step:
                expected[step] += chance

    forward, backward = forward_backward(pair_scores, gap, temperature)
    assert forward[-1, -1] == pytest.approx(log_partition, abs=1e-9)
    assert backward[0, 0] == pytest.approx(log_partition, abs=1e-9)
    got = match_probabilities(pair_scores, gap, temperature)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)
    assert (got.sum(axis=0) <= 1 + 1e-9).all()
    assert (got.sum(axis=1) <= 1 + 1e-9).all()


def test_each_entry_of_both_tables_is_a_sum_of_its_own() -> None:
    forward, backward = forward_backward(SOME, -1.0, 2.0)
    m, n = SOME.shape
    for i in range(m + 1):
        for j in range(n + 1):
            head = [score_of(steps, SOME, -1.0) for steps in every_alignment(i, j)]
            tail = [score_of(steps, SOME, -1.0) for steps in every_alignment(m, n, i, j)]
            assert forward[i, j] == pytest.approx(np.logaddexp.reduce(np.array(head) / 2))
            assert backward[i, j] == pytest.approx(np.logaddexp.reduce(np.array(tail) / 2))


def test_with_all_scores_zero_the_sum_counts_alignments() -> None:
    for size, number in (((1, 1), 3), ((2, 3), 25), ((3, 3), 63), ((8, 8), 265_729)):  # Delannoy
        table = alignment_table(np.zeros(size), 0.0, np.logaddexp.reduce)
        assert math.exp(table[-1, -1]) == pytest.approx(number)


@pytest.mark.parametrize("seed", range(5))
def test_near_zero_only_the_best_alignment_is_left(seed: int) -> None:
    pair_scores = scores((7, 5), seed)  # no two alignments are equal here, except by gap order
    best = best_alignment(pair_scores, -2.0)
    expected = np.zeros((7, 5))
    expected[tuple(zip(*best.partners, strict=True))] = 1
    got = match_probabilities(pair_scores, -2.0, 1e-3)
    np.testing.assert_allclose(got, expected, atol=1e-6)


def test_near_zero_equal_alignments_share() -> None:
    got = match_probabilities(np.zeros((3, 1)), -1.0, 1e-3)
    np.testing.assert_allclose(got, np.full((3, 1), 1 / 3), atol=1e-9)


def test_a_high_temperature_makes_all_alignments_equal() -> None:
    got = match_probabilities(SOME, -1.0, 1e9)
    np.testing.assert_allclose(got, match_probabilities(np.zeros((2, 3)), 0.0), atol=1e-6)


def test_only_scores_over_temperature_count_and_a_shared_shift_does_not() -> None:
    expected = match_probabilities(SOME, -1.0, 1.5)
    np.testing.assert_allclose(match_probabilities(SOME * 4, -4.0, 6.0), expected)
    # every alignment holds all letters, so half a shift for each letter changes all alike
    np.testing.assert_allclose(match_probabilities(SOME - 2, -2.0, 1.5), expected)
    np.testing.assert_allclose(match_probabilities(SOME.T, -1.0, 1.5), expected.T)


def test_the_insulins_are_certain_where_kept_and_spread_around_the_gap() -> None:
    got = match_probabilities(INSULINS, GAP, 1.0)
    rows = got.sum(axis=1)
    assert rows.max() <= 1 + 1e-9
    path = np.zeros(110)
    for i, j in best_alignment(INSULINS, GAP).partners:
        path[i] = got[i, j]
    for name in ("B chain", "A chain"):
        start, stop = HUMAN_INSULIN.parts[name]
        assert path[start:stop].min() > 0.99
    around = range(72, 76)
    elsewhere = [i for i in range(110) if i not in around]
    assert path[elsewhere].min() > 0.99
    assert rows[list(around)].sum() == pytest.approx(2, abs=0.01)  # two of these four face gaps
    assert 0.3 < got[72, 72] < 0.7  # one letter of the mouse, two possible partners
    assert 0.3 < got[74, 72] < 0.7
    assert rows[73] < 0.1


def test_two_best_alignments_of_the_insulins_share_at_low_temperature() -> None:
    forward, _ = forward_backward(INSULINS, GAP, 0.01)
    number = math.exp(forward[-1, -1] - best_alignment(INSULINS, GAP).score / 0.01)
    theirs = aligner(GAP).align(HUMAN_INSULIN.sequence, MOUSE_INSULIN_1.sequence)
    assert len(theirs) == 2
    assert number == pytest.approx(2)
    got = match_probabilities(INSULINS, GAP, 0.01)
    assert got[72, 72] == pytest.approx(0.5)
    assert got[74, 72] == pytest.approx(0.5)


def test_an_alignment_is_written_in_blocks() -> None:
    best = best_alignment(substitution_scores("HEAGW", "HGF", blosum62()), -4.0)
    assert write_alignment(best, "HEAGW", "HGF") == "HEAGW\n|  |.\nH--GF"
    assert write_alignment(best, "HEAGW", "HGF", width=3) == "HEA\n|  \nH--\n\nGW\n|.\nGF"


def test_words_align_as_letters_do() -> None:
    first, second = ["the", "old", "dog"], ["the", "dog"]
    equal = {(a, b): 1.0 if a == b else -1.0 for a in first for b in second}
    best = best_alignment(substitution_scores(first, second, equal), -0.5)
    assert best.partners == [(0, 0), (2, 1)]
    with pytest.raises(ValueError, match="one character"):
        write_alignment(best, first, second)


def test_inputs_are_left_as_they_were() -> None:
    before = SOME.copy()
    match_probabilities(SOME, -1.0, 0.5)
    best_alignment(SOME, -1.0)
    np.testing.assert_array_equal(SOME, before)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("", "A", "the first sequence is empty"),
        ("A", [], "the second sequence is empty"),
        ("AX", "A", "first sequence has 'X' at place 1"),
        ("A", "a", "second sequence has 'a' at place 0"),
    ],
)
def test_bad_sequences_are_named(first: str, second: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        substitution_scores(first, second, blosum62())


def test_a_hole_in_the_table_is_named() -> None:
    with pytest.raises(ValueError, match=r"no score for \('A', 'C'\)"):
        substitution_scores("AB", "CD", {("A", "D"): 1.0, ("B", "C"): 1.0, ("B", "D"): 1.0})


@pytest.mark.parametrize("call", [alignment_table, best_alignment, match_probabilities])
@pytest.mark.parametrize(
    ("pair_scores", "gap", "message"),
    [
        ([[1.0]], -1.0, "float64 array, got list"),
        (np.ones((2, 2), dtype=np.float32), -1.0, "float64 array, got float32"),
        (np.ones(3), -1.0, r"got \(3,\)"),
        (np.ones((0, 3)), -1.0, r"got \(0, 3\)"),
        (SOME, math.nan, "gap must be finite and 0 or less, got nan"),
        (SOME, -math.inf, "gap must be finite and 0 or less, got -inf"),
        (SOME, 6.0, "a penalty of 6 is gap=-6"),
        (np.array([[1.0, math.nan]]), -1.0, "must be finite"),
        (np.array([[1.0, -math.inf]]), -1.0, "must be finite"),
        (np.array([[1e308, 1e308]]), -1.0, "score of a whole alignment"),
    ],
)
def test_bad_scores_are_named(call, pair_scores, gap, message) -> None:
    with pytest.raises(ValueError, match=message):
        call(pair_scores, gap)


@pytest.mark.parametrize("call", [forward_backward, match_probabilities])
@pytest.mark.parametrize(
    ("temperature", "message"),
    [
        (0.0, "above 0, got 0.0.*see best_alignment"),
        (-1.0, "above 0, got -1.0"),
        (math.nan, "above 0, got nan"),
        (math.inf, "above 0, got inf"),
        (1e-12, r"at least 1\.7e-08 .* got 1e-12"),
    ],
)
def test_bad_temperatures_are_named(call, temperature: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(SOME, -1.0, temperature)


def test_just_above_the_coldest_temperature_equal_alignments_still_share() -> None:
    got = match_probabilities(INSULINS, GAP, 1.2e-4)
    assert got[72, 72] == pytest.approx(0.5, abs=1e-5)
    with pytest.raises(ValueError, match="temperature must be at least"):
        match_probabilities(INSULINS, GAP, 1e-4)


@pytest.mark.parametrize(
    ("first", "second", "width", "message"),
    [
        ("AAA", "AAA", 60, "one of 2 and 3 letters, got sequences of 3 and 3"),
        ("AA", "AAA", 0, "width must be at least 1"),
    ],
)
def test_writing_with_other_sequences_is_refused(first, second, width, message) -> None:
    with pytest.raises(ValueError, match=message):
        write_alignment(best_alignment(SOME, -1.0), first, second, width)
