"""Holds what callers give to the types that are expected: every refusal is a ValueError of one line."""

from __future__ import annotations

import numbers
import operator
from typing import Any, Optional

import numpy
from numpy.typing import NDArray


def one_line(text: object) -> str:
    """Foreign words, without line breaks and control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text))[:500]


def _refuse(name: str, value: Any, expected: str) -> ValueError:
    return ValueError(f"{name}: {type(value).__name__} is not {expected}")


def text(name: str, value: Any, expected: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{_refuse(name, value, expected)}; give str")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{name}: {value!r} is not text that can be written as UTF-8")
    return value


def text_or_none(name: str, value: Any, expected: str) -> Optional[str]:
    return None if value is None else text(name, value, expected)


def whole(name: str, value: Any, least: int, most: int, expected: str) -> int:
    """A whole number, of Python or of NumPy; True is none."""
    try:
        if isinstance(value, (bool, numpy.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{_refuse(name, value, expected)}; give int") from None
    if not least <= number <= most:
        shown = str(number) if abs(number) < 10**20 else "a number of more than 20 digits"
        raise ValueError(f"{name}: {shown}; give {expected}, {least} to {most}")
    return number


def real(name: str, value: Any, expected: str) -> float:
    try:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError
        return float(value)
    except (TypeError, OverflowError):
        raise ValueError(f"{_refuse(name, value, expected)}; give a number") from None


def function(name: str, value: Any) -> None:
    if not callable(value):
        raise _refuse(name, value, "a function")


def array_of_numbers(name: str, values: Any, instead: str) -> NDArray[Any]:
    """Whole or real numbers as float64. What only could be read as numbers (texts, dates, truth values, complex
    numbers) is refused."""
    try:
        if hasattr(values, "detach"):  # of PyTorch, on any device and in any dtype
            values = values.detach().cpu().double().numpy()
        array = numpy.asarray(values)
        if array.size == 0 or array.dtype.kind in "iuf":
            return numpy.asarray(array, dtype=numpy.float64)
    except MemoryError:
        raise
    except Exception:  # foreign arrays raise what they like
        pass
    raise ValueError(f"{name}: not an array of numbers; {instead}")
