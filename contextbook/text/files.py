"""Vocabularies and tokenizers as files: JSON in UTF-8, for figures and other programs to read."""

import json
from pathlib import Path
from typing import Any

from contextbook.text.bpe import ByteLevelBPE
from contextbook.text.vocabulary import Vocabulary


def save_vocabulary(vocabulary: Vocabulary, path: str | Path) -> None:
    """Write a vocabulary: its special tokens, and the others in the order of their ids."""
    special = len(vocabulary.special_tokens)
    content = {
        "special_tokens": vocabulary.tokens[:special],
        "tokens": vocabulary.tokens[special:],
    }
    _write(path, "vocabulary", content)


def load_vocabulary(path: str | Path) -> Vocabulary:
    """Read what :func:`save_vocabulary` wrote.

    Raises:
        ValueError: the file is no UTF-8 JSON, is of another kind, or makes no vocabulary.
    """
    tokens, special_tokens = _read(path, "vocabulary", "tokens", "special_tokens")
    return Vocabulary(tokens, special_tokens)


def save_bpe(tokenizer: ByteLevelBPE, path: str | Path) -> None:
    """Write a tokenizer: its merges, pairs of ids, are all there is to it."""
    _write(path, "byte-level BPE", {"merges": tokenizer.merges})


def load_bpe(path: str | Path) -> ByteLevelBPE:
    """Read what :func:`save_bpe` wrote.

    Raises:
        ValueError: the file is no UTF-8 JSON, is of another kind, or its merges make no sense.
    """
    (merges,) = _read(path, "byte-level BPE", "merges")
    return ByteLevelBPE(merges)


def _write(path: str | Path, kind: str, content: dict[str, Any]) -> None:
    text = json.dumps({"kind": kind, **content}, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def _read(path: str | Path, kind: str, *keys: str) -> list[list[Any]]:
    """Read a file of this kind, and return the lists under these keys."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not UTF-8 JSON ({error}): save it again") from error
    found = content.get("kind") if isinstance(content, dict) else None
    if found != kind:
        raise ValueError(f"{path} does not hold a {kind!r}: its kind is {found!r}")
    for key in keys:
        if not isinstance(content.get(key), list):
            raise ValueError(f"{path} has no list {key!r}: save it again")
    return [content[key] for key in keys]
