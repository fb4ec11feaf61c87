"""Train the three models on the same pairs, let them translate, and see where they look."""

import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import sacrebleu
import torch
from torch import nn

from contextbook.datasets.tatoeba import ATTRIBUTION
from contextbook.real_sentences.looking import alignment
from contextbook.real_sentences.models import MODELS
from contextbook.real_sentences.scores import scores
from contextbook.real_sentences.settings import Settings
from contextbook.real_sentences.task import RealTask
from contextbook.training import best_device, mixed_precision
from contextbook.translation import train_translator, translate

OUR_SENTENCES = (
    "The teacher wrote a long letter.",
    "My sister bought a red hat.",
    "He did not open the window.",
)
"""The book's own sentences, whose alignments are shown: none of Tatoeba's goes into a record."""

POINTS = 20  # of the curve of losses


def compare(
    task: RealTask, settings: Settings, tell: Callable[[str], None] = print
) -> dict[str, Any]:
    """Train each model and measure it; what is measured can be written as JSON.

    All models get the same number of updates, on the same batches in the same order, and have about
    the same number of parameters.

    Args:
        task: what they learn, made with these settings.
        settings: how large the models are, and how long they learn.
        tell: called with a line of text whenever a model is trained.

    Raises:
        ValueError: a training diverges; the message says at which step and what to change.
    """
    trained: dict[str, dict[str, Any]] = {}
    written: dict[str, list[str]] = {}
    seen: dict[str, dict[str, Any]] = {sentence: {} for sentence in OUR_SENTENCES}
    for name in MODELS:
        model, trained[name] = train_model(name, task, settings)
        tell(f"{name}: trained, {trained[name]['seconds']} s, loss {trained[name]['losses'][-1]}")
        written[name] = texts_of(model, task, [pair.english for pair in task.test])
        for sentence, maps in seen.items():
            found = alignment(model, task, sentence)
            if found is not None:
                maps[name] = found
    measured = scores(written, task.references)
    return {
        "source": ATTRIBUTION,
        "made_with": {
            "python": platform.python_version(),
            "torch": str(torch.__version__),
            "sacrebleu": sacrebleu.__version__,
            "device": best_device().type,
            "threads": torch.get_num_threads(),
        },
        "settings": asdict(settings),
        "tokens": {"english": len(task.english), "japanese": len(task.japanese)},
        "models": {name: trained[name] | measured[name] for name in MODELS},
        "alignments": seen,
    }


def train_model(name: str, task: RealTask, settings: Settings) -> tuple[nn.Module, dict[str, Any]]:
    """A trained model, and what its training took.

    ``seconds`` are those of the training alone, by the processor's clock, which stands still while
    other programs have their turn; on a GPU by the clock on the wall.
    """
    torch.manual_seed(settings.seed)
    model = MODELS[name](task, settings).to(best_device())
    rate = settings.transformer_rate if name == "Transformer" else settings.recurrent_rate
    clock = time.process_time if best_device().type == "cpu" else time.perf_counter
    began = clock()
    with mixed_precision(model):
        history = train_translator(
            model,
            task,
            steps=settings.steps,
            learning_rate=rate,
            batch_size=settings.batch_size,
            seed=settings.seed,
        )
    return model, {
        "parameters": sum(weights.numel() for weights in model.parameters()),
        "learning_rate": rate,
        "seconds": round(clock() - began, 1),
        "losses": means(history.loss, POINTS),
    }


def texts_of(model: nn.Module, task: RealTask, sentences: Sequence[Sequence[str]]) -> list[str]:
    """Translate greedily: Japanese as it is written, without spaces between words."""
    written = translate(model, task, sentences)
    return ["".join(task.cut_japanese.join(tokens).split()) for tokens in written]


def means(values: Sequence[float], points: int) -> list[float]:
    """The means of ``points`` stretches of a list, one after the other, to three digits."""
    ends = [len(values) * point // points for point in range(points + 1)]
    stretches = [values[first:end] for first, end in pairwise(ends)]
    return [round(sum(part) / len(part), 3) for part in stretches if part]
