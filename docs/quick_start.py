"""Writes my_rope.npz: queries and keys before and after a rotation that takes its base from another model."""
import numpy as np

random = np.random.default_rng(0)
q, k = random.standard_normal((2, 1, 8, 64, 128)).astype("float32")  # batch, heads, tokens, head_dim
positions = np.arange(64)


def rotate(x, base=10000.0):
    inv_freq = base ** (-2 * np.arange(64) / 128)
    angle = positions[:, None] * inv_freq
    a, b = x[..., :64], x[..., 64:]
    y = np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], -1)
    return y.astype("float32")


np.savez("my_rope.npz", q=q, q_rot=rotate(q), k=k, k_rot=rotate(k), positions=positions)
