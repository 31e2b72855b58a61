"""Interface names as NX-OS writes them."""

import re

from auditor.grammar.numbers import LONGEST_STEM, MAX_ITEMS, expand
from auditor.grammar.ports import write_in_full
from auditor.util.regex import regex

PORT = regex(r"Ethernet\d+(?:/\d+){1,2}\Z")
_TYPES = (
    ("Ethernet", regex(r"e(?:t(?:h(?:ernet)?)?)?\s*(?=\d)", re.IGNORECASE)),
    ("port-channel", regex(r"po(?:rt-channel)?\s*(?=\d)", re.IGNORECASE)),
)


def complete_name(name: str) -> str:
    """Return an interface name in full, without a blank.

    >>> complete_name("Eth1/1"), complete_name("ethernet 1/2"), complete_name("Po5"), complete_name("mgmt0")
    ('Ethernet1/1', 'Ethernet1/2', 'port-channel5', 'mgmt0')
    """
    return write_in_full(name, _TYPES)


def expand_interfaces(text: str) -> tuple[str, ...] | None:
    """Return the names that an interface header stands for, None if a range in it is malformed.

    >>> expand_interfaces("Ethernet 1/1-1/3")
    ('Ethernet1/1', 'Ethernet1/2', 'Ethernet1/3')
    >>> expand_interfaces("e1/1 - 2, e1/7, port-channel5")
    ('Ethernet1/1', 'Ethernet1/2', 'Ethernet1/7', 'port-channel5')
    """
    found: list[str] = []
    kind = ""
    for part in text.split(","):
        name = complete_name(part.strip())
        first, dash, last = (s.strip() for s in name.partition("-"))
        if name.startswith("port-channel"):
            first, dash, last = (s.strip() for s in name.removeprefix("port-channel").partition("-"))
            kind, first = "port-channel", f"port-channel{first}"
        elif name.startswith("Ethernet"):
            kind = "Ethernet"
        elif name[:1].isdigit():
            first = kind + first
        else:
            first, dash = name, ""
        if not dash or "." in first:  # subinterfaces are no ports: their ranges need no spelling out
            found.append(first)
            continue
        slot, _, low = first.rpartition("/")
        base = f"{slot}/" if slot else kind
        low = low.removeprefix(kind)
        span = expand(f"{low}-{complete_name(last).rpartition('/')[2]}", 0, 10**6)
        if span is None or len(found) + len(span) > MAX_ITEMS or len(base) > LONGEST_STEM:
            return None
        found.extend(f"{base}{n}" for n in span)
    return tuple(found)
