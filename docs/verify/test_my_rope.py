"""A test of your own rotation: python3 -m pytest test_my_rope.py. It fails, and says why: the pairs of Llama
are channels i and i + 64, and this code turns channels 2i and 2i + 1."""

import numpy
import ropescope


def my_rope(q, k, positions):
    """Turns q [B, H, L, D] and k [B, Hk, L, D] by their positions [B, L]."""
    half = q.shape[-1] // 2
    angle = positions[:, None, :, None] * 500000.0 ** (-numpy.arange(half) / half)
    cos, sin = numpy.cos(angle), numpy.sin(angle)

    def turned(x):
        first, second = x[..., 0::2], x[..., 1::2]
        pairs = numpy.stack([first * cos - second * sin, first * sin + second * cos], axis=-1)
        return pairs.reshape(x.shape).astype(x.dtype)

    return turned(q), turned(k)


def test_my_rope_turns_as_llama_3_does():
    ropescope.assert_rope(my_rope, "llama-3-8b", dtype="float32", axes="bhld")
