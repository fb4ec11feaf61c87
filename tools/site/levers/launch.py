"""Under a chapter's title: open it in Colab, or download it."""

import json
import re
from pathlib import Path
from urllib.parse import quote, urlsplit

from bs4 import Tag

from tools.config import Repository
from tools.site.page import Page

COLAB = "https://colab.research.google.com/github"
INSTALL = re.compile(r'%pip install .*@ (git\+[^"\s]+)"')


def colab_address(repository: Repository, path: str) -> str:
    """Where Colab opens a file of the repository.

    Args:
        repository: address (of GitHub, which Colab reads) and branch, from `_config.yml`.
        path: the notebook, from the repository's root.

    Raises:
        ValueError: the address is not one of GitHub's.
    """
    parts = urlsplit(repository.url)
    name = parts.path.strip("/")
    if parts.hostname != "github.com" or name.count("/") != 1:
        raise ValueError(
            f"repository.url in _config.yml is {repository.url!r}: Colab opens notebooks "
            "from addresses like https://github.com/OWNER/NAME"
        )
    return f"{COLAB}/{name}/blob/{quote(repository.branch)}/{quote(path)}"


def check_setups(source: Path, repository: Repository) -> None:
    """Check that Colab would install the package from where its button takes the notebook.

    Raises:
        ValueError: a set-up cell names another address than `_config.yml`.
    """
    for path in sorted((source / "notebooks").glob("*/*.ipynb")):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            found = INSTALL.search("".join(cell["source"])) if cell.get("id") == "setup" else None
            if found and found[1] != repository.install:
                raise ValueError(
                    f"the set-up cell of {path.relative_to(source)} installs from {found[1]}, but "
                    f"_config.yml says {repository.install}. Run `make notebooks`, which writes "
                    "these cells anew and runs none for it, and commit the notebooks."
                )


def add_launch(page: Page, source: Path, repository: Repository) -> None:
    """Put the two links under the title of a page that is a notebook; drop the theme's menu."""
    for menu in page.soup.select(".dropdown-download-buttons"):
        menu.decompose()
    path = f"{page.name}.ipynb"
    title = page.soup.select_one("article h1")
    if not (source / path).is_file() or title is None:
        return
    links: Tag = page.tag("p", class_="launch")
    links.append(
        page.tag("a", "Open in Colab", class_="colab", href=colab_address(repository, path))
    )
    download = page.tag("a", "Download the notebook", href=f"{page.up}_sources/{path}", download="")
    links.append(download)
    title.insert_after(links)
