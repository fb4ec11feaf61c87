"""A machine as Colab lends one: its packages, `google.colab`, and nothing of this project.

The packages (`colab.txt`) are installed once into `_build/colab` and kept until that list or
Python changes; each run works on a copy made of hard links, so that what a set-up cell installs
is gone afterwards. torch is large, and is linked from the environment that runs the tests.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbformat import NotebookNode
from packaging.requirements import Requirement

from tools.config import ROOT, read_repository

HERE = Path(__file__).parent
FOLDER = ROOT / "_build" / "colab"
# Colab's kernel has google.colab imported before the first cell runs
KERNEL = (
    "import google.colab; from ipykernel.kernelapp import launch_new_instance; "
    "launch_new_instance()"
)
VERSIONS = """
import json
from importlib.metadata import distributions
found = {d.metadata["Name"].lower().replace("_", "-"): d.version for d in distributions()}
print(json.dumps(found))
"""


@dataclass
class Machine:
    """An environment with a Python of its own.

    Attributes:
        folder: the environment.
        repository: what stands in for the book's public repository.
    """

    folder: Path
    repository: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Where packages are installed."""
        return next(self.folder.glob("lib/python*/site-packages"))

    def run(self, *arguments: str) -> str:
        """What the machine's Python prints.

        Raises:
            RuntimeError: it failed; with the end of what it said.
        """
        done = subprocess.run(
            [str(self.python), *arguments],
            env=self.environment(),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if done.returncode:
            said = (done.stdout + done.stderr)[-3000:]
            raise RuntimeError(f"python {' '.join(arguments)[:200]} failed:\n{said}")
        return done.stdout

    def versions(self) -> dict[str, str]:
        """The version of everything that is installed."""
        found: dict[str, str] = json.loads(self.run("-c", VERSIONS))
        return found

    def environment(self) -> dict[str, str]:
        """The variables of a process on it: none of this project's or of its environment's."""
        foreign = ("PYTHON", "VIRTUAL_ENV", "CONTEXTBOOK_", "JUPYTER", "IPYTHON", "MPL")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
        # A set-up cell runs as it stands; it is git that finds the repository here and not at its
        # public address, so that what is tested is the working tree and not what was last pushed.
        settings = self.repository.with_suffix(".gitconfig")
        return kept | {
            "PYTHONNOUSERSITE": "1",
            "GIT_CONFIG_GLOBAL": str(settings),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # no warning of the debugger at every start
        }


@dataclass
class Run:
    """What came of running a notebook.

    Attributes:
        notebook: with its outputs.
        opened: what the kernel sent as it opened each widget, by the widget's id.
        seconds: how long it took.
    """

    notebook: NotebookNode
    opened: dict[str, dict[str, Any]]
    seconds: float

    def printed(self, name: str) -> str:
        """What a cell wrote to its standard output."""
        cell = next(cell for cell in self.notebook.cells if cell.id == name)
        return "".join(
            output.text
            for output in cell.outputs
            if output.output_type == "stream" and output.name == "stdout"
        )


class _Client(NotebookClient):
    """Keeps what is said when a widget is opened, before anyone makes it smaller."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.opened: dict[str, dict[str, Any]] = {}

    def handle_comm_msg(self, outs: list[Any], msg: dict[str, Any], cell_index: int) -> None:
        if msg["msg_type"] == "comm_open":
            self.opened[msg["content"]["comm_id"]] = msg["content"] | {"metadata": msg["metadata"]}
        super().handle_comm_msg(outs, msg, cell_index)


def run_notebook(machine: Machine, notebook: NotebookNode, folder: Path) -> Run:
    """Run a notebook from the top in a fresh kernel of the machine.

    Args:
        machine: whose Python runs the kernel; the notebook's client runs here.
        notebook: is changed: it gets the outputs.
        folder: where the kernel works; empty, as on Colab.

    Raises:
        CellExecutionError: a cell raised.
    """
    kernels = folder / "kernels"
    (kernels / "colab").mkdir(parents=True)
    command = [str(machine.python), "-c", KERNEL, "-f", "{connection_file}", "--log-level=ERROR"]
    spec = {"argv": command, "display_name": "Colab", "language": "python"}
    (kernels / "colab" / "kernel.json").write_text(json.dumps(spec))
    work = folder / "content"
    work.mkdir()
    manager = AsyncKernelManager(
        kernel_name="colab",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(kernels)]),
    )
    client = _Client(
        notebook,
        km=manager,
        timeout=900,
        coalesce_streams=True,
        shutdown_kernel="immediate",
        resources={"metadata": {"path": str(work)}},
    )
    start = time.perf_counter()
    client.execute(env=machine.environment())
    return Run(notebook, client.opened, time.perf_counter() - start)


@contextmanager
def new_machine(repository: Path) -> Iterator[Machine]:
    """A machine on which nothing was done yet; it is removed afterwards."""
    base = _base()
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=FOLDER))
    try:
        shutil.copytree(base, folder, symlinks=True, copy_function=os.link, dirs_exist_ok=True)
        yield Machine(folder, repository)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _base() -> Path:
    """The environment that all machines are copies of; made if there is none yet."""
    wanted = (HERE / "colab.txt").read_bytes() + sys.version.encode()
    base = FOLDER / f"base-{hashlib.sha256(wanted).hexdigest()[:12]}"
    if base.exists():
        return base
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("base-*"):
        shutil.rmtree(old)
    start = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="new-", dir=FOLDER))
    bare = make_bare(folder, folder / "no-repository")
    _link("torch", bare, set(bare.versions()))
    bare.run("-m", "pip", "install", "--quiet", "-r", str(HERE / "colab.txt"))
    shutil.copytree(HERE / "stub", bare.packages, dirs_exist_ok=True)
    folder.rename(base)  # all or nothing
    print(f"\nmade an environment like Colab's in {time.perf_counter() - start:.0f} s")
    return base


def _link(name: str, machine: Machine, there: set[str]) -> None:
    """Install a package of this environment, and all that it needs, by hard links."""
    there.add(name)
    package = distribution(name)
    for path in package.files or []:
        if ".." not in path.parts:  # not the commands in bin
            target = machine.packages / path
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(path.locate(), target)
    for line in package.requires or []:
        needed = Requirement(line)
        called = needed.name.lower().replace("_", "-")
        if called not in there and (not needed.marker or needed.marker.evaluate({"extra": ""})):
            _link(called, machine, there)


def make_bare(folder: Path, repository: Path) -> Machine:
    """An environment with nothing but pip."""
    # not this project's environment, but the Python that it was made of
    python = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    subprocess.run([str(python), "-m", "venv", str(folder)], check=True, timeout=120)
    return Machine(folder, repository)


def copy_repository(folder: Path) -> Path:
    """A git repository of the working tree, saved or not, under the name of the public one."""
    public = read_repository()
    copy = folder / "repository"
    listed = _git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (source := ROOT / name).is_file():  # a file can be deleted and not yet committed
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy / name)
    _git(copy, "init", "--quiet", f"--initial-branch={public.branch}")
    _git(copy, "config", "uploadpack.allowFilter", "true")  # pip asks for a partial clone
    _git(copy, "add", "--all", "--force")
    _git(copy, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "As it is")
    settings = copy.with_suffix(".gitconfig")
    settings.write_text(f'[url "{copy.as_uri()}"]\n\tinsteadOf = {public.url}\n')
    return copy


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def set_up_of(path: Path) -> str:
    """The source of a notebook's set-up cell."""
    notebook = nbformat.read(path, as_version=4)
    return str(next(cell.source for cell in notebook.cells if cell.id == "setup"))
