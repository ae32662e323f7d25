"""What diagnose() says of tensors in memory, and its refusals."""

import json
import subprocess

import numpy
import pytest

import ropescope
from implementations import CONFIG, half_split, interleaved

LENGTH = 40


def dumped(rotation=half_split, dtype=numpy.float32, seed=3):
    """q [2, 4, L, D] and k [2, 2, L, D] before and after a rotation from position 0 on."""
    random = numpy.random.default_rng(seed)
    q = random.standard_normal((2, 4, LENGTH, 64)).astype(dtype)
    k = random.standard_normal((2, 2, LENGTH, 64)).astype(dtype)
    q_rot, k_rot = rotation(q, k, numpy.arange(LENGTH)[None])
    return {"q": q, "q_rot": q_rot, "k": k, "k_rot": k_rot}


def test_a_right_implementation_passes_and_its_numbers_are_told():
    found = ropescope.diagnose(**dumped(), expect=CONFIG)
    assert found.passed and found.verdict == "valid" and not found.mismatches
    assert (found.layout, found.rotary_dim, found.sign, found.table_dtype) == ("half_split", 64, 1, "float32")
    assert found.base == pytest.approx(500000, rel=1e-6)
    numpy.testing.assert_allclose(found.inv_freq, ropescope.spectrum(CONFIG), rtol=1e-5)
    assert str(found).startswith("valid: ") and json.loads(found.json())["verdict"] == "valid"


def test_a_fault_has_its_code_and_a_sentence():
    tensors = dumped()
    tensors["k_rot"] = tensors["k"]
    found = ropescope.diagnose(**tensors)
    assert found.verdict == "invalid" and not found.passed
    assert found.findings[0].code == "k.unrotated" and found.findings[0].where == "k"
    assert "k.unrotated" in found.codes() and found.reason() == "invalid: k is not rotated, and q is."


def test_each_difference_from_a_config_is_a_mismatch(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    wrong = dumped(lambda q, k, p: interleaved(q, k, p, base=10000.0))
    for config in (CONFIG, path, str(path), ropescope.load(CONFIG)):
        found = ropescope.diagnose(**wrong, expect=config)
        assert [each.what for each in found.mismatches] == ["layout", "base"]
        assert found.reason() == "layout interleaved, expected half-split; base 10000, expected 500000."
        assert (found.mismatches[1].expected, found.mismatches[0].found) == (500000.0, "interleaved")


def test_the_json_is_that_of_the_command(tmp_path, program):
    tensors = dumped(lambda q, k, p: half_split(q, k, p, base=10000.0))
    numpy.savez(tmp_path / "dump.npz", **tensors)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    run = subprocess.run([program, "diagnose", tmp_path / "dump.npz", "--axes", "bhld", "--expect", path,
                          "--format", "json"], capture_output=True, text=True)
    assert run.returncode == 1
    assert ropescope.diagnose(**tensors, axes="bhld", expect=path).json() == run.stdout


def test_any_strides_are_read_and_nothing_is_written():
    tensors = dumped()
    expected = ropescope.diagnose(**tensors, axes="bhld").json()
    blhd = {name: numpy.ascontiguousarray(x.transpose(0, 2, 1, 3)) for name, x in tensors.items()}
    views = {name: x.transpose(0, 2, 1, 3) for name, x in blhd.items()}
    assert ropescope.diagnose(**views, axes="bhld").json() == expected
    assert ropescope.diagnose(**blhd).tensor_axes == "blhd"
    wide = {name: numpy.zeros(x.shape[:-1] + (2 * x.shape[-1],), x.dtype) for name, x in tensors.items()}
    for name, x in tensors.items():
        wide[name][..., ::-2] = x
        wide[name].flags.writeable = False
    assert ropescope.diagnose(**{n: x[..., ::-2] for n, x in wide.items()}, axes="bhld").json() == expected


def test_positions_are_any_array_of_numbers_and_may_differ_between_q_and_k():
    tensors = dumped(lambda q, k, p: half_split(q, k, p + 100))
    at = numpy.arange(100, 100 + LENGTH)
    for positions in (at, list(at), numpy.stack([at, at]).astype(numpy.int32)):
        assert ropescope.diagnose(**tensors, positions=positions, expect=CONFIG).passed
    found = ropescope.diagnose(**tensors, q_positions=at, k_positions=at - 1, expect=CONFIG)
    assert "positions.qk_offset" in found.codes()


def test_scores_show_their_scale():
    tensors = dumped()
    keys = numpy.repeat(tensors["k_rot"], 2, axis=1)
    scores = tensors["q_rot"] @ keys.transpose(0, 1, 3, 2)
    assert ropescope.diagnose(**tensors, scores=scores / 8).verdict == "valid"
    assert "softmax.scale" in ropescope.diagnose(**tensors, scores=scores).codes()


def test_frequencies_of_another_length_are_a_mismatch():
    q = numpy.random.default_rng(3).standard_normal((1, 3, LENGTH, 96)).astype(numpy.float32)
    at = numpy.arange(5000, 5000 + LENGTH)
    short, long = (ropescope.rotate(q, "phi-3-mini-128k", at, seq_len=length) for length in (4096, 5000 + LENGTH))
    found = ropescope.diagnose(q=q, q_rot=short, positions=at, axes="bhld", expect="phi-3-mini-128k")
    assert found.reason() == ("the spectrum is not the one for a sequence of 5040 positions: the frequencies of this "
                              "model depend on the length.")
    assert ropescope.diagnose(q=q, q_rot=long, positions=at, axes="bhld", expect="phi-3-mini-128k").passed


def test_float64_and_float16_are_read():
    for dtype in (numpy.float64, numpy.float16):
        assert ropescope.diagnose(**dumped(dtype=dtype), expect=CONFIG).passed


def test_bfloat16_of_numpy_is_read():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    tensors = {name: x.astype(bfloat16) for name, x in dumped().items()}
    assert ropescope.diagnose(**tensors, expect=CONFIG).passed


class EightBits:
    """Names a dtype that NumPy does not have, and gives its bits, as arrays of ml_dtypes and JAX do."""

    def __init__(self, bits):
        self.bits = bits
        self.dtype = "float8_e4m3fn"

    def __array__(self):
        return self.bits


def e4m3(x):
    """The bits of the nearest number of FP8, of numbers up to 448: a table of all of them."""
    step = numpy.arange(8) / 8
    positive = numpy.concatenate([step / 64] + [(1 + step) * 2.0 ** (e - 7) for e in range(1, 16)])[:127]
    place = numpy.argmin(numpy.abs(numpy.abs(x)[..., None] - positive), axis=-1)
    return (place + 128 * (x < 0)).astype(numpy.uint8)


def test_eight_bits_are_read_with_their_scales():
    q, q_rot = (dumped()[name] for name in ("q", "q_rot"))
    scale = numpy.abs(q_rot).max(axis=-1, keepdims=True) / 127
    whole = numpy.round(q_rot / scale).astype(numpy.int8)
    asked = {"q": q, "axes": "bhld", "expect": CONFIG}
    assert ropescope.diagnose(q_rot=whole, q_rot_scale=scale, **asked).passed
    assert not ropescope.diagnose(q_rot=whole, q_rot_scale=1.1 * scale, **asked).passed
    largest = float(numpy.abs(q_rot).max()) / 448
    found = ropescope.diagnose(q_rot=EightBits(e4m3(q_rot / largest)), q_rot_scale=largest, **asked)
    assert found.passed
    assert any(each.text.startswith("q_rot is FP8 (e4m3) with a scale for the tensor") for each in found.findings)
    assert not ropescope.diagnose(q_rot=EightBits(e4m3(q_rot / largest)), **asked).passed
    with pytest.raises(ValueError, match="float8 or int8 is expected"):
        ropescope.diagnose(q_rot=whole.astype(numpy.uint8), **asked)
    with pytest.raises(ValueError, match="float32, float16 or bfloat16 is expected"):
        ropescope.rotate_(whole, CONFIG)


class Lender:
    """Lends memory by DLPack only and may not be written to, as arrays of JAX do."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()


def test_arrays_that_lend_their_memory_by_dlpack_alone_are_read(monkeypatch):
    tensors = dumped()
    lent = {name: Lender(x) for name, x in tensors.items()}
    expected = ropescope.diagnose(**tensors, axes="bhld").json()
    assert ropescope.diagnose(**lent, axes="bhld").json() == expected
    monkeypatch.setattr(Lender, "__module__", "jaxlib.xla_extension")
    assert ropescope.diagnose(**lent, axes="bhld").json() == expected
    with pytest.raises(ValueError, match="x: Lender is immutable in JAX"):
        ropescope.rotate_(lent["q"], CONFIG)


def test_one_side_is_enough():
    q = {name: x for name, x in dumped().items() if name.startswith("q")}
    assert ropescope.diagnose(**q, axes="bhld", expect=CONFIG).passed


def test_a_norm_beside_the_rotation_is_held_to_its_weights():
    given = {side: dumped()[side] for side in "qk"}
    weights = {side: numpy.linspace(0.5, 1.5, 64, dtype=numpy.float32) for side in "qk"}
    normed = {}
    for side in "qk":
        x = given[side].astype(numpy.float64)
        normed[side] = (x * weights[side] / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)).astype(numpy.float32)
    q_rot, k_rot = half_split(normed["q"], normed["k"], numpy.arange(LENGTH)[None])
    fused = {**given, "q_rot": q_rot, "k_rot": k_rot}
    norms = {"q_norm": weights["q"], "k_norm": weights["k"]}
    assert ropescope.diagnose(**fused, **norms, axes="bhld", norm_eps=1e-5, expect=CONFIG).passed
    report = ropescope.diagnose(**fused, **norms, axes="bhld", expect=CONFIG)
    assert not report.passed and report.faults[0].code == "norm.eps"
    with pytest.raises(ValueError, match="norm: kind 'mean'"):
        ropescope.diagnose(**fused, norm="mean")


def test_numbers_that_are_not_finite_are_a_finding_with_their_map():
    tensors = dumped()
    tensors["q_rot"] = tensors["q_rot"].copy()
    tensors["q_rot"][1, 2, 30:, 3] = numpy.nan
    report = ropescope.diagnose(**tensors, axes="bhld", expect=CONFIG)
    assert not report.passed and report.faults[0].code == "values.not_finite"
    (found,) = report.not_finite
    assert found["tensor"] == "q_rot" and found["first"]["token"] == 30 and found["pairs"] == [[3, 3]]
    assert not ropescope.diagnose(**dumped(), axes="bhld", expect=CONFIG).not_finite


@pytest.mark.parametrize("change, words", [
    (lambda t: {"q_rot": None}, "diagnose: q without q_rot; .* give both q and q_rot"),
    (lambda t: dict.fromkeys(t), "neither q and q_rot nor k and k_rot"),
    (lambda t: {"k": t["k"][..., :-1]}, "both are expected alike"),
    (lambda t: {"k": t["k"].astype(int)}, "k: ndarray holds values of format 'l'; float64, float32"),
    (lambda t: {"k": "abc"}, "k: str is not an array"),
    (lambda t: {"axes": "hld"}, r"q: shape \[2, 4, 40, 64\], and axes 'hld' names 3"),
    (lambda t: {"axes": "bhdl"}, "axes"),
    (lambda t: {"positions": [1, 2]}, "one position for each token"),
    (lambda t: {"positions": "abc"}, "positions: not an array of numbers"),
    (lambda t: {"positions": 5}, r"positions: shape \[\]; \[L\], \[B, L\]"),
    (lambda t: {"positions": numpy.zeros((2, LENGTH)), "position_axes": "abl"}, "position_axes"),
    (lambda t: {"scores": t["q"]}, "scores"),
    (lambda t: {"expect": "no-such-model"}, "no-such-model"),
    (lambda t: {"expect": {"model_type": "bert"}}, "config"),
])
def test_misuse_is_one_line_that_says_what_to_do(change, words):
    tensors = dumped()
    with pytest.raises(ValueError, match=words) as raised:
        ropescope.diagnose(**{**tensors, **change(tensors)})
    assert "\n" not in str(raised.value) and "--" not in str(raised.value)


def test_what_was_inferred_about_the_model_is_said_first():
    unknown = {**CONFIG, "model_type": "made_up_in_a_test"}
    said = ropescope.load(unknown).inferred
    assert "made_up_in_a_test" in said and "half-split" in said
    found = ropescope.diagnose(**dumped(), expect=unknown)
    assert found.inferred == said and found.passed
    assert str(found).startswith("INFERRED, not known")
    assert ropescope.load(CONFIG).inferred == "" == ropescope.diagnose(**dumped(), expect=CONFIG).inferred
    assert ropescope.probe(half_split, unknown).inferred == said
