"""The search page finds what its readers type: English words, and Japanese without spaces."""

import pytest
from playwright.sync_api import Page, expect

from tools.site.search import EnglishAndJapanese

# What is typed, and a page that must be among the answers.
QUERIES = {
    "犬": "01-tokens",
    "歩い": "01-tokens",
    "出会いました": "01-tokens",
    "歩いていると": "01-tokens",
    "注意機構": "glossary",
    "はし": "04-both-ways",
    "attention": "09-queries-keys-values",
    "vanishing gradients": "05-vanishing-gradients",
    "Embeddings": "02-embeddings",
    "attention 犬": "09-queries-keys-values",
}


@pytest.mark.parametrize(("query", "wanted"), QUERIES.items())
def test_search_finds(page: Page, base: str, query: str, wanted: str) -> None:
    page.goto(f"{base}/search.html?q={query}")
    answers = page.locator("#search-results ul.search a")
    answers.first.wait_for()
    page.wait_for_function("document.querySelector('#search-results p.search-summary').textContent")
    found = answers.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert any(wanted in address for address in found), found


@pytest.mark.parametrize("query", ["猫犬犬猫", "注犬", "zyzzyva"])
def test_search_does_not_find_what_no_page_says(page: Page, base: str, query: str) -> None:
    page.goto(f"{base}/search.html?q={query}")
    summary = page.locator("#search-results p.search-summary")
    expect(summary).to_contain_text("did not match any documents")
    assert page.locator("#search-results ul.search a").count() == 0


def test_japanese_is_cut_into_characters_and_pairs() -> None:
    assert EnglishAndJapanese({}).split("犬が歩い、an RNN_1 cell") == [
        *("犬", "が", "歩", "い", "犬が", "が歩", "歩い"),
        *("an", "RNN_1", "cell"),
    ]


def test_every_piece_of_japanese_is_kept_and_english_stop_words_are_not() -> None:
    language = EnglishAndJapanese({})
    assert language.word_filter("が")
    assert language.word_filter("てい")
    assert language.word_filter("cell")
    assert not language.word_filter("the")
