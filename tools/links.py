"""`python -m tools.links [--ask]`: list the built site's external links; with `--ask`, try each.

A test checks their form; whether they still answer only a scheduled run can tell, since tests use
no network. *Open in Colab* is asked as what it opens: the file in the repository.
"""

import argparse
import re
import sys
import urllib.error
import urllib.request
from collections import defaultdict
from pathlib import Path

from bs4 import BeautifulSoup

from tools.config import ROOT

SITE = ROOT / "_build" / "html"
COLAB = re.compile(r"https://colab\.research\.google\.com/github/([^/]+/[^/]+)/blob/([^?#]+)")
ARXIV = re.compile(r"/abs/(\d{4}\.\d{4,5}|[a-z-]+/\d{7})$")
# sites that turn programs away, whatever the page
SHY = ("doi.org", "jstor.org")
ALIVE = {401, 403, 405, 418, 429, 999}  # an answer, to somebody else


def external_links(site: Path) -> dict[str, list[str]]:
    """Each address that the site's pages lead to, outside of it, with the pages that do.

    Raises:
        ValueError: the folder has no page.
    """
    found: dict[str, list[str]] = defaultdict(list)
    pages = sorted(site.rglob("*.html"))
    if not pages:
        raise ValueError(f"no page in {site}: build the site first, with `make site`")
    for page in pages:
        soup = BeautifulSoup(page.read_text("utf8"), "html.parser")
        name = page.relative_to(site).as_posix()
        for link in soup.select("a[href]"):
            address = str(link["href"])
            if re.match(r"[a-z]+:", address) and name not in found[address]:
                found[address].append(name)
    return {address: found[address] for address in sorted(found)}


def fault_of(address: str) -> str:
    """What is wrong with the form of an external address; empty when nothing is."""
    if not address.startswith("https://"):
        return "does not begin with https://"
    if not re.fullmatch(r"https://[\w.-]+\.[a-z]{2,}(/[^\s<>\"]*)?", address):
        return "is no well-formed address"
    if "arxiv.org" in address and not re.search(
        r"/abs/\d{4}\.\d{4,5}$|/abs/[a-z-]+/\d{7}$", address
    ):
        return "is no arXiv abstract, such as https://arxiv.org/abs/1706.03762"
    if "doi.org" in address and not re.search(r"doi\.org/10\.\d{4,9}/\S+$", address):
        return "is no DOI, such as https://doi.org/10.1162/neco.1997.9.8.1735"
    return ""


def ask(address: str, timeout: float = 20.0) -> str:
    """Ask for an address; what went wrong, or nothing."""
    colab = COLAB.match(address)
    if colab:
        address = f"https://github.com/{colab[1]}/blob/{colab[2]}"
    request = urllib.request.Request(address, headers={"User-Agent": "link check of a textbook"})
    try:
        with urllib.request.urlopen(request, timeout=timeout):
            return ""
    except urllib.error.HTTPError as error:
        shy = any(host in address for host in SHY)
        return "" if shy or error.code in ALIVE else f"answers {error.code}"
    except (urllib.error.URLError, TimeoutError) as error:
        return f"does not answer: {error}"


def main(arguments: list[str] | None = None) -> int:
    """Print the list, and the faults; 1 when there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.links", description=__doc__)
    parser.add_argument("--site", type=Path, default=SITE, help="folder of the built site")
    parser.add_argument("--ask", action="store_true", help="try each address")
    options = parser.parse_args(arguments)
    try:
        links = external_links(options.site)
    except ValueError as error:
        parser.error(str(error))
    faults = 0
    for address, pages in links.items():
        fault = fault_of(address) or (ask(address) if options.ask else "")
        faults += bool(fault)
        print(f"{address}  ({len(pages)} pages)" + (f"  {fault}: {pages[0]}" if fault else ""))
    print(f"{len(links)} external links, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
