"""The Transformer of Vaswani et al., *Attention Is All You Need* (2017)."""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from contextbook.attention import causal_mask, padding_mask
from contextbook.seq2seq.model import StepByStep
from contextbook.transformer.cache import DecoderState, cached_step, empty_cache
from contextbook.transformer.design import Design
from contextbook.transformer.positions import (
    PositionedEmbedding,
    PositionTable,
    sinusoidal_positions,
)
from contextbook.transformer.stacks import Decoder, Encoder
from contextbook.transformer.validation import check_pair


class AttentionMaps(NamedTuple):
    """All weights of a Transformer, ``(batch, heads, queries, keys)`` for each layer."""

    encoder: list[Tensor]  # source to source
    decoder: list[Tensor]  # target to target, none to the future
    cross: list[Tensor]  # target to source


class Transformer(StepByStep):
    """Read a sentence and write another, by attention alone.

    It is trained by teacher forcing (``forward``), and decoded by :mod:`contextbook.decoding`
    (``start``, ``step``, ``reorder``) with a key–value cache.

    Args:
        source_size: number of source tokens.
        target_size: number of target tokens.
        layers: number of layers in the encoder, and in the decoder.
        positions: as in :class:`PositionedEmbedding`; ``None`` for a model without order.
        tied: make logits with the target's embedding table, as Press and Wolf (2017) do.
        max_length: most tokens in a sentence.
        choices: sizes and parts of the layers, the fields of :class:`Design`.

    Raises:
        ValueError: a size is out of range.
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        *,
        layers: int = 2,
        positions: PositionTable | None = sinusoidal_positions,
        tied: bool = False,
        max_length: int = 512,
        **choices: Any,
    ) -> None:
        super().__init__()
        design = Design(**choices)
        table = (design.d_model, positions, max_length, design.dropout)
        self.source_embedding = PositionedEmbedding(source_size, *table)
        self.target_embedding = PositionedEmbedding(target_size, *table)
        self.encoder = Encoder(layers, design)
        self.decoder = Decoder(layers, design)
        self.to_logits = nn.Linear(design.d_model, target_size)
        if tied:  # one table serves to read a word and to write it
            self.to_logits.weight = self.target_embedding.weight

    def forward(
        self,
        source: Tensor,
        source_lengths: Tensor | None,
        target_in: Tensor,
        *,
        need_weights: bool | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Teacher forcing, all positions at once.

        Args:
            source: token ids ``(batch, T_x)``.
            source_lengths: number of real tokens ``(batch,)``; all of them when ``None``.
            target_in: the target, from the start token on, ``(batch, T_y)``. Its padding stands at
                the end, where no real token can see it.
            need_weights: return weights; by default only in evaluation mode, since training is
                faster without.

        Returns:
            Logits ``(batch, T_y, V)`` of the token after each of ``target_in``, and the last
            layer's weights over the source ``(batch, heads, T_y, T_x)`` or ``None``.

        Raises:
            ValueError: source, lengths and target do not fit together.
        """
        need_weights = not self.training if need_weights is None else need_weights
        logits, maps = self._run(source, source_lengths, target_in, need_weights)
        return logits, maps.cross[-1]

    def attention_maps(
        self, source: Tensor, source_lengths: Tensor | None, target_in: Tensor
    ) -> AttentionMaps:
        """The weights of all layers and heads; arguments as in :meth:`forward`."""
        return self._run(source, source_lengths, target_in, True)[1]

    def _run(
        self,
        source: Tensor,
        lengths: Tensor | None,
        target_in: Tensor,
        need_weights: bool,
    ) -> tuple[Tensor, AttentionMaps]:
        sizes = (
            self.source_embedding.num_embeddings,
            self.target_embedding.num_embeddings,
        )
        check_pair(source, target_in, *sizes)
        memory, key_mask, read = self._read(source, lengths, need_weights)
        x, written = self.decoder(
            self.target_embedding(target_in),
            memory,
            causal_mask(target_in.shape[1], device=source.device),
            key_mask=key_mask,
            need_weights=need_weights,
        )
        maps: Any = AttentionMaps(
            read, [own for own, _ in written], [cross for _, cross in written]
        )
        return self.to_logits(x), maps

    def _read(
        self, source: Tensor, lengths: Tensor | None, need_weights: bool = False
    ) -> tuple[Tensor, Tensor | None, list[Any]]:
        """The memory ``(batch, T_x, d_model)``, what of it is real, all weights."""
        key_mask = None if lengths is None else padding_mask(lengths, source.shape[1])
        memory, maps = self.encoder(
            self.source_embedding(source), key_mask=key_mask, need_weights=need_weights
        )
        return memory, key_mask, maps

    def start(self, source: Tensor, lengths: Tensor | None = None) -> DecoderState:
        """Read the source ``(batch, T_x)``; returns the state before the first step."""
        memory, key_mask, _ = self._read(source, lengths)
        caches = tuple(empty_cache(layer, memory) for layer in self.decoder.layers)
        return DecoderState(
            caches,
            None if key_mask is None else key_mask[:, None, None],
        )

    def step(
        self,
        tokens: Tensor,
        state: DecoderState,
    ) -> tuple[Tensor, DecoderState, Tensor]:
        """From the tokens before ``(batch,)`` to log-probabilities ``(batch, V)``.

        Returns:
            Log-probabilities, the next state, and the last layer's weights over the source, the
            mean of its heads ``(batch, T_x)``.
        """
        x = self.target_embedding(tokens[:, None], first=state.written)
        caches, weights = [], None
        for layer, cache in zip(self.decoder.layers, state.layers, strict=True):
            x, grown, weights = cached_step(layer, x, cache, state.source_mask)
            caches.append(grown)
        log_probs = self.to_logits(self.decoder.norm(x))[:, 0].log_softmax(dim=-1)
        assert weights is not None  # there is at least one layer
        return (
            log_probs,
            state._replace(layers=tuple(caches)),
            weights[:, :, 0].mean(dim=1),
        )


class WithoutCache(StepByStep):
    """The same Transformer, decoded without a cache: each step reads all that is written again.

    Args:
        model: a :class:`Transformer`.
    """

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def start(self, source: Tensor, lengths: Tensor | None = None) -> Any:
        """Read the source; the state is memory, mask and the tokens so far, none yet."""
        memory, key_mask, _ = self.model._read(source, lengths)
        return memory, key_mask, source[:, :0]

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any, Tensor]:
        """As :meth:`Transformer.step`."""
        memory, key_mask, before = state
        written = torch.cat([before, tokens[:, None]], dim=1)
        x, maps = self.model.decoder(
            self.model.target_embedding(written),
            memory,
            causal_mask(written.shape[1], device=written.device),
            key_mask=key_mask,
            need_weights=True,
        )
        log_probs = self.model.to_logits(x[:, -1]).log_softmax(dim=-1)
        return log_probs, (memory, key_mask, written), maps[-1][1][:, :, -1].mean(dim=1)
