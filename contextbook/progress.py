"""Progress bars for whatever takes more than a few seconds."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

SHOW_AFTER_SECONDS = 3.0


def progress(
    items: Iterable[Item],
    label: str,
    total: int | None = None,
    *,
    note: Callable[[], str] | None = None,
) -> Iterator[Item]:
    """Yield ``items`` and show a bar once they have taken longer than three seconds.

    The environment variable ``CONTEXTBOOK_PROGRESS=off`` silences it: notebooks are built and
    compared that way, so that no half-finished bar is ever committed.

    Args:
        items: anything iterable.
        label: what is going on, shown before the bar.
        total: number of items, where ``len(items)`` does not tell.
        note: says after each item what is shown behind the bar, such as the latest loss.
    """
    from tqdm.auto import tqdm

    silent = os.environ.get("CONTEXTBOOK_PROGRESS") == "off"
    bar = tqdm(
        items, desc=label, total=total, delay=SHOW_AFTER_SECONDS, leave=False, disable=silent
    )
    try:
        for item in bar:
            yield item
            if note is not None and not silent:
                # the bar draws itself a few times a second; a drawing for each item would cost more
                bar.set_postfix_str(note(), refresh=False)
    finally:
        bar.close()
