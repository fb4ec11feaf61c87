"""Train the book's translators on real sentences, and compare them. See ``--help``."""

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

import torch

from contextbook.datasets.fetching import NotFetched
from contextbook.real_sentences.compare import compare
from contextbook.real_sentences.record import table, write_record
from contextbook.real_sentences.settings import LARGE, REDUCED
from contextbook.real_sentences.task import real_task


def main(arguments: list[str] | None = None) -> int:
    """Fetch, train, print the table; 1 if the sentences cannot be fetched."""
    parser = argparse.ArgumentParser(prog="python -m contextbook.real_sentences")
    parser.description = "Train the book's translators on Tatoeba's English and Japanese."
    parser.add_argument("--large", action="store_true", help="the setting for a GPU")
    parser.add_argument("--steps", type=int, help="updates of each model")
    parser.add_argument("--threads", type=int, help="of the processor; torch's choice by default")
    parser.add_argument("--record", metavar="FILE", help="write what is measured to a JSON file")
    chosen = parser.parse_args(arguments)
    for name in ("steps", "threads"):
        number = getattr(chosen, name)
        if number is not None and number < 1:
            parser.error(f"--{name} must be at least 1, got {number}")
    if chosen.record is not None:
        _check_place(parser, Path(chosen.record))
    settings = LARGE if chosen.large else REDUCED
    if chosen.steps is not None:
        settings = replace(settings, steps=chosen.steps)
    if chosen.threads is not None:
        torch.set_num_threads(chosen.threads)
    try:
        task = real_task(settings)
    except NotFetched as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"{len(task.train):,} pairs to learn from, {len(task.test):,} to be tested on", flush=True
    )
    measured = compare(task, settings, tell=lambda line: print(line, flush=True))
    print(table(measured))
    if chosen.record is not None:
        given = sys.argv[1:] if arguments is None else arguments
        # where the record goes is no part of what was measured
        named = [word for word in given if word not in ("--record", chosen.record)]
        write_record(measured, " ".join([parser.prog, *named]), chosen.record)
    return 0


def _check_place(parser: argparse.ArgumentParser, path: Path) -> None:
    """Check that a record can be written there: better told now than after the training."""
    folder = path.absolute().parent
    if path.is_dir():
        parser.error(f"--record must name a file, and {path} is a folder")
    if not folder.is_dir():
        parser.error(f"--record {path}: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        parser.error(f"--record {path}: it cannot be written")


if __name__ == "__main__":
    sys.exit(main())
