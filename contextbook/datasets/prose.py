"""The book's own prose: a story in English and Japanese, sentence by sentence.

Written for this book, so that tokenizers have real language to learn from and nothing has to be
fetched: a girl, a dog, a cat and an old man who keeps his memories in drawers, through one year on
a small island. Japanese narrates politely (です, ます) and speaks as people speak. Every tenth
sentence is held out.
"""

from functools import cache
from importlib.resources import files


def load(split: str = "all") -> list[tuple[str, str]]:
    """Read the story.

    Args:
        split: "train", "held_out" (every tenth sentence) or "all", in the order of the story.

    Returns:
        (English, Japanese) for each sentence.

    Raises:
        ValueError: ``split`` is none of the three.
    """
    pairs = _story()
    if split == "all":
        return list(pairs)
    if split == "held_out":
        return list(pairs[9::10])
    if split == "train":
        return [pair for number, pair in enumerate(pairs, start=1) if number % 10]
    raise ValueError(f'split must be "train", "held_out" or "all", got {split!r}')


@cache
def _story() -> tuple[tuple[str, str], ...]:
    text = files("contextbook.datasets").joinpath("prose.tsv").read_text(encoding="utf-8")
    pairs = []
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.split("\t")
        if len(cells) != 2:
            raise ValueError(
                f"prose.tsv, line {number}: expected English, a tab and Japanese, "
                f"got {len(cells)} cells"
            )
        pairs.append((cells[0], cells[1]))
    return tuple(pairs)
