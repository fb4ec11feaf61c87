"""The search page finds what its readers type: English words, and Japanese without spaces."""

import re

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


UNFOUND = ["猫犬犬猫", "注犬", "zyzzyva"]


def find(page: Page, base: str, query: str) -> list[str]:
    """The addresses that the search page answers a query with."""
    page.goto(f"{base}/search.html?q={query}")
    summary = page.locator("#search-results p.search-summary")
    expect(summary).to_contain_text(re.compile("Places found|Nothing found"))
    answers = page.locator("#search-results ul.search a")
    return answers.evaluate_all("links => links.map(link => link.getAttribute('href'))")


def test_search_finds_and_does_not_find(page: Page, served: str) -> None:
    for query, wanted in QUERIES.items():
        found = find(page, served, query)
        assert any(wanted in address for address in found), (query, found)
    for query in UNFOUND:
        assert find(page, served, query) == [], query


def test_all_words_are_required_short_ones_too(page: Page, served: str) -> None:
    pages = {word: set(find(page, served, word)) for word in ("犬", "softmax")}
    both = set(find(page, served, "犬 softmax"))
    texts = {address for address in both if "#" not in address}
    assert texts
    assert texts <= pages["犬"] & pages["softmax"]


def test_the_search_page_speaks_for_itself(page: Page, served: str) -> None:
    summary = page.locator("#search-results p.search-summary")
    found = find(page, served, "glossary")
    expect(summary).to_have_text(f"Places found: {len(found)}.")
    assert find(page, served, "the") == []
    expect(summary).to_contain_text("A page must hold all the words")
    page.goto(f"{served}/search.html?q=")
    expect(summary).to_have_text("Type a word to look for.")


def test_what_is_shown_of_a_page_has_no_tex(page: Page, served: str) -> None:
    found = find(page, served, "position")
    shown = page.locator("#search-results p.context")
    expect(shown).to_have_count(len(found))
    assert not re.search(r"\\[a-z]+|_\{", " ".join(shown.all_inner_texts()))


@pytest.mark.parametrize("query", ["注意機構", "vanishing gradients", "犬 softmax"])
def test_an_answer_leads_to_the_place_that_was_found(page: Page, served: str, query: str) -> None:
    words = query.split()
    for address in [one for one in find(page, served, query) if "#" not in one][:3]:
        find(page, served, query)
        page.locator(f"#search-results ul.search a[href='{address}']").click()
        block = page.locator("article *:focus")
        text = block.inner_text().lower()
        assert any(word[:6] in text for word in words), (address, text)
        expect(block).to_be_in_viewport()


def test_search_works_below_a_path_and_in_a_file(page: Page, base: str) -> None:
    assert any("01-tokens" in address for address in find(page, base, "歩い"))
    assert any("05-vanishing" in address for address in find(page, base, "vanishing gradients"))
    assert find(page, base, "注犬") == []


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
