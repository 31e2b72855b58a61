"""Interface names as OS10 writes them."""

import re

from auditor.grammar.numbers import MAX_ITEMS
from auditor.grammar.ports import list_interfaces, write_in_full
from auditor.util.regex import regex

_KINDS = (
    ("ethernet", regex(r"e(?:t(?:h(?:ernet)?)?)?\s*(?=\d)", re.IGNORECASE)),
    ("port-channel", regex(r"po(?:rt-?channel)?\s*(?=\d)", re.IGNORECASE)),
    ("mgmt", regex(r"mgmt\s*(?=\d)", re.IGNORECASE)),
    ("vlan", regex(r"vlan\s*(?=\d)", re.IGNORECASE)),
)
PORT = regex(r"ethernet\d+(?:/\d+){1,2}(?::\d+)?\Z")
_PLACE = regex(r"(?P<unit>(?:\d{1,4}/){0,2})(?P<port>\d{1,6})(?::(?P<lane>\d{1,3}))?\Z")


def complete_name(name: str) -> str:
    """Return an interface name in full, without a blank.

    >>> complete_name("Eth 1/1/1"), complete_name("ethernet 1/1/2:1"), complete_name("Po5"), complete_name("mgmt 1/1/1")
    ('ethernet1/1/1', 'ethernet1/1/2:1', 'port-channel5', 'mgmt1/1/1')
    """
    return write_in_full(name, _KINDS)


def find_parent(name: str) -> str | None:
    """Return the port that *name* was broken out of, None where it is a port by itself.

    >>> find_parent("ethernet1/1/41:1"), find_parent("ethernet1/1/41")
    ('ethernet1/1/41', None)
    """
    parent, colon, _ = name.partition(":")
    return parent if colon else None


def expand_interfaces(text: str) -> tuple[str, ...] | None:
    """Return the interfaces of a header, None if a range is malformed.

    >>> expand_interfaces("range ethernet1/1/1-1/1/3,ethernet1/1/5")
    ('ethernet1/1/1', 'ethernet1/1/2', 'ethernet1/1/3', 'ethernet1/1/5')
    >>> expand_interfaces("range Ethernet 1/1/7:1-1/1/8:2"), expand_interfaces("range vlan 3-1")
    (('ethernet1/1/7:1', 'ethernet1/1/7:2', 'ethernet1/1/8:1', 'ethernet1/1/8:2'), None)
    >>> expand_interfaces("port-channel 5")
    ('port-channel5',)
    """
    listed = re.sub(r" ?([-,]) ?", r"\1", " ".join(text.split()).removeprefix("range "))
    return list_interfaces(re.sub(r"port-?channel", "po", listed, flags=re.IGNORECASE).split(","), _KINDS, _spell_out)


def _spell_out(places: str) -> tuple[str, ...] | None:
    """Return the places of a range; it counts in its ports, and in the lanes of each where its ends name lanes."""
    first, dash, last = places.partition("-")
    if not dash:
        return (first,)
    low, high = _PLACE.match(first), _PLACE.match(re.sub(r"\A[A-Za-z]+\s*", "", last))
    if low is None or high is None or high["unit"] not in {"", low["unit"]} or bool(low["lane"]) != bool(high["lane"]):
        return None
    ports = range(int(low["port"]), int(high["port"]) + 1)
    lanes = range(int(low["lane"] or 0), int(high["lane"] or 0) + 1)
    if not ports or not lanes or len(ports) * len(lanes) > MAX_ITEMS:
        return None
    if not low["lane"]:
        return tuple(f"{low['unit']}{port}" for port in ports)
    return tuple(f"{low['unit']}{port}:{lane}" for port in ports for lane in lanes)
