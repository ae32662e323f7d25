"""Random calls of the public functions: each gives a result, or a ValueError of one line, and a refusal writes nothing."""

import os
import random
import time

import numpy
import pytest

import ropescope

SECONDS = 8
PLAIN = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000.0}
WRONG = [None, True, -1, 3, 2.5, 10**12, 10**400, float("nan"), float("inf"), "", "x", "\ud800", "a\nb\x1b[31m", b"x", object(), [], {},
         [[1], [2, 3]], 1j, numpy.float32(2), numpy.int8(-1), numpy.bool_(True), numpy.array(2), numpy.array([1, 2]), int, len,
         numpy.array(["2020"], "M8[D]"), [10**400], ["1"], {"rope_theta": -1}, {(1, 2): 3}, {"a": object()}]
CONFIGS = [PLAIN, {**PLAIN, "rope_theta": 1e300}, {**PLAIN, "max_position_embeddings": 64, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, "llama-2-7b",
           "qwen2-vl-7b", ropescope.load(PLAIN)]
DTYPES = [*["f4"] * 20, *["f2"] * 5, "f8", ">f4", "i4", "u1", "c8", "?", "O", "U3", "M8[s]"]


class Draw:
    """Random arguments."""

    def __init__(self, seed):
        self.random, self.numpy = random.Random(seed), numpy.random.default_rng(seed)

    def one_of(self, *values):
        return self.random.choice(values)

    def often(self, share=0.8):
        return self.random.random() < share

    def shape(self):
        if self.often():
            return (self.one_of(1, 2), self.one_of(1, 4), self.one_of(0, 1, 5, 40), self.one_of(*[16] * 12, 128, 15, 0))
        return tuple(self.one_of(0, 1, 2, 5, 16) for _ in range(self.random.randrange(6)))

    def array(self):
        """Of any dtype, strides and alignment."""
        shape, dtype = self.shape(), self.one_of(*DTYPES)
        size = int(numpy.prod(shape))
        values = self.numpy.standard_normal(size)
        if size and self.often(0.2):
            values[self.random.randrange(size)] = self.one_of(float("nan"), float("inf"), 1e30)
        try:
            with numpy.errstate(all="ignore"):
                x = values.astype(dtype).reshape(shape)
        except (TypeError, ValueError, OverflowError):
            x = numpy.zeros(shape, dtype)
        return self.changed(x)

    def changed(self, x):
        kind = self.random.randrange(25)
        if kind == 0 and x.ndim:
            return x[..., ::2]
        if kind == 1:
            return x.T
        if kind == 2 and x.ndim:
            return x[::-1]
        if kind == 3 and x.ndim:
            return numpy.broadcast_to(x[:1], x.shape)
        if kind == 4:
            x.flags.writeable = False
        if kind == 5 and x.dtype.kind in "fiuc" and x.nbytes:
            return numpy.frombuffer(bytearray(x.nbytes + 1), x.dtype, x.size, 1).reshape(x.shape)
        if kind == 6:
            return numpy.asfortranarray(x)
        if kind == 7:
            return numpy.ma.masked_array(x)
        return x

    def positions(self, x):
        tokens = x.shape[2] if isinstance(x, numpy.ndarray) and x.ndim == 4 else self.random.randrange(4)
        kind = self.random.randrange(16)
        if kind == 0:
            return self.one_of(*WRONG)
        if kind == 1:
            return [self.one_of(0, -5, 0.5, 2.0**20, 2.0**21, float("nan"), -float("inf"), 10**30) for _ in range(tokens)]
        if kind == 2:
            return self.changed(numpy.arange(3 * tokens).reshape(3, tokens))
        return self.changed(numpy.arange(tokens)) if kind < 9 else None

    def options(self, **usual):
        """Some of the arguments, mostly as they should be."""
        return {name: values[self.random.randrange(len(values))] if self.often(0.9) else self.one_of(*WRONG)
                for name, values in usual.items() if self.often(0.3)}

    def config(self):
        return self.one_of(PLAIN, PLAIN, *CONFIGS) if self.often(0.9) else self.one_of(*WRONG)


def rotation(draw):
    x = draw.array() if draw.often(0.9) else draw.one_of(*WRONG)
    choice = draw.options(axes=["bhld", "blhd", "bhdl", "hld", "bbbb"], inverse=[True, False], threads=[0, 1, 3], part=["", "text"],
                          seq_len=[0, 9], layer_type=[""])
    call = draw.one_of(ropescope.rotate_, ropescope.rotate)
    return [x], lambda: call(x, draw.config(), draw.positions(x), **choice)


def table(draw):
    return [], lambda: ropescope.table(draw.config(), draw.positions(None), **draw.options(part=[""], seq_len=[0, 8]))


def frequencies(draw):
    return [], lambda: ropescope.spectrum(draw.config(), **draw.options(part=["", "text", "vision"], layer_type=["", "full_attention"]))


def diagnosis(draw):
    q, k = draw.array(), draw.array()
    given = {"q": q, "k": k}
    for name, before in (("q_rot", q), ("k_rot", k)):
        try:
            given[name] = ropescope.rotate(before, PLAIN)
        except ValueError:
            given[name] = draw.array()
    given = {name: value for name, value in given.items() if draw.often(0.95)}
    names = {"axes": ["", "bhld", "blhd", "zz"], "position_axes": ["", "bl"], "norm": ["rms", "l2"], "norm_eps": [0, 1e-6],
             "norm_order": ["before", "after"], "q_norm": [numpy.ones(16, "f4")], "scores": [None, numpy.zeros((1, 1, 5, 5), "f4")],
             "expect": [None, *CONFIGS], "q_scale": [None, 1, numpy.ones(1)], "v": [None, q]}
    choice = draw.options(**names) if draw.often(0.5) else {}
    told = draw.positions(q) if draw.often(0.3) else None
    return list(given.values()), lambda: ropescope.diagnose(**given, positions=told, **choice)


def bytes_of(x):
    return x.tobytes() if isinstance(x, numpy.ndarray) and x.dtype.kind != "O" else repr(x)


def held(call, arrays, may_write):
    """The refusal, or None."""
    before = [bytes_of(x) for x in arrays]
    try:
        call()
    except ValueError as error:
        said = str(error)
        assert said and all(letter.isprintable() for letter in said) and len(said) < 2000, repr(said)
        assert [bytes_of(x) for x in arrays] == before, f"refused and written: {said}"
        return said
    if not may_write:
        assert [bytes_of(x) for x in arrays] == before, "written"
    return None


@pytest.mark.filterwarnings("ignore")
def test_every_call_gives_a_result_or_is_refused_in_one_line_and_then_writes_nothing():
    seed = int(os.environ.get("ROPESCOPE_SEED") or time.time_ns() % 10**9)
    end, calls, refused = time.monotonic() + SECONDS, 0, 0
    while time.monotonic() < end:
        draw = Draw(seed + calls)
        kind = draw.one_of(rotation, rotation, table, frequencies, diagnosis)
        arrays, call = kind(draw)
        try:
            refused += held(call, arrays, may_write=kind is rotation) is not None
        except Exception as error:
            raise AssertionError(f"{kind.__name__}: {type(error).__name__}: {error}; repeat with ROPESCOPE_SEED={seed + calls}") from error
        calls += 1
    assert 0.05 * calls < refused < 0.95 * calls, f"{refused} of {calls} calls are refused; ROPESCOPE_SEED={seed}"
