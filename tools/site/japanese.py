"""Japanese in an English page is marked as such, or its glyphs come out Chinese.

A screen reader then changes its voice, too.
"""

import re

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PreformattedString

# Kana, CJK ideographs, their punctuation and full-width forms.
LETTER = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
MARK = r"\u3000-\u3004\u3008-\u303f\uff01-\uff65\u30fb"
# A run begins and ends with a letter or a mark; spaces between two of them belong to it.
JAPANESE = re.compile(f"[{MARK}]*[{LETTER}][{LETTER}{MARK}]*(?: +[{LETTER}{MARK}]+)*")
# No element may stand in these, or nothing is read out from them.
SKIPPED = {"script", "style", "title", "textarea", "option", "svg", "template", "annotation"}


def mark(soup: BeautifulSoup) -> None:
    """Wrap each run of Japanese in the body in `<span lang="ja">`, where no ancestor says it."""
    body = soup.body or soup
    for string in list(body.find_all(string=JAPANESE)):
        if isinstance(string, PreformattedString) or is_marked(string):
            continue
        string.replace_with(*parts(soup, str(string)))


def is_marked(string: NavigableString) -> bool:
    """Whether the nearest `lang` is Japanese already, or no element may be put in here."""
    for parent in string.parents:
        if parent.name in SKIPPED or parent.name == "mtext":
            return True
        if parent.name != "html" and parent.get("lang"):
            return str(parent["lang"]).startswith("ja")
    return False


def parts(soup: BeautifulSoup, text: str) -> list[NavigableString | Tag]:
    """A text cut into what is Japanese (in spans) and what is not."""
    cut: list[NavigableString | Tag] = []
    end = 0
    for run in JAPANESE.finditer(text):
        if run.start() > end:
            cut.append(NavigableString(text[end : run.start()]))
        span = soup.new_tag("span", attrs={"lang": "ja"})
        span.string = run.group()
        cut.append(span)
        end = run.end()
    if end < len(text):
        cut.append(NavigableString(text[end:]))
    return cut
