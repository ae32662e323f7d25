"""Makes dumps of three mistakes that were made in public, and prints the numbers that their threads state.

Run it with NumPy: python3 three_bugs.py FOLDER
docs/verify/three-bugs.md walks through them.
"""
import math
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(1)


def turned(x, angles):
    """x [B, H, L, D] with channels i and i + D/2 turned by angles [..., L, D/2]."""
    first, second = np.split(x.astype(np.float64), 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1).astype(np.float32)


def inv_freq(head_dim, base):
    return base ** (-2 * np.arange(head_dim // 2) / head_dim)


def as_bfloat16(numbers):
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32).astype(np.float64)


def dump(name, x, y, positions):
    np.savez(folder / f"{name}.npz", q=x.astype(np.float32), q_rot=y, positions=np.asarray(positions, np.int64))


def one_row_of_a_batch():
    """github.com/ml-explore/mlx/issues/3949: two sequences, one token each, at position 6."""
    ones = np.ones((2, 16, 1, 256))
    right = turned(ones, 6 * inv_freq(256, 10000.0)[None])
    wrong = right.copy()
    wrong[1] = 0
    print("row 0:", " ".join(f"{v:.5f}" for v in wrong[0, 0, 0, :4]))
    print(f"nonzero: {np.count_nonzero(wrong)} of {wrong.size}")
    # One token at one position leaves whole turns open, so that the dump holds real numbers at two positions.
    x = random.standard_normal((2, 16, 1, 256))
    y = turned(x, 6 * inv_freq(256, 10000.0)[None])
    y[1] = 0
    dump("one_row", x, y, [[6], [6]])


def rounded_frequencies():
    """github.com/Modalities/modalities/pull/462: inv_freq was rounded to bfloat16; head_dim 128."""
    exact = inv_freq(128, 10000.0)
    rounded = as_bfloat16(exact)
    for length in (512, 2048, 4096):
        difference = np.arange(length)[:, None] * (rounded - exact)
        wrapped = np.abs(np.angle(np.exp(1j * difference)))
        print(f"largest error of an angle within {length} positions: {wrapped.max():.2f} rad")
    positions = np.arange(512)
    x = random.standard_normal((1, 2, 512, 128))
    dump("rounded", x, turned(x, positions[:, None] * rounded), positions)


def llama3(frequencies, factor, low, high, original):
    """Llama 3's scaling, as Hugging Face's rope_type "llama3" defines it."""
    wavelengths = 2 * math.pi / frequencies
    smooth = np.clip((original / wavelengths - low) / (high - low), 0, 1)
    return (1 - smooth) * frequencies / factor + smooth * frequencies


def scaling_left_out():
    """github.com/Blaizzy/mlx-vlm/pull/1710: Llama 3.2 Vision without its scaling; head_dim 128."""
    plain = inv_freq(128, 500000.0)
    scaled = llama3(plain, 8.0, 1.0, 4.0, 8192)
    for position in (1000, 8192, 20000, 60000):
        # The mean over the pairs is what vectors of equal content in every pair give.
        print(f"cosine at {position}: {np.cos(position * (scaled - plain)).mean():.3f}")
    positions = np.arange(8000, 8064)
    x = random.standard_normal((1, 2, 64, 128))
    dump("unscaled", x, turned(x, positions[:, None] * plain), positions)


one_row_of_a_batch()
rounded_frequencies()
scaling_left_out()
