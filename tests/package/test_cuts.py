"""The picture of one text cut in several ways."""

import pytest

from contextbook.figures import show
from contextbook.figures.cuts import UNIT, draw_cuts

DOG = "犬が".encode()


def test_rows_are_as_wide_as_their_bytes():
    rows = {"bytes": [bytes([byte]) for byte in DOG], "characters": [DOG[:3], DOG[3:]]}
    picture = show(draw_cuts(rows), "The word 犬が cut into six bytes and into two characters.")
    width, height = picture.size
    assert abs(width - 6 * UNIT) < 40
    assert height > 60


def test_rows_of_different_texts_are_refused():
    with pytest.raises(ValueError, match="cuts of one text, got 2 texts"):
        draw_cuts({"one": [DOG], "other": [DOG[:3]]})
