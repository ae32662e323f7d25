"""Calls an implementation of rotary position embedding with arrays as it takes them."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy
from numpy.typing import NDArray

from ._arrays import Arrays


@dataclasses.dataclass(frozen=True)
class Sample:
    """Tensors to rotate: q [B, H, L, D], k [B, Hk, L, D], positions [axes, B, L], all float64."""

    q: NDArray[Any]
    k: NDArray[Any]
    positions: NDArray[Any]

    def text(self) -> str:
        return f"q {list(self.q.shape)}, k {list(self.k.shape)} and positions {list(self.positions.shape[1:])}"

    def rows(self) -> List[Sample]:
        """Each sequence by itself."""
        return [Sample(self.q[b : b + 1], self.k[b : b + 1], self.positions[:, b : b + 1])
                for b in range(len(self.q))]


def numbers(shape: Tuple[int, ...], seed: int) -> NDArray[Any]:
    """Multiples of 1/64 up to 2 other than 0, which every dtype holds exactly."""
    random = numpy.random.default_rng(seed)
    values: NDArray[Any] = random.integers(1, 128, shape) * random.choice([-1.0, 1.0], shape) / 64
    return values


class WrongForm(ValueError):
    """What a function returned is not what assert_rope() and probe() can read."""


def _has_parameter(fn: Callable[..., Any], name: str) -> bool:
    try:
        return name in inspect.signature(fn).parameters
    except (TypeError, ValueError):  # some compiled functions do not tell their parameters
        return False


class Callee:
    """fn(q, k, positions) -> (q_rot, k_rot), with what is needed to call it.

    axes: "bhld" and the like; without b the function takes one sequence at a time.
    q_alone: the function turns one tensor, fn(q, positions) -> q_rot.
    """

    def __init__(self, fn: Callable[..., Any], arrays: Arrays, axes: str, q_alone: bool = False) -> None:
        if sorted(axes) not in (sorted("bhld"), sorted("hld")) or not axes.endswith("d"):
            raise ValueError(f"axes: {axes!r}; give the axes of q and k in order: bhld, blhd, lbhd, hld, lhd, ...")
        self.fn, self.arrays, self.axes, self.q_alone = fn, arrays, axes, q_alone
        self.name = getattr(fn, "__name__", type(fn).__name__)
        self.takes_past = _has_parameter(fn, "past")
        self.takes_norm = _has_parameter(fn, "q_norm") and (q_alone or _has_parameter(fn, "k_norm"))
        #: The weights [D] of a norm beside the rotation, which calls then have.
        self.norms: Optional[Tuple[NDArray[Any], NDArray[Any]]] = None

    def order(self) -> Tuple[int, ...]:
        """Where each of its axes stands in b, h, l, d, or in h, l, d."""
        return tuple(("bhld" if "b" in self.axes else "hld").index(axis) for axis in self.axes)

    def placed(self, values: NDArray[Any]) -> Any:
        """[B, H, L, D] as the function takes it, dense."""
        if "b" not in self.axes:
            (values,) = values
        return self.arrays.make(values.transpose(self.order()))

    def told(self, positions: NDArray[Any]) -> Any:
        """[axes, B, L] as the function takes it: [B, L] in one axis, without B if it has none."""
        if "b" not in self.axes:
            positions = positions[:, 0]
        return self.arrays.positions(positions[0] if len(positions) == 1 else positions)

    def read(self, array: Any) -> NDArray[Any]:
        """What the function returned, as float64 [B, H, L, D]."""
        values = self.arrays.values(array).transpose(numpy.argsort(self.order()))
        return values if "b" in self.axes else values[None]

    def arguments(self, sample: Sample) -> Tuple[Any, Any, Any]:
        """q, k and positions in memory of their own. Without b in its axes the sample has one row."""
        return self.placed(sample.q), self.placed(sample.k), self.told(sample.positions)

    def call(self, q: Any, k: Any, positions: Any, past: Optional[int] = None) -> Tuple[Any, ...]:
        """(q_rot, k_rot), and scores if the function returns them. Raises WrongForm for anything else."""
        more: Dict[str, Any] = {"past": past} if self.takes_past else {}
        if self.norms is not None:
            more["q_norm"], more["k_norm"] = map(self.arrays.make, self.norms)
        if self.q_alone:
            return self._call_of_one(q, positions, more)
        result = self.fn(q, k, positions, **more)
        if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
            raise WrongForm(f"{self.name}: returned {type(result).__name__}; (q_rot, k_rot) or (q_rot, k_rot, "
                            "scores) is expected")
        for name, array in zip(("q_rot", "k_rot", "scores"), result):
            if not hasattr(array, "shape"):
                raise WrongForm(f"{self.name}: {name} is of type {type(array).__name__}; an array is expected")
        return tuple(result)

    def _call_of_one(self, q: Any, positions: Any, more: Dict[str, Any]) -> Tuple[Any]:
        if self.norms is not None:
            del more["k_norm"]
        result = self.fn(q, positions, **more)
        if isinstance(result, (tuple, list)) and len(result) == 1:
            (result,) = result
        if not hasattr(result, "shape"):
            raise WrongForm(f"{self.name}: returned {type(result).__name__}; with tensors=\"q\" the array q_rot is "
                            "expected")
        return (result,)

    def ask(self, sample: Sample, past: Optional[int]) -> Dict[str, Any]:
        """The answer by names, as arrays [B, H, L, D] of the function's own dtypes. Without b in its axes the
        function is called once for each sequence."""
        rows = [sample] if "b" in self.axes else sample.rows()
        answers = [self.call(*self.arguments(row), past) for row in rows]
        of_rows = {name: [self._in_order(answer[i], name) for answer in answers]
                   for i, name in enumerate(("q_rot", "k_rot", "scores")[:len(answers[0])])}
        return {name: arrays[0] if len(arrays) == 1 else self.arrays.joined(arrays)
                for name, arrays in of_rows.items()}

    def _in_order(self, array: Any, name: str) -> Any:
        """A view [B, H, L, D]; as it is if it has another number of axes, which the judge tells."""
        array = self.arrays.without_gradient(array)
        if len(array.shape) == len(self.axes) and name != "scores":
            array = self.arrays.reordered(array, tuple(int(axis) for axis in numpy.argsort(self.order())))
        return array if "b" in self.axes else array[None]
