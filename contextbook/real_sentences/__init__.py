"""The book's translators on real sentences: no attention, Luong's attention, the Transformer.

::

    python -m contextbook.real_sentences            # some minutes on a CPU
    python -m contextbook.real_sentences --large    # longer sentences, wider models: for a GPU

The sentences are Tatoeba's, and are fetched when they are first wanted
(:mod:`contextbook.datasets.tatoeba`). ``recorded()`` is what the first command measured for the
book.
"""

from contextbook.real_sentences.compare import compare
from contextbook.real_sentences.record import recorded, results, table
from contextbook.real_sentences.settings import LARGE, REDUCED, Settings
from contextbook.real_sentences.task import real_task

__all__ = ["LARGE", "REDUCED", "Settings", "compare", "real_task", "recorded", "results", "table"]
