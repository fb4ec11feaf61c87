"""Which code an experiment stands on, as one hash.

The record of experiments is committed. It is current as long as the hash stored with it equals
the hash of the code that would make it again: the experiment's function and every definition of
this package that it reaches, found by reading the source. Comments, docstrings and layout do not
count, nor does a definition in the same file that the experiment never uses, so that adding a
class to a module does not ask for hours of training again.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = "contextbook"

Definition = tuple[str, str]  # module, name


def code_hash(module: str, name: str) -> str:
    """Hash a definition together with all definitions of this package that it reaches.

    Args:
        module: dotted name of a module of this package.
        name: a function, class or constant at the top level of that module.

    Returns:
        16 hexadecimal digits, the same on every machine and Python version.

    Raises:
        ValueError: the module defines no such name.
    """
    digest = hashlib.sha256()
    for reached_module, reached_name in sorted(reached_definitions(module, name)):
        digest.update(f"{reached_module}.{reached_name}\n".encode())
        for node in _bindings(reached_module)[reached_name]:
            digest.update(_dump(_only(node, reached_name)).encode())
    return digest.hexdigest()[:16]


def reached_definitions(module: str, name: str) -> set[Definition]:
    """Return the (module, name) pairs that a definition uses, directly or through others."""
    seen: set[Definition] = set()
    waiting = [(module, name)]
    while waiting:
        definition = waiting.pop()
        if definition in seen:
            continue
        if definition[1] not in _bindings(definition[0]):
            raise ValueError(f"{definition[0]} defines no {definition[1]!r} at its top level")
        seen.add(definition)
        waiting.extend(_uses(*definition))
    return seen


def _uses(module: str, name: str) -> Iterator[Definition]:
    """Yield the definitions of this package that one definition names."""
    bindings = _bindings(module)
    for node in bindings[name]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imported(node, name)
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in bindings and inner.id != name:
                yield module, inner.id
            elif isinstance(inner, ast.Import | ast.ImportFrom):  # an import inside a function
                for alias in inner.names:
                    yield from _imported(inner, alias.asname or alias.name)


def _imported(node: ast.Import | ast.ImportFrom, name: str) -> Iterator[Definition]:
    """Yield what an import statement binds to ``name``, where it comes from this package."""
    for alias in node.names:
        if (alias.asname or alias.name.partition(".")[0]) != name and alias.name != name:
            continue
        if isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if source.partition(".")[0] != PACKAGE:
                continue
            if _is_module(f"{source}.{alias.name}"):
                yield from _everything(f"{source}.{alias.name}")
            else:
                yield source, alias.name
        elif alias.name.partition(".")[0] == PACKAGE:
            yield from _everything(alias.name)


def _everything(module: str) -> Iterator[Definition]:
    for name in _bindings(module):
        yield module, name


@cache
def _bindings(module: str) -> dict[str, list[ast.stmt]]:
    """Map each name bound at the top level of a module to the statements that bind it."""
    path = _source_path(module)
    if path is None:
        raise ValueError(f"there is no module {module}")
    bound: dict[str, list[ast.stmt]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            # @experiment(seeds=…, grid=…) says what to run, not how: more seeds void no row
            node.decorator_list = [
                mark for mark in node.decorator_list if not _is_call_of(mark, "experiment")
            ]
        for name in _bound_names(node):
            bound.setdefault(name, []).append(node)
    return bound


def _only(node: ast.stmt, name: str) -> ast.stmt:
    """Of an import the part that binds a name: what else is imported beside it does not count."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        bound = [a for a in node.names if (a.asname or a.name.partition(".")[0]) == name]
        if isinstance(node, ast.ImportFrom):
            return ast.ImportFrom(node.module, bound, node.level)
        return ast.Import(bound)
    return node


def _bound_names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    else:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id


def _is_call_of(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _is_module(dotted: str) -> bool:
    return _source_path(dotted) is not None


@cache
def _source_path(module: str) -> Path | None:
    parent, _, _ = module.rpartition(".")
    if parent and _source_path(parent) is None:
        return None
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # ``parent`` is a module and not a package: nothing lies below it
        return None
    return Path(spec.origin) if spec and spec.origin else None


def _dump(node: ast.AST) -> str:
    """Write a syntax tree without positions, docstrings and empty fields.

    ``ast.dump`` would do, but what it leaves out differs between Python versions.
    """
    body = getattr(node, "body", None)
    fields = dict(ast.iter_fields(node))
    if isinstance(body, list) and body and _is_docstring(body[0]):
        fields["body"] = body[1:]
    parts = []
    for field, value in fields.items():
        if value is None or value == [] or field in {"type_comment", "kind", "type_params"}:
            continue
        items = value if isinstance(value, list) else [value]
        shown = [_dump(item) if isinstance(item, ast.AST) else repr(item) for item in items]
        parts.append(f"{field}=[{','.join(shown)}]")
    return f"{type(node).__name__}({','.join(parts)})"


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
