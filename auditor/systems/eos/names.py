"""Interface names as EOS writes them."""

import re

from auditor.grammar.numbers import LONGEST_STEM, expand
from auditor.grammar.ports import list_interfaces, write_in_full
from auditor.util.regex import regex

_KINDS = (
    ("Ethernet", regex(r"et?(?:h(?:ernet)?)?\s*(?=\d)", re.IGNORECASE)),
    ("Port-Channel", regex(r"po(?:rt-?channel)?\s*(?=\d)", re.IGNORECASE)),
    ("Management", regex(r"ma(?:nagement)?\s*(?=\d)", re.IGNORECASE)),
)
PORT = regex(r"Ethernet\d+(?:/\d+){0,2}\Z")


def complete_name(name: str) -> str:
    """Return an interface name in full, without a blank.

    >>> complete_name("Et1/1"), complete_name("ethernet 5"), complete_name("Po3"), complete_name("Vlan10")
    ('Ethernet1/1', 'Ethernet5', 'Port-Channel3', 'Vlan10')
    """
    return write_in_full(name, _KINDS)


def shorten_name(name: str) -> str:
    """Return a port's name as tables and neighbours abbreviate it.

    >>> shorten_name("Ethernet1/1")
    'Et1/1'
    """
    return name.replace("Ethernet", "Et", 1)


def expand_interfaces(text: str) -> tuple[str, ...] | None:
    """Return the interfaces of a header, None if a range is malformed.

    A range counts in the one part of the name in which its ends differ.

    >>> expand_interfaces("Ethernet1-2,7"), expand_interfaces("Et12/1-12/2")
    (('Ethernet1', 'Ethernet2', 'Ethernet7'), ('Ethernet12/1', 'Ethernet12/2'))
    >>> expand_interfaces("Ethernet1-2/1"), expand_interfaces("Port-Channel3"), expand_interfaces("Ethernet3-1")
    (('Ethernet1/1', 'Ethernet2/1'), ('Port-Channel3',), None)
    """
    return list_interfaces((part.strip() for part in text.split(",")), _KINDS, _spell_out)


def _spell_out(numbers: str) -> tuple[str, ...] | None:
    first, dash, last = (s.strip() for s in numbers.partition("-"))
    if not dash or "." in first:  # subinterfaces are no ports: their ranges need no spelling out
        return (first,)
    low, high = first.split("/"), re.sub(r"\A\D+", "", last).split("/")
    low += high[len(low) :]
    high = low[: len(low) - len(high)] + high
    differing = [place for place, (a, b) in enumerate(zip(low, high, strict=True)) if a != b]
    if len(differing) > 1 or len(first) > LONGEST_STEM:
        return None
    place = differing[0] if differing else 0
    span = expand(f"{low[place]}-{high[place]}", 0, 10**6)
    return None if span is None else tuple("/".join([*low[:place], str(n), *low[place + 1 :]]) for n in span)
