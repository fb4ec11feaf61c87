"""The grammar, its words and the small tasks."""

import hashlib
import random
import subprocess
import sys
import time
from collections import Counter

import pytest
import torch

from contextbook import datasets
from contextbook.datasets import lexicon, tasks
from contextbook.datasets.grammar import PUNCTUATION, Pair

# Each line: English, Japanese, and for each Japanese token the English word it translates (- for
# none). Checked by hand.
CHECKED = """
a king sang .
王 が 歌い まし た 。
king - sang - - -

there was a map in this old school .
この 古い 学校 に 地図 が あり まし た 。
this old school - map - - - - -

there is a quiet girl in a forest .
森 に 静か な 少女 が い ます 。
forest - quiet - girl - - - -

as mary was singing , she met the strong young woman .
メアリー が 歌っ て いる と 強い 若い 女性 と 出 会い まし た 。
mary - singing - - - strong young woman - met met - - -

while that prince was reading his letter , taro chased this prince .
その 王子 が 自分 の 手紙 を 読ん で いる 間 に 、 太郎 は この 王子 を 追い まし た 。
that prince@2 - his - letter - reading - - - - - taro - this prince@11 - chased - - -

that quiet father always helped this prince who found ken .
その 静か な 父親 は いつ も ケン を 見つけ た この 王子 を 助け まし た 。
that quiet - father - always always ken - found - this prince - helped - - -

that fox often sees that prince whom the horse saw .
その 狐 は よく 馬 が 見 た その 王子 を 見 ます 。
that@0 fox - often horse - saw - that@4 prince - sees - -

a cat which walked chased that boy in a garden .
歩い た 猫 が 庭 で その 少年 を 追い まし た 。
walked - cat - garden - that boy - chased - - -

yuki often walked in a castle and that cat slept .
ユキ は よく 城 を 歩い て 、 その 猫 は 眠り まし た 。
yuki - often castle - walked - - that cat - slept - - -

a black rabbit walked , but the small fox met ken .
黒い うさぎ が 歩き まし た が 、 小さな 狐 は ケン と 出 会い まし た 。
black rabbit - walked - - - - small fox - ken - met met - - -

today a strong king who wrote his small new book helped a quiet young father in a big castle .
今日 、 自分 の 小さな 新しい 本 を 書い た 強い 王 が 大きな 城 で 静か な 若い 父親 を 助け まし た 。
today - his - small new book - wrote - strong king - big castle - quiet - young father - helped - - -
"""  # noqa: E501


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return datasets.translation_pairs(20_000, seed=0)


def aligned_words(pair: Pair) -> list[str]:
    """Name the English word of each Japanese token; @position tells repeated words apart."""
    words = []
    for index in pair.alignment:
        if index is None:
            words.append("-")
        elif pair.english.count(pair.english[index]) > 1:
            words.append(f"{pair.english[index]}@{index}")
        else:
            words.append(pair.english[index])
    return words


@pytest.mark.parametrize("case", CHECKED.strip().split("\n\n"), ids=lambda case: case[:30])
def test_translation_and_alignment_as_checked_by_hand(pairs: list[Pair], case: str) -> None:
    english, japanese, alignment = (tuple(line.split()) for line in case.splitlines())
    pair = next(pair for pair in pairs if pair.english == english)
    assert pair.japanese == japanese
    assert aligned_words(pair) == list(alignment)


def test_the_running_sentence_is_one_of_its_sentences() -> None:
    running = datasets.running_pair()
    assert "".join(running.japanese) == datasets.RUNNING_SENTENCE
    assert running.japanese == tuple(word.text for word in datasets.running_sentence())
    assert running.english == (
        *("as", "the", "dog", "was", "walking", "along", ","),
        *("it", "met", "a", "cat", "."),
    )
    assert running.alignment == (2, None, 4, None, None, None, 10, None, 8, 8, None, None, None)
    assert running.words == 10
    assert running in datasets.translation_pairs(6_000, seed=2, shortest=10, longest=10)
    for word in datasets.running_sentence():
        assert datasets.reading(word.text) == word.reading


def test_english_of_the_running_sentence_matches_the_words_of_the_book() -> None:
    tokens = datasets.RUNNING_TRANSLATION.lower().replace(",", " ,").replace(".", " .").split()
    assert datasets.running_pair().english == tuple(tokens)


def test_alignments_point_from_content_words_to_content_words(pairs: list[Pair]) -> None:
    function = {"auxiliary", "relative", "conjunction", "particle", "punctuation", "pronoun"}
    for pair in pairs:
        assert len(pair.alignment) == len(pair.japanese)
        reached = {index for index in pair.alignment if index is not None}
        for index, word in enumerate(pair.english):
            kind = datasets.word_class(word)
            if kind == "determiner":
                assert (index in reached) == (word in ("this", "that", "his", "her"))
            else:
                assert (index in reached) == (kind not in function)


def test_a_pair_of_words_is_translated_alike_everywhere(pairs: list[Pair]) -> None:
    stems: dict[str, set[tuple[str, ...]]] = {}
    for pair in pairs:
        tokens: dict[int, list[str]] = {}
        for token, index in zip(pair.japanese, pair.alignment, strict=True):
            if index is not None:
                tokens.setdefault(index, []).append(token)
        for index, group in tokens.items():
            stems.setdefault(pair.english[index], set()).add(tuple(group))
    for word, forms in stems.items():
        # a verb has at most its polite, its joined and its plain form
        assert len(forms) <= (3 if datasets.word_class(word) == "verb" else 1), (word, forms)


def test_tense_shows_in_both_languages(pairs: list[Pair]) -> None:
    presents, pasts = map(set, zip(*datasets.TENSE_PAIRS, strict=True))
    for pair in pairs:
        if "there" in pair.english:
            continue
        # the clause that ends the Japanese sentence holds the last verb that ます or まし follows
        polite = next(j for j in reversed(range(len(pair.japanese))) if pair.alignment[j])
        index = pair.alignment[polite]
        assert index is not None
        verb = pair.english[index]
        assert verb in presents | pasts
        assert pair.japanese[-3:] == ("まし", "た", "。") if verb in pasts else True
        assert pair.japanese[-2:] == ("ます", "。") if verb in presents else True


def test_one_english_sentence_has_one_translation() -> None:
    seen: dict[tuple[str, ...], Pair] = {}
    for seed in range(3):
        for pair in datasets.translation_pairs(8_000, seed, longest=9):
            assert seen.setdefault(pair.english, pair) == pair


def test_what_lives_is_and_what_does_not_is_otherwise(pairs: list[Pair]) -> None:
    counts: Counter[str] = Counter()
    for pair in pairs:
        if pair.english[0] == "there":
            subject = next(w for w in pair.english if datasets.word_class(w) in KINDS)
            verb = "あり" if datasets.word_class(subject) == "thing" else "い"
            assert pair.japanese[pair.japanese.index("。") - 1] in ("ます", "た")
            tail = pair.japanese[-4:-1] if pair.japanese[-2] == "た" else pair.japanese[-3:-1]
            assert tail[0] == verb
            counts[verb] += 1
    assert min(counts["あり"], counts["い"]) > 100


KINDS = ("person", "animal", "thing")


def test_a_and_an_go_by_the_next_word(pairs: list[Pair]) -> None:
    for pair in pairs:
        for word, following in zip(pair.english, pair.english[1:], strict=False):
            if word in ("a", "an"):
                assert (word == "an") == (following[0] in "aeiou")


def test_lengths_are_even(pairs: list[Pair]) -> None:
    lengths = Counter(pair.words for pair in pairs)
    assert set(lengths) == set(range(3, 26))
    fair = len(pairs) / 23
    assert all(0.95 * fair < lengths[length] < 1.05 * fair for length in range(4, 26))
    assert lengths[3] > 0.75 * fair  # there are few sentences of three words
    for pair in pairs:
        assert pair.words == len([word for word in pair.english if word not in PUNCTUATION])
    longest = max(len(pair.japanese) for pair in pairs)
    mean = sum(len(pair.japanese) for pair in pairs) / len(pairs)
    print(f"Japanese: {mean:.1f} tokens on average, at most {longest}")
    assert 15 < mean < 24
    assert longest <= 44


@pytest.mark.parametrize(
    ("vocabulary", "english", "japanese"), [("full", 123, 126), ("small", 66, 66)]
)
def test_vocabulary_sizes(vocabulary: str, english: int, japanese: int) -> None:
    pairs = datasets.translation_pairs(6_000, vocabulary=vocabulary)
    assert len({word for pair in pairs for word in pair.english}) == english
    tokens = {token for pair in pairs for token in pair.japanese}
    assert 57 <= len(tokens) <= japanese
    for token in tokens:
        assert datasets.reading(token).isascii()
        assert datasets.gloss(token)


def test_pairs_are_different_and_in_random_order(pairs: list[Pair]) -> None:
    assert len({pair.english for pair in pairs}) == len(pairs)
    first = [pair.words for pair in pairs[:2_000]]
    assert abs(sum(first) / len(first) - 14) < 0.5


def test_splits_are_disjoint_and_alike() -> None:
    splits = datasets.splits(3, train=6_000, validation=500, test=1_500)
    assert [len(split) for split in splits] == [6_000, 500, 1_500]
    train, validation, test = ({pair.english for pair in split} for split in splits)
    assert not train & validation
    assert not train & test
    assert not validation & test
    assert len(train | validation | test) == 8_000
    for split in splits:
        assert abs(sum(pair.words for pair in split) / len(split) - 14) < 1.2


def test_the_running_sentence_is_in_no_split() -> None:
    running = datasets.running_pair().english
    splits = datasets.splits(2, train=5_000, validation=500, test=499, shortest=10, longest=10)
    assert [len(split) for split in splits] == [5_000, 500, 499]
    assert all(pair.english != running for split in splits for pair in split)


def digest(pairs: list[Pair]) -> str:
    return hashlib.sha256(repr([tuple(pair) for pair in pairs]).encode()).hexdigest()[:16]


def test_a_seed_gives_the_same_pairs_on_every_machine() -> None:
    small = datasets.translation_pairs(2_000, seed=1, vocabulary="small")
    assert digest(datasets.translation_pairs(2_000, seed=0)) == "244866337bcbcece"
    assert digest(small) == "76a21c5c296594cf"
    # neither the order of hashes nor torch has a say
    code = (
        "import sys; from contextbook.datasets import translation_pairs;"
        "print(translation_pairs(300, 5), 'torch' in sys.modules)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{datasets.translation_pairs(300, 5)} False\n"}


def test_other_seeds_give_other_pairs_and_leave_global_randomness_alone() -> None:
    random.seed(1)
    expected = random.Random(1).random()
    first, second = (datasets.translation_pairs(500, seed) for seed in (1, 2))
    assert random.random() == expected
    assert len({p.english for p in first} & {p.english for p in second}) < 100


def test_twenty_thousand_pairs_take_a_second_or_two() -> None:
    start = time.process_time()
    datasets.translation_pairs(20_000, seed=9)
    seconds = time.process_time() - start
    print(f"20,000 pairs in {seconds:.2f} s")
    assert seconds < 8  # about 1.5 on one core: the margin is for slow and busy machines


def test_short_lengths_give_what_they_have() -> None:
    pairs = datasets.translation_pairs(6_000, vocabulary="small")
    lengths = Counter(pair.words for pair in pairs)
    assert lengths[3] < 200
    assert min(lengths[length] for length in range(4, 26)) > 250
    assert datasets.translation_pairs(0) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": -1}, "count must not be negative, got -1"),
        ({"count": 5, "shortest": 2}, "3 <= shortest <= longest <= 25, got 2 and 25"),
        ({"count": 5, "longest": 26}, "got 3 and 26"),
        ({"count": 5, "shortest": 9, "longest": 8}, "got 9 and 8"),
        ({"count": 5, "vocabulary": "large"}, '"full" or "small", got \'large\''),
        (
            {"count": 5_000, "longest": 3},
            "5000 different pairs, but the full vocabulary makes only",
        ),
    ],
)
def test_impossible_requests_say_what_is_wrong(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        datasets.translation_pairs(**arguments)  # type: ignore[arg-type]


def test_a_negative_split_is_named() -> None:
    with pytest.raises(ValueError, match="test must not be negative, got -3"):
        datasets.splits(test=-3)


def test_words_know_their_class_reading_and_gloss() -> None:
    classes = {
        "dog": "animal",
        "queen": "person",
        "saw": "verb",
        "walking": "verb",
        "an": "determiner",
    }
    assert {word: datasets.word_class(word) for word in classes} == classes
    assert datasets.reading("少年") == "shounen"
    assert datasets.gloss("歩い") == "walk"
    for function in (datasets.reading, datasets.gloss):
        with pytest.raises(ValueError, match="'dog' is no Japanese token"):
            function("dog")
    with pytest.raises(ValueError, match="'犬' is no English token"):
        datasets.word_class("犬")


def test_pairs_for_analogies_are_words_of_the_grammar(pairs: list[Pair]) -> None:
    counts = Counter(word for pair in pairs for word in pair.english)
    for pair in (*datasets.GENDER_PAIRS, *datasets.TENSE_PAIRS):
        one, other = (counts[word] for word in pair)
        assert min(one, other) > 200
        assert 1 / 8 < one / other < 8
    assert len(datasets.TENSE_PAIRS) >= 12


@pytest.mark.parametrize(
    ("dictionary", "stem", "joined", "voiced"),
    [
        (("見る",), ("見",), ("見",), False),
        (("出", "会う"), ("出", "会い"), ("出", "会っ"), False),
        (("読む",), ("読み",), ("読ん",), True),
        (("歩く",), ("歩き",), ("歩い",), False),
        (("走る",), ("走り",), ("走っ",), False),
        (("なくす",), ("なくし",), ("なくし",), False),
    ],
)
def test_conjugation(
    dictionary: tuple[str, ...], stem: tuple[str, ...], joined: tuple[str, ...], voiced: bool
) -> None:
    verb = next(verb for verb in lexicon.VERBS if verb.dictionary == dictionary)
    assert (verb.stem, verb.joined, verb.voiced) == (stem, joined, voiced)


def test_tokens_are_those_of_sudachi(pairs: list[Pair]) -> None:
    import sudachipy

    tokenizer = sudachipy.Dictionary(dict="small").tokenizer(mode=sudachipy.SplitMode.A)
    for pair in random.Random(0).sample(pairs, 400):
        cut = tuple(morpheme.surface() for morpheme in tokenizer.tokenize("".join(pair.japanese)))
        assert cut == pair.japanese


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_recall_asks_for_the_first_symbol() -> None:
    inputs, targets = tasks.recall_batch(generator(), 500, distance=5)
    assert inputs.shape == (500, 7)
    assert inputs.dtype == targets.dtype == torch.int64
    assert torch.equal(inputs[:, 0], targets)
    assert set(targets.tolist()) == set(range(8))
    assert set(inputs[:, 1:-1].flatten().tolist()) == set(range(8, 16))
    assert set(inputs[:, -1].tolist()) == {16}
    assert tasks.recall_vocabulary() == 17
    alike, _ = tasks.recall_batch(generator(), 500, distance=5, distinct=False)
    assert set(alike[:, :-1].flatten().tolist()) == set(range(8))
    assert tasks.recall_batch(generator(), 3, distance=0).inputs.shape == (3, 2)


def test_homograph_is_told_by_a_later_cue_only() -> None:
    inputs, position, targets = tasks.homograph_batch(generator(), 4_000)
    assert inputs.shape == (4_000, tasks.HOMOGRAPH_LENGTH)
    assert int(inputs.max()) == tasks.HOMOGRAPH_VOCABULARY - 1
    assert ((inputs == tasks.HASHI).sum(dim=1) == 1).all()
    assert torch.equal((inputs == tasks.HASHI).int().argmax(dim=1), position)
    assert (int(position.min()), int(position.max())) == (1, 5)
    cue = inputs >= tasks.HOMOGRAPH_VOCABULARY - 2
    assert (cue.sum(dim=1) == 1).all()
    where = cue.int().argmax(dim=1)
    assert (int(where.min()), int(where.max())) == (6, 10)
    ids = inputs[torch.arange(4_000), where]
    assert torch.equal(ids - (tasks.HOMOGRAPH_VOCABULARY - 2), targets)
    assert 0.45 < targets.double().mean() < 0.55


def test_who_bites_whom_cannot_be_told_from_a_bag_of_words() -> None:
    inputs, targets = tasks.who_bites_batch(generator(), 20_000)
    assert inputs.shape == (20_000, 4)
    assert (inputs[:, 0] == 1).all()
    assert (inputs[:, 1] != inputs[:, 3]).all()
    assert torch.equal(targets, (inputs[:, 1] < inputs[:, 3]).long())
    names = inputs[:, [1, 3]]
    assert (int(names.min()), int(names.max())) == (2, tasks.WHO_BITES_NAMES + 1)
    assert int(inputs.max()) == tasks.WHO_BITES_VOCABULARY - 1
    bags: dict[tuple[int, ...], list[int]] = {}
    for row, target in zip(inputs.tolist(), targets.tolist(), strict=True):
        bags.setdefault(tuple(sorted(row)), []).append(target)
    shares = [sum(bag) / len(bag) for bag in bags.values() if len(bag) >= 8]
    assert len(shares) > 500
    assert abs(sum(shares) / len(shares) - 0.5) < 0.02
    assert sum(0 < share < 1 for share in shares) > 0.97 * len(shares)


def test_lookup_has_one_answer() -> None:
    query, keys, values, targets = tasks.lookup_batch(generator())
    assert (query.shape, keys.shape, values.shape, targets.shape) == (
        (64,),
        (64, 16),
        (64, 16),
        (64,),
    )
    found = keys == query[:, None]
    assert (found.sum(dim=1) == 1).all()
    assert torch.equal(values[found], targets)
    assert all(len(set(row)) == 16 for row in keys.tolist())
    assert int(torch.stack([keys, values]).max()) < 64


@pytest.mark.parametrize(
    "draw",
    [
        lambda g: tasks.recall_batch(g, 4, 3),
        lambda g: tasks.homograph_batch(g, 4),
        lambda g: tasks.who_bites_batch(g, 4),
        lambda g: tasks.lookup_batch(g, 4),
    ],
)
def test_tasks_follow_the_generator(draw) -> None:  # type: ignore[no-untyped-def]
    first, again, other = draw(generator(1)), draw(generator(1)), draw(generator(2))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(first, other, strict=True))


def test_tasks_name_a_size_that_is_too_small() -> None:
    with pytest.raises(ValueError, match="batch must be at least 1, got 0"):
        tasks.homograph_batch(generator(), 0)
    with pytest.raises(ValueError, match="distance must be at least 0, got -1"):
        tasks.recall_batch(generator(), 4, -1)
    with pytest.raises(ValueError, match="symbols must be at least 2, got 1"):
        tasks.recall_batch(generator(), 4, 3, symbols=1)
    with pytest.raises(
        ValueError, match="70 pairs need as many different keys, but there are only 64"
    ):
        tasks.lookup_batch(generator(), pairs=70)
    with pytest.raises(ValueError, match="batch must be at least 1, got -2"):
        tasks.who_bites_batch(generator(), -2)
