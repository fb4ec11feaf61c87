"""The whole build: Jupyter Book, strictly and without executing anything, then the levers."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import yaml

from tools.config import read_repository
from tools.site import japanese, missing
from tools.site.levers import (
    accessibility,
    figures,
    fonts,
    glossary,
    head,
    images,
    launch,
    neighbours,
    notes,
    paper,
    scripts,
    styles,
)
from tools.site.page import ASSETS, Page, pages

ROOT = Path(__file__).parents[2]

# Each does one thing to one page; none needs another to have run.
LEVERS: tuple[Callable[[Page], None], ...] = (
    head.describe,
    head.describe_card,
    head.say_title_once,
    head.resolve_scheme,
    head.keep_one_viewport,
    head.drop_thebe,
    scripts.drop_needless,
    scripts.keep_search_on_its_page,
    scripts.drop_repeated,
    images.prepare_images,
    figures.make_places,
    figures.load_figures,
    notes.box_notes,
    accessibility.drop_left_overs,
    accessibility.name_controls,
    accessibility.mark_regions,
    accessibility.drop_citation_roles,
    accessibility.word_cells,
    paper.note_links,
)

REDIRECT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta http-equiv="refresh" content="0; url={target}">
<link rel="canonical" href="{target}">
</head>
<body><p><a href="{target}">{title}</a></p></body>
</html>
"""


def build(source: Path = ROOT, output: Path | None = None, quiet: bool = True) -> Path:
    """Build the website.

    Args:
        source: folder with `_config.yml` and `_toc.yml`.
        output: where `_build` comes to lie; `source` when `None`. What was there is removed
            first: Sphinx leaves pages that the book no longer has.
        quiet: whether to show warnings alone.

    Returns:
        The folder of the site, `<output>/_build/html`.

    Raises:
        subprocess.CalledProcessError: Jupyter Book found something wrong; it has been printed.
        ValueError: a page breaks one of the levers' rules, or a notebook installs the package from
            another address than `_config.yml` names; the message names page and mend.
    """
    launch.check_setups(source, read_repository(source))
    built = (output or source) / "_build"
    root = built / "html"
    for folder in (root, built / ".doctrees", built / "jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)
    run_jupyter_book(source, output or source, quiet)
    figures.copy_bundles(source, root)
    finish(source, root.resolve())
    return root


def run_jupyter_book(source: Path, output: Path, quiet: bool) -> None:
    """Jupyter Book with warnings as errors, links checked, and all of them shown at once."""
    start = "from jupyter_book.cli.main import main; main()"  # it cannot be run as a module
    command = [sys.executable, "-c", start, "build", str(source)]
    command += ["--path-output", str(output), "-W", "-n", "--keep-going"]
    output_stream = subprocess.DEVNULL if quiet else None  # warnings come on the other one
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    subprocess.run(command, env=environment, check=True, stdout=output_stream)


def finish(source: Path, root: Path) -> None:
    """Pull the levers on the pages that Jupyter Book has written."""
    config = yaml.safe_load((source / "_config.yml").read_text("utf8"))
    repository = read_repository(source)
    site = list(pages(root))
    terms = glossary.read_terms(site)
    for page in site:
        head.describe_notebook(page, source)
        for lever in LEVERS:
            lever(page)
    teasers = neighbours.read_teasers(site)
    for page in site:
        neighbours.add_teasers(page, teasers)
        glossary.link_terms(page, terms)
        launch.add_launch(page, source, repository)
        japanese.mark(page.soup)
    scripts.join_scripts(site, root)
    css = styles.join_styles(site, root, (root / scripts.BUNDLE).read_text("utf8"))
    fonts.cut_icon_font(css, root)
    fonts.cut_math_font(site, root)
    for page in site:
        missing.set_base(page, repository.pages)
        page.save()
    sweep(root, [css, *(str(page.soup) for page in site)])
    write_redirect(source, root, str(config["title"]))


def sweep(root: Path, texts: list[str]) -> None:
    """Delete the assets that no page or stylesheet names: themes bring two megabytes of them.

    The figures' scripts stay: the loader asks for them by name.
    """
    everything = "\n".join(texts)
    for path in sorted((root / ASSETS).rglob("*"), reverse=True):
        if path.is_relative_to(root / figures.FOLDER):
            continue
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(root / ASSETS).as_posix() not in everything:
            path.unlink()


def write_redirect(source: Path, root: Path, title: str) -> None:
    """The site's front door leads to the welcome page; Jupyter Book's redirect has no language."""
    front = yaml.safe_load((source / "_toc.yml").read_text("utf8"))["root"]
    (root / "index.html").write_text(REDIRECT.format(title=title, target=f"{front}.html"), "utf8")
