"""What a byte-level tokenizer does before it looks anything up: cut, and number the bytes."""

import re
import sys
from functools import cache

from contextbook.text.validation import N_BYTES, check_text

# GPT-2 numbers first the bytes that print as a character in Latin-1, then all the others.
_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
BYTES = bytes(_PRINTED + [byte for byte in range(N_BYTES) if byte not in _PRINTED])
BYTE_IDS = {byte: number for number, byte in enumerate(BYTES)}


def pieces(text: str) -> list[str]:
    """Cut a text where no token may reach across: into words, each with the space before it.

    Runs of letters, of digits, of other signs and of white space come apart, and English endings
    (``'s``, ``'ll``) from their words. Nothing is lost: the pieces joined are the text.

    Raises:
        ValueError: ``text`` is not a string, or has a lone surrogate.
    """
    check_text(text)
    return piece_pattern().findall(text)


@cache
def piece_pattern() -> re.Pattern[str]:
    r"""GPT-2's pattern, written for Python's own ``re``.

    The original asks for Unicode's letters and numbers: ``'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+|
    ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+``. ``re`` has no ``\p``: its ``\w`` is letters, numbers
    and the underscore, its ``\d`` only the decimal digits, and its ``\s`` has four control
    characters too many (1C to 1F). A character that is newer than Python's Unicode table
    (``unicodedata.unidata_version``) counts as an other sign.
    """
    # numbers that are no decimal digits, such as ² and Ⅷ; about 1,100 characters
    numbers = "".join(
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if character.isnumeric() and not character.isalpha() and not character.isdecimal()
    )
    letter, number = rf"[^\W\d_{numbers}]", rf"[\d{numbers}]"
    space, no_space = r"[^\S\x1c-\x1f]", r"[\S\x1c-\x1f]"
    other = r"(?:[^\w\s]|[_\x1c-\x1f])"
    endings, runs = "'s|'t|'re|'ve|'m|'ll|'d", rf" ?{letter}+| ?{number}+| ?{other}+"
    return re.compile(rf"{endings}|{runs}|{space}+(?!{no_space})|{space}+")


def byte_ids(piece: str) -> list[int]:
    """Number the UTF-8 bytes of a piece in GPT-2's order, 0 to 255."""
    return [BYTE_IDS[byte] for byte in piece.encode("utf-8")]


def readable(token: bytes) -> str:
    """Show a token: as text where its bytes are whole characters, else in hexadecimal.

    A space at its start shows as ``␣``, so that one sees which tokens begin a word.
    """
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        return f"<{token.hex(' ').upper()}>"
    return text.replace(" ", "␣") if text.isprintable() else f"<{token.hex(' ').upper()}>"
