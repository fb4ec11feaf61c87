"""Typical wrong answers to chapter 7's exercises, by the kind of hint that each must get."""

ROWS = """
import torch

def teacher_rows(target, bos, eos):
    start, stop = torch.tensor([bos]), torch.tensor([eos])
    given, foreseen = torch.cat([start, target]), torch.cat([target, stop])
    return RETURNED
"""
LOSS = """
import torch

def padded_loss(log_probs, target_out):
    true = log_probs.gather(2, target_out[..., None])[..., 0]
    real = target_out != 0
    return RETURNED
"""


def rows(returned: str) -> str:
    return ROWS.replace("RETURNED", returned)


def loss(returned: str) -> str:
    return LOSS.replace("RETURNED", returned)


def winner(returned: str) -> str:
    return f"def best_hypothesis(scores, lengths, alpha):\n    return {returned}\n"


def precision(returned: str) -> str:
    return (
        "from collections import Counter\n\n"
        "def clipped_precision(written, reference):\n"
        "    both = (Counter(written) & Counter(reference)).total()\n"
        f"    return {returned}\n"
    )


def cost(returned: str) -> str:
    return f"def beam_cost(vocabulary, length, width):\n    return {returned}\n"


WRONG = {
    "teacher_rows": [
        ("rows_swapped", rows("torch.stack([foreseen, given])")),
        ("not_shifted", rows("torch.stack([given, given])")),
        ("stop_in_both", rows("torch.stack([foreseen, foreseen])")),
        ("starts_with_stop", rows("torch.stack([torch.cat([stop, target]), foreseen])")),
        ("ends_with_start", rows("torch.stack([given, torch.cat([target, start])])")),
        ("ids_written_in", rows("torch.tensor([[1] + target.tolist(), target.tolist() + [2]])")),
        ("lists_and_numbers", rows("torch.cat([bos, target])")),
        ("shape", rows("torch.stack([target, target])")),
        ("dtype", rows("torch.stack([given, foreseen]).float()")),
        ("not_a_tensor", rows("(given, foreseen)")),
    ],
    "padded_loss": [
        ("padding_counts", loss("-true.mean()")),
        ("padding_in_the_number", loss("-(true * real).mean()")),
        ("sum_instead_of_mean", loss("-true[real].sum()")),
        ("mean_of_sentences", loss("-((true * real).sum(1) / real.sum(1)).mean()")),
        ("per_sentence", loss("-true[real].sum() / len(true)")),
        ("sign", loss("true[real].mean()")),
        ("probability", loss("-true[real].exp().mean()")),
        ("not_a_number", loss("-true")),
    ],
    "best_hypothesis": [
        ("worst", winner("int((scores / lengths**alpha).argmin())")),
        ("length_ignored", winner("int(scores.argmax())")),
        ("alpha_ignored", winner("int((scores / lengths).argmax())")),
        ("multiplied", winner("int((scores * lengths**alpha).argmax())")),
        ("longest", winner("int(lengths.argmax())")),
        ("not_a_number", winner("scores / lengths**alpha")),
        ("returned_nothing", winner("None")),
    ],
    "clipped_precision": [
        ("not_clipped", precision("sum(t in reference for t in written) / len(written)")),
        ("recall", precision("both / len(reference)")),
        (
            "kinds_of_tokens",
            precision("len(set(written) & set(reference)) / len(set(written))"),
        ),
        ("clipped_to_one", precision("len(set(written) & set(reference)) / len(written)")),
        ("count", precision("both")),
        (
            "same_place",
            precision("sum(a == b for a, b in zip(written, reference)) / len(written)"),
        ),
        ("different", precision("1.5 * both / len(written)")),
    ],
    "beam_cost": [
        ("full_beam_from_the_start", cost("vocabulary * width * length")),
        ("full_beam_after_one", cost("vocabulary * (1 + width * (length - 1))")),
        ("greedy", cost("vocabulary * length")),
        ("everything", cost("vocabulary**length")),
        ("last_step_only", cost("vocabulary * width")),
        ("not_a_number", cost("(vocabulary, length)")),
    ],
}
