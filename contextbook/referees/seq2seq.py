"""The referees of chapters 7 and 8: do attention and beam search, perhaps edited, do their work?

An attention is compared with the formula of its paper, taken number by number in loops; a beam
search with greedy decoding and with the list of everything that can be written.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from contextbook.decoding import Decoded
from contextbook.exercises.framework import Attempt, judge, recognise
from contextbook.exercises.verdict import PASSED, Hint, Verdict
from contextbook.seq2seq import (
    AdditiveAttention,
    Attention,
    ConcatAttention,
    DotAttention,
    GeneralAttention,
)

__all__ = ["check_additive", "check_beam_search", "check_concat", "check_dot", "check_general"]

BOUND = 1e-10  # of the difference, in double precision
_CASES = [(2, 3, 3, 3), (1, 1, 2, 3), (3, 5, 4, 2)]  # batch, T_x, state_size, memory_size
_COMPARED = 3  # numbers in which additive and concat compare
Mistakes = Iterator[tuple[str, Tensor]]


def check_additive(attention_class: Callable[..., Any]) -> Verdict:
    """Compare an attention with Bahdanau's, v · tanh(W s + U h_j), in plain loops.

    Scores, weights, context and their gradients, with and without padding.

    Args:
        attention_class: made and called as
            :class:`contextbook.seq2seq.AdditiveAttention` is.

    Returns:
        A verdict to be displayed; it never raises for what the attention does.
    """
    return _judge(attention_class, AdditiveAttention)


def check_dot(attention_class: Callable[..., Any]) -> Verdict:
    """Compare an attention with Luong's s · h_j, as :func:`check_additive` does."""
    return _judge(attention_class, DotAttention)


def check_general(attention_class: Callable[..., Any]) -> Verdict:
    """Compare an attention with Luong's s · W h_j, as :func:`check_additive` does."""
    return _judge(attention_class, GeneralAttention)


def check_concat(attention_class: Callable[..., Any]) -> Verdict:
    """Compare an attention with Luong's v · tanh(W [s; h_j]), as :func:`check_additive` does."""
    return _judge(attention_class, ConcatAttention)


def _judge(attention_class: Callable[..., Any], book: type[Attention]) -> Verdict:
    def tests(attempt: Attempt) -> None:
        for seed, case in enumerate(_CASES):
            _compare_attention(attempt, book, case, seed)
        raise Hint(PASSED, cases=2 * len(_CASES), bound=f"{BOUND:.0e}")

    return judge("alignment_referee", Attempt(attention_class), tests)


def _compare_attention(
    attempt: Attempt, book: type[Attention], case: tuple[int, int, int, int], seed: int
) -> None:
    batch, steps, state_size, memory_size = case
    if book is DotAttention:
        sizes: tuple[int, ...] = (state_size,)
        memory_size = state_size
    else:
        compared = [_COMPARED] * (book in (AdditiveAttention, ConcatAttention))
        sizes = (state_size, memory_size, *compared)
    draw = torch.Generator().manual_seed(seed)
    state = torch.randn(batch, state_size, generator=draw, dtype=torch.float64)
    memory = torch.randn(batch, steps, memory_size, generator=draw, dtype=torch.float64)
    state.requires_grad_(), memory.requires_grad_()
    weights = _drawn_weights(book(*sizes), draw)
    attention = attempt.call(*sizes)
    if not isinstance(attention, nn.Module):
        raise Hint("no_module", type=type(attention).__name__)
    _give(attention, weights)
    scores = Attempt(attention.score).call(state, Attempt(attention.prepare).call(memory))
    if not isinstance(scores, Tensor):
        raise Hint("not_a_tensor", type=type(scores).__name__)
    if tuple(scores.shape) != (batch, steps):
        raise Hint("shape", got=tuple(scores.shape), expected=(batch, steps))
    expected = _scores(weights, state, memory)
    mistakes = _wrong_scores(weights, state, memory)
    recognise(scores.detach(), expected.detach(), mistakes, relative=0.0, absolute=BOUND)
    lengths = torch.arange(batch) % steps + 1
    for mask in (None, torch.arange(steps) < lengths[:, None]):
        _compare_look(attention, expected, state, memory, mask)


def _compare_look(
    attention: nn.Module, scores: Tensor, state: Tensor, memory: Tensor, mask: Tensor | None
) -> None:
    """Weights, context and gradients of one look into the memory."""
    answer = Attempt(attention).call(state, memory, mask)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Hint("not_a_pair", type=type(answer).__name__)
    context, weights = answer
    right = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    alphas = right.softmax(dim=-1)
    for got, wanted in ((weights, scores), (context, memory[:, 0])):
        if got.shape != wanted.shape:
            raise Hint("shape", got=tuple(got.shape), expected=tuple(wanted.shape))

    def mistakes() -> Mistakes:
        if mask is not None:
            yield "mask_ignored", scores.softmax(dim=-1)
            yield "mask_after_softmax", scores.softmax(dim=-1) * mask
            yield "mask_inverted", scores.masked_fill(mask, -math.inf).softmax(dim=-1)
        yield "no_softmax", scores
        yield "wrong_axis", right.softmax(dim=0)

    exact = {"relative": 0.0, "absolute": BOUND}
    recognise(weights.detach(), alphas.detach(), mistakes(), **exact)
    mixed = torch.stack([row @ words for row, words in zip(alphas, memory, strict=True)])
    wrong = {"not_weighted": memory.mean(dim=1).detach(), "not_mixed": memory.sum(1).detach()}
    recognise(context.detach(), mixed.detach(), wrong, **exact)
    if not context.requires_grad:
        raise Hint("gradient_differs", name="state")
    for name, leaf in (("state", state), ("memory", memory)):
        ours, theirs = (
            torch.autograd.grad(y.square().sum(), leaf, retain_graph=True, allow_unused=True)[0]
            for y in (context, mixed)
        )
        ours = torch.zeros_like(theirs) if ours is None else ours
        if not torch.allclose(ours, theirs, 0.0, BOUND):
            raise Hint("gradient_differs", name=name)


def _drawn_weights(module: Attention, draw: torch.Generator) -> dict[str, Tensor]:
    return {
        name: torch.randn(weight.shape, generator=draw, dtype=torch.float64)
        for name, weight in module.named_parameters()
    }


def _give(attention: nn.Module, weights: dict[str, Tensor]) -> None:
    attention.double()
    own = dict(attention.named_parameters())
    if {n: w.shape for n, w in own.items()} != {n: w.shape for n, w in weights.items()}:
        wanted, got = (
            ", ".join(f"{name} {tuple(part.shape)}" for name, part in sorted(parts.items()))
            for parts in (weights, own)
        )
        raise Hint("weights", expected=wanted or "none", got=got or "none")
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(weights[name])


def _scores(weights: dict[str, Tensor], state: Tensor, memory: Tensor) -> Tensor:
    """The formulas as they stand in the papers, for one sentence and one word at a time."""
    pairs = zip(state, memory, strict=True)
    return torch.stack([torch.stack([_score(weights, s, h) for h in words]) for s, words in pairs])


def _score(weights: dict[str, Tensor], s: Tensor, h: Tensor, bend: bool = True) -> Tensor:
    if "to_score.weight" not in weights:
        matrix = weights.get("from_memory.weight")
        return s.dot(h) if matrix is None else s.dot(matrix.mv(h))
    if "from_both.weight" in weights:
        total = weights["from_both.weight"].mv(torch.cat([s, h]))
    else:
        from_state = weights["from_state.weight"].mv(s) + weights["from_state.bias"]
        total = from_state + weights["from_memory.weight"].mv(h)
    return weights["to_score.weight"][0].dot(total.tanh() if bend else total)


def _wrong_scores(weights: dict[str, Tensor], state: Tensor, memory: Tensor) -> Mistakes:
    with torch.no_grad():
        nothing = torch.zeros_like(memory)
        pairs = list(zip(state, memory, strict=True))
        if "to_score.weight" in weights:
            straight = [torch.stack([_score(weights, s, h, False) for h in hs]) for s, hs in pairs]
            yield "no_tanh", torch.stack(straight)
            yield "state_ignored", _scores(weights, torch.zeros_like(state), memory)
            yield "memory_ignored", _scores(weights, state, nothing)
        elif weights and state.shape[1] == memory.shape[2]:
            yield "no_matrix", _scores({}, state, memory)
        yield "scaled", _scores(weights, state, memory) / state.shape[1] ** 0.5


# --- beam search ---

_VOCABULARY, _LONGEST = 5, 3


class _Table:
    """A model whose next token depends on all that was written: a beam must not mix up states."""

    def __init__(self, seed: int) -> None:
        draw = torch.Generator().manual_seed(seed)
        shape = (40, _VOCABULARY)
        self.table = (2 * torch.randn(shape, generator=draw, dtype=torch.float64)).log_softmax(-1)

    def start(self, source: Tensor) -> Tensor:
        return source[:, 0]

    def step(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor, None]:
        state = (3 * state + 7 * tokens + 1) % len(self.table)
        return self.table[state], state, None

    def reorder(self, state: Tensor, indices: Tensor) -> Tensor:
        return state[indices]

    def score(self, source: int, written: tuple[int, ...]) -> float:
        """The log-probability of a sentence, token by token."""
        state, total = torch.tensor([source]), 0.0
        for before, token in zip((1, *written), written, strict=False):
            log_probs, state, _ = self.step(torch.tensor([before]), state)
            total += log_probs[0, token].item()
        return total


def check_beam_search(beam_search: Callable[..., Any]) -> Verdict:
    """Compare a beam search with greedy decoding, and with all sentences that can be written.

    Args:
        beam_search: called as :func:`contextbook.decoding.beam_search` is.

    Returns:
        A verdict to be displayed; it never raises for what ``beam_search`` does.
    """
    return judge("beam_referee", Attempt(beam_search), _compare_beams)


def _compare_beams(attempt: Attempt) -> None:
    everything = _all_sentences()
    sources = torch.tensor([[0], [11], [23]])
    for seed in range(3):
        model = _Table(seed)
        found = _search(attempt, model, sources, 1, 1.0)
        for source, written in zip(sources[:, 0].tolist(), found, strict=True):
            if written[0][0] not in everything:
                raise Hint("goes_on", sentence=written[0][0])
            if written[0][0] != _greedy(model, source):
                raise Hint("not_greedy")
        for alpha in (0.0, 1.0):
            found = _search(attempt, model, sources, len(everything), alpha)
            for source, written in zip(sources[:, 0].tolist(), found, strict=True):
                scores = {each: model.score(source, each) for each in everything}
                _compare_with_all(written, scores, alpha)
    raise Hint(PASSED, sentences=len(everything), cases=9)


def _search(
    attempt: Attempt, model: _Table, sources: Tensor, width: int, alpha: float
) -> list[list[tuple[tuple[int, ...], float]]]:
    """For each source the hypotheses, best first, with their scores."""
    answer = attempt.call(model, sources, width=width, max_length=_LONGEST, alpha=alpha)
    if not isinstance(answer, Decoded):
        raise Hint("not_decoded", type=type(answer).__name__)
    if answer.tokens.shape[:2] != (len(sources), width):
        raise Hint("shape", got=tuple(answer.tokens.shape), expected=(len(sources), width, "…"))
    rows = zip(*[part.tolist() for part in answer[:3]], strict=True)
    return [[(tuple(t[:n]), score) for t, n, score in zip(*row, strict=True)] for row in rows]


def _compare_with_all(
    written: list[tuple[tuple[int, ...], float]],
    scores: dict[tuple[int, ...], float],
    alpha: float,
) -> None:
    for sentence, score in written:
        if sentence not in scores:
            raise Hint("goes_on", sentence=sentence)
        if abs(score - scores[sentence]) > 1e-4:
            raise Hint("score_differs", sentence=sentence)
    if len({sentence for sentence, _ in written}) < len(scores):
        raise Hint("twice")
    ranks = [score / len(sentence) ** alpha for sentence, score in written]
    if any(later > earlier + 1e-6 for earlier, later in itertools.pairwise(ranks)):
        raise Hint("alpha_ignored" if alpha else "order", alpha=alpha)


def _greedy(model: _Table, source: int) -> tuple[int, ...]:
    state, written = torch.tensor([source]), [1]
    while len(written) <= _LONGEST and written[-1] != 2:
        log_probs, state, _ = model.step(torch.tensor(written[-1:]), state)
        written.append(int(log_probs.argmax()))
    return tuple(written[1:])


def _all_sentences() -> list[tuple[int, ...]]:
    words = [token for token in range(_VOCABULARY) if token != 2]
    heads = [head for n in range(_LONGEST) for head in itertools.product(words, repeat=n)]
    return [(*head, 2) for head in heads] + list(itertools.product(words, repeat=_LONGEST))
