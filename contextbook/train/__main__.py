"""``python -m contextbook.train``: train, report, save."""

import sys
from contextlib import nullcontext
from typing import Any

import torch
from torch.distributed.elastic.multiprocessing.errors import record

import contextbook
from contextbook.recurrent import LSTMCell
from contextbook.seq2seq import Decoder, DotAttention, Encoder, EncoderDecoder, LuongDecoder
from contextbook.train.options import Options, parse
from contextbook.train.processes import Process, is_launched, joined
from contextbook.train.shared import train_shared
from contextbook.training import Checkpoint, History
from contextbook.training.precision import mixed_precision
from contextbook.transformer import Transformer, quicken
from contextbook.translation import TranslationTask, evaluate, translation_task

EMBEDDING = 64  # of the recurrent translators, as in their chapters


def main() -> None:
    """Train as the command line says."""
    options = parse()
    if is_launched():
        record(train)(options)  # so that torchrun's summary tells the reason
        return
    try:
        train(options)
    except ValueError as error:
        sys.exit(f"contextbook.train: {error}")


def train(options: Options) -> None:
    """Train a model, and let the first process report on it and save it.

    Raises:
        ValueError: the device or the checkpoint is of no use, or training has diverged.
        SystemExit: another process has failed.
    """
    with joined(options.device, options.timeout) as process:
        task = translation_task(train=options.pairs, longest=options.longest)
        torch.manual_seed(options.seed)  # the same first weights in all processes
        model = make(options, task)
        model.to(process.device, torch.float64 if options.precision == "float64" else None)
        if process.is_first:
            print(_describe(options, model, process), flush=True)
        half = options.precision == "auto"
        with mixed_precision(model) if half else nullcontext():
            history = train_shared(
                model,
                task,
                process,
                steps=options.steps,
                learning_rate=options.learning_rate,
                batch_size=options.batch,
                seed=options.seed,
                checkpoint=Checkpoint(options.checkpoint, options.save_every, options.resume),
                stop_after=options.stop_after,
                report=_reporter(options.steps),
            )
    if process.is_first:
        _finish(options, model, task, history)


def make(options: Options, task: TranslationTask) -> Any:
    """Make the model that is asked for, as its chapter does; dropout is the fast one."""
    source, target = len(task.english), len(task.japanese)
    if options.model == "transformer":
        transformer = Transformer(
            source,
            target,
            layers=options.layers,
            d_model=options.width,
            heads=options.heads,
            dropout=options.dropout,
        )
        return quicken(transformer)
    width = options.width
    encoder = Encoder(source, EMBEDDING, width, LSTMCell)
    if options.model == "no-attention":
        return EncoderDecoder(encoder, Decoder(target, EMBEDDING, width, LSTMCell))
    attention = DotAttention(width)
    return EncoderDecoder(encoder, LuongDecoder(target, EMBEDDING, width, attention, LSTMCell))


def _describe(options: Options, model: Any, process: Process) -> str:
    weights = sum(weight.numel() for weight in model.parameters())
    return (
        f"{options.model}: {weights:,} weights, {options.pairs:,} pairs, "
        f"{process.size} × {options.batch} an update, {options.steps:,} steps on {process.device}"
    )


def _reporter(steps: int) -> Any:
    """What says ten times on the way how far the training is."""

    def report(history: History) -> None:
        step = len(history.steps)
        if step % max(1, steps // 10) == 0:
            print(f"step {step:,} of {steps:,}: {history.last()}", flush=True)

    return report


def _finish(options: Options, model: Any, task: TranslationTask, history: History) -> None:
    step = len(history.steps)
    if step < options.steps:
        print(f"stopped after step {step:,}; --resume goes on from {options.checkpoint}")
        return
    contextbook.save(model, task.english, task.japanese, options.output)
    print(f"saved: {options.output}; contextbook.load reads it")
    # a short list of pairs may lack words that others have
    known = [
        pair for pair in task.test[: options.test] if set(pair.english) <= task.english.ids.keys()
    ]
    if not known:
        if options.test:
            print("no report: each of the test sentences has a word that none of the pairs has")
        return
    report = evaluate(model, task, pairs=known)
    shares = [f"{low}–{high} words {exact:.0%}" for (low, high), exact in report.exact.items()]
    print(f"without a mistake: {', '.join(shares)}; BLEU {report.bleu:.1f}")


if __name__ == "__main__":
    main()
