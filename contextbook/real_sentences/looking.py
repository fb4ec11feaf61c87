"""Where a model looks while it translates: its weights, from word to word."""

from collections.abc import Sequence
from string import punctuation
from typing import Any, TypeAlias

import torch
from torch import Tensor

from contextbook.decoding import greedy
from contextbook.real_sentences.task import RealTask, Subwords
from contextbook.text.vocabulary import EOS, SPECIAL_TOKENS
from contextbook.translation import LONGEST

BEFORE_WORDS = " " + punctuation
Span: TypeAlias = tuple[int, int]  # first token of a word, and the one behind its last


@torch.no_grad()
def alignment(model: Any, task: RealTask, sentence: str) -> dict[str, Any] | None:
    """Translate one English sentence, and see from which words each written word came.

    Args:
        model: a translator; put in evaluation mode.
        task: whose vocabularies it knows.
        sentence: English text.

    Returns:
        ``english`` and ``japanese``, the words of both sentences as they were cut, and ``weights``,
        a row for each Japanese word; or ``None`` for a model without attention. Subwords of one
        word are put together: what they are looked at with is added, what they look with averaged.
    """
    model.eval()
    device = next(model.parameters()).device
    tokens = [*task.cut_english.cut(sentence), EOS]
    source = torch.tensor([task.english.encode(tokens)], device=device)
    decoded = greedy(model, source, torch.tensor([len(tokens)], device=device), max_length=LONGEST)
    if decoded.alignments is None:
        return None
    written = task.japanese.decode(decoded.ids()[0])
    columns, rows = words(tokens), words(written)
    english = [text(task.cut_english, tokens[first:end]) for first, end in columns]
    if not rows:  # a model that has learned little may write nothing
        return {"english": english, "japanese": [], "weights": []}
    attended = decoded.alignments[0, : len(written)].cpu()  # (T_y, T_x)
    by_word = add_up(attended.T, columns).T  # (T_y, words)
    weights = add_up(by_word, rows) / torch.tensor([[end - first] for first, end in rows])
    return {
        "english": english,
        "japanese": [text(task.cut_japanese, written[first:end]) for first, end in rows],
        "weights": [[round(weight, 3) for weight in row] for row in weights.tolist()],
    }


def words(tokens: Sequence[str]) -> list[Span]:
    """Where words lie in a sentence of subwords: a space, a sign or a special token begins one."""
    begins = [
        number
        for number, token in enumerate(tokens)
        if number == 0
        or token[0] in BEFORE_WORDS
        or token in SPECIAL_TOKENS
        or tokens[number - 1] in SPECIAL_TOKENS
    ]
    return list(zip(begins, [*begins[1:], len(tokens)], strict=True))


def add_up(weights: Tensor, spans: Sequence[Span]) -> Tensor:
    """Sum the rows of each word: from ``(tokens, any)`` to ``(words, any)``."""
    return torch.stack([weights[first:end].sum(dim=0) for first, end in spans])


def text(subwords: Subwords, tokens: Sequence[str]) -> str:
    """A word as one reads it; � for what shows nothing, such as a control character."""
    if tokens[0] in SPECIAL_TOKENS:
        return tokens[0]
    word = subwords.join(tokens).strip()
    return "".join(sign if sign.isprintable() else "�" for sign in word)
