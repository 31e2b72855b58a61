"""The link settings of a port, with those of its subinterfaces and of its bundle."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from auditor.model.port import Ethernet, Forwarding, LinkPause
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.systems.srlinux.config import Config
from auditor.systems.srlinux.names import FEC, parse_gbps
from auditor.systems.srlinux.tree import FLAGS, Stanza

T = TypeVar("T")
_STATES = {"enable": True, "disable": False}
TYPES = {"routed": Forwarding.ROUTED, "bridged": Forwarding.SWITCHED}
_LOOPBACK = {"none": False, "facility": True, "terminal": True}
MTU_PAGE = "https://documentation.nokia.com/srlinux/24-10/books/interfaces/mtu.html"
_PORT_MTU, _IP_MTU, _LARGEST = 9232, 1500, 9500
MIXED = "the port has routed and bridged subinterfaces"
"""Why a port is neither routed nor switched."""
_UNSEEN = Unknown("the dump holds a part of the configuration only, without `system mtu`")
_NO_BUNDLE = Unknown("the bundle of the port is not in the dump")
_HEADER, _TAG = 14, 4
"""Bytes of an Ethernet header and of a VLAN tag, which the MTU of a port counts."""


def read_ethernet(config: Config, own: Stanza, lag: Stanza | None, nothing: Unset) -> Ethernet:
    """Return the link settings of a port; those of layer 3 are its bundle's where it is a member."""
    upper = lag or own
    units = tuple(upper.entries("subinterface"))
    mtu = _find_mtu(config, (own, *([lag] if lag else ())), nothing)
    is_open = lag is None and isinstance(own.word("ethernet", "aggregate-id"), Known)
    forwarding = _NO_BUNDLE if is_open else _find_forwarding(units)
    tagged = _NO_BUNDLE if is_open else upper.choice(FLAGS, "vlan-tagging")
    return Ethernet(
        enabled=_or(own.choice(_STATES, "admin-state"), nothing),
        speed_gbps=_or(_find_speed(config, own), nothing),
        lanes=_or(own.number("num-physical-channels", high=8), nothing),
        fec=_or(_find_fec(own), nothing),
        mtu_bytes=mtu,
        ip_mtu_bytes=_or(_find_ip_mtu(config, units, mtu, tagged), nothing),
        max_frame_bytes=nothing,
        forwarding=_or(forwarding, nothing),
        tagged=_or(tagged, nothing),
        negotiates=_or(own.choice(FLAGS, "ethernet", "auto-negotiate"), nothing),
        loopback=_or(own.choice(_LOOPBACK, "loopback-mode"), nothing),
    )


def read_pause(own: Stanza, nothing: Unset) -> LinkPause:
    """Return IEEE 802.3x link pause of a port."""
    path = ("ethernet", "flow-control")
    return LinkPause(
        _or(own.choice(FLAGS, *path, "receive"), nothing), _or(own.choice(FLAGS, *path, "transmit"), nothing)
    )


def is_split(port: Stanza) -> bool:
    """Return whether a port is split into breakout ports, and carries nothing itself."""
    return port.node.get("breakout-mode") is not None


def _or(found: Setting[T], nothing: Unset) -> Setting[T]:
    return nothing if isinstance(found, Unset) and found.where is None else found


def _find_speed(config: Config, own: Stanza) -> Setting[float]:
    """Return the speed of a port: its own, else the one that its breakout gives to each part."""
    found: Known[str] | Unset = own.word("ethernet", "port-speed")
    parent = own.node.word.rpartition("/")[0]
    if isinstance(found, Unset) and (split := config.top.below("interface", parent, "breakout-mode")):
        given = [split.word(name) for name in ("breakout-port-speed", "channel-speed")]
        found = next((each for each in given if isinstance(each, Known)), found)
    if isinstance(found, Unset):
        return found
    rate = parse_gbps(found.value)
    return Unknown(f"{found.value} is no speed") if rate is None else Known(rate, found.origin, found.where)


def _find_fec(own: Stanza) -> Setting[str]:
    paths = (("transceiver", "forward-error-correction"), ("ethernet", "forward-error-correction", "fec-option"))
    found = [own.choice({word: word for word in FEC}, *path) for path in paths]
    return next((each for each in found if not isinstance(each, Unset)), found[0])


def _find_mtu(config: Config, stanzas: Iterable[Stanza], nothing: Unset) -> Setting[int]:
    """Return the MTU of a port: its own, that of its bundle, or the one that the system gives to all ports."""
    gone = nothing
    for each in stanzas:
        found = each.number("mtu", high=_LARGEST)
        if not isinstance(found, Unset):
            return found
        gone = found if found.where else gone
    system = config.top.number("system", "mtu", "default-port-mtu", high=_LARGEST)
    if isinstance(system, Unset):
        return gone if config.has_system else _UNSEEN
    return system


def _find_forwarding(units: Sequence[Stanza]) -> Setting[Forwarding]:
    found = [unit.choice(TYPES, "type") for unit in units]
    kinds = {each.value for each in found if isinstance(each, Known)}
    if len(kinds) > 1:
        return Unknown(MIXED)
    known = next((each for each in found if isinstance(each, Known)), None)
    if known:
        return known
    routed = next((unit for unit in units if unit.node.get("ipv4") or unit.node.get("ipv6")), None)
    return Known(Forwarding.ROUTED, Origin.INTENDED, routed.where) if routed else Unset()


def _find_ip_mtu(config: Config, units: Sequence[Stanza], mtu: Setting[int], tagged: Setting[bool]) -> Setting[int]:
    """Return the largest IP packet that all subinterfaces take; Unset where it follows from the MTU of the port."""
    found = [_unit_mtu(config, unit, mtu, tagged) for unit in units]
    unclear = next((each for each in found if isinstance(each, Unknown)), None)
    known = [each for each in found if isinstance(each, Known)]
    return unclear or min(known, key=lambda each: each.value, default=Unset())


def _unit_mtu(config: Config, unit: Stanza, mtu: Setting[int], tagged: Setting[bool]) -> Setting[int]:
    kind = unit.choice(TYPES, "type")
    if isinstance(kind, Known) and kind.value is Forwarding.SWITCHED:
        return _subtract_headers(config, unit, mtu, tagged)
    return find_ip_mtu(config, unit)


def find_ip_mtu(config: Config, unit: Stanza) -> Setting[int]:
    """Return the IP MTU of a routed subinterface: its own, or the one that the system gives to all."""
    own = unit.number("ip-mtu", high=_LARGEST)
    system = config.top.number("system", "mtu", "default-ip-mtu", high=_LARGEST)
    if not isinstance(own, Unset) or not isinstance(system, Unset):
        return system if isinstance(own, Unset) else own
    if not config.has_system:
        return _UNSEEN
    return Known(_IP_MTU, Origin.DEFAULT, own.where or unit.where, MTU_PAGE)


def _subtract_headers(config: Config, unit: Stanza, mtu: Setting[int], tagged: Setting[bool]) -> Setting[int]:
    """Return the largest IP packet in a frame of a bridged subinterface, which has one VLAN tag on a tagged port."""
    header = _HEADER + (_TAG if isinstance(tagged, Known) and tagged.value else 0)
    limits: list[Setting[int]] = [unit.number("l2-mtu", high=_LARGEST)]
    if isinstance(limits[0], Unset):
        limits = [config.top.number("system", "mtu", "default-l2-mtu", high=_LARGEST)]
    known = [each for each in (*limits, mtu) if isinstance(each, Known)]
    if isinstance(mtu, Unset):
        known.append(Known(_PORT_MTU, Origin.DEFAULT, mtu.where or unit.where, MTU_PAGE))
    if not known:
        return mtu
    least = min(known, key=lambda each: each.value)
    return replace(least, value=least.value - header)
