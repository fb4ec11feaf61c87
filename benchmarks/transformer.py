"""Ours against PyTorch's: multi-head attention, the whole Transformer, and decoding with a cache.

``python -m benchmarks.transformer`` prints tables and writes
``contextbook/timings/transformer.json``, of which chapter 12 shows the cache.
What is timed for training is one pass forward and back, for the Transformer with loss and Adam's
update. Rivals run in turn (:mod:`benchmarks.pairs`), have the same sizes, the same order of norms,
the same dropout and padded inputs, and ``need_weights=False``. With dropout there is a third: the
book's Transformer with the fast dropout of :mod:`contextbook.transformer.quick`.
"""

import copy
from functools import partial
from statistics import median
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.measure import TIMINGS, machine, write_results
from benchmarks.pairs import Times, interleaved, speed
from benchmarks.rivals import TorchTranslator, real_lengths, training_pass
from contextbook.attention import MultiHeadAttention, padding_mask
from contextbook.decoding import greedy
from contextbook.transformer import Transformer, WithoutCache, quicken
from contextbook.transformer.parity import copy_to_torch

D_MODEL, HEADS, LAYERS, VOCABULARY = 128, 4, 2, 200
DROPOUTS = (0.0, 0.1)
ATTENTION_SIZES = ((32, 32), (8, 128), (4, 512))  # batch, length
MODEL_SIZES = ((64, 20), (16, 128))
WRITTEN = 128  # tokens, by the cached and the uncached decoder
THREADS = (1, 2)


def attention(batch: int, length: int, dropout: float, inner: bool, rounds: int) -> dict[str, Any]:
    """Self-attention with padding, forward and back.

    ``inner``: as inside a model, where what comes in wants a gradient too.
    """
    torch.manual_seed(0)
    ours = MultiHeadAttention(D_MODEL, HEADS, dropout=dropout)
    theirs = nn.MultiheadAttention(D_MODEL, HEADS, dropout, batch_first=True)
    x = torch.randn(batch, length, D_MODEL, requires_grad=inner)
    real = padding_mask(real_lengths(batch, length), length)
    padding = ~real

    def look() -> Tensor:
        output: Tensor = ours(x, key_mask=real)[0]
        return output

    def look_by_torch() -> Tensor:
        output: Tensor = theirs(x, x, x, key_padding_mask=padding, need_weights=False)[0]
        return output

    times = interleaved(
        {
            "ours": training_pass(ours, look, x),
            "torch": training_pass(theirs, look_by_torch, x),
        },
        rounds,
    )
    return row(times, batch=batch, length=length, dropout=dropout, inner=inner)


def whole(batch: int, length: int, dropout: float, norm_first: bool, rounds: int) -> dict[str, Any]:
    """A step of training of the whole model, on padded sentences."""
    torch.manual_seed(0)
    ours = Transformer(
        VOCABULARY,
        VOCABULARY,
        layers=LAYERS,
        d_model=D_MODEL,
        heads=HEADS,
        dropout=dropout,
        norm_first=norm_first,
    )
    twin = copy.deepcopy(ours)
    theirs = TorchTranslator(twin, copy_to_torch(twin))
    lengths = real_lengths(batch, length)
    source = torch.randint(4, VOCABULARY, (batch, length))
    target = torch.randint(4, VOCABULARY, (batch, length))
    rivals = {
        "ours": partial(step, adam(ours), lambda: ours(source, lengths, target)[0], target),
        "torch": partial(step, adam(theirs), lambda: theirs(source, lengths, target), target),
    }
    if dropout:
        quick = quicken(copy.deepcopy(ours))
        rivals["quick"] = partial(
            step, adam(quick), lambda: quick(source, lengths, target)[0], target
        )
    times = interleaved(rivals, rounds)
    return row(times, batch=batch, length=length, dropout=dropout, norm_first=norm_first)


def adam(model: nn.Module) -> torch.optim.Optimizer:
    """The optimizer, for both alike."""
    return torch.optim.Adam(model.parameters(), lr=1e-4, foreach=True)


def step(optimizer: torch.optim.Optimizer, logits: Any, target: Tensor) -> None:
    """One update."""
    loss = F.cross_entropy(logits().flatten(0, 1), target.flatten())
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()


def decoding(batch: int, rounds: int) -> dict[str, Any]:
    """Writing 128 tokens greedily, with and without the key–value cache."""
    torch.manual_seed(0)
    model = Transformer(VOCABULARY, VOCABULARY, layers=LAYERS, d_model=D_MODEL, heads=HEADS).eval()
    source = torch.randint(4, VOCABULARY, (batch, 32))
    with torch.no_grad():
        model.to_logits.bias[:4] = -1e4  # never stop: all write as much as they may
        inputs, most = (source, real_lengths(batch, 32)), {"max_length": WRITTEN}
        rivals = {
            "ours": lambda: greedy(model, *inputs, **most),
            "without_cache": lambda: greedy(WithoutCache(model), *inputs, **most),
        }
        assert rivals["ours"]().ids() == rivals["without_cache"]().ids()
        times = interleaved(rivals, rounds, warm_up=1)
    return row(times, "without_cache", batch=batch, written=WRITTEN)


def row(times: Times, rival: str = "torch", **settings: Any) -> dict[str, Any]:
    """One measurement: settings, median milliseconds of all, how many times as fast as a rival."""
    milliseconds = {f"{name}_ms": round(1000 * median(times[name]), 3) for name in times}
    faster = {name: speed(times, name, rival) for name in times if name != rival}
    return {**settings, **milliseconds, "faster": faster}


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """Print one table."""
    print(f"\n{title}")
    for each in rows:
        settings = "  ".join(
            f"{key} {value}" for key, value in each.items() if key != "faster" and key[-3:] != "_ms"
        )
        milliseconds = "".join(f"{each[key]:9.2f}" for key in each if key.endswith("_ms"))
        ratios = ", ".join(
            f"{name} {ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"
            for name, ratio in each["faster"].items()
        )
        print(f"  {settings:62}{milliseconds} ms   times as fast: {ratios}")


def measure() -> dict[str, list[dict[str, Any]]]:
    """All tables."""
    tables: dict[str, list[dict[str, Any]]] = {"attention": [], "transformer": [], "decoding": []}
    for threads in THREADS:
        torch.set_num_threads(threads)
        tables["attention"] += [
            {"threads": threads, **attention(*size, dropout, inner, 41 if size[1] < 512 else 21)}
            for dropout, inner in ((0.0, True), (0.0, False), (0.1, True))
            for size in ATTENTION_SIZES
        ]
        tables["transformer"] += [
            {"threads": threads, **whole(batch, length, dropout, norm_first, 11)}
            for dropout in DROPOUTS
            for norm_first in (True, False)
            for batch, length in MODEL_SIZES
        ]
        tables["decoding"] += [
            {"threads": threads, **decoding(batch, rounds)} for batch, rounds in ((1, 7), (32, 3))
        ]
    return tables


def main() -> None:
    """Measure everything, print the tables and write the results."""
    tables = measure()
    show("Multi-head attention, forward and back: ours, nn.MultiheadAttention", tables["attention"])
    show("A training step: ours, nn.Transformer, and ours with fast dropout", tables["transformer"])
    show(f"Writing {WRITTEN} tokens: with a cache, without", tables["decoding"])
    sizes = {"d_model": D_MODEL, "heads": HEADS, "layers": LAYERS}
    path = write_results(
        "transformer",
        {
            "what": "milliseconds, medians; faster: how many times as fast as the rival (torch, "
            "without_cache), median of interleaved pairs with quartiles; sequences padded, half "
            "to full length; quick: ours with the fast dropout of contextbook.transformer.quicken",
            "machine": machine("torch", "numpy"),
            **sizes,
            **tables,
        },
        TIMINGS,
    )
    print(f"\nwritten to {path.relative_to(path.parent.parent.parent)}")


if __name__ == "__main__":
    main()
