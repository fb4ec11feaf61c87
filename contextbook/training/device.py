"""Where to train."""

import torch


def best_device() -> torch.device:
    """Return the GPU when there is one (CUDA, then Apple's MPS), else the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")
