"""Run the experiments whose record is missing or was made by other code.

``python -m contextbook.experiments [--check] [NAME ...]``
"""

import argparse
import sys
from functools import partial

import torch
from tqdm import tqdm

from contextbook.experiments import all_experiments, is_current, measure


def main(arguments: list[str] | None = None) -> int:
    """Measure the named experiments (all when none is named) and report each."""
    parser = argparse.ArgumentParser(prog="contextbook.experiments", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments to run; default all")
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    options = parser.parse_args(arguments)
    known = all_experiments()
    unknown = sorted(set(options.names) - set(known))
    if unknown:
        parser.error(f"no experiment {', '.join(unknown)}; there are: {', '.join(known)}")
    # small models: a second thread waits more than it works, and sums would come in another order
    torch.set_num_threads(1)
    stale = 0
    for name in options.names or known:
        if options.check:
            current = is_current(known[name])
            stale += not current
            print(f"{name}: {'current' if current else 'out of date'}")
            continue
        record = measure(known[name], track=partial(tqdm, desc=name))
        print(f"{name}: {len(record.rows)} runs recorded")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
