#!/usr/bin/env python3
"""rotate_() of the Python package over the engine called from C++, on the same 64 MiB in one process.

Not part of the tests. Run from the repository's root by Debian's python3 after ./test.sh python:

    cmake --build --preset release --target engine_for_python
    PYTHONPATH=build/release/python tests/bench/python_rotation.py

Each turn calls both sides once, in changing order, on an array [1, 32, 4096, 128] of float32. Both make the table of
their positions anew. A line is the median time of each side and the median of the ratios of all turns, for the wall
clock and for processor time, which a busy machine disturbs least.
"""

import ctypes
import pathlib
import statistics
import time

import numpy

import ropescope

TURNS, HEADS, LENGTH, CHANNELS = 201, 32, 4096, 128
LIBRARY = pathlib.Path("build/release/tests/libengine_for_python.so")


def timed(call):
    """Seconds by the wall clock and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - processor


def compare(name, ours, engine):
    ours(), engine()
    turns = []
    for turn in range(TURNS):
        if turn % 2:
            second = timed(engine)
            turns.append((timed(ours), second))
        else:
            first = timed(ours)
            turns.append((first, timed(engine)))
    for i, clock in enumerate(("wall clock", "processor time")):
        own, cpp = ([turn[side][i] for turn in turns] for side in (0, 1))
        ratio = statistics.median(a / b for a, b in zip(own, cpp))
        print(f"{name}, {clock}: {1e3 * statistics.median(own):.1f} ms over {1e3 * statistics.median(cpp):.1f} ms, "
              f"ratio {ratio:.3f}; fastest tenth {sorted(own)[TURNS // 10] / sorted(cpp)[TURNS // 10]:.3f}")


def main():
    engine = ctypes.CDLL(str(LIBRARY.resolve())).engine_rotate
    engine.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64]
    x = numpy.random.default_rng(1).standard_normal((1, HEADS, LENGTH, CHANNELS)).astype(numpy.float32)
    y = x.copy()
    ropescope.rotate_(x, "llama-3-8b")
    engine(y.ctypes.data, HEADS, LENGTH, CHANNELS)
    assert (x == y).all(), "both sides turn alike"
    embedding = ropescope.load("llama-3-8b")

    def by_engine():
        engine(x.ctypes.data, HEADS, LENGTH, CHANNELS)
    compare("rotate_(x, embedding)", lambda: ropescope.rotate_(x, embedding), by_engine)
    compare("rotate_(x, name)", lambda: ropescope.rotate_(x, "llama-3-8b"), by_engine)


if __name__ == "__main__":
    main()
