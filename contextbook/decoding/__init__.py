"""Decoding: from a model's probabilities to sentences. Greedy, by beam search, by chance.

Every model of the book is decoded through the same three methods, ``start``, ``step`` and
``reorder`` (see :class:`Decodable`); batches are decoded together, and each sentence gets what it
gets alone. Ids: 0 is padding, ``start`` and ``stop`` are those of ``<bos>`` and ``<eos>``.
"""

from contextbook.decoding.beam import beam_search
from contextbook.decoding.protocol import Decodable, Decoded, normalised
from contextbook.decoding.writing import greedy, sample, write

__all__ = ["Decodable", "Decoded", "beam_search", "greedy", "normalised", "sample", "write"]
