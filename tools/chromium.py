"""Finds a Chromium for the tests and measurements; `python -m tools.chromium` prints its path."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# where macOS keeps them, off the PATH
PLACES = tuple(
    Path(f"/Applications/{name}.app/Contents/MacOS/{name}")
    for name in ("Google Chrome", "Chromium")
)
# The second has glyphs for Japanese, or pages and PDFs would show boxes.
DEBIAN = ("chromium", "fonts-noto-cjk")
MEND = (
    "No Chromium was found. Fetch one with `.venv/bin/playwright install chromium`, which needs no "
    "root; or install one and have it on the PATH; or give its path in the environment variable "
    "CHROMIUM."
)


def find_chromium() -> Path | None:
    """$CHROMIUM, then the PATH, macOS's applications, Playwright's download; `None` without any.

    Raises:
        ValueError: $CHROMIUM names no file.
    """
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        if not Path(chosen).is_file():
            raise ValueError(f"the environment variable CHROMIUM names no file: {chosen}")
        return Path(chosen)
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    for place in PLACES:
        if place.is_file():
            return place
    return find_playwrights()


def find_playwrights() -> Path | None:
    """The browser that `playwright install chromium` has put on this machine, if any."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def install_chromium() -> None:
    """Debian's package, where that is allowed.

    Raises:
        ValueError: this is no Debian, this user may not install, or the installation failed.
    """
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise ValueError(MEND)
    for command in ([apt, "update"], [apt, "install", "--yes", *DEBIAN]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"{MEND} ({' '.join(command)}: {done.stderr.strip()[-300:]})")


def require_chromium() -> Path:
    """The path of a Chromium, installed now if need be.

    Raises:
        ValueError: there is none and none could be installed; the message says what to do.
    """
    found = find_chromium()
    if found is None:
        install_chromium()
        found = find_chromium()
    if found is None:
        raise ValueError(MEND)
    return found


def main() -> int:
    """Print the path; 1 and one clear line where there is none."""
    try:
        print(require_chromium())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
