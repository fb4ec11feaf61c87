"""What chapter 1 claims, held to every run of the record."""

import pytest

from contextbook.datasets import prose
from contextbook.experiments import load_record
from contextbook.experiments.chapter01 import (
    CUTTERS,
    SIZES,
    WORK,
    all_texts,
    pairs_looked_at,
    tenth_held_out,
)
from contextbook.text import ByteLevelBPE, learn_merges

SIZE_RECORD = load_record("vocabulary-size")
WORK_RECORD = load_record("learning-work")


def sizes(measure: str, cut: str, language: str) -> list[list[float]]:
    """For each size, one number for each of five or more runs."""
    runs = [SIZE_RECORD.values(measure, cut=cut, language=language, size=n) for n in SIZES]
    assert all(len(run) >= 5 for run in runs)
    return runs


@pytest.mark.parametrize("language", list(CUTTERS))
def test_bpe_has_no_unknown_tokens_and_words_have_some_at_every_size(language):
    assert all(share == 0 for run in sizes("unknown", "bpe", language) for share in run)
    assert all(share > 0.04 for run in sizes("unknown", "words", language) for share in run)


@pytest.mark.parametrize("language", list(CUTTERS))
def test_tokens_per_character_fall_and_fall_ever_less(language):
    for run in zip(*sizes("tokens", "bpe", language), strict=True):
        assert sorted(run, reverse=True) == list(run)
        at = dict(zip(SIZES, run, strict=True))
        savings = [1 - at[b] / at[a] for a, b in ((300, 1000), (1000, 2000), (2000, 3000))]
        savings.append(1 - at[4000] / at[3000])
        assert savings == sorted(savings, reverse=True)
        assert savings[0] > 0.4
        assert savings[-1] < 0.1


def test_at_the_end_bpe_is_as_short_as_words_in_japanese_and_longer_in_english():
    for language, shorter in (("Japanese", True), ("English", False)):
        bpe, words = (sizes("tokens", cut, language)[-1] for cut in ("bpe", "words"))
        assert all((b < w) == shorter for b, w in zip(bpe, words, strict=True))


def test_the_index_saves_work_that_the_naive_way_grows_by():
    for seed in range(5):
        naive, indexed = (
            [WORK_RECORD.values(way, merges=merges)[seed] for merges in WORK]
            for way in ("naive", "indexed")
        )
        assert naive[-1] / naive[0] > 4.5
        assert indexed[-1] / indexed[0] < 1.5
        assert all(n > 7 * i for n, i in zip(naive, indexed, strict=True))


def test_pairs_looked_at_on_a_text_that_can_be_counted_by_hand():
    # pieces abab (twice) and " cd": 3 + 2 pairs; a+b is joined, then ab+ab
    found = pairs_looked_at(["abab cd", "abab"], 2)
    assert found == {"naive": 5 + 3, "indexed": 5 + 3 + 1}


def test_the_story_is_what_the_chapter_says_of_it():
    learn, _ = tenth_held_out(0)
    texts = all_texts(learn)
    assert max(ord(sign) for text in texts for sign in text) < 0x10000  # no emoji
    for absent in ("シマウマ", "zebra", "ᚠ"):
        assert not any(absent in text for text in texts)
    tokens = ByteLevelBPE(learn_merges(texts, 3)).tokens[256:]
    # the first bytes of kana and of Japanese punctuation
    assert set(tokens) == {b"\xe3\x80", b"\xe3\x81", b"\xe3\x82"}


def test_each_seed_holds_out_another_tenth_and_the_first_is_the_books():
    tenths = []
    for seed in range(5):
        learn, held_out = tenth_held_out(seed)
        assert sorted(all_texts(learn) + all_texts(held_out)) == sorted(
            text for pair in prose.load("all") for text in pair
        )
        tenths.append(set(held_out["Japanese"]))
    assert not set.intersection(*tenths)
    assert tenth_held_out(0)[1]["Japanese"] == [text for _, text in prose.load("held_out")]
