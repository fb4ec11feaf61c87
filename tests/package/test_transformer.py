"""The Transformer: equal to PyTorch's, no leak, the same tokens with a cache and without."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.attention import MultiHeadAttention, causal_mask, padding_mask
from contextbook.decoding import beam_search, greedy
from contextbook.transformer import (
    DecoderLayer,
    Design,
    EncoderLayer,
    FeedForward,
    LayerNorm,
    PositionedEmbedding,
    Transformer,
    WithoutCache,
    normalise,
    sinusoidal_positions,
    smoothed_loss,
)
from contextbook.transformer.parity import copy_to_torch

sizes = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 9999),
        "batch": st.integers(1, 3),
        "source": st.integers(1, 6),
        "target": st.integers(1, 6),
        "heads": st.integers(1, 3),
        "per_head": st.integers(1, 4),
        "d_ff": st.integers(1, 9),
        "norm_first": st.booleans(),
    }
)
Sizes = dict[str, Any]


def design_of(s: Sizes) -> Design:
    torch.manual_seed(s["seed"])
    return Design(
        d_model=s["heads"] * s["per_head"],
        heads=s["heads"],
        d_ff=s["d_ff"],
        norm_first=s["norm_first"],
    )


def drawn(module: nn.Module) -> Any:
    """In double precision, every weight at random: biases and norms too."""
    for parameter in module.double().parameters():
        nn.init.normal_(parameter, std=0.6)
    return module


def vectors(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def lengths_of(s: Sizes, axis: str) -> Tensor:
    return torch.randint(1, s[axis] + 1, (s["batch"],))


def same_with_gradients(ours: Tensor, theirs: Tensor, inputs: list[Tensor]) -> None:
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)
    weighting = torch.randn_like(ours)
    found = torch.autograd.grad((ours * weighting).sum(), inputs)
    wanted = torch.autograd.grad((theirs * weighting).sum(), inputs)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-9)


@pytest.mark.parametrize("width", [1, 4, 5, 64])
def test_layer_norm_is_torchs_and_the_steps_one_by_one(width: int) -> None:
    torch.manual_seed(width)
    ours, theirs = drawn(LayerNorm(width)), nn.LayerNorm(width, dtype=torch.float64)
    theirs.load_state_dict(ours.state_dict())
    x = vectors(3, 2, width)
    same_with_gradients(ours(x), theirs(x), [x])
    same_with_gradients(ours.weight * normalise(x) + ours.bias, theirs(x), [x])


@settings(max_examples=40, deadline=None)
@given(sizes)
def test_encoder_layer_is_torchs(s: Sizes) -> None:
    layer = drawn(EncoderLayer(design_of(s)))
    x = vectors(s["batch"], s["source"], s["heads"] * s["per_head"])
    real = padding_mask(lengths_of(s, "source"), s["source"])
    theirs = copy_to_torch(layer)(x, src_key_padding_mask=~real)
    same_with_gradients(layer(x, key_mask=real)[0], theirs, [x])


@settings(max_examples=40, deadline=None)
@given(sizes)
def test_decoder_layer_is_torchs_with_all_masks(s: Sizes) -> None:
    layer = drawn(DecoderLayer(design_of(s)))
    width = s["heads"] * s["per_head"]
    x = vectors(s["batch"], s["target"], width)
    memory = vectors(s["batch"], s["source"], width)
    real = padding_mask(lengths_of(s, "source"), s["source"])
    past = causal_mask(s["target"]) & (torch.rand(s["target"], s["target"]) < 0.7)
    past |= torch.eye(s["target"], dtype=torch.bool)  # a row of nothing is another matter
    theirs = copy_to_torch(layer)(x, memory, tgt_mask=~past, memory_key_padding_mask=~real)
    ours, _ = layer(x, memory, past, key_mask=real)
    same_with_gradients(ours, theirs, [x, memory])


def model_of(s: Sizes, **choices: Any) -> Transformer:
    design = design_of(s)
    sizes = {name: getattr(design, name) for name in ("d_model", "heads", "d_ff", "norm_first")}
    return Transformer(9, 11, layers=2, **sizes, **choices).double()


def sentences(s: Sizes) -> tuple[Tensor, Tensor, Tensor]:
    source = torch.randint(3, 9, (s["batch"], s["source"]))
    return source, lengths_of(s, "source"), torch.randint(3, 11, (s["batch"], s["target"]))


@settings(max_examples=30, deadline=None)
@given(sizes)
def test_model_is_torchs_with_gradients(s: Sizes) -> None:
    model = model_of(s)
    source, lengths, target = sentences(s)
    padding = ~padding_mask(lengths, s["source"])
    twin = copy_to_torch(model)
    theirs = model.to_logits(
        twin(
            model.source_embedding(source),
            model.target_embedding(target),
            tgt_mask=~causal_mask(s["target"]),
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
    )
    ours, _ = model(source, lengths, target)
    tables = [model.source_embedding.weight, model.target_embedding.weight]
    same_with_gradients(ours, theirs, tables)


@settings(max_examples=40, deadline=None)
@given(sizes, st.data())
def test_nothing_leaks_from_the_future_or_from_padding(s: Sizes, data: Any) -> None:
    model = model_of(s)
    source, lengths, target = sentences(s)
    logits, _ = model(source, lengths, target)
    cut = data.draw(st.integers(0, s["target"] - 1))
    later = target.clone()
    later[:, cut:] = (later[:, cut:] - 2) % 8 + 3
    changed, _ = model(source, lengths, later)
    torch.testing.assert_close(changed[:, :cut], logits[:, :cut], rtol=0, atol=1e-10)
    if s["heads"] * s["per_head"] > 3:  # a norm leaves nothing of a token of one number
        assert not torch.equal(changed[:, cut:], logits[:, cut:])
    padding = ~padding_mask(lengths, s["source"])
    filled, _ = model(source.masked_fill(padding, 8), lengths, target)
    torch.testing.assert_close(filled, logits, rtol=0, atol=1e-10)
    longer = F.pad(source, (0, 3), value=7)
    padded, _ = model(longer, lengths, target)
    torch.testing.assert_close(padded, logits, rtol=0, atol=1e-10)


@settings(max_examples=20, deadline=None)
@given(sizes)
def test_weights_asked_for_are_those_of_the_fused_path(s: Sizes) -> None:
    model = model_of(s)
    inputs = sentences(s)
    fused, none = model(*inputs)
    shown, weights = model(*inputs, need_weights=True)
    assert none is None
    torch.testing.assert_close(shown, fused, rtol=0, atol=1e-10)
    maps = model.attention_maps(*inputs)
    torch.testing.assert_close(maps.cross[-1], weights)
    real = padding_mask(inputs[1], s["source"])[:, None, None]
    for kind in maps:
        assert len(kind) == 2
        for layer in kind:
            torch.testing.assert_close(layer.sum(-1), torch.ones_like(layer[..., 0]))
    for layer in (*maps.encoder, *maps.cross):
        assert not layer.masked_select(~real.expand_as(layer)).any()
    for layer in maps.decoder:
        assert not layer.triu(1).any()


@pytest.mark.parametrize("choices", [{}, {"norm_first": False}, {"tied": True}])
@pytest.mark.parametrize("width", [1, 3])
def test_same_tokens_with_and_without_a_cache(choices: dict[str, Any], width: int) -> None:
    torch.manual_seed(3)
    model = Transformer(20, 25, layers=2, d_model=16, heads=4, **choices).double().eval()
    source = torch.randint(3, 20, (6, 8))
    lengths = torch.tensor([8, 1, 5, 3, 8, 2])

    def write(decoded: Any) -> Any:
        if width == 1:
            return greedy(decoded, source, lengths, max_length=15)
        return beam_search(decoded, source, lengths, width=width, max_length=15)

    cached, slow = write(model), write(WithoutCache(model))
    assert torch.equal(cached.tokens, slow.tokens)
    torch.testing.assert_close(cached.scores, slow.scores, atol=1e-5, rtol=0)
    torch.testing.assert_close(cached.alignments, slow.alignments)


def test_a_step_foresees_what_teacher_forcing_does() -> None:
    torch.manual_seed(4)
    model = Transformer(20, 25, d_model=16, heads=2).eval()
    source, target = torch.randint(3, 20, (2, 5)), torch.randint(3, 25, (2, 6))
    logits, _ = model(source, None, target)
    state = model.start(source)
    for place, tokens in enumerate(target.unbind(1)):
        log_probs, state, weights = model.step(tokens, state)
        torch.testing.assert_close(log_probs, logits[:, place].log_softmax(-1))
        torch.testing.assert_close(weights.sum(-1), torch.ones(2))


@pytest.mark.parametrize("norm_first", [True, False])
def test_without_dropout_training_and_evaluation_agree_and_with_it_they_do_not(
    norm_first: bool,
) -> None:
    torch.manual_seed(5)
    source, target = torch.randint(3, 20, (2, 5)), torch.randint(3, 25, (2, 6))
    for dropout, agree in ((0.0, True), (0.5, False)):
        model = Transformer(20, 25, d_model=8, heads=2, dropout=dropout, norm_first=norm_first)
        training, _ = model(source, None, target)
        evaluated, _ = model.eval()(source, None, target)
        assert torch.allclose(training, evaluated, atol=1e-5) == agree


def test_dropout_reaches_attention_weights() -> None:
    torch.manual_seed(6)
    attention = MultiHeadAttention(8, 2, dropout=0.5)
    x = torch.randn(1, 6, 8)
    assert not torch.allclose(attention(x)[0], attention(x)[0])
    attention.eval()
    assert torch.equal(attention(x)[0], attention(x)[0])


def test_embeddings_start_with_variance_1_over_d_model_and_enter_with_variance_1() -> None:
    torch.manual_seed(9)
    for model in (Transformer(400, 400), Transformer(400, 400, tied=True)):
        for table in (model.source_embedding, model.target_embedding):
            assert table.weight.std().item() == pytest.approx(64**-0.5, rel=0.05)
            assert abs(table.weight.mean().item()) < 0.01
    embedding, tokens = PositionedEmbedding(400, 64), torch.arange(400)[None]
    waves = sinusoidal_positions(400, 64)
    torch.testing.assert_close(embedding(tokens)[0], 8 * embedding.weight + waves)
    embedding.table = None
    assert embedding(tokens).std().item() == pytest.approx(1.0, rel=0.05)


def test_tied_tables_are_one() -> None:
    model = Transformer(20, 25, tied=True)
    assert model.to_logits.weight is model.target_embedding.weight
    untied = sum(p.numel() for p in Transformer(20, 25).parameters())
    assert untied - sum(p.numel() for p in model.parameters()) == 25 * 64


def test_without_positions_order_does_not_count() -> None:
    torch.manual_seed(7)
    source, target = torch.randint(3, 20, (1, 6)), torch.randint(3, 25, (1, 4))
    order = torch.randperm(6)
    for positions, counts in ((None, False), (sinusoidal_positions, True)):
        model = Transformer(20, 25, positions=positions).eval()
        here, _ = model(source, None, target)
        there, _ = model(source[:, order], None, target)
        assert torch.allclose(here, there, atol=1e-5) != counts


def test_positions_dot_product_depends_on_the_distance_only() -> None:
    table = sinusoidal_positions(60, 32).double()
    products = table @ table.T
    for distance in (0, 1, 7, 30):
        along = products.diagonal(distance)
        torch.testing.assert_close(along, along[:1].expand_as(along), atol=1e-4, rtol=0)
    assert products[0, 0] > products[0, 1] > products[0, 4]


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.6])
def test_smoothed_loss_is_torchs(smoothing: float) -> None:
    torch.manual_seed(8)
    logits, target = torch.randn(3, 5, 7, requires_grad=True), torch.randint(0, 7, (3, 5))
    ours = smoothed_loss(logits, target, smoothing)
    theirs = F.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=smoothing
    )
    torch.testing.assert_close(ours, theirs)


def test_a_token_that_cannot_be_has_no_say_in_the_loss_of_another() -> None:
    logits = torch.tensor([[0.0, -torch.inf, 0.0, 0.0]]).log_softmax(-1).requires_grad_()
    loss = smoothed_loss(logits, torch.tensor([2]), smoothing=0.0)
    torch.testing.assert_close(loss, F.cross_entropy(logits, torch.tensor([2])))
    assert loss.item() == pytest.approx(math.log(3))
    (gradient,) = torch.autograd.grad(loss, logits)
    assert gradient.isfinite().all()
    # who spreads some of the truth over all tokens finds it impossible
    assert smoothed_loss(logits, torch.tensor([2])).item() == math.inf


def test_feed_forward_is_the_same_for_each_token() -> None:
    x = torch.randn(2, 5, 8)
    network = FeedForward(8, 20)
    torch.testing.assert_close(network(x)[:, 3], network(x[:, 3]))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (lambda: Design(d_model=10, heads=4), "10.*4 heads"),
        (lambda: Design(dropout=1.0), "share.*1.0"),
        (lambda: sinusoidal_positions(0, 4), "length.*0"),
        (lambda: PositionedEmbedding(9, 8, max_length=4)(torch.ones(1, 5).long()), "max_length=5"),
        (lambda: LayerNorm(4)(torch.ones(2, 3)), r"d_model=4.*\(2, 3\)"),
        (lambda: EncoderLayer(Design())(torch.ones(1, 2, 32)), "d_model=64"),
        (
            lambda: Transformer(9, 9)(torch.ones(2, 3).long(), None, torch.ones(1, 3).long()),
            "target_in",
        ),
        (
            lambda: Transformer(9, 9)(torch.full((1, 2), 9), None, torch.ones(1, 3).long()),
            "between 0 and 8",
        ),
        (lambda: smoothed_loss(torch.zeros(2, 3), torch.ones(2).long(), 1.0), "smoothing.*1.0"),
        (
            lambda: smoothed_loss(torch.zeros(2, 3, 5), torch.zeros(2, 3).long()),
            r"\(2, 3\).*padding",
        ),
        (
            lambda: greedy(Transformer(9, 9).eval(), torch.full((1, 2), 9), max_length=3),
            "between 0 and 8, got 9 to 9",
        ),
        (
            lambda: greedy(WithoutCache(Transformer(9, 9)), torch.full((1, 2), -1), max_length=3),
            "between 0 and 8, got -1",
        ),
        (
            lambda: greedy(Transformer(9, 9), torch.ones(1, 2).long(), max_length=3, start=99),
            "between 0 and 8, got 99",
        ),
        (lambda: greedy(Transformer(9, 9), torch.ones(2).long(), max_length=3), r"tokens\[None\]"),
        (lambda: Transformer(9, 9).start(torch.ones(1, 2)), "integers.*float32"),
        (lambda: Transformer(9, 9, layers=0), "layers must be at least 1, got 0"),
        (lambda: Transformer(9, 9, layers=-1), "layers must be at least 1, got -1"),
        (lambda: Transformer(0, 9), "vocabulary_size must be at least 1, got 0"),
        (lambda: Transformer(9, -1), "vocabulary_size must be at least 1, got -1"),
        (lambda: Transformer(9, 9, positions=None, max_length=0), "length must be at least 1"),
        (
            lambda: EncoderLayer(Design())(torch.ones(1, 4, 64), torch.ones(4, 4).tril()),
            "boolean.*float32",
        ),
    ],
)
def test_bad_input_is_named(bad: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bad()
