"""Holds an implementation to a model's configuration in a test."""

from __future__ import annotations

import os
from typing import Any, Callable, List, Optional

import numpy

from . import _ropescope
from ._arrays import Arrays
from ._callee import Callee, Sample, numbers
from ._config import Config, expectation, load
from .diagnosis import Diagnosis, Finding, diagnose
from .trial import Vjp, try_in_process


def _samples(embedding: _ropescope.Embedding, batch: int) -> List[Sample]:
    """A sequence from position 0 on, and one whose rows begin elsewhere: beyond 4096 in one axis, where short tables
    end, and near in several, where far angles do not tell the axes apart."""
    heads = embedding.omega.shape[0]  # above 1 if each head turns at its own speed
    sizes = (heads, heads) if heads > 1 else (4, 2)
    axes, length = len(embedding.axes), 48
    counted = numpy.arange(length)
    if axes > 1:  # places on a grid, different in every axis
        rows = numpy.stack([counted // 4**axis % 7 + counted // 5 * (axis == 0) for axis in range(axes)])
    else:
        rows = counted[None]
    start = 4093 if axes == 1 else 20
    offsets = ([0] * batch, [start + 250 * row // axes**2 for row in range(batch)])
    return [Sample(numbers((batch, sizes[0], length, embedding.head_dim), 1),
                   numbers((batch, sizes[1], length, embedding.head_dim), 2),
                   numpy.stack([rows + offset for offset in each], axis=1).astype(float))
            for each in offsets]


def _diagnosed(callee: Callee, sample: Sample, expect: _ropescope.Expectation) -> Diagnosis:
    arguments = callee.arguments(sample)
    detached = [callee.arrays.without_gradient(each) for each in callee.call(*arguments)]
    q, k, positions = callee.arguments(sample)  # the call may have written to its own
    scores = {"scores": detached[2]} if len(detached) > 2 else {}
    return diagnose(q=q, q_rot=detached[0], k=k, k_rot=detached[1], positions=callee.arrays.values(positions),
                    axes=callee.axes, expect=expect, **scores)


def _config_name(config: Config) -> str:
    if isinstance(config, (str, os.PathLike)):
        return os.fspath(config)
    return "the config"


def _sentence(callee: Callee, config: Config, diagnosis: Diagnosis) -> str:
    if diagnosis.verdict == "undetermined":
        return f"{callee.name} cannot be judged by {_config_name(config)}: {diagnosis.summary}"
    return f"{callee.name} does not turn as {_config_name(config)} says: {diagnosis.reason()}"


def _message(callee: Callee, sample: Sample, sentence: str, findings: List[Finding], next_: List[str]) -> str:
    lines = [sentence, f"  shown by: {callee.arrays.library} {callee.arrays.dtype} {callee.axes}, {sample.text()}"]
    lines += [f"  {finding.code} ({finding.where}): {finding.text}" for finding in findings]
    return "\n".join(lines + [f"  next: {each}" for each in next_])


def assert_rope(fn: Callable[..., Any], config: Config, *, dtype: Any = "float32", axes: str = "bhld",
                arrays: Optional[str] = None, in_place: bool = False, vjp: Optional[Vjp] = None) -> None:
    """Raises AssertionError unless fn turns queries and keys as `config` says. The message says in a sentence
    what fn does instead.

    fn: called as fn(q, k, positions), returns (q_rot, k_rot), or (q_rot, k_rot, scores) with the logits before
        mask and softmax. positions are int64 [B, L]; for a model of several axes [axes, B, L].
    config: anything that load() takes.
    dtype: of q and k: "float32", "float16", "bfloat16", "float64", or a dtype of NumPy, PyTorch or JAX.
    axes: the axes of q and k in order: b (batch), h (head), l (position), d (channel, last). Without b, fn takes
        one sequence at a time, and positions are [L] or [axes, L].
    arrays: the library of the arrays, "numpy", "torch" or "jax"; None: that of the dtype, else NumPy.
    in_place: whether fn is meant to write its result to q and k.
    vjp: called as vjp(q, k, positions, dq_rot, dk_rot), returns the gradients (dq, dk). Functions of PyTorch
        need none: if their result takes part in a gradient, autograd gives it.

    Beside what the numbers say, a second call must give the same answer and leave the first one alone, q and k
    must stay as they are (unless in_place), views of a larger array must give what dense arrays give (or be
    refused by fn), and the gradient must be the inverse rotation.
    """
    __tracebackhide__ = True
    callee = Callee(fn, Arrays(dtype, arrays), axes)
    expect = expectation(config)
    if expect is None:
        raise ValueError("config: None; give a config.json, a dict, or the name of a published model")
    samples = _samples(load(config), 2 if "b" in axes else 1)
    for sample in samples:
        diagnosis = _diagnosed(callee, sample, expect)
        if not diagnosis.passed:
            shown = [finding for finding in diagnosis.findings if not finding.code.startswith("matches.")]
            raise AssertionError(_message(callee, sample, _sentence(callee, config, diagnosis), shown,
                                          list(diagnosis.next)))
    findings = try_in_process(callee, samples[0], in_place=in_place, vjp=vjp)
    if findings:
        sentence = f"{callee.name} turns as {_config_name(config)} says, but: {findings[0].text}"
        raise AssertionError(_message(callee, samples[0], sentence, findings, []))
