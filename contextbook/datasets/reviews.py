"""Small reviews: what is reviewed, and whether its writer liked it.

Each has two clauses in either order, such as *the music was not dull but the film was bad*: one
speaks of the thing itself, the other of a part of it. The words tell what is reviewed; whether it
was liked hangs on which word stands where.
"""

from typing import NamedTuple

import torch
from torch import Generator

#: What is reviewed, each with the parts of it that are spoken of.
TOPICS = {
    "film": ("music", "ending", "cast"),
    "book": ("plot", "cover", "prose"),
    "meal": ("soup", "service", "dessert"),
    "hotel": ("bed", "view", "breakfast"),
}
GOOD = ("good", "lovely", "great", "charming", "fine", "superb")
BAD = ("bad", "dull", "poor", "awful", "weak", "boring")
JOINTS = ("and", "but", "while")


class Review(NamedTuple):
    """A review and what there is to say about it."""

    words: tuple[str, ...]
    topic: int  # index into TOPICS
    liked: int  # 1 if the writer liked the thing itself, whatever the part of it was like


def reviews(generator: Generator, count: int) -> list[Review]:
    """Write reviews at random: four topics, liked or not, all equally often.

    Args:
        generator: the source of all randomness, on the CPU.
        count: how many; some may be the same.

    Raises:
        ValueError: ``count`` is negative.
    """
    if count < 0:
        raise ValueError(f"count must not be negative, got {count}")

    def draw(below: int) -> int:
        return int(torch.randint(below, (), generator=generator))

    def clause(noun: str, liked: int) -> list[str]:
        negated = draw(2)
        adjectives = GOOD if liked != negated else BAD
        very = ["very"] if draw(4) == 0 else []
        return ["the", noun, "was", *["not"] * negated, *very, adjectives[draw(len(adjectives))]]

    made = []
    names = list(TOPICS)
    for _ in range(count):
        topic, liked = draw(len(names)), draw(2)
        parts = TOPICS[names[topic]]
        clauses = [clause(names[topic], liked), clause(parts[draw(len(parts))], draw(2))]
        if draw(2):
            clauses.reverse()
        first, second = clauses
        made.append(Review((*first, JOINTS[draw(len(JOINTS))], *second), topic, liked))
    return made
