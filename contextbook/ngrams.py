"""n-grams: guess the next token from the few before it, by counting.

The idea is Shannon's (*A Mathematical Theory of Communication*, 1948); going back to a shorter
context when a longer one was never seen is called back-off (Katz, 1987; here without discounts).
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any


class NGramModel:
    """Guess the next token by what came after the same n - 1 tokens in a corpus.

    A token is anything that can be a dictionary's key: a string, an id.

    Args:
        n: tokens that are looked at together: the next one, and ``n - 1`` before it.

    Raises:
        ValueError: ``n`` is less than 1.
    """

    def __init__(self, n: int) -> None:
        check_order(n)
        self.n = n
        self.counts: defaultdict[tuple[Any, ...], Counter[Any]] = defaultdict(Counter)

    def learn(self, sentences: Iterable[Sequence[Hashable]]) -> "NGramModel":
        """Count each token of a corpus after its contexts of 0 to n - 1 tokens.

        Returns:
            The model itself, so that ``NGramModel(3).learn(sentences)`` is a trained one.

        Raises:
            ValueError: a sentence is a string; cut it into tokens first.
        """
        for tokens in sentences:
            check_sentence(tokens)
            for t, token in enumerate(tokens):
                for length in range(min(self.n, t + 1)):
                    self.counts[tuple(tokens[t - length : t])][token] += 1
        return self

    def seen_context(self, tokens: Sequence[Hashable]) -> tuple[Any, ...]:
        """The longest end of ``tokens``, at most n - 1, that was seen before."""
        check_sentence(tokens)
        check_learned(self.counts)
        context = tuple(tokens[len(tokens) - min(self.n - 1, len(tokens)) :])
        while context not in self.counts:
            context = context[1:]  # back off: forget the token farthest away
        return context

    def probabilities(self, tokens: Sequence[Hashable]) -> dict[Any, float]:
        """Probability of each token that may come next, the likeliest first.

        Args:
            tokens: what stands before; all but the last n - 1 of them are ignored.

        Returns:
            Probabilities that sum to 1, by token.

        Raises:
            ValueError: nothing has been learned yet, or ``tokens`` is a string.
        """
        seen = self.counts[self.seen_context(tokens)]
        return {token: count / seen.total() for token, count in seen.most_common()}

    def predict(self, tokens: Sequence[Hashable]) -> Any:
        """The likeliest next token; among equals the one that was seen first."""
        return next(iter(self.probabilities(tokens)))


def check_order(n: int) -> None:
    """Check that an n-gram has at least the token that is guessed."""
    if n < 1:
        raise ValueError(f"n must be at least 1 (the next token alone), got {n}")


def check_sentence(tokens: Sequence[Hashable]) -> None:
    """Check that a sentence is a sequence of tokens, and no string, whose items are letters."""
    if isinstance(tokens, str) or not isinstance(tokens, Sequence):
        raise ValueError(
            f"a sentence is a list of tokens, got {type(tokens).__name__}: cut a text with "
            "list(text) or text.split(), and call .tolist() on a tensor"
        )


def check_learned(counts: dict[tuple[Any, ...], Counter[Any]]) -> None:
    """Check that there is something to guess from."""
    if not counts:
        raise ValueError("nothing has been counted yet: call learn(sentences) with some tokens")
