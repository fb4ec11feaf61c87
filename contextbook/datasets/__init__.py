"""The data that the chapters share: the running sentence, the grammar, the small tasks."""

from contextbook.datasets.sentence import RUNNING_SENTENCE, Word, running_sentence

__all__ = ["RUNNING_SENTENCE", "Word", "running_sentence"]
