"""The data that chapters share: the running sentence, the grammar, our prose, small tasks.

The tasks return tensors and live in :mod:`contextbook.datasets.tasks`; all else needs no torch.
"""

from contextbook.datasets import prose
from contextbook.datasets.grammar import Pair, Splits, running_pair, splits, translation_pairs
from contextbook.datasets.lexicon import GENDER_PAIRS, TENSE_PAIRS, gloss, reading, word_class
from contextbook.datasets.sentence import (
    RUNNING_SENTENCE,
    RUNNING_TRANSLATION,
    Word,
    running_sentence,
)

__all__ = [
    "GENDER_PAIRS",
    "RUNNING_SENTENCE",
    "RUNNING_TRANSLATION",
    "TENSE_PAIRS",
    "Pair",
    "Splits",
    "Word",
    "gloss",
    "prose",
    "reading",
    "running_pair",
    "running_sentence",
    "splits",
    "translation_pairs",
    "word_class",
]
