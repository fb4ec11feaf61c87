"""Lighthouse on a page, and what it must say.

Needs Node and a Chromium; `npm ci` in `tools/lighthouse` brings Lighthouse itself.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from tools.chromium import require_chromium
from tools.node import node
from tools.site.visiting.gates import AT_MOST, SOFT_AT_MOST, misses

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
        kib, requests: over the network, but for models; bytes / 1024.
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
SOFT_AT_LEAST = {"performance": 95}
PAINT = {"paint_ms": 1800}


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
    """What a page breaks of the hard bounds, in words."""
    return [*measured.failed, *misses(measured, AT_LEAST, AT_MOST)]


def warnings(measured: Measurement) -> list[str]:
    """What a page misses of the soft bounds, in words."""
    return misses(measured, SOFT_AT_LEAST, SOFT_AT_MOST | PAINT)
