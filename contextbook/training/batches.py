"""Which examples make a batch."""

from typing import Any, Protocol

import torch
from torch import Tensor


class Batches(Protocol):
    """An endless source of batches that knows where it stands, so that it can be taken up again."""

    def __next__(self) -> Any:
        """Return the next batch."""

    def state_dict(self) -> dict[str, Any]:
        """Return where it stands: tensors, numbers, text, lists and dicts of these."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from where it stood."""


class ShuffledBatches:
    """Deal out the numbers of examples like cards: each once, then all are shuffled anew.

    ``next`` returns int64 ``(batch_size,)`` on the CPU. The last batch of a pass is smaller where
    the number of examples is no multiple of ``batch_size``.

    Args:
        size: number of examples.
        batch_size: examples in a batch.
        generator: shuffles, on the CPU.

    Raises:
        ValueError: there are no examples, or a batch would have none.
    """

    def __init__(self, size: int, batch_size: int, generator: torch.Generator) -> None:
        if size < 1 or batch_size < 1:
            raise ValueError(
                f"needs at least one example and one a batch, got size {size} and batch_size "
                f"{batch_size}"
            )
        self.size = size
        self.batch_size = batch_size
        self.generator = generator
        self.order = torch.empty(0, dtype=torch.int64)  # of what is still to be dealt

    def __iter__(self) -> "ShuffledBatches":
        """Deal without end: stop the loop yourself."""
        return self

    def __next__(self) -> Tensor:
        """Return the numbers of the next examples."""
        if not len(self.order):
            self.order = torch.randperm(self.size, generator=self.generator)
        batch, self.order = self.order[: self.batch_size], self.order[self.batch_size :]
        return batch

    def state_dict(self) -> dict[str, Any]:
        """Return what is still to be dealt in this pass, and from what the next is shuffled."""
        # a clone, since the slice would be saved with all of the pass that lies before it
        return {
            "size": self.size,
            "batch_size": self.batch_size,
            "order": self.order.clone(),
            "generator": self.generator.get_state(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a saved state.

        Raises:
            ValueError: it is the state of other data or another size of batch.
        """
        saved, own = (state["size"], state["batch_size"]), (self.size, self.batch_size)
        if saved != own:
            raise ValueError(
                "the batches were dealt from {} examples by {}, and are now from {} by {}: resume "
                "with the same data, or train anew".format(*saved, *own)
            )
        self.order = state["order"]
        self.generator.set_state(state["generator"])
