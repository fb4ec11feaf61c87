"""Train a translator of the book from the command line, with one process or with several.

::

    python -m contextbook.train --output translator.safetensors
    torchrun --nproc-per-node 2 -m contextbook.train --batch 32 --output translator.safetensors

Both do the same: each of the processes takes its share of every batch, and
``DistributedDataParallel`` adds their gradients up. ``options`` reads the command line,
``processes`` joins the processes and says which of them failed, ``batches`` deals the same batches
to all of them, ``shared`` trains, ``__main__`` puts it together.
"""

from contextbook.train.batches import LikeLengthBatches
from contextbook.train.options import Options, parse
from contextbook.train.processes import Process, joined
from contextbook.train.shared import shared_mean, train_shared

__all__ = [
    "LikeLengthBatches",
    "Options",
    "Process",
    "joined",
    "parse",
    "shared_mean",
    "train_shared",
]
