"""``contextbook.train`` with a process that fails: run by torchrun, see ``test_train.py``."""

import os
import time
from collections.abc import Sequence

import torch

from contextbook.datasets import Pair
from contextbook.seq2seq import Batch
from contextbook.train import parse
from contextbook.train.__main__ import main
from contextbook.translation import TranslationTask

FAILS_AT = 2  # the update, counted from where this run begins
SECONDS = 60  # to wait for a file

whole = TranslationTask.batch
calls = 0


def steps_saved() -> int:
    """How far the checkpoint is."""
    return len(torch.load(parse().checkpoint, weights_only=True)["history"]["loss"])


begun_at = steps_saved()


def wait_for_the_file() -> None:
    """Until the first process has saved the update before: torchrun ends it after a failure."""
    end = time.monotonic() + SECONDS
    while steps_saved() < begun_at + FAILS_AT - 1:
        if time.monotonic() > end:
            raise TimeoutError(f"no checkpoint of update {FAILS_AT - 1} after {SECONDS} s")
        time.sleep(0.05)


def batch(self: TranslationTask, pairs: Sequence[Pair]) -> Batch:
    """Make a batch, but not for ever."""
    global calls
    calls += 1
    if os.environ["RANK"] == "1" and calls == FAILS_AT:
        wait_for_the_file()
        raise RuntimeError("this disk is full of sand")
    return whole(self, pairs)


if __name__ == "__main__":
    TranslationTask.batch = batch  # type: ignore[method-assign]
    main()
