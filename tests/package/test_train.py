"""Several processes train as one does, go on from one another's checkpoints, and fail loudly."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import torch

import contextbook
from contextbook.seq2seq import EncoderDecoder
from contextbook.train import LikeLengthBatches, Process, joined, parse, shared_mean, train_shared
from contextbook.train import __main__ as command
from contextbook.train.processes import choose_device
from contextbook.transformer import Transformer
from contextbook.translation import train_translator, translation_task

FAILING = Path(__file__).with_name("failing_rank.py")
SECONDS = 150  # after which a run hangs, on however slow a machine
STEPS, HALF = 6, 3
# 14 sentences an update: the third batch of a pass has one, and so one process nothing to read
SETTINGS = (
    f"--pairs 29 --longest 6 --steps {STEPS} --width 8 --heads 2 --layers 1 --test 0 "
    "--precision float64 --device cpu --timeout 60 --save-every 1"
).split()
ALONE, ONE_OF_TWO = ["--batch", "14"], ["--batch", "7"]
ONE = Process(0, 1, torch.device("cpu"))
ROOT = Path(__file__).parents[2]
# One of some thirty runs on a busy machine failed. The process that fails on purpose did not wait
# for the other's file then, and where writing took a second, a test failed. Whether that was the
# cause is not known, so a second failure is told.
pytestmark = pytest.mark.flaky(reruns=1)


def start(program: list[str], *options: str, processes: int = 2) -> "subprocess.Popen[str]":
    """Start processes by torchrun."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    return subprocess.Popen(
        [*launcher, "--nproc-per-node", str(processes), *program, *SETTINGS, *options],
        # the package as it stands here, also where it is not installed
        env=os.environ
        | {"OMP_NUM_THREADS": "1", "CONTEXTBOOK_PROGRESS": "off", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finish(run: "subprocess.Popen[str]") -> tuple[int, str]:
    """Wait for a run; its status and what it said. One that hangs is ended, with all it started."""
    try:
        said, _ = run.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        pytest.fail(f"the run hangs; it said:\n{run.communicate()[0]}")
    return run.returncode, said


def files(folder: Path, name: str) -> list[str]:
    return ["--output", str(folder / f"{name}.safetensors")]


def train_here(*options: str) -> None:
    """Train in this process."""
    command.train(parse([*SETTINGS, *options]))


def state(folder: Path, name: str) -> dict[str, Any]:
    """A checkpoint."""
    found: dict[str, Any] = torch.load(folder / f"{name}.checkpoint", weights_only=True)
    return found


def assert_same(one: dict[str, Any], other: dict[str, Any], steps: int) -> None:
    """The same losses and the same weights, up to rounding in 64 bits."""
    assert len(other["history"]["loss"]) == steps
    assert one["history"]["loss"][:steps] == pytest.approx(other["history"]["loss"], rel=1e-12)
    for name, weight in one["model"].items():
        torch.testing.assert_close(weight, other["model"][name], rtol=0, atol=1e-10)


@dataclass
class Runs:
    """The runs that the tests look at, each of which takes seconds to start."""

    folder: Path
    shared: tuple[int, str]  # two processes take the first half of the steps
    failed: tuple[int, str]  # two go on from one's half, and the second fails


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("train")
    half = ["--stop-after", str(HALF)]
    shared = start(["-m", "contextbook.train"], *ONE_OF_TWO, *half, *files(folder, "shared"))
    train_here(*ALONE, *half, *files(folder, "half"))
    one = (folder / "half.checkpoint").read_bytes()
    (folder / "failed.checkpoint").write_bytes(one)
    failed = start([str(FAILING)], *ONE_OF_TWO, "--resume", *files(folder, "failed"))
    train_here(*ALONE, *files(folder, "whole"))
    found = Runs(folder, finish(shared), finish(failed))
    # here, so that another try starts the processes anew
    assert found.shared[0] == 0, found.shared[1]
    return found


def test_two_processes_take_the_steps_of_one_with_the_doubled_batch(runs: Runs) -> None:
    said = runs.shared[1]
    assert "2 × 7 an update" in said
    assert f"stopped after step {HALF}" in said
    assert said.count("step 1 of 6") == 1, "the first process reports, and no other"
    assert not (runs.folder / "shared.safetensors").exists()
    assert_same(state(runs.folder, "half"), state(runs.folder, "shared"), HALF)


def test_one_process_goes_on_where_two_have_stopped(runs: Runs) -> None:
    train_here(*ALONE, "--resume", *files(runs.folder, "shared"))
    assert_same(state(runs.folder, "whole"), state(runs.folder, "shared"), STEPS)
    model, english, japanese = contextbook.load(runs.folder / "shared.safetensors")
    wanted = contextbook.load(runs.folder / "whole.safetensors")
    assert (english.tokens, japanese.tokens) == (wanted.source.tokens, wanted.target.tokens)
    source, target = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 4]])
    found = model(source, None, target)[0]
    torch.testing.assert_close(found, wanted.model(source, None, target)[0], rtol=0, atol=1e-9)


def test_two_processes_go_on_where_one_has_stopped(runs: Runs) -> None:
    went_on = state(runs.folder, "failed")["history"]["loss"]
    assert len(went_on) == HALF + 1
    wanted = state(runs.folder, "whole")["history"]["loss"]
    assert went_on == pytest.approx(wanted[: HALF + 1], rel=1e-12)


def test_a_process_that_fails_ends_the_run_and_says_why(runs: Runs) -> None:
    status, said = runs.failed
    assert status != 0
    assert "rank 1 of 2 failed: RuntimeError: this disk is full of sand" in said
    assert "rank 0 of 2 failed" not in said
    assert not (runs.folder / "failed.safetensors").exists()


def test_another_batch_cannot_go_on(runs: Runs) -> None:
    with pytest.raises(ValueError, match="batch times processes is 14"):
        train_here("--batch", "7", "--resume", *files(runs.folder, "half"))
    with pytest.raises(ValueError, match="'seed': 0"):
        train_here(*ALONE, "--seed", "1", "--resume", *files(runs.folder, "half"))
    with pytest.raises(ValueError, match="number of steps"):
        train_here(*ALONE, "--steps", "9", "--resume", *files(runs.folder, "half"))


def test_another_model_cannot_go_on_though_its_weights_have_the_same_shapes(runs: Runs) -> None:
    with pytest.raises(ValueError, match=r"self_attention: heads was 2 and is 4"):
        train_here(*ALONE, "--heads", "4", "--resume", *files(runs.folder, "half"))
    with pytest.raises(ValueError, match=r"dropout: p was 0\.0 and is 0\.3"):
        train_here(*ALONE, "--dropout", "0.3", "--resume", *files(runs.folder, "half"))


@pytest.mark.parametrize(
    ("output", "checkpoint"),
    [
        ("runs/model.safetensors", "runs/model.checkpoint"),
        ("runs/lr0.01", "runs/lr0.01.checkpoint"),
        ("runs/lr0.003", "runs/lr0.003.checkpoint"),
        ("lr0.01.safetensors", "lr0.01.checkpoint"),
        (".safetensors", ".safetensors.checkpoint"),
    ],
)
def test_each_output_has_a_checkpoint_of_its_own(output: str, checkpoint: str) -> None:
    assert parse(["--output", output]).checkpoint == Path(checkpoint)


def test_the_command_says_in_one_line_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.checkpoint").write_bytes(b"sand")
    monkeypatch.setattr(sys, "argv", ["train", *SETTINGS, "--resume", *files(tmp_path, "bad")])
    with pytest.raises(SystemExit, match=r"^contextbook\.train: .*cannot be read"):
        command.main()


def test_one_process_trains_as_the_chapters_do() -> None:
    task = translation_task(train=40, test=0, longest=6)

    def model() -> Transformer:
        torch.manual_seed(0)
        sizes = len(task.english), len(task.japanese)
        return Transformer(*sizes, d_model=8, heads=2, layers=1).double()

    options: Any = {"steps": 5, "learning_rate": 3e-3, "batch_size": 16, "seed": 3}
    wanted = train_translator(model(), task, **options).loss
    assert train_shared(model(), task, ONE, **options).loss == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("model", ["luong", "no-attention"])
def test_the_recurrent_translators_train_and_report(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = "--pairs 40 --longest 4 --steps 2 --width 8 --device cpu --test 600"
    command.train(parse([*sizes.split(), "--model", model, *files(tmp_path, "model")]))
    said = capsys.readouterr().out
    assert f"{model}: " in said
    assert "BLEU" in said
    loaded = contextbook.load(tmp_path / "model.safetensors").model
    assert isinstance(loaded, EncoderDecoder)
    assert hasattr(loaded.decoder, "attention") == (model == "luong")


def test_the_gradients_average_is_that_of_the_whole_mean() -> None:
    parts = [torch.tensor([1.0, 2.0, 6.0]), torch.tensor([5.0])]  # not equally many
    sums = torch.tensor([sum(float(part.sum()) for part in parts), 4.0])
    weight = torch.tensor(1.0, requires_grad=True)

    @dataclass(frozen=True)
    class Half(Process):
        def total(self, values: torch.Tensor) -> torch.Tensor:
            return sums

    for rank, part in enumerate(parts):
        half = Half(rank, 2, torch.device("cpu"))
        loss = shared_mean((weight * part).sum(), torch.tensor(len(part)), half)
        assert loss.item() == pytest.approx(14 / 4)
        loss.backward()
    assert weight.grad is not None
    assert weight.grad.item() / 2 == pytest.approx(14 / 4)


def test_every_process_gets_its_part_and_each_row_once_a_pass() -> None:
    batches = LikeLengthBatches([3, 5, 4, 3, 5, 4, 9], 3)
    rows = [next(batches) for _ in range(3)]
    assert sorted(chain(*rows)) == list(range(7))
    assert [6] in rows, "the longest is left over"
    device = torch.device("cpu")
    shares = [Process(rank, 2, device).share(rows[0]) for rank in range(2)]
    assert sorted(chain(*shares)) == sorted(rows[0])
    with pytest.raises(ValueError, match="got 0 sentences"):
        LikeLengthBatches([], 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--model oracle", "invalid choice: 'oracle'"),
        ("--steps 0", "--steps: must be a whole number of at least 1, got '0'"),
        ("--batch few", "--batch: must be a whole number"),
        ("--seed 9223372036854775808", "--seed must be below 2**63"),
        ("--output README.md/model", "README.md is a file, and no folder"),
        ("--seed -1", "--seed: must be a whole number of at least 0"),
        ("--learning-rate nan", "--learning-rate: must be a number of more than 0"),
        ("--learning-rate 0", "--learning-rate: must be a number of more than 0"),
        ("--dropout 1", "--dropout: must be a share"),
        ("--width 10 --heads 4", "--width 10 cannot be shared out among --heads 4"),
        ("--model luong --layers 2", "--layers is for --model transformer, not luong"),
        ("--model luong --width 7", "--width 7 must be even"),
        ("--device mps --precision float64", "not to be had on mps"),
        ("--longest 40", "3 to 25 words"),
        ("--steps 5 --stop-after 6", "--stop-after 6 is beyond --steps 5"),
        ("--output .", "--output must name a file"),
        ("--output tests", "--output must name a file, and tests is a folder"),
        ("--output a --checkpoint a", "name two files"),
        ("--resume --output none/at/all", "there is no checkpoint none/at/all.checkpoint"),
        ("--timeout 1e15", "--timeout must be at most 1,000,000 seconds"),
        ("--rank 3", "unrecognized arguments: --rank 3"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    options: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(options.split())
    assert ended.value.code == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_folder_that_cannot_be_written_is_told_before_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda folder, mode: Path(folder) != tmp_path)
    with pytest.raises(SystemExit):
        parse(files(tmp_path / "new" / "folder", "model"))
    assert f"the folder {tmp_path} cannot be written" in " ".join(capsys.readouterr().err.split())


def test_the_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    said = capsys.readouterr().out
    names = {field.name.replace("_", "-") for field in fields(parse([]))}
    assert {name for name in names if f"--{name}" not in said} == set()
    assert "1200 for transformer, 400 for luong" in " ".join(said.split())


def test_a_device_that_is_not_there_is_refused() -> None:
    with joined("cpu") as process:
        assert process == ONE
    with pytest.raises(ValueError, match="GPU of its own, and there are"):
        choose_device("cuda", 99, local_rank=98)
    with pytest.raises(ValueError, match="cannot share mps"):
        choose_device("mps", 2)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no NVIDIA GPU here")
def test_a_gpu_trains_by_nccl(tmp_path: Path) -> None:
    options = [*ALONE, "--device", "cuda", *files(tmp_path, "gpu")]
    status, said = finish(start(["-m", "contextbook.train"], *options, processes=1))
    assert status == 0, said
    assert "steps on cuda:0" in said
    assert contextbook.load(tmp_path / "gpu.safetensors").model.to_logits.weight.isfinite().all()
