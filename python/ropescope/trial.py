"""What only a caller in the same process can try: the same call again, arguments that must stay as they are,
views of larger arrays, and gradients."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple

import numpy
from numpy.typing import NDArray

from ._arrays import UNIT
from ._callee import Callee, Sample, numbers
from .diagnosis import Finding

Dense = Tuple[NDArray[Any], ...]  # the answer to dense arrays: q_rot, and k_rot unless q is turned alone
Vjp = Callable[[Any, Any, Any, Any, Any], Tuple[Any, Any]]


def _largest(*arrays: NDArray[Any]) -> float:
    return max(float(numpy.abs(array).max()) for array in arrays)


def _unit(callee: Callee) -> float:
    """Code for float64 may compute in float32, as models do."""
    return max(callee.arrays.unit, UNIT["float32"])


def _difference(callee: Callee, one: NDArray[Any], other: NDArray[Any], given: NDArray[Any]) -> Optional[float]:
    """How far two answers to the same numbers lie apart; None if rounding explains it.

    A rotated number is a sum of two products. Each product and the sum are rounded, and the result is
    stored: at most 1 + 1 + 2 + 2 units of the largest number. Two answers may differ by twice that.
    """
    apart = float(numpy.abs(one - other).max())
    return None if apart <= 12 * _unit(callee) * _largest(one, other, given) else apart


def _other_answer(callee: Callee, sample: Sample, first: Dense, other: Tuple[Any, ...], code: str,
                  text: str) -> List[Finding]:
    """A finding for each side of an answer that differs from the first; {name} in the text is q or k."""
    findings = []
    for name, one, again, given in zip(("q", "k"), first, other, (sample.q, sample.k)):
        apart = _difference(callee, one, callee.read(again), given)
        if apart is not None:
            findings.append(Finding(code, text.format(name=name), name, apart, 0.0))
    return findings


def _repeated(callee: Callee, sample: Sample, first: Dense) -> List[Finding]:
    return _other_answer(callee, sample, first, callee.call(*callee.arguments(sample)), "answer.changes",
                         "A second call with the same arguments gives another {name}_rot: the code keeps something "
                         "from the first call.")


def _overwritten(callee: Callee, sample: Sample, answer: Tuple[Any, ...], first: Dense) -> List[Finding]:
    """Calls with other numbers and looks at the first answer again."""
    callee.call(*callee.arguments(Sample(-sample.q, -sample.k, sample.positions)))
    return [Finding("answer.overwritten", f"A later call overwrites {name}_rot of an earlier one: both lie in one "
                    "memory. Have the code return a new array.", name, None, None)
            for name, array, values in zip(("q", "k"), answer, first) if (callee.read(array) != values).any()]


def _changed(callee: Callee, sample: Sample, arguments: Tuple[Any, ...]) -> List[Finding]:
    findings = []
    for name, array, given in zip(("q", "k"), arguments, (sample.q, sample.k)):
        changed = int(numpy.count_nonzero(callee.read(array) != given))
        if changed:
            text = (f"The call overwrites {name}: whoever uses {name} after it gets rotated numbers. Have it return a "
                    "new array, or give in_place=True if it is meant to.")
            findings.append(Finding("inputs.changed", text, name, float(changed), 0.0))
    return findings


def _views(callee: Callee, sample: Sample) -> Tuple[Any, Any, Any]:
    """q and k as parts of one array [B, L, H + Hk, D], as a projection to q and k at once gives them."""
    fused = callee.arrays.make(numpy.concatenate([sample.q, sample.k], axis=1).transpose(0, 2, 1, 3))
    heads = sample.q.shape[1]
    parts = []
    for part in (fused[:, :, :heads], fused[:, :, heads:]):
        if "b" not in callee.axes:
            part = part[0]
        have = "blhd" if "b" in callee.axes else "lhd"
        parts.append(callee.arrays.reordered(part, tuple(have.index(axis) for axis in callee.axes)))
    return parts[0], parts[1], callee.told(sample.positions)


def _through_views(callee: Callee, sample: Sample, dense: Dense) -> List[Finding]:
    try:
        result = callee.call(*_views(callee, sample))
    except Exception:  # a function may say that it does not take views
        return []
    return _other_answer(callee, sample, dense, result, "views.differ",
                         "With q and k as views of one larger array, {name}_rot has other numbers than with dense "
                         "arrays: the code does not go by the strides.")


def _torch_gradient(callee: Callee, sample: Sample, weights: Tuple[Any, Any]) -> Optional[Tuple[Any, ...]]:
    """The gradients of q and k by autograd; None if the result takes no part in a gradient."""
    import torch

    q, k, positions = callee.arguments(sample)
    leaves = (q.requires_grad_(), k.requires_grad_())
    try:
        q_rot, k_rot = callee.call(q.clone(), k.clone(), positions)[:2]
    except Exception:  # the function works on memory that a gradient cannot see, and says so
        return None
    if not (q_rot.requires_grad and k_rot.requires_grad):
        return None
    of_results = tuple(weight.to(out.dtype) for weight, out in zip(weights, (q_rot, k_rot)))
    gradients = torch.autograd.grad((q_rot, k_rot), leaves, of_results, allow_unused=True)
    return tuple(torch.zeros_like(leaf) if each is None else each for leaf, each in zip(leaves, gradients))


def _gradient(callee: Callee, sample: Sample, dense: Dense, vjp: Optional[Vjp]) -> List[Finding]:
    """The gradient of a rotation is the inverse rotation, times the gain: the transposed matrix.

    So for every token the products <weights, rotated(x)> and <gradient, x> are the same number, whatever the
    rotation is. Six units for each number on either side are what rounding may do to it.
    """
    if callee.norms is not None or callee.q_alone:
        return []  # the gradient of a norm is not a rotation; code that turns one tensor has another vjp
    weights = (numbers(sample.q.shape, 11), numbers(sample.k.shape, 12))
    placed = (callee.placed(weights[0]), callee.placed(weights[1]))
    if vjp is not None:
        q, k, positions = callee.arguments(sample)
        gradients: Optional[Tuple[Any, ...]] = vjp(q, k, positions, *placed)
    else:
        gradients = _torch_gradient(callee, sample, placed) if callee.arrays.library == "torch" else None
    if gradients is None:
        return []
    findings = []
    for i, (name, x) in enumerate((("q", sample.q), ("k", sample.k))):
        out, gradient = dense[i], callee.read(gradients[i])
        forward, backward = (weights[i] * out).sum(-1), (gradient * x).sum(-1)
        scale = _largest(out, x) * numpy.abs(weights[i]).sum(-1) + _largest(gradient, weights[i]) * numpy.abs(x).sum(-1)
        off = numpy.abs(forward - backward) > 6 * _unit(callee) * scale
        if off.any():
            text = (f"The gradient of {name} is not the inverse rotation of that of {name}_rot, at {int(off.sum())} of "
                    f"{off.size} tokens and heads: training goes another way than the loss.")
            findings.append(Finding("gradient", text, name, float(off.sum()), 0.0))
    return findings


def try_in_process(callee: Callee, sample: Sample, *, in_place: bool, vjp: Optional[Vjp]) -> List[Finding]:
    """Every fault that these trials show. What the function raises for dense arrays goes through."""
    arguments = callee.arguments(sample)
    answer = callee.call(*arguments)
    dense = tuple(callee.read(array) for array in answer[:2])
    findings = [] if in_place else _changed(callee, sample, arguments)
    findings += _repeated(callee, sample, dense) + _overwritten(callee, sample, answer, dense)
    if callee.arrays.has_views():
        findings += _through_views(callee, sample, dense)
    return findings + _gradient(callee, sample, dense, vjp)
