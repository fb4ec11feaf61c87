"""`python -m tools.serve`: show the built website to this machine's browser.

Text is sent compressed and files may be cached for ten minutes, as static hosts do, so that what
is measured here is what a reader of the published site gets.
"""

import argparse
import contextlib
import gzip
import mimetypes
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
MISSING = "404.html"
HOST = "127.0.0.1"
FIRST_PORT = 8000
TEXT = (".html", ".js", ".css", ".svg", ".json", ".txt", ".ipynb", ".md", ".inv")
TYPES = {".js": "text/javascript", ".ipynb": "application/x-ipynb+json", ".woff2": "font/woff2"}


@lru_cache(1024)
def compressed(path: Path, changed: int) -> bytes:
    """A file, compressed; `changed` (its time stamp) tells one version from the next."""
    return gzip.compress(path.read_bytes(), mtime=0)


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with files of one folder."""

    protocol_version = "HTTP/1.1"
    folder: Path
    prefix = ""

    def do_GET(self) -> None:
        """Send a file."""
        self.answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send what would come before the file."""
        self.answer(with_body=False)

    def answer(self, with_body: bool) -> None:
        """Find the file, and send it, or the site's page for missing addresses."""
        path = self.find()
        status = HTTPStatus.OK
        if path is None:
            status = HTTPStatus.NOT_FOUND
            path = self.folder / MISSING
        if not path.is_file():
            self.send_body(status, "text/plain; charset=utf-8", b"not found", with_body)
            return
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        kind = kind or "application/octet-stream"
        if path.suffix in TEXT:
            kind += "; charset=utf-8"
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        if path.suffix in TEXT and accepts:
            body = compressed(path, path.stat().st_mtime_ns)
            self.send_body(status, kind, body, with_body, "gzip")
        else:
            self.send_body(status, kind, path.read_bytes(), with_body)

    def find(self) -> Path | None:
        """The file that is asked for, if it is one of the folder's."""
        asked = unquote(urlsplit(self.path).path)
        if not asked.startswith(f"{self.prefix}/"):
            return None
        path = (self.folder / asked[len(self.prefix) :].lstrip("/")).resolve()
        if path.is_dir():
            path /= "index.html"
        return path if path.is_file() and path.is_relative_to(self.folder) else None

    def send_body(
        self, status: HTTPStatus, kind: str, body: bytes, with_body: bool, encoding: str = ""
    ) -> None:
        """Send status, headers and body."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        if encoding:
            self.send_header("Content-Encoding", encoding)
            self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""


class Server(ThreadingHTTPServer):
    """A server whose port another server holds already cannot be taken from it."""

    allow_reuse_address = sys.platform != "win32"
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell of a fault; that a browser went away before it had its answer is none."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def open_server(folder: Path, port: int = FIRST_PORT, prefix: str = "") -> Server:
    """A server for a folder, not yet serving, on a free port.

    Args:
        folder: what it shows.
        port: the first port to try, of twenty; 0 takes any free one.
        prefix: path under which the site lies, such as `/book`.

    Raises:
        ValueError: there is no site in the folder, or no port is free.
    """
    folder = folder.resolve()
    if not (folder / "index.html").is_file():
        raise ValueError(f"there is no site in {folder}: build it with `make site`")
    handler = type("FolderHandler", (Handler,), {"folder": folder, "prefix": prefix.rstrip("/")})
    for number in [0] if port == 0 else range(port, port + 20):
        with contextlib.suppress(OSError):  # taken: the next one
            return Server((HOST, number), handler)
    raise ValueError(f"no port from {port} to {port + 19} is free: give another with --port")


@contextlib.contextmanager
def serving(folder: Path, prefix: str = "") -> Iterator[str]:
    """Serve a folder while the block runs; gives the address, without a slash at its end."""
    server = open_server(folder, 0, prefix)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}{prefix.rstrip('/')}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SITE)
    parser.add_argument("--port", type=int, default=FIRST_PORT)
    arguments = parser.parse_args()
    try:
        server = open_server(arguments.folder, arguments.port)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"The book is at http://localhost:{server.server_port}/ (stop it with Ctrl+C)", flush=True
    )
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
