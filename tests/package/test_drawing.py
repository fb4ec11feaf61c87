"""Schematics: things stand where they should, lines meet them, and both schemes are legible."""

import io
import itertools
import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from contextbook.figures import Drawing, show
from contextbook.figures.examples import transformer, unrolled_rnn
from contextbook.figures.geometry import Anchor, Node, between, hull, placed, rounded_line, route
from contextbook.figures.lettering import measure
from contextbook.words import words

ALT = "Two boxes, and an arrow from one to the other."
EXAMPLES = {"unrolled_rnn": unrolled_rnn, "transformer": transformer}


# --- geometry ---


def test_anchors_lie_on_the_edge_and_point_away() -> None:
    node = Node(10, 20, 40, 30)
    assert node.left == Anchor(-10, 20, -1, 0)
    assert node.right == Anchor(30, 20, 1, 0)
    assert node.top == Anchor(10, 35, 0, 1)
    assert node.bottom == Anchor(10, 5, 0, -1)
    assert node.center == Anchor(10, 20)
    assert node.on("top", 0.25) == Anchor(0, 35, 0, 1)
    assert node.on("left", 1.0) == Anchor(-10, 35, -1, 0)
    with pytest.raises(ValueError, match="no side 'above': there is left, right, top, bottom"):
        node.on("above")


def test_things_stand_next_to_an_anchor_or_around_a_point() -> None:
    node = Node(0, 0, 40, 30)
    assert placed(node.top, 10, 20, 16) == Node(0, 15 + 10 + 8, 20, 16)
    assert placed(node.left, 10, 20, 16) == Node(-20 - 10 - 10, 0, 20, 16)
    assert placed(node.center, 10, 20, 16) == Node(0, 0, 20, 16)
    assert placed((5, 6), 10, 20, 16) == Node(5, 6, 20, 16)


def test_arrows_between_nodes_take_the_sides_that_face_each_other() -> None:
    a = Node(0, 0, 40, 30)
    assert between(a, Node(100, 0, 40, 30)) == (Anchor(20, 0, 1, 0), Anchor(80, 0, -1, 0))
    assert between(a, Node(0, -100, 40, 30)) == (Anchor(0, -15, 0, -1), Anchor(0, -85, 0, 1))
    # a small node above one end of a wide one: straight up, from where the small one is
    start, end = between(Node(0, 0, 200, 30), Node(60, 80, 20, 20))
    assert (start.x, end.x) == (60, 60)
    start, end = between(Node(0, 0, 20, 200), Node(80, 60, 20, 20))
    assert (start.y, end.y) == (60, 60)


def test_elbows_leave_and_enter_squarely() -> None:
    right, up = Anchor(0, 0, 1, 0), Anchor(0, 0, 0, 1)
    assert route(right, Anchor(10, 20, -1, 0)) == [(5, 0), (5, 20)]
    assert route(up, Anchor(10, 20, 0, -1)) == [(0, 10), (10, 10)]
    assert route(up, Anchor(10, 20, -1, 0)) == [(0, 20)]
    assert route(right, Anchor(10, 20, 0, -1)) == [(10, 0)]


def test_corners_are_rounded_and_ends_kept() -> None:
    path = rounded_line([(0, 0), (10, 0), (10, 4)], 6)
    assert path.vertices.tolist() == [[0, 0], [5, 0], [10, 0], [10, 2], [10, 4]]


def test_a_hull_surrounds_and_needs_something_to_surround() -> None:
    assert hull([Node(0, 0, 10, 10), Node(20, 5, 10, 20)]) == Node(10, 5, 30, 20)
    with pytest.raises(ValueError, match="at least one node"):
        hull([])


# --- text ---


def test_text_is_measured_with_its_formulas_and_spaces() -> None:
    japanese, formula = measure("猫", 10.5)[0], measure("$x_2$", 10.5)[0]
    both = measure("猫 $x_2$", 10.5)[0]
    assert both == pytest.approx(japanese + formula + 0.32 * 14, abs=0.1)
    assert measure("a\nb", 10.5)[1] > 2 * measure("a", 10.5)[1]
    with pytest.raises(ValueError, match="is not closed"):
        measure("cost: 5 $", 10.5)


def test_a_character_without_a_glyph_is_an_error() -> None:
    def draw() -> None:
        d = Drawing()
        d.box("bead \U0001f9ff")
        show(d, ALT)

    with pytest.raises(ValueError, match=r"(?i)glyph"):
        draw()


# --- drawing ---


def pixels(drawing: Drawing) -> np.ndarray:
    """The drawing in grey, one number a CSS pixel, light background, first row on top."""
    figure = drawing.to_figure()
    buffer = io.BytesIO()
    FigureCanvasAgg(figure).print_figure(buffer, format="png", dpi=96, facecolor="white")
    return np.asarray(Image.open(buffer).convert("L")).astype(int)


def test_a_box_is_as_large_as_its_text_needs() -> None:
    d = Drawing()
    narrow, wide = d.box("h"), d.box("position-wise feed-forward", at=(0, 60))
    assert narrow.width == 38
    assert wide.width == pytest.approx(measure("position-wise feed-forward", 10.5)[0] + 22)
    assert d.box("x", at=(0, 120), width=90, height=50) == Node(0, 120, 90, 50)
    assert pixels(d).shape[1] == math.ceil(wide.width + 12)


def test_an_arrow_goes_from_edge_to_edge_and_has_a_head() -> None:
    d = Drawing()
    a = d.box("", width=40, height=30)
    b = d.box("", at=a.right, gap=60, width=40, height=30)
    d.arrow(a, b)
    row = pixels(d)[6 + 15]  # through the middle
    left, right = 6 + 40, 6 + 100
    dark = row[left + 2 : right - 2] < 120
    assert dark.all()  # unbroken from edge to edge
    heights = [(pixels(d)[:, x] < 120).sum() for x in (left + 10, right - 7)]
    assert heights[1] >= heights[0] + 3  # the head is wider than the line


def test_every_way_of_an_arrow_reaches_further_than_a_straight_one() -> None:
    def size(**options) -> tuple[int, ...]:
        d = Drawing()
        a = d.box("", width=40, height=30)
        b = d.box("", at=a.right, gap=60, width=40, height=30)
        if options.pop("loop", False):
            d.loop(a, **options)
        else:
            d.arrow(a, b, **options)
        return pixels(d).shape

    height, width = size()
    assert size(curve=40)[0] > height
    assert size(via=[(50, 60)])[0] > height
    assert size(loop=True)[0] > height
    assert size(loop=True, side="left")[1] > width
    assert size(label="$h$", shape="(B, T, D)", curve=10)[0] > height


def test_stacks_cells_groups_and_brackets_take_their_room() -> None:
    def shape(make) -> tuple[int, ...]:
        d = Drawing()
        make(d, d.box("", width=60, height=30))
        return pixels(d).shape

    plain = shape(lambda d, box: None)
    assert plain == (42, 72)
    assert shape(lambda d, box: d.box("", width=60, height=30, layers=3)) == (50, 80)
    assert shape(lambda d, box: d.cells(4, at=box.top, gap=10)) == (42 + 25, 72)
    assert shape(lambda d, box: d.cells(3, at=box.top, gap=10, down=True)) == (42 + 55, 72)
    assert shape(lambda d, box: d.group([box], pad=10)) == (62, 92)
    assert shape(lambda d, box: d.bracket([box], side="bottom"))[0] > 42 + 10


def test_full_cells_are_darker() -> None:
    d = Drawing()
    d.cells(2, values=[0.0, 1.0], size=20)
    row = pixels(d)[6 + 10]
    assert row[6 + 10] == 255
    assert row[6 + 30] < 130


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda d: d.box("x", role="verb"), "no role or colour 'verb'"),
        (lambda d: d.box("x", layers=0), "at least one layer"),
        (lambda d: d.cells(0), "at least one square"),
        (lambda d: d.cells(2, values=[1.0]), "2 squares need as many values"),
        (lambda d: d.cells(2, values=[1.0, 2.0]), "from 0 to 1"),
        (lambda d: d.arrow((0, 0), (9, 9), curve=5, elbow=True), "choose one"),
        (lambda d: d.arrow((0, 0), (9, 9), "x", side="above"), "no side 'above'"),
        (lambda d: d.loop(d.box("x"), side="top"), "left or the right, not 'top'"),
        (lambda d: d.group([]), "at least one node"),
        (lambda d: d.to_figure(), "at least one node"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(Drawing())


def test_a_drawing_may_be_shown_twice_and_gives_the_same_bytes() -> None:
    drawing = unrolled_rnn()
    one, two = show(drawing, ALT), show(drawing, ALT)
    assert one.svg == two.svg == show(unrolled_rnn(), ALT).svg
    assert one.png == two.png


# --- the examples ---


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_small_and_says_what_it_shows(name: str) -> None:
    picture = show(EXAMPLES[name](), words("schematics")[name].alt)
    assert len(picture.svg) < 45_000
    assert len(picture.png) < 40_000
    root = ElementTree.fromstring(picture.svg)
    assert root.get("aria-label") == words("schematics")[name].alt
    assert int(root.get("width", "")) <= 760


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_text_runs_into_another_or_out_of_the_picture(name: str) -> None:
    figure = EXAMPLES[name]().to_figure()
    figure.draw_without_rendering()
    canvas = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent()) for text in figure.axes[0].texts]
    assert len(boxes) > 10
    for _, box in boxes:
        assert canvas.x0 <= box.x0
        assert box.x1 <= canvas.x1
        assert canvas.y0 <= box.y0
        assert box.y1 <= canvas.y1
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        # boxes are those of pixels: matplotlib before 3.11 rounds a formula's up by as much
        assert width < 3 or height < 1.5, f"{one!r} runs into {other!r}"


def test_unrolling_one_token_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at least two tokens, got \['犬'\]"):
        unrolled_rnn(["犬"])
