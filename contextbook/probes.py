"""Probes: what the experiments of the book measure in trained models."""

from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from contextbook.embeddings import cosine_similarity
from contextbook.validation import check_classes


def neighbour_purity(vectors: Tensor, classes: Sequence[str], k: int = 1) -> Tensor:
    """How many of each word's ``k`` nearest neighbours (by cosine) are of its own class.

    Args:
        vectors: ``(words, dim)``.
        classes: the class of each word.
        k: number of neighbours looked at; a word is no neighbour of itself.

    Returns:
        Shares from 0 to 1, ``(words,)``; their mean is the purity.

    Raises:
        ValueError: there is not one class for each vector, or fewer than ``k`` other words.
    """
    check_classes(vectors, list(classes), k)
    similarities = cosine_similarity(vectors[:, None], vectors)  # (words, words)
    neighbours = similarities.fill_diagonal_(-torch.inf).topk(k).indices  # (words, k)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    labels = torch.tensor([numbers[name] for name in classes], device=vectors.device)
    return (labels[neighbours] == labels[:, None]).float().mean(-1)


def chance_purity(classes: Sequence[str]) -> float:
    """The purity to expect of random vectors: any other word is as likely a neighbour."""
    same = sum(count * (count - 1) for count in Counter(classes).values())
    return same / (len(classes) * (len(classes) - 1))
