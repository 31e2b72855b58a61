"""Dataclasses that cost little: each of their methods is compiled when it is first used, and instances are made fast.

The standard library compiles six methods of a frozen dataclass while it is defined. A run defines six hundred of them
and uses a third, so that methods that nobody calls would take two fifths of its start.
"""

import dataclasses
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from inspect import get_annotations
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, get_origin

from auditor.util.quick import compile_init, make_reader


def _decorate(kind: type | None = None, /, *, slots: bool = False, **options: bool) -> type | Callable[[type], type]:
    """Define a dataclass: the same as `dataclasses.dataclass`, for the options `frozen`, `eq` and `kw_only`.

    A class without slots is what the standard library makes of it.

    >>> @dataclass(frozen=True, slots=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(y=0, x=1), dataclasses.replace(Point(1), y=2)
    (Point(x=1, y=0), True, Point(x=1, y=2))
    """

    def define(kind: type) -> type:
        return _define(kind, **options) if slots else dataclasses.dataclass(kind, **options)

    return define if kind is None else define(kind)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _decorate


__all__ = ["dataclass"]


@dataclasses.dataclass(frozen=True, slots=True)
class _Sample:
    """What the standard library gives every frozen dataclass, and every field."""

    value: int


_FIELD = fields(_Sample)[0]
_CHOICES = "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only"
"""What a class says of a field."""
_SHARED = {name: vars(_Sample)[name] for name in {"__getstate__", "__setstate__", "__replace__"} & vars(_Sample).keys()}
"""Methods that ask the fields of their class, and are the same for all."""


class _Late:
    """An attribute of a class that is made when it is first asked for."""

    __slots__ = ("_make", "_name", "_owner")

    def __init__(self, make: Callable[[type], Any]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, value: object, owner: type) -> Any:  # noqa: ANN401  what the attribute is
        made = self._make(self._owner)
        setattr(self._owner, self._name, made)
        return made if value is None or not callable(made) else made.__get__(value, owner)


def _define(kind: type, *, frozen: bool = False, eq: bool = True, kw_only: bool = False) -> type:
    """Return the class with slots that takes the place of *kind*."""
    annotations = get_annotations(kind)
    names = [name for name, note in annotations.items() if ClassVar not in (note, get_origin(note))]
    space = {name: value for name, value in vars(kind).items() if name not in ("__dict__", "__weakref__")}
    if space.get("__hash__") is None:
        space.pop("__hash__", None)  # that of a class with an `__eq__`
    own = {name: (annotations[name], space.pop(name, MISSING)) for name in names}
    inherited = {name for base in kind.__mro__[1:] for name in vars(base).get("__slots__", ())}
    made = {
        "__dataclass_fields__": _Late(lambda owner: _list_fields(owner, own, kw_only=kw_only)),
        "__dataclass_params__": _Late(lambda _: _make_parameters(frozen=frozen, eq=eq, kw_only=kw_only)),
        "__match_args__": _Late(_list_positional),
        "__init__": _Late(lambda owner: compile_init(owner, is_frozen=frozen)),
        "__repr__": _Late(_make_repr),
        **({"__eq__": _Late(_make_eq)} if eq else {}),
        **({"__hash__": _Late(_make_hash)} if eq and frozen else {}),
        **(_SHARED if frozen else {}),
        **space,
        **({"__setattr__": _refuse_setting, "__delattr__": _refuse_deleting} if frozen else {}),
        "__slots__": tuple(name for name in names if name not in inherited),
        "__qualname__": kind.__qualname__,
    }
    return type(kind)(kind.__name__, kind.__bases__, made)


def _list_fields(owner: type, own: Mapping[str, tuple[Any, object]], *, kw_only: bool) -> dict[str, Field[Any]]:
    """Return the fields of *owner* by name: those of its bases, then its *own* ones, of an annotation and a default."""
    found: dict[str, Field[Any]] = {}
    for base in reversed(owner.__mro__[1:]):
        found |= getattr(base, "__dataclass_fields__", {})
    for name, (annotation, default) in own.items():
        made = copy(_FIELD)
        made.kw_only, made.default = MISSING, default
        if isinstance(default, Field):
            for choice in _CHOICES:
                setattr(made, choice, getattr(default, choice))
        made.name, made.type = name, annotation
        made.kw_only = kw_only if made.kw_only is MISSING else made.kw_only
        found[name] = made
    return found


def _list_positional(owner: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(owner) if each.init and not each.kw_only)


def _make_parameters(**options: bool) -> object:
    """Return the record of its options that a dataclass has."""
    sample: type = dataclasses.dataclass(slots=True, **options)(type("Sample", (), {"__doc__": ""}))
    return vars(sample)["__dataclass_params__"]


def _make_repr(owner: type) -> Callable[[object], str]:
    names = [each.name for each in fields(owner) if each.repr]

    def __repr__(self: object) -> str:  # noqa: N807  the method of each class
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return recursive_repr()(__repr__)


def _make_eq(owner: type) -> Callable[[object, object], bool]:
    read = make_reader([each.name for each in fields(owner) if each.compare])

    def __eq__(self: object, other: object) -> bool:  # noqa: N807  the same
        return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _make_hash(owner: type) -> Callable[[object], int]:
    read = make_reader([each.name for each in fields(owner) if (each.compare if each.hash is None else each.hash)])

    def __hash__(self: object) -> int:  # noqa: N807  the same
        return hash(read(self))

    return __hash__


def _refuse_setting(_: object, name: str, __: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(_: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
