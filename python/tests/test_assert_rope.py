"""assert_rope() on right functions, and on wrong ones, whose message must say what is wrong."""

import pathlib
import subprocess
import sys

import numpy
import pytest

import ropescope
from implementations import CONFIG, half_split, interleaved, turned_half_split

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def message_of(fn, config=CONFIG, **arguments):
    with pytest.raises(AssertionError) as raised:
        ropescope.assert_rope(fn, config, **arguments)
    return str(raised.value)


def in_order(axes):
    """half_split for tensors in that order of axes."""
    def fn(q, k, positions):
        have = "bhld" if "b" in axes else "hld"
        there, back = [axes.index(axis) for axis in have], [have.index(axis) for axis in axes]
        rows = positions if "b" in axes else positions[None]
        turned = [turned_half_split(x.transpose(there).reshape((len(rows), -1, *x.transpose(there).shape[-2:])), rows)
                  for x in (q, k)]
        return tuple((y if "b" in axes else y[0]).transpose(back) for y in turned)
    return fn


def test_a_right_function_passes_in_every_dtype_and_order_of_axes():
    for dtype in ("float64", "float32", "float16", numpy.float32, numpy.dtype("float16")):
        ropescope.assert_rope(half_split, CONFIG, dtype=dtype)
    for axes in ("bhld", "blhd", "lbhd", "hld", "lhd"):
        ropescope.assert_rope(in_order(axes), CONFIG, axes=axes)


@pytest.mark.parametrize("name", ["llama-3-8b", "llama-3.1-8b", "gpt-j-6b", "qwen2-vl-7b", "gpt-oss-20b"])
def test_the_rotation_of_this_package_passes_for_published_models(name):
    def own(q, k, positions):
        return tuple(ropescope.rotate(x, name, positions) for x in (q, k))
    ropescope.assert_rope(own, name)


def test_frequencies_that_do_not_follow_the_length_are_told():
    def rotated(q, k, positions, length=0):
        return tuple(ropescope.rotate(x, "phi-3-mini-128k", positions, seq_len=length) for x in (q, k))
    assert ("rotated does not turn as phi-3-mini-128k says: In this call, the frequencies were those of another length "
            "of the sequence." in message_of(rotated, "phi-3-mini-128k"))
    ropescope.assert_rope(lambda q, k, p: rotated(q, k, p, int(p.max()) + 1), "phi-3-mini-128k")


@pytest.mark.parametrize("fn, sentence", [
    (lambda q, k, p: half_split(q, k, p, base=10000.0), "says: base 10000, expected 500000."),
    (interleaved, "says: layout interleaved, expected half-split."),
    (lambda q, k, p: (turned_half_split(q, p), k), "says: k is not rotated, and q is."),
    (lambda q, k, p: (turned_half_split(q, p), turned_half_split(k, -p)), "says: k turns the other way than q."),
    (lambda q, k, p: half_split(q, k, p * 0), "says: "),
    (lambda q, k, p: half_split(q, k, numpy.minimum(p, 4095)), "says: "),
])
def test_a_wrong_function_fails_with_a_sentence(fn, sentence):
    lines = message_of(fn).split("\n")
    assert lines[0].startswith(f"{fn.__name__} does not turn as the config says: ") and sentence in lines[0]
    assert lines[0].endswith(".") and lines[1].startswith("  asked with numpy float32 bhld: ")
    assert lines[3].startswith("    shown by request ")


def test_a_table_that_ends_is_shown_by_the_request_around_its_end():
    message = message_of(lambda q, k, p: half_split(q, k, numpy.minimum(p, 4095)))
    assert "The table ends at 4095: positions from 4096 on turn as position 4095 does." in message
    assert "positions.clamped" in message and ", around 4096: " in message


def test_arguments_that_are_overwritten_are_told_unless_that_is_meant():
    def fn(q, k, positions):
        return tuple(ropescope.rotate_(x, CONFIG, positions) for x in (q, k))
    message = message_of(fn)
    assert message.startswith("fn turns as the config says, but: The call overwrites q: ")
    assert "inputs.changed (k)" in message and "in_place=True" in message
    ropescope.assert_rope(fn, CONFIG, in_place=True)


def test_an_answer_that_depends_on_the_calls_before_is_told():
    calls = []

    def fn(q, k, positions):
        calls.extend([1] if q.shape[:3] == (2, 4, 24) else [])  # no other trial or request has this shape
        return half_split(q, k, positions + (len(calls) == 2))
    assert "answer.changes (q): A second call with the same arguments gives another q_rot" in message_of(fn)


def test_answers_in_one_memory_are_told():
    memory = {}

    def fn(q, k, positions):
        for name, y in zip(("q", "k"), half_split(q, k, positions)):
            memory.setdefault((name, y.shape), numpy.empty_like(y))[...] = y
        return memory["q", q.shape], memory["k", k.shape]
    assert "answer.overwritten (q): A later call overwrites q_rot of an earlier one" in message_of(fn)


def test_code_that_does_not_go_by_strides_is_told():
    def fn(q, k, positions):
        def dense(x):
            """Reads the memory from the first element on, as a kernel does that is given a pointer only."""
            if x.flags.c_contiguous:
                return x
            return numpy.lib.stride_tricks.as_strided(x.base if x.base.ndim == 1 else x.base.reshape(-1),
                                                      x.shape, numpy.empty(x.shape, x.dtype).strides)
        return half_split(dense(q), dense(k), positions)
    assert "views.differ (q): With q and k as views of one larger array" in message_of(fn)

    def refuses(q, k, positions):
        assert q.flags.c_contiguous and k.flags.c_contiguous
        return half_split(q, k, positions)
    ropescope.assert_rope(refuses, CONFIG)


def test_answers_that_differ_by_rounding_alone_are_the_same():
    def fn(q, k, positions):
        if q.flags.c_contiguous:
            return half_split(q, k, positions)
        half = q.shape[-1] // 2  # another order of operations, in float32
        angle = positions[:, None, :, None] * 500000.0 ** (-numpy.arange(half) / half)
        cos, sin = numpy.cos(angle).astype("f4"), numpy.sin(angle).astype("f4")
        return tuple(numpy.concatenate([x[..., :half] * cos - x[..., half:] * sin,
                                        x[..., half:] * cos + x[..., :half] * sin], axis=-1) for x in (q, k))
    ropescope.assert_rope(fn, CONFIG)


def test_a_gradient_that_is_not_the_inverse_rotation_is_told():
    def vjp(sign):
        return lambda q, k, positions, dq, dk: half_split(dq, dk, sign * positions)
    ropescope.assert_rope(half_split, CONFIG, vjp=vjp(-1))
    ropescope.assert_rope(half_split, CONFIG, vjp=vjp(-1), dtype="float16")
    message = message_of(half_split, vjp=vjp(+1))
    assert "gradient (q): The gradient of q is not the inverse rotation" in message
    assert "gradient (k)" in message


@pytest.mark.parametrize("arguments, words", [
    ({"fn": lambda q, k, p: q}, "returned ndarray; \\(q_rot, k_rot\\)"),
    ({"fn": lambda q, k, p: (q, 1.0)}, "k_rot is of type float"),
    ({"axes": "bhl"}, "axes: 'bhl'"),
    ({"axes": "bhdl"}, "axes: 'bhdl'"),
    ({"dtype": "int8"}, "dtype: int8; give one of float64"),
    ({"arrays": "tensorflow"}, "arrays: 'tensorflow'"),
    ({"config": None}, "config: None"),
    ({"config": "no-such-model"}, "no-such-model"),
])
def test_misuse_is_one_line_that_says_what_to_do(arguments, words):
    with pytest.raises(ValueError, match=words) as raised:
        ropescope.assert_rope(**{"fn": half_split, "config": CONFIG, **arguments})
    assert "\n" not in str(raised.value)


def test_what_the_function_raises_is_told_and_kept():
    def fn(q, k, positions):
        raise RuntimeError("no kernel")
    with pytest.raises(AssertionError, match="The implementation refuses: RuntimeError: no kernel") as raised:
        ropescope.assert_rope(fn, CONFIG)
    assert isinstance(raised.value.__cause__, RuntimeError)
    message = message_of(lambda q, k, p: (q[:, :1], k))
    assert "answer.shape (q_rot): q_rot has shape [1, 1, 1, 64]; [1, 2, 1, 64] is expected." in message


def test_the_example_of_the_docs_fails_with_the_sentence():
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                          ROOT / "docs/verify/test_my_rope.py"], capture_output=True, text=True)
    assert run.returncode == 1, run.stdout
    page = (ROOT / "docs/library.md").read_text()
    shown = page[page.index("AssertionError: "):].split("\n```")[0]
    assert "my_rope does not turn as llama-3-8b says: layout interleaved, expected half-split." in shown
    assert shown in run.stdout.replace("\nE       ", "\n")  # the margin of pytest


def test_a_dtype_that_numpy_lacks_is_no_finding_about_the_code(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)  # as if it were not installed
    with pytest.raises(ValueError, match="ml_dtypes only"):
        ropescope.assert_rope(half_split, CONFIG, dtype="bfloat16")
