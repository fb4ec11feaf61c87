"""Batches of sentences of like length, dealt in the same order to every process."""

import hashlib
from collections.abc import Sequence
from typing import Any

import torch


class LikeLengthBatches:
    """Deal rows of like length together, so that little of a batch is padding.

    ``next`` returns the rows of a whole batch; the processes of a training share it out among them,
    so that the order depends on the size of the whole batch, and not on their number. It is the
    order of :func:`contextbook.translation.train_translator`.

    Args:
        lengths: of each sentence.
        batch_size: rows in a batch, those of all processes together.
        seed: of the order.

    Raises:
        ValueError: there are no sentences, or a batch would have none.
    """

    def __init__(self, lengths: Sequence[int], batch_size: int, seed: int = 0) -> None:
        if not lengths or batch_size < 1:
            raise ValueError(
                f"needs at least one sentence and one a batch, got {len(lengths)} sentences and "
                f"batch_size {batch_size}"
            )
        self.generator = torch.Generator().manual_seed(seed)
        chance = torch.rand(len(lengths), generator=self.generator).tolist()
        order = sorted(range(len(lengths)), key=lambda row: (lengths[row], chance[row]))
        starts = range(0, len(order), batch_size)
        self.batches = [order[first : first + batch_size] for first in starts]
        self.batch_size = batch_size
        self.waiting: list[int] = []  # numbers of the batches that are still to be dealt
        self._source = {
            "seed": seed,
            "sentences": len(lengths),
            "lengths": hashlib.sha256(repr(list(lengths)).encode()).hexdigest()[:16],
        }

    def __next__(self) -> list[int]:
        """Return the rows of the next batch."""
        if not self.waiting:
            self.waiting = torch.randperm(len(self.batches), generator=self.generator).tolist()
        return self.batches[self.waiting.pop()]

    def state_dict(self) -> dict[str, Any]:
        """Return what is still to be dealt, and from what the next pass is shuffled."""
        return {
            "source": dict(self._source),
            "batch_size": self.batch_size,
            "waiting": list(self.waiting),
            "generator": self.generator.get_state(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a saved state, with as many processes as you like.

        Raises:
            ValueError: it is the state of other sentences, another seed or another size.
        """
        if state["source"] != self._source:
            raise ValueError(
                f"the batches were dealt from {state['source']}, and are now from {self._source}: "
                "resume with the same data and seed, or train anew"
            )
        if state["batch_size"] != self.batch_size:
            raise ValueError(
                f"an update took {state['batch_size']} sentences, and would now take "
                f"{self.batch_size}: choose the batch so that batch times processes is "
                f"{state['batch_size']} again"
            )
        self.waiting = list(state["waiting"])
        self.generator.set_state(state["generator"])
