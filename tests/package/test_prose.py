"""The story that the tokenizers learn from."""

import re
from collections import Counter
from pathlib import Path

import pytest

from contextbook import datasets
from contextbook.datasets import prose

ENGLISH = re.compile(r"[A-Za-z0-9 ,.:;?!'\"-]+")
JAPANESE = re.compile(r"[ぁ-んァ-ヶー一-鿿々〇、。「」！？0-9]+")


@pytest.fixture(scope="module")
def story() -> list[tuple[str, str]]:
    return prose.load()


def test_it_is_long_enough(story: list[tuple[str, str]]) -> None:
    assert len(story) >= 620
    for language in (0, 1):
        assert sum(len(pair[language].encode()) for pair in story) >= 40_000


def test_each_language_keeps_to_its_script(story: list[tuple[str, str]]) -> None:
    for english, japanese in story:
        assert ENGLISH.fullmatch(english), english
        assert JAPANESE.fullmatch(japanese), japanese
        assert re.search(r"[ぁ-ん]", japanese), japanese
        assert english == english.strip()
        assert "  " not in english


def test_sentences_are_whole(story: list[tuple[str, str]]) -> None:
    for english, japanese in story:
        assert english[-1] in '.?!"', english
        assert japanese[-1] in "。？」", japanese
        assert english.count('"') % 2 == 0, english
        assert japanese.count("「") == japanese.count("」"), japanese


def test_no_sentence_is_told_twice(story: list[tuple[str, str]]) -> None:
    for language in (0, 1):
        assert Counter(pair[language] for pair in story).most_common(1)[0][1] == 1


def test_translations_have_a_fitting_length(story: list[tuple[str, str]]) -> None:
    # a line that slipped against its neighbour would show here
    for english, japanese in story:
        assert 0.25 < len(japanese) / len(english) < 0.9, (english, japanese)


def test_dialogue_is_dialogue_in_both_languages(story: list[tuple[str, str]]) -> None:
    differing = [pair for pair in story if ('"' in pair[0]) != ("「" in pair[1])]
    assert len(differing) <= 3  # names such as 「コムギ」 are quoted in Japanese only


def test_words_are_varied(story: list[tuple[str, str]]) -> None:
    words = Counter(
        word for english, _ in story for word in re.findall(r"[a-z']+", english.lower())
    )
    kanji = {character for _, japanese in story for character in re.findall(r"[一-鿿]", japanese)}
    print(f"{len(words)} English words, {len(kanji)} kanji")
    assert len(words) >= 1_500
    assert len(kanji) >= 600
    # prose, not a template: no run of four words opens more than one sentence in a hundred
    openings = Counter(" ".join(english.split()[:4]) for english, _ in story)
    assert openings.most_common(1)[0][1] <= len(story) // 100


def test_the_running_sentence_is_part_of_the_story(story: list[tuple[str, str]]) -> None:
    assert (datasets.RUNNING_TRANSLATION, datasets.RUNNING_SENTENCE) in story


def test_every_tenth_sentence_is_held_out(story: list[tuple[str, str]]) -> None:
    train, held_out = prose.load("train"), prose.load("held_out")
    assert held_out == [pair for number, pair in enumerate(story, start=1) if number % 10 == 0]
    assert not set(train) & set(held_out)
    assert sorted(train + held_out) == sorted(story)


def test_a_reader_may_change_the_list_it_gets(story: list[tuple[str, str]]) -> None:
    prose.load().clear()
    assert prose.load() == story


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'test'"):
        prose.load("test")


def test_a_line_without_a_tab_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prose.tsv").write_text("Good.\tよし。\nNo tab here.\n", encoding="utf-8")
    monkeypatch.setattr(prose, "files", lambda package: tmp_path)
    prose._story.cache_clear()
    try:
        with pytest.raises(ValueError, match="line 2: expected English, a tab and Japanese, got 1"):
            prose.load()
    finally:
        prose._story.cache_clear()
