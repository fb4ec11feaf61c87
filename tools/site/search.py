"""The site's search finds English and Japanese.

Japanese is written without spaces: Sphinx's search would index a whole sentence as one word, and
find none of its parts. Here a run of Japanese is indexed by its characters and its pairs of
neighbours; a query is cut likewise, so that any part of a sentence is found. English is stemmed
as usual. What else the search page does its own way is in `search.js`.
"""

import re
from pathlib import Path

from sphinx.search.en import SearchEnglish

# Kana, CJK ideographs, their iteration marks and half-width kana: what is cut into pairs.
JAPANESE = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
RUN = re.compile(rf"[{JAPANESE}]+|[^\W{JAPANESE}]+")
OWN_WAYS = Path(__file__).with_name("search.js")
STARTS_JAPANESE = re.compile(f"[{JAPANESE}]")


def pairs(run: str) -> list[str]:
    """Neighbouring characters of a run of Japanese: 注意機構 gives 注意, 意機, 機構."""
    return [run[start : start + 2] for start in range(len(run) - 1)]


class EnglishAndJapanese(SearchEnglish):
    """Sphinx's English search, which also cuts Japanese (here) as its queries are cut (there)."""

    lang = "en-ja"
    language_name = "English and Japanese"

    # The same cut as `split` makes, but for a query: all pairs, or the one character.
    js_splitter_code = f"""
var splitQuery = (query) => {{
  const run = /[{JAPANESE}]+|(?:(?![{JAPANESE}])[\\p{{Letter}}\\p{{Number}}_])+/gu;
  return (query.match(run) || []).flatMap((part) => {{
    if (part.length < 2 || !/[{JAPANESE}]/.test(part[0])) return [part];
    return Array.from({{ length: part.length - 1 }}, (_, start) => part.slice(start, start + 2));
  }});
}}
{OWN_WAYS.read_text("utf8")}"""

    def split(self, input: str) -> list[str]:
        """Words of a text; of Japanese, its characters and its pairs of characters."""
        words: list[str] = []
        for run in RUN.findall(input):
            japanese = STARTS_JAPANESE.match(run)
            words += [*run, *pairs(run)] if japanese else [run]
        return words

    def word_filter(self, word: str) -> bool:
        """Keep what English keeps, and every piece of Japanese, single kana too."""
        return bool(STARTS_JAPANESE.match(word)) or super().word_filter(word)
