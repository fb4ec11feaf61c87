"""Text into numbers: cutting a sentence, numbering the parts, learning subwords.

Nothing here needs torch. ``words`` cuts, ``vocabulary`` numbers; ``pieces``, ``merges`` and ``bpe``
are byte-pair encoding: what it starts from, how it learns, how it is used.
"""

from contextbook.text.bpe import ByteLevelBPE
from contextbook.text.merges import learn_merges, learn_merges_naive
from contextbook.text.pieces import pieces
from contextbook.text.vocabulary import Vocabulary, pad
from contextbook.text.words import characters, english_words, japanese_words, utf8_bytes

__all__ = [
    "ByteLevelBPE",
    "Vocabulary",
    "characters",
    "english_words",
    "japanese_words",
    "learn_merges",
    "learn_merges_naive",
    "pad",
    "pieces",
    "utf8_bytes",
]
