"""Sphinx extension: the renderer `mathml`, directives, links to the repository, search, address.

Everything else that the site does to Jupyter Book's pages needs no Sphinx and happens after it
(`tools.site.build`).
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator

from tools.config import read_repository
from tools.site import missing
from tools.site.formulas import render
from tools.site.lists import Gallery, References
from tools.site.live_figure import LiveFigure
from tools.site.search import EnglishAndJapanese

logger = logging.getLogger(__name__)


def visit_formula(translator: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML; one that KaTeX cannot read is a warning, fatal under `-W`."""
    display = isinstance(node, nodes.math_block)
    tex = node.astext()
    try:
        translator.body.append(render(tex, display))
    except ValueError as error:
        logger.warning("formula %r: %s", tex, error, location=node, type="formula")
    raise nodes.SkipNode


class RepositoryLink(SphinxRole):
    """A link into the book's repository, as in {repository}`the README <README.md>`.

    Its address has one home, `_config.yml`. `issues` stands for the list of issues; what has no
    words of its own is shown as the file's name.
    """

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The link."""
        words, found, path = self.text.rpartition(" <")
        path = path.removesuffix(">")
        repository = read_repository(Path(self.env.app.confdir))
        address = f"{repository.url}/{path}"
        if path != "issues":
            address = f"{repository.url}/blob/{repository.branch}/{path}"
        shown = nodes.Text(words) if found else nodes.literal(path, path)
        return [nodes.reference("", "", shown, refuri=address, internal=False)], []


def set_address(app: Sphinx, config: Config) -> None:
    """Tell the sitemap, the canonical links and the social cards where the site will stand."""
    address = read_repository(Path(app.confdir)).pages
    config.html_baseurl = address
    config.ogp_site_url = address
    config.ogp_site_name = config.html_title


def setup(app: Sphinx) -> dict[str, Any]:
    """Register them; `_config.yml` chooses the renderer and the search's language."""
    app.add_html_math_renderer("mathml", (visit_formula, None), (visit_formula, None))
    app.add_directive("gallery", Gallery)
    app.add_directive("live-figure", LiveFigure)
    app.add_directive("references", References)
    app.add_role("repository", RepositoryLink())
    app.add_search_language(EnglishAndJapanese)
    app.connect("config-inited", set_address)
    app.connect("html-collect-pages", missing.collect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
