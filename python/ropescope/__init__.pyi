from os import PathLike
from typing import Any, Dict, List, Tuple, TypeVar, Union

import numpy
import numpy.typing

__version__: str

class Embedding:
    @property
    def head_dim(self) -> int: ...
    @property
    def axes(self) -> List[str]: ...
    @property
    def pairs(self) -> numpy.ndarray: ...
    @property
    def omega(self) -> numpy.ndarray: ...
    @property
    def attention_factor(self) -> float: ...
    @property
    def softmax_scale_factor(self) -> float: ...
    @property
    def assumptions(self) -> List[str]: ...

Config = Union[str, "PathLike[str]", Dict[str, Any], Embedding]
Array = TypeVar("Array")

def load(config: Config, *, part: str = ..., layer_type: str = ..., seq_len: int = ...) -> Embedding: ...
def spectrum(config: Config, *, part: str = ..., layer_type: str = ..., seq_len: int = ...) -> numpy.ndarray: ...
def table(
    config: Config,
    positions: Union[int, numpy.typing.ArrayLike],
    *,
    part: str = ...,
    layer_type: str = ...,
    seq_len: int = ...,
) -> Tuple[numpy.ndarray, numpy.ndarray]: ...
def rotate_(
    x: Array,
    config: Config,
    positions: Any = ...,
    *,
    axes: str = ...,
    inverse: bool = ...,
    threads: int = ...,
    part: str = ...,
    layer_type: str = ...,
    seq_len: int = ...,
) -> Array: ...
def rotate(
    x: Array,
    config: Config,
    positions: Any = ...,
    *,
    axes: str = ...,
    inverse: bool = ...,
    threads: int = ...,
    part: str = ...,
    layer_type: str = ...,
    seq_len: int = ...,
) -> Array: ...
