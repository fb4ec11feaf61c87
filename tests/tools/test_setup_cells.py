"""A set-up cell installs the package from the address that the book's own copy has."""

import json
import shutil
from pathlib import Path

import pytest

from tools.config import ROOT, Repository, read_repository
from tools.site.build import build
from tools.site.levers.launch import check_setups

HERE = read_repository()


def test_the_notebooks_install_from_where_the_button_takes_them() -> None:
    check_setups(ROOT, HERE)


@pytest.mark.parametrize(
    "other",
    [
        Repository("https://github.com/teacher/book", HERE.branch),
        Repository(HERE.url, "summer"),
    ],
)
def test_another_address_is_told_with_its_mend(other: Repository) -> None:
    message = f"01-tokens.ipynb installs from .*says git.{other.url}@{other.branch}. Run `make note"
    with pytest.raises(ValueError, match=message):
        check_setups(ROOT, other)


def test_the_site_is_not_built_then_and_the_old_one_stays(tmp_path: Path) -> None:
    config = (ROOT / "_config.yml").read_text("utf8")
    (tmp_path / "_config.yml").write_text(config.replace(HERE.url, "https://github.com/me/mine"))
    folder = tmp_path / "notebooks" / "en"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "notebooks/en/01-tokens.ipynb", folder)
    old = tmp_path / "_build" / "html" / "index.html"
    old.parent.mkdir(parents=True)
    old.touch()
    with pytest.raises(ValueError, match="me/mine"):
        build(tmp_path)
    assert old.exists()


def test_notebooks_without_a_set_up_cell_pass(tmp_path: Path) -> None:
    path = tmp_path / "notebooks" / "en" / "free.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cells": [{"id": "a", "source": ["1"]}, {"source": "2"}]}))
    check_setups(tmp_path, HERE)
