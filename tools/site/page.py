"""One built page: where it lies, and its HTML as a tree that the levers work on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

# Pages of themes' parts, copied along with their assets.
ASSETS = "_static"


@dataclass
class Page:
    """A page of the built site.

    Attributes:
        path: its file.
        root: the folder of the site.
        soup: its tree; `save` writes it back.
    """

    path: Path
    root: Path
    soup: BeautifulSoup

    @classmethod
    def load(cls, path: Path, root: Path) -> "Page":
        """Read and parse a file."""
        return cls(path, root, BeautifulSoup(path.read_text("utf8"), "html.parser"))

    def save(self) -> None:
        """Write the tree back."""
        self.path.write_text(str(self.soup), "utf8")

    @property
    def name(self) -> str:
        """Path without suffix, from the site's root: `notebooks/en/09-attention`."""
        return self.path.relative_to(self.root).with_suffix("").as_posix()

    @property
    def up(self) -> str:
        """What leads from the page to the site's root: `../../`."""
        return "../" * self.name.count("/")

    @property
    def head(self) -> Tag:
        """The `<head>`.

        Raises:
            ValueError: the page has none.
        """
        head = self.soup.head
        if head is None:
            raise ValueError(f"{self.path} has no <head>: it is no page of Jupyter Book's")
        return head

    def tag(self, name: str, text: str = "", **attributes: str) -> Tag:
        """A new element; `class_` stands for `class`, other underscores for hyphens."""
        attrs = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        tag = self.soup.new_tag(name, attrs=attrs)
        if text:
            tag.string = text
        return tag


def add_class(tag: Tag, *names: str) -> None:
    """Give an element further classes."""
    classes = tag.get_attribute_list("class")
    classes.extend(names)
    tag["class"] = classes


def pages(root: Path) -> Iterator[Page]:
    """The site's pages, in the order of their paths; redirects and parts of themes left out.

    Raises:
        ValueError: the folder holds none.
    """
    found = False
    for path in sorted(root.rglob("*.html")):
        if ASSETS in path.relative_to(root).parts:
            continue
        page = Page.load(path, root)
        if page.soup.head is not None and not page.soup.select("meta[http-equiv=refresh]"):
            found = True
            yield page
    if not found:
        raise ValueError(f"no page in {root}: build the site first, with `make site`")
