"""Checks of what goes into ``contextbook.text``; kept here because they need no torch.

Each raises a ``ValueError`` that names the offending value and says how to mend it.
"""

from collections.abc import Iterable, Sequence
from operator import index

N_BYTES = 256


def check_text(text: str) -> None:
    """Check that ``text`` is a string that UTF-8 can store."""
    if not isinstance(text, str):
        raise ValueError(f"text must be a string, got {type(text).__name__}: {_short(text)}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"text has the lone surrogate {text[error.start]!r} at position {error.start}, which "
            "is no character: read the file again with its right encoding, or drop it by "
            'text.encode("utf-8", "ignore").decode("utf-8")'
        ) from error


def check_lines(text: str, longest: int) -> list[str]:
    """Check that ``text`` is a string without a line of too many bytes, and return its lines."""
    check_text(text)
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if (size := len(line.encode("utf-8"))) > longest:
            raise ValueError(
                f"line {number} has {size} bytes, more than the {longest} that can be cut at once: "
                "put each sentence on a line of its own"
            )
    return lines


def check_texts(texts: Iterable[str]) -> list[str]:
    """Check a corpus for training, and return it as a list."""
    if isinstance(texts, str):
        raise ValueError("texts must be several strings, got one string: put it in a list")
    texts = list(texts)
    for text in texts:
        check_text(text)
    if not any(texts):
        raise ValueError(
            f"the corpus is empty ({len(texts)} texts without a character): nothing can be "
            "learned from it"
        )
    return texts


def check_training(texts: Iterable[str], merges: int, min_count: int) -> list[str]:
    """Check what goes into BPE training, and return the corpus as a list."""
    for name, value, least in (("merges", merges, 0), ("min_count", min_count, 1)):
        if not _is_integer(value) or value < least:
            raise ValueError(f"{name} must be an integer of at least {least}, got {value!r}")
    return check_texts(texts)


def check_ids(ids: Iterable[int], size: int) -> list[int]:
    """Check that each id is an integer from 0 to ``size`` - 1, and return them as a list."""
    if isinstance(ids, str | bytes):
        raise ValueError(f"ids must be integers, got {_short(ids)}: call encode on text first")
    checked = []
    for position, value in enumerate(ids):
        if not _is_integer(value):
            raise ValueError(f"ids must be integers, got {value!r} at position {position}")
        if not 0 <= value < size:
            raise ValueError(
                f"id {index(value)} at position {position} is out of range: this vocabulary has "
                f"the ids 0 to {size - 1}"
            )
        checked.append(index(value))
    return checked


def check_decodable(joined: bytes, errors: str) -> str:
    """Decode the bytes of a text; complain clearly of bytes that are no UTF-8."""
    if errors not in ("strict", "replace", "ignore"):
        raise ValueError(f'errors must be "strict", "replace" or "ignore", got {errors!r}')
    try:
        return joined.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"the ids give bytes that are no UTF-8 text: {joined[error.start : error.end]!r} at "
            f"byte {error.start} of {len(joined)} (a character's bytes are cut apart?): use "
            'errors="replace" to see the rest'
        ) from error


def check_merges(merges: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """Check that each merge joins two tokens that exist by then, and that none comes twice."""
    checked: dict[tuple[int, int], None] = {}
    for rank, pair in enumerate(merges):
        if not isinstance(pair, Sequence) or len(pair) != 2:
            raise ValueError(f"merge {rank} must be a pair of ids, got {_short(pair)}")
        left, right = check_ids(pair, N_BYTES + rank)
        if (left, right) in checked:
            raise ValueError(f"merge {rank} repeats the pair {(left, right)}: keep the first only")
        checked[left, right] = None
    return list(checked)


def check_token_lists(sentences: Iterable[Sequence[str]]) -> list[list[str]]:
    """Check that each sentence is a list of strings, and return them as lists."""
    checked = []
    for sentence in [sentences] if isinstance(sentences, str) else sentences:
        if isinstance(sentence, str):
            raise ValueError(
                f"a sentence must be a list of tokens, got the string {_short(sentence)}: "
                "cut it first, for example with english_words"
            )
        checked.append(list(sentence))
        for token in checked[-1]:
            if not isinstance(token, str):
                raise ValueError(f"tokens must be strings, got {token!r}")
    return checked


def check_vocabulary(tokens: Iterable[str], special_tokens: Sequence[str], pad: str) -> list[str]:
    """Check that all tokens are strings and differ, and that padding comes first."""
    if isinstance(tokens, str) or isinstance(special_tokens, str):
        raise ValueError("tokens and special_tokens must be lists of strings, got one string")
    if not special_tokens or special_tokens[0] != pad:
        raise ValueError(f"special_tokens must begin with {pad!r}, got {list(special_tokens)}")
    together = [*special_tokens, *tokens]
    (together,) = check_token_lists([together])
    seen: set[str] = set()
    for token in together:
        if token in seen:
            raise ValueError(f"the token {token!r} comes twice: every token needs one id")
        seen.add(token)
    return together


def check_tokens(
    tokens: Sequence[str], ids: dict[str, int], marks: Sequence[str], unknown: str
) -> list[str]:
    """Check that tokens, and the marks to be put around them, have ids or can be unknown."""
    (checked,) = check_token_lists([tokens])
    for mark in marks:
        if mark not in ids:
            raise ValueError(f"{mark!r} is wanted, but is none of this vocabulary's special tokens")
    for token in checked:
        if token not in ids and unknown not in ids:
            raise ValueError(
                f"the token {token!r} is not in this vocabulary, which has no {unknown!r} either: "
                f"add {unknown!r} to its special tokens, or build it from text that has the token"
            )
    return checked


def check_size(min_count: int, max_size: int | None) -> None:
    """Check the limits that a vocabulary is built with."""
    if not _is_integer(min_count) or min_count < 1:
        raise ValueError(f"min_count must be an integer of at least 1, got {min_count!r}")
    if max_size is not None and (not _is_integer(max_size) or max_size < 0):
        raise ValueError(f"max_size must be an integer of at least 0 or None, got {max_size!r}")


def check_sequences(sequences: Iterable[Sequence[int]], length: int | None) -> list[list[int]]:
    """Check that sequences of ids can be padded to ``length``, and return them as lists."""
    rows = []
    for number, sequence in enumerate(sequences):
        if not isinstance(sequence, Iterable):
            raise ValueError(f"sequence {number} must be a list of ids, got {sequence!r}")
        row = list(sequence)
        for value in row:
            if not _is_integer(value):
                raise ValueError(f"ids must be integers, got {value!r} in sequence {number}")
        if length is not None and len(row) > length:
            raise ValueError(
                f"sequence {number} has {len(row)} ids, more than length={length}: cut it, or "
                "pad to a greater length"
            )
        rows.append([index(value) for value in row])
    return rows


def _is_integer(value: object) -> bool:
    """Whether a value counts exactly: int, NumPy or torch integer, but neither bool nor float."""
    if isinstance(value, bool) or "bool" in str(getattr(value, "dtype", "")):
        return False
    try:
        index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def _short(value: object, width: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"
