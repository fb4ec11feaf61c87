"""The command line of ``python -m contextbook.train``."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn


class Usual(NamedTuple):
    """Settings with which a chapter trains its model."""

    chapter: int
    width: int
    steps: int
    learning_rate: float


MODELS = {
    "transformer": Usual(11, 64, 1200, 3e-3),
    "luong": Usual(8, 128, 400, 8e-3),
    "no-attention": Usual(7, 128, 1000, 6e-3),
}
DEVICES = ("auto", "cpu", "cuda", "mps")
PRECISIONS = ("auto", "float32", "float64")
LONGEST_WAIT = 1e6  # seconds: eleven days; a clock of torch's cannot count to any number


@dataclass(frozen=True)
class Options:
    """What is asked for, all of it checked; the help of each option says what it is."""

    model: str
    width: int
    layers: int
    heads: int
    dropout: float
    steps: int
    batch: int
    learning_rate: float
    seed: int
    device: str
    precision: str
    pairs: int
    longest: int
    test: int
    output: Path
    checkpoint: Path
    save_every: int
    stop_after: int | None
    resume: bool
    timeout: float


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Read the command line; without arguments, that of the process.

    Raises:
        SystemExit: an option is wrong (status 2, the message says which and why), or help is asked
            for.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    usual = MODELS[given.model]
    for name in ("width", "steps", "learning_rate"):
        if getattr(given, name) is None:
            setattr(given, name, getattr(usual, name))
    _check_parts(parser, given)
    _check_files(parser, given)
    return Options(**vars(given))


def _check_parts(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    for name, default in (("layers", 2), ("heads", 4), ("dropout", 0.0)):
        if getattr(given, name) is None:
            setattr(given, name, default)
        elif given.model != "transformer":
            parser.error(f"--{name} is for --model transformer, not {given.model}")
    if given.model == "transformer" and given.width % given.heads:
        parser.error(f"--width {given.width} cannot be shared out among --heads {given.heads}")
    if given.model != "transformer" and given.width % 2:
        parser.error(f"--width {given.width} must be even: two readers have half of it each")
    if given.precision == "float64" and given.device == "mps":
        parser.error("--precision float64 is not to be had on mps")
    if not 3 <= given.longest <= 25:
        parser.error(f"--longest must be 3 to 25 words, got {given.longest}")
    if given.seed >= 2**63:
        parser.error(f"--seed must be below 2**63, got {given.seed}")
    if given.timeout > LONGEST_WAIT:
        parser.error(f"--timeout must be at most {LONGEST_WAIT:,.0f} seconds, got {given.timeout}")
    if given.stop_after is not None and given.stop_after > given.steps:
        parser.error(f"--stop-after {given.stop_after} is beyond --steps {given.steps}")


def _check_files(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """Check where files go, and put the checkpoint beside the output unless told."""
    if not given.output.name:
        parser.error(f"--output must name a file, got {given.output}")
    if given.checkpoint is None:
        # a name such as lr0.01 has no suffix, though it has a dot
        name = given.output.name.removesuffix(".safetensors") or given.output.name
        given.checkpoint = given.output.with_name(f"{name}.checkpoint")
    for name in ("output", "checkpoint"):
        if getattr(given, name).is_dir():
            parser.error(f"--{name} must name a file, and {getattr(given, name)} is a folder")
        _check_place(parser, name, getattr(given, name))
    if given.output == given.checkpoint:
        parser.error(f"--output and --checkpoint are both {given.output}: name two files")
    if given.resume and not given.checkpoint.is_file():
        parser.error(f"--resume: there is no checkpoint {given.checkpoint} to go on from")


def _check_place(parser: argparse.ArgumentParser, name: str, path: Path) -> None:
    """Check that a file can be written there: better told now than after the training."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir():
        parser.error(f"--{name} {path}: {folder} is a file, and no folder")
    if not os.access(folder, os.W_OK):
        parser.error(f"--{name} {path}: the folder {folder} cannot be written")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m contextbook.train",
        description="Train a translator of the book on its grammar, English to Japanese. Under "
        "torchrun, several processes share the work.",
        epilog="Two processes: torchrun --nproc-per-node 2 -m contextbook.train --batch 32",
    )
    usual = {name: ", ".join(f"{getattr(v, name)} for {k}" for k, v in MODELS.items())
             for name in ("width", "steps", "learning_rate")}  # fmt: skip
    add = parser.add_argument
    add("--model", choices=list(MODELS), default="transformer", help="which (default: %(default)s)")
    add("--width", type=_count, metavar="N", help=f"numbers in a vector ({usual['width']})")
    add("--layers", type=_count, metavar="N", help="of the Transformer's stacks (2)")
    add("--heads", type=_count, metavar="N", help="of each of the Transformer's attentions (4)")
    add("--dropout", type=_share, metavar="P", help="of the Transformer (0)")
    add("--steps", type=_count, metavar="N", help=f"updates in all ({usual['steps']})")
    add("--batch", type=_count, default=64, metavar="N",
        help="sentences that each process reads for an update (default: %(default)s)")  # fmt: skip
    add("--learning-rate", type=_positive, metavar="R", help=f"({usual['learning_rate']})")
    add("--seed", type=_natural, default=0, metavar="N", help="of weights and order (0)")
    add("--device", choices=DEVICES, default="auto", help="auto: a GPU where there is one")
    add("--precision", choices=PRECISIONS, default="auto",
        help="auto: half precision where the GPU is fast at it")  # fmt: skip
    add("--pairs", type=_count, default=20_000, metavar="N", help="to learn from (%(default)s)")
    add("--longest", type=_count, default=25, metavar="N", help="words in a sentence, to 25 (25)")
    add("--test", type=_natural, default=200, metavar="N",
        help="unseen sentences to report on at the end; 0 for no report (%(default)s)")  # fmt: skip
    add("--output", type=Path, default=Path("translator.safetensors"), metavar="FILE",
        help="where contextbook.load finds the model (%(default)s)")  # fmt: skip
    add("--checkpoint", type=Path, metavar="FILE",
        help="where the training is kept on its way (beside the output)")  # fmt: skip
    add("--save-every", type=_count, default=100, metavar="N", help="steps (%(default)s)")
    add("--stop-after", type=_count, metavar="N", help="steps, to go on later with --resume")
    add("--resume", action="store_true", help="go on from the checkpoint")
    add("--timeout", type=_positive, default=300.0, metavar="SECONDS",
        help="after which a process that waits for another gives up (%(default)s)")  # fmt: skip
    return parser


def _count(text: str) -> int:
    return int(_number(text, int, 1, "a whole number of at least 1"))


def _natural(text: str) -> int:
    return int(_number(text, int, 0, "a whole number of at least 0"))


def _positive(text: str) -> float:
    value = _number(text, float, 0.0, "a number of more than 0")
    return value if 0 < value < float("inf") else _wrong("a number of more than 0", text)


def _share(text: str) -> float:
    value = _number(text, float, 0.0, "a share from 0 to below 1")
    return value if value < 1 else _wrong("a share from 0 to below 1", text)


def _number(text: str, kind: type[int] | type[float], lowest: float, wanted: str) -> float:
    try:
        value = kind(text)
    except ValueError:
        _wrong(wanted, text)
    return value if value >= lowest else _wrong(wanted, text)


def _wrong(wanted: str, text: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"must be {wanted}, got {text!r}")
