"""Functions on dataclasses with slots, compiled for each class: they make, copy and read values fast.

The `__init__` of a frozen dataclass calls `object.__setattr__` for each field, which takes a quarter of the time of
reading a host. Here an instance has the class of a twin until its fields are set: the twin has the same slots and is
not frozen. Then the instance gets its own class, at the same cost for any number of fields.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


class _Factory:
    """The default of a parameter whose value is made at each call, shown as the standard library shows it."""

    def __repr__(self) -> str:
        return "<factory>"


_ABSENT = _Factory()
_NEW = object.__new__
_SET = object.__setattr__


def compile_init(kind: type, *, is_frozen: bool) -> Callable[..., None]:
    """Return the `__init__` of *kind*, a dataclass with slots; a class derived from it has to have its own.

    Its parameters are those of the standard library, and `__post_init__` is called where there is one.
    """
    found = fields(kind)
    given = [field for field in found if field.init]
    positional = [_format_parameter(field) for field in given if not field.kw_only]
    named = [_format_parameter(field) for field in given if field.kw_only]
    parameters = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    lines = [f"def __init__({parameters}):", *([" set(self, '__class__', Twin)"] if is_frozen else [])]
    lines += [f" self.{field.name} = {_format_value(field)}" for field in found if field.init or _has_default(field)]
    lines += [" self.__class__ = Kind"] if is_frozen else []
    lines += [" self.__post_init__()"] if hasattr(kind, "__post_init__") else []
    init = _compile("\n".join([*lines, " return"]), "__init__", _make_scope(kind, found, has_twin=is_frozen))
    init.__qualname__, init.__module__ = f"{kind.__qualname__}.__init__", kind.__module__
    init.__annotations__ = {field.name: field.type for field in given} | {"return": None}
    return init


def replace_fields(value: T, changes: Mapping[str, object]) -> T:
    """Return a copy of *value*, a frozen dataclass with slots, with other fields: `dataclasses.replace`, only faster.

    Nothing checks the names of the fields.
    """
    kind = value.__class__
    made = _compile_copy(kind)(value)  # type: ignore[arg-type]
    for name, other in changes.items():
        setattr(made, name, other)
    made.__class__ = kind
    copy: T = made
    return copy


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a dataclass: their names, their defaults, and the function that reads all of a value at once."""

    names: tuple[str, ...]
    defaults: tuple[object, ...]
    read: Callable[[object], tuple[object, ...]]


@cache
def list_fields(kind: type) -> Fields:
    """Return the fields of *kind*, a dataclass, listed once.

    >>> list_fields(Fields).names
    ('names', 'defaults', 'read')
    """
    found = fields(kind)
    names = tuple(field.name for field in found)
    return Fields(names, tuple(field.default for field in found), make_reader(names))


def make_reader(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """Return what reads these attributes of a value at once.

    >>> make_reader(["real"])(1), make_reader(["real", "imag"])(1), make_reader([])(1)
    ((1,), (1, 0), ())
    """
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


@cache
def compile_reader(kind: type) -> Callable[[object], dict[str, Any]]:
    """Return what reads the fields of a value of *kind*, a dataclass, that are not the very object of their default.

    >>> compile_reader(Fields)(Fields(("x",), (1,), len))
    {'names': ('x',), 'defaults': (1,), 'read': <built-in function len>}
    """
    found = fields(kind)
    lines = ["def read(value):", " given = {}"]
    for field in found:
        if field.default is MISSING:
            lines.append(f" given['{field.name}'] = value.{field.name}")
        else:
            lines.append(f" if (own := value.{field.name}) is not {field.name}_default: given['{field.name}'] = own")
    return _compile("\n".join([*lines, " return given"]), "read", _make_scope(kind, found))


def compile_maker(kind: type, present: Sequence[int]) -> Callable[[list[int], list[Any]], Any]:
    """Return what makes a *kind* of a row and a table, without `__init__` and without checks.

    The row holds a number that is not used, then for each field *present* the place of its value in the table; the
    other fields have their defaults. Raises IndexError for a field that *kind* does not have, ValueError where a field
    without a default is not present.
    """
    found = fields(kind)
    places = {found[number].name: f"n{count}" for count, number in enumerate(present)}
    lines = ["def make(row, table):", f" _, {''.join(f'{place}, ' for place in places.values())} = row"]
    lines += [" made = new(Twin)"]
    for field in found:
        if field.name not in places and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{kind.__name__} without its {field.name}")
        given = f"{field.name}_default" if field.default is not MISSING else f"{field.name}_factory()"
        lines.append(f" made.{field.name} = {f'table[{places[field.name]}]' if field.name in places else given}")
    lines += [" made.__class__ = Kind", " return made"]
    return _compile("\n".join(lines), "make", _make_scope(kind, found))


@cache
def _compile_copy(kind: type) -> Callable[[object], Any]:
    """Return what makes a twin with the fields of a value of *kind*."""
    found = fields(kind)
    lines = ["def copy(value):", " made = new(Twin)", *(f" made.{field.name} = value.{field.name}" for field in found)]
    return _compile("\n".join([*lines, " return made"]), "copy", _make_scope(kind, found))


@cache
def _make_twin(kind: type) -> type:
    """Return a class with the slots of *kind* that is not frozen."""
    inherited = {name: kind.__dict__[name] for name in ("__slots__", "__orig_bases__") if name in kind.__dict__}
    return type(
        f"{kind.__name__}Twin", kind.__bases__, {**inherited, "__setattr__": _SET, "__module__": kind.__module__}
    )


def _make_scope(kind: type, found: Sequence[Field[Any]], *, has_twin: bool = True) -> dict[str, Any]:
    """Return the names that compiled functions use."""
    scope: dict[str, Any] = {"new": _NEW, "set": _SET, "missing": _ABSENT}
    scope |= {"Kind": kind, "Twin": _make_twin(kind)} if has_twin else {}
    scope |= {f"{field.name}_default": field.default for field in found}
    return scope | {f"{field.name}_factory": field.default_factory for field in found}


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _format_parameter(field: Field[Any]) -> str:
    if field.default_factory is not MISSING:
        return f"{field.name}=missing"
    return field.name if field.default is MISSING else f"{field.name}={field.name}_default"


def _format_value(field: Field[Any]) -> str:
    """Return the value that `__init__` gives the field."""
    if field.default_factory is not MISSING:
        made = f"{field.name}_factory()"
        return f"{made} if {field.name} is missing else {field.name}" if field.init else made
    return field.name if field.init else f"{field.name}_default"


def _compile(source: str, name: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """Return the function *name* of *source*, which holds names of fields alone, as dataclasses compile theirs."""
    exec(source, scope)  # noqa: S102  no word of a dump is in the source
    function: Callable[..., Any] = scope[name]
    return function
