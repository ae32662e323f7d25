"""Makes arrays of NumPy, PyTorch or JAX for an implementation, and reads what it returns."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

import importlib.util

import numpy
from numpy.typing import NDArray

def has_bfloat16_of_numpy() -> bool:
    return importlib.util.find_spec("ml_dtypes") is not None


#: Half the distance of neighbouring numbers near 1: the largest relative error of rounding once.
UNIT = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
LIBRARIES = ("numpy", "torch", "jax")


def _dtype_name(dtype: Any) -> Tuple[str, Optional[str]]:
    """The name of a dtype, and the library if the dtype belongs to one."""
    if dtype is None:  # float64, says NumPy
        return "None", None
    text = str(dtype)
    if text.startswith("torch."):
        return text[len("torch."):], "torch"
    if text in UNIT:
        return text, None
    try:
        return numpy.dtype(dtype).name, None
    except TypeError:
        return text, None


class Arrays:
    """Arrays of one library and one dtype."""

    def __init__(self, dtype: Any, library: Optional[str]) -> None:
        self.dtype, of_dtype = _dtype_name(dtype)
        self.library = library or of_dtype or "numpy"
        if self.dtype not in UNIT:
            raise ValueError(f"dtype: {self.dtype}; give one of {', '.join(UNIT)}, or that dtype of NumPy, "
                             "PyTorch or JAX")
        if self.library not in LIBRARIES:
            raise ValueError(f"arrays: {self.library!r}; give one of {', '.join(LIBRARIES)}")
        self.unit = UNIT[self.dtype]
        if self.library == "numpy":
            self._numpy_dtype()  # whether there is one is no finding about anybody's code

    def make(self, values: NDArray[Any]) -> Any:
        """An array of its own memory with these values."""
        if self.library == "torch":
            import torch

            return torch.tensor(numpy.ascontiguousarray(values), dtype=getattr(torch, self.dtype))
        if self.library == "jax":
            import jax.numpy

            return jax.numpy.asarray(values, dtype=self.dtype)
        return numpy.array(values, dtype=self._numpy_dtype(), order="C")

    def positions(self, values: NDArray[Any]) -> Any:
        """Whole numbers as int64 (in JAX as its integers), others as float64."""
        whole = bool(numpy.all(values == numpy.floor(values)))
        values = numpy.ascontiguousarray(values.astype(numpy.int64) if whole else values)
        if self.library == "torch":
            import torch

            return torch.tensor(values)
        if self.library == "jax":
            import jax.numpy

            return jax.numpy.asarray(values)
        return values.copy()

    def values(self, array: Any) -> NDArray[Any]:
        """The values as float64, in memory of their own."""
        if hasattr(array, "detach"):
            array = array.detach().cpu().double().numpy()
        return numpy.array(array, dtype=numpy.float64)

    def without_gradient(self, array: Any) -> Any:
        return array.detach() if hasattr(array, "detach") else array

    def joined(self, arrays: List[Any]) -> Any:
        """Arrays of one row each as one array."""
        if self.library == "torch":
            import torch

            return torch.cat(arrays)
        return numpy.concatenate(arrays)  # of JAX too, for reading only

    def has_views(self) -> bool:
        """Whether a slice of an array shares the memory of the array."""
        return self.library != "jax"

    def reordered(self, array: Any, order: Tuple[int, ...]) -> Any:
        """A view of the array with its axes in that order."""
        return array.permute(*order) if self.library == "torch" else array.transpose(order)

    def _numpy_dtype(self) -> Any:
        if self.dtype != "bfloat16":
            return self.dtype
        try:
            import ml_dtypes
        except ImportError:
            raise ValueError("dtype: NumPy has bfloat16 with the package ml_dtypes only; install it, or give "
                             "torch.bfloat16") from None
        return ml_dtypes.bfloat16
