"""Multi-head attention head by head: a loop to read, and what makes one product of it.

The same function as :class:`contextbook.attention.MultiHeadAttention`, written as section 3.2.2 of
Vaswani et al., *Attention Is All You Need* (2017), says it: one head after the other, each with
matrices of its own.
"""

import torch
from torch import Tensor, nn

from contextbook.attention import MultiHeadAttention, scaled_dot_product_attention
from contextbook.validation import check_heads, check_same_heads


class Head(nn.Module):
    """One head: it makes queries, keys and values of its own, and looks up.

    Args:
        d_model: numbers in a token's vector.
        d_head: numbers in this head's queries, keys and values.
    """

    def __init__(self, d_model: int, d_head: int) -> None:
        super().__init__()
        self.query = nn.Linear(d_model, d_head)  # W_i^Q
        self.key = nn.Linear(d_model, d_head)  # W_i^K
        self.value = nn.Linear(d_model, d_head)  # W_i^V

    def forward(
        self, asking: Tensor, asked: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Let ``asking (B, T_q, d_model)`` look among ``asked (B, T_k, d_model)``.

        Returns:
            The head's answers ``(B, T_q, d_head)`` and its weights ``(B, T_q, T_k)``.
        """
        query = self.query(asking)  # (B, T_q, d_head)
        key, value = self.key(asked), self.value(asked)  # (B, T_k, d_head)
        return scaled_dot_product_attention(query, key, value, mask)


class HeadByHead(nn.Module):
    """Multi-head attention as a loop over its heads.

    Args:
        d_model: numbers in a token's vector.
        heads: number of heads, among which ``d_model`` is shared out.

    Raises:
        ValueError: ``d_model`` cannot be shared out evenly.
    """

    def __init__(self, d_model: int, heads: int) -> None:
        super().__init__()
        check_heads(d_model, heads, dropout=0.0)
        d_head = d_model // heads
        self.heads = nn.ModuleList(Head(d_model, d_head) for _ in range(heads))
        self.output = nn.Linear(d_model, d_model)  # W^O

    def forward(
        self, asking: Tensor, asked: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Ask every head; lay their answers side by side; mix them.

        Args:
            asking: ``(B, T_q, d_model)``.
            asked: ``(B, T_k, d_model)``.
            mask: boolean, ``True`` = may attend, broadcastable to ``(B, T_q, T_k)``.

        Returns:
            ``(B, T_q, d_model)`` and the weights ``(B, heads, T_q, T_k)``.
        """
        answers, weights = [], []
        for head in self.heads:
            answer, its_weights = head(asking, asked, mask)
            answers.append(answer)  # (B, T_q, d_head)
            weights.append(its_weights)  # (B, T_q, T_k)
        joined = torch.cat(answers, dim=-1)  # (B, T_q, d_model)
        return self.output(joined), torch.stack(weights, dim=1)


@torch.no_grad()
def stack_heads(loop: HeadByHead, attention: MultiHeadAttention) -> None:
    """Put the matrices of all heads one below the other, for one product.

    Args:
        loop: the heads to copy from.
        attention: of the same width; both give the same outputs afterwards.

    Raises:
        ValueError: another width, another number of heads, or no bias.
    """
    check_same_heads(loop, attention)
    for name in ("query", "key", "value"):
        parts = [getattr(head, name) for head in loop.heads]
        fused = getattr(attention, name)
        fused.weight.copy_(torch.cat([part.weight for part in parts]))
        fused.bias.copy_(torch.cat([part.bias for part in parts]))
    attention.output.load_state_dict(loop.output.state_dict())
