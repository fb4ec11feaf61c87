"""Global alignment of two sequences, and all its alternatives weighed by a temperature.

An alignment writes two sequences below each other: a letter either faces a partner or a gap, and
the order of the letters stays. Its score is the sum of a substitution score for each two partners
and of ``gap`` for each letter without one. One table, filled cell by cell, answers two questions:
joined by the maximum it gives the best alignment (Needleman & Wunsch, 1970); joined by the
logarithm of a sum of exponentials, the sum over *all* alignments, and from it the probability that
two letters are partners (Miyazawa, 1995; Durbin et al., *Biological Sequence Analysis*, 1998,
sections 2.3, 4.2 and 4.4).

Two neighbouring letters that face gaps can be written in two orders; these count as two
alignments, of equal score.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

Step = tuple[int | None, int | None]
Table = Mapping[tuple[str, str], float]


class Alignment(NamedTuple):
    """One alignment: its score, and its columns from left to right.

    A column ``(i, j)`` says that letter ``i`` of the first sequence and letter ``j`` of the second
    (counted from 0) are partners; ``None`` stands for a gap.
    """

    score: float
    steps: tuple[Step, ...]

    @property
    def partners(self) -> list[tuple[int, int]]:
        """The columns without a gap."""
        return [(i, j) for i, j in self.steps if i is not None and j is not None]


def substitution_scores(
    first: Sequence[str],
    second: Sequence[str],
    table: Table,
) -> np.ndarray:
    """Score each letter of one sequence as the partner of each letter of the other.

    Args:
        first: m letters: a string, or a list of strings.
        second: n letters.
        table: the score of ``(letter of first, letter of second)``, for example
            :func:`contextbook.datasets.insulin.blosum62`.

    Returns:
        Scores ``(m, n)``, float64.

    Raises:
        ValueError: a sequence is empty, or the table lacks one of its letters.
    """
    check_letters(first, second, table)
    return np.array([[table[a, b] for b in second] for a in first], dtype=np.float64)


def alignment_table(
    pair_scores: np.ndarray,
    gap: float,
    join: Callable[[list[float]], float] = max,
) -> np.ndarray:
    """Join the scores of all alignments of the first i letters with the first j.

    Durbin et al. (1998), equation 2.8 with ``join=max``; with ``join=np.logaddexp.reduce`` the
    forward sums of their section 4.2, without the states of a hidden Markov model.

    Args:
        pair_scores: ``(m, n)``, the score of each two letters as partners, float64.
        gap: the score of a letter without a partner; 0 or less.
        join: makes one number of those of the three last columns that an alignment can have.

    Returns:
        A table ``(m + 1, n + 1)``; entry ``[i, j]`` is for the first i and the first j letters.

    Raises:
        ValueError: ``pair_scores`` or ``gap`` does not fit or is not finite.
    """
    check_scores(pair_scores, gap)
    m, n = pair_scores.shape
    table = np.zeros((m + 1, n + 1))
    table[:, 0] = gap * np.arange(m + 1)  # nothing to be a partner: gaps all along
    table[0, :] = gap * np.arange(n + 1)
    for i, j in product(range(1, m + 1), range(1, n + 1)):
        partners = table[i - 1, j - 1] + pair_scores[i - 1, j - 1]
        gap_below = table[i - 1, j] + gap  # letter i of the first stands alone
        gap_above = table[i, j - 1] + gap  # letter j of the second stands alone
        table[i, j] = join([partners, gap_below, gap_above])
    return table


def best_alignment(pair_scores: np.ndarray, gap: float) -> Alignment:
    """Find an alignment of the highest score (Needleman & Wunsch, 1970).

    Among equals, the way back from the end prefers partners, then a letter of the first sequence
    alone: so gaps stand as far to the left as they can.

    Args:
        pair_scores: ``(m, n)``, the score of each two letters as partners, float64.
        gap: the score of a letter without a partner; 0 or less.

    Returns:
        The alignment and its score.

    Raises:
        ValueError: as for :func:`alignment_table`.
    """
    table = alignment_table(pair_scores, gap, max)
    i, j = pair_scores.shape
    steps: list[Step] = []
    while i or j:
        if i and j and table[i, j] == table[i - 1, j - 1] + pair_scores[i - 1, j - 1]:
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif not j or (i and table[i, j] == table[i - 1, j] + gap):
            i -= 1
            steps.append((i, None))
        else:
            j -= 1
            steps.append((None, j))
    return Alignment(float(table[-1, -1]), tuple(reversed(steps)))


def write_alignment(
    alignment: Alignment,
    first: Sequence[str],
    second: Sequence[str],
    width: int = 60,
) -> str:
    """Write two sequences below each other, ``|`` between equal letters.

    Between unequal partners stands ``.``, and nothing beside a gap.

    Args:
        alignment: how the letters face each other.
        first, second: the sequences that were aligned, of one character a letter.
        width: columns in a line; the rest goes below, after an empty line.

    Raises:
        ValueError: the sequences are not those that were aligned, or ``width`` is below 1.
    """
    steps = alignment.steps
    check_writing(steps, first, second, width)
    above = ["-" if i is None else first[i] for i, _ in steps]
    below = ["-" if j is None else second[j] for _, j in steps]
    pairs = zip(above, below, strict=True)
    marks = [" " if "-" in (a, b) else "|" if a == b else "." for a, b in pairs]
    rows = ["".join(row) for row in (above, marks, below)]
    starts = range(0, len(steps), width)
    blocks = [[row[start : start + width] for row in rows] for start in starts]
    return "\n\n".join("\n".join(block) for block in blocks)


def forward_backward(
    pair_scores: np.ndarray, gap: float, temperature: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Sum exp(score / temperature) over all alignments of beginnings, and of ends.

    Args:
        pair_scores: ``(m, n)``, the score of each two letters as partners, float64.
        gap: the score of a letter without a partner; 0 or less.
        temperature: in the unit of the scores; above 0.

    Returns:
        ``(forward, backward)``, logarithms of sums, both ``(m + 1, n + 1)``. ``forward[i, j]`` is
        for the first i and the first j letters, ``backward[i, j]`` for all letters after them.
        The logarithm of the partition function is ``forward[m, n]``, and ``backward[0, 0]`` too.

    Raises:
        ValueError: as for :func:`alignment_table`, or the temperature is 0 or less, not finite,
            or so low that float64 would blur the sums; :func:`best_alignment` is the limit at 0.
    """
    check_temperature(pair_scores, gap, temperature)
    scores, gap = pair_scores / temperature, gap / temperature
    log_sum_exp = np.logaddexp.reduce
    forward = alignment_table(scores, gap, log_sum_exp)
    # from the end to the start is the same task, with both sequences turned round
    backward = alignment_table(scores[::-1, ::-1], gap, log_sum_exp)[::-1, ::-1]
    return forward, backward


def match_probabilities(
    pair_scores: np.ndarray, gap: float, temperature: float = 1.0
) -> np.ndarray:
    """Probability of two letters being partners, alignments weighed by their scores.

    An alignment has the Boltzmann probability exp(score / temperature) / Z, where Z, the partition
    function, sums over all alignments (Miyazawa, 1995): a softmax over alignments. As the
    temperature falls to 0, the best alignments share the probability evenly.

    Args:
        pair_scores: ``(m, n)``, the score of each two letters as partners, float64.
        gap: the score of a letter without a partner; 0 or less.
        temperature: in the unit of the scores; above 0.

    Returns:
        Probabilities ``(m, n)``. A row or a column sums to 1 or (rounding aside) less; what is
        missing is the probability that this letter faces a gap.

    Raises:
        ValueError: as for :func:`forward_backward`.
    """
    forward, backward = forward_backward(pair_scores, gap, temperature)
    before, after = forward[:-1, :-1], backward[1:, 1:]
    log_partition = forward[-1, -1]
    return np.exp(before + pair_scores / temperature + after - log_partition)


def check_letters(first: Sequence[str], second: Sequence[str], table: Table) -> None:
    """Check that both sequences have letters, and the table each two of them."""
    columns = [{pair[side] for pair in table} for side in (0, 1)]
    for name, letters, known in zip(("first", "second"), (first, second), columns, strict=True):
        if not len(letters):
            raise ValueError(f"the {name} sequence is empty: an alignment needs letters on both")
        for place, letter in enumerate(letters):
            if letter not in known:
                raise ValueError(
                    f"the {name} sequence has {letter!r} at place {place}, which the table does "
                    f"not know: its letters are {' '.join(sorted(known))}"
                )
    missing = sorted(set(product(first, second)) - set(table))
    if missing:
        raise ValueError(
            f"the table has no score for {missing[0]}: it needs one for each letter of the first "
            "sequence with each letter of the second, in this order"
        )


def check_scores(pair_scores: np.ndarray, gap: float) -> None:
    """Check that scores are finite float64 numbers, and a gap a finite loss."""
    if not isinstance(pair_scores, np.ndarray) or pair_scores.dtype != np.float64:
        kind = getattr(pair_scores, "dtype", type(pair_scores).__name__)
        raise ValueError(
            f"pair_scores must be a float64 array, got {kind}: use substitution_scores, or "
            "np.array(scores, dtype=float)"
        )
    if pair_scores.ndim != 2 or not pair_scores.size:
        raise ValueError(
            "pair_scores must be (letters of the first, letters of the second), at least one of "
            f"each, got {pair_scores.shape}"
        )
    if not math.isfinite(gap) or gap > 0:
        raise ValueError(
            f"gap must be finite and 0 or less, got {gap}: it is added for each letter without a "
            "partner, so a penalty of 6 is gap=-6"
        )
    if not math.isfinite(_score_bound(pair_scores, gap)):
        raise ValueError(
            f"pair_scores {pair_scores.shape} must be finite, and so must the score of a whole "
            f"alignment, got scores from {pair_scores.min()} to {pair_scores.max()}"
        )


def check_temperature(pair_scores: np.ndarray, gap: float, temperature: float) -> None:
    """Check scores as ``check_scores`` does, and that it is not too cold for float64.

    Divided by a low temperature, scores get so large that the rounding of their sums is no longer
    small against 1; the bound keeps the error of a logarithm near 1e-6 at most.
    """
    check_scores(pair_scores, gap)
    if not math.isfinite(temperature) or temperature <= 0:
        raise ValueError(
            f"temperature must be finite and above 0, got {temperature}: at 0 only the best "
            "alignments are left, see best_alignment"
        )
    rounding = float(np.finfo(np.float64).eps) * sum(pair_scores.shape)
    lowest = 1e6 * rounding * _score_bound(pair_scores, gap)
    if temperature < lowest:
        raise ValueError(
            f"temperature must be at least {lowest:.1e} for scores as large as these, got "
            f"{temperature}: below, rounding blurs the sums; best_alignment is the limit at 0"
        )


def check_writing(
    steps: Sequence[Step], first: Sequence[str], second: Sequence[str], width: int
) -> None:
    """Check that an alignment is written with the sequences it was made for."""
    aligned = tuple(sum(step[side] is not None for step in steps) for side in (0, 1))
    if (len(first), len(second)) != aligned:
        raise ValueError(
            f"the alignment is one of {aligned[0]} and {aligned[1]} letters, got sequences of "
            f"{len(first)} and {len(second)}"
        )
    if any(len(letter) != 1 for letter in (*first, *second)):
        raise ValueError("a letter must be one character, or the columns would not line up")
    if width < 1:
        raise ValueError(f"width must be at least 1 column, got {width}")


def _score_bound(pair_scores: np.ndarray, gap: float) -> float:
    """No alignment has a score farther from 0 than this."""
    return max(float(np.abs(pair_scores).max()), abs(gap)) * sum(pair_scores.shape)
