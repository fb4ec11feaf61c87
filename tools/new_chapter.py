"""Start a chapter: ``python -m tools.new_chapter NUMBER NAME`` (or ``make new-chapter``).

Writes a chapter that builds, with a plot to replace, enters it in the table of contents and gives
it a section in the table of words.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from tools.config import ROOT

ENTRY = re.compile(r"^( *- file: notebooks/en/)(\d\d)-[^\n]*\n", re.M)

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
    - {need}
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
        ValueError: a number or name that cannot be used, a chapter or words of that number exist,
            or the contents have no place for it. Nothing is written.
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
    contents, words = root / "_toc.yml", root / "contextbook" / "words" / "en.json"
    section = f"chapter{number:02}"
    table = json.loads(words.read_text(encoding="utf-8"))
    if section in table:
        raise ValueError(f"{words.relative_to(root)} has a section {section!r}: delete it first")
    listed = with_entry(contents.read_text(encoding="utf-8"), number, stem)
    need = (
        f"what the chapter before showed (chapter {number - 1})" if number > 1 else "what to know"
    )
    chapter = CHAPTER.format(
        number=number, title=name.replace("-", " ").capitalize(), section=section, need=need
    )
    source.write_text(chapter, encoding="utf-8")
    table[section] = WORDS
    words.write_text(json.dumps(table, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    contents.write_text(listed, encoding="utf-8")
    return source


def with_entry(contents: str, number: int, stem: str) -> str:
    """The table of contents with one line more: below the chapters of smaller numbers.

    Raises:
        ValueError: it lists no chapter.
    """
    entries = list(ENTRY.finditer(contents))
    if not entries:
        raise ValueError("_toc.yml lists no chapter, as in   - file: notebooks/en/01-tokens")
    smaller = [entry for entry in entries if int(entry[2]) < number]
    neighbour = smaller[-1] if smaller else entries[0]
    place = neighbour.end() if smaller else neighbour.start()
    return f"{contents[:place]}{neighbour[1]}{stem}\n{contents[place:]}"


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
    print(f"write {source.relative_to(ROOT)}, then: make notebooks site CHAPTER={options.number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
