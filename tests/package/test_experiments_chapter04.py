"""What chapter 4 claims, on every seed of the record; and the tasks it is measured on."""

import pytest
import torch

from contextbook.datasets import running_sentence
from contextbook.datasets.quotation import QUOTATION_LENGTH, quotation_batch
from contextbook.datasets.roles import (
    NO_ROLE,
    ROLE_VOCABULARY,
    ROLE_WORDS,
    ROLES,
    role_ids,
    roles_batch,
)
from contextbook.experiments import load_record
from contextbook.experiments.chapter04 import READERS, parameters, roles_reader, roles_tagger
from contextbook.experiments.chapter04_deeper import (
    QUOTATION_MODELS,
    look_up_in_turn,
    quotation_tagger,
)


def test_only_who_reads_both_ways_tells_the_homograph():
    record = load_record("homograph")
    one_way = record.values("accuracy", both_ways=False)
    both_ways = record.values("accuracy", both_ways=True)
    assert len(one_way) == len(both_ways) == 8
    assert max(one_way) <= 0.56
    assert min(both_ways) >= 0.99
    sizes = [record.values("parameters", both_ways=both)[0] for both in (False, True)]
    assert sizes[1] < sizes[0]


def test_roles_that_need_what_follows_and_depth_does_not_give():
    record = load_record("word-roles")
    for kind in READERS:
        assert min(record.values("others", kind=kind)) >= 0.99
        ambiguous = record.values("ambiguous", kind=kind)
        assert len(ambiguous) == 5
        if "both_ways" in kind:
            assert min(ambiguous) >= 0.98
        else:
            assert max(ambiguous) <= 0.80
        # the filler is washed out by the words that end every sentence
        assert record.values("unpadded", kind=kind) == ambiguous


def test_only_who_has_seen_a_random_word_can_name_it():
    record = load_record("leaked-word")
    assert max(record.values("accuracy", both_ways=False)) <= 0.15
    assert min(record.values("accuracy", both_ways=True)) >= 0.95


def test_both_sides_must_be_bent_together():
    record = load_record("quotation-marks")
    runs = {kind: record.values("accuracy", kind=kind, usual=0.7) for kind in QUOTATION_MODELS}
    # three of four, give or take what 4,000 drawn questions vary by
    assert max(runs["one_layer"]) <= 0.78
    assert min(runs["two_layers"]) >= 0.98
    assert min(runs["bent_answer"]) >= 0.98
    sizes = {kind: record.values("parameters", kind=kind)[0] for kind in QUOTATION_MODELS}
    assert sizes["two_layers"] < sizes["one_layer"]
    # where one mark alone says nothing, learning does not begin within this budget
    assert max(record.values("accuracy", kind="two_layers", usual=0.5)) < 0.56


def test_one_way_layers_help_a_little_on_every_seed():
    record = load_record("stacked-tables")
    one, two, three = (record.values("accuracy", tables=3, layers=n) for n in (1, 2, 3))
    gains = [deep - flat for flat, deep in zip(one, three, strict=True)]
    assert len(gains) == 5
    assert min(gains) > 0.02
    assert max(gains) < 0.12
    assert all(deep > flat for flat, deep in zip(one, two, strict=True))
    assert min(three) < max(one)  # the seeds overlap: no wide margin
    # of two tables there is nothing left to gain
    assert min(record.values("accuracy", tables=2, layers=1)) > 0.99
    sizes = [record.values("parameters", tables=3, layers=n)[0] for n in (1, 2, 3)]
    assert max(sizes) == sizes[0]


def test_every_role_stands_where_the_sentence_has_a_word():
    batch = roles_batch(torch.Generator().manual_seed(0), 600)
    time = torch.arange(batch.inputs.shape[1])
    real = time < batch.lengths[:, None]
    assert torch.equal(batch.inputs > 0, real)
    assert torch.equal(batch.targets != NO_ROLE, real)
    assert int(batch.inputs.max()) < ROLE_VOCABULARY
    assert int(batch.targets.max()) < len(ROLES)
    assert int(batch.lengths.min()) >= 6
    assert int(batch.lengths.max()) == 21
    assert set(batch.targets[real].tolist()) == set(range(len(ROLES)))


def test_a_to_means_what_its_neighbours_say():
    batch = roles_batch(torch.Generator().manual_seed(1), 300)
    texts = ["", *(word.text for word in ROLE_WORDS)]
    animals = {"犬", "猫", "鳥", "馬"}
    for ids, roles, length in zip(batch.inputs, batch.targets, batch.lengths, strict=True):
        words = [texts[i] for i in ids[:length].tolist()]
        for t, word in enumerate(words):
            if word == "と":
                behind = "and" if words[t + 1] in animals else "with"
                role = "when" if words[t - 1] == "いる" else behind
                assert ROLES[roles[t]] == role


def test_the_running_sentence_can_be_drawn():
    words = [word.text for word in running_sentence()]
    said = "actor subject action ending ending when companion with action action"
    roles = [ROLES.index(role) for role in [*said.split(), "ending", "ending", "ending"]]
    batch = roles_batch(torch.Generator().manual_seed(0), 3000)
    ids = role_ids(words)
    rows = (batch.lengths == len(words)).nonzero()[:, 0]
    (found, *_) = [row for row in rows if torch.equal(batch.inputs[row, : len(words)], ids)]
    assert batch.targets[found, : len(words)].tolist() == roles


def test_marks_stand_on_both_sides_of_the_word():
    batch = quotation_batch(torch.Generator().manual_seed(0), 500, usual=0.5)
    assert batch.inputs.shape == (500, QUOTATION_LENGTH)
    for row, place, target in zip(batch.inputs, batch.position, batch.targets, strict=True):
        before, after = row[:place].tolist(), row[place + 1 :].tolist()
        assert row[place] == 0
        (opening,) = [mark - 1 for mark in before if mark in (1, 2)]
        (closing,) = [mark - 3 for mark in after if mark in (3, 4)]
        assert (opening == closing) == bool(target)
    assert quotation_batch(torch.Generator().manual_seed(0), 50, usual=1.0).targets.all()


def test_tables_are_looked_up_in_turn():
    first, second = torch.tensor([[0, 1], [1, 0]]), torch.tensor([[1, 1], [0, 1]])
    assert look_up_in_turn([first], torch.tensor([[0, 1, 1]])).tolist() == [[1, 0]]
    assert look_up_in_turn([first, second], torch.tensor([[0, 1, 1]])).tolist() == [[0]]


def test_readers_are_about_equally_large():
    sizes = [parameters(roles_tagger(kind)) for kind in READERS]
    assert max(sizes) < 1.25 * min(sizes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: roles_reader("sideways"), "no reader 'sideways'"),
        (lambda: quotation_tagger("none"), "no model 'none'"),
        (lambda: role_ids(["犬", "dog"]), r"unknown words \['dog'\]"),
        (lambda: roles_batch(torch.Generator(), 0), "at least 1, got 0"),
        (lambda: quotation_batch(torch.Generator(), 0), "at least 1, got 0"),
        (lambda: quotation_batch(torch.Generator(), 1, usual=2.0), "from 0 to 1, got 2"),
    ],
)
def test_what_is_not_there_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
