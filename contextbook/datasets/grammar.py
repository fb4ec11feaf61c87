"""A small grammar that writes English sentences, their Japanese and the gold alignment.

Subject–verb–object becomes subject–object–verb; adjectives stay before their noun; relative
clauses, which follow it in English, come before it; particles and polite past endings appear
that no English word stands for. Nothing is left to taste: one English sentence has one translation.
"""

from collections import Counter
from typing import NamedTuple

from contextbook.datasets.lexicon import NOUNS, VERBS
from contextbook.datasets.phrases import NounPhrase, Phrase, Slot, close, tokens
from contextbook.datasets.productions import Productions

PUNCTUATION = frozenset(",.")
_PATIENCE = 1500  # draws in a row without a new sentence before a length counts as used up


class Pair(NamedTuple):
    """A sentence in both languages, cut into tokens.

    ``alignment[j]`` is the index in ``english`` of the word that ``japanese[j]`` translates, or
    ``None`` for a token that only holds the sentence together (は, を, と, まし, た, 。).
    """

    english: tuple[str, ...]
    japanese: tuple[str, ...]
    alignment: tuple[int | None, ...]

    @property
    def words(self) -> int:
        """The length by which the book sorts sentences: English words, punctuation left out."""
        return sum(token not in PUNCTUATION for token in self.english)


class Splits(NamedTuple):
    """Three lists of pairs; no English sentence is in two of them."""

    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]


def translation_pairs(
    count: int,
    seed: int = 0,
    *,
    shortest: int = 3,
    longest: int = 25,
    vocabulary: str = "full",
) -> list[Pair]:
    """Generate different sentence pairs, with lengths as even as the grammar allows.

    Each length from ``shortest`` to ``longest`` gets the same share. Where it has fewer
    sentences than that, it gives (nearly) all it has, and the longer ones share the rest.

    Args:
        count: how many pairs.
        seed: the same seed gives the same pairs on every machine.
        shortest: English words, without punctuation, in the shortest sentence; at least 3.
        longest: in the longest; at most 25.
        vocabulary: "full" (123 English words) or "small" (about 65).

    Returns:
        ``count`` pairs in random order, of which no two share their English.

    Raises:
        ValueError: an argument is out of range, or the grammar has too few such sentences.
    """
    if count < 0:
        raise ValueError(f"count must not be negative, got {count}")
    if not 3 <= shortest <= longest <= 25:
        raise ValueError(
            f"lengths must satisfy 3 <= shortest <= longest <= 25, got {shortest} and {longest}"
        )
    if vocabulary not in ("full", "small"):
        raise ValueError(f'vocabulary must be "full" or "small", got {vocabulary!r}')
    productions = Productions(seed, small=vocabulary == "small")
    found: dict[tuple[str, ...], Pair] = {}
    per_length: Counter[int] = Counter()
    lengths = list(range(shortest, longest + 1))  # those that are not used up
    while len(found) < count:
        if not lengths:
            raise ValueError(
                f"asked for {count} different pairs, but the {vocabulary} vocabulary makes only "
                f"about {len(found)} of {shortest} to {longest} words: ask for fewer, or allow "
                "longer sentences"
            )
        used_up = sum(number for length, number in per_length.items() if length not in lengths)
        share = -(-(count - used_up) // len(lengths))
        wanted = [length for length in lengths if per_length[length] < share]
        misses = 0
        while wanted and misses < _PATIENCE and len(found) < count:
            pair = _draw(productions, productions.pick(wanted))
            length = pair.words
            misses += 1
            if length in wanted and pair.english not in found:
                found[pair.english] = pair
                per_length[length] += 1
                misses = 0
                if per_length[length] == share:
                    wanted.remove(length)
        lengths = [length for length in lengths if length not in wanted]
    pairs = list(found.values())
    for last in range(len(pairs) - 1, 0, -1):  # Fisher and Yates, with nothing but random()
        other = int(productions.random() * (last + 1))
        pairs[last], pairs[other] = pairs[other], pairs[last]
    return pairs


def splits(
    seed: int = 0,
    *,
    train: int = 20_000,
    validation: int = 1_000,
    test: int = 2_000,
    shortest: int = 3,
    longest: int = 25,
    vocabulary: str = "full",
) -> Splits:
    """Generate pairs for training, validation and testing, disjoint by English sentence.

    All three have the same mixture of lengths. The running sentence is in none of them, so that
    what a model makes of it is always a translation of something it never saw.

    Args:
        seed: the same seed gives the same splits on every machine.
        train: how many pairs to learn from.
        validation: how many to choose by.
        test: how many to report on.
        shortest: as in :func:`translation_pairs`, like ``longest`` and ``vocabulary``.

    Raises:
        ValueError: a size is negative, or as :func:`translation_pairs`.
    """
    for name, size in (("train", train), ("validation", validation), ("test", test)):
        if size < 0:
            raise ValueError(f"{name} must not be negative, got {size}")
    total = train + validation + test
    pairs = translation_pairs(
        total + 1, seed, shortest=shortest, longest=longest, vocabulary=vocabulary
    )
    running = running_pair().english
    pairs = [pair for pair in pairs if pair.english != running][:total]
    return Splits(
        pairs[:train], pairs[train : train + validation], pairs[train + validation : total]
    )


def running_pair() -> Pair:
    """Return the running sentence and its English, as the grammar's own productions make it.

    犬が歩いていると猫と出会いました。 "As the dog was walking along, it met a cat."
    """
    nouns = {noun.english: noun for noun in NOUNS}
    verbs = {verb.past: verb for verb in VERBS}
    dog, cat = Slot("dog"), Slot("cat")
    parts = Productions(0, small=True).come_upon(
        NounPhrase([Slot("the"), dog], tokens(nouns["dog"].japanese, dog), nouns["dog"], False),
        verbs["walked"],
        None,
        verbs["met"],
        NounPhrase([Slot("a"), cat], tokens(nouns["cat"].japanese, cat), nouns["cat"], True),
    )
    return _pair(close(parts))


def _draw(productions: Productions, length: int) -> Pair:
    """Make one sentence of about this length."""
    return _pair(productions.sentence(0.05 + 1.4 * (length - 3) / 22))


def _pair(phrase: Phrase) -> Pair:
    for position, slot in enumerate(phrase.english):
        slot.position = position
    return Pair(
        tuple([slot.text for slot in phrase.english]),
        tuple([token for token, _ in phrase.japanese]),
        tuple([None if slot is None else slot.position for _, slot in phrase.japanese]),
    )
