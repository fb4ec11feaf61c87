"""What a check answers: right and why, or a hint at *what* is wrong, as text and as HTML."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from contextbook.words import Words, words

__all__ = ["NOT_ATTEMPTED", "PASSED", "Hint", "Verdict", "verdict_of"]

PASSED = "passed"
NOT_ATTEMPTED = "not_attempted"

# between dark and light, so that the edge shows on both kinds of page
_EDGES = {PASSED: "#1a936f", NOT_ATTEMPTED: "#7a828a"}
_EDGE_OF_HINTS = "#c2571a"
_MARKS = {PASSED: "✓", NOT_ATTEMPTED: "○"}
_MARK_OF_HINTS = "✗"


class Hint(Exception):
    """Raised inside a check as soon as it knows what is wrong.

    Args:
        kind: a key of the exercise's words, or of those that all checks share.
        values: what the words' placeholders stand for.
    """

    def __init__(self, kind: str, **values: object) -> None:
        super().__init__(kind)
        self.kind = kind
        self.values = values
        self.also: list[str] = []

    def add(self, *kinds: str) -> Hint:
        """Let further sentences follow: keys of the words that all checks share."""
        self.also += kinds
        return self


@dataclass(frozen=True)
class Verdict:
    """The answer of a check, displayed by the notebook.

    Attributes:
        exercise: name of what was checked.
        kind: ``"passed"``, ``"not_attempted"``, or what is wrong (``"scale"``, ``"shape"`` …).
        title: two or three words: right, not yet, not attempted yet.
        hint: what is wrong and where to look; after a right answer, why it is right.
    """

    exercise: str
    kind: str
    title: str
    hint: str

    @property
    def passed(self) -> bool:
        return self.kind == PASSED

    @property
    def _mark(self) -> str:
        return _MARKS.get(self.kind, _MARK_OF_HINTS)

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"{self._mark} {self.title} {self.hint}"

    def _repr_html_(self) -> str:
        hint = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(self.hint))
        hint = hint.replace("\n", "<br>")
        edge = _EDGES.get(self.kind, _EDGE_OF_HINTS)
        return (
            f'<div class="contextbook-verdict" data-kind="{html.escape(self.kind)}" '
            f'style="border-left:4px solid {edge};padding:.3em .9em">'
            f'<strong><span aria-hidden="true">{self._mark}</span> {html.escape(self.title)}'
            f"</strong> {hint}</div>"
        )


def verdict_of(exercise: str, hint: Hint, called_with: str = "") -> Verdict:
    """Put a hint into words.

    Args:
        exercise: whose words are used.
        hint: its kind is looked up among the exercise's words, then among those of all checks.
        called_with: the arguments in words, told when there are any.

    Raises:
        MissingWordError: the table of words has no such hint.
    """
    checks = words("checks")
    own: Words = checks[exercise]
    phrases = [own[hint.kind] if hint.kind in own else checks.common[hint.kind]]
    phrases += [checks.common[kind] for kind in hint.also]
    sentences = [phrase.format(**hint.values) for phrase in phrases]
    if called_with:
        sentences.append(checks.common.called_with.format(input=called_with))
    title = {PASSED: checks.common.right, NOT_ATTEMPTED: checks.common.untouched}
    return Verdict(
        exercise,
        hint.kind,
        str(title.get(hint.kind, checks.common.not_yet)),
        " ".join(sentences),
    )
