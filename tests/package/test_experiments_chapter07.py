"""What chapter 7 claims, on every seed of the record."""

import pytest

from contextbook.experiments import load_record

RECORD = load_record("translation-through-a-vector")
SHORTEST = (3, 5, 9, 13, 18, 22)  # of each range of lengths
SIZES = (128, 256)


def measured(measure: str, hidden: int) -> list[float]:
    values = RECORD.values(measure, hidden=hidden)
    assert len(values) >= 5
    return values


def test_short_sentences_are_right_and_long_ones_wrong():
    assert min(measured("exact_3", 128)) >= 0.9
    for shortest in (18, 22):
        assert max(measured(f"exact_{shortest}", 128)) <= 0.1


@pytest.mark.parametrize("hidden", SIZES)
@pytest.mark.parametrize("measure", ["exact", "bleu"])
def test_longer_sentences_are_harder(measure, hidden):
    means = [sum(measured(f"{measure}_{shortest}", hidden)) / 5 for shortest in SHORTEST]
    assert means == sorted(means, reverse=True)
    assert means[-1] < means[0] - (0.8 if measure == "exact" else 30)


def test_a_bigger_vector_moves_the_fall_and_does_not_end_it():
    for shortest in SHORTEST[2:]:
        for measure in ("exact", "bleu"):
            small, large = (measured(f"{measure}_{shortest}", hidden) for hidden in SIZES)
            assert min(large) > max(small)
    assert max(measured("exact_22", 256)) <= 0.15


def test_bleu_gives_credit_where_no_sentence_is_right():
    assert max(measured("exact_22", 128)) <= 0.02
    assert min(measured("bleu_22", 128)) >= 30
    assert min(measured("bleu_3", 128)) >= 95
