"""Typical wrong answers to chapter 5's exercises, by the kind of hint that each must get."""

STATES = """
def state_gradients(weight_hh, hidden, last):
    gradients = [last]
    for t in reversed(range(len(hidden) - 1)):
        gradients.insert(0, STEP)
    return RETURNED
"""
CLIP = """
def clip(weight, bias, max_norm):
    norm = torch.cat([weight.flatten(), bias]).norm()
    return RETURNED
"""


def steps(returned: str) -> str:
    return f"def steps_until(factor, share):\n    return {returned}\n"


def jacobian(returned: str) -> str:
    return f"def step_jacobian(weight_hh, before, after):\n    return {returned}\n"


def states(step: str, returned: str = "torch.stack(gradients)") -> str:
    return STATES.replace("STEP", step).replace("RETURNED", returned)


def clip(returned: str) -> str:
    return CLIP.replace("RETURNED", returned)


def vanish(returned: str) -> str:
    return f"def always_shrinks(weight_hh):\n    return {returned}\n"


RIGHT_STEP = "(gradients[0] * (1 - hidden[t + 1] ** 2)) @ weight_hh"

WRONG = {
    "steps_until": [
        ("one_early", steps("int(log(share) / log(factor))")),
        ("one_late", steps("int(log(share) / log(factor)) + 2")),
        ("not_whole", steps("log(share) / log(factor)")),
        ("difference", steps("int((1 - share) / (1 - factor) + 1e-9) + 1")),
        ("upside_down", steps("log(factor) / log(share)")),
        ("upside_down_whole", steps("int(log(factor) / log(share)) + 1")),
        ("log_of_product", steps("log(share / factor)")),
        ("root_of_share", steps("log(share - 1) / log(factor)")),
        ("different", steps("17")),
        ("not_a_number", steps("[factor, share]")),
    ],
    "step_jacobian": [
        ("no_slope", jacobian("weight_hh.clone()")),
        ("columns", jacobian("weight_hh * (1 - after**2)")),
        ("transposed", jacobian("((1 - after**2)[:, None] * weight_hh).T")),
        ("transposed_weight", jacobian("torch.diag(1 - after**2) @ weight_hh.T")),
        ("slope_of_before", jacobian("(1 - before**2)[:, None] * weight_hh")),
        ("slope_not_squared", jacobian("(1 - after)[:, None] * weight_hh")),
        ("slope_of_sum", jacobian("(1 - torch.tanh(after)**2)[:, None] * weight_hh")),
        ("only_slope", jacobian("torch.diag(1 - after**2)")),
        ("shape_of_slope", jacobian("weight_hh * (1 - after[:3]**2)[:, None]")),
        ("shape", jacobian("weight_hh @ (1 - after**2)")),
    ],
    "state_gradients": [
        ("no_slope", states("gradients[0] @ weight_hh")),
        ("transposed", states(RIGHT_STEP + ".T")),
        ("slope_of_earlier", states("(gradients[0] * (1 - hidden[t] ** 2)) @ weight_hh")),
        ("slope_after", states("(gradients[0] @ weight_hh) * (1 - hidden[t + 1] ** 2)")),
        ("reversed", states(RIGHT_STEP, "torch.stack(gradients[::-1])")),
        (
            "slope_at_last",
            states(RIGHT_STEP).replace("[last]", "[last * (1 - hidden[-1] ** 2)]", 1),
        ),
        ("all_alike", states("last")),
        ("last_everywhere", states("last + " + RIGHT_STEP)),
        ("slope_not_squared", states("(gradients[0] * (1 - hidden[t + 1])) @ weight_hh")),
        ("not_a_tensor", states(RIGHT_STEP, "gradients")),
    ],
    "clip": [
        ("not_clipped", clip("weight.clone(), bias.clone()")),
        ("always", clip("weight * max_norm / norm, bias * max_norm / norm")),
        ("each_alone", clip("[g * min(1, max_norm / g.norm()) for g in (weight, bias)]")),
        ("by_value", clip("[g.clamp(-max_norm, max_norm) for g in (weight, bias)]")),
        ("squared", clip("[g * min(1, max_norm / norm**2) for g in (weight, bias)]")),
        ("to_one", clip("[g * min(1, 1 / norm) for g in (weight, bias)]")),
        (
            "sum_of_lengths",
            clip("[g * min(1, max_norm / (weight.norm() + bias.norm())) for g in (weight, bias)]"),
        ),
        (
            "largest_number",
            clip(
                "[g * min(1, max_norm / max(weight.abs().max(), bias.abs().max()))"
                " for g in (weight, bias)]"
            ),
        ),
        (
            "singular_value",
            clip(
                "[g * min(1, max_norm / (torch.linalg.matrix_norm(weight, 2)**2"
                " + bias.norm()**2).sqrt()) for g in (weight, bias)]"
            ),
        ),
        ("not_a_pair", clip("norm")),
        ("shape", clip("[weight * min(1, max_norm / norm)]")),
        ("mutated", clip("[g.mul_(min(1, max_norm / norm)) for g in (weight, bias)]")),
    ],
    "always_shrinks": [
        ("spectral_radius", vanish("bool(torch.linalg.eigvals(weight_hh).abs().max() < 1)")),
        ("largest_entry", vanish("bool(weight_hh.abs().max() < 1)")),
        ("determinant", vanish("bool(torch.linalg.det(weight_hh).abs() < 1)")),
        ("smallest", vanish("bool(torch.linalg.svdvals(weight_hh)[-1] < 1)")),
        ("sums_of_columns", vanish("bool(torch.linalg.matrix_norm(weight_hh, 1) < 1)")),
        ("sums_of_rows", vanish("bool(weight_hh.abs().sum(dim=1).max() < 1)")),
        ("all_entries", vanish("bool(weight_hh.norm() < 1)")),
        ("inverted", vanish("bool(torch.linalg.svdvals(weight_hh)[0] >= 1)")),
        ("one_counts", vanish("bool(torch.linalg.matrix_norm(weight_hh, 2) <= 1)")),
        ("wrong_for", vanish("len(weight_hh) > 2")),
        ("not_a_bool", vanish("'yes'")),
        ("not_a_bool", vanish("torch.linalg.matrix_norm(weight_hh, 2)")),
    ],
}
