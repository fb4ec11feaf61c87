"""The larger task: other nouns, two sentences in a row, and what is reported of it."""

import pytest
import torch
from sudachipy import Dictionary, SplitMode
from torch import Tensor

from contextbook.datasets import Pair, Splits, running_pair
from contextbook.datasets.lexicon import NOUNS
from contextbook.datasets.more_words import MORE_NOUNS, one_after_another, with_other_nouns
from contextbook.larger import BINS, LONGEST, exact_by_length, larger_task
from contextbook.translation import TranslationTask


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    return larger_task(train=1600, test=80)


def test_each_new_noun_stands_for_one_thing_in_both_languages():
    new = {noun for choices in MORE_NOUNS.values() for noun in choices}
    old = {(noun.english, tuple(noun.japanese)) for noun in NOUNS}
    assert len(new) == 128
    for language in (0, 1):
        assert len({noun[language] for noun in new | old}) == len(new | old)
    kinds = {noun.english: (noun.kind, noun.gender) for noun in NOUNS}
    for row in (("dog", "bear"), ("park", "castle"), ("ken", "taro"), ("apple", "egg")):
        assert len({kinds[word] for word in row}) == 1
        assert MORE_NOUNS[row[0]] == MORE_NOUNS[row[1]]
    # a person replaces only those whose sentence says neither his nor her
    assert all(kinds[word][1] == "" or kinds[word][0] == "name" for word in MORE_NOUNS)


def test_new_nouns_are_cut_as_sudachipy_cuts_them():
    cutter = Dictionary(dict="small").tokenizer(mode=SplitMode.A)
    for _, japanese in {noun for choices in MORE_NOUNS.values() for noun in choices}:
        assert [token.surface() for token in cutter.tokenize("".join(japanese))] == list(japanese)


def test_a_noun_takes_its_article_and_its_tokens_along():
    pair = Pair(
        ("a", "dog", "and", "a", "small", "cat", "walk", "in", "a", "park", "."),
        ("犬", "と", "小さな", "猫", "は", "公園", "を", "歩き", "ます", "。"),
        (1, None, 4, 5, None, 9, None, 6, None, None),
    )
    draws = iter([0.0, 9.5 / 24, 0.99, 0.0, 1.5 / 20])  # elephant, the cat stays, library
    found = with_other_nouns(pair, lambda: next(draws))
    assert " ".join(found.english) == "an elephant and a small cat walk in a library ."
    assert " ".join(found.japanese) == "象 と 小さな 猫 は 図書 館 を 歩き ます 。"
    assert found.alignment == (1, None, 4, 5, None, 9, 9, None, 6, None, None)
    assert with_other_nouns(pair, lambda: 0.9) == pair


def test_two_sentences_keep_their_alignments():
    pair = running_pair()
    both = one_after_another(pair, pair)
    assert both.words == 2 * pair.words
    for token, source in zip(both.japanese, both.alignment, strict=True):
        if token == "犬":
            assert both.english[source] == "dog"
    assert both.alignment.count(2) == both.alignment.count(14) == 1


def test_the_task_is_larger_and_repeats_itself(task):
    assert (len(task.train), len(task.test)) == (1600, 80)
    assert len(task.english) > 230
    lengths = [pair.words for pair in task.train]
    assert min(lengths) < 6
    assert 45 < max(lengths) <= 50
    assert max(len(pair.japanese) for pair in task.train + task.test) < LONGEST
    assert not {pair.english for pair in task.train} & {pair.english for pair in task.test}
    assert larger_task(train=1600, test=80).train == task.train
    assert larger_task(1, train=1600, test=80).train != task.train


def test_words_of_the_tests_were_all_learned(task):
    known = set(task.english.ids) | set(task.japanese.ids)
    words = {word for pair in task.test for word in pair.english + pair.japanese}
    assert words <= known


class Forgetful(torch.nn.Module):
    """Knows the tests by heart, but of long sentences not the end."""

    def __init__(self, task: TranslationTask) -> None:
        super().__init__()
        self.anchor = torch.nn.Parameter(torch.zeros(1))
        self.task = task
        self.known = {pair.english: pair for pair in task.test}

    def start(self, source: Tensor, lengths: Tensor) -> tuple[list[list[int]], int]:
        assert not self.training
        rows = []
        for row, length in zip(source.tolist(), lengths.tolist(), strict=True):
            pair = self.known[tuple(self.task.english.decode(row[: length - 1]))]
            ids = self.task.japanese.encode(pair.japanese, eos=True)
            rows.append(ids[-1:] if pair.words > 25 else ids)
        return rows, 0

    def step(self, tokens: Tensor, state):
        rows, place = state
        log_probs = torch.full((len(tokens), len(self.task.japanese)), -9.0)
        for row, ids in zip(log_probs, rows, strict=True):
            row[ids[min(place, len(ids) - 1)]] = 0.0
        return log_probs, (rows, place + 1), None


def test_the_report_tells_lengths_apart(task):
    model = Forgetful(task)
    shares = exact_by_length(model, task, chunk=7)
    assert shares == {BINS[0]: 1.0, BINS[1]: 1.0, BINS[2]: 0.0, BINS[3]: 0.0}
    assert model.training


def test_very_little_is_a_task_too_and_nothing_is_none():
    least = larger_task(train=1, test=1)
    assert (len(least.train), len(least.test)) == (1, 1)
    with pytest.raises(ValueError, match="there are no sentence pairs"):
        larger_task(train=0, test=0)
    untested = larger_task(train=2, test=0)
    with pytest.raises(ValueError, match="has no test sentences"):
        exact_by_length(torch.nn.Linear(1, 1), untested)


def test_a_model_is_as_it_was_though_its_decoding_fails(task):
    class Failing(Forgetful):
        def start(self, source, lengths):
            raise RuntimeError("no")

    model = Failing(task)
    with pytest.raises(RuntimeError, match="no"):
        exact_by_length(model, task)
    assert model.training


def test_no_half_of_a_test_is_a_variant_of_what_was_learned():
    # enough to learn from that short sentences come again
    task = larger_task(train=20_000, test=400)
    kinds = {
        noun: min(english for english, _ in choices)
        for replaced, choices in MORE_NOUNS.items()
        for noun in (replaced, *(english for english, _ in choices))
    }

    def halves(pair: Pair) -> set[str]:
        words = ["a" if word == "an" else kinds.get(word, word) for word in pair.english]
        return {half.strip() for half in " ".join(words).split(".") if half}

    learned = set().union(*map(halves, task.train))
    assert not [pair for pair in task.test if halves(pair) & learned]
    assert len(task.test) == 400
    assert sum(len(halves(pair)) for pair in task.test) > 590


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"train": -5}, "train must not be negative, got -5"),
        ({"test": -1}, "test must not be negative, got -1"),
    ],
)
def test_bad_input_is_named(sizes, message):
    with pytest.raises(ValueError, match=message):
        larger_task(**sizes)


def test_too_few_sentences_for_a_test_end_in_an_error(monkeypatch):
    plain = Pair(("she", "slept", "."), ("眠り", "まし", "た", "。"), (1, 1, 1, 2))
    for tested, message in (([running_pair()], "^0 sentences .* make 40"), ([plain], "^1 sent")):
        data = Splits([running_pair()], [], tested)
        monkeypatch.setattr("contextbook.larger.splits", lambda *args, data=data, **sizes: data)
        with pytest.raises(ValueError, match=message):
            larger_task(train=2, test=40)
