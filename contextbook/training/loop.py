"""The loop that trains every model of the book."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from contextbook.progress import progress
from contextbook.training.clipping import clip_gradients, gradient_norm
from contextbook.training.run import History, Run

if TYPE_CHECKING:  # what a training does not use, the hash of its code need not know
    from contextbook.training.batches import Batches
    from contextbook.training.checkpoint import Checkpoint
    from contextbook.training.schedules import Schedule
    from contextbook.training.validation import Validation


def train(
    model: nn.Module,
    loss: Callable[..., Tensor],
    steps: int,
    learning_rate: float = 1e-3,
    *,
    optimizer: Callable[..., torch.optim.Optimizer] = torch.optim.Adam,
    schedule: "Schedule | None" = None,
    clip_norm: float | None = None,
    batches: "Batches | None" = None,
    generator: torch.Generator | None = None,
    validation: "Validation | None" = None,
    checkpoint: "Checkpoint | None" = None,
) -> History:
    """Minimise ``loss`` over the parameters of ``model``, by Adam (Kingma & Ba, 2015) unless told.

    A training with a checkpoint can be interrupted and resumed, and ends bit for bit as if it had
    never stopped, on the same machine, *if all chance comes from* ``generator``, ``batches`` *or
    torch's own generators* (of which dropout draws). Python's ``random``, NumPy and counters of
    your own are not saved: a loss must not draw its data from these.

    Args:
        model: what is trained, in place; it is left in training mode.
        loss: called once a step; draws a batch and returns its loss, a scalar. With ``batches`` it
            is called with the next batch.
        steps: number of updates, those before an interruption included.
        learning_rate: the optimizer's step size.
        optimizer: makes the optimizer, called as ``optimizer(model.parameters(), lr=…)``:
            ``torch.optim.AdamW``, or ``partial(AdamW, weight_decay=0.1)``.
        schedule: factor of the learning rate at each step, counted from 1.
        clip_norm: greatest length of the gradient; a longer one is shortened to it.
        batches: where the batches come from, such as ``ShuffledBatches``; needs a ``state_dict``.
        generator: what ``loss`` draws from. It is not used here, only saved and restored.
        validation: measures the model now and then; may end the training early.
        checkpoint: saves the training now and then; resumes it.

    Returns:
        The loss, learning rate and gradient norm at each step, and the validation measures.

    Raises:
        ValueError: the loss is no finite scalar that depends on the model, or its gradient is not
            finite (training has diverged and what follows would be NaN); or a setting is out of
            range; or the checkpoint is of no use.
    """
    if steps < 1:
        raise ValueError(f"steps must be at least 1, got {steps}")
    if clip_norm is not None and not clip_norm > 0:
        raise ValueError(f"clip_norm must be more than 0, got {clip_norm}")
    run = Run(
        model,
        optimizer(model.parameters(), lr=learning_rate),
        schedule,
        clip_norm,
        generator,
        batches,
        validation,
    )
    if checkpoint is not None and checkpoint.resume:
        checkpoint.load(run, steps)
    model.train()
    for _ in progress(range(run.step, steps), "training", note=lambda: run.history.last()):
        if validation is not None and validation.is_over(run):
            break
        update(run, loss)
        if validation is not None and run.step % validation.every == 0:
            validation.look(run)
        if checkpoint is not None and run.step % checkpoint.every == 0:
            checkpoint.save(run)
    if checkpoint is not None:
        checkpoint.save(run)
    if validation is not None:
        validation.restore_best(run)
    return run.history


def update(run: Run, loss: Callable[..., Tensor]) -> None:
    """Take one step: loss, gradient, a bound on its length, the optimizer's update."""
    step = run.step + 1
    rates = run.learning_rates(step)
    for group, rate in zip(run.optimizer.param_groups, rates, strict=True):
        group["lr"] = rate
    value = run.draw_loss(loss)
    check_loss(value, step, rates[0])
    run.optimizer.zero_grad()
    value.backward()
    if run.clip_norm is None:
        norm = gradient_norm(run.model.parameters())
    else:
        norm = clip_gradients(run.model.parameters(), run.clip_norm)
    check_finite("length of the gradient", norm.item(), step, rates[0])
    run.optimizer.step()
    run.history.add(step, value.item(), rates[0], norm.item())


def check_loss(value: Tensor, step: int, rate: float) -> None:
    """Check that a loss is a finite scalar that depends on what is trained."""
    if not isinstance(value, Tensor) or value.ndim != 0:
        got = f"shape {tuple(value.shape)}" if isinstance(value, Tensor) else f"{value!r}"
        raise ValueError(f"the loss must be a scalar tensor, got {got}: take its mean or sum")
    if not value.requires_grad:
        raise ValueError(
            "the loss does not depend on the model's parameters: is it detached, or computed under "
            "no_grad?"
        )
    check_finite("loss", value.item(), step, rate)


def check_finite(name: str, value: float, step: int, rate: float) -> None:
    """Check that training has not diverged."""
    if math.isfinite(value):
        return
    if step == 1:
        mend = "nothing was learned yet, so look at the data and at how the weights start"
    else:
        mend = f"lower the learning rate (now {rate:g}) or set clip_norm, for example to 1.0"
    raise ValueError(f"the {name} is {value} at step {step}: {mend}")
