"""What probe() asks, and what its report says."""

import json
import pathlib
import subprocess
import sys

import numpy
import pytest

import ropescope
from implementations import CONFIG, half_split, interleaved


def test_the_report_of_a_right_function():
    report = ropescope.probe(half_split, CONFIG)
    assert report.passed and report.verdict == "valid" and not report.faults and report.errors == ()
    assert 20 <= len(report.requests) <= 64 and report.smallest_failing is None and report.part == "text"
    assert {request.judged for request in report.requests} == {"right"}
    assert str(report).startswith(f"valid: {len(report.requests)} of {len(report.requests)} answers are as")
    keys = json.loads(report.json())
    assert keys["verdict"] == "valid" and keys["in_process"] == [] and len(keys["requests"]) == len(report.requests)


def test_the_command_says_the_same_of_the_same_code(tmp_path, program):
    adapter = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/verify/adapters/numpy_adapter.py"
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    run = subprocess.run([program, "probe", "--config", path, "--format", "json", "--", sys.executable, adapter,
                          "10000"], capture_output=True, text=True)
    assert run.returncode == 1, run.stderr

    def fn(q, k, positions):
        """That of the adapter."""
        def rotate(x):
            half = x.shape[-1] // 2
            angle = (positions[:, None, :, None] * 10000.0 ** (-numpy.arange(half) / half)).astype("float32")
            a, b, cos, sin = x[..., :half], x[..., half:], numpy.cos(angle), numpy.sin(angle)
            return numpy.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).astype(x.dtype)
        return rotate(q), rotate(k)
    report = ropescope.probe(fn, path, dtypes=["float32", "float16"])
    assert report.diagnosis.json() == run.stdout
    assert report.reason() == "base 10000, expected 500000."


def test_a_fault_has_the_smallest_request_that_shows_it():
    def fn(q, k, positions):
        """Turns the first sequence of a batch only, when there is one token for each."""
        q_rot, k_rot = half_split(q, k, positions)
        if q.shape[2] == 1:
            q_rot[1:], k_rot[1:] = q[1:], k[1:]
        return q_rot, k_rot
    report = ropescope.probe(fn, CONFIG)
    assert report.verdict == "invalid" and not report.passed
    assert report.codes() == ["rows.unrotated"]
    shown = {request.id: request for request in report.requests}[report.faults[0].request]
    assert shown.name.startswith("decode of") and shown.judged == "wrong"
    assert 0 < shown.off <= shown.numbers and shown.worst_in_tolerances > 1
    assert report.smallest_failing == shown.id


def test_trials_in_the_process_are_a_part_of_the_report():
    def fn(q, k, positions):
        return tuple(ropescope.rotate_(x, CONFIG, positions) for x in (q, k))
    report = ropescope.probe(fn, CONFIG)
    assert report.diagnosis.passed and not report.passed and report.verdict == "invalid"
    assert report.codes() == ["inputs.changed", "inputs.changed"]
    assert "inputs.changed (q): The call overwrites q" in str(report)
    assert [each["where"] for each in json.loads(report.json())["in_process"]] == ["q", "k"]
    assert ropescope.probe(fn, CONFIG, in_place=True).passed


def test_a_parameter_past_gets_the_tokens_in_the_cache():
    seen = []

    def fn(q, k, positions, past=None):
        seen.append(past)
        return half_split(q, k, positions)
    assert ropescope.probe(fn, CONFIG).passed
    assert None in seen and 9 in seen

    def ignores_positions(q, k, positions, past=None):
        """Counts from the cache, as code without position ids does, and so from padding too."""
        counted = numpy.arange(q.shape[2]) + (past or 0)
        return half_split(q, k, numpy.broadcast_to(counted, positions.shape))
    assert not ropescope.probe(ignores_positions, CONFIG).passed


def fused(eps):
    """A kernel that normalises and turns in one step."""
    def fn(q, k, positions, q_norm, k_norm):
        def normalised(x, weight):
            wide = x.astype("float32")
            scale = 1 / numpy.sqrt((wide * wide).mean(-1, keepdims=True) + numpy.float32(eps))
            return (wide * scale * weight.astype("float32")).astype(x.dtype)
        return half_split(normalised(q, q_norm), normalised(k, k_norm), positions)
    return fn


def test_a_fused_norm_gets_its_weights_and_is_judged_too():
    assert ropescope.probe(fused(1e-6), CONFIG, norm="rms").passed
    wrong = ropescope.probe(fused(1e-5), CONFIG, norm="rms")
    assert set(wrong.codes()) == {"norm.eps"}
    after = ropescope.probe(fused(1e-6), CONFIG, norm="rms", norm_order="after")
    assert "norm.order" in after.codes()
    with pytest.raises(ValueError, match="no parameters q_norm and k_norm"):
        ropescope.probe(half_split, CONFIG, norm="rms")
    with pytest.raises(ValueError, match="kind 'rmss'"):
        ropescope.probe(fused(1e-6), CONFIG, norm="rmss")


def test_functions_for_one_sequence_are_asked_one_by_one():
    def fn(q, k, positions):
        assert q.ndim == 3 and positions.ndim == 1
        q_rot, k_rot = half_split(q.transpose(1, 0, 2)[None], k.transpose(1, 0, 2)[None], positions[None])
        return q_rot[0].transpose(1, 0, 2), k_rot[0].transpose(1, 0, 2)
    assert ropescope.probe(fn, CONFIG, axes="lhd").passed


@pytest.mark.parametrize("config, part, choice", [
    ("qwen2-vl-7b", "vision", {"part": "vision"}),
    ("qwen2-vl-7b", "text", {}),
    ("gemma-3-1b", "sliding_attention", {"layer_type": "sliding_attention"}),
])
def test_parts_of_models_are_asked_by_their_name(config, part, choice):
    embedding = ropescope.load(config, **choice)

    def fn(q, k, positions):
        return tuple(ropescope.rotate(x, embedding, positions) for x in (q, k))
    report = ropescope.probe(fn, config, part=part)
    assert report.passed, str(report)
    assert report.part == part
    assert ropescope.probe(fn, embedding).passed


def test_a_model_of_several_parts_is_held_to_the_first_and_the_report_says_so():
    def of(**choice):
        embedding = ropescope.load("gemma-3-1b", **choice)
        return lambda q, k, positions: tuple(ropescope.rotate(x, embedding, positions) for x in (q, k))
    first = ropescope.probe(of(), "gemma-3-1b")
    held = "the answers were held to the part full_attention of the model, which also has sliding_attention"
    assert first.other_parts == held + ": part=NAME holds them to another"
    assert str(first).endswith(first.other_parts + "\n")
    other = ropescope.probe(of(layer_type="sliding_attention"), "gemma-3-1b")
    assert not other.passed
    assert other.other_parts == (held + "; they are right for sliding_attention: give part=sliding_attention if the "
                                 "code is for that")
    assert ropescope.probe(of(), "gemma-3-1b", part="full_attention").other_parts == ""
    assert ropescope.probe(half_split, CONFIG).other_parts == ""


def test_scores_are_judged_too():
    def fn(scale):
        def scored(q, k, positions):
            q_rot, k_rot = half_split(q, k, positions)
            keys = numpy.repeat(k_rot, q.shape[1] // k.shape[1], axis=1)
            return q_rot, k_rot, (scale * q_rot.astype(float) @ keys.astype(float).transpose(0, 1, 3, 2)).astype("f")
        return scored
    assert ropescope.probe(fn(1 / 8), CONFIG).passed
    assert "softmax.scale" in ropescope.probe(fn(1.0), CONFIG).codes()


def test_misuse_is_one_line_that_says_what_to_do():
    for arguments, words in (({"dtypes": []}, "dtypes: none"), ({"part": "sound"}, "part: 'sound'"),
                             ({"dtypes": ["int8"]}, "dtype: int8")):
        with pytest.raises(ValueError, match=words) as raised:
            ropescope.probe(interleaved, CONFIG, **arguments)
        assert "\n" not in str(raised.value)


def test_a_function_of_one_tensor_is_asked_with_q_alone():
    def one(q, positions):
        return half_split(q, q, positions)[0]

    report = ropescope.probe(one, CONFIG, tensors="q")
    assert report.passed, str(report)

    def wrong(q, positions):
        return half_split(q, q, -positions)[0]

    assert "sign" in str(ropescope.probe(wrong, CONFIG, tensors="q").codes())
    with pytest.raises(ValueError, match="tensors"):
        ropescope.probe(one, CONFIG, tensors="k")
