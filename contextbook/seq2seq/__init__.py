"""Sequence to sequence, from scratch: encoder, decoders, and attention between them.

::

    english, japanese = vocabularies(pairs)
    encoder = Encoder(len(english), 64, 128, LSTMCell)
    decoder = LuongDecoder(len(japanese), 64, 128, DotAttention(128), LSTMCell)
    model = EncoderDecoder(encoder, decoder)
    batch = make_batch(pairs[:64], english, japanese)
    logits, weights = model(batch.source, batch.source_lengths, batch.target_in)
    loss = sequence_loss(logits, batch.target_out)

Each part can be replaced by one of your own. :mod:`contextbook.decoding` lets a model write.
"""

from contextbook.seq2seq.attention import (
    AdditiveAttention,
    Attention,
    ConcatAttention,
    DotAttention,
    GeneralAttention,
)
from contextbook.seq2seq.data import UNALIGNED, Batch, make_batch, vocabularies
from contextbook.seq2seq.decoders import (
    AttentionDecoder,
    BahdanauDecoder,
    Decoder,
    DecoderState,
    LuongDecoder,
)
from contextbook.seq2seq.encoder import Encoder
from contextbook.seq2seq.model import EncoderDecoder, StepByStep, sequence_loss

__all__ = [
    "UNALIGNED",
    "AdditiveAttention",
    "Attention",
    "AttentionDecoder",
    "BahdanauDecoder",
    "Batch",
    "ConcatAttention",
    "Decoder",
    "DecoderState",
    "DotAttention",
    "Encoder",
    "EncoderDecoder",
    "GeneralAttention",
    "LuongDecoder",
    "StepByStep",
    "make_batch",
    "sequence_loss",
    "vocabularies",
]
