"""Encoder, decoders and attention: plain loops, padding, teacher forcing, gold alignment."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from contextbook.datasets import running_pair, translation_pairs
from contextbook.recurrent import GRUCell, LSTMCell, RNNCell
from contextbook.recurrent.states import hidden_of, parts_of
from contextbook.seq2seq import (
    UNALIGNED,
    AdditiveAttention,
    Attention,
    BahdanauDecoder,
    ConcatAttention,
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    GeneralAttention,
    LuongDecoder,
    make_batch,
    sequence_loss,
    vocabularies,
)

CELLS = [RNNCell, GRUCell, LSTMCell]
KINDS = {
    "additive": lambda: AdditiveAttention(6, 6, 3),
    "dot": lambda: DotAttention(6),
    "general": lambda: GeneralAttention(6, 6),
    "concat": lambda: ConcatAttention(6, 6, 3),
}


def plain_score(attention: Attention, s: Tensor, h: Tensor) -> float:
    """One e_ij, number by number, as the papers write it."""

    def times(matrix: Tensor, vector: list[float]) -> list[float]:
        return [sum(m * x for m, x in zip(row, vector, strict=True)) for row in matrix.tolist()]

    def dot(a: list[float], b: list[float]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    state, word = s.tolist(), h.tolist()
    if isinstance(attention, DotAttention):
        return dot(state, word)
    if isinstance(attention, GeneralAttention):
        return dot(state, times(attention.from_memory.weight, word))
    if isinstance(attention, ConcatAttention):
        hidden = times(attention.from_both.weight, state + word)
    else:
        assert isinstance(attention, AdditiveAttention)
        from_state = times(attention.from_state.weight, state)
        from_word = times(attention.from_memory.weight, word)
        biases = attention.from_state.bias.tolist()
        hidden = [a + b + c for a, b, c in zip(from_state, biases, from_word, strict=True)]
    return dot(attention.to_score.weight[0].tolist(), [math.tanh(x) for x in hidden])


def model_of(kind: str, cell_class: type = GRUCell, vocabulary: int = 9) -> EncoderDecoder:
    torch.manual_seed(1)
    encoder = Encoder(vocabulary, 5, 6, cell_class)
    decoder: nn.Module
    if kind == "none":
        decoder = Decoder(vocabulary, 4, 6, cell_class)
    elif kind == "additive":
        decoder = BahdanauDecoder(vocabulary, 4, 6, KINDS[kind](), cell_class)
    else:
        decoder = LuongDecoder(vocabulary, 4, 6, KINDS[kind](), cell_class)
    return EncoderDecoder(encoder, decoder).double()


def batch_of_three() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(2)
    source = torch.randint(3, 9, (3, 7), generator=generator)
    target = torch.randint(3, 9, (3, 5), generator=generator)
    return source, torch.tensor([7, 1, 4]), target


@pytest.mark.parametrize("kind", KINDS)
def test_attention_is_a_plain_loop(kind: str) -> None:
    torch.manual_seed(0)
    attention = KINDS[kind]().double()
    state, memory = torch.randn(2, 6).double(), torch.randn(2, 4, 6).double()
    lengths = [4, 3]
    key_mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    context, weights = attention(state, memory, key_mask)
    for b, length in enumerate(lengths):
        scores = [math.exp(plain_score(attention, state[b], memory[b, j])) for j in range(length)]
        alphas = [score / sum(scores) for score in scores] + [0.0] * (4 - length)
        mean = [sum(a * memory[b, j, k].item() for j, a in enumerate(alphas)) for k in range(6)]
        torch.testing.assert_close(weights[b], torch.tensor(alphas).double(), rtol=0, atol=1e-6)
        torch.testing.assert_close(context[b], torch.tensor(mean).double(), rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_prepared_memory_changes_nothing(kind: str) -> None:
    attention = KINDS[kind]()
    state, memory = torch.randn(2, 6), torch.randn(2, 4, 6)
    plain = attention(state, memory)
    prepared = attention(state, memory, None, attention.prepare(memory))
    torch.testing.assert_close(plain, prepared, rtol=0, atol=0)


def test_concat_is_additive_in_one_matrix() -> None:
    concat, additive = ConcatAttention(6, 5, 3), AdditiveAttention(6, 5, 3)
    with torch.no_grad():
        additive.from_state.weight.copy_(concat.from_both.weight[:, :6])
        additive.from_memory.weight.copy_(concat.from_both.weight[:, 6:])
        additive.from_state.bias.zero_()
        additive.to_score.weight.copy_(concat.to_score.weight)
    state, memory = torch.randn(2, 6), torch.randn(2, 4, 5)
    torch.testing.assert_close(concat(state, memory), additive(state, memory))


def test_a_sentence_of_padding_gets_zeros_and_finite_gradients() -> None:
    attention = AdditiveAttention(6, 6, 3)
    memory = torch.randn(2, 4, 6, requires_grad=True)
    mask = torch.tensor([[True] * 4, [False] * 4])
    context, weights = attention(torch.randn(2, 6), memory, mask)
    assert not context[1].any()
    assert not weights[1].any()
    context.sum().backward()
    assert memory.grad is not None
    assert bool(memory.grad.isfinite().all())


@pytest.mark.parametrize("cell_class", CELLS)
@pytest.mark.parametrize("bidirectional", [False, True])
def test_encoder_reads_padded_sentences_as_alone(cell_class: type, bidirectional: bool) -> None:
    torch.manual_seed(0)
    encoder = Encoder(9, 5, 6, cell_class, bidirectional=bidirectional).double()
    source, lengths, _ = batch_of_three()
    memory, last = encoder(source, lengths)
    assert memory.shape == (3, 7, 6)
    for b, length in enumerate(lengths.tolist()):
        alone, last_alone = encoder(source[b : b + 1, :length])
        torch.testing.assert_close(memory[b, :length], alone[0], rtol=0, atol=1e-12)
        assert not memory[b, length:].any()
        for part, part_alone in zip(parts_of(last), parts_of(last_alone), strict=True):
            torch.testing.assert_close(part[b], part_alone[0], rtol=0, atol=1e-12)
    ahead = memory[torch.arange(3), lengths - 1, : 3 if bidirectional else 6]
    torch.testing.assert_close(hidden_of(last)[:, : ahead.shape[1]], ahead)
    if bidirectional:  # the reader that goes backward ends at the first word
        torch.testing.assert_close(hidden_of(last)[:, 3:], memory[:, 0, 3:])


@pytest.mark.parametrize("cell_class", CELLS)
@pytest.mark.parametrize("kind", ["none", *KINDS])
def test_teacher_forcing_is_padding_proof(kind: str, cell_class: type) -> None:
    model = model_of(kind, cell_class)
    source, lengths, target = batch_of_three()
    logits, weights = model(source, lengths, target)
    assert logits.shape == (3, 5, 9)
    real = torch.arange(7) < lengths[:, None]
    changed, _ = model(torch.where(real, source, 8), lengths, target)
    torch.testing.assert_close(logits, changed, rtol=0, atol=0)
    for b, length in enumerate(lengths.tolist()):
        alone, weights_alone = model(source[b : b + 1, :length], None, target[b : b + 1])
        torch.testing.assert_close(logits[b], alone[0], rtol=0, atol=1e-12)
        assert (weights is None) == (weights_alone is None) == (kind == "none")
        if weights is not None:
            assert weights.shape == (3, 5, 7)
            torch.testing.assert_close(weights[b, :, :length], weights_alone[0])
            assert not weights[b, :, length:].any()
            torch.testing.assert_close(weights[b].sum(-1), torch.ones(5).double())


@pytest.mark.parametrize("kind", ["none", *KINDS])
def test_later_targets_change_nothing_earlier(kind: str) -> None:
    model = model_of(kind)
    source, lengths, target = batch_of_three()
    later = target.clone()
    later[:, 3] = (later[:, 3] + 1) % 9
    before, after = model(source, lengths, target)[0], model(source, lengths, later)[0]
    torch.testing.assert_close(before[:, :3], after[:, :3], rtol=0, atol=0)
    assert not torch.equal(before[:, 3], after[:, 3])


@pytest.mark.parametrize("kind", ["none", *KINDS])
def test_steps_are_teacher_forcing_and_every_weight_learns(kind: str) -> None:
    model = model_of(kind)
    source, lengths, target = batch_of_three()
    logits, weights = model(source, lengths, target)
    state = model.start(source, lengths)
    for i in range(5):
        log_probs, state, step_weights = model.step(target[:, i], state)
        torch.testing.assert_close(log_probs, logits[:, i].log_softmax(-1))
        if weights is not None:
            torch.testing.assert_close(step_weights, weights[:, i])
    sequence_loss(logits, target).backward()
    idle = [
        name
        for name, weight in model.named_parameters()
        if weight.grad is None or not weight.grad.any()
    ]
    assert idle == []


def test_without_attention_the_memory_is_never_used() -> None:
    model = model_of("none")
    source, lengths, target = batch_of_three()
    _, last = model.encoder(source, lengths)
    state = model.decoder.start(torch.full((3, 7, 6), math.nan), last, None)
    assert model.decoder.step(target[:, 0], state)[0].isfinite().all()


def test_bahdanau_looks_before_its_step_and_luong_after() -> None:
    """The first weights come from s_0 in one, and in the other from s_1, which knows the token."""
    source, lengths, target = batch_of_three()
    other = (target + 1) % 9
    for kind, same in (("additive", True), ("general", False)):
        model = model_of(kind)
        state = model.start(source, lengths)
        first, second = (model.step(tokens[:, 0], state)[2] for tokens in (target, other))
        assert torch.equal(first, second) is same


@pytest.mark.parametrize("kind", ["none", "additive", "dot"])
@pytest.mark.parametrize("cell_class", [GRUCell, LSTMCell])
def test_reorder_picks_sentences(kind: str, cell_class: type) -> None:
    model = model_of(kind, cell_class)
    source, lengths, target = batch_of_three()
    rows = torch.tensor([2, 0, 0, 1])
    picked = model.reorder(model.start(source, lengths), rows)
    anew = model.start(source[rows], lengths[rows])
    assert type(picked) is type(anew)
    tokens = target[rows, 0]
    for got, want in zip(model.step(tokens, picked), model.step(tokens, anew), strict=True):
        if isinstance(got, Tensor):
            torch.testing.assert_close(got, want, rtol=0, atol=1e-12)


def test_an_attention_of_ones_own() -> None:
    class FirstWord(Attention):
        def score(self, state: Tensor, prepared: Tensor) -> Tensor:
            return torch.arange(prepared.shape[1]).double().expand(prepared.shape[:2]) * -50.0

    decoder = LuongDecoder(9, 4, 6, FirstWord(), GRUCell)
    model = EncoderDecoder(Encoder(9, 5, 6), decoder).double()
    _, weights = model(*batch_of_three())
    torch.testing.assert_close(weights[..., 0], torch.ones(3, 5).double())


def test_memory_may_be_wider_than_the_state() -> None:
    for decoder_class in (BahdanauDecoder, LuongDecoder):
        decoder = decoder_class(9, 4, 6, AdditiveAttention(6, 10, 3), memory_size=10)
        state = decoder.start(torch.randn(2, 5, 10), torch.zeros(2, 6), None)
        logits, _, weights = decoder.step(torch.tensor([1, 2]), state)
        assert logits.shape == (2, 9)
        assert weights is not None
        assert weights.shape == (2, 5)


def test_batches_shift_the_target_by_one_and_keep_the_gold() -> None:
    pairs = [running_pair(), *translation_pairs(20, 3)]
    english, japanese = vocabularies(pairs)
    batch = make_batch(pairs, english, japanese)
    assert torch.equal(
        batch.target_in[:, 1:] * (batch.target_out[:, 1:] > 0),
        batch.target_out[:, :-1] * (batch.target_out[:, 1:] > 0),
    )
    for b, pair in enumerate(pairs):
        length = len(pair.japanese)
        assert batch.source_lengths[b] == len(pair.english) + 1
        assert english.decode(batch.source[b], skip_special=True) == list(pair.english)
        assert japanese.decode(batch.target_in[b, : length + 1]) == ["<bos>", *pair.japanese]
        assert japanese.decode(batch.target_out[b, : length + 1]) == [*pair.japanese, "<eos>"]
        gold = [None if j == UNALIGNED else j for j in batch.gold[b].tolist()]
        assert gold[:length] == list(pair.alignment)
        assert set(gold[length:]) == {None}


def test_loss_does_not_count_padding() -> None:
    logits = torch.randn(2, 3, 9)
    target = torch.tensor([[4, 5, 2], [6, 2, 0]])
    surprise = -logits.log_softmax(-1).gather(2, target[..., None])[..., 0]
    expected = (surprise[0].sum() + surprise[1, :2].sum()) / 5
    torch.testing.assert_close(sequence_loss(logits, target), expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Encoder(9, 5, 7), "7 is odd"),
        (lambda: Encoder(0, 5, 6), "vocabulary_size must be at least 1, got 0"),
        (lambda: Encoder(9, 5, 6)(torch.tensor([1, 2])), r"source\[None\]"),
        (lambda: Encoder(9, 5, 6)(torch.tensor([[9]])), "between 0 and 8"),
        (lambda: Encoder(9, 5, 6)(torch.tensor([[1]]), torch.tensor([2])), "between 0 and 1"),
        (lambda: Decoder(9, 0, 6), "embedding_size must be at least 1"),
        (lambda: DotAttention(0), "size must be at least 1"),
        (lambda: LuongDecoder(9, 4, 6, DotAttention(5)), "states of 5"),
        (lambda: BahdanauDecoder(9, 4, 6, AdditiveAttention(6, 7, 3)), "a memory of 7"),
        (lambda: DotAttention(6)(torch.zeros(2, 6), torch.zeros(3, 4, 6)), "one state"),
        (lambda: DotAttention(6)(torch.zeros(2, 6), torch.zeros(2, 4, 5)), "memory_size=6"),
        (
            lambda: DotAttention(6)(
                torch.zeros(2, 6), torch.zeros(2, 4, 6), torch.ones(2, 3, dtype=torch.bool)
            ),
            r"\(batch, T_x\) = \(2, 4\)",
        ),
        (
            lambda: DotAttention(6)(torch.zeros(2, 6), torch.zeros(2, 4, 6), torch.ones(2, 4)),
            "boolean",
        ),
        (
            lambda: model_of("dot")(torch.ones(2, 3).long(), None, torch.ones(1, 3).long()),
            "target_in",
        ),
        (
            lambda: model_of("dot")(torch.ones(2, 3).long(), None, torch.ones(2, 0).long()),
            "at least the start token",
        ),
        (
            lambda: model_of("dot")(torch.ones(2, 3).long(), None, torch.ones(2, 2)),
            "integers",
        ),
        (lambda: make_batch([], *vocabularies([running_pair()])), "no sentence pairs"),
        (lambda: vocabularies([]), "no sentence pairs"),
    ],
)
def test_bad_input_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_an_attention_without_a_score_says_so() -> None:
    with pytest.raises(NotImplementedError, match="Attention needs a method score"):
        Attention()(torch.zeros(1, 2), torch.zeros(1, 3, 2))
