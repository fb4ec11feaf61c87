"""Half precision: chosen by asking the device, trained with on the CPU, which computes it too."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from contextbook.attention import causal_mask
from contextbook.decoding import beam_search, greedy, sample
from contextbook.recurrent import LSTMCell
from contextbook.seq2seq import (
    Decoder,
    DotAttention,
    Encoder,
    EncoderDecoder,
    LuongDecoder,
    sequence_loss,
)
from contextbook.training import half_precision, mixed_precision, train
from contextbook.transformer import Transformer
from contextbook.translation import TranslationTask, train_translator, translation_task

HALVES = [torch.bfloat16, torch.float16]


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    return translation_task(train=400, test=20, longest=6)


def translators(task: TranslationTask) -> dict[str, nn.Module]:
    """A small one of each kind that the chapters train."""
    sizes = len(task.english), len(task.japanese)

    def reader() -> Encoder:
        return Encoder(sizes[0], 12, 16, LSTMCell)

    torch.manual_seed(0)
    return {
        "vector": EncoderDecoder(reader(), Decoder(sizes[1], 12, 16, LSTMCell)),
        "attention": EncoderDecoder(
            reader(), LuongDecoder(sizes[1], 12, 16, DotAttention(16), LSTMCell)
        ),
        "transformer": Transformer(*sizes, layers=1, d_model=16, heads=2),
    }


@pytest.mark.parametrize(
    ("capability", "expected"),
    [((9, 0), torch.bfloat16), ((8, 0), torch.bfloat16), ((7, 5), torch.float16), ((6, 1), None)],
)
def test_a_gpu_is_asked_what_it_is_fast_at(monkeypatch, capability, expected):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert half_precision("cuda") is expected
    assert half_precision(torch.device("cuda", 0)) is expected


@pytest.mark.parametrize("kind", ["cpu", "mps"])
def test_other_devices_stay_in_full_precision(kind):
    assert half_precision(kind) is None


def test_on_a_cpu_nothing_changes_unless_asked():
    model = nn.Linear(3, 2)
    with mixed_precision(model) as dtype:
        assert dtype is None
        assert "forward" not in vars(model)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("kind", ["vector", "attention", "transformer"])
def test_gradients_are_those_of_full_precision_but_for_rounding(task, kind, dtype):
    model = translators(task)[kind]
    batch = task.batch(task.train[:32])

    def gradients() -> Tensor:
        model.zero_grad()
        logits = model(*batch[:3])[0]
        assert logits.dtype == torch.float32
        sequence_loss(logits, batch.target_out).backward()
        assert {weight.grad.dtype for weight in model.parameters()} == {torch.float32}
        return torch.cat([weight.grad.flatten() for weight in model.parameters()])

    full = gradients()
    with mixed_precision(model, dtype) as used:
        assert used is dtype
        half = gradients()
    assert not torch.equal(half, full), "nothing was rounded: it computed in full precision"
    assert F.cosine_similarity(half, full, dim=0) > 0.999
    assert half.norm() == pytest.approx(full.norm().item(), rel=0.03)
    assert torch.equal(gradients(), full), "afterwards it is as before"


@pytest.mark.parametrize("kind", ["vector", "attention", "transformer"])
def test_training_in_half_precision_learns_as_well(task, kind):
    ends = []
    for dtype in (None, torch.bfloat16):
        model = translators(task)[kind]
        with mixed_precision(model, dtype):
            history = train_translator(model, task, steps=30, learning_rate=2e-2, batch_size=32)
        assert {weight.dtype for weight in model.parameters()} == {torch.float32}
        ends.append(sum(history.loss[-5:]) / 5)
        assert ends[-1] < history.loss[0] - 1
    assert ends[1] == pytest.approx(ends[0], rel=0.1)


def test_gradients_too_small_for_float16_arrive():
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 1, bias=False))
    x = torch.ones(1, 2)

    def gradient(scale: float) -> Tensor:
        model.zero_grad()
        with mixed_precision(model, torch.float16, scale):
            (1e-8 * model(x).sum()).backward()
        return model[0].weight.grad.clone()

    wanted = 1e-8 * model[1].weight.detach().T.expand(2, 2)
    torch.testing.assert_close(gradient(2.0**16), wanted, rtol=2e-2, atol=0)
    assert gradient(1.0).abs().max() == 0, "without a scale they are lost"


def test_train_stops_where_float16_overflows_and_names_the_scale():
    model = nn.Linear(1, 1)
    with (
        pytest.raises(
            ValueError,
            match=r"gradient is (inf|nan) at step 1.*a smaller scale, such as 6.25e\+07",
        ),
        mixed_precision(model, torch.float16, scale=1e9),
    ):
        train(model, lambda: model(torch.ones(4, 1)).square().mean() + 1, 3)


def test_another_stop_has_nothing_to_do_with_the_scale():
    model = nn.Linear(1, 1)
    with (
        pytest.raises(ValueError, match=r"the loss is nan at step 1") as stopped,
        mixed_precision(model, torch.float16),
    ):
        train(model, lambda: model(torch.full((4, 1), float("nan"))).mean(), 3)
    assert "scale" not in str(stopped.value)


@pytest.mark.parametrize("dtype", HALVES)
def test_gradients_that_do_not_come_through_the_model_stay_as_they_are(dtype):
    model = nn.Linear(2, 2)
    with mixed_precision(model, dtype):
        model.weight.square().sum().backward()
        torch.testing.assert_close(model.weight.grad, 2 * model.weight.detach())
        model.zero_grad()
        (model(torch.ones(3, 2)).sum() + model.weight.square().sum()).backward()
    torch.testing.assert_close(model.weight.grad, 3 + 2 * model.weight.detach())
    torch.testing.assert_close(model.bias.grad, torch.full((2,), 3.0))


def test_gradients_of_inputs_are_those_of_full_precision():
    model = nn.Linear(2, 2)
    inputs = [torch.ones(3, 2, requires_grad=True) for _ in range(4)]

    class Sum(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = model

        def forward(self, x: Tensor, pair: tuple[Tensor, Tensor], *, named: dict) -> Tensor:
            return sum(self.layer(part) for part in (x, *pair, named["x"]))

    with mixed_precision(whole := Sum(), torch.float16):
        whole(inputs[0], (inputs[1], inputs[2]), named={"x": inputs[3]}).sum().backward()
    wanted = model.weight.detach().sum(0).expand(3, 2)
    for x in inputs:
        torch.testing.assert_close(x.grad, wanted, rtol=2e-3, atol=1e-3)


def test_weights_that_are_tied_frozen_or_of_torch_get_the_right_gradients():
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.reader = nn.Embedding(5, 4), nn.GRU(4, 4, batch_first=True)
            self.to_logits = nn.Linear(4, 5)
            self.to_logits.weight = self.embedding.weight
            self.to_logits.bias.requires_grad_(False)

        def forward(self, ids: Tensor) -> Tensor:
            return self.to_logits(self.reader(self.embedding(ids))[0])

    torch.manual_seed(0)
    model = Model()

    def gradients() -> list[Tensor]:
        model.zero_grad()
        F.cross_entropy(model(torch.tensor([[1, 2, 3]]))[0], torch.tensor([2, 3, 4])).backward()
        return [weight.grad for weight in model.parameters() if weight.grad is not None]

    full = gradients()
    with mixed_precision(model, torch.float16):
        half = gradients()
    assert len(full) == len(half) == 5
    for one, other in zip(half, full, strict=True):
        torch.testing.assert_close(one, other, rtol=0.03, atol=3e-3)
    assert all(torch.equal(*pair) for pair in zip(gradients(), full, strict=True))
    assert model.to_logits.weight is model.embedding.weight


class Outputs(NamedTuple):
    numbers: Tensor
    ids: Tensor
    rest: list[Tensor | None]


def test_all_parts_of_an_output_come_back_in_their_places():
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(2, 2)

        def forward(self, x: Tensor, *, again: bool) -> Outputs:
            y = self.layer(x)
            return Outputs(y, y.argmax(1), [y if again else None, None])

    with mixed_precision(model := Model(), torch.float16):
        found = model(torch.ones(3, 2), again=True)
        assert isinstance(found, Outputs)
        assert (found.numbers.dtype, found.ids.dtype) == (torch.float32, torch.int64)
        assert found.rest[1] is None
        assert torch.equal(found.rest[0], found.numbers)
        (found.numbers + found.rest[0]).sum().backward()
    torch.testing.assert_close(model.layer.weight.grad, torch.full((2, 2), 6.0))


class Naming(nn.Module):
    """Returns its numbers in another wrapping."""

    def __init__(self, wrap: Callable[[Tensor], Any]) -> None:
        super().__init__()
        self.layer, self.wrap = nn.Linear(2, 2), wrap

    def forward(self, x: Tensor) -> Any:
        return self.wrap(self.layer(x))


@pytest.mark.parametrize("dtype", HALVES)
def test_a_dict_of_outputs_comes_back_in_full(dtype):
    with mixed_precision(model := Naming(lambda y: {"y": y, "size": 2}), dtype):
        found = model(torch.ones(3, 2))
        assert (found["y"].dtype, found["size"]) == (torch.float32, 2)
        found["y"].sum().backward()
    torch.testing.assert_close(model.layer.weight.grad, torch.full((2, 2), 3.0))


@pytest.mark.parametrize("dtype", HALVES)
def test_an_output_that_may_hide_tensors_is_refused(dtype):
    with (
        mixed_precision(model := Naming(lambda y: SimpleNamespace(y=y)), dtype),
        pytest.raises(ValueError, match=r"must return tensors.* got SimpleNamespace"),
    ):
        model(torch.ones(3, 2))


def test_an_error_inside_leaves_the_model_as_it_was():
    model = nn.Linear(2, 1)
    with pytest.raises(KeyError), mixed_precision(model, torch.float16):
        raise KeyError
    assert "forward" not in vars(model)


@pytest.mark.parametrize(
    ("dtype", "scale", "message"),
    [
        (torch.float64, 1.0, "got torch.float64"),
        ("half", 1.0, "'ask' or None, got half"),
        (torch.float16, 0.0, "scale must be more than 0, got 0.0"),
    ],
)
def test_a_setting_of_no_use_is_named(dtype, scale, message):
    with pytest.raises(ValueError, match=message), mixed_precision(nn.Linear(1, 1), dtype, scale):
        pass


def test_weights_must_be_whole_and_the_with_alone():
    double = nn.Linear(1, 1).double()
    with (
        pytest.raises(ValueError, match=r"some are torch.float64: call model.float\(\)"),
        mixed_precision(double, torch.bfloat16),
    ):
        pass
    model = nn.Linear(1, 1)
    with (
        mixed_precision(model, torch.bfloat16),
        pytest.raises(ValueError, match="in mixed precision already"),
        mixed_precision(model, torch.bfloat16),
    ):
        pass


# --- a machine whose GPU is played ---


class OneDevice(TorchFunctionMode):
    """Refuses to compute with tensors of two devices, as a GPU and its CPU would."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        parts = [part for part in (*args, *kwargs.values()) if isinstance(part, Tensor)]
        devices = {part.device.type for part in parts if part.ndim}  # one number alone may mix
        assert len(devices) < 2, f"{func.__name__} of tensors on {devices}"
        return func(*args, **kwargs)


def test_a_mask_that_was_made_elsewhere_is_refused():
    scores = torch.ones(1, 1, 3, 4)
    with torch.device("meta"), OneDevice(), pytest.raises(AssertionError, match="attention of"):
        F.scaled_dot_product_attention(scores, scores, scores, causal_mask(3))


@pytest.mark.parametrize("kind", ["vector", "attention", "transformer"])
def test_models_make_their_tensors_where_their_inputs_are(task, kind):
    """The CPU plays the GPU, and what is made without a device is on `meta`, as on a CPU there."""
    model = translators(task)[kind]
    batch = task.batch(task.train[:4])
    made = []
    with torch.device("meta"), OneDevice():
        logits = model(*batch[:3])[0]
        sequence_loss(logits, batch.target_out).backward()
        model.eval()
        with torch.no_grad():
            made.append(greedy(model, *batch[:2], max_length=5))
            made.append(beam_search(model, *batch[:2], width=2, max_length=5).best())
            draw = torch.Generator()
            made.append(sample(model, *batch[:2], max_length=5, generator=draw))
    tensors = [logits, *(weight.grad for weight in model.parameters())]
    tensors += [part for decoded in made for part in (decoded.tokens, decoded.scores)]
    assert {tensor.device.type for tensor in tensors} == {"cpu"}
