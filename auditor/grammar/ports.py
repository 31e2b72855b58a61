"""Names of interfaces: abbreviations written in full, and lists and ranges of interfaces."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from auditor.grammar.numbers import MAX_ITEMS

Kinds: TypeAlias = Sequence[tuple[str, re.Pattern[str]]]
"""Each kind of interface in full, with a pattern of its abbreviations before a number."""


def write_in_full(name: str, kinds: Kinds) -> str:
    """Return an interface name with its kind in full, without a blank.

    >>> write_in_full("eth 1/2", (("Ethernet", re.compile(r"eth *(?=[0-9])")),))
    'Ethernet1/2'
    """
    for kind, prefix in kinds:
        match = prefix.match(name)
        if match:
            return kind + name[match.end() :].strip()
    return name.strip()


def list_interfaces(
    parts: Iterable[str], kinds: Kinds, spell_out: Callable[[str], tuple[str, ...] | None]
) -> tuple[str, ...] | None:
    """Return the interfaces of the parts of a list, None where a range is malformed or the list too long.

    *spell_out* returns the numbers of a range. A part without a kind has that of the part before it.
    """
    found: list[str] = []
    kind = ""
    for part in parts:
        name = write_in_full(part, kinds)
        own = next((each for each, _ in kinds if re.match(rf"{each}\d", name)), None)
        if own is None and not name[:1].isdigit():
            found.append(name)
            continue
        kind = own or kind
        numbers = spell_out(name.removeprefix(kind))
        if numbers is None or len(found) + len(numbers) > MAX_ITEMS:
            return None
        found.extend(kind + number for number in numbers)
    return tuple(found)
