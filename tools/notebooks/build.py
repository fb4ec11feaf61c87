"""Decides which notebooks to make, makes them, and writes each in one step or not at all."""

import os
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode, ValidationError
from nbformat.reader import NotJSONError
from tqdm import tqdm

from tools.notebooks.assemble import assemble
from tools.notebooks.execute import execute
from tools.notebooks.faults import ChapterError, Fault
from tools.notebooks.models import keep_models, other_models
from tools.notebooks.source import Chapter
from tools.notebooks.stable import stable_text

LANGUAGE = "en"


class Built(NamedTuple):
    """What a build ran and wrote, why others are as they were, what it mended without running it."""

    written: list[Path]
    faults: list[Fault]
    refreshed: list[Path]


def chapter_paths(root: Path, wanted: list[str], language: str = LANGUAGE) -> list[Path]:
    """Return the sources of the wanted chapters, of all when none is named, in order.

    Args:
        root: folder of the project.
        wanted: numbers (``9``), names (``09-queries``) or paths.
        language: folder of the chapters.

    Raises:
        ValueError: no chapter is called so.
    """
    paths = sorted((root / "chapters_src" / language).glob("*.md"))
    chosen = []
    for name in wanted:
        stem = Path(name).stem
        found = [path for path in paths if path.stem == stem]
        if stem.isdigit():
            found = [path for path in paths if path.stem.startswith(f"{int(stem):02d}-")]
        if not found:
            known = ", ".join(path.stem for path in paths) or "none"
            raise ValueError(f"there is no chapter {name!r}; chapters are: {known}")
        chosen += found
    return sorted(set(chosen)) if wanted else paths


def notebook_path(root: Path, source: Path) -> Path:
    """Return where the notebook of a chapter is kept."""
    return root / "notebooks" / source.parent.name / f"{source.stem}.ipynb"


def differences(root: Path, source: Path) -> str:
    """Say in a few words how the stored notebook differs from what its source makes.

    Returns:
        An empty string when it is current.

    Raises:
        ChapterError: the source cannot be made into a notebook.
    """
    path, made = notebook_path(root, source), assemble(source, root)[1]
    return _reason_to_run(root, path, made) or _reason_to_refresh(path, made)


def _reason_to_run(root: Path, stored_path: Path, made: NotebookNode) -> str:
    """Say why the stored notebook's outputs are not those of its source; empty if they are."""
    if not stored_path.is_file():
        return "there is no notebook"
    stored = _read(stored_path)
    if stored is None:
        return "it is no valid notebook"
    if stored.metadata.get("contextbook", {}).get("hash") != made.metadata.contextbook.hash:
        return "its source, or code or data that it uses, has changed"
    if _without_setup(stored) != _without_setup(made):
        return "its cells were edited in the notebook and not in the source"
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    if counts != list(range(1, len(counts) + 1)):
        return "it was not run from top to bottom"
    if others := other_models(root, stored):
        return f"it shows other models than the files hold: {', '.join(others)}"
    return ""


def _reason_to_refresh(stored_path: Path, made: NotebookNode) -> str:
    """Say what is not current of a notebook whose outputs are; empty if nothing is."""
    stored = nbformat.read(stored_path, as_version=4)
    metadata = {key: value for key, value in stored.metadata.items() if key != "widgets"}
    if metadata != made.metadata:
        return "its metadata is not what the source makes"
    if [_parts(cell) for cell in stored.cells] != [_parts(cell) for cell in made.cells]:
        return "its set-up cell does not install from the address in _config.yml"
    return ""


def _refresh(path: Path, made: NotebookNode) -> None:
    """Write the set-up cell and the metadata anew, and keep all outputs."""
    stored = nbformat.read(path, as_version=4)
    for old, new in zip(stored.cells, made.cells, strict=True):
        old.source, old.metadata = new.source, new.metadata
    kept = {key: value for key, value in stored.metadata.items() if key == "widgets"}
    stored.metadata = nbformat.from_dict(made.metadata | kept)
    write_whole(path, nbformat.writes(stored) + "\n")


def _read(path: Path) -> NotebookNode | None:
    try:
        return nbformat.read(path, as_version=4)
    except (NotJSONError, ValidationError):  # as after a merge with conflicts
        return None


def _parts(cell: NotebookNode) -> tuple[str, str, str, dict[str, object]]:
    return cell.id, cell.cell_type, cell.source, dict(cell.metadata)


def _without_setup(notebook: NotebookNode) -> list[tuple[object, ...]]:
    """What the cells are; of the set-up cell only that it is there."""
    return [
        (cell.id, cell.cell_type) if cell.id == "setup" else _parts(cell)
        for cell in notebook.cells
    ]


def check(root: Path, sources: list[Path] | None = None) -> list[str]:
    """List the notebooks that are not what their sources make, running nothing.

    Args:
        root: folder of the project.
        sources: the chapters to check; all, and notebooks without a chapter, when ``None``.

    Returns:
        One line for each fault; empty when everything is current.
    """
    complaints: list[str] = []
    everything = chapter_paths(root, [])
    for source in everything if sources is None else sources:
        shown = notebook_path(root, source).relative_to(root).as_posix()
        try:
            difference = differences(root, source)
        except ChapterError as error:
            complaints += map(str, error.faults)
        else:
            if difference:
                complaints.append(f"{shown}: {difference}; run make notebooks")
    if sources is None:
        kept = {notebook_path(root, source) for source in everything}
        for path in sorted((root / "notebooks" / LANGUAGE).glob("*.ipynb")):
            if path not in kept:
                shown = path.relative_to(root).as_posix()
                complaints.append(f"{shown}: it has no source; delete it or restore the chapter")
    return complaints


def build(root: Path, sources: list[Path], *, force: bool = False, quiet: bool = False) -> Built:
    """Make the notebooks that are not current, or all of ``sources`` when ``force`` is set.

    A chapter with faults keeps its old notebook and does not keep others from being made. One of
    which only the set-up cell or the metadata is not current is not run.

    Args:
        root: folder of the project.
        sources: the chapters, as :func:`chapter_paths` gives them.
        force: make current ones as well.
        quiet: show no progress bar (there is one on stderr otherwise, counting cells).

    Returns:
        The notebooks that were run and written, the faults of those that were not, and those that
        were only brought up to date.
    """
    built = Built([], [], [])
    work: list[tuple[Chapter, NotebookNode]] = []
    for source in sources:
        try:
            chapter, notebook = assemble(source, root)
        except ChapterError as error:
            built.faults.extend(error.faults)
            continue
        path = notebook_path(root, source)
        if force or _reason_to_run(root, path, notebook):
            work.append((chapter, notebook))
        elif _reason_to_refresh(path, notebook):
            _refresh(path, notebook)
            built.refreshed.append(path)
    total = sum(len(notebook.cells) for _, notebook in work)
    with tqdm(total=total, unit="cell", disable=quiet or not work) as bar:
        for chapter, notebook in work:
            bar.set_description(chapter.path.stem)
            done = bar.n
            try:
                execute(notebook, chapter, root, bar.update)
                path = notebook_path(root, chapter.path)
                keep_models(root, chapter, notebook)
                write_whole(path, stable_text(notebook, chapter.path.stem))
            except ChapterError as error:
                built.faults.extend(error.faults)
                bar.update(len(notebook.cells) - (bar.n - done))
            else:
                built.written.append(path)
    if built.written:
        built.faults.extend(_disagreements(root))
    return built


def _disagreements(root: Path) -> list[Fault]:
    """Name the notebooks whose figures show a model that another chapter has written since."""
    faults = []
    for source in chapter_paths(root, []):
        path = notebook_path(root, source)
        stored = _read(path) if path.is_file() else None
        for name in other_models(root, stored) if stored else []:
            faults.append(
                Fault(
                    path.relative_to(root).as_posix(),
                    1,
                    f"it shows another model {name!r} than was written last",
                    f"make it again; if two chapters train a {name!r}, call one of them otherwise",
                )
            )
    return faults


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is, at every moment, either the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
