"""Calls an implementation of rotary position embedding with arrays as it takes them."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Tuple

import numpy

from ._arrays import Arrays


@dataclasses.dataclass(frozen=True)
class Sample:
    """Tensors to rotate: q [B, H, L, D], k [B, Hk, L, D], positions [axes, B, L], all float64."""

    q: numpy.ndarray
    k: numpy.ndarray
    positions: numpy.ndarray

    def text(self) -> str:
        batch, heads, length, _ = self.q.shape
        return (f"{batch} sequences of {length} tokens, {heads} heads of q and {self.k.shape[1]} of k, positions "
                f"{self.positions.min():.0f} to {self.positions.max():.0f}")


def numbers(shape: Tuple[int, ...], seed: int) -> numpy.ndarray:
    """Multiples of 1/64 up to 2 other than 0, which every dtype holds exactly."""
    random = numpy.random.default_rng(seed)
    return random.integers(1, 128, shape) * random.choice([-1.0, 1.0], shape) / 64


class Callee:
    """fn(q, k, positions) -> (q_rot, k_rot), with what is needed to call it.

    axes: "bhld" and the like; without b the function takes one sequence at a time.
    """

    def __init__(self, fn: Callable[..., Any], arrays: Arrays, axes: str) -> None:
        if sorted(axes) not in (sorted("bhld"), sorted("hld")) or not axes.endswith("d"):
            raise ValueError(f"axes: {axes!r}; give the axes of q and k in order: bhld, blhd, lbhd, hld, lhd, ...")
        self.fn, self.arrays, self.axes = fn, arrays, axes
        self.name = getattr(fn, "__name__", type(fn).__name__)

    def order(self) -> Tuple[int, ...]:
        """Where each of its axes stands in b, h, l, d, or in h, l, d."""
        return tuple(("bhld" if "b" in self.axes else "hld").index(axis) for axis in self.axes)

    def placed(self, values: numpy.ndarray) -> Any:
        """[B, H, L, D] as the function takes it, dense."""
        if "b" not in self.axes:
            (values,) = values
        return self.arrays.make(values.transpose(self.order()))

    def told(self, positions: numpy.ndarray) -> Any:
        """[axes, B, L] as the function takes it: [B, L] in one axis, without B if it has none."""
        if "b" not in self.axes:
            positions = positions[:, 0]
        return self.arrays.positions(positions[0] if len(positions) == 1 else positions)

    def read(self, array: Any) -> numpy.ndarray:
        """What the function returned, as float64 [B, H, L, D]."""
        values = self.arrays.values(array).transpose(numpy.argsort(self.order()))
        return values if "b" in self.axes else values[None]

    def arguments(self, sample: Sample) -> Tuple[Any, Any, Any]:
        """q, k and positions in memory of their own. Without b in its axes the sample has one row."""
        return self.placed(sample.q), self.placed(sample.k), self.told(sample.positions)

    def call(self, q: Any, k: Any, positions: Any) -> Tuple[Any, ...]:
        """(q_rot, k_rot), and scores if the function returns them. Raises ValueError for anything else."""
        result = self.fn(q, k, positions)
        if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
            raise ValueError(f"{self.name}: returned {type(result).__name__}; (q_rot, k_rot) or (q_rot, k_rot, "
                             "scores) is expected")
        for name, given, turned in (("q_rot", q, result[0]), ("k_rot", k, result[1])):
            if not hasattr(turned, "shape"):
                raise ValueError(f"{self.name}: {name} is of type {type(turned).__name__}; an array is expected")
            if tuple(turned.shape) != tuple(given.shape):
                raise ValueError(f"{self.name}: {name} has the shape {list(turned.shape)}; that of {name[0]}, "
                                 f"{list(given.shape)}, is expected")
        return tuple(result)
