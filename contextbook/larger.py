"""A larger task than the chapters', for those who have a GPU: more words, longer sentences.

::

    task = larger_task()
    model = Transformer(len(task.english), len(task.japanese), layers=4, d_model=256, heads=8)
    with mixed_precision(model.to(best_device())):
        train_translator(model, task, steps=4000, learning_rate=1e-3, batch_size=128)
    exact_by_length(model, task)
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import torch

from contextbook.datasets import Pair, splits
from contextbook.datasets.more_words import MORE_NOUNS, one_after_another, with_other_nouns
from contextbook.decoding import greedy
from contextbook.metrics import exact_match_by_length
from contextbook.progress import progress
from contextbook.seq2seq import vocabularies
from contextbook.translation import TranslationTask, evaluating, to_device

BINS = ((3, 12), (13, 25), (26, 37), (38, 50))
"""The lengths, in English words, by which :func:`exact_by_length` sorts sentences."""
LONGEST = 92
"""Most tokens that a translation is allowed, the stop token included."""


def larger_task(seed: int = 0, *, train: int = 60_000, test: int = 800) -> TranslationTask:
    """Sentences of the grammar with more nouns, half of them two in a row.

    English has some 250 words and sentences up to 50; the chapters' task half as many of either.

    Args:
        seed: the same seed gives the same task on every machine.
        train: pairs to learn from.
        test: pairs to report on; no sentence of theirs, or half of one, is one that is learned
            from, nor would be if its nouns were others.

    Raises:
        ValueError: a number is negative, there is nothing to learn from, or as
            :func:`contextbook.datasets.splits`.
    """
    for name, number in (("train", train), ("test", test)):
        if number < 0:
            raise ValueError(f"{name} must not be negative, got {number}")
    data = splits(seed, train=(train + 1) // 2, validation=0, test=(test + 1) // 2)
    draw = random.Random(seed).random
    learned = _enlarged(data.train, train, draw)
    patterns = {_pattern(pair) for pair in data.train}
    new = [pair for pair in data.test if _pattern(pair) not in patterns]
    return TranslationTask(learned, _enlarged(new, test, draw), *vocabularies(learned))


# for each noun that may change, the first of those that may stand in its place
_KINDS = {
    noun: choices[0][0]
    for replaced, choices in MORE_NOUNS.items()
    for noun in (replaced, *(english for english, _ in choices))
}


def _pattern(pair: Pair) -> tuple[str, ...]:
    """What :func:`with_other_nouns` leaves of a sentence, whichever nouns it draws."""
    return tuple("a" if word == "an" else _KINDS.get(word, word) for word in pair.english)


def _enlarged(pairs: Sequence[Pair], count: int, draw: Callable[[], float]) -> list[Pair]:
    """Single and double sentences in turn, each drawn anew, none twice."""
    found: dict[tuple[str, ...], Pair] = {}
    tries = 0

    def one() -> Pair:
        return with_other_nouns(pairs[int(draw() * len(pairs))], draw)

    while len(found) < count:
        tries += 1
        if not pairs or tries > 100 * count:
            raise ValueError(
                f"{len(pairs)} sentences of the grammar are too few to make {count} of: ask for "
                "more pairs"
            )
        pair = one() if len(found) % 2 else one_after_another(one(), one())
        found.setdefault(pair.english, pair)
    return list(found.values())


@torch.no_grad()
def exact_by_length(
    model: Any, task: TranslationTask, *, chunk: int = 200
) -> dict[tuple[int, int], float]:
    """Share of test sentences that are translated without a mistake, greedily, by length.

    Args:
        model: decoded as :mod:`contextbook.decoding` says, in evaluation mode meanwhile.
        task: as :func:`larger_task` makes it.
        chunk: sentences that are translated at once.

    Raises:
        ValueError: the task has no test sentences.
    """
    if not task.test:
        raise ValueError("the task has no test sentences: make it with test=1 or more")
    device = next(model.parameters()).device
    written: list[Sequence[str]] = []
    with evaluating(model):
        for first in progress(range(0, len(task.test), chunk), "translating"):
            batch = to_device(task.batch(task.test[first : first + chunk]), device)
            found = greedy(model, batch.source, batch.source_lengths, max_length=LONGEST)
            written += [task.japanese.decode(row) for row in found.ids()]
    wanted, lengths = zip(*((pair.japanese, pair.words) for pair in task.test), strict=True)
    return exact_match_by_length(written, wanted, lengths, BINS)
