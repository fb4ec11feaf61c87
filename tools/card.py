"""`python -m tools.card`: draw the card that other sites show beside a link to the book.

It is a PNG, since no site takes an SVG there, of the size that they ask for.
"""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch

from contextbook.datasets import running_sentence
from contextbook.figures.palette import PALETTE
from contextbook.figures.style import book_style

CARD = Path(__file__).parent / "site" / "assets" / "card.png"
WIDTH, HEIGHT, DPI = 1200, 630, 100
# from which word to which, and how strongly: verbs ask for their subjects and objects
ARCS = ((2, 0, 5.0), (9, 0, 3.0), (9, 6, 5.0), (9, 2, 1.5), (6, 0, 1.5))


def draw_card(path: Path = CARD) -> None:
    """Draw title, question and the running sentence with arcs between its words."""
    with book_style():
        figure = plt.figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor="white")
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, HEIGHT))
        axes.axis("off")
        axes.text(70, 535, "How Context Travels", fontsize=50, weight="bold", color="black")
        axes.text(70, 475, "from tokens to the Transformer", fontsize=27, color="#444444")
        words = [word.text for word in running_sentence()]
        width = (WIDTH - 140) / sum(len(word) + 0.6 for word in words)
        centres, x = [], 70.0
        for word in words:
            step = (len(word) + 0.6) * width
            centres.append(x + step / 2)
            axes.text(centres[-1], 95, word, fontsize=34, ha="center", color="black")
            x += step
        for start, end, weight in ARCS:
            arc = FancyArrowPatch(
                (centres[start], 150),
                (centres[end], 150),
                connectionstyle="arc3,rad=0.42",
                arrowstyle="-",
                linewidth=2 * weight,
                color=PALETTE["blue"],
                alpha=0.75,
            )
            axes.add_patch(arc)
        figure.savefig(path, dpi=DPI, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    draw_card()
    print(CARD)
