"""What every benchmark needs: medians of times, the machine in words, a result file."""

import json
import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

RESULTS = Path(__file__).parent / "results"
TIMINGS = Path(__file__).parent.parent / "contextbook" / "timings"
"""Where chapters find the timings they speak of: it travels with the package."""


def median_seconds(run: Callable[[], object], repeats: int = 3) -> float:
    """Return the median wall-clock time of ``run`` over ``repeats`` calls, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def machine(*packages: str) -> dict[str, Any]:
    """Describe the machine without naming it: processor, cores, Python, versions of packages."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "packages": {package: version(package) for package in packages},
    }


def write_results(name: str, results: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Write the results of a benchmark to ``<name>.json`` in a folder, ``benchmarks/results``."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return path


def _processor() -> str:
    """Return the processor's model where the system tells it, else its architecture."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
