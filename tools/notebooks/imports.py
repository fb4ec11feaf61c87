"""Which files a chapter stands on, and their hash: what decides whether it is built again.

Used by ``assemble`` (the hash goes into the notebook) and, through it, by ``build`` and the test
that every notebook is what its source makes. Files are found by reading imports, never by
importing, and hashed by their text, so that the hash is the same on every machine and Python.
"""

import ast
import hashlib
import json
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TypeGuard

from tools.notebooks.quote import module_file

PACKAGE = "contextbook"
BUILDER = Path(__file__).parent
# What shapes the outputs. All else that the builder does shows in the cells, which are hashed, and
# in their metadata, which are compared.
SHAPING = ("execute.py", "models.py", "stable.py")
# Built JavaScript: a notebook holds none of it, so a new bundle re-runs nothing.
NOT_DATA = (f"{PACKAGE}/widgets/static/",)
WORDS = f"{PACKAGE}/words/"
RECORDS = f"{PACKAGE}/experiments/records/"


def chapter_hash(root: Path, parts: Iterable[str], code: Iterable[ast.Module]) -> str:
    """Hash what makes a notebook.

    Args:
        root: folder of the project.
        parts: texts that go in as they are (the chapter's source, its quoted code).
        code: the chapter's code cells, parsed; the package modules that they import go in,
            with all that those import in turn and the data files of their packages.

    Returns:
        16 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for part in parts:
        _feed(digest, "part", part.encode())
    for name in SHAPING:
        _feed(digest, f"builder/{name}", _content(BUILDER / name))
    for label, content in used_contents(root, code):
        _feed(digest, label, content)
    return digest.hexdigest()[:16]


def _feed(digest: "hashlib._Hash", label: str, content: bytes) -> None:
    digest.update(f"{label}\n{len(content)}\n".encode())
    digest.update(content)


def used_contents(root: Path, code: Iterable[ast.Module]) -> list[tuple[str, bytes]]:
    """Return the package's modules that code imports, all they stand on, and their data.

    Of the table of words only the sections count that a reached module or the chapter names, and of
    the record of experiments only the tables: a word for chapter 3 must not run chapter 9 again.
    All other data files in the package of a reached module count whole.

    Returns:
        Labels, which are paths within the project, and contents.
    """
    # one tree, since one cell uses what another imports
    chapter = ast.Module([statement for tree in code for statement in tree.body], [])
    trees = [chapter]
    waiting = list(_imported(chapter, "", is_package=False))
    seen: set[str] = set()
    modules: set[Path] = set()
    data: set[Path] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = module_file(root, name)
        if path is None:
            waiting.extend(_lazy_home(root, name))
            continue
        modules.add(path)
        is_package = path.name == "__init__.py"
        if is_package:
            data.update(_data_files(root, path.parent))
        tree = ast.parse(own_text(path))
        trees.append(tree)
        waiting.extend(_imported(tree, name, is_package=is_package))
    nodes = [node for tree in trees for node in ast.walk(tree)]
    named = {node.value for node in nodes if isinstance(node, ast.Constant)}
    asked = named | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    contents = [(path.relative_to(root).as_posix(), own_text(path).encode()) for path in modules]
    for path in data:
        label = path.relative_to(root).as_posix()
        if label.startswith(WORDS) and path.suffix == ".json":
            contents.append((label, _sections(path, named, asked)))
        elif not label.startswith(RECORDS) or path.stem in named:
            contents.append((label, _content(path)))
    return sorted(contents)


def _content(path: Path) -> bytes:
    # as Git may write it on another system
    return path.read_bytes().replace(b"\r\n", b"\n")


def own_text(path: Path) -> str:
    """Return a module's text; of a package that loads its parts when asked, without its lists.

    ``_HOMES``, ``__all__`` and what a checker of types imports name everything that the package
    offers. A chapter stands on what it asks for alone: a new figure must run no chapter again.
    """
    text = _content(path).decode()
    if path.name != "__init__.py" or "_HOMES" not in text:
        return text
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        if _is_list(node) or (_is_for_types(node) and not node.orelse):
            del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines)


def _is_list(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("_HOMES", "__all__")


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _sections(path: Path, named: Container[object], asked: Container[object]) -> bytes:
    """Return the sections of a table of words that are used, as canonical JSON.

    Args:
        path: the table.
        named: strings of the code; a section is asked for by its name, ``words("checks")``.
        asked: these and attributes; a part of a section is asked for by either, as the hints of an
            exercise are by ``check.soft_lookup``.
    """
    table = json.loads(path.read_text(encoding="utf-8"))
    used = {
        section: {
            key: entry for key, entry in words.items() if key in asked or isinstance(entry, str)
        }
        for section, words in table.items()
        if section in named
    }
    return json.dumps(used, sort_keys=True).encode()


def _lazy_home(root: Path, name: str) -> Iterator[str]:
    """Yield the module that a package loads when ``name`` is asked of it (its table ``_HOMES``)."""
    package, _, attribute = name.rpartition(".")
    path = module_file(root, package) if package else None
    if path is None or path.name != "__init__.py":
        return
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            home = ast.literal_eval(node.value).get(attribute)
            if home:
                yield f"{package}.{home}"


def _imported(tree: ast.Module, name: str, *, is_package: bool) -> Iterator[str]:
    """Yield what may be modules of the package in the imports of ``tree`` (module ``name``).

    A string that spells a dotted name of the package counts as well: modules that are loaded
    when they are needed, and packages whose data is opened, are named that way. So does what is
    asked of an imported package, like ``load`` in ``contextbook.load``. What only a checker of
    types imports does not run, and so does not count.
    """
    unrun = {
        id(inner)
        for node in ast.walk(tree)
        if _is_for_types(node)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    nodes = [node for node in ast.walk(tree) if id(node) not in unrun]
    bound: dict[str, str] = {}  # what each imported name stands for
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole, first = alias.name, alias.name.split(".")[0]
                bound[alias.asname or first] = whole if alias.asname else first
                yield from _with_parents(whole)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                up = node.level - is_package
                base = name.split(".")[: len(name.split(".")) - up]
                module = ".".join([*base, *([module] if module else [])])
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{module}.{alias.name}"
                yield from _with_parents(f"{module}.{alias.name}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _with_parents(node.value)
    for node in nodes:
        rest: list[str] = []
        while isinstance(node, ast.Attribute):
            rest.insert(0, node.attr)
            node = node.value
        if rest and isinstance(node, ast.Name) and node.id in bound:
            yield from _with_parents(".".join([bound[node.id], *rest]))


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
