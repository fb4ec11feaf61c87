"""Chapter 4, deeper: where a second layer helps at equal size, and where it helps little."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.datasets.quotation import QUOTATION_VOCABULARY, Quotation, quotation_batch
from contextbook.experiments.chapter04 import Tagger, parameters
from contextbook.experiments.record import experiment
from contextbook.recurrent import Bidirectional, RNNCell, Stacked, Unrolled
from contextbook.training import train

# --- where what came before must be weighed together with what comes after ---

QUOTATION_MODELS = ("one_layer", "two_layers", "bent_answer")


def quotation_tagger(
    kind: str,
    both: Callable[..., nn.Module] = Bidirectional,
    stack: Callable[..., nn.Module] = Stacked,
) -> Tagger:
    """Three models of about the same size that read both ways.

    Args:
        kind: ``one_layer``, ``two_layers``, or ``bent_answer``: one layer, and a hidden layer with
            tanh between the feature and the answer.
        both: makes a layer that reads both ways; a reader's edited class takes its place.
        stack: puts layers on top of each other; likewise.

    Raises:
        ValueError: there is no such kind.
    """

    def pair(inputs: int, hidden: int) -> nn.Module:
        return both(RNNCell(inputs, hidden), RNNCell(inputs, hidden))

    if kind == "one_layer":
        return Tagger(QUOTATION_VOCABULARY, 16, pair(16, 16), features=32, classes=2)
    if kind == "two_layers":
        layers = stack([pair(16, 9), pair(18, 9)])
        return Tagger(QUOTATION_VOCABULARY, 16, layers, features=18, classes=2)
    if kind == "bent_answer":
        model = Tagger(QUOTATION_VOCABULARY, 16, pair(16, 13), features=26, classes=10)
        model.to_class = nn.Sequential(model.to_class, nn.Tanh(), nn.Linear(10, 2))
        return model
    raise ValueError(f"no model {kind!r}: there are {', '.join(QUOTATION_MODELS)}")


def train_quotation(model: Tagger, seed: int, steps: int = 300, usual: float = 0.7) -> float:
    """Train, and return the share of right answers where all pairs of marks are equally likely.

    Args:
        model: what is trained, in place.
        seed: of the questions.
        steps: of training.
        usual: how often a mark is of the first kind while training. At .5 one mark alone says
            nothing about the answer, and nothing tells a model at its start to carry it along.
    """
    generator = torch.Generator().manual_seed(seed)

    def answers(batch: Quotation) -> Tensor:
        rows = torch.arange(len(batch.inputs))
        return model(batch.inputs)[rows, batch.position]  # (B, 2)

    def loss() -> Tensor:
        batch = quotation_batch(generator, 128, usual)
        return F.cross_entropy(answers(batch), batch.targets)

    train(model, loss, steps, learning_rate=1e-2)
    with torch.no_grad():
        batch = quotation_batch(generator, 4000, usual=0.5)
        return (answers(batch).argmax(-1) == batch.targets).float().mean().item()


@experiment(
    seeds=range(5),
    grid=[
        {"kind": kind, "usual": usual}
        for kind, usual in [*((kind, 0.7) for kind in QUOTATION_MODELS), ("two_layers", 0.5)]
    ],
)
def quotation_marks(seed: int, kind: str, usual: float) -> dict[str, float]:
    """Do the marks before and after a word match? One layer and two, at the same size."""
    torch.manual_seed(seed)
    model = quotation_tagger(kind)
    return {"parameters": parameters(model), "accuracy": train_quotation(model, seed, usual=usual)}


# --- and where it helps little: tables looked up in the results of tables, one way ---

TABLE_SYMBOLS = 8
_UNITS = {1: 48, 2: 29, 3: 23}  # as many numbers to learn with 1, 2 and 3 layers, or a few less


def look_up_in_turn(tables: list[Tensor], ids: Tensor) -> Tensor:
    """Look up every two neighbours in the first table, then two neighbouring results in the next…

    Args:
        tables: each ``(symbols, symbols)``, holding symbols.
        ids: ``(batch, time)``.

    Returns:
        ``(batch, time - len(tables))``: entry ``t`` follows from ``len(tables) + 1`` symbols, the
        last of which stands at ``t + len(tables)``.
    """
    for table in tables:
        ids = table[ids[:, :-1], ids[:, 1:]]
    return ids


@experiment(
    seeds=range(5),
    grid=[
        {"tables": count, "layers": layers} for count in (2, 3) for layers in range(1, count + 1)
    ],
)
def stacked_tables(seed: int, tables: int, layers: int) -> dict[str, float]:
    """Tables on top of each other, read one way with one to three layers of the same size."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    shape = (TABLE_SYMBOLS, TABLE_SYMBOLS)
    contents = [torch.randint(TABLE_SYMBOLS, shape, generator=generator) for _ in range(tables)]
    units = _UNITS[layers]
    sizes = [16] + [units] * (layers - 1)
    reader = Stacked([Unrolled(RNNCell(size, units)) for size in sizes])
    model = Tagger(TABLE_SYMBOLS, 16, reader, units, TABLE_SYMBOLS)

    def answers(count: int) -> tuple[Tensor, Tensor]:
        ids = torch.randint(TABLE_SYMBOLS, (count, 8), generator=generator)
        return model(ids)[:, tables:].flatten(0, 1), look_up_in_turn(contents, ids).flatten()

    train(model, lambda: F.cross_entropy(*answers(128)), 800, learning_rate=5e-3)
    with torch.no_grad():
        logits, targets = answers(2000)
    right = (logits.argmax(-1) == targets).float().mean().item()
    return {"parameters": parameters(model), "accuracy": right}
