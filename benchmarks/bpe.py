"""How long BPE takes to learn: ours, counting anew for every merge, and Hugging Face's tokenizers.

``python -m benchmarks.bpe`` prints a table and writes ``benchmarks/results/bpe.json``. The text is
the book's own prose while that lasts, and beyond it sentences of the translation grammar.
"""

import argparse
from collections.abc import Callable
from functools import partial
from importlib import resources
from typing import Any

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from benchmarks.measure import machine, median_seconds, write_results
from contextbook.datasets.grammar import translation_pairs
from contextbook.text import ByteLevelBPE, learn_merges, learn_merges_naive
from contextbook.text.merges import piece_counts

SIZES = (25_000, 50_000, 100_000, 200_000, 400_000)  # bytes of text
MERGES = (125, 250, 500, 1000, 2000)
MIDDLE_SIZE, MIDDLE_MERGES = 100_000, 500


def corpus(size: int) -> list[str]:
    """Return lines of English and Japanese with ``size`` bytes of UTF-8, to within a line."""
    prose = resources.files("contextbook.datasets") / "prose.tsv"
    lines: list[str] = []
    if prose.is_file():
        lines += prose.read_text(encoding="utf-8").replace("\t", "\n").splitlines()
    if sum(len(line.encode()) for line in lines) < size:
        for pair in translation_pairs(size // 100):
            lines += [" ".join(pair.english), "".join(pair.japanese)]
    total = 0
    kept: list[str] = []
    for line in lines:
        if total >= size:
            return kept
        total += len(line.encode())
        kept.append(line)
    raise ValueError(f"the text has only {total} bytes, less than the {size} asked for")


def learn_by_tokenizers(texts: list[str], merges: int) -> None:
    """Train Hugging Face's BPE with the same settings."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + merges,
        min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)


WAYS: dict[str, Callable[[list[str], int], object]] = {
    "ours": learn_merges,
    "naive": learn_merges_naive,
    "tokenizers": learn_by_tokenizers,
}

COLUMNS = (*WAYS, "encode")


def measure(size: int, merges: int, repeats: int) -> dict[str, Any]:
    """Time all ways of learning ``merges`` merges from ``size`` bytes, then encoding these."""
    texts = corpus(size)
    learned = learn_merges(texts, merges)
    row: dict[str, Any] = {
        "bytes": sum(len(text.encode()) for text in texts),
        "different_pieces": len(piece_counts(texts)),
        "merges": len(learned),
    }
    for name, way in WAYS.items():
        row[name] = median_seconds(partial(way, texts, merges), repeats)
    tokenizer = ByteLevelBPE(learned)
    row["encode"] = median_seconds(lambda: [tokenizer.encode(text) for text in texts], repeats)
    return row


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """Print one table."""
    print(f"\n{title}")
    print(f"{'bytes':>8} {'pieces':>7} {'merges':>7}" + "".join(f"{name:>12}" for name in COLUMNS))
    for row in rows:
        times = "".join(f"{row[way]:10.3f} s" for way in COLUMNS)
        print(f"{row['bytes']:>8} {row['different_pieces']:>7} {row['merges']:>7}{times}")


def main() -> None:
    """Measure over text and over merges, print both tables and write the results."""
    parser = argparse.ArgumentParser(description="Time three ways to learn BPE merges.")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the median counts")
    repeats = parser.parse_args().repeats
    over_text = [measure(size, MIDDLE_MERGES, repeats) for size in SIZES]
    over_merges = [measure(MIDDLE_SIZE, merges, repeats) for merges in MERGES]
    show(f"Seconds to learn {MIDDLE_MERGES} merges from more and more text", over_text)
    show(f"Seconds to learn more and more merges from {MIDDLE_SIZE} bytes", over_merges)
    path = write_results(
        "bpe",
        {
            "what": "seconds, medians of wall-clock time",
            "repeats": repeats,
            "machine": machine("numpy", "tokenizers"),
            "over_text": over_text,
            "over_merges": over_merges,
        },
    )
    print(f"\nwritten to {path.relative_to(path.parent.parent.parent)}")


if __name__ == "__main__":
    main()
