"""Which files a chapter stands on, and their hash: what decides whether it is built again.

Used by ``assemble`` (the hash goes into the notebook) and, through it, by ``build`` and the test
that every notebook is what its source makes. Files are found by reading imports, never by
importing, and hashed by their text, so that the hash is the same on every machine and Python.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools import config
from tools.notebooks.quote import module_file

PACKAGE = "contextbook"
# Built JavaScript: a notebook holds none of it, so a new bundle re-runs nothing.
NOT_DATA = (f"{PACKAGE}/widgets/static/",)


def chapter_hash(root: Path, parts: Iterable[str], code: Iterable[ast.Module]) -> str:
    """Hash what makes a notebook.

    Args:
        root: folder of the project.
        parts: texts that go in as they are (the chapter's source, its quoted code, the address).
        code: the chapter's code cells, parsed; the package modules that they import go in,
            with all that those import in turn and the data files of their packages.

    Returns:
        16 hexadecimal digits.
    """
    digest = hashlib.sha256()
    here = Path(__file__).parent
    builder = sorted([*here.glob("*.py"), Path(config.__file__)])
    files = [(f"builder/{path.name}", path) for path in builder]
    files += [(path.relative_to(root).as_posix(), path) for path in used_files(root, code)]
    for part in parts:
        _feed(digest, "part", part.encode())
    for label, path in files:
        # as Git may write them on another system
        _feed(digest, label, path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def _feed(digest: "hashlib._Hash", label: str, content: bytes) -> None:
    digest.update(f"{label}\n{len(content)}\n".encode())
    digest.update(content)


def used_files(root: Path, code: Iterable[ast.Module]) -> list[Path]:
    """Return the package's modules that code imports, all they stand on, and their data files.

    Data files are taken generously: all that lie in the package of an imported module, since
    what a module opens cannot be read from its imports.
    """
    waiting = [name for tree in code for name in _imported(tree, "", is_package=False)]
    seen: set[str] = set()
    files: set[Path] = set()
    while waiting:
        name = waiting.pop()
        path = module_file(root, name)
        if name in seen or path is None:
            continue
        seen.add(name)
        files.add(path)
        is_package = path.name == "__init__.py"
        if is_package:
            files.update(_data_files(root, path.parent))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        waiting.extend(_imported(tree, name, is_package=is_package))
    return sorted(files)


def _imported(tree: ast.Module, name: str, *, is_package: bool) -> Iterator[str]:
    """Yield what may be modules of the package in the imports of ``tree`` (module ``name``).

    A string that spells a dotted name of the package counts as well: modules that are loaded
    when they are needed, and packages whose data is opened, are named that way.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                up = node.level - is_package
                base = name.split(".")[: len(name.split(".")) - up]
                module = ".".join([*base, *([module] if module else [])])
            for alias in node.names:
                yield from _with_parents(f"{module}.{alias.name}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _with_parents(node.value)


def _with_parents(dotted: str) -> Iterator[str]:
    parts = dotted.split(".")
    if parts[0] == PACKAGE:
        for length in range(1, len(parts) + 1):
            yield ".".join(parts[:length])


def _data_files(root: Path, folder: Path) -> Iterator[Path]:
    """Yield the files of a package that are no Python, without those of packages inside it."""
    for path in folder.iterdir():
        relative = path.relative_to(root).as_posix() + "/"
        if path.name.startswith((".", "__pycache__")) or relative.startswith(NOT_DATA):
            continue
        if path.is_file() and path.suffix != ".py":
            yield path
        elif path.is_dir() and not (path / "__init__.py").is_file():
            yield from _data_files(root, path)
