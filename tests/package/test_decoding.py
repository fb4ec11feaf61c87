"""Greedy, beam search and sampling, against exhaustive search and plain loops."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from contextbook.decoding import Decoded, beam_search, greedy, normalised, sample, write
from contextbook.recurrent import GRUCell, LSTMCell
from contextbook.seq2seq import (
    AdditiveAttention,
    BahdanauDecoder,
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    LuongDecoder,
)

V, LONGEST = 5, 4  # ids 0 padding, 1 start, 2 stop, and two words
SEEDS = {"none": 4, "dot": 9, "additive": 3}  # their sentences differ in length


def model_of(kind: str, seed: int, vocabulary: int = V, scale: float = 3.0) -> EncoderDecoder:
    """An untrained model with opinions: its weights are stretched."""
    torch.manual_seed(seed)
    cell_class = LSTMCell if kind == "dot" else GRUCell
    decoder: Any
    if kind == "none":
        decoder = Decoder(vocabulary, 4, 6, cell_class)
    elif kind == "dot":
        decoder = LuongDecoder(vocabulary, 4, 6, DotAttention(6), cell_class)
    else:
        decoder = BahdanauDecoder(vocabulary, 4, 6, AdditiveAttention(6, 6, 3), cell_class)
    model = EncoderDecoder(Encoder(9, 5, 6, cell_class), decoder)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(scale)
    return model.eval()


def sentences(count: int = 3) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(2)
    lengths = torch.randint(1, 8, (count,), generator=generator)
    lengths[0] = 7
    source = torch.randint(1, 9, (count, 7), generator=generator)
    return source.masked_fill(torch.arange(7) >= lengths[:, None], 0), lengths


class Script:
    """A model of one sentence after another: fixed log-probabilities at each step, no state."""

    def __init__(self, *steps: list[float]) -> None:
        self.steps = torch.tensor(steps).clamp(min=1e-30).log()

    def start(self, source: Tensor) -> int:
        return 0

    def step(self, tokens: Tensor, state: int) -> tuple[Tensor, int, None]:
        row = self.steps[min(state, len(self.steps) - 1)]
        return row.expand(len(tokens), -1), state + 1, None

    def reorder(self, state: int, indices: Tensor) -> int:
        return state


def score_of(model: EncoderDecoder, source: Tensor, written: list[int]) -> float:
    """The log-probability of a sentence by teacher forcing."""
    target_in = torch.tensor([[1, *written[:-1]]])
    with torch.no_grad():
        log_probs = model(source[None], None, target_in)[0][0].log_softmax(-1)
    return sum(log_probs[i, token].item() for i, token in enumerate(written))


def all_sentences() -> list[list[int]]:
    """Everything that can be written: stopped in time, or cut at the greatest length."""
    words = [token for token in range(V) if token != 2]
    stopped = [[*head, 2] for n in range(LONGEST) for head in itertools.product(words, repeat=n)]
    return stopped + [list(cut) for cut in itertools.product(words, repeat=LONGEST)]


def rows_of(decoded: Decoded) -> list[list[int]]:
    pairs = zip(decoded.tokens.tolist(), decoded.lengths.tolist(), strict=True)
    return [row[:length] for row, length in pairs]


@pytest.mark.parametrize("kind", ["none", "dot", "additive"])
def test_greedy_is_a_plain_loop(kind: str) -> None:
    model = model_of(kind, SEEDS[kind])
    source, lengths = sentences(6)
    decoded = greedy(model, source, lengths, max_length=9)
    for b, length in enumerate(lengths.tolist()):
        alone = source[b, :length]
        written: list[int] = []
        while len(written) < 9 and 2 not in written:
            with torch.no_grad():
                logits, weights = model(alone[None], None, torch.tensor([[1, *written]]))
            written.append(int(logits[0, -1].argmax()))
        assert rows_of(decoded)[b] == written
        assert not decoded.tokens[b, len(written) :].any()
        assert decoded.scores[b].item() == pytest.approx(score_of(model, alone, written), abs=1e-4)
        if weights is None:
            assert decoded.alignments is None
        else:
            assert decoded.alignments is not None
            found = decoded.alignments[b]
            torch.testing.assert_close(
                found[: len(written), :length], weights[0], rtol=0, atol=1e-5
            )
            assert not found[len(written) :].any()
            assert not found[:, length:].any()
    assert len({len(row) for row in rows_of(decoded)}) > 1, "the sentences should differ in length"


@pytest.mark.parametrize("kind", ["none", "dot", "additive"])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_beam_of_width_one_is_greedy(kind: str, alpha: float) -> None:
    for seed in (SEEDS[kind], 1, 3):
        model = model_of(kind, seed)
        source = sentences(5)
        beams = beam_search(model, *source, width=1, max_length=9, alpha=alpha)
        assert beams.tokens.shape[1] == 1
        torch.testing.assert_close(tuple(beams.best()), tuple(greedy(model, *source, max_length=9)))


@pytest.mark.parametrize("kind", ["none", "dot", "additive"])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
def test_beam_of_full_width_is_exhaustive_search(kind: str, alpha: float) -> None:
    model = model_of(kind, 7)
    source, lengths = sentences(2)
    everything = all_sentences()
    beams = beam_search(
        model, source, lengths, width=len(everything), max_length=LONGEST, alpha=alpha
    )
    for b, length in enumerate(lengths.tolist()):
        scores = {tuple(s): score_of(model, source[b, :length], s) for s in everything}
        ranks = {s: score / len(s) ** alpha for s, score in scores.items()}
        found = rows_of(Decoded(beams.tokens[b], beams.lengths[b], beams.scores[b], None))
        assert sorted(map(tuple, found)) == sorted(ranks), "each sentence should come once"
        best = max(ranks, key=lambda sentence: ranks[sentence])
        assert tuple(found[0]) == best
        for sentence, score in zip(found, beams.scores[b].tolist(), strict=True):
            assert score == pytest.approx(scores[tuple(sentence)], abs=1e-3)
        in_order = normalised(beams.scores[b], beams.lengths[b], alpha)
        assert bool((in_order.diff() <= 1e-6).all())
        total = beams.scores[b].exp().sum().item()
        assert total == pytest.approx(1.0, abs=1e-4), "everything that can be written is certain"


def test_a_beam_finds_what_greedy_misses() -> None:
    """The first step's favourite leads into a fork, the runner-up to a certain end."""

    class Trap(Script):
        def start(self, source: Tensor) -> Tensor:  # type: ignore[override]
            return torch.zeros(len(source), 1)

        def step(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:  # type: ignore[override]
            table = {1: [0, 0, 0, 0.6, 0.4], 3: [0, 0, 0.5, 0.25, 0.25], 4: [0, 0, 1.0, 0, 0]}
            rows = torch.tensor([table.get(int(token), table[4]) for token in tokens])
            return rows.clamp(min=1e-30).log(), state, torch.ones(len(tokens), 2) * state

        def reorder(self, state: Tensor, indices: Tensor) -> Tensor:  # type: ignore[override]
            return state[indices]

    source = torch.zeros(2, 1)
    assert rows_of(greedy(Trap([0.0]), source, max_length=5)) == [[3, 2]] * 2
    found = beam_search(Trap([0.0]), source, width=2, max_length=5, alpha=0.0)
    assert rows_of(found.best()) == [[4, 2]] * 2
    torch.testing.assert_close(found.scores[0].exp(), torch.tensor([0.4, 0.3]))
    assert found.ids() == [[[4], [3]]] * 2
    assert found.best().ids() == [[4]] * 2


def test_length_normalisation_lets_longer_sentences_win() -> None:
    # stop at once with .4, or write two words of .6 and .9 and stop: less probable, but per word
    model = Script([0, 0, 0.4, 0.6], [0, 0, 0.1, 0.9], [0, 0, 0.7, 0.3])
    bare = beam_search(model, torch.zeros(1, 1), width=3, max_length=3, alpha=0.0)
    mean = beam_search(model, torch.zeros(1, 1), width=3, max_length=3, alpha=1.0)
    assert rows_of(bare.best()) == [[2]]
    assert rows_of(mean.best()) == [[3, 3, 2]]
    assert mean.scores[0, 0].item() == pytest.approx(math.log(0.6 * 0.9 * 0.7), abs=1e-5)


@pytest.mark.parametrize("kind", ["none", "dot", "additive"])
def test_a_batch_is_decoded_as_its_sentences_alone(kind: str) -> None:
    model = model_of(kind, SEEDS[kind])
    source, lengths = sentences(6)
    together = beam_search(model, source, lengths, width=3, max_length=8)
    for b, length in enumerate(lengths.tolist()):
        alone = beam_search(model, source[b : b + 1, :length], width=3, max_length=8)
        steps = alone.tokens.shape[-1]
        assert torch.equal(together.tokens[b, :, :steps], alone.tokens[0])
        assert not together.tokens[b, :, steps:].any()
        assert torch.equal(together.lengths[b], alone.lengths[0])
        torch.testing.assert_close(together.scores[b], alone.scores[0], rtol=0, atol=1e-4)
        if alone.alignments is not None:
            assert together.alignments is not None
            found = together.alignments[b]
            torch.testing.assert_close(found[:, :steps, :length], alone.alignments[0])
            assert not found[:, steps:].any()
            assert not found[..., length:].any()


@pytest.mark.parametrize("kind", ["dot", "additive"])
def test_alignments_of_beams_follow_their_own_history(kind: str) -> None:
    model = model_of(kind, SEEDS[kind])
    source, lengths = sentences(4)
    beams = beam_search(model, source, lengths, width=4, max_length=6)
    assert beams.alignments is not None
    for b, w in itertools.product(range(4), range(4)):
        n = int(beams.lengths[b, w])
        target_in = torch.tensor([[1, *beams.tokens[b, w, : n - 1].tolist()]])
        with torch.no_grad():
            _, weights = model(source[b : b + 1], lengths[b : b + 1], target_in)
        torch.testing.assert_close(beams.alignments[b, w, :n], weights[0], rtol=0, atol=1e-5)


def test_more_places_than_sentences() -> None:
    model = Script([0, 0, 0.5, 0.5])
    found = beam_search(model, torch.zeros(2, 1), width=30, max_length=2, alpha=0.0)
    # ids 0 and 1 have probability 1e-30: at most 4 + 12 sentences of up to two tokens
    real = ~found.scores[0].isinf()
    assert int(real.sum()) == 1 + 3 * 4
    assert not found.lengths[0, ~real].any()
    assert not found.tokens[0, ~real].any()
    assert sorted(rows_of(Decoded(found.tokens[0, :3], found.lengths[0, :3], *found[2:]))) == [
        [2],
        [3, 2],
        [3, 3],
    ]
    assert not bool(found.scores.isnan().any())


def test_free_places_hold_nothing() -> None:
    """With attention, and sentences that leave most places free."""
    model, source = model_of("dot", 9), sentences(2)
    found = beam_search(model, *source, width=50, max_length=2)
    free = found.lengths == 0
    assert torch.equal(free, found.scores.isinf())
    assert int((~free).sum()) == 2 * (1 + 4 * 5)
    assert found.alignments is not None
    assert not found.tokens[free].any()
    assert not found.alignments[free].any()


def test_stop_token_and_greatest_length() -> None:
    model = Script([0, 0, 0.1, 0.9], [0, 0, 0.2, 0.8], [0, 0, 0.9, 0.1])
    source = torch.zeros(2, 1)
    whole = greedy(model, source, max_length=10)
    assert rows_of(whole) == [[3, 3, 2]] * 2
    assert whole.ids() == [[3, 3]] * 2
    torch.testing.assert_close(whole.scores.exp(), torch.full((2,), 0.9 * 0.8 * 0.9))
    cut = greedy(model, source, max_length=2)
    assert rows_of(cut) == [[3, 3]] * 2
    assert cut.ids() == [[3, 3]] * 2
    assert rows_of(greedy(model, source, max_length=9, stop=3)) == [[3]] * 2


def test_sampling_draws_by_the_probabilities() -> None:
    probabilities = [0.0, 0.0, 0.2, 0.5, 0.3]
    model, count = Script(probabilities), 20_000
    for temperature in (0.5, 1.0, 2.0):
        expected = torch.tensor(probabilities) ** (1 / temperature)
        expected = expected / expected.sum()
        generator = torch.Generator().manual_seed(0)
        drawn = sample(
            model,
            torch.zeros(count, 1),
            max_length=1,
            temperature=temperature,
            generator=generator,
        )
        shares = torch.bincount(drawn.tokens[:, 0], minlength=5) / count
        # five standard deviations of a share
        torch.testing.assert_close(shares, expected, rtol=0, atol=5 * 0.5 / math.sqrt(count))
        chosen = torch.tensor(probabilities)[drawn.tokens[:, 0]]
        torch.testing.assert_close(drawn.scores.exp(), chosen)


def test_sampling_repeats_itself_and_cools_to_greedy() -> None:
    model, source = model_of("additive", 3, vocabulary=7), sentences(6)

    def draw(seed: int, temperature: float) -> Decoded:
        generator = torch.Generator().manual_seed(seed)
        settings: dict[str, Any] = {"temperature": temperature, "generator": generator}
        return sample(model, *source, max_length=8, **settings)

    torch.testing.assert_close(tuple(draw(0, 1.0)), tuple(draw(0, 1.0)))
    assert rows_of(draw(0, 2.0)) != rows_of(draw(1, 2.0))
    torch.testing.assert_close(tuple(draw(0, 1e-4)), tuple(greedy(model, *source, max_length=8)))


@pytest.mark.parametrize("temperature", [1e-5, 1e-39, 1e-45, 1e-320])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_the_coldest_sampling_is_greedy(temperature: float, dtype: torch.dtype) -> None:
    model = Script([0, 0, 0.2, 0.45, 0.35], [0, 0, 0.6, 0.4, 0])
    model.steps = model.steps.to(dtype)
    source = torch.zeros(50, 1)
    generator = torch.Generator().manual_seed(0)
    drawn = sample(
        model, source, max_length=3, temperature=temperature, generator=generator, stop=2
    )
    assert rows_of(drawn) == rows_of(greedy(model, source, max_length=3)) == [[3, 2]] * 50


def test_a_cold_choice_among_many_takes_the_best_though_it_is_unlikely() -> None:
    model = Script([0.0, 0.0, 0.0, 1.5e-3, *[1e-3] * 998])
    drawn = sample(model, torch.zeros(20, 1), max_length=1, temperature=1e-38)
    assert set(drawn.tokens.flatten().tolist()) == {3}


def test_a_token_that_cannot_be_is_never_drawn() -> None:
    model = Script([0, 0, 0.5, 0.5])
    model.steps[:, :2] = -torch.inf
    generator = torch.Generator().manual_seed(0)
    drawn = sample(model, torch.zeros(200, 1), max_length=1, temperature=50.0, generator=generator)
    assert set(drawn.tokens.flatten().tolist()) == {2, 3}


def test_a_choice_of_ones_own() -> None:
    """The second best token, always."""
    model = Script([0, 0, 0.5, 0.3, 0.2], [0, 0, 0.3, 0.5, 0.2])
    decoded = write(model, (torch.zeros(1, 1),), lambda p: p.topk(2).indices[:, 1], max_length=5)
    assert rows_of(decoded) == [[3, 2]]


def test_decoding_makes_no_graph() -> None:
    model, source = model_of("dot", 0), sentences()
    assert not greedy(model, *source, max_length=3).scores.requires_grad
    assert not beam_search(model, *source, width=2, max_length=3).scores.requires_grad


GOOD = Script([0, 0, 0.5, 0.5])
LOGITS = Script([0.5, 0.5, 0.5, 0.5])
LOGITS.steps = LOGITS.steps + 5
ONE = torch.zeros(1, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: greedy(GOOD, max_length=3), "begin with a tensor"),
        (lambda: greedy(GOOD, torch.zeros(0, 1), max_length=3), "at least one sentence"),
        (lambda: greedy(GOOD, ONE, max_length=0), "max_length must be at least 1, got 0"),
        (lambda: greedy(GOOD, ONE, max_length=3, stop=0), "stop not 0"),
        (lambda: greedy(GOOD, ONE, max_length=3, stop=7), "V > 7"),
        (lambda: greedy(LOGITS, ONE, max_length=3), "call log_softmax"),
        (lambda: beam_search(LOGITS, ONE, max_length=3, width=2), "call log_softmax"),
        (lambda: beam_search(GOOD, ONE, max_length=3, width=0), "width must be at least 1"),
        (lambda: beam_search(GOOD, ONE, max_length=3, width=2, alpha=-1.0), "alpha must be"),
        (lambda: sample(GOOD, ONE, max_length=3, temperature=0.0), "call greedy"),
    ],
)
def test_bad_input_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
