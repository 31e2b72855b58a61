"""The VLANs of ports in the views of VRP and Comware, and the interfaces that route into these VLANs."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from auditor.grammar.configuration import InterfaceViews, S, ViewConfig
from auditor.grammar.numbers import expand
from auditor.grammar.vlans import MAX_VLAN, build_vlan_interfaces
from auditor.model.device import VlanInterface
from auditor.util.memo import remember
from auditor.util.regex import regex

PAGE = "CloudEngine CE6800 V300R023 Command Reference, port link-type; port trunk allow-pass vlan"
"""A port is an access port of VLAN 1 by default, and a trunk or hybrid port carries VLAN 1."""
_VLAN_INTERFACE = regex(r"Vlan(?:if|-interface)(?P<vlan>\d{1,4})\Z")
_STARTS = ("port link-", "port default vlan", "port access vlan", "port trunk ", "port hybrid ", "portswitch")
_ADDRESSES = ("ip address ", "ipv6 address ")
_ROUTED = regex(r"port link-mode route|undo portswitch|ip(?:v6)? address ")
_SWITCHED = regex(r"port link-mode bridge|portswitch|undo port link-mode")
_TYPE = regex(r"(?P<undo>undo )?port link-type(?: (?P<type>\S+))?")
_ACCESS = regex(r"(?P<undo>undo )?port (?:default|access) vlan(?: (?P<vlan>\d{1,4}))?")
_LISTED = regex(
    r"(?P<undo>undo )?port (?:trunk (?:allow-pass|permit)|hybrid(?: untagged| tagged)?) vlan "
    r"(?P<list>all|[\d to]{1,400}?)(?: untagged| tagged)?\Z"
)
_ONE = frozenset({1})
_EVERY = frozenset(range(1, MAX_VLAN + 1))


@remember
def find_vlan_line(line: str) -> str:
    """Return a line of an interface on VLANs, its link or its address, its words one blank apart; empty for others.

    >>> find_vlan_line("undo port trunk  permit vlan 1"), find_vlan_line("mtu 9000")
    ('undo port trunk permit vlan 1', '')
    """
    found = " ".join(line.split())
    return found if found.removeprefix("undo ").startswith(_STARTS) or found.startswith(_ADDRESSES) else ""


@lru_cache(maxsize=64)
def list_view_vlans(written: tuple[str, ...]) -> frozenset[int]:
    """Return the VLANs of a port, none for a routed port.

    >>> trunk = "port link-type trunk", "undo port trunk permit vlan 1", "port trunk permit vlan 7 to 8"
    >>> sorted(list_view_vlans(trunk))
    [7, 8]
    >>> sorted(list_view_vlans(("port default vlan 7",))), sorted(list_view_vlans(("port link-mode route",)))
    ([7], [])
    """
    kind, access, listed, is_routed = "access", _ONE, _ONE, False
    for line in written:
        if _ROUTED.match(line) or _SWITCHED.match(line):
            is_routed = bool(_ROUTED.match(line))
        elif match := _TYPE.match(line):
            kind = "access" if match["undo"] else match["type"] or ""
        elif match := _ACCESS.match(line):
            access = _ONE if match["undo"] or not match["vlan"] else frozenset({int(match["vlan"])})
        elif match := _LISTED.match(line):
            vlans = _EVERY if match["list"] == "all" else frozenset(_parse_list(match["list"]))
            listed = listed - vlans if match["undo"] else listed | vlans
    carried = {"access": access, "dot1q-tunnel": access, "trunk": listed, "hybrid": listed}
    return frozenset() if is_routed else carried.get(kind, frozenset())


def _parse_list(text: str) -> tuple[int, ...]:
    """Return the VLANs of a list such as `7 10 to 12`, none where it is malformed."""
    return expand(text.replace(" to ", "-").replace(" ", ","), 1, MAX_VLAN) or ()


def list_vlan_interfaces(config: ViewConfig[S], port: re.Pattern[str]) -> tuple[VlanInterface, ...]:
    """Return the interfaces above VLANs, whose MTU counts the IP packet, with the ports that carry their VLAN."""
    written = config.interfaces
    if not any(map(_VLAN_INTERFACE.match, written)):
        return ()
    joined = {name: _join_bundle(each, written) if each.lag else each for name, each in written.items()}
    found = build_vlan_interfaces(joined, port, list_view_vlans, _VLAN_INTERFACE)
    return tuple(replace(each, ip_mtu_bytes=each.mtu_bytes) for each in found)


def _join_bundle(member: InterfaceViews, written: Mapping[str, InterfaceViews]) -> InterfaceViews:
    """Return a member of a bundle with the VLANs of the bundle below its own."""
    bundle = written.get(member.lag.value) if member.lag else None
    return replace(member, vlans=(*bundle.vlans, *member.vlans)) if bundle else member
