"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from tools.config import ROOT

RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LONGEST = 10  # lines of a recipe's code


def recipe(title: str, language: str = "sh") -> str:
    """Return the code of the recipe under a heading."""
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", RECIPES, re.M | re.S)
    assert section, f"CONTRIBUTING.md has no recipe {title!r}"
    code = re.search(rf"^```{language}\n(.*?)^```", section.group(1), re.M | re.S)
    assert code, f"the recipe {title!r} has no {language} block"
    return code.group(1)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's files in a new folder, with the environment that exists."""
    assert (ROOT / ".venv/bin/python").exists(), "set the environment up by `make test`"
    folder = tmp_path_factory.mktemp("project")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for environment in (".venv", "widgets/node_modules"):
        (folder / environment).symlink_to(ROOT / environment)
    return folder


def surroundings(folder: Path) -> dict[str, str]:
    """The environment to run make in, as if called by hand, on the copy's own code."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    # make must not install the copy into the environment, which it shares with the project
    return kept | {"PYTHONPATH": str(folder), "SITE_READY": "", "ALL_READY": ""}


def follow(commands: str, folder: Path) -> str:
    """Run a recipe as a reader would, and return what it said."""
    done = subprocess.run(
        ["sh", "-e", "-c", commands],
        cwd=folder,
        env=surroundings(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_recipes_are_short() -> None:
    blocks = re.findall(r"^```\w+\n(.*?)^```", RECIPES, re.M | re.S)
    assert blocks
    assert all(len(block.splitlines()) <= LONGEST for block in blocks)


def test_add_a_chapter(copy: Path) -> None:
    follow(recipe("Add a chapter"), copy)
    notebook = nbformat.read(copy / "notebooks/en/13-my-chapter.ipynb", as_version=4)
    plots = [cell for cell in notebook.cells if cell.id == "plot"]
    assert "image/svg+xml" in plots[0].outputs[0].data
    page = (copy / "_build/html/notebooks/en/13-my-chapter.html").read_text(encoding="utf-8")
    assert "13. My chapter" in page
    assert "rises ever more steeply" in page  # the plot's alternative text


def test_a_chapter_cannot_be_started_twice_or_badly(copy: Path) -> None:
    for arguments, said in (
        ("NUMBER=9 NAME=other", "chapter 9 exists"),
        ("NUMBER=41 NAME=My_Chapter", "is no name"),
        ("NUMBER=0 NAME=zero", "between 1 and 99"),
    ):
        done = subprocess.run(
            f"make new-chapter {arguments}",
            shell=True,
            cwd=copy,
            env=surroundings(copy),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0
        assert said in done.stderr


def test_add_an_interactive_figure(copy: Path) -> None:
    follow(recipe("Add an interactive figure"), copy)
    assert (copy / "contextbook/widgets/static/my-figure.js").stat().st_size > 1000
    assert (copy / "contextbook/widgets/static/page/my-figure.js").exists()
    python = copy / ".venv/bin/python"
    code = "from contextbook.widgets import MyFigure; f = MyFigure(4); print(f, f.amount)"
    assert follow(f'{python} -c "{code}"', copy) == "MyFigure(figure) 4.0\n"
    follow("npm --prefix widgets run check", copy)
    made = "contextbook/widgets/__init__.py contextbook/widgets/_my_figure.py"
    follow(f"{python} -m ruff check {made} && {python} -m ruff format --check {made}", copy)


@pytest.mark.parametrize("title", ["Add a plot", "Add a schematic figure"])
def test_pictures_of_the_recipes_can_be_shown(title: str) -> None:
    lines = recipe(title, "python").rstrip().splitlines()
    picture = lines.pop()
    assert picture.startswith("show(")
    space: dict[str, object] = {}
    exec("\n".join([*lines, f"picture = {picture}"]), space)
    assert "<svg" in space["picture"].svg  # type: ignore[attr-defined]


def test_quoted_name_of_the_recipe_exists() -> None:
    from tools.notebooks.quote import quote_all

    name = re.search(r":quote: (\S+)", RECIPES)
    assert name
    assert quote_all(ROOT, (name.group(1),)).startswith("def scaled_dot_product_attention(")
