"""Strategies that this Python session defines, in a notebook's cell or at a prompt: they have no file to be named by.

They take part under a name that holds a digest of all that their doings depend on: the source text of their methods,
and of the functions and the values of the globals that these use. So a run knows its own cells again in another session
and replays them after a change, as it does with files. What cannot be told (no source text, a global that is neither
plain nor an array) gets a name of its own each session, so that its cells are never taken for known.
"""

from __future__ import annotations

import builtins
import dataclasses
import dis
import inspect
import sys
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from hashlib import sha256
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from simkit.catalog import IN_SESSION
from simkit.planning.digests import digest
from simkit.planning.strategy_spec import StrategySpec
from simkit.planning.values import is_plain
from simkit.strategy import Epsilon, Mixture, Never, Random, Strategy, kebab

_WRAPPERS = (Random, Mixture, Epsilon, Never)
"""Those that every game has: they are named as in a file."""
_WRITTEN_BY_DATACLASS = {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"} | {
    f"__{order}__" for order in ("lt", "le", "gt", "ge")
}
_TEXTS: dict[str, str] = {}
"""Source texts by the names in specs."""


def texts(spec: StrategySpec) -> dict[str, str]:
    """Source texts of a strategy, and of those it wraps, that this session defines, by the names in specs."""
    own = {spec.name: _TEXTS[spec.name]} if spec.name in IN_SESSION else {}
    return own | {name: text for wrapped in spec.of for name, text in texts(wrapped).items()}


def in_session(spec: StrategySpec) -> bool:
    """Whether a strategy, or one that it wraps, is this session's own."""
    return spec.name in IN_SESSION or any(map(in_session, spec.of))


def named(value: Any) -> Any:
    """The same plain data with tables in place of the strategies in it: classes and instances of `Strategy`."""
    if isinstance(value, Strategy) or _is_strategy(value):
        return _spec_of(value)
    if isinstance(value, Mapping):
        told = {key: named(item) for key, item in value.items()}
        return _with_parameters(value["name"], told) if _is_strategy(value.get("name")) else told
    return [named(item) for item in value] if isinstance(value, list | tuple) else value


def _is_strategy(value: Any) -> bool:
    """Whether a value is a class of strategies."""
    return isinstance(value, type) and issubclass(value, Strategy)


def _spec_of(strategy: type[Strategy] | Strategy) -> dict[str, Any]:
    """The table that stands for a class or an instance."""
    if isinstance(strategy, type):
        return _with_parameters(strategy, {})
    if not is_dataclass(strategy):
        return _with_parameters(strategy if _attributes(strategy) else type(strategy), {})
    changed = {f.name: getattr(strategy, f.name) for f in fields(strategy) if _is_changed(strategy, f)}
    if type(strategy) in _WRAPPERS:
        changed = named(changed)
    return _with_parameters(type(strategy), changed) if is_plain(changed) else _with_parameters(strategy, {})


def _attributes(strategy: Strategy) -> dict[str, Any]:
    """What an instance holds, but for its name, which it makes when asked."""
    return {name: value for name, value in vars(strategy).items() if name != "name"}


def _is_changed(strategy: Strategy, field: Any) -> bool:
    """Whether an instance's field has another value than its default."""
    value = getattr(strategy, field.name)
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return value is not default and not (is_plain(value) and value == default)


def _with_parameters(strategy: type[Strategy] | Strategy, told: dict[str, Any]) -> dict[str, Any]:
    """The table of a strategy with the keys beside its name; its label is what it would be if it had a file."""
    cls = strategy if isinstance(strategy, type) else type(strategy)
    plain = told | {"name": kebab(cls.__name__)}
    if strategy in _WRAPPERS:
        return plain
    return {"as": StrategySpec.model_validate(plain).default_label} | plain | {"name": _held(strategy, plain["name"])}


def _held(strategy: type[Strategy] | Strategy, name: str) -> str:
    """Keep a strategy for the catalog; the name it now has."""
    told: dict[str, Any] = {}
    try:
        _tell(strategy, "", told)
        mark = digest(told)[:12]
    except _Untold:
        mark = next((mark for mark, held in _once.items() if held is strategy), f"once {uuid.uuid4().hex[:12]}")
        _once[mark] = strategy
    spelled = f"{name} (this Python session, {mark})"
    IN_SESSION[spelled] = strategy
    _TEXTS[spelled] = "\n".join(value for value in told.values() if isinstance(value, _Source))
    return spelled


_once: dict[str, type[Strategy] | Strategy] = {}
"""Strategies that cannot be told from others, by the marks in their names."""


# ------------------------------------------------------------------------------------------ what doings depend on


class _Untold(Exception):  # noqa: N818 - no error: the strategy plays, but is never known again
    """What something does cannot be told from text and plain values."""


class _Source(str):
    """Source text."""


def _tell(thing: Any, name: str, told: dict[str, Any]) -> None:
    """Write down all that the doings of a thing of that name depend on."""
    if name in told:
        return
    if thing is None or is_plain(thing):
        told[name] = thing
    elif isinstance(thing, np.ndarray | np.generic):
        told[name] = [str(thing.dtype), list(thing.shape), sha256(thing.tobytes()).hexdigest()]
    elif isinstance(thing, ModuleType):
        told[name] = thing.__name__
    elif _is_installed(thing):
        told[name] = f"{thing.__module__}.{thing.__qualname__}"
    elif isinstance(thing, FunctionType):
        _tell_function(thing, name, told)
    elif isinstance(thing, type):
        _tell_class(thing, name, told)
    elif isinstance(thing, Strategy):
        _tell_all({"class": type(thing)} | _attributes(thing), name, told)
    elif isinstance(thing, list | tuple):
        _tell_all({str(place): item for place, item in enumerate(thing)}, name, told)
    elif isinstance(thing, Mapping) and all(isinstance(key, int | str) for key in thing):
        _tell_all({repr(key): item for key, item in thing.items()}, name, told)
    else:
        raise _Untold


def _tell_all(things: Mapping[str, Any], name: str, told: dict[str, Any]) -> None:
    """The same for several things within one."""
    told.setdefault(name, sorted(things))
    for part, thing in things.items():
        _tell(thing, f"{name}.{part}", told)


def _is_installed(thing: Any) -> bool:
    """Whether a class or function comes with Python, simkit or an installed package."""
    module, has_name = getattr(thing, "__module__", None), hasattr(thing, "__qualname__")
    if not isinstance(module, str) or not has_name or module == "__main__":
        return False
    file = str(getattr(sys.modules.get(module), "__file__", ""))
    root = module.partition(".")[0]
    return root == "simkit" or root in sys.stdlib_module_names or "site-packages" in file or "dist-packages" in file


def _tell_class(cls: type, name: str, told: dict[str, Any]) -> None:
    """What a class holds, and its bases."""
    told[name] = cls.__qualname__
    parts: dict[str, Any] = {f"base {place}": base for place, base in enumerate(cls.__bases__)}
    if is_dataclass(cls):
        parts |= {f"field {f.name}": f.default_factory for f in fields(cls) if f.default_factory is not MISSING}
    for key, value in vars(cls).items():
        inner = _unwrapped(value)
        is_ours = isinstance(inner, FunctionType) or not key.startswith("__")
        if is_ours and not (is_dataclass(cls) and key in _WRITTEN_BY_DATACLASS and _has_no_text(inner)):
            parts[key] = inner
    _tell_all(parts, name, told)


def _unwrapped(value: Any) -> Any:
    """The function in a property or the like."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, cached_property):
        return value.func
    return getattr(value, "__func__", value)


def _has_no_text(function: Any) -> bool:
    """Whether a dataclass's function was made from its fields, which are told anyway."""
    return getattr(getattr(function, "__code__", None), "co_filename", "") in ("<string>", dataclasses.__file__)


def _tell_function(function: FunctionType, name: str, told: dict[str, Any]) -> None:
    """A function's text, defaults, what it encloses, and the globals that it uses."""
    try:
        told[name] = _Source(inspect.getsource(function))
    except (OSError, TypeError):
        raise _Untold from None
    try:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:
        raise _Untold from None
    enclosed = dict(zip(function.__code__.co_freevars, cells, strict=True))
    parts = {"defaults": function.__defaults__, "keywords": function.__kwdefaults__}
    _tell_all(parts | {key: value for key, value in enclosed.items() if key != "__class__"}, f"{name} has", told)
    for key in sorted(set(_globals_of(function.__code__))):
        if key in function.__globals__:
            _tell(function.__globals__[key], f"global {function.__module__}.{key}", told)
        elif not hasattr(builtins, key):
            raise _Untold


def _globals_of(code: CodeType) -> Iterator[str]:
    """Names that a function's code, and that of functions within, looks up among globals."""
    yield from (line.argval for line in dis.get_instructions(code) if line.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_of(constant)
