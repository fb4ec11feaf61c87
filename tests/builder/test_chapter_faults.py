"""Every fault that is found without running a chapter: file, line, what is wrong, the mend."""

import pytest
from builder_project import FRONT, FRONT_LINES, Project, faults_of, said

from tools.config import read_repository
from tools.notebooks.assemble import assemble
from tools.notebooks.faults import ChapterError

HEADING = "# 1. Small\n\n"


def cell(code: str = "", *, name: str = "one", options: str = "") -> str:
    naming = f":name: {name}\n" if name else ""
    return f"```{{code-cell}} python\n{naming}{options}{code}\n```\n\n"


def faults(project: Project, body: str) -> list[tuple[int, str]]:
    project.write_chapter(HEADING + body)
    with pytest.raises(ChapterError) as raised:
        assemble(project.source, project.root)
    assert {fault.path for fault in raised.value.faults} == {"chapters_src/en/01-small.md"}
    return faults_of(raised.value)


# The body starts on line 3, after the heading and a blank line.
@pytest.mark.parametrize(
    ("body", "line", "fragments"),
    [
        pytest.param(cell("x = 1", name=""), 3, ["no name", ":name:"], id="no name"),
        pytest.param(
            cell("x = 1") + cell("y = 1"), 8, ["'one' is used twice", "line 13"], id="twice"
        ),
        pytest.param(cell("x = 1", name="a b"), 3, ["'a b' cannot name"], id="bad name"),
        pytest.param(cell("x = 1", name="7"), 3, ["7 cannot name", "quote it"], id="number"),
        pytest.param(cell("x = 1", name="x" * 51), 3, ["cannot name", "50"], id="long name"),
        pytest.param(cell("x = 1", name="setup"), 3, ["'setup' is taken"], id="set-up clash"),
        pytest.param(cell("x = 1", name="text-a"), 3, ["'text-a' is taken"], id="text clash"),
        pytest.param(
            cell("x = 1", options=":tag: [a]\n"), 3, ["option 'tag'", "mean tags?"], id="option"
        ),
        pytest.param(
            cell("x = 1", options=":tags: [hide_input]\n"),
            3,
            ["tag 'hide_input'", "mean hide-input?"],
            id="tag",
        ),
        pytest.param(
            cell("x = 1", options=":tags: hide-input\n"), 3, ["write a list"], id="tags no list"
        ),
        pytest.param(
            cell("x = 1", options=":tags: [hide-input, hide-input]\n"),
            3,
            ["given twice"],
            id="tag twice",
        ),
        pytest.param(
            cell("x = 1", options=":tags: [a\n"), 3, ["options of this cell"], id="bad YAML"
        ),
        pytest.param(cell(), 3, ["is empty"], id="empty"),
        pytest.param("```{code-cell} python\n:name: one\nx = 1\n", 3, ["never closed"], id="open"),
        pytest.param("```{code-cell} R\n:name: a\nx = 1\n```\n", 3, ["in 'R'"], id="language"),
        pytest.param("```{raw-cell}\nx\n```\n", 3, ["raw cells"], id="raw"),
        pytest.param('+++ {"a": 1}\ntext\n', 4, ["no metadata", "+++"], id="metadata"),
        pytest.param(
            cell("x = 1", options=":quote: contextbook.sums.STEP\n"),
            3,
            ["code of its own"],
            id="quote and code",
        ),
        pytest.param(cell(options=":quote: 7\n"), 3, ["quote is 7"], id="quote no string"),
        pytest.param(
            cell(options=":quote: contextbook.sums.totl\n"),
            3,
            [
                "unknown quote 'contextbook.sums.totl'",
                "contextbook/sums.py defines no 'totl'",
                "did you mean contextbook.sums.total?",
            ],
            id="unknown quote",
        ),
        pytest.param(
            cell(options=":quote: contextbook.sums.zzz\n"),
            3,
            ["it defines Counter, LIMIT, STEP"],
            id="unknown quote, nothing near",
        ),
        pytest.param(
            cell(options=":quote: contextbook.summs.total\n"),
            3,
            ["no module 'contextbook.summs'", "did you mean contextbook.sums.total"],
            id="unknown module",
        ),
        pytest.param(
            cell(options=":quote: nowhere.total\n"), 3, ["no module 'nowhere'"], id="outside"
        ),
        pytest.param(
            cell(options=":quote: contextbook.sums\n"), 3, ["is a module"], id="quoted module"
        ),
        pytest.param(
            cell(options=":quote: contextbook.sums.Counter.up\n"),
            3,
            ["lies inside Counter", "contextbook.sums.Counter"],
            id="quoted method",
        ),
        pytest.param(
            cell(options=":quote: contextbook.words.total\n"),
            3,
            ["only imported", "quote it from its home: contextbook.sums.total"],
            id="quoted import",
        ),
        pytest.param(
            cell(options=":quote: contextbook.sums.TWICE\n"),
            3,
            ["defined more than once, on lines 9 and 10"],
            id="defined twice",
        ),
        pytest.param(cell("x = (1,"), 5, ["no valid Python"], id="syntax"),
        pytest.param(cell("%%time\nx = 1"), 5, ["cell magic"], id="cell magic"),
        pytest.param(
            cell("y = 2\nprint(x)"),
            6,
            ["undefined name 'x' in cell 'one'", "define x in a cell above"],
            id="undefined",
        ),
        pytest.param(
            cell("def f():\n    return later") + cell("later = 1", name="two"),
            6,
            ["undefined name 'later'"],
            id="defined too late",
        ),
        pytest.param(cell("print(sys.path)"), 5, ["undefined name 'sys'"], id="set-up's import"),
        pytest.param(cell("from math import *"), 5, ["import * hides"], id="star"),
        pytest.param("```{note}\nx\n```\n", 3, ["```{note}", "> **Note.**"], id="directive"),
        pytest.param("~~~{figure} a.png\n~~~\n", 3, ["{figure}", "code cell draw"], id="tilde"),
        pytest.param(":::{tip}\nx\n:::\n", 3, [":::{tip}", "> **Note.**"], id="colons"),
        pytest.param("a\nb {math}`x`\n", 4, ["role {math}", "$…$"], id="role"),
        pytest.param("{cite:p}`x`\n", 3, ["role {cite:p}", "name the paper"], id="citation"),
        pytest.param("(here)=\n## A\n", 3, ["target (here)="], id="target"),
        pytest.param("$$\na\n$$ (eq)\n", 5, ["label (eq)", "\\tag{9.1}"], id="label"),
        pytest.param("text\n\n% hidden\n", 5, ["comment", "<!--"], id="comment"),
        pytest.param("a {{ b }}\n", 3, ["substitution {{b}}"], id="substitution"),
        pytest.param("{{b}}\n", 3, ["substitution {{b}}"], id="substitution block"),
        pytest.param("a[^1]\n\n[^1]: b\n", 3, ["footnotes"], id="footnote"),
        pytest.param("![a](b.png)\n", 3, ["image b.png", "Colab"], id="image"),
        pytest.param("[犬]{lang=ja}\n", 3, ["attributes", '<span lang="ja">'], id="span"),
        pytest.param("{.wide}\ntext\n", 3, ["attributes"], id="block attributes"),
        pytest.param(
            "* a\n\n  ```{code-cell} python\n  :name: a\n  ```\n", 5, ["{code-cell}"], id="nested"
        ),
    ],
)
def test_a_fault_is_told_with_line_and_mend(
    project: Project, body: str, line: int, fragments: list[str]
) -> None:
    if "used twice" in fragments[0]:  # lines in a message count from the top of the file
        fragments = [fragments[0], f"line {FRONT_LINES + 3}"]
    found = faults(project, body)
    assert len(found) == 1, found
    assert found[0][0] == line
    for fragment in fragments:
        assert fragment in found[0][1]


def test_quoted_code_must_find_its_names_in_earlier_cells(project: Project) -> None:
    quoting = cell(options=":quote: contextbook.sums.total\n")
    found = faults(project, quoting)
    assert [line for line, _ in found] == [3, 3, 3]
    for name, (_, text) in zip(("LIMIT", "cache", "check_numbers"), found, strict=True):
        assert f"undefined name '{name}' in cell 'one'" in text
        assert "the code that cell 'one' quotes uses it" in text
    imports = "from functools import cache\nfrom contextbook.checks import check_numbers\nLIMIT = 3"
    project.write_chapter(HEADING + cell(imports, name="imports") + quoting)
    assemble(project.source, project.root)


def test_magics_conditionals_and_comprehensions_are_no_faults(project: Project) -> None:
    code = "%matplotlib inline\nif True:\n    y = [a for a in range(3)]\ndisplay(y)\n!true\n"
    project.write_chapter(HEADING + cell(code))
    assemble(project.source, project.root)


def test_what_jupyter_shows_is_no_fault(project: Project) -> None:
    project.write("chapters_src/en/02-b.md", "")
    project.write_chapter(
        HEADING + "`{math}` and `` {math}`x` `` and $a_{b}$\n\n$$\na \\tag{1.1}\n$$\n\n"
        "> **Note.** b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "<details><summary>Solution</summary>\n\n```python\nx = undefined\n```\n\n</details>\n\n"
        "[chapter 2](02-b.ipynb), 5 % and <span lang=\"ja\">犬</span> f'{x}`'\n\n    {{ code }}\n"
    )
    assemble(project.source, project.root)


@pytest.mark.parametrize(
    ("link", "line", "fragments"),
    [
        (
            "a\n[x](99-none.ipynb)",
            4,
            ["99-none.ipynb leads to no chapter", "chapters are: 01-small"],
        ),
        ("[x](02-othr.ipynb#a)", 3, ["no chapter", "did you mean 02-other.ipynb?"]),
        ("[x](../../book/none.md)", 3, ["../../book/none.md leads to no file", "glossary.md"]),
        ("* [x](01-small.md)", 3, ["01-small.md leads to no file"]),
    ],
)
def test_a_link_to_nowhere_is_told_with_its_line(
    project: Project, link: str, line: int, fragments: list[str]
) -> None:
    if "othr" in link:
        project.write("chapters_src/en/02-other.md", "")
    ((found, text),) = faults(project, link + "\n")
    assert found == line
    for fragment in fragments:
        assert fragment in text


def test_links_that_lead_somewhere_are_no_faults(project: Project) -> None:
    project.write("book/glossary.md", "# Glossary\n")
    project.write("chapters_src/en/02-other.md", "")
    project.write_chapter(
        HEADING + "[a](02-other.ipynb), [b](02-other.ipynb#there), [c](#here), "
        "[d](../../book/glossary.md#term), [e](https://example.org/none), [f](mailto:a@b.org), "
        "`[g](none.ipynb)`\n"
    )
    assemble(project.source, project.root)


def test_only_the_last_chapter_ends_the_book(project: Project) -> None:
    project.write_chapter(HEADING, FRONT.replace("teaser", "closing"))
    assemble(project.source, project.root)
    project.write("chapters_src/en/02-other.md", "")
    with pytest.raises(ChapterError) as raised:
        assemble(project.source, project.root)
    (fault,) = raised.value.faults
    assert fault.line == 8
    assert "chapter.closing ends the book, but 02-other.md follows" in said(fault)
    assert "write a teaser" in fault.mend


def test_faults_inside_a_quoted_module_name_that_module(project: Project) -> None:
    def only_fault(name: str) -> tuple[str, int, str]:
        project.write_chapter(HEADING + cell(options=f":quote: contextbook.{name}\n"))
        with pytest.raises(ChapterError) as raised:
            assemble(project.source, project.root)
        (fault,) = raised.value.faults
        return fault.path, fault.line, said(fault)

    path, line, text = only_fault("relative.NUMBER")
    assert (path, line) == ("contextbook/relative.py", 3)
    assert "relative import" in text
    assert "from contextbook.… import" in text
    path, line, text = only_fault("sums.wordy")
    assert (path, line) == ("contextbook/sums.py", 44)
    assert "in more than one line" in text
    project.write("contextbook/broken.py", "x = 1\ny = (\n")
    path, line, text = only_fault("broken.x")
    assert (path, line) == ("contextbook/broken.py", 2)


@pytest.mark.parametrize("wide", ["x" * 89, "犬" * 44 + "x"], ids=["latin", "japanese"])
def test_a_line_of_code_wider_than_the_page(project: Project, wide: str) -> None:
    found = faults(project, cell(f'x = 1\n"{wide}"'))
    assert len(found) == 1
    line, text = found[0]
    assert line == 6
    assert "91 columns wide" in text
    assert "88 fit the page" in text
    project.write_chapter(HEADING + cell(f'"{"x" * 86}"'))
    assemble(project.source, project.root)


def test_all_faults_of_a_chapter_are_told_together(project: Project) -> None:
    body = "(a)=\n\n" + cell("print(x)", name="") + "```{note}\n```\n\n" + cell(name="one")
    found = faults(project, body)
    assert [line for line, _ in found] == [3, 5, 6, 9, 12]


@pytest.mark.parametrize(
    ("old", "new", "line", "fragments"),
    [
        ("  number: 1\n", "", 4, ["chapter.number is missing", "a whole number"]),
        ("number: 1", "number: one", 5, ["chapter.number is 'one'", "a whole number"]),
        ("number: 1", "number: true", 5, ["chapter.number is True"]),
        ("number: 1", "number: 2", 1, ["chapter 2 stands in a file called 01-small.md"]),
        ("title: Small", "title: 3", 6, ["chapter.title is 3", "a string"]),
        ("title: Small", "titel: Small", 6, ["unknown key 'titel'", "did you mean title?"]),
        ('needs: ["what a list is", "a sum"]', "needs: a list", 7, ["a list of Markdown strings"]),
        ('needs: ["what a list is", "a sum"]', "needs: [1]", 7, ["each must be a string"]),
        ('teaser: "A sum forgets the order."', 'teaser: ""', 8, ["chapter.teaser is ''"]),
        ("{cpu: 1, gpu: 1}", "{cpu: 1}", 9, ["chapter.minutes.gpu is missing"]),
        ("{cpu: 1, gpu: 1}", "{cpu: 0, gpu: 1}", 9, ["chapter.minutes.cpu is 0", "above 0"]),
        ("{cpu: 1, gpu: 1}", "3", 9, ["chapter.minutes.cpu is missing"]),
        ("  minutes", "  gpu: 'yes'\n  minutes", 9, ["chapter.gpu is 'yes'", "true or false"]),
        ("  minutes", "  extras: [a b]\n  minutes", 9, ["chapter.extras is ['a b']", "pyproject"]),
        ("format_name: myst", "format_name: light", 2, ["'light'", "myst"]),
        ("name: python3", "name: ir", 3, ["kernel is 'ir'"]),
        ('teaser: "A', 'teaser: A: "A', 8, ["no valid YAML", "between quotes"]),
        ('"a sum"', '"a {ref}`sum`"', 7, ["chapter.needs: the role {ref}", "link to the notebook"]),
        ("A sum forgets", "{math}`x`", 8, ["chapter.teaser: the role {math}"]),
        ("  teaser", "  closing: End.\n  teaser", 8, ["both a teaser and a closing"]),
        ('teaser: "A sum forgets the order."', 'closing: ""', 8, ["chapter.closing is ''"]),
        ("---\njupytext", "jupytext", 1, ["no front matter"]),
        ("gpu: 1}\n---", "gpu: 1}\n", 1, ["not closed"]),
    ],
)
def test_bad_front_matter(
    project: Project, old: str, new: str, line: int, fragments: list[str]
) -> None:
    assert old in FRONT
    project.write_chapter(HEADING + cell("x = 1"), FRONT.replace(old, new))
    with pytest.raises(ChapterError) as raised:
        assemble(project.source, project.root)
    wanted = [
        fault
        for fault in raised.value.faults
        if fault.line == line and all(fragment in said(fault) for fragment in fragments)
    ]
    assert wanted, str(raised.value)


def test_the_heading_must_say_number_and_title(project: Project) -> None:
    project.write_chapter("# Small\n")
    with pytest.raises(ChapterError, match=r"01-small\.md:11: .* with its heading\n.*# 1\. Small"):
        assemble(project.source, project.root)


@pytest.mark.parametrize(
    ("config", "fragment"),
    [
        ("title: x\n", "has no repository"),
        ("repository:\n  branch: main\n", "repository.url is None"),
        ("repository: {url: a, branch: 3}\n", "repository.branch is 3"),
        ("a: [\n", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_bad_repository_address(project: Project, config: str | None, fragment: str) -> None:
    path = project.root / "_config.yml"
    if config is None:
        path.unlink()
    else:
        path.write_text(config)
    with pytest.raises(ValueError, match=fragment):
        read_repository(project.root)


def test_repository_address_loses_slash_and_suffix(project: Project) -> None:
    project.write("_config.yml", "repository: {url: https://h/a/b.git, branch: main}")
    assert read_repository(project.root).url == "https://h/a/b"
