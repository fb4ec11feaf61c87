"""What the book has beside its chapters: glossary, gallery, references, sitemap, cards, links."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from PIL import Image
from site_pages import CHAPTERS, PAGES, ROOT, soup_of

from tools.architecture import PICTURE, draw
from tools.card import CARD, HEIGHT, WIDTH
from tools.config import Repository, read_repository
from tools.links import external_links, fault_of
from tools.site.levers.glossary import Term, link_terms, read_terms
from tools.site.levers.images import is_generic
from tools.site.levers.neighbours import add_teasers
from tools.site.lists import split
from tools.site.page import Page

ADDRESS = read_repository().pages


def page_of(html: str, name: str = "notebooks/en/01-x") -> Page:
    text = f"<html><head></head><body><article><section>{html}</section></article></body></html>"
    return Page(Path(f"/site/{name}.html"), Path("/site"), BeautifulSoup(text, "html.parser"))


TOKEN, SELF, PLAIN = (
    Term("Token", "term-Token"),
    Term("Self-attention", "term-Self-attention"),
    Term("Attention", "term-Attention"),
)


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ("<p>Two tokens, one token.</p>", ["tokens"]),
        ("<p>A tokenizer makes no link.</p>", []),
        ("<h2>Token</h2><p><code>token</code> <a>token</a> a Token</p>", ["Token"]),
        ("<p>Self attention, then attention</p>", ["Self attention", "attention"]),
        ("<p>self-attention only</p>", ["self-attention"]),
        ("<p>self\nattention over two lines</p>", ["self\nattention"]),
        ("<ul><li>each token</li></ul><pre>token</pre>", ["token"]),
    ],
)
def test_first_uses_of_terms_are_linked(html: str, linked: list[str]) -> None:
    page = page_of(html)
    link_terms(page, [SELF, PLAIN, TOKEN])
    links = page.soup.select("a.term")
    assert [link.get_text() for link in links] == linked
    assert all(str(link["href"]).startswith("../../book/glossary.html#term-") for link in links)
    assert page.soup.get_text() == page_of(html).soup.get_text()


def test_pages_that_are_no_chapters_are_left_alone() -> None:
    page = page_of("<p>a token</p>", "book/index")
    link_terms(page, [TOKEN])
    assert page.soup.select("a.term") == []


def terms_of(site: Path, name: str) -> list[Tag]:
    """A page's links to the glossary's terms."""
    return list(soup_of(site, name).select("a.term"))


def test_names_of_one_thing_lead_to_one_entry_once() -> None:
    glossary = page_of(
        '<dl class="glossary"><dt id="a">Layer normalisation</dt><dt id="b">Layer norm</dt>'
        '<dd>x</dd><dt id="c">Warm-up</dt><dd>y</dd></dl>',
        "book/glossary",
    )
    terms = read_terms([glossary])
    assert terms == [
        Term("Layer normalisation", "a"),
        Term("Layer norm", "a"),
        Term("Warm-up", "c"),
    ]
    page = page_of("<p>A layer norm, warm-up, layer normalisation.</p>")
    link_terms(page, terms)
    assert [link.get_text() for link in page.soup.select("a.term")] == ["layer norm", "warm-up"]


def test_a_chapters_own_words_for_a_term_lead_to_it_there_alone() -> None:
    chapter = '<a href="../notebooks/en/02-x.html">Chapter 2</a>'
    glossary = page_of(
        '<dl class="glossary"><dt id="a">Cosine similarity</dt><dt id="b">Likeness</dt>'
        f'<dd>x {chapter} <span class="alias">cosine</span></dd></dl>',
        "book/glossary",
    )
    terms = read_terms([glossary])
    assert terms[-1] == Term("cosine", "a", ("notebooks/en/02-x",))
    assert "cosine" not in glossary.soup.get_text()
    for name, linked in (("notebooks/en/02-x", ["cosine"]), ("notebooks/en/03-x", [])):
        page = page_of("<p>The cosine.</p>", name)
        link_terms(page, terms)
        assert [link.get_text() for link in page.soup.select("a.term")] == linked


def test_titles_of_other_works_are_not_linked() -> None:
    page = page_of('<section id="what-to-read"><ul><li>A token.</li></ul></section><p>token</p>')
    link_terms(page, [TOKEN])
    assert [link.parent.name for link in page.soup.select("a.term")] == ["p"]


def test_each_term_is_linked_in_the_chapter_that_introduces_it(site: Path) -> None:
    missing = []
    for text in soup_of(site, "book/glossary").select("dl.glossary > dd"):
        # the first of several names before one text
        names = list(takewhile(lambda tag: tag.name == "dt", text.find_previous_siblings()))
        entry = names[-1]
        chapter = str(text.select("a[href]")[0]["href"]).removeprefix("../").removesuffix(".html")
        links = {str(link["href"]).partition("#")[2] for link in terms_of(site, chapter)}
        if str(entry["id"]) not in links:
            missing.append(f"{entry.get_text().rstrip('#')}: not in {chapter}")
    assert missing == [], "give the chapter's own word, [word]{.alias}, or the right chapter"


def test_each_chapter_leads_to_the_glossary_and_each_term_is_translated(site: Path) -> None:
    for name in CHAPTERS:
        assert len(terms_of(site, name)) >= 3, f"{name}: use three terms of book/glossary.md"
    last = {link.get_text().lower() for name in CHAPTERS[9:] for link in terms_of(site, name)}
    assert {"heads", "residual connections", "normalised", "ablation"} <= last
    entries = soup_of(site, "book/glossary").select("dl.glossary > dd")
    assert len(entries) >= 50
    for entry in entries:
        text = entry.get_text()
        assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text), text
        assert re.search(r"[Cc]hapter \d+", text), text


def test_all_anchors_resolve(site: Path) -> None:
    known: dict[Path, set[str]] = {}
    missing = []
    for name in PAGES:
        path = site / f"{name}.html"
        for link in soup_of(site, name).select("a[href]"):
            parts = urlsplit(str(link["href"]))
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                missing.append(f"{name}: {link['href']}")
            elif parts.fragment and target.suffix == ".html":
                if target not in known:
                    page = target.relative_to(site).with_suffix("").as_posix()
                    known[target] = {str(tag["id"]) for tag in soup_of(site, page).select("[id]")}
                if unquote(parts.fragment) not in known[target]:
                    missing.append(f"{name}: {link['href']}")
    assert missing == []


def test_files_of_the_repository_are_linked_where_they_are_spoken_of(site: Path) -> None:
    repository = read_repository()
    files = f"{repository.url}/blob/{repository.branch}/"
    wanted = {
        "book/index": {f"{files}README.md"},
        "book/about": {
            f"{files}CITATION.cff",
            f"{files}CONTRIBUTING.md",
            f"{repository.url}/issues",
        },
    }
    for name, addresses in wanted.items():
        links = [str(link["href"]) for link in soup_of(site, name).select("article a[href]")]
        assert addresses <= set(links)
        assert all((ROOT / one.removeprefix(files)).is_file() for one in addresses if files in one)


@pytest.mark.parametrize("name", PAGES)
def test_no_link_is_left_as_markdown(site: Path, name: str) -> None:
    article = BeautifulSoup(str(soup_of(site, name).select_one("article")), "html.parser")
    for code in article.select("pre, code, script, math"):
        code.decompose()
    assert "](" not in article.get_text()


def test_external_links_have_the_right_form(site: Path) -> None:
    links = external_links(site)
    assert len(links) > 20
    assert [(a, fault_of(a)) for a in links if not a.startswith(ADDRESS) and fault_of(a)] == []


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("https://arxiv.org/abs/1706.03762", ""),
        ("https://doi.org/10.1162/neco.1997.9.8.1735", ""),
        ("http://arxiv.org/abs/1706.03762", "https"),
        ("https://arxiv.org/pdf/1706.03762", "arXiv"),
        ("https://doi.org/neco.1997", "DOI"),
        ("https://a b.org/", "well-formed"),
    ],
)
def test_forms_of_addresses(address: str, fault: str) -> None:
    assert (fault in fault_of(address)) if fault else fault_of(address) == ""


def test_the_gallery_shows_every_figure(site: Path) -> None:
    shown = {
        str(mount["data-figure"])
        for name in CHAPTERS
        for mount in soup_of(site, name).select(".figure-mount")
    }
    links = [str(link["href"]) for link in soup_of(site, "book/gallery").select("article a")]
    assert {link.split("#figure-")[1] for link in links if "#figure-" in link} == shown
    entries = soup_of(site, "book/gallery").select("article li")
    assert all(re.search(r"\(chapter \d+\)\. .{15}", one.get_text()) for one in entries)


def test_references_hold_what_the_chapters_name(site: Path) -> None:
    text = soup_of(site, "book/references").get_text()
    for work in ("Attention is all you need", "Long short-term memory", "1706.03762"):
        assert text.count(work) == 1
    citation = "A, B. (2001). *T.* [doi:10.1/x](https://doi.org/10.1/x). Read it."
    assert split(citation) == ("https://doi.org/10.1/x", citation.removesuffix(" Read it."))
    bracketed = "A. *T.* [doi:10.1/2(70)4](https://doi.org/10.1/2(70)4). Read it (twice)."
    assert split(bracketed) == (
        "https://doi.org/10.1/2(70)4",
        bracketed.removesuffix(" Read it (twice)."),
    )


def test_the_sitemap_lists_the_pages_with_their_address(site: Path) -> None:
    tree = ElementTree.parse(site / "sitemap.xml")
    found = {node.text for node in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")}
    assert found == {f"{ADDRESS}{name}.html" for name in PAGES if name != "search"}


@pytest.mark.parametrize("name", [name for name in PAGES if name != "search"])
def test_cards_say_what_the_page_is(site: Path, name: str) -> None:
    soup = soup_of(site, name)
    card = {
        str(tag["property"]).removeprefix("og:"): str(tag["content"])
        for tag in soup.select("meta[property^='og:']")
    }
    assert card["url"] == f"{ADDRESS}{name}.html"
    assert card["image"] == f"{ADDRESS}_static/card.png"
    assert card["site_name"] == "How Context Travels"
    (description,) = soup.select("meta[name=description]")
    assert card["description"] == str(description["content"])
    assert len(card["title"]) > 4
    (canonical,) = soup.select("link[rel=canonical]")
    assert canonical["href"] == card["url"]


def test_the_card_has_the_size_that_sites_ask_for(site: Path) -> None:
    assert Image.open(CARD).size == (WIDTH, HEIGHT)
    assert (site / "_static" / "card.png").read_bytes() == CARD.read_bytes()


def test_the_drawing_of_the_architecture_is_what_the_code_draws() -> None:
    assert PICTURE.read_text("utf8") == draw() + "\n", "run python -m tools.architecture"


def test_the_address_of_the_site_follows_from_that_of_the_repository() -> None:
    assert (
        Repository("https://github.com/Some/book", "main").pages == "https://some.github.io/book/"
    )
    with pytest.raises(ValueError, match="owner"):
        _ = Repository("https://github.com", "main").pages


def test_the_citation_says_what_the_about_page_says(site: Path) -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))["preferred-citation"]
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    assert str(citation["year"]) == config["copyright"]
    (author,) = citation["authors"]
    said = f"{author['name']} ({citation['year']}). {citation['title']}. {citation['notes']}"
    (quotation,) = soup_of(site, "book/about").select("article blockquote")
    assert " ".join(quotation.get_text().split()) == said


def test_the_welcome_pages_title_says_the_books_once(site: Path) -> None:
    titles = [soup_of(site, name).title.get_text().strip() for name in ("book/index", "book/about")]
    assert titles == ["How Context Travels", "About this book — How Context Travels"]


def test_files_for_those_who_carry_it_on() -> None:
    for name in ("CITATION.cff", ".pre-commit-config.yaml"):
        assert (ROOT / name).is_file()
    workflows = {"test": ".ci/run", "site": "make site", "links": "--ask", "audit": "make audit"}
    for name, command in workflows.items():
        assert command in (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf8")


def test_the_map_says_what_each_chapter_adds_and_where_it_breaks(site: Path) -> None:
    entries = soup_of(site, "book/index").select("#the-road li")
    assert len(entries) == len(CHAPTERS), "each chapter has an entry in book/index.md, The road"
    for entry, name in zip(entries, CHAPTERS, strict=True):
        link = entry.select_one("a[href]")
        assert link is not None
        assert link["href"] == f"../{name}.html"
        for kind in ("adds", "lacks"):
            (said,) = entry.select(f".{kind}")
            assert len(said.get_text()) > 15


def test_neighbours_are_told_apart_by_a_line_each(site: Path) -> None:
    linked = 0
    for name in (name for name in PAGES if name != "search"):
        links = soup_of(site, name).select(".prev-next-area a")
        lines = [text.get_text() for link in links for text in link.select(".prev-next-teaser")]
        assert len(lines) == len(set(lines)) == len(links)
        assert all(20 < len(line) <= 160 for line in lines)
        linked += len(links)
    assert linked == 2 * (len(PAGES) - 2)  # both ways between each two that follow one another


def test_a_neighbour_that_nothing_describes_is_refused() -> None:
    footer = '<div class="prev-next-area"><a href="two.html"><div class="prev-next-info"></div></a>'
    page = page_of(footer, "book/one")
    with pytest.raises(ValueError, match=r"book/one: nothing says what book/two is about"):
        add_teasers(page, {})
    add_teasers(page, {"book/two": "The second."})
    assert page.soup.select_one("p.prev-next-teaser").get_text() == "The second."


def test_chapters_say_what_they_need(site: Path) -> None:
    for name in CHAPTERS:
        box = soup_of(site, name).select_one(".note-box.before-you-start")
        assert box is not None, name
        assert "You need" in box.get_text(), name
        # what chapters build on is linked or named
        said = re.search(r"[Cc]hapters? \d+|matrix product", box.get_text())
        assert said or name == CHAPTERS[0], f"{name}: let needs name a chapter, as (chapter 3)"


def test_every_picture_has_words_of_its_own(site: Path) -> None:
    found: dict[str, str] = {}
    for name in PAGES:
        for image in soup_of(site, name).select("article img"):
            alt = str(image.get("alt", ""))
            assert not is_generic(alt), f"{name}: {image.get('src')}: {alt!r}"
            assert alt not in found, f"{name} and {found[alt]} describe pictures by the same words"
            found[alt] = name
            assert image.get("width"), name
            file = (site / name).parent / str(image["src"])
            # legible in both schemes, of the page's choice
            assert "prefers-color-scheme" in file.read_text("utf8"), file.name
    assert len(found) > 40


GREEK = "alpha|beta|gamma|delta|epsilon|eta|theta|lambda|mu|pi|rho|sigma|tau|phi|omega|ell"
NO_SYMBOLS = re.compile(
    r"\\(text|mathrm|operatorname\*?|tag|begin|end)\{[^}]*\}"
    rf"|\\(?!(?:{GREEK})(?![a-z]))[A-Za-z]+"
)
INDEX = re.compile(r"_(\{[^{}]*\}|\\?\w+)")
SYMBOL = re.compile(rf"(\\(?:{GREEK})|[A-Za-z])[}}'\s]*(_?)")


def symbols(formulas: list[str]) -> set[tuple[str, bool]]:
    """The letters that formulas use as symbols, and whether each has an index.

    A letter with an index and the same letter without one are two symbols: of d_k, d is no part.
    """
    bare = (INDEX.sub("_", NO_SYMBOLS.sub(" ", formula)) for formula in formulas)
    return {(found[1], bool(found[2])) for text in bare for found in SYMBOL.finditer(text)}


def formulas_of(site: Path, name: str) -> list[str]:
    """The TeX of a page's formulas."""
    return [tex.get_text() for tex in soup_of(site, name).select("article annotation")]


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (r"\ell = -\log \sigma(u_o)", {(r"\ell", False), (r"\sigma", False), ("u", True)}),
        (r"d_k + \alpha_{ij}", {("d", True), (r"\alpha", True)}),
        (r"\sqrt{d}", {("d", False)}),
        (r"\overrightarrow{h}_t, Z'_{ij} \tag{4.1}", {("h", True), ("Z", True)}),
    ],
)
def test_symbols_of_formulas(formula: str, found: set[tuple[str, bool]]) -> None:
    assert symbols([formula]) == found


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_notation_page_has_every_symbol_of_a_formula(site: Path, name: str) -> None:
    known = symbols(formulas_of(site, "book/notation"))
    assert symbols(formulas_of(site, name)) - known == set(), "explain it in book/notation.md"
    links = soup_of(site, name).select(".before-you-start a[href$='book/notation.html']")
    assert len(links) == 1


# Written for any letters or indices, or in the shapes of the code.
GENERAL = {r"a \odot b", r"\partial L / \partial a", "J_t", "Z_{ij}", "Z'_{ij}", "PE_{p,i}"}
SHAPES = {"B", "D", "T_x", "T_y", "d_v"}


def test_every_symbol_of_the_notation_page_stands_in_a_chapter(site: Path) -> None:
    used = " ".join(tex for name in CHAPTERS for tex in formulas_of(site, name))
    rows = soup_of(site, "book/notation").select("table tbody tr")
    explained = {tex.get_text() for row in rows for tex in row.td.select("annotation")}
    assert len(explained) > 50
    assert {tex for tex in explained - GENERAL - SHAPES if tex not in used} == set()
