"""How good is a translation? BLEU, exact matches by length, and alignments against gold."""

from collections.abc import Iterable, Sequence

import sacrebleu
from torch import Tensor

Tokens = Sequence[str]
LENGTH_BINS = ((3, 4), (5, 8), (9, 12), (13, 17), (18, 21), (22, 25))
"""The lengths, in English words, by which the book sorts sentences (``Pair.words``)."""


def bleu(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> float:
    """BLEU of a corpus, from 0 to 100, by sacrebleu on our own tokens.

    Papineni et al., *BLEU: a Method for Automatic Evaluation of Machine Translation* (2002); Post,
    *A Call for Clarity in Reporting BLEU Scores* (2018).

    Args:
        hypotheses: what was written, a list of tokens for each sentence.
        references: what should have been written. The two are not interchangeable.

    Raises:
        ValueError: the lists do not fit together, or hold anything but lists of tokens.
    """
    _check_sentences(hypotheses, references)
    _check_tokens(hypotheses, references)
    written = [" ".join(tokens) for tokens in hypotheses]
    wanted = [" ".join(tokens) for tokens in references]
    # force: sacrebleu would warn that the text is cut into tokens, which is meant
    return sacrebleu.corpus_bleu(written, [wanted], tokenize="none", force=True).score


def exact_match(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> float:
    """Share of the sentences in which every token is right, from 0 to 1.

    Raises:
        ValueError: there are no sentences, or not one reference for each hypothesis.
    """
    _check_sentences(hypotheses, references)
    right = [
        list(written) == list(wanted)
        for written, wanted in zip(hypotheses, references, strict=True)
    ]
    return sum(right) / len(right)


def by_length(
    lengths: Iterable[int], bins: Sequence[tuple[int, int]] = LENGTH_BINS
) -> dict[tuple[int, int], list[int]]:
    """Sort sentences by length: which of them belong in each bin?

    Args:
        lengths: of each sentence, such as ``pair.words``.
        bins: shortest and longest of each bin, both included.

    Returns:
        Positions of the sentences of each bin that has any.

    Raises:
        ValueError: a length is in no bin.
    """
    found: dict[tuple[int, int], list[int]] = {bounds: [] for bounds in bins}
    for position, length in enumerate(lengths):
        homes = [bounds for bounds in bins if bounds[0] <= length <= bounds[1]]
        if not homes:
            raise ValueError(f"sentence {position} has {length} words, which is in no bin {bins}")
        found[homes[0]].append(position)
    return {bounds: positions for bounds, positions in found.items() if positions}


def exact_match_by_length(
    hypotheses: Sequence[Tokens],
    references: Sequence[Tokens],
    lengths: Sequence[int],
    bins: Sequence[tuple[int, int]] = LENGTH_BINS,
) -> dict[tuple[int, int], float]:
    """Share of exact matches in each bin of lengths that has sentences.

    Raises:
        ValueError: the three do not have the same number of entries, or a length is in no bin.
    """
    _check_sentences(hypotheses, references)
    if len(lengths) != len(references):
        raise ValueError(f"{len(references)} sentences need as many lengths, got {len(lengths)}")
    shares = {}
    for bounds, rows in by_length(lengths, bins).items():
        written, wanted = [hypotheses[i] for i in rows], [references[i] for i in rows]
        shares[bounds] = exact_match(written, wanted)
    return shares


def bleu_by_length(
    hypotheses: Sequence[Tokens],
    references: Sequence[Tokens],
    lengths: Sequence[int],
    bins: Sequence[tuple[int, int]] = LENGTH_BINS,
) -> dict[tuple[int, int], float]:
    """BLEU, from 0 to 100, of the sentences in each bin of lengths that has any.

    Raises:
        ValueError: as :func:`bleu` and :func:`exact_match_by_length`.
    """
    _check_sentences(hypotheses, references)
    if len(lengths) != len(references):
        raise ValueError(f"{len(references)} sentences need as many lengths, got {len(lengths)}")
    return {
        bounds: bleu([hypotheses[i] for i in rows], [references[i] for i in rows])
        for bounds, rows in by_length(lengths, bins).items()
    }


def alignment_accuracy(weights: Tensor, gold: Tensor) -> float:
    """Share of aligned target tokens that attend most to the word they translate.

    Args:
        weights: ``(batch, T_y, T_x)``, from teacher forcing on the true target.
        gold: source position of each target token ``(batch, T_y)``; negative for tokens that no
            source word stands for, and for padding. These do not count.

    Raises:
        ValueError: shapes do not fit, a position is not in the source, or no token is aligned.
    """
    if weights.ndim != 3 or weights.shape[:2] != gold.shape:
        raise ValueError(
            "needs weights (batch, T_y, T_x) and gold (batch, T_y), got "
            f"{tuple(weights.shape)} and {tuple(gold.shape)}"
        )
    aligned = gold >= 0
    if not bool(aligned.any()) or int(gold.max()) >= weights.shape[2]:
        raise ValueError(
            f"gold must hold source positions from 0 to {weights.shape[2] - 1}, or -1 for none; "
            f"got at most {int(gold.max()) if gold.numel() else None}"
        )
    return float((weights.argmax(dim=-1) == gold)[aligned].float().mean())


def _check_sentences(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> None:
    if not len(references) or len(hypotheses) != len(references):
        raise ValueError(
            f"needs one reference for each hypothesis, and at least one; got {len(hypotheses)} "
            f"hypotheses and {len(references)} references"
        )


def _check_tokens(*corpora: Sequence[Tokens]) -> None:
    for sentence in [sentence for corpus in corpora for sentence in corpus]:
        if isinstance(sentence, str):
            raise ValueError(f"a sentence is a list of tokens, got the string {sentence!r}")
        for token in sentence:
            if not token or token.split() != [token]:
                raise ValueError(f"token {token!r} is empty or has a space inside")
