"""Rotary position embedding (RoPE) as published models use it.

A configuration is a path to a config.json (or to the folder that holds it), the name of a model that
ropescope knows ("llama-3.1-8b", "qwen2-vl-7b"), a dict with the keys of a config.json, or an Embedding
that load() made of one of these.

Tensors are arrays of NumPy, PyTorch or any library that lends its memory through the buffer protocol
or DLPack: float32, float16 or bfloat16, of any strides whose last axis is dense. `axes` names their
axes in order: b (batch), h (head), l (position), d (channel of a head).

diagnose() says what an implementation does from its tensors, capture() watches a model of PyTorch while it runs,
probe() asks a function, and assert_rope() holds a function to a configuration in a test.
"""

import numpy

from . import _ropescope
from ._config import load, require
from ._captured import CaptureReport
from ._ropescope import Embedding, __version__
from .capture import Capture, capture
from .diagnosis import Diagnosis, Finding, Mismatch, diagnose
from .probing import ProbeReport, RequestResult, probe
from .testing import assert_rope

__all__ = ["Capture", "CaptureReport", "Diagnosis", "Embedding", "Finding", "Mismatch", "ProbeReport", "RequestResult",
           "assert_rope", "capture", "diagnose", "load", "probe", "rotate", "rotate_", "spectrum", "table",
           "__version__"]


def spectrum(config, **choice):
    """Returns the frequencies (inv_freq) in radians for each position: an array [pairs] for a model
    in one axis, [pairs, axes] for several, [heads, pairs, axes] where heads differ. `choice` goes to
    load()."""
    omega = load(config, **choice).omega
    if omega.shape[0] > 1:
        return omega
    return omega[0, :, 0] if omega.shape[2] == 1 else omega[0]


def table(config, positions, **choice):
    """Returns (cos, sin), float32 [tokens, pairs] each ([heads, tokens, pairs] where heads differ),
    times the attention factor.

    positions: a number of tokens n, which means 0 .. n - 1, or an array [tokens], for a model in
        several axes [axes, tokens]. Whole or not, of any sign, up to 2^20 in magnitude.
    """
    try:
        if numpy.ndim(positions) == 0:
            positions = numpy.arange(positions)
        positions = numpy.asarray(positions, dtype=numpy.float64)
    except (TypeError, ValueError):
        raise ValueError("positions: not an array of numbers; give a number of tokens or one position for each") from None
    return _ropescope.table(load(config, **choice), positions)


def rotate_(x, config, positions=None, *, axes="bhld", inverse=False, threads=0, **choice):
    """Turns queries or keys in place and returns x.

    positions: [L] or [B, L]; for a model in several axes [axes, L] or [axes, B, L]; None for 0 ..
        L - 1 of a model in one axis.
    inverse: by the negative angles, which is what a gradient needs.
    threads: 0 for one for each processor.

    Raises ValueError, before anything is written, if the tensor or the positions do not fit, if the
    memory may not be written to, and for a tensor that takes part in a gradient.
    """
    require("axes", axes, str, "the names of the axes in order")
    require("threads", threads, int, "a number of threads")
    if not 0 <= threads < 2**31:
        raise ValueError(f"threads: {threads}; give 0 for one for each processor, or a number of them")
    _ropescope.rotate_(load(config, **choice), x, positions, axes, bool(inverse), threads)
    return x


def rotate(x, config, positions=None, **arguments):
    """Returns what rotate_() makes of a copy of x. An array of JAX comes back as one of NumPy."""
    if type(x).__module__.startswith("jax"):
        copy = numpy.array(x)
    elif hasattr(x, "clone") or hasattr(x, "copy"):
        copy = x.clone() if hasattr(x, "clone") else x.copy()
    else:
        raise ValueError(f"x: {type(x).__name__} is not an array; give one of NumPy, PyTorch or another library with DLPack")
    return rotate_(copy, config, positions, **arguments)
