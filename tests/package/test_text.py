"""Cutting text into characters, bytes and words; the vocabulary; padding."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from contextbook.datasets.sentence import (
    RUNNING_SENTENCE,
    RUNNING_TRANSLATION,
    running_sentence,
)
from contextbook.text import (
    Vocabulary,
    characters,
    english_words,
    frequent_tokens,
    japanese_words,
    load_vocabulary,
    pad,
    save_vocabulary,
    utf8_bytes,
    words,
)

texts = st.text(st.characters(exclude_categories=["Cs"]))
SENTENCES = [["the", "dog", "met", "the", "cat"], ["a", "dog", "saw", "the", "bird"]]


def test_text_needs_no_torch():
    code = "import sys, contextbook.text; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- cutting ---


def test_the_running_sentence_cut_three_ways():
    assert len(characters(RUNNING_SENTENCE)) == 17
    assert len(utf8_bytes(RUNNING_SENTENCE)) == 17 * 3
    assert japanese_words(RUNNING_SENTENCE) == [word.text for word in running_sentence()]
    assert len(japanese_words(RUNNING_SENTENCE)) == 13


def test_english_words():
    assert english_words(RUNNING_TRANSLATION)[:4] == ["As", "the", "dog", "was"]
    assert english_words("I can't — it’s 3.5!") == ["I", "can't", "—", "it’s", "3", ".", "5", "!"]
    assert english_words("'quoted'") == ["'", "quoted", "'"]
    assert english_words(" \n") == []


@settings(deadline=None)
@given(texts)
def test_characters_and_bytes_lose_nothing(text):
    assert "".join(characters(text)) == text
    assert bytes(utf8_bytes(text)).decode("utf-8") == text


@settings(deadline=None)
@given(st.text("犬が歩いてと猫。 　\n①㌔ﾊﾝabc🐕"))
def test_words_lose_nothing_but_white_space(text):
    without = "".join(text.split())
    assert "".join("".join(japanese_words(text)).split()) == without
    assert "".join(english_words(text)) == without


@pytest.mark.parametrize("cut", [characters, utf8_bytes, english_words, japanese_words])
def test_what_is_no_text_is_refused(cut):
    with pytest.raises(ValueError, match="must be a string, got bytes"):
        cut(b"dog")
    with pytest.raises(ValueError, match=r"lone surrogate '\\ud800' at position 3"):
        cut("dog\ud800")


def test_a_line_too_long_for_sudachi_is_refused():
    assert len(japanese_words("犬が\n" * 20_000)) == 40_000
    with pytest.raises(ValueError, match="line 2 has 60000 bytes, more than the 49149"):
        japanese_words("犬\n" + "が" * 20_000)


def test_missing_sudachi_says_how_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sudachipy", None)
    words._sudachi.cache_clear()
    with pytest.raises(ImportError, match="pip install sudachipy sudachidict-small"):
        japanese_words("犬")


# --- the vocabulary ---


def test_frequent_tokens_come_first_then_by_text():
    expected = ["the", "dog", "a", "bird", "cat", "met", "saw"]
    assert frequent_tokens(SENTENCES) == expected
    assert frequent_tokens(reversed(SENTENCES)) == expected
    assert frequent_tokens(SENTENCES, min_count=2) == ["the", "dog"]
    assert frequent_tokens(SENTENCES, max_size=3) == ["the", "dog", "a"]
    assert frequent_tokens([]) == frequent_tokens(SENTENCES, max_size=0) == []
    special = ["<pad>", "<bos>", "<eos>", "<unk>"]
    assert Vocabulary(frequent_tokens(SENTENCES)).tokens == special + expected


def test_encode_and_decode():
    vocabulary = Vocabulary(frequent_tokens(SENTENCES))
    ids = vocabulary.encode(["the", "wolf", "met"], bos=True, eos=True)
    assert ids == [1, 4, 3, 9, 2]
    assert vocabulary.decode(ids) == ["<bos>", "the", "<unk>", "met", "<eos>"]
    assert vocabulary.decode([*ids, 0, 0], skip_special=True) == ["the", "met"]
    assert vocabulary.decode(np.array(ids)) == vocabulary.decode(torch.tensor(ids))
    assert vocabulary.encode([]) == []
    assert repr(vocabulary) == "Vocabulary(11 tokens, 4 of them special)"


@settings(deadline=None)
@given(st.lists(st.sampled_from(SENTENCES[0] + SENTENCES[1])))
def test_decode_undoes_encode(tokens):
    vocabulary = Vocabulary(frequent_tokens(SENTENCES))
    assert vocabulary.decode(vocabulary.encode(tokens)) == tokens


def test_a_token_without_an_id_is_refused():
    vocabulary = Vocabulary(["dog"], special_tokens=["<pad>"])
    with pytest.raises(ValueError, match="'wolf' is not in this vocabulary"):
        vocabulary.encode(["wolf"])
    with pytest.raises(ValueError, match="'<eos>' is wanted, but is none"):
        vocabulary.encode(["dog"], eos=True)
    with pytest.raises(ValueError, match="got the string 'dog'"):
        vocabulary.encode("dog")
    with pytest.raises(ValueError, match="tokens must be strings, got 3"):
        vocabulary.encode([3])


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 11], "id 11 at position 1 is out of range: this vocabulary has the ids 0 to 10"),
        ([-1], "id -1 at position 0 is out of range"),
        ([1.0], "must be integers, got 1.0"),
        ([True], "must be integers, got True"),
        (["dog"], "must be integers, got 'dog'"),
        ("dog", "call encode on text first"),
        (torch.tensor([1.5]), "must be integers"),
        (np.array([True]), "must be integers"),
    ],
)
def test_ids_that_are_none_are_refused(ids, message):
    with pytest.raises(ValueError, match=message):
        Vocabulary(frequent_tokens(SENTENCES)).decode(ids)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Vocabulary(["dog", "dog"]), "'dog' comes twice"),
        (lambda: Vocabulary(["<unk>"]), "'<unk>' comes twice"),
        (lambda: Vocabulary("dog"), "must be lists of strings"),
        (lambda: Vocabulary(["dog"], ["<unk>", "<pad>"]), "must begin with '<pad>'"),
        (lambda: Vocabulary([1]), "tokens must be strings, got 1"),
        (lambda: frequent_tokens(["a dog"]), "got the string 'a dog'"),
        (lambda: frequent_tokens("a dog"), "got the string 'a dog'"),
        (lambda: frequent_tokens(SENTENCES, min_count=0), "min_count must be an integer of at"),
        (lambda: frequent_tokens(SENTENCES, max_size=-1), "max_size must be an integer of at"),
    ],
)
def test_a_vocabulary_that_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_saved_vocabulary_comes_back(tmp_path):
    path = tmp_path / "vocabulary.json"
    vocabulary = Vocabulary(["犬", '"', "\n", "🐕"], special_tokens=["<pad>", "<unk>"])
    save_vocabulary(vocabulary, path)
    loaded = load_vocabulary(path)
    assert (loaded.tokens, loaded.special_tokens) == (vocabulary.tokens, ("<pad>", "<unk>"))
    assert "犬" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not UTF-8 JSON"),
        (b"\xff", "is not UTF-8 JSON"),
        (b"[1]", "does not hold a 'vocabulary'"),
        (b'{"kind": "byte-level BPE"}', "its kind is 'byte-level BPE'"),
        (b'{"kind": "vocabulary"}', "has no list 'tokens'"),
        (b'{"kind": "vocabulary", "tokens": [1], "special_tokens": ["<pad>"]}', "must be strings"),
        (b'{"kind": "vocabulary", "tokens": ["a"], "special_tokens": []}', "must begin with"),
    ],
)
def test_a_malformed_vocabulary_file_is_refused(tmp_path, content, message):
    path = tmp_path / "vocabulary.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        load_vocabulary(path)


# --- padding ---


def test_pad():
    batch = pad([[5, 6, 7], [], [8]])
    assert batch.tolist() == [[5, 6, 7], [0, 0, 0], [8, 0, 0]]
    assert batch.dtype == np.int64
    assert pad([[5]], value=9, length=3).tolist() == [[5, 9, 9]]
    assert pad([]).shape == (0, 0)
    assert pad([[], []]).shape == (2, 0)


def test_what_cannot_be_padded_is_refused():
    with pytest.raises(ValueError, match="sequence 1 has 3 ids, more than length=2"):
        pad([[1], [1, 2, 3]], length=2)
    with pytest.raises(ValueError, match=r"got 0\.5 in sequence 0"):
        pad([[0.5]])
    with pytest.raises(ValueError, match="sequence 0 must be a list of ids, got 1"):
        pad([1, 2])
