"""Small Japanese sentences whose words change their role with what comes later (chapter 4).

と (to) between two animals means *and*, before a verb *with*, and after いる (iru) *when*; an
animal acts, or is the one with whom something is done. The running sentence,
犬が歩いていると猫と出会いました。, is one of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from contextbook.datasets.sentence import Word

ROLES = ("actor", "companion", "subject", "and", "with", "when", "action", "ending")
NO_ROLE = -100  # where a sentence is padded: what cross-entropy leaves out

_ANIMALS = (
    Word("犬", "inu", "dog"),
    Word("猫", "neko", "cat"),
    Word("鳥", "tori", "bird"),
    Word("馬", "uma", "horse"),
)
_MEET = (Word("出", "de", "go out"), Word("会い", "ai", "meet"))
# each action as it stands before て and before まし
_ACTIONS = (
    (Word("歩い", "arui", "walk"), Word("歩き", "aruki", "walk")),
    (Word("走っ", "hashit", "run"), Word("走り", "hashiri", "run")),
    (Word("話し", "hanashi", "talk"), Word("話し", "hanashi", "talk")),
)
_GA, _TO = Word("が", "ga", "(subject)"), Word("と", "to", "and, with, when")
_GOING_ON = (Word("て", "te", "-ing"), Word("いる", "iru", "be"))
_DONE = (
    Word("まし", "mashi", "(polite)"),
    Word("た", "ta", "(past)"),
    Word("。", ".", "(full stop)"),
)
_VERBS = tuple({word.text: word for pair in _ACTIONS for word in pair}.values())

ROLE_WORDS = (*_ANIMALS, _GA, _TO, *_VERBS, *_MEET, *_GOING_ON, *_DONE)
_IDS = {word.text: i for i, word in enumerate(ROLE_WORDS, 1)}
ROLE_VOCABULARY = len(ROLE_WORDS) + 1  # id 0 fills up
AMBIGUOUS = ("actor", "companion", "and", "with")  # what only a later word can tell


class Roles(NamedTuple):
    """A batch of sentences with the role of every word."""

    inputs: Tensor  # (batch, time), int64 below ROLE_VOCABULARY, filled up with 0
    lengths: Tensor  # (batch,), int64
    targets: Tensor  # (batch, time), int64 below len(ROLES), NO_ROLE behind the end


def role_ids(texts: Sequence[str]) -> Tensor:
    """The ids of words, ``(time,)``.

    Raises:
        ValueError: a word is none of ``ROLE_WORDS``.
    """
    unknown = [text for text in texts if text not in _IDS]
    if unknown:
        raise ValueError(f"unknown words {unknown}: there are {' '.join(_IDS)}")
    return torch.tensor([_IDS[text] for text in texts])


def roles_batch(generator: Generator, batch: int) -> Roles:
    """Draw sentences of 6 to 21 words, half of them with a clause before that ends in と, *when*.

    Raises:
        ValueError: ``batch`` is not positive.
    """
    if batch < 1:
        raise ValueError(f"batch must be at least 1, got {batch}")
    sentences = [_sentence(generator) for _ in range(batch)]
    time = max(len(sentence) for sentence in sentences)
    inputs = torch.zeros(batch, time, dtype=torch.long)
    targets = torch.full((batch, time), NO_ROLE)
    for i, sentence in enumerate(sentences):
        texts, roles = zip(*sentence, strict=True)
        inputs[i, : len(texts)] = role_ids(texts)
        targets[i, : len(texts)] = torch.tensor([ROLES.index(role) for role in roles])
    return Roles(inputs, torch.tensor([len(sentence) for sentence in sentences]), targets)


def _sentence(generator: Generator) -> list[tuple[str, str]]:
    """Words with their roles."""

    def draw(count: int) -> int:
        return int(torch.randint(count, (), generator=generator))

    def who() -> list[tuple[str, str]]:
        """One actor or two, a companion, or actors with a companion."""
        order = torch.randperm(len(_ANIMALS), generator=generator).tolist()
        one, other, third = (_ANIMALS[i].text for i in order[:3])
        actors = [(one, "actor")]
        if draw(2):
            actors += [(_TO.text, "and"), (other, "actor")]
        actors.append((_GA.text, "subject"))
        company = [(third, "companion"), (_TO.text, "with")]
        return (actors, company, actors + company)[draw(3)]

    sentence = []
    if draw(2):
        sentence += [*who(), (_ACTIONS[draw(len(_ACTIONS))][0].text, "action")]
        sentence += [(word.text, "ending") for word in _GOING_ON]
        sentence.append((_TO.text, "when"))
    sentence += who()
    verb = draw(len(_ACTIONS) + 1)
    done = _MEET if verb == len(_ACTIONS) else (_ACTIONS[verb][1],)
    sentence += [(word.text, "action") for word in done]
    return sentence + [(word.text, "ending") for word in _DONE]
