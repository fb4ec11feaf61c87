"""The address of the book's repository, read from ``_config.yml``, its one home.

Used by the notebook builder (set-up cells) and by the site (*Open in Colab* buttons, the addresses
that search engines and other sites are given).
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import yaml

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Repository:
    """Where the book lives: ``url`` without a trailing slash or ``.git``, and the branch.

    ``site`` is the website's address, where ``_config.yml`` names one of its own.
    """

    url: str
    branch: str
    site: str = ""

    @property
    def install(self) -> str:
        """What pip installs the book's package from, as set-up cells name it."""
        return f"git+{self.url}@{self.branch}"

    @property
    def pages(self) -> str:
        """Where the site is shown: ``https://owner.github.io/repository/``, or its own address.

        Raises:
            ValueError: ``url`` does not end with an owner and a repository.
        """
        if self.site:
            return f"{self.site.rstrip('/')}/"
        parts = [part for part in urlsplit(self.url).path.split("/") if part]
        if len(parts) != 2:
            raise ValueError(
                f"_config.yml: repository.url is {self.url!r}, which does not end with an owner "
                "and a repository: write https://github.com/OWNER/REPOSITORY"
            )
        owner, name = parts
        return f"https://{owner.lower()}.github.io/{name}/"


def read_repository(root: Path = ROOT) -> Repository:
    """Read ``repository.url`` and ``repository.branch`` from ``<root>/_config.yml``.

    Raises:
        ValueError: the file is missing or no YAML, or one of the two is not a non-empty string.
    """
    path = root / "_config.yml"
    mend = "write there\nrepository:\n  url: https://github.com/OWNER/REPOSITORY\n  branch: main"
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, yaml.YAMLError) as error:
        raise ValueError(f"{path.name} cannot be read ({error}): {mend}") from error
    repository = config.get("repository") if isinstance(config, dict) else None
    if not isinstance(repository, dict):
        raise ValueError(f"{path.name} has no repository: {mend}")
    values = {}
    for key in ("url", "branch"):
        value = repository.get(key)
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{path.name}: repository.{key} is {value!r}, not a string: {mend}")
        values[key] = value.strip()
    site = (config.get("html") or {}).get("baseurl") or ""
    return Repository(values["url"].rstrip("/").removesuffix(".git"), values["branch"], site)
