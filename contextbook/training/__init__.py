"""Training: the one loop of the whole book, and what it can be given.

The simple call is ``train(model, loss, steps)``: ``loss`` draws a batch and returns its loss, and
:func:`train` makes it small. Everything else is asked for by name::

    generator = seeded(0)
    model = Translator(...).to(best_device())
    history = train(
        model,
        lambda ids: model.loss(pairs[ids]),
        steps=2000,
        batches=ShuffledBatches(len(pairs), 64, generator),
        generator=generator,
        schedule=linear_decay(2000, warmup=100),
        clip_norm=1.0,
        validation=Validation(lambda: {"loss": held_out_loss(model)}, every=100, patience=5),
        checkpoint=Checkpoint("translator.pt", every=200),
    )

``loop`` trains, ``run`` holds what a training consists of, ``clipping`` measures and clips the
gradient, ``schedules`` and ``validation`` say how fast and how long, ``batches`` deals out data,
``checkpoint`` and ``settings`` write a run to disk and take it up again, ``seeds`` and ``device``
are where it starts; ``precision`` computes in 16 bits where a GPU is faster for it.
"""

from contextbook.training.batches import ShuffledBatches
from contextbook.training.checkpoint import Checkpoint
from contextbook.training.clipping import clip_gradients, gradient_norm
from contextbook.training.device import best_device
from contextbook.training.loop import train
from contextbook.training.precision import half_precision, mixed_precision
from contextbook.training.run import History
from contextbook.training.schedules import (
    Schedule,
    constant,
    inverse_sqrt_decay,
    linear_decay,
)
from contextbook.training.seeds import seeded
from contextbook.training.validation import Validation

__all__ = [
    "Checkpoint",
    "History",
    "Schedule",
    "ShuffledBatches",
    "Validation",
    "best_device",
    "clip_gradients",
    "constant",
    "gradient_norm",
    "half_precision",
    "inverse_sqrt_decay",
    "linear_decay",
    "mixed_precision",
    "seeded",
    "train",
]
