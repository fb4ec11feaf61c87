"""Faults of a chapter: each with file, line and mend, gathered so that all are shown at once."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Fault:
    """One thing that is wrong, where it stands (``path`` from the project's root), and the mend."""

    path: str
    line: int
    message: str
    mend: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}\n    {self.mend}"


class ChapterError(Exception):
    """A chapter cannot be built; ``faults`` says why, in the order of the file."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(set(faults))
        super().__init__("\n".join(map(str, self.faults)))


class Report:
    """Gathers the faults of one chapter."""

    def __init__(self, path: Path, root: Path) -> None:
        self.file, self.root = path, root
        self.path = path.relative_to(root).as_posix()
        self.faults: list[Fault] = []

    def add(self, line: int, message: str, mend: str, *, path: str | None = None) -> None:
        """Note a fault at a 1-based line of the chapter, or of another file (``path``)."""
        self.faults.append(Fault(path or self.path, line, message, mend))

    def raise_if_any(self) -> None:
        """Raise :class:`ChapterError` with everything noted so far, if anything was."""
        if self.faults:
            raise ChapterError(self.faults)
