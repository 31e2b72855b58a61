"""Facts of one port merged: equal values agree, missing values are filled, different values contradict."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import TypeAlias, TypeVar

from auditor.model.buffers import PriorityGroup
from auditor.model.host import Host
from auditor.model.qos import Queue, TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unknown, Unset, Where
from auditor.util.quick import compile_reader, replace_fields

_CONTRADICTION = "the captures contradict each other: "
_Keyed = Queue | PriorityGroup | TrafficClass
_D = TypeVar("_D")
_PLAIN = frozenset({bool, float, int, str})
Locate: TypeAlias = Callable[[Where], Where]
"""Returns a place as one of a file."""


def merge_equal(parts: Sequence[_D], locate: Locate, left_out: str = "") -> _D:
    """Return the settings of all *parts*; a value that differs becomes Unknown, whose reason *locates* both.

    The field *left_out* stays that of the first one.
    """
    return _merge_all(parts, locate, left_out)


def merge_preferred(first: _D, second: _D, left_out: str = "") -> _D:
    """Return the settings of *first*, completed from *second* except for the field *left_out*."""
    return _merge_all((first, second), None, left_out)


def merge_hosts(first: Host, second: Host) -> Host:
    """Return the settings of both hosts; *first* wins, and routes of several outputs add up."""
    merged = _merge_all((first, second), None)
    if isinstance(first.all_routes_of, Known) and isinstance(second.all_routes_of, Known):
        versions = tuple(sorted({*first.all_routes_of.value, *second.all_routes_of.value}))
        merged = replace(merged, all_routes_of=replace(first.all_routes_of, value=versions))
    if not (isinstance(first.routes, Known) and isinstance(second.routes, Known)):
        return merged
    ours, theirs = first.routes.value, second.routes.value
    both = {
        name: replace(ours[name], value=tuple(dict.fromkeys(ours[name].value + theirs[name].value)))
        for name in ours.keys() & theirs.keys()
    }
    return replace(merged, routes=replace(first.routes, value={**ours, **theirs, **both}))


def silence_paths(settings: _D, paths: Iterable[str], why: str) -> _D:
    """Return *settings* with Unknown(*why*) at each of *paths* without a value."""
    for path in paths:
        settings = _silence_path(settings, path.split("."), why)
    return settings


def withhold_paths(settings: _D, paths: Iterable[str], why: str) -> _D:
    """Return *settings* with Unknown(*why*) at each of *paths*, also instead of a value."""
    for path in paths:
        settings = _silence_path(settings, path.split("."), why, even_known=True)
    return settings


def _silence_path(holder: _D, path: list[str], why: str, *, even_known: bool = False) -> _D:
    head, *rest = path
    value = getattr(holder, head)
    if rest:
        return _replace_fields(holder, {head: _silence_path(value, rest, why, even_known=even_known)})
    return _replace_fields(holder, {head: Unknown(why)}) if even_known or value == NOT_COLLECTED else holder


def _merge_all(parts: Sequence[_D], locate: Locate | None, left_out: str = "") -> _D:
    """Return all of *parts* in one, field by field; each is a value of one dataclass, or nothing is merged.

    Without *locate*, the first of two values counts. The field *left_out* stays that of the first one.
    """
    first = parts[0]
    own: type = first.__class__
    if len(parts) == 1 or not _is_nested(own):
        return first
    read = compile_reader(own)
    values = read(first)
    nested: dict[str, list[object]] = {}
    for part in parts[1:]:
        for name, theirs in read(part).items():
            ours = values[name] if name in values else getattr(first, name)
            if theirs is ours or theirs is None or name == left_out:
                continue
            kind: type = theirs.__class__
            if ours is None or ours is NOT_COLLECTED:
                values[name] = theirs
            elif _is_nested(kind) and ours.__class__ is kind:
                nested.setdefault(name, [ours]).append(theirs)
            elif kind is not Where:
                values[name] = _merge_values(ours, theirs, locate)
    for name, found in nested.items():
        values[name] = _merge_all(found, locate)
    changes = {name: value for name, value in values.items() if value is not getattr(first, name)}
    return _replace_fields(first, changes) if changes else first


@cache
def _is_nested(kind: type) -> bool:
    """Return whether values of *kind* are merged field by field."""
    return is_dataclass(kind) and not issubclass(kind, Known | Unset | Unknown | Where)


def _replace_fields(holder: _D, changes: dict[str, object]) -> _D:
    if not is_dataclass(holder) or isinstance(holder, type):
        return holder
    changed: _D = replace_fields(holder, changes)
    return changed


def _merge_values(ours: object, theirs: object, locate: Locate | None) -> object:
    """Return what two values together say that are there, no place and nothing that is merged field by field."""
    if isinstance(ours, Known | Unset | Unknown) and isinstance(theirs, Known | Unset | Unknown):
        return _merge_settings(ours, theirs, locate)
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return {**ours, **theirs}
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return ours if set(theirs) <= set(ours) else tuple(dict.fromkeys(ours + theirs))
    return ours


def _merge_settings(ours: Setting[object], theirs: Setting[object], locate: Locate | None) -> Setting[object]:
    if isinstance(ours, Known) and isinstance(theirs, Known):
        return _merge_known(ours, theirs, locate)
    for setting in (ours, theirs) if locate else (ours,):
        if _is_contradiction(setting):
            return setting
    for kind in (Known, Unset):
        for setting in (ours, theirs):
            if isinstance(setting, kind):
                return setting
    return theirs if ours == NOT_COLLECTED else ours


def _merge_known(ours: Known[object], theirs: Known[object], locate: Locate | None) -> Setting[object]:
    mine, other = ours.value, theirs.value
    if mine.__class__ in _PLAIN and mine == other:
        return ours
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        clash = next(
            (
                key
                for key in mine
                if key in other and mine[key] != other[key] and _strip_value(mine[key]) != _strip_value(other[key])
            ),
            None,
        )
        if locate and clash is not None:
            return _make_contradiction(ours, theirs, f"{clash}=", (mine[clash], other[clash]), locate)
        return (
            replace(ours, value={**mine, **{k: other[k] for k in other if k not in mine}})
            if other.keys() - mine.keys()
            else ours
        )
    if isinstance(mine, tuple) and isinstance(other, tuple) and _is_keyed(mine) and _is_keyed(other):
        return replace(ours, value=_merge_elements(mine, other, locate))
    if locate and mine != other and _strip_value(mine) != _strip_value(other):
        return _make_contradiction(ours, theirs, "", (mine, other), locate)
    return ours


def _merge_elements(ours: tuple[_Keyed, ...], theirs: tuple[_Keyed, ...], locate: Locate | None) -> tuple[_Keyed, ...]:
    mine, other = {_get_key(e): e for e in ours}, {_get_key(e): e for e in theirs}
    both = {key: _merge_all((mine[key], other[key]), locate) for key in mine if key in other}
    return tuple(({**other, **mine, **both})[key] for key in sorted({**other, **mine}))


def _is_keyed(values: tuple[object, ...]) -> bool:
    return bool(values) and isinstance(values[0], Queue | PriorityGroup | TrafficClass)


def _get_key(element: _Keyed) -> tuple[int, str]:
    if isinstance(element, TrafficClass):
        return 0, element.id
    return (element.queue if isinstance(element, Queue) else element.pg), ""


def _is_contradiction(setting: Setting[object]) -> bool:
    return isinstance(setting, Unknown) and setting.why.startswith(_CONTRADICTION)


def _make_contradiction(
    ours: Known[object], theirs: Known[object], what: str, values: tuple[object, object], locate: Locate
) -> Unknown:
    left, right = (
        f"{_format_place(known, locate)} says {what}{_format_value(value)}"
        for known, value in zip((ours, theirs), values, strict=True)
    )
    return Unknown(f"{_CONTRADICTION}{left}, {right}")


def _format_place(known: Known[object], locate: Locate) -> str:
    where = locate(known.where) if known.where else None
    return f"{where.file}:{where.line}" if where else "one"


def _format_value(value: object) -> str:
    plain = _strip_value(value)
    text = ",".join(map(str, plain)) if isinstance(plain, tuple) else str(plain)
    return text[:60] or "none"


def _strip_value(value: object) -> object:
    if isinstance(value, Known):
        return _strip_value(value.value)
    if isinstance(value, Unset | Unknown):
        return None
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return tuple(_strip_value(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple):
        return tuple(map(_strip_value, value))
    return value
