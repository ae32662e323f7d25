"""The package against formulas in NumPy, and its refusals."""

import json
import pathlib
import struct

import numpy
import pytest

import ropescope

PLAIN = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000.0}


def turned(x, positions, base=10000.0):
    """Half-split rotation of [..., L, D] in float64, from the formula of the paper."""
    half = x.shape[-1] // 2
    angle = numpy.asarray(positions, float)[:, None] * base ** (-numpy.arange(half) / half)
    first, second = x[..., :half].astype(float), x[..., half:].astype(float)
    return numpy.concatenate([first * numpy.cos(angle) - second * numpy.sin(angle),
                              first * numpy.sin(angle) + second * numpy.cos(angle)], axis=-1)


def normal(shape, seed=1):
    return numpy.random.default_rng(seed).standard_normal(shape).astype(numpy.float32)


# Table entries are within 1e-7 and two products and a sum round by 3 x 2^-24 of numbers up to 8.
BOUND = 8 * (2 * 1e-7 + 3 * 2.0**-24)


def test_the_spectrum_is_the_formula_of_the_paper():
    expected = 10000.0 ** (-numpy.arange(8) / 8)
    numpy.testing.assert_allclose(ropescope.spectrum(PLAIN), expected, rtol=1e-15)


def test_a_gguf_file_is_a_configuration(tmp_path):
    keys = {"general.architecture": "llama", "llama.embedding_length": 64, "llama.attention.head_count": 4}
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys))
    for key, value in keys.items():
        data += struct.pack("<Q", len(key)) + key.encode()
        data += (struct.pack("<IQ", 8, len(value)) + value.encode() if isinstance(value, str)
                 else struct.pack("<II", 4, value))
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    numpy.testing.assert_array_equal(ropescope.spectrum(path), ropescope.spectrum(PLAIN))


def test_a_file_a_dict_a_name_and_an_embedding_are_configurations(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(PLAIN))
    for config in (path, str(path), tmp_path, ropescope.load(PLAIN)):
        numpy.testing.assert_array_equal(ropescope.spectrum(config), ropescope.spectrum(PLAIN))
    assert ropescope.spectrum("llama-3.1-8b").shape == (64,)
    assert ropescope.spectrum("qwen2-vl-7b").shape == (64, 3)


def test_the_table_is_cos_and_sin_of_the_angles():
    cos, sin = ropescope.table(PLAIN, 5)
    angle = numpy.arange(5)[:, None] * ropescope.spectrum(PLAIN)
    numpy.testing.assert_allclose(cos, numpy.cos(angle), atol=1e-7)
    numpy.testing.assert_allclose(sin, numpy.sin(angle), atol=1e-7)
    assert ropescope.table("qwen2-vl-7b", numpy.zeros((3, 2)))[0].shape == (2, 64)


def test_rotation_changes_the_array_in_place_and_rotate_a_copy():
    x = normal((2, 4, 5, 16))
    before = x.copy()
    y = ropescope.rotate(x, PLAIN)
    numpy.testing.assert_array_equal(x, before)
    assert ropescope.rotate_(x, PLAIN) is x
    numpy.testing.assert_array_equal(x, y)
    numpy.testing.assert_allclose(x, turned(before, range(5)), atol=BOUND)
    numpy.testing.assert_allclose(ropescope.rotate(x, PLAIN, inverse=True), before, atol=2 * BOUND)


def test_any_order_of_axes_and_any_strides_are_the_same_rotation():
    x = normal((2, 4, 5, 16))
    expected = ropescope.rotate(x, PLAIN, [7, 8, 9, 10, 11])
    blhd = numpy.ascontiguousarray(x.transpose(0, 2, 1, 3))
    ropescope.rotate_(blhd, PLAIN, [7, 8, 9, 10, 11], axes="blhd")
    numpy.testing.assert_array_equal(blhd.transpose(0, 2, 1, 3), expected)
    wide = numpy.full((2, 4, 10, 40), 77, numpy.float32)
    view = wide[:, :, ::2, 8:24]
    view[:] = x
    ropescope.rotate_(view, PLAIN, [7, 8, 9, 10, 11])
    numpy.testing.assert_array_equal(view, expected)
    assert (wide[:, :, 1::2] == 77).all() and (wide[..., :8] == 77).all() and (wide[..., 24:] == 77).all()
    rows = ropescope.rotate(x[0, 0], PLAIN, [7, 8, 9, 10, 11], axes="ld")
    numpy.testing.assert_array_equal(rows, expected[0, 0])


def test_each_batch_may_have_its_positions():
    x = normal((2, 4, 5, 16))
    y = ropescope.rotate(x, PLAIN, [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]])
    numpy.testing.assert_allclose(y[1], turned(x[1], range(5, 10)), atol=BOUND)


def test_half_precision_is_rounded_once():
    x = normal((1, 2, 3, 16)).astype(numpy.float16)
    wide = ropescope.rotate(x.astype(numpy.float32), PLAIN)
    numpy.testing.assert_array_equal(ropescope.rotate(x, PLAIN), wide.astype(numpy.float16))


class LendsNothing:
    """An array whose library raises."""

    def __dlpack__(self):
        raise RuntimeError("two\nlines\x1b[31m")

    def __dlpack_device__(self):
        return 1, 0


@pytest.mark.parametrize("change, words", [
    (lambda x: {"x": x.astype(float)}, "float32, float16 or bfloat16"),
    (lambda x: {"x": x[..., ::2]}, "8 channels"),
    (lambda x: {"x": numpy.broadcast_to(x[:1], x.shape)}, "read-only"),
    (lambda x: {"x": [1.0, 2.0]}, "is not an array"),
    (lambda x: {"x": x, "positions": [1, 2]}, r"positions: shape \[2\]; \[5\] or \[2, 5\]"),
    (lambda x: {"x": x, "positions": "abc"}, "positions: not an array of numbers"),
    (lambda x: {"x": x, "positions": [0, 1, 2, 3, float("nan")]}, "position"),
    (lambda x: {"x": x, "axes": "bld"}, "4 axes, and axes='bld' names 3"),
    (lambda x: {"x": x.transpose(0, 1, 3, 2), "axes": "bhdl"}, "axes"),
    (lambda x: {"x": x, "axes": 5}, "axes: int is not the names of the axes"),
    (lambda x: {"x": x, "threads": 2**31}, "threads: 2147483648; give a number of threads, 0 to 2147483647"),
    (lambda x: {"x": x, "threads": -1}, "threads: -1; give a number of threads"),
    (lambda x: {"x": x, "part": 5}, "part: int is not the name of a part"),
    (lambda x: {"x": x, "seq_len": -1}, "seq_len: -1; give a number"),
    (lambda x: {"x": x, "config": "\ud800"}, "is not text that can be written"),
    (lambda x: {"x": x, "config": {"rope_theta": object()}}, "the config: Object of type object"),
    (lambda x: {"x": numpy.frombuffer(bytearray(x.nbytes + 1), "f4", x.size, 1).reshape(x.shape)}, "give a copy"),
    (lambda x: {"x": LendsNothing()}, r"does not lend its memory: two\\x0alines\\x1b"),
    (lambda x: {"x": x, "config": "llama-3.1-9b"}, "did you mean 'llama-3.1-8b'"),
    (lambda x: {"x": x, "config": {"model_type": "bert"}}, "config"),
])
def test_misuse_is_one_line_that_says_what_to_do(change, words):
    arguments = {"config": PLAIN, **change(normal((2, 4, 5, 16)))}
    with pytest.raises(ValueError, match=words) as raised:
        ropescope.rotate_(**arguments)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("call", [
    lambda: ropescope.rotate(None, PLAIN), lambda: ropescope.rotate_(3, PLAIN),
    lambda: ropescope.table(PLAIN, "x"), lambda: ropescope.table(PLAIN, [[1], [2, 3]]),
    lambda: ropescope.spectrum(None), lambda: ropescope.spectrum(b"x"),
    lambda: ropescope.table(PLAIN, 10**12), lambda: ropescope.table(PLAIN, -1), lambda: ropescope.table(PLAIN, True),
    lambda: ropescope.table(PLAIN, 2.5), lambda: ropescope.table(PLAIN, [10**400]), lambda: ropescope.table(PLAIN, ["1"]),
    lambda: ropescope.load(PLAIN, seq_len=True), lambda: ropescope.load(PLAIN, seq_len=numpy.array([1, 2])),
    lambda: ropescope.probe(None, PLAIN), lambda: ropescope.probe(print, {"a": object()}),
    lambda: ropescope.probe(print, PLAIN, part=5), lambda: ropescope.probe(print, PLAIN, axes=5),
    lambda: ropescope.probe(print, PLAIN, dtypes=5), lambda: ropescope.assert_rope(print, PLAIN, dtype=None),
    lambda: ropescope.probe(lambda q, k, positions, q_norm, k_norm: (q, k), PLAIN, norm="rms", norm_eps="a"),
    lambda: ropescope.diagnose(q=normal((1, 2, 3, 16)), q_rot=normal((1, 2, 3, 16)), axes=5),
    lambda: ropescope.diagnose(q=normal((1, 2, 3, 16)), q_rot=normal((1, 2, 3, 16)), norm=5),
    lambda: ropescope.diagnose(q=normal((1, 2, 3, 16)), q_rot=normal((1, 2, 3, 16)), positions=["0", "1", "2"]),
])
def test_values_of_another_type_are_refused_in_one_line(call):
    with pytest.raises(ValueError) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_an_array_that_may_not_be_written_to_is_rotated_as_a_copy():
    x = normal((2, 4, 5, 16))
    expected = ropescope.rotate(x, PLAIN)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ropescope.rotate_(x, PLAIN)
    numpy.testing.assert_array_equal(ropescope.rotate(x, PLAIN), expected)


def test_a_model_in_several_axes_needs_positions_in_each():
    x = normal((1, 2, 3, 128))
    with pytest.raises(ValueError, match="3 axes"):
        ropescope.rotate(x, "qwen2-vl-7b")
    text = ropescope.rotate(x, "qwen2-vl-7b", numpy.tile(numpy.arange(3), (3, 1)))
    base = ropescope.load("qwen2-vl-7b")
    assert base.axes == ["t", "h", "w"]
    numpy.testing.assert_allclose(text, turned(x, range(3), 1e6), atol=BOUND)


def test_the_hints_for_types_name_what_the_package_has():
    hints = pathlib.Path(ropescope.__file__).with_suffix(".pyi").read_text()
    for name in ropescope.__all__:
        assert name in hints, name
