"""Texts of a specification held against texts of dumps."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TypeAlias

from auditor.model.device import Device
from auditor.util.regex import regex

Scalar: TypeAlias = bool | int | float | str
_NAMED_NUMBER = regex(r"(.+?)\((-?\w+)\)")
"""A value of `mlxconfig`: `True(1)`."""


def format_scalar(value: Scalar) -> str:
    """Return a value of YAML as the port view writes it.

    >>> format_scalar(True), format_scalar(0.25), format_scalar("9*")
    ('on', '0.25', '9*')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def is_match(text: str, pattern: str) -> bool:
    """Return whether *text* matches *pattern*, in which `*` and `?` are wildcards and brackets are themselves.

    >>> is_match("28.43.2026", "28.43.*"), is_match("queues[3]", "queues[3]")
    (True, True)
    """
    return text == pattern or fnmatchcase(text, pattern.replace("[", "[[]"))


def is_name(pattern: str) -> bool:
    """Return whether *pattern* has no wildcard."""
    return not {"*", "?"} & {*pattern}


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Return whether *name* matches one of *patterns*."""
    return any(is_match(name, pattern) for pattern in patterns)


def is_named(device: Device, patterns: Iterable[str]) -> bool:
    """Return whether the name of *device* in the audit, or in its dumps, matches one of *patterns*."""
    return any(is_match(name, pattern) for pattern in patterns for name in {device.name, device.own_name})


def is_chosen(name: str, patterns: Iterable[str]) -> bool:
    """Return whether *name* matches one of the *patterns* of the shell that `--device` gives."""
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)


def is_card_match(text: str, pattern: str) -> bool:
    """Return whether *text*, a value in a card's memory, matches: whole, or by its word or number alone.

    >>> is_card_match("True(1)", "1"), is_card_match("True(1)", "true"), is_card_match("True(1)", "False")
    (True, True, False)
    """
    found = _NAMED_NUMBER.fullmatch(text)
    spellings = {text, *(found.groups() if found else ())}
    return any(is_match(each.casefold(), pattern.casefold()) for each in spellings)
