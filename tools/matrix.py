"""`python -m tools.matrix`: the package's tests with the oldest and the newest versions it admits.

For each of the two, an environment in ``_build/matrix``: what ``pyproject.toml`` names as
dependencies, at its lower bounds or as new as there is, and everything else from the environment
that runs this. torch is among what is taken over, since it is large and its versions differ in what
they need of Python; ``--torch`` installs it as well, for a machine that has the time.

A ``DeprecationWarning`` that our own code earns is an error.
"""

import argparse
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

from tools.config import ROOT

FOLDER = ROOT / "_build" / "matrix"
OWN = "(contextbook|tools|test_).*"
KINDS = ("DeprecationWarning", "PendingDeprecationWarning")
# of two filters that fit, the later one counts; what others owe each other is theirs
STRICT = "\n".join(
    [f"ignore::{kind}" for kind in KINDS] + [f"error::{kind}:{OWN}" for kind in KINDS]
)
VERSIONS = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
TESTS = ["tests/package"]


def lower_bounds(root: Path = ROOT) -> dict[str, str]:
    """Each dependency of the package with the oldest version that it admits.

    Raises:
        ValueError: a dependency gives another kind of bound than one lower one.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text("utf8"))["project"]
    bounds = {}
    for dependency in project["dependencies"]:
        found = re.fullmatch(r"([\w-]+)>=([\d.]+)", dependency)
        if not found:
            raise ValueError(
                f"pyproject.toml: {dependency!r} must give one lower bound, as numpy>=1.26 does: "
                "an upper one would change what a Colab session has"
            )
        bounds[found[1]] = found[2]
    return bounds


def requirements(which: str, bounds: dict[str, str], *, torch: bool) -> list[str]:
    """What pip is asked for: ``numpy==1.26`` for "oldest", ``numpy`` for "newest"."""
    names = [name for name in bounds if torch or name != "torch"]
    return [f"{name}=={bounds[name]}" if which == "oldest" else name for name in names]


def environment(which: str, wanted: list[str], folder: Path = FOLDER) -> Path:
    """Make an environment, or bring one up to date; returns its Python."""
    home = folder / f"{which}-{sys.version_info[0]}.{sys.version_info[1]}"
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    packages = next(home.glob("lib/python*/site-packages"))
    # behind its own packages, so that these come first
    (packages / "everything-else.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "--upgrade", *wanted], check=True)
    return python


def run(which: str, tests: list[str], *, torch: bool) -> int:
    """Run the tests in one of the two environments; pytest's exit status."""
    bounds = lower_bounds()
    python = environment(which, requirements(which, bounds, torch=torch))
    said = subprocess.run(
        [str(python), "-c", VERSIONS, *bounds], check=True, capture_output=True, text=True
    )
    shown = zip(bounds, said.stdout.split(), strict=True)
    print(f"{which}: {', '.join(f'{name} {version}' for name, version in shown)}", flush=True)
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "-o", f"filterwarnings={STRICT}", *tests], cwd=ROOT, check=False
    ).returncode


def main(arguments: list[str] | None = None) -> int:
    """Run what was asked for; 1 when a test fails anywhere."""
    parser = argparse.ArgumentParser(prog="python -m tools.matrix", description=__doc__)
    kinds = ["oldest", "newest"]
    parser.add_argument("--only", choices=kinds, help="one of the two")
    parser.add_argument("--torch", action="store_true", help="install torch, too")
    parser.add_argument("tests", nargs="*", help="what pytest is given (after --)", default=TESTS)
    options = parser.parse_args(arguments)
    chosen = [options.only] if options.only else kinds
    failed = [which for which in chosen if run(which, options.tests, torch=options.torch)]
    print(f"failed with: {', '.join(failed)}" if failed else f"passed with: {', '.join(chosen)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
