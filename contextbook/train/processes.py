"""The processes of one training: who they are, how they find each other, which of them failed.

``torchrun`` starts them and sets what they need in the environment; without it there is one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.rendezvous import rendezvous
from torch.nn.parallel import DistributedDataParallel

from contextbook.training import best_device

_FAILURE = "contextbook/failure"  # where the first that fails leaves its reason


@dataclass(frozen=True)
class Process:
    """One of the processes that train together.

    Attributes:
        rank: its number, from 0.
        size: how many there are.
        device: where it computes.
        grouped: whether the processes are joined; one alone need not be.
    """

    rank: int
    size: int
    device: torch.device
    grouped: bool = False

    @property
    def is_first(self) -> bool:
        """Whether it is the one that writes files and reports."""
        return self.rank == 0

    def total(self, values: Tensor) -> Tensor:
        """Add up the values of all processes, each of its places for itself."""
        if self.grouped:
            dist.all_reduce(values)
        return values

    def share(self, rows: list[int]) -> list[int]:
        """Its part of a batch; may be empty."""
        return rows[self.rank :: self.size]

    def wrap(self, model: nn.Module) -> Any:
        """The model, made to average its gradients over the processes."""
        return DistributedDataParallel(model) if self.grouped else model


def is_launched() -> bool:
    """Whether ``torchrun`` has started this process."""
    return "RANK" in os.environ


def choose_device(name: str, size: int = 1, local_rank: int = 0) -> torch.device:
    """Find the device of a process.

    Args:
        name: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"mps"``.
        size: number of processes.
        local_rank: its number among those of its machine; it takes the GPU of that number.

    Raises:
        ValueError: there is no such device here, or not one for each process.
    """
    device = best_device() if name == "auto" else torch.device(name)
    if device.type == "mps" and size > 1:
        if name == "auto":
            return torch.device("cpu")
        raise ValueError("several processes cannot share mps: take --device cpu")
    if device.type == "mps" and not torch.backends.mps.is_available():
        raise ValueError("there is no device mps here: take --device auto")
    if device.type == "cuda":
        found = torch.cuda.device_count()
        if not torch.cuda.is_available() or local_rank >= found:
            raise ValueError(
                f"process {local_rank} of this machine needs a GPU of its own, and there are "
                f"{found}: start fewer processes, or take --device cpu"
            )
        device = torch.device("cuda", local_rank)
        torch.cuda.set_device(device)
    return device


@contextmanager
def joined(device: str = "auto", timeout: float = 300.0) -> Iterator[Process]:
    """Join the processes that ``torchrun`` has started; without it there is one.

    One that fails says which it is and why, before the others, who wait for it, say that they stop
    because of it. ``torchrun`` then ends the run.

    Args:
        device: as in :func:`choose_device`; GPUs talk by nccl, CPUs by gloo.
        timeout: seconds after which one that waits for another gives up.

    Raises:
        ValueError: there is no such device.
        SystemExit: another process has failed.
    """
    if not is_launched():
        yield Process(0, 1, choose_device(device))
        return
    patience = timedelta(seconds=timeout)
    store, rank, size = next(rendezvous("env://", timeout=patience))
    store.set_timeout(patience)
    try:
        own = choose_device(device, size, int(os.environ.get("LOCAL_RANK", rank)))
        backend = "nccl" if own.type == "cuda" else "gloo"
        dist.init_process_group(backend, store=store, rank=rank, world_size=size, timeout=patience)
        yield Process(rank, size, own, grouped=True)
    except Exception as error:
        _explain(store, rank, size, error)
        raise
    dist.destroy_process_group()


def _explain(store: Any, rank: int, size: int, error: Exception) -> None:
    """Say who failed. Which of them was first, the store decides: it keeps one reason."""
    reason = f"rank {rank} of {size} failed: {type(error).__name__}: {error}"
    first = store.compare_set(_FAILURE, "", reason).decode()
    if first == reason:
        print(reason, file=sys.stderr, flush=True)
    else:
        # what it met itself is only the silence of the other
        print(f"rank {rank} of {size} stops, because {first}", file=sys.stderr, flush=True)
        raise SystemExit(1) from None
