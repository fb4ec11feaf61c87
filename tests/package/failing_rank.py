"""``contextbook.train`` with a process that fails: run by torchrun, see ``test_train.py``."""

import os
from collections.abc import Sequence

from contextbook.datasets import Pair
from contextbook.seq2seq import Batch
from contextbook.train.__main__ import main
from contextbook.translation import TranslationTask

FAILS_AT = 2  # the update, counted from where this run begins

whole = TranslationTask.batch
calls = 0


def batch(self: TranslationTask, pairs: Sequence[Pair]) -> Batch:
    """Make a batch, but not for ever."""
    global calls
    calls += 1
    if os.environ["RANK"] == "1" and calls == FAILS_AT:
        raise RuntimeError("this disk is full of sand")
    return whole(self, pairs)


if __name__ == "__main__":
    TranslationTask.batch = batch  # type: ignore[method-assign]
    main()
