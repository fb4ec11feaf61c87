"""The matrix of versions: what pip is asked for, and which warnings are errors."""

from pathlib import Path

import pytest
from packaging.version import Version

from tools import matrix

pytest_plugins = ["pytester"]


def test_every_dependency_has_a_lower_bound_and_no_other():
    bounds = matrix.lower_bounds()
    assert {"numpy", "matplotlib", "ipywidgets", "torch"} <= bounds.keys()
    # before, fused attention gave NaN where a query may attend to nothing
    assert Version(bounds["torch"]) >= Version("2.5")
    # what Colab has must do
    assert Version(bounds["ipywidgets"]) <= Version("7.7.1")
    for line in (matrix.ROOT / "tests" / "colab" / "colab.txt").read_text("utf8").splitlines():
        name, _, version = line.partition("==")
        if name in bounds:
            assert Version(bounds[name]) <= Version(version)


@pytest.mark.parametrize("bound", ["numpy", "numpy>=1.26,<3", "numpy==2.0"])
def test_a_bound_of_another_kind_is_refused(tmp_path: Path, bound: str):
    (tmp_path / "pyproject.toml").write_text(f'[project]\ndependencies = ["{bound}"]\n', "utf8")
    with pytest.raises(ValueError, match=f"'{bound}' must give one lower bound"):
        matrix.lower_bounds(tmp_path)


def test_pip_is_asked_for_the_oldest_or_whatever_is_newest():
    bounds = {"numpy": "1.26", "torch": "2.5"}
    assert matrix.requirements("oldest", bounds, torch=False) == ["numpy==1.26"]
    assert matrix.requirements("oldest", bounds, torch=True) == ["numpy==1.26", "torch==2.5"]
    assert matrix.requirements("newest", bounds, torch=True) == ["numpy", "torch"]


def test_what_our_own_code_earns_is_an_error_and_nothing_else(pytester: pytest.Pytester):
    warn = "import warnings\ndef old(): warnings.warn('old', {}, stacklevel=2)\n"
    pytester.makepyfile(
        library=warn.format("DeprecationWarning"),
        contextbook_part="import library\ndef use(): library.old()\n",
        others="import library\ndef use(): library.old()\n",
        test_use="""
            import contextbook_part, others
            def test_others(): others.use()
            def test_ours(): contextbook_part.use()
        """,
    )
    result = pytester.runpytest("-o", f"filterwarnings={matrix.STRICT}", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*DeprecationWarning: old*"])
