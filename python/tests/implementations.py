"""Rotations in NumPy, right and wrong, as people write them: fn(q, k, positions) -> (q_rot, k_rot)."""

import numpy

#: Half-split pairs, base 500000, four heads of 64 channels.
CONFIG = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2,
          "rope_theta": 500000.0}


def angles(x, positions, base):
    """[B, 1, L, D / 2]."""
    half = x.shape[-1] // 2
    return numpy.asarray(positions, float)[:, None, :, None] * base ** (-numpy.arange(half) / half)


def turned_half_split(x, positions, base=500000.0):
    angle, half = angles(x, positions, base), x.shape[-1] // 2
    first, second = x[..., :half].astype(float), x[..., half:].astype(float)
    return numpy.concatenate([first * numpy.cos(angle) - second * numpy.sin(angle),
                              first * numpy.sin(angle) + second * numpy.cos(angle)], axis=-1).astype(x.dtype)


def half_split(q, k, positions, base=500000.0):
    return turned_half_split(q, positions, base), turned_half_split(k, positions, base)


def turned_interleaved(x, positions, base=500000.0):
    angle = angles(x, positions, base)
    first, second = x[..., ::2].astype(float), x[..., 1::2].astype(float)
    y = numpy.empty_like(x)
    y[..., ::2] = first * numpy.cos(angle) - second * numpy.sin(angle)
    y[..., 1::2] = first * numpy.sin(angle) + second * numpy.cos(angle)
    return y


def interleaved(q, k, positions, base=500000.0):
    return turned_interleaved(q, positions, base), turned_interleaved(k, positions, base)
