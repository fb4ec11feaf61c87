"""Embeddings: a vector for each token, learned from the company that the token keeps.

Skip-gram with negative sampling is Mikolov et al., *Distributed Representations of Words and
Phrases and their Compositionality* (2013). Vectors are rows: ``(..., dim)``.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.training import train
from contextbook.validation import (
    check_counts,
    check_skip_gram_pairs,
    check_skip_gram_vectors,
    check_token_ids,
    check_vectors,
)


def one_hot(ids: Tensor, size: int) -> Tensor:
    """Write each id as a row of ``size`` zeros with a 1 in the place of the id.

    Raises:
        ValueError: the ids are no integers from 0 to ``size`` - 1.
    """
    check_token_ids(ids, size)
    return torch.eye(size, device=ids.device)[ids]  # (..., size)


class Embedding(nn.Module):
    """A look-up table: an id's row is its vector, as ``one_hot(ids) @ weight``.

    Args:
        num_embeddings: number of ids.
        embedding_dim: length of a vector.
        padding_idx: an id whose vector starts at zero and is never trained.
        std: the vectors start as random numbers from N(0, std²).
        generator: source of these numbers.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        *,
        std: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        weight = std * torch.randn(num_embeddings, embedding_dim, generator=generator)
        if padding_idx is not None:
            check_token_ids(torch.tensor(padding_idx), num_embeddings)
            weight[padding_idx] = 0.0
        self.weight = nn.Parameter(weight)
        self.padding_idx = padding_idx

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids ``(...)`` to vectors ``(..., embedding_dim)``.

        Raises:
            ValueError: the ids are no integers, or one of them has no row.
        """
        check_token_ids(ids, len(self.weight))
        vectors = self.weight[ids]
        if self.padding_idx is None:
            return vectors
        # detached: the same numbers, but no gradient reaches the row of the padding
        is_padding = (ids == self.padding_idx)[..., None]
        return torch.where(is_padding, vectors.detach(), vectors)


# --- skip-gram ---


def skip_gram_pairs(sentences: Sequence[Sequence[int]], window: int = 2) -> Tensor:
    """List every word of a corpus with each neighbour at most ``window`` words away.

    Args:
        sentences: lists of ids.
        window: how far a neighbour may stand, on either side.

    Returns:
        Ids ``(pairs, 2)``: the word in the centre, and one word of its context.

    Raises:
        ValueError: ``window`` is less than 1, or no two words stand together.
    """
    pairs = [
        (centre, ids[other])
        for ids in sentences
        for place, centre in enumerate(ids)
        for other in range(max(0, place - window), min(len(ids), place + window + 1))
        if other != place
    ]
    check_skip_gram_pairs(pairs, window)
    return torch.tensor(pairs)  # (pairs, 2)


def noise_distribution(counts: Tensor, power: float = 0.75) -> Tensor:
    """How likely each word is drawn as noise: its count to the power of ¾, made to sum to 1.

    The power lifts rare words: a hundredfold count is drawn about 32 times as often.

    Raises:
        ValueError: ``counts`` is no row of counts, one of them is negative, or all are 0.
    """
    check_counts(counts)
    raised = counts.to(torch.get_default_dtype()) ** power
    return torch.where(counts > 0, raised, 0.0) / raised[counts > 0].sum()


def skip_gram_loss(centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
    """Loss of telling neighbours from noise by their dot products (equation 2.1).

    ``-log σ(context · centre) - Σ log σ(-noise · centre)``, averaged over the batch: equation 4 of
    Mikolov et al. (2013).

    Args:
        centre: vectors of the centre words, ``(B, dim)``.
        context: vectors of one true neighbour each, ``(B, dim)``.
        noise: vectors of ``K`` words drawn at random, ``(B, K, dim)``.

    Raises:
        ValueError: the shapes do not fit together.
    """
    check_skip_gram_vectors(centre, context, noise)
    true_score = (context * centre).sum(-1)  # (B,)
    noise_scores = (noise @ centre[:, :, None])[:, :, 0]  # (B, K)
    return -(F.logsigmoid(true_score) + F.logsigmoid(-noise_scores).sum(-1)).mean()


def skip_gram_gradient(
    centre: Tensor, context: Tensor, noise: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradient of the loss by hand: how wrong a guess was, times the other vector.

    Args and errors are those of :func:`skip_gram_loss`.

    Returns:
        The gradients for ``centre``, ``context`` and ``noise``, shaped like these.
    """
    check_skip_gram_vectors(centre, context, noise)
    # the guess σ(score) minus what it should be: 1 for a true neighbour, 0 for noise
    true_error = torch.sigmoid((context * centre).sum(-1, keepdim=True)) - 1  # (B, 1)
    noise_error = torch.sigmoid(noise @ centre[:, :, None])  # (B, K, 1)
    for_centre = true_error * context + (noise_error * noise).sum(1)  # (B, dim)
    for_context = true_error * centre  # (B, dim)
    for_noise = noise_error * centre[:, None]  # (B, K, dim)
    batch = len(centre)
    return for_centre / batch, for_context / batch, for_noise / batch


class SkipGram(nn.Module):
    """Two vectors for each word: one for the centre, one for the neighbour.

    Args:
        vocabulary_size: number of words.
        dim: length of a vector.
        generator: source of the random numbers it starts from.
    """

    def __init__(
        self,
        vocabulary_size: int,
        dim: int,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        table = {"std": dim**-0.5, "generator": generator}
        self.words = Embedding(vocabulary_size, dim, **table)
        self.contexts = Embedding(vocabulary_size, dim, **table)

    def forward(self, centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
        """Loss for ids: words ``(B,)``, neighbours ``(B,)`` and noise ``(B, K)``."""
        contexts = self.contexts
        return skip_gram_loss(self.words(centre), contexts(context), contexts(noise))


def train_skip_gram(
    model: nn.Module,
    pairs: Tensor,
    noise: Tensor,
    *,
    generator: torch.Generator,
    steps: int = 2000,
    batch: int = 1024,
    negatives: int = 5,
    learning_rate: float = 0.01,
) -> list[float]:
    """Train a skip-gram model on pairs drawn at random, each with fresh noise.

    Args:
        model: called with ids as :class:`SkipGram` is; returns a loss.
        pairs: ids ``(pairs, 2)`` from :func:`skip_gram_pairs`.
        noise: probabilities ``(words,)`` from :func:`noise_distribution`. The word drawn may by
            chance be the true neighbour; there are too few of these to matter.
        generator: source of the random numbers, on the CPU.
        steps: number of updates.
        batch: pairs in each.
        negatives: noise words for each pair.
        learning_rate: Adam's step size.

    Returns:
        The loss at each step.
    """
    device = next(model.parameters()).device

    def loss() -> Tensor:
        drawn = pairs[torch.randint(len(pairs), (batch,), generator=generator)]
        false = torch.multinomial(noise, batch * negatives, replacement=True, generator=generator)
        centre, context = drawn.to(device).unbind(-1)  # (B,) each
        return model(centre, context, false.view(batch, negatives).to(device))

    return train(model, loss, steps, learning_rate).loss


# --- geometry ---


def cosine_similarity(first: Tensor, second: Tensor) -> Tensor:
    """Cosine of the angle between vectors: their dot product once both have length 1.

    Args:
        first: ``(..., dim)``.
        second: ``(..., dim)``, broadcastable to ``first``.

    Returns:
        Numbers from -1 to 1, ``(...)``; 0 where a vector is all zeros and has no direction.

    Raises:
        ValueError: the vectors differ in length.
    """
    check_vectors(first, second)
    lengths = first.norm(dim=-1) * second.norm(dim=-1)
    dot = (first * second).sum(-1)
    return torch.where(lengths > 0, dot / lengths.clamp(min=torch.finfo(dot.dtype).tiny), 0.0)


def nearest(
    vectors: Tensor, query: Tensor, k: int = 1, *, exclude: Sequence[int] = ()
) -> tuple[Tensor, Tensor]:
    """Find the ``k`` rows with the greatest cosine similarity to a query.

    Args:
        vectors: ``(rows, dim)``.
        query: ``(dim,)``.
        k: how many.
        exclude: rows that are not wanted, such as the query's own.

    Returns:
        Their numbers ``(k,)``, the nearest first, and their similarities ``(k,)``.

    Raises:
        ValueError: shapes do not fit, or there are fewer than ``k`` rows left.
    """
    check_vectors(vectors, query, rows=k + len(set(exclude)))
    similarities = cosine_similarity(vectors, query)
    similarities[list(exclude)] = -torch.inf
    best = similarities.topk(k)
    return best.indices, best.values


def analogy(vectors: Tensor, a: int, b: int, c: int, k: int = 1) -> Tensor:
    """Find what is to ``c`` as ``b`` is to ``a``: man is to woman as king is to … ?

    All vectors are brought to length 1; then the way from ``a`` to ``b`` is gone from ``c``
    (3CosAdd of Mikolov, Yih and Zweig, 2013). The three words themselves cannot be the answer.

    Args:
        vectors: ``(words, dim)``.
        a: id of "man"; ``b``: of "woman"; ``c``: of "king".
        k: how many answers.

    Returns:
        Ids ``(k,)``, the best first.
    """
    check_vectors(vectors, vectors[c], rows=k + 3)
    unit = vectors / vectors.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    answers, _ = nearest(unit, unit[b] - unit[a] + unit[c], k, exclude=(a, b, c))
    return answers
