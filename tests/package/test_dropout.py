"""Dropout happens at each place that is named for it, drops its share there, and anew each time."""

from collections import Counter

import pytest
import torch
from torch import Tensor, nn

from contextbook.attention import MultiHeadAttention
from contextbook.train import Process, train_shared
from contextbook.transformer import FeedForward, PositionedEmbedding, Residual, Transformer
from contextbook.translation import translation_task

P = 0.3


def drops_its_share(dropped: Tensor, whole: Tensor) -> None:
    """A share P is zero, the rest is scaled up; nothing of the whole was zero before."""
    assert whole.all()
    zero = dropped == 0
    # of 100 000 numbers: five standard errors of the share
    assert dropped.numel() == 100_000
    assert zero.double().mean().item() == pytest.approx(P, abs=5 * (P * (1 - P) / 1e5) ** 0.5)
    torch.testing.assert_close(dropped[~zero], whole[~zero] / (1 - P))


def test_embeddings_drop_numbers() -> None:
    torch.manual_seed(0)
    embedding = PositionedEmbedding(9, 50, dropout=P)
    tokens = torch.randint(9, (20, 100))
    drops_its_share(embedding(tokens), embedding.eval()(tokens))


def test_the_feed_forward_network_drops_in_its_middle() -> None:
    torch.manual_seed(1)
    network = FeedForward(50, 50, dropout=P)
    for part in (network.expand, network.contract):  # so that the middle can be seen
        nn.init.eye_(part.weight)
        nn.init.zeros_(part.bias)
    x = torch.rand(20, 100, 50) + 0.1
    drops_its_share(network(x), x)


def test_a_residual_connection_drops_of_the_correction_and_not_of_the_stream() -> None:
    torch.manual_seed(2)
    residual = Residual(50, dropout=P)
    stream, correction = torch.zeros(20, 100, 50), torch.rand(20, 100, 50) + 0.1
    drops_its_share(residual.add(stream, correction), correction)
    assert torch.equal(residual.add(correction, stream), correction)


def test_a_transformer_passes_its_share_on_to_every_place() -> None:
    model = Transformer(9, 9, layers=2, dropout=P)
    shares = [part.p for part in model.modules() if isinstance(part, nn.Dropout)]
    # embeddings of both languages; per layer a residual connection for each part, and the middle
    assert shares == [P] * (2 + 2 * (2 + 1) + 2 * (3 + 1))
    attentions = [part for part in model.modules() if isinstance(part, MultiHeadAttention)]
    assert Counter(part.dropout for part in attentions) == {P: 2 + 2 * 2}


def test_each_step_of_a_shared_training_drops_something_else() -> None:
    task = translation_task(train=8, test=0, longest=3)
    sizes = len(task.english), len(task.japanese)

    def dropped(seed: int) -> list[Tensor]:
        torch.manual_seed(0)
        model = Transformer(*sizes, layers=1, d_model=8, heads=2, dropout=0.5)
        masks = []
        model.source_embedding.dropout.register_forward_hook(
            lambda module, inputs, output: masks.append(output == 0)
        )
        # one batch of all sentences: each step reads the same
        process = Process(0, 1, torch.device("cpu"))
        train_shared(model, task, process, steps=3, learning_rate=1e-3, batch_size=8, seed=seed)
        return masks

    first, second, third = dropped(seed=0)
    assert first.shape == second.shape == third.shape
    for one, other in ((first, second), (second, third), (first, third)):
        assert 0.4 < (one != other).double().mean() < 0.6
    assert torch.equal(torch.stack(dropped(seed=0)), torch.stack([first, second, third]))
    assert not torch.equal(dropped(seed=1)[0], first)
