"""Reads the configurations of models."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Optional, Union

from . import _given, _ropescope
from ._ropescope import Embedding, Expectation

Config = Union[str, "os.PathLike[str]", Dict[str, Any], Embedding]


def load(config: Config, *, part: str = "", layer_type: str = "", seq_len: int = 0) -> Embedding:
    """Reads a configuration.

    part: "text" or "vision" where a model has both; text first.
    layer_type: "sliding_attention", ... where layers turn at different speeds; else the layers with
        full attention.
    seq_len: the length of the sequence, where the frequencies depend on it (dynamic NTK, LongRoPE);
        0 as when the model is loaded.

    Raises ValueError with one line that names the file, the key and what is expected.
    """
    if isinstance(config, Embedding):
        return config
    _given.text("part", part, "the name of a part")
    _given.text("layer_type", layer_type, "the name of a type of layers")
    seq_len = _given.whole("seq_len", seq_len, 0, 2**63 - 1, "a number of tokens")
    if isinstance(config, dict):
        return _ropescope.parse(as_json(config), part, layer_type, seq_len)
    return _ropescope.load(as_text(config), part, layer_type, seq_len)


def as_json(config: Dict[str, Any]) -> str:
    try:
        return json.dumps(config)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the config: {_given.one_line(error)}; a dict with the keys and values of a config.json is expected") from None


def as_text(config: Config) -> str:
    """What messages call it; of a file or a name that itself."""
    if isinstance(config, (dict, Embedding)):
        return "the config" if isinstance(config, dict) else "the embedding"
    if not isinstance(config, (str, os.PathLike)):
        raise ValueError(f"config: {type(config).__name__}; give a config.json, a dict, the name of a published model, or what "
                         "load() returned")
    return _given.text("config", os.fspath(config), "a path or a name")


def expectation(config: Optional[Config]) -> Optional[Expectation]:
    """What `config` says that an implementation does: None, or anything that load() takes."""
    if config is None or isinstance(config, Expectation):
        return config
    if isinstance(config, Embedding):
        return _ropescope.expectation_of(config, as_text(config))
    if isinstance(config, dict):
        return _ropescope.parse_expectation(as_json(config), as_text(config))
    return _ropescope.read_expectation(as_text(config))
