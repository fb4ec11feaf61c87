"""A vocabulary: which token has which number, and what becomes of tokens it does not know."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from contextbook.text.validation import (
    check_ids,
    check_sequences,
    check_size,
    check_token_lists,
    check_tokens,
    check_vocabulary,
)

PAD, BOS, EOS, UNK = "<pad>", "<bos>", "<eos>", "<unk>"
SPECIAL_TOKENS = (PAD, BOS, EOS, UNK)


class Vocabulary:
    """A numbered list of tokens: encode looks up their ids, decode looks up tokens.

    ``Vocabulary(frequent_tokens(sentences))`` numbers the words of a corpus.

    Special tokens come first: ``<pad>`` is 0 and fills a batch up, ``<bos>`` and ``<eos>`` begin
    and end a sequence, ``<unk>`` stands for every token that the vocabulary lacks.

    Args:
        tokens: the other tokens, each once, in the order of their ids.
        special_tokens: begins with ``<pad>``. Leave ``<unk>`` out and an unknown token is an error.

    Raises:
        ValueError: a token comes twice or is no string, or ``<pad>`` is not first.
    """

    def __init__(
        self, tokens: Iterable[str], special_tokens: Sequence[str] = SPECIAL_TOKENS
    ) -> None:
        self.tokens = check_vocabulary(tokens, special_tokens, PAD)
        self.special_tokens = tuple(special_tokens)
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def encode(
        self,
        tokens: Sequence[str],
        *,
        bos: bool = False,
        eos: bool = False,
    ) -> list[int]:
        """Look up the id of each token.

        Args:
            tokens: a list of strings.
            bos, eos: put ``<bos>`` before and ``<eos>`` after them.

        Raises:
            ValueError: a token is unknown and there is no ``<unk>``; ``<bos>`` or ``<eos>`` is
                wanted and not there; or ``tokens`` is one string.
        """
        before, after = [BOS] * bos, [EOS] * eos
        tokens = before + check_tokens(tokens, self.ids, before + after, UNK) + after
        return [self.ids[token if token in self.ids else UNK] for token in tokens]

    def decode(self, ids: Iterable[int], *, skip_special: bool = False) -> list[str]:
        """Look up the token of each id.

        Raises:
            ValueError: an id is no integer or out of range.
        """
        ids = check_ids(ids, len(self))
        special = len(self.special_tokens) if skip_special else 0
        return [self.tokens[number] for number in ids if number >= special]

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        special = len(self.special_tokens)
        return f"Vocabulary({len(self)} tokens, {special} of them special)"


def frequent_tokens(
    sentences: Iterable[Sequence[str]], *, min_count: int = 1, max_size: int | None = None
) -> list[str]:
    """List the tokens of a corpus, frequent ones first, equally frequent ones by their text.

    Args:
        sentences: lists of tokens.
        min_count: leave out what occurs less often.
        max_size: at most so many tokens; the most frequent stay.

    Raises:
        ValueError: a sentence is no list of strings, or a limit is too small.
    """
    check_size(min_count, max_size)
    counts = Counter(token for tokens in check_token_lists(sentences) for token in tokens)
    frequent = [token for token, count in counts.items() if count >= min_count]
    return sorted(frequent, key=lambda token: (-counts[token], token))[:max_size]


def pad(
    sequences: Iterable[Sequence[int]], value: int = 0, *, length: int | None = None
) -> npt.NDArray[np.int64]:
    """Fill sequences up on the right, so that they fit into one array.

    Args:
        sequences: ``batch`` lists of ids, of any lengths.
        value: what to fill with; 0 is ``<pad>``.
        length: the length wanted; that of the longest sequence when ``None``.

    Returns:
        Integers ``(batch, length)``.

    Raises:
        ValueError: a sequence is longer than ``length``, or an id is no integer.
    """
    rows = check_sequences(sequences, length)
    width = max(map(len, rows), default=0) if length is None else length
    batch = np.full((len(rows), width), value, dtype=np.int64)
    for row, ids in zip(batch, rows, strict=True):
        row[: len(ids)] = ids
    return batch
