"""Watches the rotations of a model of PyTorch while it runs, and says layer by layer what they do.

    with ropescope.capture(model) as seen:
        model(**inputs)
    print(seen.diagnose("config.json"))
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import types
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from . import _given
from ._captured import CaptureReport, diagnose_sights, save_sights
from ._config import Config
from ._recorder import Recorder, Sight

#: A name of a function or class that rotates: apply_rotary_pos_emb, RoPE2D, apply_mrope; not "property".
_ROTATES = re.compile(r"rotary|Rotary|rotate_quer|(?<![a-zA-Z])[mx]?rope(?![a-z])|RoPE|Rope(?![a-z])|ROPE")
#: Methods by which objects of a rotating class are called, if their names say nothing.
_CALLS = ("forward", "__call__", "apply", "rotate")
_FOREIGN = ("torch", "numpy", "builtins", "typing", "functools", "math")


def _own(module_name: str) -> bool:
    return module_name.split(".")[0] not in _FOREIGN


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


def _rotates(name: str, value: Any) -> bool:
    return bool(_ROTATES.search(name) or _ROTATES.search(getattr(value, "__name__", "")))


class _Slot:
    """A place that holds a function: an attribute of a Python module, of a class or of an object."""

    def __init__(self, owner: Any, name: str, label: str) -> None:
        self.owner, self.name, self.label = owner, name, label
        self.own = name in vars(owner)  # or it is found in the class, and goes when it is done
        self.before = vars(owner)[name] if self.own else getattr(owner, name)

    def function(self) -> Callable[..., Any]:
        """What is called, without the wrapping of a static method or a class method."""
        return getattr(self.before, "__func__", self.before) if self._is_bound_by_class() else self.before

    def put(self, function: Callable[..., Any]) -> None:
        wrapped = type(self.before)(function) if self._is_bound_by_class() else function
        self._write(wrapped)

    def restore(self) -> None:
        if self.own:
            self._write(self.before)
        else:
            del vars(self.owner)[self.name]

    def _is_bound_by_class(self) -> bool:
        return isinstance(self.before, (staticmethod, classmethod))

    def _write(self, value: Any) -> None:
        if isinstance(self.owner, type):
            setattr(self.owner, self.name, value)
        else:
            vars(self.owner)[self.name] = value


def _classes(module: Any) -> Iterator[type]:
    """The classes of a module of the model that are not PyTorch's own."""
    for each in type(module).__mro__:
        if _own(each.__module__) and each is not object:
            yield each


def _slots_of_class(each: type, rotating: bool) -> Iterator[_Slot]:
    for name, value in list(vars(each).items()):
        function = getattr(value, "__func__", value)
        if _is_function(function) and (_rotates(name, function) or (rotating and name in _CALLS)):
            yield _Slot(each, name, f"{each.__name__}.{name}")


def _slots_of_namespace(namespace: types.ModuleType, depth: int = 1) -> Iterator[_Slot]:
    """Functions by name, also those of Python modules that this one calls by their names."""
    for name, value in list(vars(namespace).items()):
        if isinstance(value, types.ModuleType):
            if depth and _own(value.__name__) and value is not namespace:
                yield from _slots_of_namespace(value, depth - 1)
        elif _is_function(value) and _rotates(name, value):
            yield _Slot(namespace, name, name)


def _slots_of_object(module: Any) -> Iterator[_Slot]:
    """Functions, and objects of rotating classes, that a module of the model holds in attributes."""
    for name, value in list(vars(module).items()):
        if name.startswith("_") and not _ROTATES.search(name):
            continue
        if _is_function(value) and not _has_rotating_class(value) and _rotates(name, value):
            yield _Slot(module, name, name)
        elif _has_rotating_class(value):
            yield from _slots_of_class(type(value), rotating=True)


def _has_rotating_class(value: Any) -> bool:
    return bool(_ROTATES.search(type(value).__name__)) and _own(type(value).__module__)


def _named(paths: Sequence[str]) -> Iterator[_Slot]:
    """Functions that the user names: package.module.function or package.module.Class.method."""
    for path in paths:
        parts = path.split(".")
        owner: Any = None
        for cut in range(len(parts) - 1, 0, -1):
            owner = sys.modules.get(".".join(parts[:cut]))
            if owner is not None:
                break
        for part in parts[cut:-1]:
            owner = getattr(owner, part, None)
        if owner is None or not _is_function(getattr(owner, parts[-1], None)):
            raise ValueError(f"functions: {path!r} is not a function of an imported module; write "
                             "package.module.function, or package.module.Class.method")
        yield _Slot(owner, parts[-1], parts[-1])


class _Bound:
    """The arguments of calls of a function, by name as far as it has a signature."""

    def __init__(self, function: Callable[..., Any]) -> None:
        try:
            self._signature: Optional[inspect.Signature] = inspect.signature(function)
        except (TypeError, ValueError):  # of compiled functions
            self._signature = None

    def __call__(self, arguments: Tuple[Any, ...], keywords: Dict[str, Any]) -> List[Tuple[str, Any]]:
        if self._signature is not None:
            try:
                bound = self._signature.bind(*arguments, **keywords).arguments
            except TypeError:  # the call itself will say so
                return []
            named: List[Tuple[str, Any]] = []
            for name, value in bound.items():
                kind = self._signature.parameters[name].kind
                if kind is inspect.Parameter.VAR_KEYWORD:
                    named += value.items()
                elif kind is inspect.Parameter.VAR_POSITIONAL:
                    named += [("", each) for each in value]
                else:
                    named.append((name, value))
            return named
        return [("", value) for value in arguments] + list(keywords.items())


class Capture:
    """What capture() returns. After the `with` block it holds what was seen.

    calls: a Sight for each rotation in the order of the calls: path of the module, layer, the function's name,
        q, k, q_rot, k_rot and positions as copies on the CPU.
    notes: what was not kept, and why, a sentence each.
    """

    def __init__(self, model: Any, functions: Sequence[str], max_tokens: int, max_bytes: int) -> None:
        if not hasattr(model, "named_modules"):
            raise ValueError(f"model: {type(model).__name__}; give a torch.nn.Module")
        self.model = model
        if not isinstance(functions, (list, tuple)):
            raise ValueError(f"functions: {type(functions).__name__}; give a list of names")
        self._functions = tuple(_given.text("functions", name, "the name of a function") for name in functions)
        self._recorder = Recorder(_given.whole("max_tokens", max_tokens, 1, 2**63 - 1, "a number of tokens"),
                                  _given.whole("max_bytes", max_bytes, 0, 2**63 - 1, "a number of bytes"))
        self._slots: List[_Slot] = []
        self._watched: Tuple[str, ...] = ()

    def __enter__(self) -> "Capture":
        if self._slots:
            raise ValueError("capture: the block is entered already; make another capture(model)")
        found = self._found()
        self._watched = tuple(sorted({slot.label for slot in found}))
        try:
            for slot in found:
                self._wrap(slot)
            for path, module in self.model.named_modules():
                self._wrap_module(path, module)
        except BaseException:
            self._restore()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        self._restore()
        self._recorder.finish()

    @property
    def calls(self) -> Tuple[Sight, ...]:
        return tuple(self._recorder.sights)

    @property
    def notes(self) -> Tuple[str, ...]:
        return tuple(self._recorder.notes)

    def diagnose(self, config: Optional[Config] = None, *, axes: str = "", position_axes: str = "") -> CaptureReport:
        """Says of every layer and call what the rotation does. str() of the result is the report.

        config: what the model should do, anything that load() takes; by default the model's own
            configuration, if it has one that can be written as a dict.
        axes, position_axes: as of diagnose(), if the tensors do not tell.

        Raises ValueError if no rotation was seen.
        """
        _given.text("axes", axes, "the names of the axes in order")
        _given.text("position_axes", position_axes, "the names of the axes in order")
        if not self.calls:
            raise ValueError(self._nothing_seen())
        if config is None and hasattr(getattr(self.model, "config", None), "to_dict"):
            config = self.model.config.to_dict()
        return diagnose_sights(self.calls, self.notes, config, axes, position_axes)

    def save(self, path: Any) -> None:
        """Writes the first call of every layer to a .safetensors file that `ropescope diagnose` and the window
        read. Raises ValueError if no rotation was seen, and if layers of several parts would get one name."""
        if not self.calls:
            raise ValueError(self._nothing_seen())
        save_sights(self.calls, path)

    def _found(self) -> List[_Slot]:
        slots: Dict[Tuple[int, str], _Slot] = {}
        namespaces: Dict[str, types.ModuleType] = {}

        def add(found: Iterator[_Slot]) -> None:
            for slot in found:
                slots.setdefault((id(slot.owner), slot.name), slot)
        add(_named(self._functions))
        for module in self.model.modules():
            add(_slots_of_object(module))
            for each in _classes(module):
                add(_slots_of_class(each, rotating=False))
                if each.__module__ in sys.modules:
                    namespaces[each.__module__] = sys.modules[each.__module__]
        for namespace in namespaces.values():
            add(_slots_of_namespace(namespace))
        return list(slots.values())

    def _wrap(self, slot: _Slot) -> None:
        function = slot.function()
        bound = _Bound(function)

        def recording(*arguments: Any, **keywords: Any) -> Any:
            return self._recorder.call(slot.label, bound(arguments, keywords), function, arguments, keywords)
        slot.put(_dressed(recording, function))
        self._slots.append(slot)

    def _wrap_module(self, path: str, module: Any) -> None:
        """Follows which module runs; one of a rotating class is a rotation itself if nothing in it is."""
        if type(module).__name__ == "ScriptModule" or not hasattr(module, "forward"):
            return
        slot = _Slot(module, "forward", path)
        forward = slot.before
        bound = _Bound(forward)
        rotates = bool(_ROTATES.search(type(module).__name__))

        def following(*arguments: Any, **keywords: Any) -> Any:
            with self._recorder.running(path, bound(arguments, keywords), rotates):
                if not rotates:
                    return forward(*arguments, **keywords)
                return self._recorder.call(type(module).__name__, bound(arguments, keywords), forward, arguments,
                                           keywords, inner_first=True)
        slot.put(_dressed(following, forward))
        self._slots.append(slot)

    def _restore(self) -> None:
        while self._slots:
            self._slots.pop().restore()

    def _nothing_seen(self) -> str:
        watched = ", ".join(self._watched) or "none"
        compiled = (" The model is compiled: run model._orig_mod in the block, whose functions are called."
                    if hasattr(self.model, "_orig_mod") else "")
        notes = "".join(f" {note}" for note in self.notes)
        return (f"capture: no rotation was seen. Functions that were watched: {watched}. Run the model in the with "
                f"block; name a function that is called otherwise: capture(model, functions=[\"my.module.turn\"])."
                f"{compiled}{notes}")


def _dressed(wrapper: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """The wrapper with the name and the signature of what it stands for, which some code asks for."""
    try:
        return functools.wraps(function)(wrapper)
    except (AttributeError, TypeError):
        return wrapper


def capture(model: Any, *, functions: Sequence[str] = (), max_tokens: int = 4096,
            max_bytes: int = 1 << 30) -> Capture:
    """Watches the rotations of `model`, a torch.nn.Module, inside a `with` block.

    Functions are found by their names (rotary, rope) in the Python modules, classes and attributes of the model's
    modules, and bound names of them too; what a call is, its tensors say: a result of the shape of an argument, or
    an argument that is changed in place. Copies go to the CPU. When the block ends, also by an exception, every
    function is as before.

    functions: names of others: "package.module.function", "package.module.Class.method".
    max_tokens: of each call: the first and the last tokens are kept, a half each.
    max_bytes: of all copies together; calls beyond it are not kept, and `notes` says so.
    """
    return Capture(model, functions, max_tokens, max_bytes)
