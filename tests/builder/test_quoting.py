"""What a quote shows."""

import ast

from builder_project import Project

from tools.notebooks.quote import quote_all


def test_decorators_stay_and_the_docstring_is_cut_to_its_first_line(project: Project) -> None:
    assert (
        quote_all(project.root, ("contextbook.sums.total",))
        == '''\
@cache
def total(numbers: tuple[int, ...]) -> int:
    """Add the numbers up."""
    check_numbers(numbers, LIMIT)
    return sum(numbers)'''
    )


def test_a_class_keeps_its_methods_and_blank_lines(project: Project) -> None:
    assert (
        quote_all(project.root, ("contextbook.sums.Counter",))
        == '''\
class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.value = 0

    def up(self) -> int:
        """Count one up."""
        self.value += STEP
        return self.value'''
    )


def test_constants_stand_together_and_definitions_apart(project: Project) -> None:
    names = ("LIMIT", "STEP", "total", "LIMIT")
    text = quote_all(project.root, tuple(f"contextbook.sums.{name}" for name in names))
    assert text.startswith(
        "LIMIT = 3  # more than that is refused\nSTEP: int = 1\n\n\n@cache\ndef total("
    )
    assert text.endswith("    return sum(numbers)\n\n\nLIMIT = 3  # more than that is refused")


def test_odd_docstrings_and_strings_survive(project: Project) -> None:
    source = '''\
def raw() -> str:
    r"""
    Use \\alpha and 'quotes'.

    More.
    """
    return """not a docstring
    of two lines"""


async def short() -> None: """One line."""


def bare() -> int:
    return 1
'''
    project.write("contextbook/odd.py", source)
    text = quote_all(project.root, tuple(f"contextbook.odd.{n}" for n in ("raw", "short", "bare")))
    assert '    r"""Use \\alpha and \'quotes\'."""\n' in text
    assert 'return """not a docstring\n    of two lines"""\n' in text
    assert "More" not in text
    assert [node.name for node in ast.parse(text).body] == ["raw", "short", "bare"]  # type: ignore[attr-defined]


def test_nothing_is_imported(project: Project) -> None:
    project.write("contextbook/loud.py", "import nowhere_to_be_found\nNUMBER = 1\n")
    assert quote_all(project.root, ("contextbook.loud.NUMBER",)) == "NUMBER = 1"
