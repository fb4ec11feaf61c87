"""The referees of chapter 2: right definitions pass, broken ones are told what broke them."""

import inspect
import json
from pathlib import Path

import pytest

import contextbook.embeddings
from contextbook.embeddings import Embedding, skip_gram_gradient, skip_gram_loss
from contextbook.referees.embeddings import check_embedding, check_skip_gram

SOURCE = inspect.getsource(contextbook.embeddings)
WORDS = Path(contextbook.__file__).parent / "words" / "en.json"
HINTS = json.loads(WORDS.read_text("utf-8"))["checks"]

LOOK_UP = "vectors = self.weight[ids]"
DETACHED = "torch.where(is_padding, vectors.detach(), vectors)"
PARAMETER = "self.weight = nn.Parameter(weight)"
TABLES = [
    ("next_row", LOOK_UP, "vectors = self.weight[(ids + 1) % len(self.weight)]"),
    ("row_before", LOOK_UP, "vectors = self.weight[ids - 1]"),
    ("shape", LOOK_UP, "vectors = self.weight[ids][..., None]"),
    ("different", LOOK_UP, "vectors = 2 * self.weight[ids]"),
    ("no_gradient", LOOK_UP, "vectors = self.weight[ids].detach()"),
    (
        "gradient_differs",
        LOOK_UP,
        "total = self.weight.sum(); vectors = self.weight[ids] + total - total.detach()",
    ),
    ("padding_trained", DETACHED, "vectors"),
    ("padding_zeroed", DETACHED, DETACHED.replace("vectors.detach()", "0.0")),
    ("padding_not_zero", "weight[padding_idx] = 0.0", "pass"),
    ("not_a_parameter", PARAMETER, "self.weight = weight"),
    ("table", PARAMETER, "self.table = nn.Parameter(weight)"),
    ("table", PARAMETER, "self.weight = nn.Parameter(weight.T)"),
    ("raised", LOOK_UP, "vectors = self.weights[ids]"),
]

RETURNED = "return -(F.logsigmoid(true_score) + F.logsigmoid(-noise_scores).sum(-1)).mean()"
TRUE_ERROR = "true_error = torch.sigmoid((context * centre).sum(-1, keepdim=True)) - 1"
FOR_CENTRE = "for_centre = true_error * context + (noise_error * noise).sum(1)"
LAST = "return for_centre / batch, for_context / batch, for_noise / batch"
LOSSES = [
    ("noise_not_negated", RETURNED, RETURNED.replace("-noise_scores", "noise_scores")),
    ("noise_averaged", RETURNED, RETURNED.replace(".sum(-1)", ".mean(-1)")),
    ("noise_left_out", RETURNED, "return -F.logsigmoid(true_score).mean()"),
    ("not_averaged", RETURNED, RETURNED.replace(".mean()", ".sum()")),
    ("sign_flipped", RETURNED, RETURNED.replace("-(F", "(F")),
    ("no_logarithm", RETURNED, RETURNED.replace("F.logsigmoid", "torch.sigmoid")),
    ("not_one_number", RETURNED, RETURNED.replace(".mean()", "")),
    ("no_gradient", RETURNED, RETURNED + ".detach()"),
    ("different", RETURNED, RETURNED + " + 1"),
    ("raised", "true_score = (context", "true_score = (contexts"),
    ("gradient_upwards", LAST, LAST.replace("for_centre /", "-for_centre /")),
    ("gradient_differs", TRUE_ERROR, TRUE_ERROR.removesuffix(" - 1")),
    ("gradient_differs", FOR_CENTRE, FOR_CENTRE.replace("* noise)", "* centre[:, None])")),
    ("gradient_not_averaged", LAST, LAST.replace("for_noise / batch", "for_noise")),
    ("gradient_shape", LAST, LAST.replace("for_noise / batch", "for_noise.sum(1) / batch")),
    ("not_three", LAST, "return for_centre / batch"),
    ("returned_nothing", LAST, "pass"),
]


def edited(old: str, new: str) -> dict:
    """The module with one text replaced."""
    assert old in SOURCE, f"the definition no longer holds {old!r}"
    names: dict = {"__name__": "edited"}
    exec(SOURCE.replace(old, new), names)
    return names


def test_the_books_own_definitions_pass():
    assert check_embedding(Embedding).passed
    assert "40 random inputs" in check_embedding(Embedding).hint
    verdict = check_skip_gram(skip_gram_loss, skip_gram_gradient)
    assert verdict.passed, verdict


@pytest.mark.parametrize(("kind", "old", "new"), TABLES)
def test_a_broken_table_is_told_what_broke_it(kind, old, new):
    verdict = check_embedding(edited(old, new)["Embedding"])
    assert verdict.kind == kind, verdict


@pytest.mark.parametrize(("kind", "old", "new"), LOSSES)
def test_a_broken_loss_or_gradient_is_told_what_broke_it(kind, old, new):
    names = edited(old, new)
    verdict = check_skip_gram(names["skip_gram_loss"], names["skip_gram_gradient"])
    assert verdict.kind == kind, verdict


def test_an_edit_that_breaks_nothing_passes():
    product = "vectors = one_hot(ids, len(self.weight)).to(self.weight) @ self.weight"
    assert check_embedding(edited(LOOK_UP, product)["Embedding"]).passed
    softplus = "return (F.softplus(-true_score) + F.softplus(noise_scores).sum(-1)).mean()"
    names = edited(RETURNED, softplus)
    assert check_skip_gram(names["skip_gram_loss"], names["skip_gram_gradient"]).passed


def test_every_hint_is_given_to_some_edit():
    assert HINTS["embedding_referee"].keys() - {"passed"} <= {kind for kind, *_ in TABLES}
    assert HINTS["skip_gram_referee"].keys() - {"passed"} <= {kind for kind, *_ in LOSSES}


def test_verdicts_are_the_same_at_every_run():
    assert repr(check_embedding(Embedding)) == repr(check_embedding(Embedding))
    one, two = (check_skip_gram(skip_gram_loss, skip_gram_gradient) for _ in range(2))
    assert repr(one) == repr(two)
