"""Names and ranges of interfaces in the three naming modes, and command line titles of tables."""

import re
from collections.abc import Mapping

from auditor.systems.sonic.config import SonicDialect
from auditor.util.regex import regex

MAX_PORTS = 1024
"""No switch has more; a longer range is refused before each of its lines is kept as often."""
_PORT = regex(r"e(?:t(?:h(?:e(?:r(?:n(?:e(?:t)?)?)?)?)?)?)? ?(?P<number>\d{1,3}(?:/\d{1,3}){0,2})", re.IGNORECASE)
_NUMBER = regex(r"\d{1,3}(?:/\d{1,3}){0,2}")


def parse_port_name(text: str) -> str | None:
    """Return the full name of a physical or breakout port, None if *text* is not one.

    >>> [parse_port_name(text) for text in ("Ethernet 0", "Eth 1/5", "e1/2/4", "PortChannel 10", "Eth1/1.100")]
    ['Ethernet0', 'Eth1/5', 'Eth1/2/4', None, None]
    """
    found = _PORT.fullmatch(text.strip())
    if found is None:
        return None
    return f"{'Eth' if '/' in found['number'] else 'Ethernet'}{found['number']}"


def parse_port_range(text: str) -> tuple[str, ...] | None:
    """Return the ports of a list of ranges, None if malformed or with other interfaces.

    Only the last number may differ between the ends, because the number of breakout ports is unknown.

    >>> parse_port_range("Eth 1/1-1/3,1/7"), parse_port_range("Ethernet 0-2"), parse_port_range("Eth1/1/1-Eth1/2/4")
    (('Eth1/1', 'Eth1/2', 'Eth1/3', 'Eth1/7'), ('Ethernet0', 'Ethernet1', 'Ethernet2'), None)
    """
    found: dict[str, None] = {}
    for item in text.split(","):
        low, _, high = item.partition("-")
        first = parse_port_name(low) or parse_port_name(f"Eth{low.strip()}")
        last = _last(first, high.strip()) if first else None
        if first is None or last is None:
            return None
        stem, number = re.fullmatch(r"(.*?)(\d+)", first).groups()  # type: ignore[union-attr]
        if not int(number) <= last < int(number) + MAX_PORTS - len(found):
            return None
        found.update(dict.fromkeys(f"{stem}{n}" for n in range(int(number), last + 1)))
    return tuple(found)


def _last(first: str, high: str) -> int | None:
    """Return the last number of a range from *first*; *high* is its other end, empty without one."""
    end = parse_port_name(high) or (f"Eth{high}" if "/" in high and _NUMBER.fullmatch(high) else high)
    stem = first.rstrip("0123456789")
    if not end:
        return int(first[len(stem) :])
    last = end.removeprefix(stem)
    return int(last) if last.isascii() and last.isdecimal() and len(last) < len("1000") else None


MAPS: Mapping[str, tuple[str, str, str, str]] = {
    "dscp-tc": ("DSCP_TO_TC_MAP", "dscp_to_tc_map", "dscp", "traffic-class"),
    "dot1p-tc": ("DOT1P_TO_TC_MAP", "dot1p_to_tc_map", "dot1p", "traffic-class"),
    "tc-queue": ("TC_TO_QUEUE_MAP", "tc_to_queue_map", "traffic-class", "queue"),
    "tc-pg": ("TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map", "traffic-class", "priority-group"),
    "tc-dscp": ("TC_TO_DSCP_MAP", "tc_to_dscp_map", "traffic-class", "dscp"),
    "tc-dot1p": ("TC_TO_DOT1P_MAP", "tc_to_dot1p_map", "traffic-class", "dot1p"),
    "pfc-priority-queue": ("MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map", "pfc-priority", "queue"),
    "pfc-priority-pg": ("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "pfc_to_pg_map", "pfc-priority", "priority-group"),
}
"""Each type of map: its table, the field of a port that binds it, and the words for what it maps to what."""

TITLES: Mapping[str, str] = {
    **{table: f"qos map {kind}" for kind, (table, _, _, _) in MAPS.items()},
    "PORT": "interface",
    "PORT_QOS_MAP": "interface",
    "QUEUE": "interface",
    "PFC_WD": "interface",
    "CABLE_LENGTH": "interface",
    "PORTCHANNEL_MEMBER": "interface",
    "WRED_PROFILE": "qos wred-policy",
    "SCHEDULER": "qos scheduler-policy",
    "BUFFER_POOL": "buffer pool",
    "BUFFER_PROFILE": "buffer profile",
    "BUFFER_PG": "`roce enable` or `buffer init lossless`",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": "dynamic threshold of the default profiles",
    "DEVICE_METADATA": "hostname or output of `show version`",
}
"""What people call the tables: the statements that fill them."""

_BUILT_IN = frozenset(
    f"{side}_{kind}_{what}"
    for side in ("ingress", "egress")
    for kind in ("lossless", "lossy")
    for what in ("pool", "profile")
)
DIALECT = SonicDialect(TITLES, _BUILT_IN, dscp_first=True)
"""How this distribution differs (RoCEv2 HLD for 4.1): 2.2.2 the pools and profiles that the switch makes by itself,
2.2.1.1 the DSCP is preferred where a packet has both."""
