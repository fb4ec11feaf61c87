"""What chapter 11 claims, on the record of all seeds."""

import pytest

from contextbook.experiments import all_experiments, is_current, load_record

NAMES = ("who-bites-whom", "translation-by-transformer", "transformer-without")
BINS = (3, 5, 9, 13, 18, 22)


@pytest.mark.parametrize("name", NAMES)
def test_the_record_is_what_the_code_makes(name: str) -> None:
    assert is_current(all_experiments()[name])


def test_order_is_seen_with_positions_and_guessed_without() -> None:
    record = load_record("who-bites-whom")
    assert len(record.values("accuracy", positions=True)) == 5
    assert min(record.values("accuracy", positions=True)) >= 0.99
    assert min(record.values("accuracy", positions=False)) >= 0.44
    assert max(record.values("accuracy", positions=False)) <= 0.56


def test_a_transformer_translates_at_every_length_and_not_without_positions() -> None:
    record = load_record("translation-by-transformer")
    for shortest in BINS:
        shares = record.values(f"exact_{shortest}", positions=True)
        assert len(shares) == 3
        assert min(shares) >= 0.9
    assert min(record.values("bleu", positions=True)) >= 99
    assert min(record.values("exact_3", positions=False)) >= 0.7
    assert max(record.values("exact_22", positions=False)) <= 0.05


def test_the_last_layers_heads_align_and_the_first_layers_do_not() -> None:
    record = load_record("translation-by-transformer").select(positions=True)
    assert min(record.values("alignment")) >= 0.9
    first = [share for head in range(4) for share in record.values(f"head_0_{head}")]
    last = [share for head in range(4) for share in record.values(f"head_1_{head}")]
    assert max(first) < min(last)


def test_the_transformer_reaches_the_longest_with_three_times_the_steps_of_luong() -> None:
    ours = load_record("translation-by-transformer").values("exact_22", positions=True)
    luong = load_record("translation-with-attention").values("exact_22", attention="dot")
    vector = load_record("translation-through-a-vector").values("exact_22", hidden=128)
    assert min(ours) >= max(luong) - 0.02
    assert max(vector) < 0.1
    aligned = load_record("translation-with-attention").values("alignment", attention="dot")
    assert min(aligned) > 0.95


def test_residuals_and_positions_are_needed_and_the_rest_overlaps() -> None:
    record = load_record("transformer-without")
    whole = record.values("loss", without="nothing")
    assert min(record.values("loss", without="residuals")) > 10 * max(whole)
    assert max(record.values("exact", without="residuals")) == 0
    assert min(record.values("loss", without="positions")) > 2 * max(whole)
    for part in ("norms", "scale", "pre-norm"):
        losses = record.values("loss", without=part)
        assert min(losses) <= max(whole)
        assert min(whole) <= max(losses)
