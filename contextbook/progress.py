"""Progress bars for whatever takes more than a few seconds."""

import os
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

SHOW_AFTER_SECONDS = 3.0


def progress(items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
    """Yield ``items`` and show a bar once they have taken longer than three seconds.

    The environment variable ``CONTEXTBOOK_PROGRESS=off`` silences it: notebooks are built and
    compared that way, so that no half-finished bar is ever committed.

    Args:
        items: anything iterable.
        label: what is going on, shown before the bar.
        total: number of items, where ``len(items)`` does not tell.
    """
    from tqdm.auto import tqdm

    silent = os.environ.get("CONTEXTBOOK_PROGRESS") == "off"
    bar = tqdm(
        items, desc=label, total=total, delay=SHOW_AFTER_SECONDS, leave=False, disable=silent
    )
    yield from bar
