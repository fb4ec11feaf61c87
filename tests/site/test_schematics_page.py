"""A page that shows schematics: they follow the page's scheme and stay legible in it."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from contextbook.figures import show
from contextbook.figures.examples import transformer, unrolled_rnn
from contextbook.words import words

EXAMPLES = {"unrolled_rnn": unrolled_rnn, "transformer": transformer}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_shows_both_examples_in_its_scheme(
    browser: Browser, tmp_path: Path, scheme: str
) -> None:
    """As on the website: an ``<img>`` in a page that says its scheme, whatever the system's."""
    paper = {"light": (255, 255, 255), "dark": (20, 24, 30)}[scheme]
    images = ""
    for name, make in EXAMPLES.items():
        (tmp_path / f"{name}.svg").write_text(show(make(), words("schematics")[name].alt).svg)
        images += f'<p><img src="{name}.svg">'
    page_file = tmp_path / "page.html"
    page_file.write_text(
        f"<!doctype html><html style='color-scheme:{scheme};background:rgb{paper}'>{images}"
    )
    other = {"light": "dark", "dark": "light"}[scheme]
    page = browser.new_page(color_scheme=other)
    page.goto(page_file.as_uri())
    for i in range(2):
        image = page.locator("img").nth(i)
        shot = Image.open(io.BytesIO(image.screenshot())).convert("RGB")
        assert shot.getpixel((2, 2)) == paper  # the picture's paper is the page's
        brightness = np.asarray(shot.convert("L")).astype(int)
        ink = brightness.min() if scheme == "light" else brightness.max()
        assert abs(ink - round(np.dot(paper, (0.299, 0.587, 0.114)))) > 170  # and ink is legible
    page.close()
