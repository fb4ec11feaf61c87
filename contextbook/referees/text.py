"""The referee of chapter 1: does a BPE, perhaps edited by the reader, do what ``tokenizers`` does?

Hugging Face's ``tokenizers`` learns from the same texts and cuts the same texts; merges and ids
must be equal, one by one. The verdict is shown like that of an exercise.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from contextbook.exercises.framework import Attempt
from contextbook.exercises.verdict import PASSED, Hint, Verdict, verdict_of
from contextbook.text.merges import Pair, merge_pair, piece_counts
from contextbook.text.pieces import BYTES, byte_ids, readable
from contextbook.text.validation import N_BYTES

__all__ = ["check_bpe"]

MERGES = 120  # more than the texts have
FEW = 10
_CORPUS = [
    "犬が歩いていると猫と出会いました。",
    "As the dog was walking along, it met a cat.",
    "The dog that barked didn't bite; the dog that bit hadn't barked.",
    "昔々、あるところに、おじいさんとおばあさんが住んでいました。犬と猫が歩いていました。",
    "aaaa aaa aa a abab babab 👩‍🚀 👩‍🚀 🐕‍🦺 2017 2017",
]
_TEXTS = [
    "The cats weren't walking; they'd been carried.",
    "猫が川へ歩いて行きました。",
    "犬 means dog, and neko (猫) a cat: 3.14 or 2²!",
    "👩‍🚀🇯🇵 👍🏽",
    "\x00\x1b[0m\x1c\x1f\x7f\x85\u200b\ufeff\r\n\t end",
    "  two  spaces \u3000\u00a0 ",
    "aaaaaaa abababab",
    "aaaa aaa abab babaab bathed athe",  # here the order of the merges decides
    "",
]


def check_bpe(learn: Callable[..., Any], tokenizer: Callable[..., Any]) -> Verdict:
    """Compare a way to learn merges, and a tokenizer made of them, with ``tokenizers``.

    Args:
        learn: called as ``learn(texts, merges)``, returns pairs of ids as
            :func:`contextbook.text.learn_merges` does.
        tokenizer: called with the merges, has ``encode(text)`` and ``decode(ids)`` as
            :class:`contextbook.text.ByteLevelBPE` has.

    Returns:
        A verdict to be displayed; it never raises for what the two do.

    Raises:
        ImportError: ``tokenizers`` is not installed.
    """
    referee = _referee()
    try:
        merges = Attempt(learn).call(list(_CORPUS), MERGES)
        expected = _merges_of(referee)
        _compare_merges(merges, expected)
        few = Attempt(learn).call(list(_CORPUS), FEW)
        if list(map(tuple, few)) != expected[:FEW]:
            raise Hint("limit", wanted=FEW, got=len(few))
        made = Attempt(tokenizer).call(expected)
        for text in _TEXTS:
            _compare_cuts(made, text, referee.encode(text).ids)
        raise Hint(PASSED, merges=len(expected), texts=len(_TEXTS))
    except Hint as hint:
        return verdict_of("bpe_referee", hint)


def _compare_merges(merges: Any, expected: list[Pair]) -> None:
    if not isinstance(merges, list | tuple):
        raise Hint("no_merges", type=type(merges).__name__)
    tokens = [bytes([byte]) for byte in BYTES]
    words = {piece: byte_ids(piece) for piece in piece_counts(_CORPUS)}
    for number, right in enumerate(expected, start=1):
        if number > len(merges):
            raise Hint("too_few", got=len(merges), expected=len(expected))
        ours = merges[number - 1]
        if not isinstance(ours, list | tuple) or len(ours) != 2:
            raise Hint("no_pair", number=number, got=repr(ours)[:60])
        if tuple(ours) != right:
            _explain(number, tuple(ours), right, words, tokens)
        tokens.append(tokens[right[0]] + tokens[right[1]])
        words = {p: merge_pair(ids, right, N_BYTES + number - 1) for p, ids in words.items()}
    if len(merges) > len(expected):
        raise Hint("too_many", got=len(merges), expected=len(expected))


def _explain(
    number: int,
    ours: tuple[Any, ...],
    right: Pair,
    words: dict[str, list[int]],
    tokens: list[bytes],
) -> None:
    """Say how the first merge that differs may have come about.

    Raises:
        Hint: always.
    """
    counts = piece_counts(_CORPUS)
    weighted: Counter[Pair] = Counter()
    once: Counter[Pair] = Counter()
    for piece, ids in words.items():
        for pair in pairwise(ids):
            weighted[pair] += counts[piece]
            once[pair] += 1
    shown = {"number": number, "ours": _pair(ours, tokens), "right": _pair(right, tokens)}
    if ours == _best(once):
        raise Hint("pieces_counted_once", **shown)
    if weighted[ours] == weighted[right]:
        raise Hint("tie", **shown, count=weighted[right])
    raise Hint("other_merge", **shown, count=weighted[ours], most=weighted[right])


def _best(counts: Counter[Pair]) -> Pair:
    return min(counts, key=lambda pair: (-counts[pair], pair))


def _pair(pair: tuple[Any, ...], tokens: list[bytes]) -> str:
    known = all(isinstance(part, int) and 0 <= part < len(tokens) for part in pair)
    return " + ".join(readable(tokens[part]) for part in pair) if known else repr(pair)[:60]


def _compare_cuts(tokenizer: Any, text: str, expected: list[int]) -> None:
    for method in ("encode", "decode"):
        if not hasattr(tokenizer, method):
            raise Hint("no_method", method=method, type=type(tokenizer).__name__)
    ids = Attempt(tokenizer.encode).call(text)
    if list(ids) != expected:
        repaired = Attempt(tokenizer.decode).call(ids) == text
        raise Hint("other_cut" if repaired else "lost", text=_shown(text))
    if Attempt(tokenizer.decode).call(ids) != text:
        raise Hint("not_decoded", text=_shown(text))


def _shown(text: str) -> str:
    return ascii(text) if not text.isprintable() else repr(text)


def _referee() -> Any:
    """Let ``tokenizers`` learn from the texts."""
    try:
        from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    except ModuleNotFoundError as error:
        raise ImportError(
            "check_bpe compares with Hugging Face's tokenizers: pip install tokenizers"
        ) from error
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=N_BYTES + MERGES,
        min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_CORPUS, trainer)
    return tokenizer


def _merges_of(tokenizer: Any) -> list[Pair]:
    ids = tokenizer.get_vocab()
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(ids[left], ids[right]) for left, right in merges]
