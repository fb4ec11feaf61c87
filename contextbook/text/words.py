"""Four ways to cut a sentence, three of them here: characters, bytes and words.

The fourth, subwords, is learned from text: :mod:`contextbook.text.bpe`.
"""

import re
from functools import cache
from typing import Any

from contextbook.text.validation import check_lines, check_text

# Letters and digits, with apostrophes inside (don't, o'clock); any other sign stands alone.
_ENGLISH_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def characters(text: str) -> list[str]:
    """Cut a text into its characters (Unicode code points).

    Raises:
        ValueError: ``text`` is not a string, or has a lone surrogate.
    """
    check_text(text)
    return list(text)


def utf8_bytes(text: str) -> list[int]:
    """Cut a text into the bytes, 0 to 255, that store it in UTF-8.

    A character takes one byte (ASCII), two, three (most Japanese) or four (most emoji).

    Raises:
        ValueError: ``text`` is not a string, or has a lone surrogate, which UTF-8 cannot store.
    """
    check_text(text)
    return list(text.encode("utf-8"))


def english_words(text: str) -> list[str]:
    """Cut an English text into words and punctuation marks; white space only separates.

    A word is a run of letters, digits and underscores, with apostrophes inside (``don't``); every
    other sign is a token of its own: ``"I can't!"`` gives ``["I", "can't", "!"]``.

    Raises:
        ValueError: ``text`` is not a string, or has a lone surrogate.
    """
    check_text(text)
    return _ENGLISH_WORD.findall(text)


def japanese_words(text: str) -> list[str]:
    """Cut a Japanese text into its shortest words with SudachiPy's dictionary (mode A).

    Japanese puts no space between words, so a dictionary and the likelihood of word sequences
    decide: 犬が歩いている gives 犬 が 歩い て いる. White space only separates.

    Raises:
        ValueError: ``text`` is not a string, has a lone surrogate, or has a line of more than
            49,149 bytes, which SudachiPy does not take.
        ImportError: SudachiPy or its small dictionary is not installed.
    """
    lines = check_lines(text, longest=49_149)
    surfaces = (word.surface() for line in lines for word in _sudachi().tokenize(line))
    return [surface for surface in surfaces if not surface.isspace()]


@cache
def _sudachi() -> Any:
    """Load SudachiPy with its small dictionary once; it takes a few tenths of a second."""
    try:
        from sudachipy import Dictionary, SplitMode

        return Dictionary(dict="small").tokenizer(mode=SplitMode.A)
    except ModuleNotFoundError as error:
        raise ImportError(
            "japanese_words needs SudachiPy and its small dictionary: "
            "pip install sudachipy sudachidict-small"
        ) from error
