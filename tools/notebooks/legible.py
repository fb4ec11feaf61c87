"""Finds what a reader could not read: Markdown that only Sphinx understands, code too wide.

Jupyter and Colab show a directive as raw text; the website's column cuts a long line of code off. A
link within the book must lead to a file of it.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from mdit_py_plugins.substitution import substitution_plugin

from tools.notebooks.faults import Report
from tools.notebooks.source import Cell

_NOTE = "write a quoted block that opens with a bold word:   > **Note.** …"
_MENDS = {
    "{figure}": "let a code cell draw the picture: Colab shows no image file of a repository",
    "{image}": "let a code cell draw the picture: Colab shows no image file of a repository",
    "{math}": "write the formula between dollar signs:   $…$ or $$…$$",
    "{eq}": "say the number that the formula's \\tag{…} gives it",
    "{cite}": "name the paper in words and link to it:   [Bahdanau et al. (2015)](https://…)",
    "{ref}": "link to the notebook:   [chapter 8](08-alignment.ipynb)",
    "{doc}": "link to the notebook:   [chapter 8](08-alignment.ipynb)",
    "{code-cell}": "code cells stand on their own, not in a list, a quote or an HTML block",
    "{raw-cell}": "write Markdown or a code cell",
    "{dropdown}": "write   <details><summary>…</summary>, a blank line, the text, </details>",
}
WIDEST = 88  # columns of code that fit the website's column
_CARRY_ATTRIBUTES = ("paragraph_open", "heading_open")


def check_legible(cell: Cell, report: Report) -> None:
    """Report what Jupyter cannot show in a text cell, each with its line."""
    for token in _parser().parse(cell.text):
        first, after = token.map or (0, 0)
        # the label of a formula stands on its last line
        line = cell.body + (after - 1 if token.type == "math_block_label" else first)
        if token.attrs and token.type in _CARRY_ATTRIBUTES:
            line -= 1  # the attributes stand on the line before
        for message, mend in _block_faults(token):
            report.add(line, message, mend)
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            for message, mend in (*_inline_faults(child), *_link_faults(child, report)):
                report.add(line, message, mend)
            line += child.content.count("\n")


def check_width(cell: Cell, report: Report) -> None:
    """Report lines of a code cell that the website's column cuts off."""
    for number, text in enumerate(cell.text.splitlines(), 1):
        # Japanese letters are twice as wide as Latin ones
        width = sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)
        if width > WIDEST:
            quoted = f" (quoted: {text.strip()[:40]}…)" if cell.quotes else ""
            report.add(
                cell.line_of(number),
                f"a line of code is {width} columns wide{quoted}",
                f"break it: {WIDEST} fit the page",
            )


def _parser() -> MarkdownIt:
    """Return a parser that knows the syntax to refuse, so that code and formulas are left alone."""
    parser = MarkdownIt("commonmark").enable("table")
    dollarmath_plugin(parser)
    myst_block_plugin(parser)
    myst_role_plugin(parser)
    colon_fence_plugin(parser)
    footnote_plugin(parser)
    substitution_plugin(parser)
    attrs_plugin(parser, spans=True)
    attrs_block_plugin(parser)
    return parser


def _block_faults(token: Token) -> Iterator[tuple[str, str]]:
    if token.type == "colon_fence":
        name = re.match(r"\{[^}]*\}", token.info.strip())
        known = name.group() if name else ""
        yield f"the directive :::{known} shows as raw text", _MENDS.get(known, _NOTE)
    elif token.type == "fence" and token.info.strip().startswith("{"):
        known = token.info.strip().split("}")[0] + "}"
        yield f"the directive {token.markup}{known} shows as raw text", _MENDS.get(known, _NOTE)
    elif token.type == "myst_target":
        yield (
            f"the target ({token.content})= shows as raw text",
            "delete it: a heading can be linked to by its own name",
        )
    elif token.type == "math_block_label":
        yield (
            f"the label ({token.info}) after $$ shows as raw text",
            "number the formula with \\tag{9.1} before the closing $$",
        )
    elif token.type == "myst_line_comment":
        yield "a comment that opens with % shows as text", "write   <!-- … -->"
    elif token.type == "substitution_block":
        yield f"the substitution {{{{{token.content}}}}} shows as raw text", "write its text"
    elif token.attrs and token.type in _CARRY_ATTRIBUTES:
        yield "a line of attributes {…} shows as raw text", "delete it"


def _inline_faults(token: Token) -> Iterator[tuple[str, str]]:
    if token.type == "myst_role":
        role = "{" + token.meta["name"] + "}"
        family = "{" + token.meta["name"].split(":")[0] + "}"
        mend = _MENDS.get(family, "write plain Markdown or HTML, as in   <kbd>Shift</kbd>")
        yield f"the role {role} shows as raw text", mend
    elif token.type == "image":
        yield (
            f"the image {token.attrs.get('src')} does not show in Colab",
            "let a code cell draw the picture",
        )
    elif token.type == "footnote_ref":
        yield "footnotes show as raw text", "say it in the text, or link to the source"
    elif token.type == "substitution_inline":
        yield f"the substitution {{{{{token.content}}}}} shows as raw text", "write its text"
    elif token.type == "span_open" or (token.type == "link_open" and "class" in token.attrs):
        yield (
            "attributes in braces show as raw text",
            'write HTML, as in   <span lang="ja">犬</span>',
        )


def _link_faults(token: Token, report: Report) -> Iterator[tuple[str, str]]:
    """Report a link to a file that the book lacks, as seen from the notebook's folder."""
    address = str(token.attrs.get("href", "")) if token.type == "link_open" else ""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or not parts.path:
        return
    chapters = report.file.parent
    folder = report.root / "notebooks" / chapters.name
    target = (folder / unquote(parts.path)).resolve()
    if target.parent == folder.resolve() and target.suffix == ".ipynb":
        known = [source.stem for source in sorted(chapters.glob("*.md"))]
        if target.stem not in known:
            near = difflib.get_close_matches(target.stem, known, n=1, cutoff=0.5)
            mend = f"did you mean {near[0]}.ipynb?" if near else f"chapters are: {', '.join(known)}"
            yield f"the link to {address} leads to no chapter", mend
    elif not target.exists():
        yield (
            f"the link to {address} leads to no file",
            "give its place as seen from the notebook, as in   ../../book/glossary.md",
        )
