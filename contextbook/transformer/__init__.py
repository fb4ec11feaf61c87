"""The Transformer: attention, feed-forward, residuals and norms, put together (chapter 11).

``positions`` says where tokens stand, ``feed_forward``, ``layer_norm`` and ``residual`` are the
parts, ``layers`` and ``stacks`` join them, ``model`` is the whole, ``cache`` makes it write fast,
``loss`` smooths labels, ``design`` names sizes and choices.
"""

from contextbook.transformer.cache import DecoderState, LayerCache
from contextbook.transformer.design import Design
from contextbook.transformer.feed_forward import FeedForward
from contextbook.transformer.layer_norm import LayerNorm, normalise
from contextbook.transformer.layers import DecoderLayer, EncoderLayer
from contextbook.transformer.loss import smoothed_loss
from contextbook.transformer.model import AttentionMaps, Transformer, WithoutCache
from contextbook.transformer.positions import PositionedEmbedding, sinusoidal_positions
from contextbook.transformer.quick import QuickDropout, quicken
from contextbook.transformer.residual import Residual
from contextbook.transformer.stacks import Decoder, Encoder

__all__ = [
    "AttentionMaps",
    "Decoder",
    "DecoderLayer",
    "DecoderState",
    "Design",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "LayerCache",
    "LayerNorm",
    "PositionedEmbedding",
    "QuickDropout",
    "Residual",
    "Transformer",
    "WithoutCache",
    "normalise",
    "quicken",
    "sinusoidal_positions",
    "smoothed_loss",
]
