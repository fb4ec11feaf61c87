"""What chapter 10 claims, on every seed of the record, and the task that it stands on."""

import pytest
import torch

from contextbook.attention import MultiHeadAttention
from contextbook.datasets.scenes import ANIMALS, PARTICLES, scenes_batch
from contextbook.experiments import load_record
from contextbook.experiments.chapter10 import (
    HEADS,
    STEPS,
    FourQuestions,
    answers_right,
    train_questions,
    weight_by_animal,
    weight_by_particle,
)

RECORD = load_record("four-questions")


def measured(measure: str, heads: int, steps: int = STEPS) -> list[float]:
    values = RECORD.values(measure, heads=heads, steps=steps)
    assert len(values) >= 5
    return values


def test_one_head_answers_two_of_three_and_four_heads_answer_nearly_all():
    assert max(measured("answers", 1)) <= 0.75
    assert min(measured("answers", 4)) >= 0.97
    assert max(measured("sentences", 1)) <= 0.30
    assert min(measured("sentences", 4)) >= 0.90


def test_two_heads_lie_between_and_more_than_four_lose_nothing():
    assert max(measured("answers", 1)) < min(measured("answers", 2))
    assert max(measured("answers", 2)) < min(measured("answers", 4))
    assert min(measured("answers", 8) + measured("answers", 16)) >= 0.99


def test_four_times_the_steps_do_not_replace_the_heads():
    assert max(measured("answers", 1, 4 * STEPS)) <= 0.85
    assert max(measured("sentences", 1, 4 * STEPS)) <= 0.50


def test_the_parameters_are_equal():
    assert len({count for heads in HEADS for count in measured("parameters", heads)}) == 1


def test_some_heads_have_a_particle_of_their_own_and_some_share():
    assert max(measured("favourite", 4)) >= 0.95
    assert min(measured("favourite", 4)) <= 0.70
    assert max(measured("favourite", 1)) <= 0.40


def test_a_scene_names_its_parts_by_particles():
    animals, particles, targets = scenes_batch(torch.Generator().manual_seed(0), 200)
    for row in range(200):
        assert sorted(particles[row].tolist()) == list(range(len(PARTICLES)))
        assert len(set(animals[row].tolist())) == len(PARTICLES)
        for place, particle in enumerate(particles[row].tolist()):
            assert targets[row, particle] == animals[row, place]
    assert set(animals.flatten().tolist()) == set(range(len(ANIMALS)))
    assert len({word.text for word in ANIMALS}) == len(ANIMALS) == 32
    with pytest.raises(ValueError, match="0"):
        scenes_batch(torch.Generator(), 0)


def test_order_does_not_matter():
    torch.manual_seed(0)
    model = FourQuestions(MultiHeadAttention, 4)
    animals, particles, _ = scenes_batch(torch.Generator().manual_seed(0), 8)
    order = torch.tensor([2, 0, 3, 1])
    torch.testing.assert_close(
        model(animals, particles)[0], model(animals[:, order], particles[:, order])[0]
    )


def test_weights_are_sorted_by_particle():
    class Told(torch.nn.Module):
        def forward(self, animals, particles, need_weights):
            weights = torch.eye(4)[particles] * 10.0 ** torch.arange(4)  # (B, phrase, particle)
            return None, weights.sum(-1)[:, None, None]

    assert weight_by_particle(Told(), 16).tolist() == [[1.0, 10.0, 100.0, 1000.0]]


def test_training_helps_within_a_few_steps():
    torch.manual_seed(0)
    model = FourQuestions(MultiHeadAttention, 4)
    before = answers_right(model, 512).double().mean()
    train_questions(model, seed=0, steps=60)
    assert answers_right(model, 512).double().mean() > before + 0.1


def test_weights_are_averaged_by_animal():
    class Favours(torch.nn.Module):
        """Takes from each phrase the number of its animal."""

        def forward(self, animals, particles, need_weights):
            return None, animals[:, None, None].float()

    assert weight_by_animal(Favours(), 512).tolist() == [[float(i) for i in range(len(ANIMALS))]]
