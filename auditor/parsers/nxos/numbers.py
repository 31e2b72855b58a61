"""Numbers, lists and names as NX-OS writes them."""

import re
from collections.abc import Mapping

MAX_ITEMS = 4096
"""No range in a real configuration is longer; a longer one is refused before it fills the memory."""

DSCP_NAMES: Mapping[str, int] = {
    "default": 0,
    "ef": 46,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)},
}
PRECEDENCE_NAMES: Mapping[str, int] = {
    "routine": 0,
    "priority": 1,
    "immediate": 2,
    "flash": 3,
    "flash-override": 4,
    "critical": 5,
    "internet": 6,
    "network": 7,
}
_ITEM = re.compile(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*\Z")
_TYPES = (
    ("Ethernet", re.compile(r"e(?:t(?:h(?:ernet)?)?)?\s*(?=\d)", re.IGNORECASE)),
    ("port-channel", re.compile(r"po(?:rt-channel)?\s*(?=\d)", re.IGNORECASE)),
)


def expand(text: str, lowest: int, highest: int, names: Mapping[str, int] | None = None) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `1-2,4` in writing order, None where one is malformed or out of range.

    >>> expand("24-26,af41", 0, 63, DSCP_NAMES)
    (24, 25, 26, 34)
    >>> expand("3-1", 0, 7) is None
    True
    """
    found: list[int] = []
    for part in text.split(","):
        word = part.strip().lower()
        if names and word in names:
            found.append(names[word])
            continue
        item = _ITEM.match(part)
        if item is None:
            return None
        first = int(item[1])
        last = int(item[2] or first)
        if not lowest <= first <= last <= highest or last - first + len(found) >= MAX_ITEMS:
            return None
        found.extend(range(first, last + 1))
    return tuple(found)


def full_name(name: str) -> str:
    """Return an interface name in full, without a blank.

    >>> full_name("Eth1/1"), full_name("ethernet 1/2"), full_name("Po5"), full_name("mgmt0")
    ('Ethernet1/1', 'Ethernet1/2', 'port-channel5', 'mgmt0')
    """
    for kind, prefix in _TYPES:
        match = prefix.match(name)
        if match:
            return kind + name[match.end() :].strip()
    return name.strip()


def interfaces(text: str) -> tuple[str, ...] | None:
    """Return the names that an interface header stands for, None where a range in it is malformed.

    >>> interfaces("Ethernet 1/1-1/3")
    ('Ethernet1/1', 'Ethernet1/2', 'Ethernet1/3')
    >>> interfaces("e1/1 - 2, e1/7, port-channel5")
    ('Ethernet1/1', 'Ethernet1/2', 'Ethernet1/7', 'port-channel5')
    """
    found: list[str] = []
    kind = ""
    for part in text.split(","):
        name = full_name(part.strip())
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
        span = expand(f"{low}-{full_name(last).rpartition('/')[2]}", 0, 10**6)
        if span is None or len(found) + len(span) > MAX_ITEMS:
            return None
        found.extend(f"{base}{n}" for n in span)
    return tuple(found)
