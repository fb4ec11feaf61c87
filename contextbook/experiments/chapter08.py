"""Chapter 8: the same task with a decoder that looks back at the source, by Luong and Bahdanau."""

from collections.abc import Callable

import torch

from contextbook.experiments.chapter07 import EMBEDDING, HIDDEN, task
from contextbook.experiments.record import experiment
from contextbook.metrics import bleu_by_length
from contextbook.recurrent import GRUCell, LSTMCell
from contextbook.seq2seq import (
    AdditiveAttention,
    Attention,
    BahdanauDecoder,
    ConcatAttention,
    DotAttention,
    Encoder,
    EncoderDecoder,
    GeneralAttention,
    LuongDecoder,
)
from contextbook.translation import TranslationTask, evaluate, train_translator, translate

STEPS = 400
LEARNING_RATE = 8e-3
ATTENTION_SIZE = 64  # numbers in which the additive scores compare

ATTENTIONS: dict[str, Callable[[], Attention]] = {
    "dot": lambda: DotAttention(HIDDEN),
    "general": lambda: GeneralAttention(HIDDEN, HIDDEN),
    "concat": lambda: ConcatAttention(HIDDEN, HIDDEN, ATTENTION_SIZE),
    "additive": lambda: AdditiveAttention(HIDDEN, HIDDEN, ATTENTION_SIZE),
}


def make_translator(kind: str, task: TranslationTask) -> EncoderDecoder:
    """A new encoder–decoder with attention.

    Args:
        kind: ``"dot"``, ``"general"`` or ``"concat"``, Luong's, over LSTMs; or ``"additive"``,
            Bahdanau's, over GRUs, as in the papers.
        task: whose vocabularies it has.
    """
    cell = GRUCell if kind == "additive" else LSTMCell
    encoder = Encoder(len(task.english), EMBEDDING, HIDDEN, cell)
    attention = ATTENTIONS[kind]()
    decoder_class = BahdanauDecoder if kind == "additive" else LuongDecoder
    decoder = decoder_class(len(task.japanese), EMBEDDING, HIDDEN, attention, cell)
    return EncoderDecoder(encoder, decoder)


@experiment(
    seeds=range(5),
    grid=[{"attention": kind} for kind in ATTENTIONS],
)
def translation_with_attention(seed: int, attention: str) -> dict[str, float]:
    """Exact matches and BLEU by length, and alignment accuracy, with attention to the source."""
    torch.manual_seed(seed)
    model = make_translator(attention, task())
    train_translator(model, task(), steps=STEPS, learning_rate=LEARNING_RATE, seed=seed)
    test = task().test
    written = translate(model, task(), [pair.english for pair in test])
    scores = bleu_by_length(
        written, [pair.japanese for pair in test], [pair.words for pair in test]
    )
    by_length = {f"bleu_{shortest}": score for (shortest, _), score in scores.items()}
    return evaluate(model, task()).numbers() | by_length
