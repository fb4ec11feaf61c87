"""The command: ``python -m tools.notebooks [--force] [--check] [chapter ...]``."""

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from tools.config import ROOT
from tools.notebooks.build import build, chapter_paths, check


def main(arguments: list[str] | None = None) -> int:
    """Make, or check, the notebooks; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.notebooks",
        description="Make the executed notebooks of the chapters whose sources changed.",
    )
    parser.add_argument(
        "chapters", nargs="*", metavar="chapter", help="number or name; all if none"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        default=os.environ.get("FORCE", "") not in ("", "0"),
        help="make current notebooks as well (also: FORCE=1 in the environment)",
    )
    parser.add_argument(
        "--check", action="store_true", help="list notebooks that are not current; run nothing"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the project")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    try:
        sources = chapter_paths(root, options.chapters)
        if options.check:
            complaints = check(root, sources if options.chapters else None)
        else:
            signal.signal(signal.SIGTERM, _stop)
            built = build(root, sources, force=options.force)
            complaints = [str(fault) for fault in built.faults]
            for path in built.written:
                print(f"made {path.relative_to(root).as_posix()}")
            for path in built.refreshed:
                print(f"set-up cell and metadata of {path.relative_to(root).as_posix()} made anew")
    except ValueError as error:
        complaints = [str(error)]
    except KeyboardInterrupt:
        print("stopped: notebooks that were not finished are as they were", file=sys.stderr)
        return 130
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if not complaints and (options.check or not (built.written or built.refreshed)):
        print(f"{len(sources)} notebook{'' if len(sources) == 1 else 's'} current")
    return 1 if complaints else 0


def _stop(signum: int, frame: FrameType | None) -> None:
    """End on SIGTERM as on Ctrl-C, so that the kernel is stopped and nothing is left behind."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
