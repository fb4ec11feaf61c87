"""How large a comparison on real sentences is: one value for a CPU, one for a GPU."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What to learn from, how wide the models are, and how long they learn.

    Attributes:
        longest: English words in a sentence, at most.
        train: pairs to learn from.
        test: pairs to be tested on, each with an English sentence that is in no other.
        merges: of byte-pair encoding, in each language.
        width: numbers in a token's vector, and in the stream of the Transformer.
        hidden: numbers in the recurrent models' state.
        d_ff: numbers in the middle of the Transformer's feed-forward networks.
        layers: of the Transformer's encoder, and of its decoder.
        heads: of the Transformer.
        dropout: in the Transformer; the recurrent models of the book have none.
        steps: updates of each model.
        batch_size: pairs in a batch.
        recurrent_rate: highest learning rate of the recurrent models.
        transformer_rate: of the Transformer.
        seed: of the split, the first weights and the order of the batches.
    """

    longest: int = 6
    train: int = 60_000
    test: int = 1_000
    merges: int = 1_000
    width: int = 96
    hidden: int = 128
    d_ff: int = 96
    layers: int = 2
    heads: int = 4
    dropout: float = 0.0
    steps: int = 1_500
    batch_size: int = 64
    recurrent_rate: float = 6e-3
    transformer_rate: float = 3e-3
    seed: int = 0


REDUCED = Settings()
"""A CPU's: shows in minutes what attention is worth."""

LARGE = Settings(
    longest=16,
    train=180_000,
    test=2_000,
    merges=8_000,
    width=512,
    hidden=1024,
    d_ff=1024,
    layers=3,
    heads=8,
    dropout=0.1,
    steps=20_000,
    batch_size=256,
    recurrent_rate=1e-3,
    transformer_rate=5e-4,
)
"""A GPU's: sentences of up to 16 words, nearly all that there are."""
