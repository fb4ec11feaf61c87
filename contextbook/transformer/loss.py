"""Label smoothing: be sure of the true token, but never wholly."""

from torch import Tensor

from contextbook.transformer.validation import check_smoothing


def smoothed_loss(
    logits: Tensor, target: Tensor, smoothing: float = 0.1, padding: int = 0
) -> Tensor:
    """Mean surprise if a share of each truth is spread evenly over the vocabulary.

    Szegedy et al., *Rethinking the Inception Architecture* (2016), section 7; Vaswani et al. (2017)
    take 0.1. A model that is sure of everything can no longer have a loss of zero.

    Args:
        logits: ``(..., V)``.
        target: true tokens ``(...)``.
        smoothing: the share that is spread, from 0 to below 1.
        padding: id that does not count.

    Raises:
        ValueError: the share is out of range, the shapes do not fit, or no token counts.
    """
    check_smoothing(smoothing, logits, target, padding)
    log_probs = logits.log_softmax(dim=-1)
    of_truth = -log_probs.gather(-1, target[..., None])[..., 0]  # (...)
    if not smoothing:  # a token that cannot be has surprise inf, and 0 * inf is NaN
        return of_truth[target != padding].mean()
    of_all = -log_probs.mean(dim=-1)
    loss = (1 - smoothing) * of_truth + smoothing * of_all
    return loss[target != padding].mean()
