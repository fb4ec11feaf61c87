"""Text into numbers: cutting a sentence, numbering the parts, learning subwords.

Nothing here needs torch. ``words`` cuts, ``vocabulary`` numbers; ``pieces``, ``merges`` and ``bpe``
are byte-pair encoding: what it starts from, how it learns, how it is used; ``files`` keeps both.
"""

from contextbook.text.bpe import ByteLevelBPE, merge_steps
from contextbook.text.files import load_bpe, load_vocabulary, save_bpe, save_vocabulary
from contextbook.text.merges import learn_merges, learn_merges_naive
from contextbook.text.pieces import pieces, readable
from contextbook.text.vocabulary import Vocabulary, frequent_tokens, pad
from contextbook.text.words import characters, english_words, japanese_words, utf8_bytes

__all__ = [
    "ByteLevelBPE",
    "Vocabulary",
    "characters",
    "english_words",
    "frequent_tokens",
    "japanese_words",
    "learn_merges",
    "learn_merges_naive",
    "load_bpe",
    "load_vocabulary",
    "merge_steps",
    "pad",
    "pieces",
    "readable",
    "save_bpe",
    "save_vocabulary",
    "utf8_bytes",
]
