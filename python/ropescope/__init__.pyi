from typing import Any, Tuple, TypeVar, Union

import numpy.typing
from numpy.typing import NDArray

from ._captured import CaptureReport as CaptureReport
from ._config import Config as Config
from ._config import load as load
from ._ropescope import Embedding as Embedding
from ._ropescope import __version__ as __version__
from .capture import Capture as Capture
from .capture import capture as capture
from .diagnosis import Diagnosis as Diagnosis
from .diagnosis import Finding as Finding
from .diagnosis import Mismatch as Mismatch
from .diagnosis import diagnose as diagnose
from .probing import ProbeReport as ProbeReport
from .probing import RequestResult as RequestResult
from .probing import probe as probe
from .testing import assert_rope as assert_rope

Array = TypeVar("Array")

def spectrum(config: Config, *, part: str = ..., layer_type: str = ..., seq_len: int = ...) -> NDArray[Any]: ...
def table(
    config: Config,
    positions: Union[int, numpy.typing.ArrayLike],
    *,
    part: str = ...,
    layer_type: str = ...,
    seq_len: int = ...,
) -> Tuple[NDArray[Any], NDArray[Any]]: ...
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
