"""Japanese runs are marked where they stand in text, and nowhere else.

That every page's are is held by `test_pages`.
"""

import pytest
from bs4 import BeautifulSoup

from tools.site.japanese import mark


def marked(html: str) -> str:
    soup = BeautifulSoup(html, "html.parser")
    mark(soup)
    return str(soup)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>犬 (inu, dog)</p>", '<p><span lang="ja">犬</span> (inu, dog)</p>'),
        ("<p>a 犬が。 b</p>", '<p>a <span lang="ja">犬が。</span> b</p>'),
        ("<h2>「注意」とは</h2>", '<h2><span lang="ja">「注意」とは</span></h2>'),
        ("<pre>犬 が 歩い</pre>", '<pre><span lang="ja">犬 が 歩い</span></pre>'),
        ("<code>'犬'</code>", "<code>'<span lang=\"ja\">犬</span>'</code>"),
        ("<p>カタカナ・ー、ｶﾅ</p>", '<p><span lang="ja">カタカナ・ー、ｶﾅ</span></p>'),
    ],
)
def test_runs_are_wrapped(html: str, expected: str) -> None:
    assert marked(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        '<p lang="ja">犬</p>',
        '<ruby lang="ja">犬<rt>いぬ</rt></ruby>',
        '<img alt="犬"/>',
        "<script>let dog = '犬';</script>",
        '<script type="application/json">{"text": "犬"}</script>',
        "<style>p::before { content: '犬' }</style>",
        "<title>犬</title>",
        "<textarea>犬</textarea>",
        '<math><mtext lang="ja">犬</mtext></math>',
        "<!-- 犬 -->",
        "<p>plain “quotes”, 1−2 × 3</p>",
    ],
)
def test_the_rest_is_left_alone(html: str) -> None:
    assert marked(html) == html


def test_english_inside_japanese_counts_again() -> None:
    html = '<p lang="ja">犬<span lang="en">a 猫 b</span></p>'
    assert marked(html) == '<p lang="ja">犬<span lang="en">a <span lang="ja">猫</span> b</span></p>'
