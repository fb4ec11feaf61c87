"""All heads of a trained attention over a sentence: change the words, switch heads off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import traitlets

from contextbook.widgets._base import Figure, FigureDataError
from contextbook.widgets._weights import Models, Packed, pack, read_model, unpack

MAX_HEADS = 8  # more rows than this are not looked at one by one
_KIND = "four-questions"
_TURNED = ("phrases", "on")  # what a reader can change
_ROW, _FIXED = 34, 406  # pixels, as in the style sheet
_FIXED_NARROW = 553

Tensors = Mapping[str, npt.NDArray[np.float64]]


class HeadsView(Figure):
    """A verb asks four phrases four questions at once, with several heads.

    The reader chooses animals and particles, lets phrases change places and switches heads off; the
    weights of every head and the model's four answers follow, computed in the page from the model's
    weights in half precision.

    Args:
        model: a trained :class:`contextbook.experiments.chapter10.FourQuestions` by a name, which
            belongs to one model in the whole book; or the name alone of one trained before.
        phrases: pairs of an animal and a particle, as they are written, such as ``("犬", "が")``;
            four of them.

    Raises:
        ValueError: another model, one with an edited definition or more than 8 heads, or a word
            that it does not know; the message says what to do.

    Attributes:
        phrases: the sentence, pairs of the numbers of an animal and a particle.
        on: which heads are on.
        answers: the animal that the model names for each particle.
        weights: how much the verb takes from each phrase, ``(heads, 4)``.
    """

    _name = "heads-view"

    phrases: traitlets.List[list[int]] = traitlets.List().tag(sync=True)
    on = traitlets.List(traitlets.Bool()).tag(sync=True)

    models = Models(read_only=True).tag(sync=True)
    model_name = traitlets.Unicode(read_only=True).tag(sync=True)
    animals: traitlets.List[list[str]] = traitlets.List(read_only=True).tag(sync=True)
    particles: traitlets.List[list[str]] = traitlets.List(read_only=True).tag(sync=True)
    verb: traitlets.List[str] = traitlets.List(read_only=True).tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        model: Mapping[str, Any] | str,
        phrases: Sequence[tuple[str, str]] = (
            ("犬", "が"),
            ("猫", "と"),
            ("鳥", "を"),
            ("馬", "に"),
        ),
    ) -> None:
        from contextbook.datasets.scenes import ANIMALS, PARTICLES, VERB

        name, packed = _packed(model)
        content = unpack(packed)
        self._tensors = {key: value.astype(np.float64) for key, value in content.tensors.items()}
        self._heads = int(content.config["heads"])
        fixed: dict[str, Any] = {
            "models": {name: Models.entry(packed)},
            "model_name": name,
            "animals": [list(word) for word in ANIMALS],
            "particles": [list(word) for word in PARTICLES],
            "verb": list(VERB),
        }
        # before the figure is opened: what it was made with is kept
        for trait, value in fixed.items():
            self.set_trait(trait, value)
        places = [
            {word.text: number for number, word in enumerate(words)}
            for words in (ANIMALS, PARTICLES)
        ]
        self.phrases = [
            [_number(word, known) for word, known in zip(phrase, places, strict=True)]
            for phrase in phrases
        ]
        self.on = [True] * self._heads
        super().__init__()

    # these three are first read when the figure is opened, and so hold what it was made with
    @traitlets.default("example")
    def _example(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _TURNED}

    @traitlets.default("height")
    def _height(self) -> int:
        return _FIXED + _ROW * self._heads

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return _FIXED_NARROW + _ROW * self._heads

    @property
    def weights(self) -> list[list[float]]:
        found: list[list[float]] = self._ask()[0].tolist()
        return found

    @property
    def answers(self) -> list[str]:
        return [self.animals[best][0] for best in self._ask()[1].argmax(-1)]

    def switch(self, head: int, on: bool | None = None) -> None:
        """Switch a head, counted from 0, on or off; the other way round when ``on`` is ``None``.

        Raises:
            ValueError: there is no such head.
        """
        if not 0 <= head < self._heads:
            raise FigureDataError(f"there is no head {head}: they are 0 to {self._heads - 1}")
        switched = not self.on[head] if on is None else on
        self.on = [switched if i == head else was for i, was in enumerate(self.on)]

    def reset(self) -> None:
        """Bring back the sentence that the figure was made with, and all heads."""
        with self._together():
            for name, value in self.example.items():
                self.set_trait(name, value)

    def _ask(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return ask(self._tensors, self._heads, self.phrases, self.on)

    def _summary(self) -> str:
        return f"{self._heads} heads"

    @traitlets.validate("phrases")
    def _check_phrases(self, proposal: Any) -> Any:
        phrases = [list(phrase) for phrase in proposal["value"]]
        sizes = len(self.animals), len(self.particles)
        if len(phrases) != len(self.particles) or any(len(phrase) != 2 for phrase in phrases):
            raise FigureDataError(
                f"the sentence has {len(self.particles)} phrases of an animal and a particle, got "
                f"{phrases!r}"
            )
        for phrase in phrases:
            if not all(0 <= number < size for number, size in zip(phrase, sizes, strict=True)):
                raise FigureDataError(
                    f"a phrase holds the numbers of one of {sizes[0]} animals and of one of "
                    f"{sizes[1]} particles, got {phrase}"
                )
        return phrases

    @traitlets.validate("on")
    def _check_on(self, proposal: Any) -> Any:
        if len(proposal["value"]) != self._heads:
            raise FigureDataError(
                f"on must say of each of {self._heads} heads whether it is on, got "
                f"{len(proposal['value'])} entries"
            )
        return proposal["value"]


def ask(
    tensors: Tensors, heads: int, phrases: Sequence[Sequence[int]], on: Sequence[bool]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Compute what the page does: weights ``(heads, 4)`` and logits ``(4, animals)``."""

    def linear(name: str, x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        product: npt.NDArray[np.float64] = x @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]
        return product

    animals, particles = np.array(phrases).T
    x = tensors["animals.weight"][animals] + tensors["particles.weight"][particles]  # (4, d)
    query = linear("attention.query", tensors["verb"]).reshape(heads, -1)  # (heads, d_head)
    key = linear("attention.key", x).reshape(len(x), heads, -1)
    value = linear("attention.value", x).reshape(len(x), heads, -1)
    scores = np.einsum("hd,khd->hk", query, key) / np.sqrt(query.shape[-1])
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    weights = exponentials / exponentials.sum(-1, keepdims=True)
    mixed = np.einsum("hk,khd->hd", weights, value) * np.array(on, dtype=float)[:, None]
    logits = linear("answers", linear("attention.output", mixed.reshape(-1)))
    return weights, logits.reshape(len(tensors["particles.weight"]), -1)


def _packed(model: Mapping[str, Any] | str) -> tuple[str, Packed]:
    if isinstance(model, str):
        packed = read_model(model)
        if unpack(packed).config.get("kind") != _KIND:
            raise FigureDataError(f"model {model!r} is not one that answers four questions")
        return model, packed
    if len(model) != 1:
        raise FigureDataError(f"HeadsView shows one model by its name, got {len(model)}")
    ((name, trained),) = model.items()
    return name, _pack(trained)


def _pack(model: Any) -> Packed:
    """Pack a model that computes what the book's does with the same weights; refuse others."""
    from contextbook.datasets.scenes import ANIMALS, PARTICLES

    try:
        heads = int(model.attention.heads)
        width = int(model.attention.query.weight.shape[0])
    except AttributeError as error:
        raise FigureDataError(
            f"the figure shows chapter 10's FourQuestions, and this {type(model).__name__} has no "
            f"{error}"
        ) from error
    if not 1 <= heads <= MAX_HEADS:
        raise FigureDataError(f"the figure shows 1 to {MAX_HEADS} heads, got {heads}")
    tensors = {name: t.detach().cpu().double().numpy() for name, t in model.state_dict().items()}
    _check_same(model, tensors, heads)
    return pack(
        model,
        {"kind": _KIND, "heads": heads, "width": width},
        [word.text for word in ANIMALS],
        [word.text for word in PARTICLES],
    )


def _check_same(model: Any, tensors: Tensors, heads: int) -> None:
    import torch

    phrases = [[5, 2], [9, 0], [0, 3], [31, 1]]
    device = next(model.parameters()).device
    animals, particles = torch.tensor(phrases, device=device).T
    with torch.no_grad():
        found, _ = model(animals[None], particles[None])
    try:
        _, wanted = ask(tensors, heads, phrases, [True] * heads)
        same = np.allclose(wanted, found[0].cpu().double().numpy(), atol=1e-3)
    except (KeyError, ValueError):  # other parts, or parts of other shapes
        same = False
    if not same:
        raise FigureDataError(
            "the figure computes in the page what the book's attention computes, and this model "
            "gives other numbers with the same weights: undo the edit, and train it again"
        )


def _number(word: str, known: Mapping[str, int]) -> int:
    if word not in known:
        raise FigureDataError(f"{word!r} is not one of the words {' '.join(known)}")
    return known[word]
