"""Start a chapter: ``python -m tools.new_chapter NUMBER NAME`` (or ``make new-chapter``).

Writes a chapter that builds, with a plot and an exercise to replace, enters it in the table of
contents and gives it a section in the table of words.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml

from tools.config import ROOT

PARTS = (
    (range(1, 7), "Part I. Recurrence: context handed on step by step"),
    (range(7, 10), "Part II. Attention: context looked up"),
    (range(10, 100), "Part III. The Transformer: attention is all there is"),
)

CHAPTER = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
chapter:
  number: {number}
  title: "{title}"
  description: "What the chapter is about, in one sentence for search engines."
  needs:
    - what to know before this chapter
  teaser: "What this chapter leaves open, and how the next one takes it up."
  minutes: {{cpu: 1, gpu: 1}}
---

# {number}. {title}

The question, from where the last chapter failed.

## The smallest example

```{{code-cell}} python
:name: example
from contextbook.datasets import running_sentence

print(" ".join(word.text for word in running_sentence()))
```

## The code

```{{code-cell}} python
:name: imports
import torch
from torch import Tensor

from contextbook.validation import check_scores_mask
```

```{{code-cell}} python
:name: quoted
:quote: contextbook.attention.masked_softmax
```

## The experiment

```{{code-cell}} python
:name: plot
from contextbook.figures import plot, show
from contextbook.words import words

w = words("{section}")
fig, ax = plot()
ax.plot([1, 2, 3], [1, 4, 9])
ax.set(xlabel=w.plot_x, ylabel=w.plot_y)
show(fig, w.plot_alt)
```

> **Try it.** What to do, and what will happen.

## Where it breaks

What opens the next chapter.
"""

WORDS = {
    "plot_x": "what is varied",
    "plot_y": "what is measured",
    "plot_alt": "A curve that rises ever more steeply from 1 to 9 over three points.",
}


def start_chapter(root: Path, number: int, name: str) -> Path:
    """Write the chapter's source, its entry in the contents and its section of words.

    Args:
        root: folder of the project.
        number: of the chapter, 1 to 99.
        name: lower-case words joined by hyphens, for the file and the address.

    Returns:
        The path of the source, ready to be edited.

    Raises:
        ValueError: a number or name that cannot be used, or a chapter of that number exists.
    """
    if not 1 <= number <= 99:
        raise ValueError(f"a chapter's number lies between 1 and 99, got {number}")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(
            f"{name!r} is no name: use lower-case words joined by hyphens, as in bi-rnn"
        )
    stem = f"{number:02}-{name}"
    taken = sorted((root / "chapters_src" / "en").glob(f"{number:02}-*.md"))
    if taken:
        raise ValueError(f"chapter {number} exists: {taken[0].name}")
    source = root / "chapters_src" / "en" / f"{stem}.md"
    title = name.replace("-", " ").capitalize()
    section = f"chapter{number:02}"
    source.write_text(CHAPTER.format(number=number, title=title, section=section), encoding="utf-8")
    _add_words(root / "contextbook" / "words" / "en.json", section)
    _add_to_contents(root / "_toc.yml", number, f"notebooks/en/{stem}")
    return source


def _add_words(path: Path, section: str) -> None:
    table = json.loads(path.read_text(encoding="utf-8"))
    table.setdefault(section, {}).update(WORDS)
    text = json.dumps(table, ensure_ascii=False, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")


def _add_to_contents(path: Path, number: int, page: str) -> None:
    contents: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    caption = next(caption for numbers, caption in PARTS if number in numbers)
    parts: list[dict[str, Any]] = contents["parts"]
    part = next((part for part in parts if part["caption"] == caption), None)
    if part is None:
        part = {"caption": caption, "chapters": []}
        order = [known for _, known in PARTS]
        before = [p for p in parts if p["caption"] in order[: order.index(caption)]]
        others = [p for p in parts if p["caption"] not in order]
        place = max((parts.index(p) + 1 for p in before), default=len(others))
        parts.insert(place, part)
    part["chapters"].append({"file": page})
    part["chapters"].sort(key=lambda chapter: chapter["file"])
    path.write_text(
        yaml.safe_dump(contents, sort_keys=False, allow_unicode=True, width=100), encoding="utf-8"
    )


def main(arguments: list[str] | None = None) -> int:
    """Start a chapter and say where it is."""
    parser = argparse.ArgumentParser(prog="tools.new_chapter", description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("name")
    options = parser.parse_args(arguments)
    try:
        source = start_chapter(ROOT, options.number, options.name)
    except ValueError as error:
        parser.error(str(error))
    print(f"write {source.relative_to(ROOT)}, then: make notebooks site")
    return 0


if __name__ == "__main__":
    sys.exit(main())
