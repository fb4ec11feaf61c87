"""What chapter 8 claims, on every seed of the record."""

import numpy as np
import pytest
import torch

from contextbook.datasets.insulin import HUMAN_INSULIN, MOUSE_INSULIN_1, blosum62
from contextbook.experiments import load_record
from contextbook.experiments.chapter08 import ATTENTIONS, make_translator
from contextbook.seq2seq import BahdanauDecoder, LuongDecoder
from contextbook.sequence_alignment import (
    alignment_table,
    best_alignment,
    match_probabilities,
    substitution_scores,
)
from contextbook.translation import TranslationTask, translate, translation_task
from contextbook.widgets._translators import load_translator

ATTENDED = load_record("translation-with-attention")
SQUEEZED = load_record("translation-through-a-vector")
LONG = ("exact_18", "exact_22")
LONG_SENTENCE = "as taro was singing in this forest , he saw that key which the girl lost ."
ITS_JAPANESE = "太郎 が この 森 で 歌っ て いる と 少女 が なくし た その 鍵 を 見 まし た 。"
INSULINS = substitution_scores(HUMAN_INSULIN.sequence, MOUSE_INSULIN_1.sequence, blosum62())


def runs(measure: str, attention: str) -> list[float]:
    values = ATTENDED.values(measure, attention=attention)
    assert len(values) >= 5
    return values


@pytest.mark.parametrize("attention", ["dot", "additive", "concat"])
def test_long_sentences_get_through_with_attention(attention: str) -> None:
    assert all(min(runs(measure, attention)) >= 0.85 for measure in LONG)
    assert min(runs("bleu", attention)) >= 98


def test_long_sentences_do_not_get_through_a_vector() -> None:
    for measure in LONG:
        values = SQUEEZED.values(measure, hidden=128)
        assert len(values) >= 5
        assert max(values) <= 0.10


@pytest.mark.parametrize("attention", list(ATTENTIONS))
def test_weights_find_the_word_that_is_translated(attention: str) -> None:
    assert min(runs("alignment", attention)) > 0.9


def test_the_general_score_differs_most_from_seed_to_seed() -> None:
    spreads = {kind: np.ptp(runs("exact_22", kind)) for kind in ATTENTIONS}
    assert max(spreads, key=lambda kind: spreads[kind]) == "general"
    assert min(runs("exact_22", "general")) < 0.6


@pytest.mark.parametrize("attention", list(ATTENTIONS))
def test_each_score_has_the_decoder_of_its_paper(attention: str) -> None:
    model = make_translator(attention, translation_task(train=40, test=4))
    kind = BahdanauDecoder if attention == "additive" else LuongDecoder
    assert isinstance(model.decoder, kind)
    assert type(model.decoder.attention).__name__.lower().startswith(attention)
    logits, weights = model(
        torch.ones(2, 5, dtype=torch.long),
        torch.tensor([5, 3]),
        torch.ones(2, 4, dtype=torch.long),
    )
    assert logits.shape[:2] == (2, 4)
    assert weights is not None
    assert weights.shape == (2, 4, 5)


def test_two_alignments_of_the_insulins_tie_among_very_many() -> None:
    best = best_alignment(INSULINS, -6.0)
    cold = match_probabilities(INSULINS, -6.0, 0.05)
    sure = [cold[i, j] for i, j in best.partners]
    assert best.score == 441
    assert sum(share > 0.999 for share in sure) == 107
    assert min(sure) == pytest.approx(0.5, abs=1e-6)
    count = alignment_table(np.zeros_like(INSULINS), 0.0, np.logaddexp.reduce)[-1, -1]
    assert round(count / np.log(10)) == 82


def test_a_letter_has_one_partner_at_most_and_none_crosses() -> None:
    match = match_probabilities(INSULINS, -6.0, 2.9)
    assert max(match.sum(axis=0).max(), match.sum(axis=1).max()) < 1 + 1e-9
    assert match.sum(axis=1).min() < 0.5  # some letter rather faces a gap
    sure = match[match.max(axis=1) > 0.5].argmax(axis=1)
    assert len(sure) > 100
    assert (np.diff(sure) > 0).all()


@pytest.mark.parametrize("name", ["luong-dot", "additive"])
def test_what_the_figure_is_said_to_show(name: str) -> None:
    """The page's models translate the chapter's examples, until the scores are blurred."""
    model, english, japanese = load_translator(name)
    task = TranslationTask([], [], english, japanese)

    def translated(sentence: str, temperature: float = 1.0) -> str:
        attention, score = model.decoder.attention, type(model.decoder.attention).score
        attention.score = lambda *given: score(attention, *given) / temperature
        return " ".join(translate(model, task, [sentence])[0])

    swapped = "as the cat was walking along , it met a dog ."
    assert translated(swapped) == "猫 が 歩い て いる と 犬 と 出 会い まし た 。"
    own = "the girl read the book which the boy lost ."
    assert translated(own) == "少女 は 少年 が なくし た 本 を 読み まし た 。"
    for temperature in (0.1, 1.0):
        assert translated(LONG_SENTENCE, temperature) == ITS_JAPANESE
    assert translated(LONG_SENTENCE, 4.0) != ITS_JAPANESE
