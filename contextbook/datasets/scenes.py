"""Scenes with four parts: who shows whom to whom, and together with whom (chapter 10).

鳥を馬に犬が猫と見せた (tori o uma ni inu ga neko to miseta): the dog, together with the cat, showed
the bird to the horse. In Japanese the particle behind a noun names its part, and the four phrases
may stand in any order before the verb: order tells nothing, the particles tell all.
"""

from typing import NamedTuple

import torch
from torch import Generator, Tensor

from contextbook.datasets.sentence import Word

VERB = Word("見せた", "miseta", "showed")

# the part that each names: who showed, whom, to whom, together with whom
PARTICLES = (
    Word("が", "ga", "who"),
    Word("を", "o", "whom"),
    Word("に", "ni", "to whom"),
    Word("と", "to", "with whom"),
)

_ANIMALS = """
犬 inu dog, 猫 neko cat, 鳥 tori bird, 馬 uma horse, 牛 ushi cow, 猿 saru monkey, 狐 kitsune fox,
熊 kuma bear, 兎 usagi rabbit, 亀 kame turtle, 魚 sakana fish, 蛙 kaeru frog, 羊 hitsuji sheep,
鼠 nezumi mouse, 象 zō elephant, 虎 tora tiger, 狼 ōkami wolf, 狸 tanuki raccoon-dog, 鹿 shika deer,
猪 inoshishi boar, 豚 buta pig, 鶏 niwatori chicken, 鴨 kamo duck, 鳩 hato pigeon, 鶴 tsuru crane,
鷹 taka hawk, 烏 karasu crow, 蛇 hebi snake, 蜂 hachi bee, 蟹 kani crab, 鯨 kujira whale,
蝶 chō butterfly
"""
ANIMALS = tuple(Word(*entry.split()) for entry in _ANIMALS.split(","))


class Scenes(NamedTuple):
    """Sentences of four phrases and a verb."""

    animals: Tensor  # (batch, 4), int64 below len(ANIMALS), all different within a sentence
    particles: Tensor  # (batch, 4), int64 below 4, each once: the particle behind each animal
    targets: Tensor  # (batch, 4), int64 below len(ANIMALS): the animal before each particle


def scenes_batch(generator: Generator, batch: int) -> Scenes:
    """Draw sentences: any four animals, the particles in any order.

    Raises:
        ValueError: ``batch`` is not positive.
    """
    if batch < 1:
        raise ValueError(f"batch must be at least 1, got {batch}")

    def shuffled(size: int) -> Tensor:
        draws = torch.rand(batch, size, generator=generator, device=generator.device)
        return draws.argsort(dim=1)

    animals = shuffled(len(ANIMALS))[:, : len(PARTICLES)]
    particles = shuffled(len(PARTICLES))
    targets = torch.empty_like(animals).scatter_(1, particles, animals)
    return Scenes(animals, particles, targets)
