"""Holds an implementation to a model's configuration in a test."""

from __future__ import annotations

from typing import Any, Callable, List, Optional

from ._config import Config, as_text
from .diagnosis import Finding
from .probing import ProbeReport, probe
from .trial import Vjp


def _lines_of(report: ProbeReport, fault: Finding) -> List[str]:
    lines = [f"  {fault.code}{f' ({fault.where})' if fault.where else ''}: {fault.text}"]
    for request in report.requests:
        if request.id == fault.request:
            lines.append(f"    shown by request {request.id}, {request.name}: {request.why}")
    return lines + ([f"    to repair: {fault.repair}."] if fault.repair else [])


def _message(name: str, config: Config, report: ProbeReport) -> str:
    """A sentence that a person can act on, then each fault with the request that shows it."""
    if report.diagnosis.faults:
        sentence = f"{name} does not turn as {as_text(config)} says: {report.reason()}"
    elif report.in_process:
        sentence = f"{name} turns as {as_text(config)} says, but: {report.reason()}"
    else:
        sentence = f"{name} cannot be judged by {as_text(config)}: {report.reason()}"
    right = sum(request.judged == "right" for request in report.requests)
    lines = [sentence, f"  asked with {report.asked}: {right} of {len(report.requests)} answers are right"]
    for fault in report.faults:
        lines += _lines_of(report, fault)
    lines += [f"  {report.other_parts}"] if report.other_parts else []
    return "\n".join(lines + [f"  next: {each}" for each in report.diagnosis.next])


def assert_rope(fn: Callable[..., Any], config: Config, *, dtype: Any = "float32", axes: str = "bhld",
                arrays: Optional[str] = None, part: str = "", in_place: bool = False,
                vjp: Optional[Vjp] = None) -> None:
    """Raises AssertionError unless fn turns queries and keys as `config` says. The message says in a sentence
    what fn does instead.

    dtype: of q and k: "float32", "float16", "bfloat16", "float64", or a dtype of NumPy, PyTorch or JAX.

    fn and all else are those of probe(), whose report the message is made of: fn is called as fn(q, k, positions)
    and returns (q_rot, k_rot). Beside what the numbers say, a second call must give the same answer and leave the
    first one alone, q and k must stay as they are (unless in_place), views of a larger array must give what dense
    arrays give (or be refused by fn), and the gradient must be the inverse rotation.
    """
    __tracebackhide__ = True
    report = probe(fn, config, dtypes=[dtype], axes=axes, arrays=arrays, part=part, in_place=in_place, vjp=vjp)
    if not report.passed:
        name = getattr(fn, "__name__", type(fn).__name__)
        raised = report.errors[0] if report.errors else None
        raise AssertionError(_message(name, config, report)) from raised
