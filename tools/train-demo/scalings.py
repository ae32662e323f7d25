"""Stretched frequencies, in float64. `factor` is how many times longer the text is than those of the training."""
import math

import torch

from positions import inverse_frequencies

ORIGINAL = 128  # positions of a training text


def clamped_ramp(values, zero, one):
    """0 up to `zero`, 1 from `one` on, and a straight line between."""
    return ((values - zero) / (one - zero)).clamp(0.0, 1.0)


def linear(head_dim, base, factor):
    """Position interpolation (Chen et al. 2023): positions are divided by the factor."""
    return inverse_frequencies(head_dim, base) / factor, 1.0


def ntk(head_dim, base, factor):
    """NTK-aware scaling (bloc97 2023): a larger base, so that the slowest pair is divided by the factor."""
    return inverse_frequencies(head_dim, base * factor ** (head_dim / (head_dim - 2))), 1.0


def yarn(head_dim, base, factor, beta_fast=32.0, beta_slow=1.0):
    """YaRN (Peng et al. 2023, section 3.2), with the bounds of pairs rounded outwards as transformers does."""
    def pair_that_turns(times):
        return head_dim * math.log(ORIGINAL / (times * 2.0 * math.pi)) / (2.0 * math.log(base))

    low = max(math.floor(pair_that_turns(beta_fast)), 0)
    high = min(math.ceil(pair_that_turns(beta_slow)), head_dim - 1)
    stretched = clamped_ramp(torch.arange(head_dim // 2, dtype=torch.float64), low, max(high, low + 0.001))
    plain = inverse_frequencies(head_dim, base)
    return plain * (1.0 - stretched) + plain / factor * stretched, 0.1 * math.log(factor) + 1.0


def llama3(head_dim, base, factor, low_freq_factor=1.0, high_freq_factor=4.0):
    """Llama 3.1's rule: by how often a pair turns within a text of the training."""
    plain = inverse_frequencies(head_dim, base)
    kept = clamped_ramp(ORIGINAL * plain / (2.0 * math.pi), low_freq_factor, high_freq_factor)
    return plain * kept + plain / factor * (1.0 - kept), 1.0


METHODS = {"linear": linear, "ntk": ntk, "yarn": yarn, "llama3": llama3}


def stretched(method, head_dim, base, factor):
    """Returns the keywords of DemoModel.rotation() for a method; without stretching there is nothing to do."""
    if method == "none" or factor <= 1.0:
        return {}
    inv_freq, attention_factor = METHODS[method](head_dim, base, factor)
    return {"inv_freq": inv_freq, "attention_factor": attention_factor}
