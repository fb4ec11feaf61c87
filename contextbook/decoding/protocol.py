"""What a model must offer to be decoded, and what decoding returns."""

from typing import Any, NamedTuple, Protocol

from torch import Tensor


class Decodable(Protocol):
    """A model that writes one token at a time: what each model of the book offers.

    What a state consists of is the model's own affair: hidden states, an encoder's memory, a cache.
    """

    def start(self, *source: Any) -> Any:
        """Read a batch of sources; returns the state before the first step."""

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        """Read the tokens before, ``(rows,)``; foresee the next.

        Returns:
            Log-probabilities ``(rows, V)`` of the next token, the next state, and the weights
            ``(rows, T_x)`` with which the source was attended to, or ``None``.
        """

    def reorder(self, state: Any, indices: Tensor) -> Any:
        """The state of the rows ``indices`` of the batch; a row may come repeatedly."""


class Decoded(NamedTuple):
    """What a model wrote. Of beams, fields have an axis more: ``(batch, width, …)``."""

    tokens: Tensor
    """Ids ``(batch, T_y)`` up to the stop token, which is among them; then padding."""
    lengths: Tensor
    """Number of tokens written ``(batch,)``, the stop token included."""
    scores: Tensor
    """Sum of the log-probabilities of these tokens ``(batch,)``."""
    alignments: Tensor | None
    """Weights ``(batch, T_y, T_x)``, then zeros; ``None`` without attention."""

    def ids(self, stop: int = 2) -> list[Any]:
        """The ids of each sentence as lists, without the stop token and padding."""
        if self.tokens.ndim > 2:  # a list of hypotheses for each sentence
            rows = zip(*self[:3], strict=True)
            return [Decoded(*row, None).ids(stop) for row in rows]
        pairs = zip(self.tokens.tolist(), self.lengths.tolist(), strict=True)
        written = [row[:length] for row, length in pairs]
        return [row[:-1] if row and row[-1] == stop else row for row in written]

    def best(self) -> "Decoded":
        """The best hypothesis of each sentence, of the result of a beam search."""
        if self.tokens.ndim < 3:
            return self
        alignments = None if self.alignments is None else self.alignments[:, 0]
        tokens, lengths, scores = (field[:, 0] for field in self[:3])
        return Decoded(tokens, lengths, scores, alignments)


def normalised(scores: Tensor, lengths: Tensor, alpha: float) -> Tensor:
    """Scores divided by length^α; without it, a sentence pays for each further word.

    Wu et al., *Google's Neural Machine Translation System* (2016), section 7, in its simplest
    form: 0 leaves scores as they are, 1 is the mean of the log-probabilities.
    """
    return scores / lengths.to(scores.dtype) ** alpha
