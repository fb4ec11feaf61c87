"""Chapter 7: what gets through one fixed vector, by length of the sentence."""

from functools import cache

import torch

from contextbook.experiments.record import experiment
from contextbook.metrics import bleu_by_length
from contextbook.recurrent import LSTMCell
from contextbook.seq2seq import Decoder, Encoder, EncoderDecoder
from contextbook.translation import (
    TranslationTask,
    evaluate,
    train_translator,
    translate,
    translation_task,
)

EMBEDDING = 64
HIDDEN = 128
STEPS = 1000
LEARNING_RATE = 6e-3


@cache
def task() -> TranslationTask:
    """The pairs that all runs learn from; seeds differ in first weights and order."""
    return translation_task()


@experiment(seeds=range(5), grid=[{"hidden": 128}, {"hidden": 256}])
def translation_through_a_vector(seed: int, hidden: int) -> dict[str, float]:
    """Exact matches by length and BLEU, when all must pass through ``hidden`` numbers."""
    torch.manual_seed(seed)
    encoder = Encoder(len(task().english), EMBEDDING, hidden, LSTMCell)
    decoder = Decoder(len(task().japanese), EMBEDDING, hidden, LSTMCell)
    model = EncoderDecoder(encoder, decoder)
    train_translator(model, task(), steps=STEPS, learning_rate=LEARNING_RATE, seed=seed)
    test = task().test
    written = translate(model, task(), [pair.english for pair in test])
    scores = bleu_by_length(
        written, [pair.japanese for pair in test], [pair.words for pair in test]
    )
    by_length = {f"bleu_{shortest}": score for (shortest, _), score in scores.items()}
    return evaluate(model, task()).numbers() | by_length
