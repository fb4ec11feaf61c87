"""What a computation costs, counted as it runs and not timed: the same on every machine."""

from collections.abc import Callable

from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.flop_counter import FlopCounterMode


def steps_in_sequence(output: Tensor) -> int:
    """How many operations must wait for one another: the longest chain back from a result.

    PyTorch keeps the operations that made a result, to find gradients by; this walks them. However
    many processors there are, that many operations have to follow one after the other.

    Args:
        output: computed with gradients.

    Returns:
        Number of operations on the longest way from ``output`` back to an input.

    Raises:
        ValueError: nothing is known of how it was made.
    """
    if output.grad_fn is None:
        raise ValueError(
            "output has no grad_fn: compute it from something with requires_grad, not under no_grad"
        )
    longest: dict[object, int] = {}
    waiting = [output.grad_fn]
    while waiting:  # no recursion: a chain of a thousand steps is too deep for Python
        node = waiting[-1]
        # leaves accumulate gradients and compute nothing
        before = [made for made, _ in node.next_functions if made and made.next_functions]
        missing = [made for made in before if made not in longest]
        if missing:
            waiting += missing
            continue
        longest[waiting.pop()] = 1 + max((longest[made] for made in before), default=0)
    return longest[output.grad_fn]


def bytes_kept(run: Callable[[], object]) -> int:
    """Memory that a forward pass keeps until the gradient has come back.

    Weights that are being learned are not counted: they are there anyway.

    Args:
        run: the forward pass.

    Returns:
        Bytes; what is kept twice is counted once.
    """
    sizes: dict[int, int] = {}
    held = []  # while they are held, no two of them can share an address

    def note(tensor: Tensor) -> Tensor:
        whole = tensor if tensor._base is None else tensor._base
        if not isinstance(whole, nn.Parameter):
            storage = tensor.untyped_storage()
            sizes[storage.data_ptr()] = storage.nbytes()
            held.append(tensor)
        return tensor

    with saved_tensors_hooks(note, lambda tensor: tensor):
        run()
    return sum(sizes.values())


def multiply_adds(run: Callable[[], object]) -> int:
    """How many numbers are multiplied and added up in the matrix products of a computation."""
    with FlopCounterMode(display=False) as counter:
        run()
    flops: int = counter.get_total_flops()
    return flops // 2  # it counts a product and its sum as two
