"""Keeps the rotations that run inside capture(): which arguments turned, at which positions, and of which layer."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy

Arguments = List[Tuple[str, Any]]  #: names, as far as there are any, and values

#: What code calls the positions of tokens, and the position of the first token.
_POSITION_NAMES = ("position_ids", "positions", "input_pos", "pos_ids", "position", "pos", "cache_position")
#: The same with the axes last, [L, axes] or [B, L, axes], as models of images have them.
_AXES_LAST_NAMES = ("ids", "img_ids", "image_ids")
_START_NAMES = ("start_pos", "offset", "seq_offset", "seqlen_offset", "position_offset", "past_length",
                "past_key_values_length", "cur_pos", "start_position")
#: Arguments of these names are tables, masks and the like, and never what turns.
_TABLES = re.compile(r"cos|sin|freq|cache|table|mask|^emb$|rope_emb|pos|theta|scale")


@dataclasses.dataclass(frozen=True)
class Positions:
    """Of the tokens of a call: an array [L], [B, L], [axes, L] or [axes, B, L], or the first of L tokens."""

    array: Any = None
    start: Optional[int] = None


@dataclasses.dataclass
class Sight:
    """One call of a rotation."""

    path: str  #: of the module of the model that was running: "model.layers.3.self_attn"
    function: str  #: "apply_rotary_pos_emb"
    call: int = 0  #: how many calls of this path came before
    stack: str = ""  #: "model.layers"
    layer: Optional[int] = None  #: 3
    q: Any = None
    k: Any = None
    q_rot: Any = None
    k_rot: Any = None
    positions: Any = None  #: None if the code was not seen to be told any

    def tensors(self) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in ("q", "k", "q_rot", "k_rot") if getattr(self, name) is not None}


def _tensor(value: Any) -> bool:
    return hasattr(value, "detach") and hasattr(value, "dtype")


def _turnable(name: str, value: Any) -> bool:
    return (_tensor(value) and value.dtype.is_floating_point and value.dim() >= 2 and value.shape[-1] > 1
            and not _TABLES.search(name))


def bytes_of(tensor: Any) -> int:
    return int(tensor.numel() * tensor.element_size())


def positions_among(arguments: Arguments) -> Optional[Positions]:
    for name, value in arguments:
        if name in _POSITION_NAMES + _AXES_LAST_NAMES and _tensor(value) and 1 <= value.dim() <= 3 and value.numel():
            whole = not value.dtype.is_floating_point or bool((value == value.floor()).all())
            if whole and str(value.dtype) != "torch.bool":
                return Positions(array=value.movedim(-1, 0) if name in _AXES_LAST_NAMES else value)
    for name, value in arguments:
        if name in _START_NAMES:
            if isinstance(value, int) or (_tensor(value) and value.numel() == 1):
                return Positions(start=int(value))
    return None


def _length_axis(shapes: Sequence[Sequence[int]], lengths: Sequence[int]) -> Optional[int]:
    """The axis of tokens: the one axis but the last that all tensors share and that has one of these lengths."""
    rank = len(shapes[0])
    if any(len(shape) != rank for shape in shapes):
        return None
    shared = [axis for axis in range(rank - 1)
              if len({shape[axis] for shape in shapes}) == 1 and shapes[0][axis] in lengths]
    return shared[0] if len(shared) == 1 else None


@dataclasses.dataclass
class _Running:
    """A module of the model that is running, and what rotated tensors one by one in it."""

    path: str
    arguments: Arguments
    single: Optional[Sight] = None  #: a query that waits for its key


class Recorder:
    """Follows the calls while the block runs."""

    def __init__(self, max_tokens: int, max_bytes: int) -> None:
        self.sights: List[Sight] = []
        self.notes: List[str] = []
        self._max_tokens, self._max_bytes = max_tokens, max_bytes
        self._running: List[_Running] = []
        self._told_rotary: Optional[Positions] = None  # what a rotary module of this run was told
        self._told_any: Optional[Positions] = None
        self._dropped = 0

    @contextlib.contextmanager
    def running(self, path: str, arguments: Arguments, rotates: bool) -> Iterator[None]:
        if not self._running:
            self._told_rotary = self._told_any = None
        told = positions_among(arguments)
        if told is not None and rotates:
            self._told_rotary = told
        self._told_any = told or self._told_any
        self._running.append(_Running(path, arguments))
        try:
            yield
        finally:
            self._running.pop()

    def call(self, label: str, named: Arguments, function: Callable[..., Any], arguments: Tuple[Any, ...],
             keywords: Dict[str, Any], inner_first: bool = False) -> Any:
        """Calls the function and keeps what it turned. Of functions within functions the outer one is kept if it
        turns something; of a module (inner_first) the functions in it, if there are any."""
        before = self._copies(named)
        count, waiting = len(self.sights), [each.single for each in self._running]
        result = function(*arguments, **keywords)
        if inner_first and len(self.sights) > count:
            return result
        turned = _turned(before, result)
        if turned:
            del self.sights[count:]
            for running, single in zip(self._running, waiting):
                running.single = single
            self._keep(label, named, turned, own_module=inner_first)
        return result

    def finish(self) -> None:
        _number(self.sights)
        if self._dropped:
            self.notes.append(f"{self._dropped} calls were not kept, because all copies together have the limit of "
                              f"{self._max_bytes} bytes; give max_bytes or fewer tokens.")

    def _copies(self, named: Arguments) -> List[Tuple[Any, Any]]:
        """The tensors that may turn, each with a copy, since the call may overwrite them."""
        tensors = [value for name, value in named if _turnable(name, value)]
        kept = sum(bytes_of(each) for sight in self.sights for each in sight.tensors().values())
        if kept + 2 * sum(map(bytes_of, tensors)) > self._max_bytes:
            self._dropped += bool(tensors)
            return []
        return [(each, each.detach().clone()) for each in tensors]

    def _keep(self, label: str, named: Arguments, turned: List[Tuple[Any, Any]], own_module: bool) -> None:
        depth = 2 if own_module and len(self._running) > 1 else 1
        running = self._running[-depth] if self._running else _Running("", [])
        pairs = _queries_and_keys(turned)
        lengths = _lengths_among(named)
        for q, k in pairs:
            sight = Sight(running.path, label)
            told = self._positions(named)
            self._fill(sight, q, k, told, lengths)
            if k is None and running.single is not None and running.single.function == label:
                _join(running.single, sight)
                running.single = None
                continue
            self.sights.append(sight)
            running.single = sight if k is None else None

    def _positions(self, named: Arguments) -> List[Positions]:
        """What the code was told, the nearest first."""
        stack = [positions_among(each.arguments) for each in reversed(self._running)]
        all_told = [positions_among(named), self._told_rotary, *stack, self._told_any]
        return [each for each in all_told if each is not None]

    def _fill(self, sight: Sight, q: Tuple[Any, Any], k: Optional[Tuple[Any, Any]], told: List[Positions],
              lengths: List[int]) -> None:
        sides = [q] if k is None else [q, k]
        shapes = [tuple(before.shape) for before, _ in sides]
        axis, positions = _positions_that_fit(told, shapes, lengths)
        keep = None
        if axis is not None and shapes[0][axis] > self._max_tokens:
            keep = _ends(shapes[0][axis], self._max_tokens)
            positions = positions if positions is not None else numpy.arange(shapes[0][axis])
            positions = positions[..., keep]
        for names, side in zip((("q", "q_rot"), ("k", "k_rot")), sides):
            for name, tensor in zip(names, side):
                setattr(sight, name, _on_cpu(tensor, axis, keep))
        sight.positions = positions


def _on_cpu(tensor: Any, axis: Optional[int], keep: Any) -> Any:
    tensor = tensor.detach()
    if keep is not None:
        import torch

        tensor = tensor.index_select(axis, torch.as_tensor(keep, device=tensor.device))
    return tensor.to("cpu", copy=True).contiguous()


def _ends(length: int, kept: int) -> Any:
    first = (kept + 1) // 2
    return numpy.r_[0:first, length - (kept - first):length]


def _turned(before: List[Tuple[Any, Any]], result: Any) -> List[Tuple[Any, Any]]:
    """Pairs of a tensor and what became of it: each result of the shape of an argument, or arguments that the
    call has overwritten."""
    results = [result] if _tensor(result) else list(result) if isinstance(result, (tuple, list)) else []
    left = list(before)
    turned = []
    for each in results:
        fits = [pair for pair in left if _tensor(each) and each.shape == pair[0].shape]
        if not fits or not each.dtype.is_floating_point:
            continue
        same = [pair for pair in fits if each is pair[0]]
        pair = (same or fits)[0]
        left = [other for other in left if other is not pair]
        turned.append((pair[1], each))
    if turned or any(_tensor(each) for each in results):
        return turned
    return [(copy, each) for each, copy in before if not bool((each.detach() == copy).all())]


def _queries_and_keys(turned: List[Tuple[Any, Any]]) -> List[Tuple[Tuple[Any, Any], Optional[Tuple[Any, Any]]]]:
    """q with k: two tensors of one call, or the parts of one tensor [B, L, 3, H, D] of q, k and v."""
    pairs: List[Tuple[Tuple[Any, Any], Optional[Tuple[Any, Any]]]] = []
    rest = []
    for before, after in turned:
        if before.dim() == 5 and before.shape[2] in (2, 3):
            pairs.append(((before[:, :, 0], after[:, :, 0]), (before[:, :, 1], after[:, :, 1])))
        else:
            rest.append((before, after))
    for first in range(0, len(rest), 2):
        pairs.append((rest[first], rest[first + 1] if first + 1 < len(rest) else None))
    return pairs


def _join(first: Sight, second: Sight) -> None:
    """Two calls of one tensor each are q and k; there are never fewer heads of q than of k."""
    if second.q.numel() > first.q.numel():
        first.q, first.q_rot, second.q, second.q_rot = second.q, second.q_rot, first.q, first.q_rot
    first.k, first.k_rot = second.q, second.q_rot
    if first.positions is None:
        first.positions = second.positions


def _lengths_among(named: Arguments) -> List[int]:
    """Lengths that tables of the call have: cos and sin [L, D], [B, L, D], ..."""
    lengths: List[int] = []
    for name, value in named:
        for each in value if isinstance(value, (tuple, list)) else [value]:
            if _tensor(each) and each.dim() >= 2 and (_TABLES.search(name) or each.dtype.is_complex):
                lengths += [size for size in each.shape[:-1] if size > 1]
    return lengths


def _positions_that_fit(told: List[Positions], shapes: List[Tuple[int, ...]],
                        lengths: List[int]) -> Tuple[Optional[int], Any]:
    """The axis of tokens and the positions, of the nearest that fit the tensors."""
    for each in told:
        if each.array is not None:
            array = each.array.detach().cpu()
            tokens = int(array.shape[-1])
            if any(tokens in shape[:-1] for shape in shapes):
                return _length_axis(shapes, [tokens]), numpy.array(array.double().numpy())
    axis = _length_axis(shapes, lengths) if lengths else None
    if axis is None:
        axis = _axis_beside_heads(shapes)
    for each in told:
        if each.start is not None and axis is not None:
            return axis, each.start + numpy.arange(shapes[0][axis])
    return axis, None


def _axis_beside_heads(shapes: List[Tuple[int, ...]]) -> Optional[int]:
    """The axis of tokens of [B, L, H, D] or [B, H, L, D] if q and k differ in the number of heads."""
    if len(shapes) == 2 and len(shapes[0]) == len(shapes[1]) == 4 and shapes[0] != shapes[1]:
        same = [axis for axis in (1, 2) if shapes[0][axis] == shapes[1][axis]]
        return same[0] if len(same) == 1 else None
    return None


def _number(sights: List[Sight]) -> None:
    """Tells layers apart: of paths that differ in numbers only, the number that takes the most values."""
    families: Dict[str, List[Sight]] = {}
    calls: Dict[str, int] = {}
    for sight in sights:
        sight.call = calls.get(sight.path, 0)
        calls[sight.path] = sight.call + 1
        families.setdefault(re.sub(r"\b\d+\b", "*", sight.path), []).append(sight)
    for family in families.values():
        parts = [sight.path.split(".") for sight in family]
        places = [place for place, part in enumerate(parts[0]) if part.isdigit()]
        if not places:
            for sight in family:
                sight.stack, sight.layer = sight.path, None
            continue
        place = max(places, key=lambda at: len({each[at] for each in parts}))
        for sight, path in zip(family, parts):
            sight.stack = ".".join(path[:place]) if all(not p.isdigit() for p in path[place + 1:]) else ".".join(
                path[:place] + ["*"] + path[place + 1:])
            sight.layer = int(path[place])
