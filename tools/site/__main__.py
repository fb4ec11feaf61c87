"""`python -m tools.site`: build the website into `_build/html`."""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from tools.site.build import ROOT, build


def main() -> int:
    """Build, say where the site lies and how long it took; 1 when something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--source", type=Path, default=ROOT, help="folder with _config.yml")
    parser.add_argument("--output", type=Path, help="folder for _build (default: the source)")
    parser.add_argument("--verbose", action="store_true", help="show what Jupyter Book does")
    arguments = parser.parse_args()
    start = time.perf_counter()
    try:
        root = build(arguments.source, arguments.output, quiet=not arguments.verbose)
    except subprocess.CalledProcessError:
        print("The site was not built: see the warnings above.", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"The site was not built: {error}", file=sys.stderr)
        return 1
    print(f"{root / 'index.html'} built in {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
