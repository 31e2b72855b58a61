"""The body of an interface stanza or of `system qos`, line by line."""

import re
from collections.abc import Callable, Mapping, Sequence

from auditor.grammar.classmaps import Mark
from auditor.grammar.numbers import decimal
from auditor.grammar.stanzas import Place
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.os10.statements import NETWORK_QOS, QOS, QUEUING, TC_MAP, TRUST_DOT1P, TRUST_DSCP, Statements

MIN_MTU, MAX_MTU = 1280, 65_535
_IGNORED = re.compile(
    r"(?:address-family|advertise|arp|bfd|cdp|channel-group|default|description|dhcp|dot1x|duplex|eee|fcoe|fip-snooping|"
    r"fefd|hardware|instance|ip|ipv6|ipsec|iscsi|keepalive|lacp|link-bundle-utilization|lldp|load-interval|logging|mac|"
    r"macsec|mode|multicast|nat|nd|negotiation|nve|optional|ospf|pim|port|port-mode|private-vlan|ptp|remote|sflow|scale|"
    r"snmp|spanning-tree|storm-control|switchport|track|transceiver|udld|uplink|virtual|virtual-network|vlan|"
    r"vlt-port-channel|vrf|vrrp|vrrp-group|wavelength|priority|preempt|virtual-address)\Z"
)
_NOT_MODELLED = re.compile(
    r"(?:ets|dcbx|qos-group-cos|buffer-statistics-tracking|pfc-(?:max|shared)-\S+|llfc-(?:max|shared)-\S+|"
    r"random-detect|random-detect-ecn|qos-rate-adjust|rate-limit|queue|control-plane-buffer-size)\Z"
)


def read(node: Node, place: Place, mark: Mark) -> Statements:
    """Return what the stanza *node* says; *mark* takes the state of each line, by its index."""
    found = Statements(place(node.index))
    mark(node.index, LineState.MODELLED)
    for child in node.children:
        mark(child.index, _line(found, child.text.split(), place(child.index)))
    return found


def is_ignored(text: str) -> bool:
    """Tell whether a line says nothing of quality of service, so that ports that differ in it are alike."""
    words = text.split(None, 3)
    words = words[1:] if words[0] == "no" else words
    if not words:
        return False
    if words[0] == "switchport":
        return len(words) > 1 and words[1] not in {"mode", "access"}
    return words[0] not in _READERS and _IGNORED.match(words[0]) is not None


def _line(found: Statements, words: Sequence[str], where: Where) -> LineState:
    negated = words[0] == "no"
    words = words[1:] if negated else words
    if not words:
        return LineState.UNRECOGNISED
    reader = _READERS.get(words[0])
    if reader is not None:
        return reader(found, words, where, negated=negated)
    if _NOT_MODELLED.match(words[0]):
        return LineState.NOT_MODELLED
    return LineState.IGNORED if _IGNORED.match(words[0]) else LineState.UNRECOGNISED


def _shutdown(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if len(words) > 1:
        return LineState.UNRECOGNISED
    found.enabled = Known(negated, Origin.INTENDED, where)
    return LineState.MODELLED


def _mtu(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    size = decimal(words[1] if len(words) > 1 else None, MIN_MTU, MAX_MTU)
    if negated:
        found.mtu = Unset(where)
    elif size is None:
        return LineState.UNRECOGNISED
    else:
        found.mtu = Known(int(size), Origin.INTENDED, where)
    return LineState.MODELLED


def _speed(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    """Read `speed 25000`, in Mb/s; `speed auto` says nothing yet."""
    mbps = decimal(words[1] if len(words) > 1 else None, 1, 10**7)
    if negated:
        found.speed_gbps = Unset(where)
    elif words[1:] == ["auto"]:
        found.speed_gbps = Unknown("speed is negotiated")
    elif mbps is None:
        return LineState.UNRECOGNISED
    else:
        found.speed_gbps = Known(mbps / 1000, Origin.INTENDED, where)
    return LineState.MODELLED


def _fec(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    found.fec = Unset(where) if negated or len(words) == 1 else Known(words[1], Origin.INTENDED, where)
    return LineState.MODELLED if negated or len(words) > 1 else LineState.UNRECOGNISED


def _switchport(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    """Read the port mode; the last word counts, whether it is `no switchport` or `switchport mode trunk`."""
    what = words[1] if len(words) > 1 else ""
    if not what:
        found.forwarding = Known(Forwarding.ROUTED if negated else Forwarding.SWITCHED, Origin.INTENDED, where)
        if negated:
            found.tagged = Known(value=False, origin=Origin.INTENDED, where=where)
    elif what == "mode" and negated:
        found.tagged = Unset(where)
    elif what == "mode" and len(words) > 2:  # noqa: PLR2004  `switchport mode MODE`
        found.forwarding = Known(Forwarding.SWITCHED, Origin.INTENDED, where)
        found.tagged = Known(words[2] == "trunk", Origin.INTENDED, where)
    elif what == "access" and not isinstance(found.forwarding, Known):
        found.forwarding = Known(Forwarding.SWITCHED, Origin.INTENDED, where)
    elif what == "mode":
        return LineState.UNRECOGNISED
    return LineState.MODELLED


def _flowcontrol(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    names = {"receive": "pause_rx", "transmit": "pause_tx"}
    name = names.get(words[1] if len(words) > 1 else "")
    value = words[2] if len(words) > 2 else ""  # noqa: PLR2004  `flowcontrol DIRECTION VALUE`
    if name is None or (not negated and value not in {"on", "off"}):
        return LineState.UNRECOGNISED
    setting: Setting[bool] = Unset(where) if negated else Known(value == "on", Origin.INTENDED, where)
    setattr(found, name, setting)
    return LineState.MODELLED


def _pfc(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if words[1:2] != ["mode"]:
        return LineState.UNRECOGNISED
    if negated:
        found.pfc_mode = Unset(where)
    elif words[2:] in (["on"], ["off"]):
        found.pfc_mode = Known(PfcMode(words[2]), Origin.INTENDED, where)
    else:
        return LineState.UNRECOGNISED
    return LineState.MODELLED


_POLICIES = {
    ("network-qos", "input"): NETWORK_QOS,
    ("queuing", "output"): QUEUING,
    ("qos", "input"): QOS,
}
_OTHER_POLICIES = frozenset({"control-plane", "application", "pbr", "qos", "queuing"})


def _service_policy(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    """Read `service-policy input type network-qos NAME`; without a type it is one of type qos."""
    direction, rest = "".join(words[1:2]), list(words[2:])
    kind, rest = ("".join(rest[1:2]), rest[2:]) if rest[:1] == ["type"] else ("qos", rest)
    slot = _POLICIES.get((kind, direction))
    if slot is None or (not rest and not negated):
        return LineState.NOT_MODELLED if kind in _OTHER_POLICIES and direction else LineState.UNRECOGNISED
    return _bind(found, slot, rest, where, negated=negated)


def _bind(found: Statements, slot: str, names: Sequence[str], where: Where, *, negated: bool) -> LineState:
    found.bindings[slot] = Unset(where) if negated else Known(names[0], Origin.INTENDED, where)
    return LineState.MODELLED


def _trust_map(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    slot = {"dot1p": TRUST_DOT1P, "dscp": TRUST_DSCP}.get("".join(words[1:2]))
    if slot is None or (len(words) == 2 and not negated):  # noqa: PLR2004  `trust-map WHAT NAME`
        return LineState.UNRECOGNISED
    return _bind(found, slot, words[2:], where, negated=negated)


def _qos_map(found: Statements, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if words[1:2] != ["traffic-class"]:
        return LineState.NOT_MODELLED
    if len(words) == 2 and not negated:  # noqa: PLR2004  `qos-map traffic-class NAME`
        return LineState.UNRECOGNISED
    return _bind(found, TC_MAP, words[2:], where, negated=negated)


def _channel_group(_found: Statements, words: Sequence[str], _where: Where, *, negated: bool) -> LineState:
    return LineState.MODELLED if negated or "".join(words[1:2]).isdecimal() else LineState.UNRECOGNISED


_READERS: Mapping[str, Callable[..., LineState]] = {
    "shutdown": _shutdown,
    "mtu": _mtu,
    "speed": _speed,
    "fec": _fec,
    "switchport": _switchport,
    "flowcontrol": _flowcontrol,
    "priority-flow-control": _pfc,
    "service-policy": _service_policy,
    "trust-map": _trust_map,
    "qos-map": _qos_map,
    "channel-group": _channel_group,
}
