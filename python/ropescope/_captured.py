"""What the rotations that capture() saw do, by stacks of layers and by calls, and as a dump."""

from __future__ import annotations

import dataclasses
import json
import os
import struct
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import _ropescope
from ._config import Config, expectation
from ._recorder import Sight, bytes_of
from .diagnosis import Diagnosis, Finding, read_report


@dataclasses.dataclass(frozen=True)
class StackDiagnosis:
    """What the layers of one stack of the model do in one of its calls."""

    stack: str  #: "model.layers"
    call: int
    layers: Tuple[int, ...]  #: empty if the path has no number
    diagnosis: Diagnosis


@dataclasses.dataclass(frozen=True)
class CaptureReport:
    """The report of Capture.diagnose(). str() is for people."""

    passed: bool  #: every stack passes, and there are no problems
    stacks: Tuple[StackDiagnosis, ...]
    notes: Tuple[str, ...]  #: what was not seen or not kept
    problems: Tuple[str, ...]  #: what is wrong between calls or layers, and calls that could not be judged

    @property
    def faults(self) -> Tuple[Finding, ...]:
        return tuple(fault for each in self.stacks for fault in each.diagnosis.faults)

    def __str__(self) -> str:
        blocks = []
        for each in self.stacks:
            calls = "" if each.call == 0 else f", call {each.call + 1}"
            blocks.append(f"{each.stack or 'the model'}{calls}\n{each.diagnosis}".rstrip())
        blocks += [f"problem: {each}" for each in self.problems] + [f"note: {each}" for each in self.notes]
        return "\n\n".join(blocks) + "\n"


def _groups(sights: Sequence[Sight]) -> Dict[Tuple[str, int], List[Sight]]:
    groups: Dict[Tuple[str, int], List[Sight]] = {}
    for sight in sights:
        groups.setdefault((sight.stack, sight.call), []).append(sight)
    return groups


def _named(sight: Sight) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    front = "" if sight.layer is None else f"layers.{sight.layer}."
    told = {} if sight.positions is None else {f"{front}positions": sight.positions}
    return {front + name: tensor for name, tensor in sight.tensors().items()}, told


def _where(stack: str, call: int) -> str:
    return (stack or "the model") + ("" if call == 0 else f", call {call + 1}")


def _one_sided(group: Sequence[Sight]) -> List[str]:
    """Layers of which one tensor was seen to turn where two are in others."""
    alone = [sight for sight in group if sight.k is None]
    if not alone or len(alone) == len(group):
        return []
    return [f"{sight.path}: one tensor was seen to turn, and two in other layers; the other one does not turn there, or "
            "by a function that was not watched." for sight in alone]


def _told_apart(group: Sequence[Sight]) -> List[str]:
    """Layers that were told other positions than the first one."""
    told = [sight for sight in group if sight.positions is not None]
    others = [sight.path for sight in told if not numpy.array_equal(sight.positions, told[0].positions)]
    return [f"{', '.join(others)}: told other positions than {told[0].path}."] if others else []


def _offsets(stacks: Sequence[StackDiagnosis]) -> List[str]:
    """Calls whose positions are off by another number than in the first: its keys are in the cache."""
    problems = []
    first: Dict[str, float] = {}
    for each in stacks:
        offset = each.diagnosis.position_offset
        if offset is None:
            continue
        if offset != first.setdefault(each.stack, offset):
            problems.append(f"{_where(each.stack, each.call)}: positions are off by {offset:g}, and by "
                            f"{first[each.stack]:g} in the first call; its keys are in the cache, so scores are wrong.")
    return problems


def _tensors_of(group: Sequence[Sight]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    tensors: Dict[str, Any] = {}
    positions: Dict[str, Any] = {}
    for sight in group:
        of_call, of_tokens = _named(sight)
        tensors.update(of_call)
        positions.update(of_tokens)
    return tensors, positions


def diagnose_sights(sights: Sequence[Sight], notes: Sequence[str], config: Optional[Config], axes: str,
                    position_axes: str) -> CaptureReport:
    expected = expectation(config)
    stacks: List[StackDiagnosis] = []
    problems: List[str] = []
    told = list(notes)
    for (stack, call), group in _groups(sights).items():
        where = _where(stack, call)
        if any(sight.positions is None for sight in group):
            if call > 0:
                problems.append(f"{where}: the code was not seen to be told positions, and a later call need not begin "
                                "at 0; give them to the model as position_ids.")
                continue
            told.append(f"{where}: the code was not seen to be told positions; 0, 1, 2, ... are assumed.")
        problems += _one_sided(group)
        told += _told_apart(group)
        layers = tuple(sight.layer for sight in group if sight.layer is not None)
        try:
            report = _ropescope.diagnose(*_tensors_of(group), axes, position_axes, expected, bool(layers))
        except ValueError as error:
            problems.append(f"{where}: {error}")
            continue
        stacks.append(StackDiagnosis(stack, call, layers, read_report(*report)))
    problems += _offsets(stacks)
    passed = bool(stacks) and not problems and all(each.diagnosis.passed for each in stacks)
    return CaptureReport(passed, tuple(stacks), tuple(told), tuple(problems))


_SAFETENSORS = {"torch.float64": "F64", "torch.float32": "F32", "torch.float16": "F16", "torch.bfloat16": "BF16"}


def save_sights(sights: Sequence[Sight], path: Any) -> None:
    import torch

    tensors: Dict[str, Any] = {}
    for sight in sights:
        if sight.call > 0:
            continue
        of_call, of_tokens = _named(sight)
        of_call.update({name: torch.from_numpy(numpy.array(values, dtype=numpy.float64))
                        for name, values in of_tokens.items()})
        twice = sorted(set(of_call) & set(tensors))
        if twice:
            raise ValueError(f"save: {twice[0]} would be of {sight.path} and of another part; save the parts "
                             "apart, each with a capture() of its own module")
        tensors.update(of_call)
    header: Dict[str, Any] = {}
    at = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": _SAFETENSORS[str(tensor.dtype)], "shape": list(tensor.shape),
                        "data_offsets": [at, at + bytes_of(tensor)]}
        at += bytes_of(tensor)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    _write_whole(path, [struct.pack("<Q", len(text)), text], tensors.values())


def _write_whole(path: Any, front: List[bytes], tensors: Any) -> None:
    """Writes beside the file and renames it, so that none is half written."""
    import torch

    folder, name = os.path.split(os.path.abspath(os.fspath(path)))
    handle, beside = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            for part in front:
                file.write(part)
            for tensor in tensors:
                file.write(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
