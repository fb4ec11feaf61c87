"""Sphinx extension: the math renderer `mathml`, the directives, the search `en-ja`, the address.

Everything else that the site does to Jupyter Book's pages needs no Sphinx and happens after it
(`tools.site.build`).
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
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
    app.add_search_language(EnglishAndJapanese)
    app.connect("config-inited", set_address)
    app.connect("html-collect-pages", missing.collect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
