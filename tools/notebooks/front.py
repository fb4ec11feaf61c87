"""The front matter of a chapter: read, checked key by key, faults told with their lines."""

import difflib
from dataclasses import dataclass
from typing import Any

import yaml

from tools.notebooks.faults import Report

EXAMPLE = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
chapter:
  number: 9
  title: Queries, keys, values
  needs: ["the softmax of chapter 8"]
  teaser: "One or two sentences that open the next chapter."
  minutes: {cpu: 1, gpu: 1}
---"""
REQUIRED = ("number", "title", "needs", "teaser", "minutes")
OPTIONAL = ("closing", "description", "extras", "gpu")  # closing: instead of teaser


@dataclass(frozen=True)
class Front:
    """What a chapter says about itself.

    ``minutes_cpu`` and ``minutes_gpu`` are the time that all cells together take; ``gpu`` asks
    Colab for a machine with a GPU. ``needs``, ``teaser`` and ``closing`` are Markdown: ``teaser``
    opens the next chapter, ``closing`` ends the last one, and one of the two is empty.
    ``description`` is plain text for search engines, empty when there is none; ``extras`` names the
    package's optional dependencies that the chapter needs. ``lines`` maps dotted keys to lines.
    """

    number: int
    title: str
    needs: tuple[str, ...]
    teaser: str
    closing: str
    minutes_cpu: float
    minutes_gpu: float
    gpu: bool
    description: str
    extras: tuple[str, ...]
    lines: dict[str, int]


def read_front(lines: list[str], report: Report) -> tuple[Front | None, int]:
    """Read the front matter that opens ``lines``.

    Returns:
        The front matter (``None`` when it has faults, which go to ``report``) and the number of
        lines that it takes, fences included.
    """
    if not lines or lines[0].rstrip() != "---":
        report.add(1, "the chapter has no front matter", f"open the file with\n{EXAMPLE}")
        return None, 0
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        report.add(1, "the front matter is not closed", "end it with a line of three hyphens, ---")
        return None, len(lines)
    text = "\n".join(lines[1:end])
    try:
        data = yaml.safe_load(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        report.add(
            mark.line + 2 if mark else 1,
            f"the front matter is no valid YAML: {problem}",
            f"put text with a colon or a bracket between quotes, as in\n{EXAMPLE}",
        )
        return None, end + 1
    reader = _Reader(data, _key_lines(node), report)
    return reader.read(), end + 1


def _key_lines(node: yaml.Node | None, prefix: str = "", first: int = 2) -> dict[str, int]:
    """Map each dotted key to its line in the file; the YAML starts on line ``first``."""
    found: dict[str, int] = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            dotted = f"{prefix}{key.value}"
            found[dotted] = key.start_mark.line + first
            found |= _key_lines(value, f"{dotted}.", first)
    return found


class _Reader:
    """Takes the values out of the parsed front matter and reports what is missing or wrong."""

    def __init__(self, data: Any, lines: dict[str, int], report: Report) -> None:
        self.data, self.lines, self.report = data, lines, report
        self.sound = True

    def fault(self, key: str, message: str, mend: str) -> None:
        parts = key.split(".")
        known = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
        line = next((self.lines[name] for name in known if name in self.lines), 1)
        self.report.add(line, f"front matter: {message}", mend)
        self.sound = False

    def get(self, key: str, kind: type | tuple[type, ...], wanted: str) -> Any:
        value = self.data
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                self.fault(key, f"{key} is missing", f"add it: {wanted}")
                return None
            value = value[part]
        wrong = not isinstance(value, kind) or (kind is not bool and isinstance(value, bool))
        if wrong or value == "" or value == []:
            self.fault(key, f"{key} is {value!r}", f"it must be {wanted}")
            return None
        return value

    def read_end(self) -> tuple[str, str]:
        """Return what opens the next chapter and, of the last chapter, what ends the book."""
        given = self.data["chapter"]
        if "closing" not in given:
            wanted = "a Markdown string that opens the next chapter"
            return self.get("chapter.teaser", str, wanted), ""
        if "teaser" in given:
            self.fault(
                "chapter.closing",
                "chapter has both a teaser and a closing",
                "keep teaser, or closing if no chapter follows",
            )
        return "", self.get("chapter.closing", str, "a Markdown string that ends the book")

    def read(self) -> Front | None:
        if not isinstance(self.data, dict):
            self.fault("", "it is no mapping of keys to values", f"write it as\n{EXAMPLE}")
            return None
        form = self.get("jupytext.text_representation.format_name", str, "myst")
        if form not in (None, "myst"):
            self.fault("jupytext", f"the format is {form!r}", "chapters are written in myst")
        kernel = self.get("kernelspec.name", str, "python3")
        if kernel not in (None, "python3"):
            self.fault("kernelspec.name", f"the kernel is {kernel!r}", "use python3")
        if not isinstance(self.get("chapter", dict, f"a mapping, as in\n{EXAMPLE}"), dict):
            return None
        for key in self.data["chapter"]:
            if key not in REQUIRED + OPTIONAL:
                near = difflib.get_close_matches(str(key), REQUIRED + OPTIONAL, n=1)
                mend = f"did you mean {near[0]}?" if near else "known: " + ", ".join(REQUIRED)
                self.fault(f"chapter.{key}", f"chapter has an unknown key {key!r}", mend)
        number = self.get("chapter.number", int, "a whole number, like 9")
        title = self.get("chapter.title", str, "a string, like Queries, keys, values")
        needs = self.get("chapter.needs", list, "a list of Markdown strings")
        if needs is not None and not all(isinstance(need, str) and need for need in needs):
            self.fault("chapter.needs", f"chapter.needs is {needs!r}", "each must be a string")
        teaser, closing = self.read_end()
        minutes = {}
        for device in ("cpu", "gpu"):
            value = self.get(f"chapter.minutes.{device}", (int, float), "a number above 0, like 1")
            if value is not None and value <= 0:
                key = f"chapter.minutes.{device}"
                self.fault(key, f"{key} is {value!r}", "it must be a number above 0, like 1")
            minutes[device] = value
        given = self.data["chapter"]
        gpu = "gpu" in given and self.get("chapter.gpu", bool, "true or false")
        description = ""
        if "description" in given:
            description = self.get("chapter.description", str, "a sentence for search engines")
        extras: list[str] = []
        if "extras" in given:
            extras = self.get("chapter.extras", list, "a list of extras of the package") or []
            if not all(isinstance(extra, str) and extra.isidentifier() for extra in extras):
                self.fault(
                    "chapter.extras",
                    f"chapter.extras is {extras!r}",
                    "name extras of pyproject.toml, as in [text]",
                )
        if not self.sound:
            return None
        return Front(
            number=number,
            title=title,
            needs=tuple(needs),
            teaser=teaser,
            closing=closing,
            minutes_cpu=minutes["cpu"],
            minutes_gpu=minutes["gpu"],
            gpu=gpu,
            description=description,
            extras=tuple(extras),
            lines=self.lines,
        )
