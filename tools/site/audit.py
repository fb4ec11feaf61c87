"""`python -m tools.site.audit`: every page of the built site in one table, held against its bounds.

Each page is visited once in Chromium (bytes, requests, errors, axe-core in both schemes and at two
widths, what scrolls sideways), then measured by Lighthouse; `--fast` leaves Lighthouse out.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser

from tools.config import read_repository
from tools.node import NoNodeError
from tools.serve import SITE, serving
from tools.site import missing
from tools.site.lighthouse import Measurement, faults, measure, median, warnings
from tools.site.page import pages
from tools.site.visiting.browser import chromium
from tools.site.visiting.visit import Visit, visit

SEEN = f"{'page':<36}   KiB requests errors axe sideways"
MEASURED = " perf a11y   bp  seo  LCP ms   CLS TBT ms"


def row(seen: Visit, measured: Measurement | None = None) -> str:
    """A row of the table: a page's visit, and its measurement when there is one."""
    sideways = sum(map(len, seen.outside.values()))
    text = f"{seen.name:<36} {seen.kib:5.0f} {seen.requests:8d} {len(seen.trouble):6d} "
    text += f"{len(seen.findings):3d} {sideways:8d}"
    if measured is None:
        return text
    m = measured
    return (
        f"{text} {m.performance:4.0f} {m.accessibility:4.0f} {m.best_practices:4.0f} {m.seo:4.0f} "
        f"{m.paint_ms:7.0f} {m.shift:5.3f} {m.blocking_ms:6.0f}"
    )


def audit(browser: Browser, address: str, name: str, runs: int) -> bool:
    """Print a page's row and what it breaks; whether it holds all hard bounds.

    Args:
        browser: where it is visited.
        address: of the site, without a slash at its end.
        name: of the page.
        runs: of Lighthouse, whose medians are shown; 0 for none.
    """
    seen = visit(browser, address, name)
    broken, missed = seen.faults, seen.warnings
    measured = None
    if runs:
        measured = median([measure(f"{address}/{name}.html") for _ in range(runs)])
        broken = [*broken, *faults(measured)]
        missed = warnings(measured)
    print(row(seen, measured), flush=True)
    for fault in broken:
        print(f"    broken: {fault}")
    for warning in missed:
        print(f"    missed: {warning}")
    return not broken


def main(given: list[str] | None = None) -> int:
    """Print the table and what breaks the bounds; 1 when a hard one is broken."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.audit", description=__doc__)
    parser.add_argument("pages", nargs="*", help="names such as book/index (default: all)")
    parser.add_argument("--site", type=Path, default=SITE)
    parser.add_argument("--fast", action="store_true", help="without Lighthouse")
    parser.add_argument("--runs", type=int, default=3, help="of Lighthouse, for its medians")
    arguments = parser.parse_args(given)
    if arguments.runs < 1:
        parser.error(f"--runs must be at least 1, got {arguments.runs}; --fast leaves them out")
    runs = 0 if arguments.fast else arguments.runs
    try:
        for name in arguments.pages:
            if not (arguments.site / f"{name}.html").is_file():
                raise ValueError(f"there is no page {name} in {arguments.site}: is the site built?")
        names = arguments.pages or [page.name for page in pages(arguments.site)]
        path = urlsplit(read_repository().pages).path  # where the page for missing addresses looks
        with serving(arguments.site, path) as address, chromium() as browser:
            print(SEEN + (MEASURED if runs else ""), flush=True)
            # the page for missing addresses tells search engines to stay away, which costs points
            counts = {missing.NAME: 0}
            held = [audit(browser, address, name, counts.get(name, runs)) for name in names]
    except (ValueError, NoNodeError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(held)} pages, {held.count(False)} with faults")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
