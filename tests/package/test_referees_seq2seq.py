"""The referees of attention and beam search: right ones pass, each wrong edit gets its hint."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import torch

import contextbook
from contextbook.decoding import beam, beam_search
from contextbook.referees.seq2seq import (
    check_additive,
    check_beam_search,
    check_concat,
    check_dot,
    check_general,
)
from contextbook.seq2seq import (
    AdditiveAttention,
    ConcatAttention,
    DotAttention,
    GeneralAttention,
    attention,
)

WORDS = Path(contextbook.__file__).parent / "words" / "en.json"
HINTS = json.loads(WORDS.read_text("utf-8"))["checks"]
KINDS: dict[str, Any] = {
    "AdditiveAttention": check_additive,
    "DotAttention": check_dot,
    "GeneralAttention": check_general,
    "ConcatAttention": check_concat,
}
BOOK = [AdditiveAttention, DotAttention, GeneralAttention, ConcatAttention]

WEIGHTS = "weights = masked_softmax(scores, key_mask)"
CONTEXT = "context = (weights[:, None] @ memory)[:, 0]"
BOTH = "return context, weights"
DOT = "return (prepared @ state[:, :, None])[..., 0]"
COMPARED = "torch.tanh(self.from_state(state)[:, None] + prepared)"
EDITS = [
    ("no_tanh", "AdditiveAttention", COMPARED, COMPARED.replace("torch.tanh", "")),
    ("no_tanh", "ConcatAttention", "torch.tanh(self.from_both(both))", "self.from_both(both)"),
    ("state_ignored", "AdditiveAttention", COMPARED, COMPARED.replace("(state)", "(0 * state)")),
    ("memory_ignored", "AdditiveAttention", COMPARED, COMPARED.replace("prepared", "0 * prepared")),
    ("memory_ignored", "ConcatAttention", "[states, prepared]", "[states, 0 * prepared]"),
    ("scaled", "DotAttention", DOT, DOT + " / state.shape[1] ** 0.5"),
    ("no_matrix", "GeneralAttention", "return self.from_memory(memory)", "return memory"),
    ("weights", "AdditiveAttention", "1, bias=False", "1, bias=True"),
    ("weights", "GeneralAttention", "state_size, bias=False", "state_size"),
    (
        "no_module",
        "DotAttention",
        "class DotAttention(Attention)",
        "class DotAttention",
        "super().__init__()\n        check_sizes(size=size)",
        "check_sizes(size=size)",
    ),
    ("shape", "DotAttention", DOT, DOT.removesuffix("[..., 0]")),
    ("mask_ignored", "DotAttention", WEIGHTS, "weights = scores.softmax(-1)"),
    (
        "mask_after_softmax",
        "DotAttention",
        WEIGHTS,
        "weights = scores.softmax(-1) * (1 if key_mask is None else key_mask)",
    ),
    (
        "mask_inverted",
        "DotAttention",
        WEIGHTS,
        "weights = masked_softmax(scores, None if key_mask is None else ~key_mask)",
    ),
    ("no_softmax", "DotAttention", WEIGHTS, "weights = scores"),
    ("wrong_axis", "GeneralAttention", WEIGHTS, "weights = scores.softmax(0)"),
    ("not_weighted", "DotAttention", CONTEXT, "context = memory.mean(1)"),
    ("not_mixed", "ConcatAttention", CONTEXT, "context = memory.sum(1)"),
    ("not_a_pair", "DotAttention", BOTH, "return context"),
    (
        "gradient_differs",
        "AdditiveAttention",
        CONTEXT,
        CONTEXT.replace("weights", "weights.detach()"),
    ),
    ("returned_nothing", "DotAttention", BOTH, "pass"),
    ("raised", "DotAttention", DOT, DOT.replace("prepared", "memory")),
]

REORDER = "state = model.reorder(state, rows)"
FREE = "scores[:, 0] = 0.0"
RANKS = "ranks = normalised(candidates, lengths.repeat_interleave(vocabulary, dim=1), alpha)"
PADDING = "step[..., 0] = step[..., 0].masked_fill(done, 0.0)"
STOPPED = "done.gather(1, parents) | (chosen == stop) | free"
BEAM_EDITS = [
    ("score_differs", REORDER, "pass"),
    ("twice", FREE, "scores[:] = 0.0"),
    ("alpha_ignored", RANKS, "ranks = candidates"),
    ("order", RANKS, "ranks = candidates / lengths.repeat_interleave(vocabulary, dim=1)"),
    ("score_differs", PADDING, "step[..., 0] = step[..., 0].masked_fill(done, -0.5)"),
    ("goes_on", STOPPED, "done.gather(1, parents) | (chosen == 3) | free"),
    ("not_greedy", "step = log_probs.view(", "step = log_probs.roll(1, -1).view("),
    ("not_decoded", "return decoded(beams)", "return decoded(beams).tokens"),
]


def edited(module: Any, name: str, *replacements: str) -> Any:
    """A definition of a module with each first text replaced by the second."""
    source = inspect.getsource(module)
    for old, new in zip(replacements[::2], replacements[1::2], strict=True):
        assert old in source, f"the definition no longer holds {old!r}"
        source = source.replace(old, new)
    # dataclasses look their own module up by its name
    names: dict[str, Any] = {"__name__": module.__name__}
    exec(source, names)
    return names[name]


@pytest.mark.parametrize("book", BOOK)
def test_the_books_own_attention_passes(book: type) -> None:
    verdict = KINDS[book.__name__](book)
    assert verdict.passed, verdict
    assert "on 6 random inputs" in verdict.hint


def test_the_books_own_beam_search_passes() -> None:
    verdict = check_beam_search(beam_search)
    assert verdict.passed, verdict
    assert "85" in verdict.hint


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit[0]}-{edit[1]}")
def test_an_edited_attention_is_told_what_it_broke(edit: tuple[str, ...]) -> None:
    kind, name, *replacements = edit
    verdict = KINDS[name](edited(attention, name, *replacements))
    assert verdict.kind == kind, verdict
    assert not verdict.passed


def test_every_hint_of_the_alignment_referee_is_given_to_some_edit() -> None:
    assert HINTS["alignment_referee"].keys() - {"passed"} <= {edit[0] for edit in EDITS}


@pytest.mark.parametrize("edit", BEAM_EDITS, ids=lambda edit: f"{edit[0]}-{edit[2][:20]}")
def test_an_edited_beam_search_is_told_what_it_broke(edit: tuple[str, ...]) -> None:
    kind, *replacements = edit
    verdict = check_beam_search(edited(beam, "beam_search", *replacements))
    assert verdict.kind == kind, verdict


def test_every_hint_of_the_beam_referee_is_given_to_some_edit() -> None:
    assert HINTS["beam_referee"].keys() - {"passed"} <= {edit[0] for edit in BEAM_EDITS}


def test_verdicts_are_the_same_at_every_run() -> None:
    torch.manual_seed(1)
    first = repr(check_additive(AdditiveAttention))
    torch.manual_seed(2)
    assert repr(check_additive(AdditiveAttention)) == first
