"""Asks an implementation questions that tell the faults of rotary position embedding apart."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy

from . import _given, _ropescope
from ._arrays import Arrays, has_bfloat16_of_numpy
from ._callee import Callee, Sample, WrongForm, numbers
from ._config import Config, as_json, as_text
from .diagnosis import Diagnosis, Finding, norm_given, read_report
from .trial import Vjp, try_in_process


@dataclasses.dataclass(frozen=True)
class RequestResult:
    """What became of one question."""

    id: int
    name: str  #: "decode of two rows"
    separates: str  #: the faults that it tells from others
    why: str  #: one sentence
    judged: str  #: "right", "wrong", "failed" or "not_asked"
    text: str = ""  #: why there is no answer that could be compared
    off: int = 0  #: how many numbers of q_rot and k_rot lie beyond their tolerance
    numbers: int = 0  #: how many there are
    worst_in_tolerances: Optional[float] = None


@dataclasses.dataclass(frozen=True, eq=False)
class ProbeReport:
    """The report on a function. str() is the report of `ropescope probe`, json() its JSON, both with the trials
    that only a caller in the same process can make."""

    diagnosis: Diagnosis  #: of all answers together
    in_process: Tuple[Finding, ...]  #: faults that a second call, views, arguments or gradients show
    requests: Tuple[RequestResult, ...]
    smallest_failing: Optional[int]  #: id of a request
    part: str  #: of the model: "text", "vision", "full_attention", ...
    other_parts: str  #: of a model of several parts, if none was named: which was asked, and what fits; else ""
    errors: Tuple[Exception, ...]  #: what the function raised
    asked: str  #: "numpy float32 bhld"

    @property
    def passed(self) -> bool:
        """Whether every answer is as the model says, or equivalent, and no trial failed."""
        return self.diagnosis.passed and not self.in_process

    @property
    def inferred(self) -> str:
        """What was inferred about the model, in words; "" if its family is known."""
        return self.diagnosis.inferred

    @property
    def verdict(self) -> str:
        return "invalid" if self.in_process else self.diagnosis.verdict

    @property
    def faults(self) -> Tuple[Finding, ...]:
        return self.diagnosis.faults + self.in_process

    def codes(self) -> List[str]:
        """The codes of all faults."""
        return [fault.code for fault in self.faults]

    def reason(self) -> str:
        """What is wrong, in sentences."""
        if not self.faults:
            return self.diagnosis.summary
        return " ".join(dict.fromkeys(fault.text.removeprefix("Found ") for fault in self.faults))

    def json(self) -> str:
        keys = json.loads(self.diagnosis.json())
        keys["in_process"] = [dataclasses.asdict(finding) for finding in self.in_process]
        return json.dumps(keys, indent=2) + "\n"

    def __str__(self) -> str:
        findings = [f"{finding.code} ({finding.where}): {finding.text}" for finding in self.in_process]
        lines = findings + ([self.other_parts] if self.other_parts else [])
        return self.diagnosis.text + "".join(line + "\n" for line in lines)


def subjects_of(config: Config, part: str) -> List[_ropescope.Embedding]:
    """The part of a model that a function is held to; if none is named, the others behind it."""
    if isinstance(config, _ropescope.Embedding):
        return [_ropescope.with_name(config, as_text(config))]
    if isinstance(config, dict):
        return _ropescope.parse_parts(as_json(config), as_text(config), part)
    return _ropescope.read_parts(as_text(config), part)


def _sample(subject: _ropescope.Embedding, batch: int) -> Sample:
    """A sequence for the trials in the process."""
    own = len(subject.omega)
    heads, kv_heads = (own, own) if own > 1 else (4, 2)
    length = 24
    positions = numpy.broadcast_to(numpy.arange(length, dtype=float), (len(subject.axes), batch, length))
    return Sample(numbers((batch, heads, length, subject.head_dim), 1),
                  numbers((batch, kv_heads, length, subject.head_dim), 2), positions)


def _usual_dtypes(arrays: Optional[str]) -> List[str]:
    bfloat16 = arrays in ("torch", "jax") or has_bfloat16_of_numpy()
    return ["float32", "float16"] + (["bfloat16"] if bfloat16 else [])


def probe(fn: Callable[..., Any], config: Config, *, dtypes: Optional[Sequence[Any]] = None, axes: str = "bhld",
          arrays: Optional[str] = None, part: str = "", negative: bool = False, in_place: bool = False,
          vjp: Optional[Vjp] = None, norm: Optional[str] = None, norm_eps: float = 1e-6,
          norm_order: str = "before", tensors: str = "qk") -> ProbeReport:
    """Calls fn with up to 64 requests that tell faults apart, as the command `probe` does with a process, and
    returns what it does and what is wrong with it.

    fn: called as fn(q, k, positions), returns (q_rot, k_rot), or (q_rot, k_rot, scores) with the logits before
        mask and softmax. positions are int64 [B, L]; for a model of several axes [axes, B, L]. If fn has a
        parameter `past`, it gets the number of tokens in the cache, or None. What fn raises is a finding.
    config: anything that load() takes.
    dtypes: names, or dtypes of NumPy, PyTorch or JAX; most requests are in the first. None: float32, float16, and
        bfloat16 if the library has it.
    axes: the axes of q and k in order: b (batch), h (head), l (position), d (channel, last). Without b, fn takes
        one sequence at a time, and positions are [L] or [axes, L].
    arrays: the library of the arrays, "numpy", "torch" or "jax"; None: that of the dtypes, else NumPy.
    part: "text", "vision", "full_attention", ... of a model with several; else the first.
    negative: whether positions below 0 are asked too.
    in_place: whether fn is meant to write its result to q and k.
    vjp: called as vjp(q, k, positions, dq_rot, dk_rot), returns the gradients (dq, dk). Functions of PyTorch
        need none: if their result takes part in a gradient, autograd gives it.

    norm: "rms", "rms_plus_one" (weights without their 1), "layer" or "l2" if fn normalises q and k as well. It is then
        called as fn(q, k, positions, q_norm=.., k_norm=..) with the weights [D]. norm_eps: what it adds to the mean of
        squares. norm_order: "before" the rotation or "after".
    tensors: "qk", or "q" if fn turns one tensor: it is called as fn(q, positions) and returns q_rot. vjp and gradients
        are not tried then.

    Raises ValueError, with one line, for a config that cannot be read and if fn does not return such a tuple.
    """
    _given.function("fn", fn)
    if vjp is not None:
        _given.function("vjp", vjp)
    _given.text("part", part, "the name of a part")
    _given.text("axes", axes, "the names of the axes in order")
    _given.text_or_none("arrays", arrays, "the name of a library")
    _given.text_or_none("norm", norm, "the name of a norm")
    if dtypes is not None and not isinstance(dtypes, (list, tuple)):
        raise ValueError(f"dtypes: {type(dtypes).__name__}; give a list of dtypes")
    if not (isinstance(tensors, str) and tensors in ("qk", "q")):
        raise ValueError(f"tensors: {tensors!r}; give \"qk\", or \"q\" for code that turns one tensor")
    q_alone = tensors == "q"
    parts = subjects_of(config, part)
    subject = parts[0]
    kinds = [Arrays(dtype, arrays) for dtype in (_usual_dtypes(arrays) if dtypes is None else dtypes)]
    callees = {kind.dtype: Callee(fn, kind, axes, q_alone) for kind in kinds}
    errors: List[Exception] = []
    if norm is not None and not all(callee.takes_norm for callee in callees.values()):
        raise ValueError(f"norm: {getattr(fn, '__name__', type(fn).__name__)} has no parameters q_norm and k_norm, "
                         "which get the weights")

    def ask(request: Dict[str, Any]) -> Union[str, Dict[str, Any]]:
        sample = Sample(request["q"], request["k"], request["positions"])
        if norm is not None:
            callees[request["dtype"]].norms = request["q_norm"], request.get("k_norm", request["q_norm"])
        try:
            return callees[request["dtype"]].ask(sample, request["past"])
        except WrongForm:
            raise
        except Exception as error:
            errors.append(error)
            return f"{type(error).__name__}: {error}"

    *result, other_parts = _ropescope.probe(
        parts, list(callees), negative, ask, norm_given(norm, norm_eps, norm_order) if norm is not None else None,
        q_alone)
    diagnosis, keys = read_report(*result), json.loads(result[0])
    findings: List[Finding] = []
    if not any(fault.code.startswith("answer.") for fault in diagnosis.faults):
        sample = _sample(subject, 2 if "b" in axes else 1)
        try:
            findings = try_in_process(callees[kinds[0].dtype], sample, in_place=in_place, vjp=vjp)
        except WrongForm:
            raise
        except Exception as error:
            errors.append(error)
            findings = [Finding("answer.error", f"The function raises {type(error).__name__} for {sample.text()}: "
                                f"{error}", "", None, None)]
    return ProbeReport(diagnosis, tuple(findings), tuple(RequestResult(**each) for each in keys["requests"]),
                       keys["smallest_failing"], keys["part"], other_parts, tuple(errors),
                       " ".join([kinds[0].library, *callees, axes]))
