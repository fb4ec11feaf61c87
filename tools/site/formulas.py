"""Formulas: TeX to MathML when the site is built, by KaTeX in an embedded JavaScript engine.

A page then needs no script and no stylesheet for its formulas, they are no tab stops, and a
screen reader gets them as formulas. KaTeX writes MathML 3; browsers draw MathML Core, so what
Core has dropped is put another way here (`repair`).
"""

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from py_mini_racer import MiniRacer

from tools.site.japanese import JAPANESE

KATEX = Path(__file__).parent / "vendor" / "katex" / "katex.min.js"
TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
# Numbers come from \tag alone, so that Jupyter and the site show the same ones.
NUMBERED = re.compile(r"\\(begin|end)\{(align|alignat|equation|gather)\}")

RENDER = """
function render(tex, display) {
  try {
    const options = { displayMode: display, output: "mathml", strict: "ignore" };
    return { mathml: katex.renderToString(tex, options) };
  } catch (error) {
    return { error: error.message };
  }
}
"""

# MathML's `mathvariant` and the names of the Unicode letters that say the same.
LETTERS = {
    "bold": ["MATHEMATICAL BOLD"],
    "italic": ["MATHEMATICAL ITALIC"],
    "bold-italic": ["MATHEMATICAL BOLD ITALIC"],
    "double-struck": ["DOUBLE-STRUCK", "MATHEMATICAL DOUBLE-STRUCK"],
    "script": ["SCRIPT", "MATHEMATICAL SCRIPT"],
    "fraktur": ["BLACK-LETTER", "MATHEMATICAL FRAKTUR"],
    "sans-serif": ["MATHEMATICAL SANS-SERIF"],
    "bold-sans-serif": ["MATHEMATICAL SANS-SERIF BOLD"],
    "sans-serif-italic": ["MATHEMATICAL SANS-SERIF ITALIC"],
    "monospace": ["MATHEMATICAL MONOSPACE"],
}


@lru_cache(1)
def engine() -> MiniRacer:
    """The JavaScript engine with KaTeX in it; started once, in about a tenth of a second."""
    racer = MiniRacer()
    racer.eval(KATEX.read_text("utf8") + ";0")
    racer.eval(RENDER + ";0")
    return racer


def render(tex: str, display: bool) -> str:
    """HTML of one formula: a `span.math` in a line, a `div.math` with its number on its own.

    Args:
        tex: the formula as the author wrote it, without its dollars.
        display: whether it stands on its own.

    Raises:
        ValueError: KaTeX cannot read it; the message is KaTeX's.
    """
    tex = tex.strip()
    tags = TAG.findall(tex)
    if len(tags) > 1 or (tags and not display):
        raise ValueError(r"a displayed formula takes one \tag, a formula in a line none")
    body = NUMBERED.sub(r"\\\1{\2*}", TAG.sub("", tex)).strip()
    result = dict(engine().call("render", body, display))
    if "error" in result:
        raise ValueError(result["error"])
    if 'linebreak="newline"' in result["mathml"]:
        # MathML Core has no line breaks: the lines would run into one
        raise ValueError(r"\\ breaks a line outside an environment: use \begin{aligned}")
    math = repair(result["mathml"])
    annotation = math.find("annotation")
    assert isinstance(annotation, Tag)
    annotation.string = tex
    if not display:
        return f'<span class="math">{math}</span>'
    number = ""
    if tags:
        anchor = "equation-" + re.sub(r"[^\w]+", "-", tags[0]).strip("-")
        number = f'<span class="eqno" id="{anchor}">({tags[0]})</span>'
    return f'<div class="math"><div class="formula">{math}</div>{number}</div>\n'


def repair(mathml: str) -> Tag:
    """KaTeX's MathML as browsers draw it: the `<math>` element alone, in MathML Core."""
    math = BeautifulSoup(mathml, "html.parser").find("math")
    assert isinstance(math, Tag)
    join_words(math)
    spell_variants(math)
    align_columns(math)
    space_functions(math)
    for text in math.find_all("mtext"):
        if JAPANESE.search(text.get_text()):
            text["lang"] = "ja"
    return math


def join_words(math: Tag) -> None:
    """`\\mathrm{softmax}` as one identifier: KaTeX gives one per letter, read out one by one."""
    for row in math.find_all("mrow"):
        parts = [part for part in row.children if isinstance(part, Tag)]
        letters = [part.get_text() for part in parts]
        if len(parts) > 1 and all(
            part.name == "mi" and part.get("mathvariant") == "normal" and letter.isascii()
            for part, letter in zip(parts, letters, strict=True)
        ):
            word = Tag(name="mi")
            word.string = "".join(letters)
            row.replace_with(word)


def space_functions(math: Tag) -> None:
    """The thin space of `\\log x` for KaTeX's "apply function", which fonts draw as a box."""
    for applied in math.find_all("mo", string="\u2061"):
        argument = applied.find_next_sibling()
        if argument is None or argument.get_text()[:1] in {"(", "[", "{"}:
            applied.decompose()
        else:
            applied.replace_with(Tag(name="mspace", attrs={"width": "0.167em"}))


def spell_variants(math: Tag) -> None:
    """Letters of their own for bold, script and the like: Core knows `normal` alone."""
    for part in math.select("[mathvariant]"):
        variant = str(part["mathvariant"])
        if variant in LETTERS:
            part.string = "".join(spell(char, variant) for char in part.get_text())
            del part["mathvariant"]
        elif len(part.get_text()) > 1:
            del part["mathvariant"]  # words are upright anyway


def spell(char: str, variant: str) -> str:
    """The Unicode letter for a character in a variant; the character itself where none is."""
    name = unicodedata.name(char, "")
    name = name.replace("LATIN ", "").replace("GREEK ", "").replace(" LETTER", "")
    for prefix in LETTERS[variant]:
        try:
            return unicodedata.lookup(f"{prefix} {name}")
        except KeyError:
            continue  # a few letters stand in an older block, under the other name
    return char


def align_columns(math: Tag) -> None:
    """Alignment and gaps of tables as CSS: Core dropped `columnalign` and `columnspacing`."""
    for table in math.find_all("mtable"):
        aligns = str(table.attrs.pop("columnalign", "center")).split()
        gap = str(table.attrs.pop("columnspacing", "1em")).split()
        rise = str(table.attrs.pop("rowspacing", "0.2em")).split()[0]
        for row in table.find_all("mtr", recursive=False):
            cells = row.find_all("mtd", recursive=False)
            for index, cell in enumerate(cells):
                align = aligns[min(index, len(aligns) - 1)]
                before = half(gap[min(index, len(gap)) - 1]) if index else "0"
                after = half(gap[min(index, len(gap) - 1)]) if index < len(cells) - 1 else "0"
                # browsers set rows closer together than TeX does
                leading = f"calc(.15em + {half(rise)})"
                cell["style"] = f"text-align:{align};padding:{leading} {after} {leading} {before}"


def half(length: str) -> str:
    """Half of a length in em, as CSS."""
    return f"{float(length.removesuffix('em')) / 2:g}em"


def text_of(soup: Tag | BeautifulSoup) -> set[str]:
    """The characters that a page's formulas are drawn with, letters in italics among them."""
    drawn: set[str] = set()
    for math in soup.find_all("math"):
        for string in math.find_all(string=True):
            assert isinstance(string, NavigableString)
            parent = string.parent
            if parent is None or parent.name == "annotation":
                continue
            drawn.update(string)
            # browsers show a lone letter in italics, with the letter of its own that Unicode has
            if parent.name == "mi" and len(string) == 1 and not parent.get("mathvariant"):
                drawn.add("ℎ" if string == "h" else spell(str(string), "italic"))
    return drawn
