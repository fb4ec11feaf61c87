"""Where chance comes from, so that a training can be repeated and taken up again."""

from collections.abc import Mapping

import torch
from torch import Tensor


def seeded(seed: int, device: torch.device | str = "cpu") -> torch.Generator:
    """Make what follows repeatable: the start of a model, its dropout, and the data drawn.

    Args:
        seed: any integer; the same seed gives the same training on the same machine.
        device: where the generator draws.

    Returns:
        A generator to draw data from, and to hand to :func:`contextbook.training.train`. Torch's
        own generators, of which new layers and dropout draw, are seeded as well.
    """
    torch.manual_seed(seed)
    # another seed for the data: with the same one a batch would repeat the first weights' numbers
    data_seed = int(torch.randint(2**62, ()))
    return torch.Generator(device).manual_seed(data_seed)


def random_state(device: torch.device) -> dict[str, Tensor]:
    """Return the state of torch's own generators, of which dropout draws: CPU and ``device``."""
    state = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        state["cuda"] = torch.cuda.get_rng_state(device)
    elif device.type == "mps":
        state["mps"] = torch.mps.get_rng_state()
    return state


def set_random_state(state: Mapping[str, Tensor], device: torch.device) -> None:
    """Set torch's own generators to what :func:`random_state` returned.

    A state of another kind of device is left alone: there is no generator it would fit.
    """
    torch.set_rng_state(state["cpu"])
    if device.type == "cuda" and "cuda" in state:
        torch.cuda.set_rng_state(state["cuda"], device)
    elif device.type == "mps" and "mps" in state:
        torch.mps.set_rng_state(state["mps"])
