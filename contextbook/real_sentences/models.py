"""The three models that are compared, in the order in which the book builds them."""

from collections.abc import Callable

from torch import nn

from contextbook.real_sentences.settings import Settings
from contextbook.recurrent import LSTMCell
from contextbook.seq2seq import Decoder, DotAttention, Encoder, EncoderDecoder, LuongDecoder
from contextbook.transformer import Transformer
from contextbook.translation import TranslationTask


def without_attention(task: TranslationTask, settings: Settings) -> EncoderDecoder:
    """Chapter 7's: all that the decoder gets is one vector."""
    sizes = settings.width, settings.hidden, LSTMCell
    encoder = Encoder(len(task.english), *sizes)
    return EncoderDecoder(encoder, Decoder(len(task.japanese), *sizes))


def with_attention(task: TranslationTask, settings: Settings) -> EncoderDecoder:
    """Chapter 8's, with Luong's dot score: the decoder looks back at the source."""
    width, hidden = settings.width, settings.hidden
    encoder = Encoder(len(task.english), width, hidden, LSTMCell)
    decoder = LuongDecoder(len(task.japanese), width, hidden, DotAttention(hidden), LSTMCell)
    return EncoderDecoder(encoder, decoder)


def transformer(task: TranslationTask, settings: Settings) -> Transformer:
    """Chapter 11's: attention alone."""
    return Transformer(
        len(task.english),
        len(task.japanese),
        layers=settings.layers,
        d_model=settings.width,
        heads=settings.heads,
        d_ff=settings.d_ff,
        dropout=settings.dropout,
    )


MODELS: dict[str, Callable[[TranslationTask, Settings], nn.Module]] = {
    "no attention": without_attention,
    "Luong, dot": with_attention,
    "Transformer": transformer,
}
