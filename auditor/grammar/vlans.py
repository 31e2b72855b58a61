"""The VLANs of a port, from its `switchport` lines, and the interfaces that route into these VLANs."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from auditor.grammar.numbers import expand
from auditor.model.device import VlanInterface
from auditor.model.setting import Known, Setting, Unset, Where, value_of
from auditor.util.memo import remember
from auditor.util.regex import regex

MAX_VLAN = 4094
_ADDRESSES = ("ip address ", "ipv6 address ")
_VLAN = regex(r"[Vv]lan(\d{1,4})\Z")
_LIST = regex(r"switchport trunk allowed vlan (?:(?P<how>add|remove|except) )?(?P<list>.+)")
ACCESS = regex(r"switchport access vlan (?P<vlan>\d{1,4})")
MODE = regex(r"switchport mode (?P<mode>\S+)")

_SWITCHED = ("switchport", "no switchport", "default switchport")
_UNDONE = regex(r"(?:no|default) switchport (?P<what>mode|access|trunk allowed)\b")
_ONE = frozenset({1})
_EVERY = frozenset(range(1, MAX_VLAN + 1))


class RoutableBody(Protocol):
    """The statements of an interface that bear on routing."""

    @property
    def enabled(self) -> Setting[bool]:
        """Whether it is up."""

    @property
    def mtu(self) -> Setting[int]:
        """Its MTU; the place may count from the head of its stanza."""


class Routable(Protocol):
    """An interface with its statements on VLANs."""

    @property
    def where(self) -> Where:
        """The head of its stanza."""

    @property
    def body(self) -> RoutableBody:
        """Its statements."""

    @property
    def lag(self) -> Known[str] | Known[str | None] | None:
        """The port-channel that it belongs to; its value is None where it left one."""

    @property
    def vlans(self) -> tuple[str, ...]:
        """Its lines on VLANs and addresses."""


@remember
def find_vlan_line(line: str) -> str:
    """Return a line of an interface on VLANs and addresses, its words one blank apart; empty for another line.

    >>> find_vlan_line("switchport  access vlan 7"), find_vlan_line("mtu 9216")
    ('switchport access vlan 7', '')
    """
    found = " ".join(line.split())
    return found if found.startswith((*_SWITCHED, *_ADDRESSES)) else ""


def select_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines of an interface on VLANs and addresses."""
    return tuple(filter(None, map(find_vlan_line, lines)))


def names_vlans(line: str) -> bool:
    """Return whether a line names the VLANs of a port."""
    return line.startswith(("switchport access vlan ", "switchport trunk allowed vlan "))


@lru_cache(maxsize=64)
def list_vlans(written: tuple[str, ...]) -> frozenset[int]:
    """Return the VLANs of a port: empty for a routed port and for modes other than access and trunk.

    >>> sorted(list_vlans(("switchport mode trunk", "switchport trunk allowed vlan 7,10-11")))
    [7, 10, 11]
    >>> sorted(list_vlans(("switchport access vlan 2", "no switchport access vlan", "no switchport", "switchport")))
    [1]
    """
    mode, access, allowed = "access", _ONE, _EVERY
    is_routed = not any(line.startswith("switchport") for line in written)
    for line in written:
        if line in _SWITCHED:
            is_routed = line == "no switchport"
        elif match := _UNDONE.match(line):
            mode = "access" if match["what"] == "mode" else mode
            access = _ONE if match["what"] == "access" else access
            allowed = _EVERY if match["what"] == "trunk allowed" else allowed
        elif match := MODE.match(line):
            mode = match["mode"]
        elif match := ACCESS.match(line):
            access = frozenset({int(match["vlan"])})
        elif match := _LIST.match(line):
            allowed = _allow(allowed, match["how"] or "", match["list"])
    return frozenset() if is_routed else {"access": access, "trunk": allowed}.get(mode, frozenset())


def _allow(before: frozenset[int], how: str, text: str) -> frozenset[int]:
    listed = _EVERY if text == "all" else frozenset(expand(text, 1, MAX_VLAN) or ())
    return {"add": before | listed, "remove": before - listed, "except": _EVERY - listed}.get(how, listed)


def build_vlan_interfaces(
    written: Mapping[str, Routable],
    port: re.Pattern[str],
    carries: Callable[[tuple[str, ...]], frozenset[int]] = list_vlans,
    vlan: re.Pattern[str] = _VLAN,
) -> tuple[VlanInterface, ...]:
    """Return the interfaces above VLANs that route, with the ports of the names *port* that carry their VLAN.

    *carries* returns the VLANs of a port from its statements; *vlan* matches the names of such interfaces, with the
    number of the VLAN as its first group.
    """
    routed = {name: int(match[1]) for name, each in written.items() if (match := vlan.match(name)) and _routes(each)}
    members: dict[int, list[str]] = {number: [] for number in routed.values()}
    for name, each in written.items() if routed else ():
        if port.match(name):
            for number in carries(_own_or_of_lag(written, each)).intersection(members):
                members[number].append(name)
    return tuple(
        VlanInterface(
            name,
            written[name].where,
            _make_absolute(written[name].body.mtu, written[name].where),
            tuple(members[number]),
        )
        for name, number in routed.items()
    )


def _routes(each: Routable) -> bool:
    is_addressed = any(line.startswith(_ADDRESSES) for line in each.vlans)
    return is_addressed and value_of(each.body.enabled) is not False


def _own_or_of_lag(written: Mapping[str, Routable], each: Routable) -> tuple[str, ...]:
    lag = written.get(each.lag.value or "") if each.lag else None
    return each.vlans or (lag.vlans if lag else ())


def _make_absolute(mtu: Setting[int], head: Where) -> Setting[int]:
    if isinstance(mtu, Known) and mtu.where:
        return replace(mtu, where=mtu.where.at(head))
    return Unset(head) if isinstance(mtu, Unset) else mtu
