"""Schematics that several chapters share: a recurrent net unrolled, and the whole Transformer.

They are also the examples to start a drawing of one's own from.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextbook.figures.drawing import Drawing
from contextbook.figures.geometry import Node
from contextbook.words import words

__all__ = ["transformer", "unrolled_rnn"]


def unrolled_rnn(tokens: Sequence[str] = ("犬", "が", "歩い", "て")) -> Drawing:
    """The loop of an RNN on the left; on the right the same cell, once for each token.

    Args:
        tokens: what is read; the last stands for the last of all.

    Raises:
        ValueError: fewer than two tokens cannot show a sequence.
    """
    if len(tokens) < 2:
        raise ValueError(f"an unrolled net needs at least two tokens, got {list(tokens)}")
    w = words("schematics").unrolled_rnn
    d = Drawing()
    cell = d.box(w.cell, width=64, height=44, role="hidden")
    x = d.box("$x_t$", at=cell.bottom, gap=34, role="input")
    h = d.box("$h_t$", at=cell.top, gap=34, role="hidden")
    d.arrow(x, cell)
    d.arrow(cell, h)
    d.loop(cell, "$h_{t-1}$")
    equals = d.text("=", at=cell.right, gap=78)

    state = d.box("$h_0$", at=equals.right, gap=24, role="hidden", dashed=True)
    d.text(w.zeros, at=state.bottom, size=9, quiet=True)
    before = state
    for i, token in enumerate(tokens, 1):
        step = "T" if i == len(tokens) else str(i)
        cell = d.box(w.cell, at=before.right, gap=46, width=64, height=44, role="hidden")
        x = d.box(f"$x_{step}$", at=cell.bottom, gap=34, role="input")
        h = d.box(f"$h_{step}$", at=cell.top, gap=34, role="hidden")
        d.text(token, at=x.bottom)
        d.arrow(x, cell)
        d.arrow(cell, h)
        far = i == len(tokens) and i > 2
        d.arrow(before, cell, f"$h_{i - 1}$" if i > 1 and not far else "", dashed=far)
        before = cell
    return d


def transformer() -> Drawing:
    """Encoder and decoder of Vaswani et al. (2017), figure 1, with the shapes of what flows."""
    w = words("schematics").transformer
    d = Drawing()
    wide, apart = 164.0, 340.0

    def entrance(x: float, text: str, shape: str, side: str) -> Node:
        """Tokens, their embedding, and the sum with their positions."""
        tokens = d.text(text, at=(x, 0))
        embedding = d.box(w.embedding, at=tokens.top, gap=22, width=wide, role="embedding")
        d.arrow(tokens, embedding)
        plus = d.circle("+", at=embedding.top, gap=30)
        d.arrow(embedding, plus, shape=shape)
        d.arrow(d.text(w.positions, at=plus.on(side), gap=24), plus)
        return plus

    def sublayer(below: Node, text: str, role: str, gap: float = 38, enter: str = "") -> Node:
        """A box, and above it the sum with what bypasses the box, and the norm."""
        box = d.box(text, at=below.top, gap=gap, width=wide, role=role)
        d.arrow(below, box, enter, side="left")
        norm = d.box(w.norm, at=box.top, gap=18, width=wide, height=28, role="norm")
        d.arrow(box, norm)
        out, fork = box.right.x + 17, box.bottom.y - 17
        d.arrow((below.x, fork), norm.right, via=[(out, fork), (out, norm.y)])
        parts.append(box)
        return norm

    def tower(label: str, top: Node, side: str) -> Node:
        return d.group([*parts, top], f"{label}\nN ×", pad=28, side=side, filled=False, dashed=True)

    parts: list[Node] = []
    source = entrance(0, w.source, "(B, S, D)", "left")
    memory = sublayer(source, w.self_attention, "attention", gap=62)
    memory = sublayer(memory, w.feedforward, "feedforward")
    encoder = tower(w.encoder, memory, "left")

    parts = []
    target = entrance(apart, w.target, "(B, T, D)", "right")
    last = sublayer(target, w.masked_attention, "attention", gap=62)
    last = sublayer(last, w.cross_attention, "attention", enter="$Q$")
    cross = parts[-1]
    last = sublayer(last, w.feedforward, "feedforward")
    decoder = tower(w.decoder, last, "right")

    # what the encoder has made of the source goes into every layer of the decoder
    over, middle = encoder.top.y + 24, (encoder.right.x + decoder.left.x) / 2
    turns = [(memory.x, over), (middle, over), (middle, cross.y)]
    d.arrow(memory.top, cross.left, via=turns)
    d.text("(B, S, D)", at=((memory.x + middle) / 2, over + 11), size=9, quiet=True)
    d.text("$K$, $V$", at=((middle + decoder.left.x) / 2, cross.y + 12))

    linear = d.box(w.linear, at=last.top, gap=66, width=wide, role="linear")
    d.arrow(last, linear)
    d.text("(B, T, D)", at=(linear.x + 34, linear.bottom.y - 16), size=9, quiet=True)
    softmax = d.box(w.softmax, at=linear.top, gap=30, width=wide)
    d.arrow(linear, softmax, shape="(B, T, V)")
    d.arrow(softmax, d.text(w.probabilities, at=softmax.top, gap=22))
    return d
