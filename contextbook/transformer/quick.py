"""The same Transformer, trained faster: fewer products, and cheaper random numbers.

The chapters show each part in its plainest form. These are drop-in twins for long training runs:
they have the same parameters under the same names, so that weights can be copied or loaded either
way, and compute the same function. ``benchmarks/transformer.py`` times both.
"""

from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from contextbook.attention import MultiHeadAttention
from contextbook.validation import check_sequences

Model = TypeVar("Model", bound=nn.Module)


class FusedAttention(MultiHeadAttention):
    """Multi-head attention that projects a sequence once for all that is made of it.

    Queries, keys and values of self-attention are one product, and so are keys and values of
    cross-attention. Arguments and parameters are those of :class:`MultiHeadAttention`.
    """

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        key_mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """As :meth:`MultiHeadAttention.forward`, which does all but plain self-attention."""
        if need_weights or key is not None or value is not None:
            return super().forward(
                query, key, value, mask, key_mask=key_mask, need_weights=need_weights
            )
        check_sequences(query, query, query, self.query.in_features, key_mask)
        if key_mask is not None:
            key_mask = key_mask[:, None, None]  # (batch, 1, 1, T)
            mask = key_mask if mask is None else mask & key_mask
        query, key, value = self._project(query, self.query, self.key, self.value)
        p = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, mask, dropout_p=p)
        return self.output(mixed.transpose(1, 2).flatten(2)), None

    def keys_values(self, key: Tensor, value: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """As :meth:`MultiHeadAttention.keys_values`, by one product if both are of one sequence."""
        if value is not None and value is not key:
            return super().keys_values(key, value)
        made_key, made_value = self._project(key, self.key, self.value)
        return made_key, made_value

    def _project(self, x: Tensor, *parts: nn.Linear) -> list[Tensor]:
        """One product over the matrices of all ``parts``; ``(batch, heads, T, d_head)`` each."""
        weight = torch.cat([part.weight for part in parts])
        bias = None if parts[0].bias is None else torch.cat([part.bias for part in parts])
        return [self._split(each) for each in F.linear(x, weight, bias).chunk(len(parts), dim=-1)]


class QuickDropout(nn.Dropout):
    """Dropout whose random numbers cost half as much on a CPU.

    PyTorch draws a Bernoulli number for each number that may be dropped. It takes half the time to
    draw one that is uniform in [0, 1) and to compare it with p. Elsewhere, in evaluation mode, and
    in half precision, whose uniform numbers are too coarse for that, PyTorch's own does the work.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Zero a share p of the numbers, and scale the others by 1 / (1 - p)."""
        fine = x.dtype in (torch.float32, torch.float64)
        if not (self.training and 0 < self.p < 1 and fine and x.device.type == "cpu"):
            return super().forward(x)
        return x * torch.rand_like(x).ge_(self.p).div_(1 - self.p)


def quicken(model: Model) -> Model:
    """Replace each attention of the book and each dropout in a model by its fast twin, in place.

    The parameters are kept: an optimizer that was given them goes on with the same ones.

    Args:
        model: any module with :class:`MultiHeadAttention` or ``nn.Dropout`` inside. Subclasses of
            either are left as they are, since they compute something else.

    Returns:
        The model itself.
    """
    for parent in list(model.modules()):
        for name, part in list(parent.named_children()):
            if type(part) is MultiHeadAttention:
                setattr(parent, name, _fused(part))
            elif type(part) is nn.Dropout:
                setattr(parent, name, QuickDropout(part.p).train(part.training))
    return model


def _fused(part: MultiHeadAttention) -> FusedAttention:
    twin = FusedAttention(part.query.in_features, part.heads, dropout=part.dropout)
    for name, projection in part.named_children():
        setattr(twin, name, projection)
    return twin.train(part.training)
