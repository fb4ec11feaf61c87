"""Models that read with a recurrent layer and answer from its states.

Three parts are put together: what makes vectors of the inputs, a layer that reads them, called as
``layer(vectors, lengths=lengths) -> (outputs, last_state)``, and what answers from a state.
"""

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn


class FromLastState(nn.Module):
    """Read to the end, then answer once: to classify a sequence.

    Args:
        embedding: makes vectors ``(batch, time, features)`` of the inputs.
        layer: reads them; a layer of :mod:`contextbook.recurrent`, or one of your own.
        head: makes the answer of a state, ``(..., H)`` to ``(..., answers)``.
    """

    def __init__(
        self,
        embedding: Callable[[Tensor], Tensor],
        layer: Callable[..., Any],
        head: Callable[[Tensor], Tensor],
    ) -> None:
        super().__init__()
        self.embedding, self.layer, self.head = embedding, layer, head

    def forward(self, inputs: Tensor, lengths: Tensor | None = None) -> Tensor:
        """From sequences ``(batch, time, ...)`` to ``(batch, answers)``."""
        _, last = self.layer(self.embedding(inputs), lengths=lengths)
        return self.head(last)


class FromEachState(FromLastState):
    """Answer at every step, from what was read so far: to predict the next.

    Arguments are those of :class:`FromLastState`.
    """

    def forward(self, inputs: Tensor, lengths: Tensor | None = None) -> Tensor:
        """From ``(batch, time, ...)`` to answers ``(batch, time, answers)``."""
        states, _ = self.layer(self.embedding(inputs), lengths=lengths)
        return self.head(states)
