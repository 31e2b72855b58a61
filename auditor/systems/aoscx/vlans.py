"""The VLANs of ports of AOS-CX, and the interfaces that route into these VLANs."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from auditor.grammar.assemble import PARTIAL
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.numbers import expand
from auditor.grammar.vlans import MAX_VLAN, build_vlan_interfaces
from auditor.model.device import VlanInterface
from auditor.model.setting import Known, Origin, Setting, Unset, Where
from auditor.systems.aoscx.flowcontrol import GUIDE
from auditor.util.memo import remember
from auditor.util.regex import regex

IP_MTU = 1500
_PAGE = f"{GUIDE}: ip mtu"
_INTERFACE = regex(r"vlan(\d{1,4})\Z")
_STARTS = ("vlan access ", "vlan trunk ", "no vlan ", "routing", "no routing", "ip address ", "ipv6 address ")
_ACCESS = regex(r"vlan access (?P<vlan>\d{1,4})\Z")
_NATIVE = regex(r"vlan trunk native (?P<vlan>\d{1,4})(?: tag)?\Z")
_ALLOWED = regex(r"(?P<undo>no )?vlan trunk allowed (?P<list>all|[\d,-]{1,400})\Z")
_EVERY = frozenset(range(1, MAX_VLAN + 1))


@remember
def find_vlan_line(line: str) -> str:
    """Return a line of an interface on VLANs, routing or its address, its words one blank apart; empty for others.

    >>> find_vlan_line("vlan trunk  allowed 7"), find_vlan_line("mtu 9198")
    ('vlan trunk allowed 7', '')
    """
    found = " ".join(line.split())
    return found if found.startswith(_STARTS) else ""


@lru_cache(maxsize=64)
def list_vlans(written: tuple[str, ...]) -> frozenset[int]:
    """Return the VLANs of a port, none for a routed port; a trunk without a list is sure of its native VLAN alone.

    >>> sorted(list_vlans(("no routing", "vlan trunk native 1", "vlan trunk allowed 7-8", "no vlan trunk allowed 8")))
    [7]
    >>> sorted(list_vlans(("vlan access 7",))), sorted(list_vlans(("vlan access 7", "routing")))
    ([7], [])
    """
    found: frozenset[int] = frozenset()
    allowed: frozenset[int] | None = None
    is_routed = False
    for line in written:
        if line in {"routing", "no routing"}:
            is_routed = line == "routing"
        elif match := _ACCESS.match(line) or _NATIVE.match(line):
            found = frozenset({int(match["vlan"])})
        elif match := _ALLOWED.match(line):
            listed = _EVERY if match["list"] == "all" else frozenset(expand(match["list"], 1, MAX_VLAN) or ())
            allowed = (allowed or frozenset()) - listed if match["undo"] else (allowed or frozenset()) | listed
    return frozenset() if is_routed else found if allowed is None else allowed


def list_vlan_interfaces(config: ViewConfig[Any], port: re.Pattern[str]) -> tuple[VlanInterface, ...]:
    """Return the interfaces above VLANs, whose packets `ip mtu` alone limits, with the ports that carry their VLAN."""
    found = build_vlan_interfaces(config.interfaces, port, list_vlans, _INTERFACE)
    limits = (_find_ip_mtu(config, each.name, each.where) for each in found)
    return tuple(replace(each, mtu_bytes=mtu, ip_mtu_bytes=mtu) for each, mtu in zip(found, limits, strict=True))


def _find_ip_mtu(config: ViewConfig[Any], name: str, head: Where) -> Setting[int]:
    said = config.interfaces[name].body.ip_mtu
    if isinstance(said, Unset):
        return Known(IP_MTU, Origin.DEFAULT, head, _PAGE) if config.complete else PARTIAL
    return replace(said, where=said.where.at(head)) if isinstance(said, Known) and said.where else said
