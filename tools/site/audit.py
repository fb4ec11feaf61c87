"""`python -m tools.site.audit`: Lighthouse on the built pages, held against the gates.

Needs Node and a Chromium; `npm ci` in `tools/lighthouse` brings Lighthouse itself.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from tools.chromium import require_chromium
from tools.node import NoNodeError, node
from tools.serve import SITE, serving
from tools.site.page import pages

LIGHTHOUSE = Path(__file__).parents[1] / "lighthouse"
TIMEOUT = 180  # seconds for one run


@dataclass(frozen=True)
class Measurement:
    """One run of Lighthouse, or the medians of several.

    Attributes:
        performance, accessibility, best_practices, seo: 0 to 100.
        paint_ms: largest contentful paint, ms.
        shift: cumulative layout shift.
        blocking_ms: total blocking time, ms.
        kib: bytes over the network / 1024.
        requests: how many.
        failed: audits that did not pass, apart from performance.
    """

    performance: float
    accessibility: float
    best_practices: float
    seo: float
    paint_ms: float
    shift: float
    blocking_ms: float
    kib: float
    requests: float
    failed: tuple[str, ...] = ()


NUMBERS = tuple(field.name for field in fields(Measurement) if field.name != "failed")

# What a page must hold; the rest depends on the machine that measures and is reported.
AT_LEAST = {"accessibility": 100, "best_practices": 100, "seo": 100}
AT_MOST = {"kib": 200, "requests": 14, "shift": 0.01}
SOFT_AT_LEAST = {"performance": 95}
SOFT_AT_MOST = {"paint_ms": 1800, "blocking_ms": 200}


def measure(address: str) -> Measurement:
    """One run on a page.

    Raises:
        subprocess.CalledProcessError: Lighthouse could not measure it.
        subprocess.TimeoutExpired: it took longer than `TIMEOUT`.
        ValueError: Lighthouse or Chromium is missing.
        NoNodeError: Node is missing.
    """
    if not (LIGHTHOUSE / "node_modules" / "lighthouse").is_dir():
        raise ValueError("Lighthouse is not installed: run `npm ci` in tools/lighthouse")
    environment = os.environ | {"CHROME_PATH": str(require_chromium())}
    command = [node(), str(LIGHTHOUSE / "run.mjs"), address]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=TIMEOUT
    )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        done.check_returncode()
    values = json.loads(done.stdout.splitlines()[-1])
    return Measurement(**values | {"failed": tuple(values["failed"])})


def median(runs: Sequence[Measurement]) -> Measurement:
    """Each number's median over the runs; the failures of all of them."""
    numbers = {name: statistics.median(getattr(run, name) for run in runs) for name in NUMBERS}
    failed = dict.fromkeys(audit for run in runs for audit in run.failed)
    return Measurement(**numbers, failed=tuple(failed))


def faults(measured: Measurement) -> list[str]:
    """What a page breaks of the hard gates, in words."""
    found = list(measured.failed)
    found += misses(measured, AT_LEAST, AT_MOST)
    return found


def warnings(measured: Measurement) -> list[str]:
    """What a page misses of the soft gates, in words."""
    return misses(measured, SOFT_AT_LEAST, SOFT_AT_MOST)


def misses(
    measured: Measurement, at_least: Mapping[str, float], at_most: Mapping[str, float]
) -> list[str]:
    """Which of the bounds a measurement misses."""
    low = [
        (name, bound, "at least")
        for name, bound in at_least.items()
        if getattr(measured, name) < bound
    ]
    high = [
        (name, bound, "at most")
        for name, bound in at_most.items()
        if getattr(measured, name) > bound
    ]
    return [
        f"{name} is {getattr(measured, name):.4g}, must be {word} {bound}"
        for name, bound, word in [*low, *high]
    ]


HEADER = f"{'page':<36} perf a11y   bp  seo  LCP ms   CLS TBT ms   KiB requests"


def line(name: str, m: Measurement) -> str:
    """A row of the table."""
    return (
        f"{name:<36} {m.performance:4.0f} {m.accessibility:4.0f} {m.best_practices:4.0f} "
        f"{m.seo:4.0f} {m.paint_ms:7.0f} {m.shift:5.3f} {m.blocking_ms:6.0f} {m.kib:5.0f} "
        f"{m.requests:8.0f}"
    )


def main() -> int:
    """Measure, print a table and what breaks the gates; 1 when a hard one is broken."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.audit", description=__doc__)
    parser.add_argument("pages", nargs="*", help="names such as book/index (default: all)")
    parser.add_argument("--site", type=Path, default=SITE)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    broken = False
    try:
        names = arguments.pages or [page.name for page in pages(arguments.site)]
        with serving(arguments.site) as address:
            print(HEADER, flush=True)
            for name in names:
                runs = [measure(f"{address}/{name}.html") for _ in range(arguments.runs)]
                measured = median(runs)
                print(line(name, measured), flush=True)
                for fault in faults(measured):
                    broken = True
                    print(f"    broken: {fault}")
                for warning in warnings(measured):
                    print(f"    missed: {warning}")
    except (ValueError, NoNodeError) as error:
        print(error, file=sys.stderr)
        return 1
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
