"""A training that several processes share: each reads its part of a batch, all take one step."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from contextbook.progress import progress
from contextbook.train.batches import LikeLengthBatches
from contextbook.train.processes import Process
from contextbook.training import Checkpoint, History, linear_decay
from contextbook.training.loop import update
from contextbook.training.run import Run
from contextbook.translation import TranslationTask, to_device

PADDING = 0


def train_shared(
    model: nn.Module,
    task: TranslationTask,
    process: Process,
    *,
    steps: int,
    learning_rate: float,
    batch_size: int = 64,
    seed: int = 0,
    checkpoint: Checkpoint | None = None,
    stop_after: int | None = None,
    report: Callable[[History], None] = lambda history: None,
) -> History:
    """Train a translator as :func:`contextbook.translation.train_translator` does, together.

    Two processes with batches of 32 take the same steps, up to rounding, as one with batches of 64.
    A training goes on from its checkpoint with another number of processes, if the whole batch
    stays. Only dropout, if there is any, is drawn anew for each number of them.

    Args:
        model: on the process's device, with the same weights in all processes; trained in place.
        task: what it learns from, the same in all processes.
        process: this one.
        steps: number of updates, by which the learning rate rises and falls.
        learning_rate: Adam's, at its highest.
        batch_size: sentences that each process reads for an update.
        seed: of the order of the sentences, and of dropout.
        checkpoint: written by the first process, read by all.
        stop_after: end after so many updates, to go on later from the checkpoint.
        report: called by the first process after each update.

    Returns:
        Loss of the whole batch, learning rate and gradient norm at each step; the same in all
        processes.

    Raises:
        ValueError: as :func:`contextbook.training.train`.
    """
    lengths = [len(pair.english) for pair in task.train]
    run = Run(
        model,
        torch.optim.Adam(model.parameters(), lr=learning_rate),
        linear_decay(steps, warmup=steps // 10),
        clip_norm=1.0,
        batches=LikeLengthBatches(lengths, batch_size * process.size, seed),
    )
    if checkpoint is not None and checkpoint.resume:
        checkpoint.load(run, steps)
    model.train()
    loss = partial(_loss, process.wrap(model), task, process)
    left = range(run.step, steps if stop_after is None else min(steps, stop_after))
    # one bar for all of them
    for step in progress(left, "training", note=run.history.last) if process.is_first else left:
        torch.manual_seed(((seed << 24) + step * process.size + process.rank) % 2**63)
        update(run, loss)
        if process.is_first:
            report(run.history)
            if checkpoint is not None and run.step % checkpoint.every == 0:
                checkpoint.save(run)
    if checkpoint is not None and process.is_first:
        checkpoint.save(run)
    return run.history


def _loss(model: Any, task: TranslationTask, process: Process, rows: list[int]) -> Tensor:
    """Loss of a whole batch, of which the process reads its part."""
    own = process.share(rows)
    # without a part of its own it reads any sentence, none of whose tokens count
    batch = to_device(task.batch([task.train[row] for row in own or rows[:1]]), process.device)
    truth = batch.target_out if own else torch.full_like(batch.target_out, PADDING)
    logits = model(batch.source, batch.source_lengths, batch.target_in)[0]
    surprise = cross_entropy(
        logits.flatten(0, 1), truth.flatten(), ignore_index=PADDING, reduction="sum"
    )
    return shared_mean(surprise, (truth != PADDING).sum(), process)


def shared_mean(total: Tensor, count: Tensor, process: Process) -> Tensor:
    """The mean over what all processes have: sum of the sums by sum of the counts.

    A mean of the processes' own means would be another number: their parts of a batch have not
    equally many tokens.

    Args:
        total: sum over what this process has, with a gradient.
        count: how many that is.
        process: this one.

    Returns:
        A scalar whose value is the mean, the same in all processes, and whose gradient, averaged
        over the processes as ``DistributedDataParallel`` does it, is the gradient of the mean.
    """
    sums = process.total(torch.stack([total.detach(), count.to(total)]))
    own = total * (process.size / sums[1])
    return own + (sums[0] / sums[1] - own).detach()
