"""Byte-level BPE against Hugging Face's tokenizers: the same pieces, merges and ids."""

import json
import sys
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from contextbook.datasets.sentence import (
    RUNNING_SENTENCE,
    RUNNING_TRANSLATION,
)
from contextbook.text import (
    ByteLevelBPE,
    learn_merges,
    learn_merges_naive,
    load_bpe,
    merge_steps,
    pieces,
    readable,
    save_bpe,
)
from contextbook.text.merges import merge_pair
from contextbook.text.pieces import BYTES

ENGLISH = [
    RUNNING_TRANSLATION,
    "The dog that barked didn't bite; the dog that bit hadn't barked.",
    "It's raining, we'll stay: I'm reading what they've written, and you're sleeping.",
    "In 2017 attention was all you needed, wasn't it? 3.14 or 2²",
]
JAPANESE = [
    RUNNING_SENTENCE,
    "昔々、あるところに、おじいさんとおばあさんが住んでいました。",
    "おじいさんは山へ柴刈りに、おばあさんは川へ洗濯に行きました。",
    "犬と猫と鳥が、山と川のあいだを歩いていました。",
]
OTHER = [
    "犬 means dog, ネコ means cat — and 1７ is seventeen.",
    "🐕‍🦺 meets 🐈‍⬛ 👩‍👩‍👧‍👦 🇯🇵!",
    "\x00\x01\x1b[0m\x1c\x1d\x1e\x1f\x7f\x85\u200b\ufeff",
    "  two  spaces\t\ttabs\r\n\n newline \u3000全角 \u00a0",
    "'s 't 're 've 'm 'll 'd 'S ' s ''s",
    "Ünïcödé Ⅷ ½ ٣ _snake_case_ é e\u0301",
    "a" * 50,
    "",
]
CORPUS = ENGLISH + JAPANESE + OTHER

# surrogates are no text, and of unassigned code points tokenizers may know more than Python does
UNUSED = ("Cs", "Cn")
text = st.text(st.characters(exclude_categories=UNUSED))
spiky = st.text(st.sampled_from("ab's tllred19²_犬がー。　\x00\x1c\x1f\x85\n\r🐕\u0301"))
few_letters = st.text(st.sampled_from("abc あ"), min_size=1, max_size=30)


def hugging_face(texts: list[str], merges: int, min_count: int) -> Tokenizer:
    """Train the referee on the same corpus, for the same number of merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=256 + merges,
        min_frequency=min_count,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def referee_merges(tokenizer: Tokenizer) -> list[tuple[int, int]]:
    """Return the referee's merges as pairs of ids."""
    ids = tokenizer.get_vocab()
    return [
        (ids[left], ids[right]) for left, right in json.loads(tokenizer.to_str())["model"]["merges"]
    ]


@pytest.fixture(scope="module")
def ours() -> ByteLevelBPE:
    return ByteLevelBPE(learn_merges(CORPUS, 150, min_count=1))


@pytest.fixture(scope="module")
def theirs() -> Tokenizer:
    return hugging_face(CORPUS, 150, min_count=1)


# --- the referee ---


@pytest.mark.parametrize("texts", [ENGLISH, JAPANESE, OTHER, CORPUS])
@pytest.mark.parametrize("min_count", [1, 2, 3])
def test_merges_equal_the_referees_and_the_naive_ones(texts, min_count):
    merges = learn_merges(texts, 100_000, min_count)
    assert merges == referee_merges(hugging_face(texts, 100_000, min_count))
    assert merges == learn_merges_naive(texts, 100_000, min_count)
    assert learn_merges(texts, 20, min_count) == merges[:20]


@settings(deadline=None, max_examples=150)
@given(st.lists(few_letters, min_size=1, max_size=6), st.integers(1, 3), st.integers(0, 40))
def test_merges_equal_the_referees_on_texts_full_of_ties(texts, min_count, merges):
    learned = learn_merges(texts, merges, min_count)
    assert learned == referee_merges(hugging_face(texts, merges, min_count))
    assert learned == learn_merges_naive(texts, merges, min_count)
    # a merge never makes a token that another has made: ids and tokens are one to one
    assert len(set(ByteLevelBPE(learned).tokens)) == 256 + len(learned)


@pytest.mark.parametrize("sample", [*CORPUS, "unseen words: zebra, 象 (zō)"])
def test_ids_equal_the_referees(ours, theirs, sample):
    ids = ours.encode(sample)
    assert ids == theirs.encode(sample).ids
    assert ours.decode(ids) == sample == theirs.decode(ids)


@settings(deadline=None, max_examples=500)
@given(text | spiky)
def test_pieces_and_ids_equal_the_referees_on_any_text(ours, theirs, sample):
    spans = theirs.pre_tokenizer.pre_tokenize_str(sample)
    assert pieces(sample) == [sample[start:end] for _, (start, end) in spans]
    assert ours.encode(sample) == theirs.encode(sample).ids


def test_pieces_equal_the_referees_around_every_character(theirs):
    assigned = [
        chr(code) for code in range(sys.maxunicode + 1) if category(chr(code)) not in UNUSED
    ]
    for start in range(0, len(assigned), 2000):
        sample = "".join(f"a{c}1 {c}" for c in assigned[start : start + 2000])
        spans = theirs.pre_tokenizer.pre_tokenize_str(sample)
        assert pieces(sample) == [sample[start:end] for _, (start, end) in spans]


# --- what must hold of any tokenizer ---


@settings(deadline=None, max_examples=300)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_nothing_is_lost(ours, sample):
    assert "".join(pieces(sample)) == sample
    assert ours.decode(ours.encode(sample)) == sample
    assert b"".join(ours.tokens[number] for number in ours.encode(sample)) == sample.encode()


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 255 + 150)))
def test_any_ids_can_be_decoded_with_replacement(ours, theirs, ids):
    assert ours.decode(ids, errors="replace") == theirs.decode(ids, skip_special_tokens=False)


@settings(deadline=None, max_examples=50)
@given(spiky, st.integers(0, 150))
def test_steps_show_the_cuts_of_smaller_tokenizers(ours, sample, merges):
    steps = list(merge_steps(ours, sample))
    assert steps[-1].ids == ours.encode(sample)
    last = max((step for step in steps if step.merges <= merges), key=lambda step: step.merges)
    assert last.ids == ByteLevelBPE(ours.merges[:merges]).encode(sample)
    assert all(step.pair == ours.merges[step.merges - 1] for step in steps[1:])


def test_without_merges_there_are_bytes():
    assert ByteLevelBPE().encode("犬") == [BYTES.index(byte) for byte in "犬".encode()]
    assert sorted(BYTES) == list(range(256))


def test_more_merges_than_pairs_gives_a_shorter_list():
    assert learn_merges(["ab ab"], 100) == [(BYTES.index(b"a"), BYTES.index(b"b"))]
    assert learn_merges(["a", "b"], 100, min_count=1) == []
    assert learn_merges(["ab ab"], 0) == []


def test_merge_pair_goes_from_left_to_right():
    assert merge_pair([1, 1, 1, 2, 1], (1, 1), 9) == [9, 1, 2, 1]
    assert merge_pair([], (1, 1), 9) == []


def test_readable():
    assert [readable(token) for token in ("犬".encode(), b" dog", b"\xe7\x8a", b"\n")] == [
        "犬",
        "␣dog",
        "<E7 8A>",
        "<0A>",
    ]


# --- bad input ---


@pytest.mark.parametrize("learn", [learn_merges, learn_merges_naive])
@pytest.mark.parametrize(
    ("texts", "merges", "min_count", "message"),
    [
        ([], 5, 2, r"corpus is empty \(0 texts"),
        (["", ""], 5, 2, r"corpus is empty \(2 texts"),
        ("dog", 5, 2, "put it in a list"),
        ([b"dog"], 5, 2, "must be a string, got bytes"),
        (["\udfff"], 5, 2, "lone surrogate"),
        (["dog"], -1, 2, "merges must be an integer of at least 0, got -1"),
        (["dog"], 2.5, 2, "merges must be an integer"),
        (["dog"], 5, 0, "min_count must be an integer of at least 1, got 0"),
    ],
)
def test_training_on_nothing_is_refused(learn, texts, merges, min_count, message):
    with pytest.raises(ValueError, match=message):
        learn(texts, merges, min_count)


def test_bytes_that_are_no_text_are_refused(ours):
    half = ByteLevelBPE().encode("犬")[:2]
    with pytest.raises(ValueError, match=r"no UTF-8 text: b'\\xe7\\x8a' at byte 1 of 3"):
        ours.decode([*ours.encode("a"), *half])
    assert ours.decode(half, errors="replace") == "�"
    assert ours.decode(half, errors="ignore") == ""
    with pytest.raises(ValueError, match='must be "strict", "replace" or "ignore"'):
        ours.decode(half, errors="guess")


@pytest.mark.parametrize("ids", [[406], [-1], [1.0], [True], ["a"], "a"])
def test_ids_that_are_none_are_refused(ours, ids):
    with pytest.raises(ValueError, match=r"integers|out of range"):
        ours.decode(ids)


@pytest.mark.parametrize("sample", ["dog\ud800", b"dog", None])
def test_what_is_no_text_is_refused(ours, sample):
    with pytest.raises(ValueError, match=r"must be a string|lone surrogate"):
        ours.encode(sample)


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ([(0, 256)], "id 256 at position 1 is out of range"),
        ([(0, 1), (0, 1)], r"merge 1 repeats the pair \(0, 1\)"),
        ([(0, 1, 2)], "merge 0 must be a pair"),
        ([3], "merge 0 must be a pair"),
        ([(0, 0.5)], "must be integers"),
    ],
)
def test_merges_that_make_no_sense_are_refused(merges, message):
    with pytest.raises(ValueError, match=message):
        ByteLevelBPE(merges)


def test_a_saved_tokenizer_comes_back(ours, tmp_path):
    save_bpe(ours, tmp_path / "bpe.json")
    loaded = load_bpe(tmp_path / "bpe.json")
    assert (loaded.merges, loaded.tokens) == (ours.merges, ours.tokens)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not UTF-8 JSON"),
        ('{"kind": "vocabulary"}', "does not hold a 'byte-level BPE'"),
        ('{"kind": "byte-level BPE", "merges": 3}', "has no list 'merges'"),
        ('{"kind": "byte-level BPE", "merges": [[0, 999]]}', "out of range"),
    ],
)
def test_a_malformed_tokenizer_file_is_refused(tmp_path, content, message):
    path = tmp_path / "bpe.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_bpe(path)
