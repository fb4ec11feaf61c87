"""A bench for cutting text: type, slide the number of merges, see bytes, tokens and ids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import traitlets

from contextbook.widgets._base import Figure, FigureDataError, check_number
from contextbook.words import words

MAX_TEXT = 300
MAX_MERGES = 20_000
MAX_PRESETS = 8


def _write_merges(merges: list[tuple[int, int]], _: Any) -> str:
    """Write merges as ``left,right left,right …``: eight bytes each in a saved notebook."""
    return " ".join(f"{left},{right}" for left, right in merges)


def _read_merges(written: str, _: Any) -> list[tuple[int, int]]:
    pairs = (pair.split(",") for pair in written.split())
    return [(int(left), int(right)) for left, right in pairs]


class TokenBench(Figure):
    """Byte-level BPE under the reader's hands: any text, and as many merges as one likes.

    The reader types, slides the number of merges, goes from one merge that changes the text to
    the next and back, and points at tokens. With a kernel both sides stay in step:
    ``figure.text`` and ``figure.merges_used`` can be set, ``figure.ids`` can be observed.

    Args:
        merges: pairs of ids, as :func:`contextbook.text.learn_merges` returns them. Without them:
            those that the book's own prose teaches.
        text: what is cut first; the running sentence unless given. Up to 300 characters.
        merges_used: how many of the merges are applied, the first ones; all unless given.
        presets: pairs of a label and a text, for the buttons; four unless given.

    Raises:
        ValueError: merges that are none, a text that is too long or has a lone surrogate, or more
            merges used than there are.

    Attributes:
        ids: the tokens' ids for ``text`` after ``merges_used`` merges.
    """

    _name = "token-bench"

    merges: traitlets.List[tuple[int, int]] = traitlets.List().tag(
        sync=True, to_json=_write_merges, from_json=_read_merges
    )
    text = traitlets.Unicode().tag(sync=True)
    merges_used = traitlets.Int().tag(sync=True)
    presets: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    ids = traitlets.List(traitlets.Int(), read_only=True)

    def __init__(
        self,
        merges: Sequence[tuple[int, int]] | None = None,
        text: str | None = None,
        merges_used: int | None = None,
        presets: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        from contextbook.datasets import RUNNING_SENTENCE

        merges = _prose_merges() if merges is None else merges
        super().__init__(
            merges=list(merges),
            text=RUNNING_SENTENCE if text is None else text,
            merges_used=len(merges) if merges_used is None else merges_used,
            presets=[list(preset) for preset in (_presets() if presets is None else presets)],
        )

    # first read when the figure is opened: what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {"text": self.text, "used": self.merges_used}

    @traitlets.default("height")
    def _height(self) -> int:
        return self._room(456, tokens=22, byte_cells=30, ids=20)

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return self._room(617, tokens=11, byte_cells=15, ids=9)

    def _room(self, base: int, tokens: int, byte_cells: int, ids: int) -> int:
        """Pixels for three strips that take so many tokens, bytes and ids in a line."""
        size = len(self.text.encode("utf-8"))
        rows = ((len(self.ids), tokens, 34), (size, byte_cells, 43), (len(self.ids), ids, 24))
        return base + sum(height * math.ceil(count / line) for count, line, height in rows)

    def reset(self) -> None:
        """Bring back what the figure was made with."""
        with self._together():
            self.text, self.merges_used = self.example["text"], self.example["used"]

    def _summary(self) -> str:
        return f"{len(self.merges)} merges"

    @traitlets.validate("merges")
    def _check_merges(self, proposal: Any) -> Any:
        from contextbook.text.validation import check_merges

        if self.trait_has_value("merges") and proposal["value"] != self.merges:
            raise FigureDataError("a figure keeps its merges: make another TokenBench of these")
        if len(proposal["value"]) > MAX_MERGES:
            raise FigureDataError(
                f"a page holds up to {MAX_MERGES} merges, got {len(proposal['value'])}: "
                f"pass merges[:{MAX_MERGES}]"
            )
        try:
            return check_merges(proposal["value"])
        except ValueError as error:
            raise FigureDataError(str(error)) from error

    @traitlets.validate("text", "merges_used")
    def _check(self, proposal: Any) -> Any:
        from contextbook.text.validation import check_text

        name, value = proposal["trait"].name, proposal["value"]
        if name == "merges_used":
            check_number("merges_used", value, 0, len(self.merges))
            return value
        try:
            check_text(value)
        except ValueError as error:
            raise FigureDataError(str(error)) from error
        if len(value) > MAX_TEXT:
            raise FigureDataError(
                f"text may have up to {MAX_TEXT} characters, got {len(value)}: cut it"
            )
        return value

    @traitlets.validate("presets")
    def _check_presets(self, proposal: Any) -> Any:
        presets = proposal["value"]
        for preset in presets:
            if len(preset) != 2 or not all(isinstance(part, str) for part in preset):
                raise FigureDataError(f"a preset is a label and a text, got {preset!r}")
        if len(presets) > MAX_PRESETS:
            raise FigureDataError(f"up to {MAX_PRESETS} presets, got {len(presets)}")
        return presets

    @traitlets.observe("merges", "text", "merges_used")
    def _encode(self, change: Any = None) -> None:
        """Cut the text with the book's own tokenizer."""
        from contextbook.text import ByteLevelBPE

        tokenizer = ByteLevelBPE(self.merges[: self.merges_used])
        self.set_trait("ids", tokenizer.encode(self.text))


def _prose_merges() -> list[tuple[int, int]]:
    from contextbook.datasets import prose
    from contextbook.text import learn_merges

    texts = [sentence for pair in prose.load("train") for sentence in pair]
    return learn_merges(texts, MAX_MERGES)


def _presets() -> list[tuple[str, str]]:
    from contextbook.datasets import RUNNING_SENTENCE

    label = words("token_bench").presets
    return [
        (label.running, RUNNING_SENTENCE),
        (label.english, label.english_text),
        (label.emoji, label.emoji_text),
        (label.mixed, label.mixed_text),
    ]
