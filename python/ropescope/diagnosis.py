"""What an implementation of rotary position embedding does, told from its tensors."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy
from numpy.typing import NDArray

from . import _given, _ropescope
from ._config import Config, expectation

Value = Union[None, float, str]


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that was found. docs/verify lists the codes."""

    code: str  #: "sign.k_reversed"
    text: str  #: one sentence
    where: str  #: "q", "k", "q and k", with rows or tokens: "k, row 1"
    measured: Value
    expected: Value
    request: Optional[int] = None  #: of a probe: the id of the smallest request that shows it
    weight: str = "fault"  #: "fault": scores become wrong; "equivalent": unusual, and scores are right; "note"
    repair: Optional[str] = None  #: of a fault: what to change in the code


@dataclasses.dataclass(frozen=True)
class Mismatch:
    """One difference from the configuration that was expected."""

    what: str  #: "base", "layout", or the code of a finding
    text: str  #: "base 10000, expected 500000"
    expected: Value
    found: Value
    repair: Optional[str] = None  #: of a fault with a code: what to change in the code


@dataclasses.dataclass(frozen=True, eq=False)
class Diagnosis:
    """The report on an implementation. str() is the report of `ropescope diagnose`, json() its JSON.

    What the tensors do not tell is None, or empty.
    """

    verdict: str  #: "valid", "equivalent", "invalid" or "undetermined"
    summary: str  #: the verdict in one line
    inferred: str  #: what was inferred about the model of `expect`, in words; "" if its family is known
    passed: bool  #: not invalid, and if something was expected, the tensors show that it is met
    findings: Tuple[Finding, ...]  #: the faults, then what else was found
    faults: Tuple[Finding, ...]  #: those of which scores become wrong
    mismatches: Tuple[Mismatch, ...]  #: with `expect`: each difference
    #: where numbers are NaN or infinite: of each tensor "tensor", "nan", "infinite", "of", "first" (token, position,
    #: row, head, channel), and runs [first, last] of "tokens", "channels", "pairs", "rows" and "heads"
    not_finite: Tuple[Dict[str, Any], ...]
    #: what differs from facts of `expect` that no key of its file states, if nothing else does: said, and no failure
    inferred_differences: Tuple[Mismatch, ...]
    next: Tuple[str, ...]  #: what to do or to dump next, a sentence each
    layout: Optional[str]  #: "half_split", "interleaved", "half_split_per_block", "other"
    rotary_dim: Optional[int]  #: channels that turn
    base: Optional[float]
    scaling: Optional[Dict[str, Any]]  #: "type" and its parameters
    sign: Optional[int]  #: -1 if it turns the other way
    position_offset: Optional[float]  #: in tokens, at every token of q and of k
    gain: Optional[float]  #: on the lengths of the turned channels
    table_dtype: Optional[str]  #: "float32", "float16" or "bfloat16": how exact cos and sin are
    residual: Optional[float]  #: radians, the largest distance of an angle from the explanation
    inv_freq: Optional[NDArray[Any]]  #: [pairs] radians for each position, in one axis
    axes: Tuple[str, ...]  #: names of the axes of positions, if there are several
    omega: Optional[NDArray[Any]]  #: [pairs, axes] radians for each position, if there are several
    positions: Optional[NDArray[Any]]  #: [rows, tokens], if they are not the ones that were given
    matches: Optional[str]  #: one of five published texts whose code gives the same numbers
    tensor_axes: str  #: how the axes of q and k were read: "bhld"
    text: str = dataclasses.field(repr=False)
    _json: str = dataclasses.field(repr=False)

    def json(self) -> str:
        """The text that `ropescope diagnose --format json` prints."""
        return self._json

    def codes(self) -> List[str]:
        """The codes of all findings."""
        return [finding.code for finding in self.findings]

    def reason(self) -> str:
        """Why it did not pass, in sentences: each difference from what was expected, else the verdict."""
        if self.mismatches:
            return "; ".join(mismatch.text.rstrip(".") for mismatch in self.mismatches) + "."
        return self.summary

    def __str__(self) -> str:
        return self.text


def _array(values: Any) -> Optional[NDArray[Any]]:
    return None if not values else numpy.asarray(values, dtype=numpy.float64)


def read_report(text: str, report: str, passed: bool) -> Diagnosis:
    """The report of the compiled part as values: its JSON and its text."""
    keys = json.loads(text)
    findings = tuple(Finding(**each) for each in keys["findings"])
    own = {
        "passed": passed,
        "findings": findings,
        "inferred": keys.get("inferred", ""),
        "faults": tuple(finding for finding in findings if finding.weight == "fault"),
        "mismatches": tuple(Mismatch(**each) for each in keys.get("mismatches", [])),
        "not_finite": tuple(keys.get("not_finite", [])),
        "inferred_differences": tuple(Mismatch(**each) for each in keys.get("inferred_differences", [])),
        "next": tuple(keys["next"]),
        "axes": tuple(keys.get("axes", [])),
        "text": report,
        "_json": text,
        **{name: _array(keys.get(name)) for name in ("inv_freq", "omega", "positions")},
    }
    others = [field.name for field in dataclasses.fields(Diagnosis) if field.name not in own]
    return Diagnosis(**own, **{name: keys[name] for name in others})


def norm_given(kind: Any, eps: Any, order: Any) -> Tuple[str, float, str]:
    return (_given.text("norm", kind, "the name of a norm"), _given.real("norm_eps", eps, "a number"),
            _given.text("norm_order", order, "before or after"))


def diagnose(*, q: Any = None, q_rot: Any = None, k: Any = None, k_rot: Any = None, positions: Any = None,
             q_positions: Any = None, k_positions: Any = None, scores: Any = None, axes: str = "",
             position_axes: str = "", expect: Optional[Config] = None, q_norm: Any = None, k_norm: Any = None,
             norm: Optional[str] = None, norm_eps: float = 1e-6, norm_order: str = "before", v: Any = None,
             v_rot: Any = None, k_cache: Any = None, k_cache_after: Any = None, q_scale: Any = None,
             q_rot_scale: Any = None, k_scale: Any = None, k_rot_scale: Any = None,
             k_cache_scale: Any = None) -> Diagnosis:
    """Says what the implementation does that made q_rot of q and k_rot of k, and what is wrong with it.

    q, q_rot, k, k_rot: queries and keys before and after the rotation: one side or both. Arrays of NumPy,
        PyTorch, JAX or another library, float64, float32, float16, bfloat16, float8 (e4m3fn, e5m2 and their
        fnuz kinds) or int8, of any strides; one that is not dense is copied. Nothing is written.
    axes: the axes of these arrays in order: b (batch), h (head), l (position), d (channel, last). "" finds
        out which they are, if the arrays tell.
    positions: what the implementation was told: [L] or [B, L]; for a model of several axes [axes, L] or
        [axes, B, L]; None for 0, 1, 2, ... q_positions and k_positions if the two sides differ.
    position_axes: the order of these axes by a, b and l, if it is another one.
    scores: [B, H, L of q, L of k], logits before mask and softmax, each held to its product.
    expect: what the implementation should do: anything that load() takes.
    q_norm, k_norm: the weights of a norm beside the rotation, that q_rot and k_rot have in them too, [D] or
        [heads * D].
    norm: "rms", "rms_plus_one" (weights without their 1), "layer" or "l2"; None: "rms" if there are weights, else
        there is no norm. norm_eps: what it adds to the mean of squares. norm_order: "before" the rotation or "after".
    v, v_rot: values before and after the same call. k_cache, k_cache_after: keys in the cache before and after a step.
    q_scale, q_rot_scale, k_scale, k_rot_scale, k_cache_scale: what numbers of 8 bits are multiplied by: a number, or an
        array with the axes of the tensor and 1 for those that share a scale, or some of its axes. None for 1.

    Raises ValueError with one line that names the array and what is expected.
    """
    arrays = {"q": q, "q_rot": q_rot, "k": k, "k_rot": k_rot, "scores": scores, "q_norm": q_norm,
              "k_norm": k_norm, "v": v, "v_rot": v_rot, "k_cache": k_cache, "k_cache_after": k_cache_after}
    scales = {"q_scale": q_scale, "q_rot_scale": q_rot_scale, "k_scale": k_scale, "k_rot_scale": k_rot_scale,
              "k_cache_scale": k_cache_scale}
    arrays.update({name: numpy.full(1, _given.real(name, scale, "a number"), dtype=numpy.float64)
                   if isinstance(scale, (int, float)) else scale
                   for name, scale in scales.items()})
    told = {name: None if values is None else _given.array_of_numbers(name, values, "give one for each token")
            for name, values in (("positions", positions), ("q_positions", q_positions), ("k_positions", k_positions))}
    _given.text("axes", axes, "the names of the axes in order")
    _given.text("position_axes", position_axes, "the names of the axes in order")
    asked = norm is not None or q_norm is not None or k_norm is not None
    return read_report(*_ropescope.diagnose(
        {name: array for name, array in arrays.items() if array is not None},
        {name: array for name, array in told.items() if array is not None},
        axes, position_axes, expectation(expect), False,
        norm_given(norm or "rms", norm_eps, norm_order) if asked else None))
