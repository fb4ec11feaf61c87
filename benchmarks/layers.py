"""One layer over longer and longer sequences: attention beside RNN, LSTM and convolution.

``python -m benchmarks.layers`` prints tables and writes ``contextbook/timings/layers.json``, which
chapter 12 plots. What is timed is a pass forward and back, with gradients for weights and inputs.
RNN and LSTM are ``nn.RNN`` and ``nn.LSTM``, whose loop over time runs inside of PyTorch: a loop in
Python, such as the book's own, is slower still. Attention and convolution are the book's.
"""

from collections.abc import Callable
from statistics import median
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.measure import TIMINGS, machine, write_results
from benchmarks.pairs import Times, interleaved, speed, spread
from benchmarks.rivals import training_pass
from contextbook.attention import MultiHeadAttention
from contextbook.convolution import CausalConv

D_MODEL, HEADS = 128, 4
LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
BATCHES = (1, 8)
THREADS = (1, 2)
NAMES = ("rnn", "lstm", "convolution", "attention")
LONG = 128
"""From this length on, work and not the start of each operation takes most of the time."""
BLOCKS, ROUNDS = 5, 5


def passes(length: int, batch: int) -> dict[str, Callable[[], None]]:
    """A training pass of each layer, over the same sequences."""
    torch.manual_seed(0)
    layers: dict[str, nn.Module] = {
        "rnn": nn.RNN(D_MODEL, D_MODEL, batch_first=True),
        "lstm": nn.LSTM(D_MODEL, D_MODEL, batch_first=True),
        "convolution": CausalConv(D_MODEL),
        "attention": MultiHeadAttention(D_MODEL, HEADS),
    }
    x = torch.randn(batch, length, D_MODEL, requires_grad=True)

    def training(layer: nn.Module) -> Callable[[], None]:
        def output() -> Tensor:
            made: Tensor | tuple[Tensor, Any] = layer(x)
            return made[0] if isinstance(made, tuple) else made

        return training_pass(layer, output, x)

    return {name: training(layer) for name, layer in layers.items()}


def measure(length: int, batch: int) -> list[dict[str, Any]]:
    """Time the layers at one size; milliseconds, a row for each number of threads.

    Blocks with one thread and with more take turns: a machine that slows down slows both.
    """
    rivals = passes(length, batch)
    times: dict[int, Times] = {threads: {name: [] for name in NAMES} for threads in THREADS}
    for _ in range(BLOCKS):
        for threads in THREADS:
            torch.set_num_threads(threads)
            for name, seconds in interleaved(rivals, ROUNDS, warm_up=1).items():
                times[threads][name] += seconds
    return [
        {
            "length": length,
            "batch": batch,
            "threads": threads,
            **{name: spread([1000 * seconds for seconds in found[name]]) for name in NAMES},
            "attention_faster_than": {
                name: speed(found, "attention", name) for name in NAMES if name != "attention"
            },
        }
        for threads, found in times.items()
    ]


def thread_gains(rows: list[dict[str, Any]]) -> dict[str, float]:
    """How many times as fast each layer is with all threads, the median of the longer lengths."""
    one, most = (
        {(row["batch"], row["length"]): row for row in rows if row["threads"] == threads}
        for threads in (THREADS[0], THREADS[-1])
    )
    return {
        name: round(
            median(
                one[size][name]["median"] / most[size][name]["median"]
                for size in one
                if size[1] >= LONG
            ),
            2,
        )
        for name in NAMES
    }


def show(rows: list[dict[str, Any]]) -> None:
    """Print a table for each batch size and number of threads."""
    for threads in THREADS:
        for batch in BATCHES:
            print(f"\nMilliseconds forward and back, batch {batch}, threads {threads}")
            print(f"{'length':>8}" + "".join(f"{name:>22}" for name in NAMES))
            for row in rows:
                if (row["threads"], row["batch"]) == (threads, batch):
                    print(f"{row['length']:>8}" + "".join(cell(row[name]) for name in NAMES))


def cell(time: dict[str, float]) -> str:
    """A median between its quartiles."""
    return f"{time['median']:10.2f} ({time['low']:.4g}-{time['high']:.4g})".rjust(22)


def main() -> None:
    """Measure everything, print the tables and write the results."""
    rows = [row for batch in BATCHES for length in LENGTHS for row in measure(length, batch)]
    show(rows)
    gains = thread_gains(rows)
    print()
    for name, times in gains.items():
        print(f"{THREADS[-1]} threads: {name} {times:.2f} times as fast (from length {LONG} on)")
    path = write_results(
        "layers",
        {
            "what": "milliseconds of one pass forward and back, median and quartiles of rounds in "
            "which the layers take turns; attention_faster_than: how many times as fast, round by "
            "round; thread_gains: how many times as fast with the most threads, median of the "
            f"lengths from {LONG} on",
            "machine": machine("torch", "numpy"),
            "d_model": D_MODEL,
            "heads": HEADS,
            "thread_gains": gains,
            "rows": rows,
        },
        TIMINGS,
    )
    print(f"\nwritten to {path.relative_to(path.parent.parent.parent)}")


if __name__ == "__main__":
    main()
