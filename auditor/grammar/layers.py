"""Statements of one stanza laid over those of another: settings of a dataclass, and mappings of settings."""

from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

from auditor.model.setting import Known, Setting, Unknown, Unset, Where

NOTHING = Unset()
"""No statement at all; an Unset with a place is a statement in its `no` or `default` form."""

Pick = Callable[[Setting[Any], Setting[Any]], Setting[Any]]


class Layer(Protocol):
    """Any dataclass of statements."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


S = TypeVar("S", bound=Layer)
T = TypeVar("T")


def is_silent(setting: Setting[object]) -> bool:
    """Return whether no line writes the setting, not even a `no` form."""
    return isinstance(setting, Unset) and setting.where is None


def fall_back(setting: Setting[T], fallback: Setting[T]) -> Setting[T]:
    """Return *setting*, *fallback* if no line writes it."""
    return fallback if is_silent(setting) else setting


def take_later(before: Setting[Any], after: Setting[Any]) -> Setting[Any]:
    """Return what holds where two stanzas of one name follow each other: the last word, its `no` form included."""
    return before if after is NOTHING else after


def prefer_own(inherited: Setting[Any], own: Setting[Any]) -> Setting[Any]:
    """Return what holds where a stanza may inherit: its own value; a `no` form only takes that back."""
    return inherited if own is NOTHING or (isinstance(own, Unset) and not isinstance(inherited, Unset)) else own


def find_in_force(*settings: Setting[T]) -> Setting[T]:
    """Return the first of *settings* that is known, else the first that was taken back or cannot be read."""
    known = next((each for each in settings if isinstance(each, Known)), None)
    return known or next((each for each in settings if not is_silent(each)), NOTHING)


def overlay(under: S, over: S, pick: Pick) -> S:
    """Return the statements of *over* on top of those of *under*; the place is that of *over*."""
    return replace(
        over, **{f.name: _overlay_value(getattr(under, f.name), getattr(over, f.name), pick) for f in fields(over)}
    )


def _overlay_value(under: Any, over: Any, pick: Pick) -> Any:  # noqa: ANN401  any field of the statements
    if isinstance(over, Where):
        return over
    if isinstance(over, Mapping):
        return {key: _overlay_entry(under.get(key), over.get(key), pick) for key in dict.fromkeys([*under, *over])}
    return pick(under, over)


def _overlay_entry(under: Any, over: Any, pick: Pick) -> Any:  # noqa: ANN401  an entry of a field's mapping
    if over is None or under is None:
        return under if over is None else over
    return overlay(under, over, pick) if is_block(over) else pick(under, over)


def place_setting(found: Setting[T], head: Where) -> Setting[T]:
    """Return a setting whose place counts from the top of the dump, *head* being that of its stanza."""
    if isinstance(found, Known | Unset) and found.where:
        return replace(found, where=found.where.at(head))
    return found


def make_absolute(found: S, head: Where) -> S:
    """Return statements whose places count from the top of the dump, *head* being that of their stanza."""
    return replace(found, **{f.name: _make_value_absolute(getattr(found, f.name), head) for f in fields(found)})


def _make_value_absolute(value: Any, head: Where) -> Any:  # noqa: ANN401  any field of the statements
    if isinstance(value, Where):
        return value.at(head)
    if isinstance(value, Mapping):
        return {key: _make_value_absolute(entry, head) for key, entry in value.items()}
    if is_block(value):
        return make_absolute(value, head)
    return place_setting(value, head) if isinstance(value, Known | Unset) else value


def is_block(value: object) -> bool:
    """Return whether a value is a dataclass of statements, such as those of a queue."""
    return is_dataclass(value) and not isinstance(value, Known | Unset | Unknown | Where)
