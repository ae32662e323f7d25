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

from . import _given, _ropescope
from ._config import load
from ._captured import CaptureReport
from ._ropescope import Embedding, __version__
from .capture import Capture, capture
from .diagnosis import Diagnosis, Finding, Mismatch, diagnose
from .probing import ProbeReport, RequestResult, probe
from .testing import assert_rope

#: A table has a row for each position from 0 to 2^20 at most.
_MOST_TOKENS = 2**20 + 1

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
    if hasattr(positions, "__index__") and not getattr(positions, "shape", ()):
        positions = numpy.arange(_given.whole("positions", positions, 0, _MOST_TOKENS, "a number of tokens"))
    else:
        positions = _given.array_of_numbers("positions", positions, "give a number of tokens or one position for each")
        if positions.ndim == 0:
            raise ValueError(f"positions: {positions}; give a whole number of tokens or one position for each")
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
    _given.text("axes", axes, "the names of the axes in order")
    threads = _given.whole("threads", threads, 0, 2**31 - 1, "a number of threads")
    if positions is not None:
        positions = _given.array_of_numbers("positions", positions, "give one for each token, for example a list")
    _ropescope.rotate_(load(config, **choice), x, positions, axes, bool(inverse), threads)
    return x


def rotate(x, config, positions=None, **arguments):
    """Returns what rotate_() makes of a copy of x. An array of JAX comes back as one of NumPy."""
    copies = getattr(x, "clone", None) or getattr(x, "copy", None)
    if type(x).__module__.startswith("jax"):
        copy = numpy.array(x)
    elif callable(copies) and not isinstance(x, type):
        copy = copies()
    else:
        raise ValueError(f"x: {type(x).__name__} is not an array; give one of NumPy, PyTorch or another library with DLPack")
    return rotate_(copy, config, positions, **arguments)
