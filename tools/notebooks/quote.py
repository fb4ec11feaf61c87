"""Quoting: takes a definition's source out of a module by its dotted name, importing nothing.

A quote shows the whole definition, decorators included, with each docstring cut to its first
line. Its imports are not shown: the chapter defines every name that the quoted code uses.
"""

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DOCSTRING = re.compile(r'([rRuU]*)("""|\'\'\'|"|\')(.*?)\2\s*$', re.DOTALL)


class QuoteError(Exception):
    """A quote that cannot be filled in, and the mend.

    ``path`` and ``line`` are set when the fault lies in the quoted module, not in the chapter.
    """

    def __init__(
        self, message: str, mend: str, *, path: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message)
        self.message, self.mend, self.path, self.line = message, mend, path, line


@dataclass
class _Module:
    name: str
    path: str
    lines: list[str]
    tree: ast.Module


def quote_all(root: Path, names: tuple[str, ...]) -> str:
    """Return the source of several definitions, in the order named, apart as PEP 8 asks.

    Args:
        root: folder of the project; ``a.b`` is ``<root>/a/b.py``.
        names: dotted names, like ``contextbook.attention.masked_softmax``.

    Raises:
        QuoteError: a name is unknown, or its module cannot be quoted.
    """
    text = ""
    previous_is_short = False
    for name in names:
        node, source = quote(root, name)
        is_short = not isinstance(node, Definition)
        if text:
            text += "\n" if is_short and previous_is_short else "\n\n\n"
        text += source
        previous_is_short = is_short
    return text


def quote(root: Path, dotted: str) -> tuple[ast.stmt, str]:
    """Return the node and the shown source of one definition (see :func:`quote_all`)."""
    module, rest = _split(root, dotted)
    _refuse_relative_imports(module, dotted)
    found = [node for name, node in _definitions(module.tree) if name == rest]
    if len(found) > 1:
        lines = " and ".join(str(node.lineno) for node in found)
        raise QuoteError(
            f"{dotted} is defined more than once, on lines {lines} of {module.path}",
            "define it once",
        )
    if not found and module.path.endswith("__init__.py") and "." in rest:
        raise _no_module(root, dotted)
    if not found:
        raise _unknown(module, dotted, rest)
    return found[0], _shown(module, found[0], dotted)


def _split(root: Path, dotted: str) -> tuple[_Module, str]:
    """Split a dotted name into its module, the longest one that exists, and the rest."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        path = module_file(root, name)
        if path is not None:
            rest = ".".join(parts[length:])
            if not rest:
                raise QuoteError(
                    f"{dotted} is a module", f"name a definition in it, as in {dotted}.NAME"
                )
            return _parse(root, name, path), rest
    raise _no_module(root, dotted)


def _no_module(root: Path, dotted: str) -> QuoteError:
    module, _, name = dotted.rpartition(".")
    known = sorted(_module_names(root, module.split(".")[0]))
    near = difflib.get_close_matches(module, known, n=3)
    if near:
        mend = "did you mean " + " or ".join(f"{other}.{name}" for other in near) + "?"
    else:
        mend = "quote by dotted name, as in contextbook.attention.masked_softmax"
    return QuoteError(f"unknown quote {dotted!r}: there is no module {module!r}", mend)


def module_file(root: Path, name: str) -> Path | None:
    """Return the file of a module of the project, or ``None``."""
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    base = root.joinpath(*name.split("."))
    candidates = (base.with_name(base.name + ".py"), base / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def _module_names(root: Path, package: str) -> Iterator[str]:
    for path in (root / package).rglob("*.py") if package.isidentifier() else ():
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _parse(root: Path, name: str, path: Path) -> _Module:
    shown = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise QuoteError(
            f"the module cannot be parsed: {error.msg}",
            "mend the syntax error",
            path=shown,
            line=error.lineno or 1,
        ) from error
    return _Module(name, shown, text.split("\n"), tree)


def _refuse_relative_imports(module: _Module, dotted: str) -> None:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            raise QuoteError(
                f"{dotted} is quoted from a module with a relative import",
                "write it as an absolute import (from contextbook.… import …): the reader "
                "runs the same line in a notebook",
                path=module.path,
                line=node.lineno,
            )


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield each name that a module defines at its top level, with the statement that does."""
    for node in tree.body:
        if isinstance(node, Definition):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        yield part.id, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


def _unknown(module: _Module, dotted: str, rest: str) -> QuoteError:
    names = [name for name, _ in _definitions(module.tree)]
    owner = rest.split(".")[0]
    if "." in rest and owner in names:
        return QuoteError(
            f"{dotted} lies inside {owner}", f"quote all of it: {module.name}.{owner}"
        )
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == rest:
                    return QuoteError(
                        f"{dotted} is only imported by {module.path}",
                        f"quote it from its home: {node.module}.{alias.name}",
                    )
    near = difflib.get_close_matches(rest, names, n=3, cutoff=0.5)
    if near:
        mend = "did you mean " + " or ".join(f"{module.name}.{name}" for name in near) + "?"
    else:
        mend = "it defines " + (", ".join(sorted(set(names))) or "nothing")
    return QuoteError(f"unknown quote {dotted!r}: {module.path} defines no {rest!r}", mend)


def _shown(module: _Module, node: ast.stmt, dotted: str) -> str:
    """Return a definition's lines with every docstring in it cut to its first line."""
    decorators = node.decorator_list if isinstance(node, Definition) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    lines = list(module.lines)
    end = node.end_lineno or node.lineno
    docstrings = [
        inner.body[0]
        for inner in ast.walk(node)
        if isinstance(inner, Definition) and ast.get_docstring(inner, clean=False) is not None
    ]
    # from the last to the first, so that the line numbers of those before still hold
    for docstring in sorted(docstrings, key=lambda statement: -statement.lineno):
        start, stop = docstring.lineno - 1, docstring.end_lineno or docstring.lineno
        match = _DOCSTRING.match("\n".join(lines[start:stop]).strip())
        if stop - start > 1 and match:
            prefix, quotes, text = match.groups()
            summary, *following = text.strip().split("\n")
            if following and following[0].strip():
                raise QuoteError(
                    f"the docstring of {dotted} says its purpose in more than one line, "
                    "and a quote shows only the first",
                    "write one line of purpose and a blank line after it",
                    path=module.path,
                    line=start + 1,
                )
            indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
            lines[start:stop] = [f"{indent}{prefix}{quotes}{summary.rstrip()}{quotes}"]
            end -= stop - start - 1
    return "\n".join(lines[first - 1 : end])
