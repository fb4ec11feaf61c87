"""How good are the translations, and is the difference more than luck of the test sentences?"""

from collections.abc import Mapping, Sequence
from typing import Any

from sacrebleu import BLEU, CHRF
from sacrebleu.significance import PairedTest


def scores(
    written: Mapping[str, Sequence[str]], references: Sequence[str]
) -> dict[str, dict[str, float]]:
    """BLEU and chrF of each model, 0 to 100, by sacrebleu on characters.

    Papineni et al. (2002); Popović, *chrF: character n-gram F-score for automatic MT evaluation*
    (2015). Japanese has no spaces: ``tokenize="char"`` counts n-grams of characters and needs no
    dictionary.

    Args:
        written: the translations of each model, the first of which the others are compared with.
        references: what should have been written, for each sentence.

    Returns:
        For each model ``bleu`` and ``chrf``; ``bleu_interval``, how far 95 % of 1,000 resamples of
        the test sentences reach to either side; and for all but the first ``bleu_p``: how often
        chance alone would make a difference as large (Koehn, *Statistical Significance Tests for
        Machine Translation Evaluation*, 2004).

    Raises:
        ValueError: a model has not translated each sentence.
    """
    for name, texts in written.items():
        if len(texts) != len(references):
            raise ValueError(f"{name}: {len(texts)} translations of {len(references)} sentences")
    metrics: dict[str, Any] = {"bleu": BLEU(tokenize="char"), "chrf": CHRF()}
    systems: list[tuple[str, Sequence[str]]] = list(written.items())
    test = PairedTest(systems, metrics, [list(references)], test_type="bs", n_samples=1000)
    results: dict[str, list[Any]] = test()[1]  # by the name of the score, then by model
    table = {}
    for name, bleu, chrf in zip(written, results["BLEU"], results["chrF2"], strict=True):
        row = {"bleu": bleu.score, "bleu_interval": bleu.ci, "chrf": chrf.score}
        if bleu.p_value is not None:
            row["bleu_p"] = bleu.p_value
        table[name] = {key: round(float(value), 4) for key, value in row.items()}
    return table
