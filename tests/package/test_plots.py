"""Plots: one style, legible on light and dark pages and unseen, the same bytes each time."""

import base64
import io
import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from contextbook.datasets import running_sentence
from contextbook.figures import PALETTE, label_lines, matrix, plot, show
from contextbook.figures.palette import DARK, DARK_INK, LIGHT, LIGHT_INK, ROLES, role_color, tint
from contextbook.figures.svg import relative_path, short_number

ALT = "The loss falls from 3 to 0.6 within 400 steps, quickly at first."


def loss_curve():
    fig, ax = plot(5, 3)
    steps = np.arange(400)
    noise = np.random.default_rng(0).normal(size=400)
    ax.plot(steps, 2.4 * np.exp(-steps / 80) + 0.6 + 0.03 * noise, label="損失")
    ax.set(xlabel="反復 (steps)", ylabel="loss $L(\\theta)$", title="学習曲線")
    ax.text(200, 2, "テキスト", color="black")
    ax.legend()
    return fig


@pytest.fixture(scope="module")
def picture():
    return show(loss_curve(), ALT)


# --- what a notebook and a page get ---


def test_a_picture_is_svg_with_png_and_text_beside_it(picture) -> None:
    data, metadata = picture._repr_mimebundle_()
    assert list(data) == ["image/svg+xml", "image/png", "text/plain"]
    assert data["text/plain"] == repr(picture) == f"Figure: {ALT}"
    assert metadata == {"image/png": {"width": 480, "height": 288}}
    image = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert image.size == (720, 432)
    corner = image.convert("RGBA").getpixel((2, 2))
    assert corner == (255, 255, 255, 255)  # light and opaque: ink can be read wherever it is put
    assert len(picture.png) < 25_000


def test_the_svg_says_its_size_and_what_it_shows(picture) -> None:
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == ALT
    assert (root.get("width"), root.get("height")) == ("480", "288")
    assert root.get("viewBox") == "0 0 360 216"


def test_ink_and_colours_follow_the_scheme_of_the_page(picture) -> None:
    assert "@media(prefers-color-scheme:dark)" in picture.svg
    assert "currentColor" in picture.svg
    assert "#000000" not in picture.svg
    blue = f"var(--blue,{PALETTE['blue']})"
    assert f"stroke:{blue}" in picture.svg
    assert f"--blue:{PALETTE['blue']};" in picture.svg
    assert f"--blue:{DARK['blue']};" in picture.svg
    outside = picture.svg[picture.svg.index("</style>") :]
    fixed = set(re.findall(r"(?<!,)#[0-9a-f]{6}\b", outside))
    assert fixed == set()  # no colour that a dark page could not change
    selectors = re.findall(r"([^{}]+)\{", re.search(r"<style>(.*?)</style>", picture.svg)[1])
    # shown inline, an SVG's style reaches the page around it
    assert set(selectors) == {".contextbook-figure", "@media(prefers-color-scheme:dark)"}


def test_text_is_drawn_as_outlines(picture) -> None:
    assert "<text" not in picture.svg
    assert "font-family" not in picture.svg
    assert "IPAexGothic" in picture.svg


def test_every_reference_has_its_target(picture) -> None:
    ids = set(re.findall(r'\bid="([^"]+)"', picture.svg))
    references = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', picture.svg)
    assert ids == {a or b for a, b in references}


def test_a_line_plot_is_small(picture) -> None:
    assert len(picture.svg) < 40_000


def test_two_processes_give_the_same_bytes() -> None:
    code = (
        "import hashlib, sys; sys.path[:0] = ['tests/package', '.']\n"
        "from test_plots import ALT, loss_curve, show\n"
        "p = show(loss_curve(), ALT)\n"
        "print(hashlib.sha256(p.svg.encode() + p.png).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                "PYTHONHASHSEED": seed,
                "PATH": "",
                "HOME": "/nonexistent",
                "MPLCONFIGDIR": config,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed, config in (("1", mpl.get_configdir()), ("2", mpl.get_configdir()))
    ]
    assert len(set(runs)) == 1


def test_drawing_a_plot_needs_neither_torch_nor_pyplot() -> None:
    code = (
        "import sys\nfrom contextbook.figures import plot, show\n"
        "show(plot()[0], 'two empty axes, to see what is imported')\n"
        "assert 'torch' not in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_the_readers_own_style_is_left_alone() -> None:
    before = dict(mpl.rcParams)
    show(loss_curve(), ALT)
    assert dict(mpl.rcParams) == before


def test_a_pyplot_figure_is_not_shown_a_second_time() -> None:
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    ax.plot([1, 2])
    show(figure, ALT)
    assert not plt.fignum_exists(figure.number)


# --- errors ---


@pytest.mark.parametrize(
    ("alt", "message"),
    [
        ("", "too short"),
        ("  \n ", "too short"),
        ("loss over steps", "too short"),
        ("figures/loss_of_the_chapter.png", "file's name"),
        ("Plot of the loss over 400 steps", "announces a picture"),
        ("An image of the loss over 400 steps", "announces a picture"),
        ("the figure showing the loss over steps", "announces a picture"),
    ],
)
def test_an_alt_that_says_nothing_is_refused(alt: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        show(plot()[0], alt)


def test_a_japanese_alt_may_be_shorter_and_line_breaks_are_joined() -> None:
    assert show(plot(2, 1)[0], "損失は四百歩で三分の一に下がる").alt
    assert show(plot(2, 1)[0], "Loss falls,\n    quickly at first.").alt == (
        "Loss falls, quickly at first."
    )


@pytest.mark.parametrize("label", ["丸 \U0001f9ff", "bead \U0001f9ff $x$", "$犬$"])
def test_a_character_without_a_glyph_is_an_error(label: str) -> None:
    fig, ax = plot()
    ax.set_xlabel(label)
    with pytest.raises(ValueError, match=r"(?i)glyph|unknown symbol"):
        show(fig, ALT)


def test_japanese_beside_a_formula_has_glyphs() -> None:
    fig, ax = plot()
    ax.set_xlabel("損失 $L(\\theta)$")
    assert "IPAexGothic" in show(fig, ALT).svg


def test_what_would_be_cut_off_is_refused() -> None:
    figure, ax = plot(width=4, height=2)
    ax.plot([0, 1])
    ax.text(0.5, 1.6, "far above the axes")
    with pytest.raises(ValueError, match=r"cut off at the top of a plot of 4 × 2 inches, by 0\.\d"):
        show(figure, "A line that rises, and a label that nobody would see.")
    ax.set_ylim(0, 2)  # now it stands within them
    assert show(figure, "A line that rises, and a label above its middle.").svg


def test_too_many_points_are_refused() -> None:
    fig, ax = plot()
    ax.plot(np.random.default_rng(0).normal(size=30_000), ".")
    with pytest.raises(ValueError, match="draw fewer points"):
        show(fig, ALT)


@pytest.mark.parametrize(("arguments", "message"), [((640, 400), "inches"), ((5, 0), "inches")])
def test_impossible_sizes_are_refused(arguments, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plot(*arguments)
    with pytest.raises(ValueError, match="columns must be at least 1, got 0"):
        plot(columns=0)


# --- parts ---


def test_several_columns_come_as_a_list() -> None:
    _, axes = plot(columns=2)
    assert len(axes) == 2
    assert not axes[0].spines["top"].get_visible()


def test_labels_at_line_ends_do_not_overlap_and_have_their_lines_colour() -> None:
    fig, ax = plot(5, 3)
    for i in range(5):
        ax.plot([0, 1, 2], [0, 1, 1 + i * 0.001], label=f"線 {i}")
    ax.plot([0, 2], [0, 2])  # without a label
    label_lines(ax)
    fig.draw_without_rendering()
    boxes = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
    assert len(boxes) == 5
    for lower, upper in itertools.pairwise(boxes):
        assert upper.y0 >= lower.y1 - 1.5
    assert [text.get_color() for text in ax.texts] == list(PALETTE.values())
    with pytest.raises(ValueError, match="no line to label"):
        label_lines(plot()[1])


def test_a_matrix_is_small_and_more_weight_is_more_ink() -> None:
    tokens = [word.text for word in running_sentence()]
    weights = np.random.default_rng(0).dirichlet(np.ones(13), 13)
    fig, ax = plot(5.4, 5)
    matrix(ax, weights, rows=tokens, columns=tokens, scale_label="weight")
    assert len(show(fig, ALT).svg) < 40_000
    fig, ax = plot(3, 3)
    matrix(ax, [[0.0, 0.25], [0.5, 1.0]], ["a", "b"], ["c", "d"])
    alphas = [patch.get_alpha() for patch in ax.patches]
    assert alphas == [0.25, 0.5, 1.0]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["c", "d"]


def test_a_matrix_of_signed_numbers_and_tensors() -> None:
    import torch

    fig, ax = plot(3, 3)
    state = torch.tensor([[-1.0, 0.5]], requires_grad=True)
    matrix(ax, state, ["h"], ["1", "2"], signed=True, numbers=True)
    colours = {patch.get_facecolor()[:3] for patch in ax.patches}
    assert len(colours) == 2
    assert [text.get_text() for text in ax.texts] == ["−1.00", "0.50"]
    assert show(fig, ALT).svg


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[1.0, 0.0]], r"shape \(1, 2\) do not fit 2 row labels and 2 column labels"),
        ([[1.0, float("nan")], [0, 1]], "1 NaN or infinite"),
        ([[1.0, -0.5], [0, 1]], "go down to -0.5: pass signed=True"),
    ],
)
def test_a_matrix_that_cannot_be_drawn_is_refused(weights, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        matrix(plot()[1], weights, ["a", "b"], ["c", "d"])


# --- colours ---


def _linear(color: str) -> np.ndarray:
    channels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.1."""
    dark, light = sorted(_linear(color) @ [0.2126, 0.7152, 0.0722] for color in (one, other))
    return (light + 0.05) / (dark + 0.05)


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB
SIGHT = {
    "all cones": np.eye(3),
    "no red cones": np.array(
        [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]
    ),
    "no green cones": np.array(
        [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]
    ),
    "no blue cones": np.array(
        [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]
    ),
}
_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])


def _lab(linear: np.ndarray) -> np.ndarray:
    x, y, z = np.cbrt(_XYZ @ np.clip(linear, 0, 1) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


SCHEMES = [(LIGHT, LIGHT_INK), (DARK, DARK_INK)]


@pytest.mark.parametrize(("colors", "ink"), SCHEMES)
def test_labels_in_any_colour_can_be_read(colors: dict[str, str], ink: str) -> None:
    for name in (*PALETTE, "quiet"):
        assert contrast(colors[name], colors["paper"]) >= 4.5, name
        assert contrast(ink, colors[f"{name}-tint"]) >= 6, name


@pytest.mark.parametrize(("colors", "ink"), SCHEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_any_two_colours_can_be_told_apart(colors, ink: str, sight: str) -> None:
    seen = {
        name: _lab(SIGHT[sight] @ _linear(color))
        for name, color in [("ink", ink), *((name, colors[name]) for name in PALETTE)]
    }
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 10, (one, other)


def test_roles_have_colours_of_the_palette() -> None:
    for role in ROLES:
        assert role_color(role) in {*PALETTE, "quiet"}
    with pytest.raises(ValueError, match="no role or colour 'verb'"):
        role_color("verb")
    with pytest.raises(ValueError, match="no colour 'mauve'"):
        tint("mauve")


# --- shrinking ---


def test_relative_paths_end_where_absolute_ones_do() -> None:
    assert relative_path("M 1 2 L 3.004 4 L 3 -1.5 z M 1 1 Q 2 2 3 1 ", 1.0, 2) == (
        "m1 2l2 2 0-5.5zm0-1q1 1 2 0"
    )
    assert relative_path("M 1000 2004 L 1500 2996", 0.1, 0) == "m100 200l50 100"
    with pytest.raises(ValueError, match="'A'"):
        relative_path("M 0 0 A 1 1 0 0 0 1 1", 1.0, 2)


@pytest.mark.parametrize(
    ("number", "text"), [(-0.5, "-.5"), (0.25, ".25"), (3.0, "3"), (-0.001, "0"), (100, "100")]
)
def test_numbers_are_written_short(number: float, text: str) -> None:
    assert short_number(number) == text
