"""The statements of OS10: which line of an interface or of `system qos` writes which setting."""

from dataclasses import field
from typing import Any

from auditor.grammar.body import PortStatements
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import ON_OFF, choice, entries, flag, number, skip, value, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode
from auditor.model.setting import Known, Setting, Unknown, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

NETWORK_QOS = "policy-map type network-qos"
QUEUING = "policy-map type queuing"
QOS = "policy-map type qos"
TRUST_DOT1P = "trust dot1p-map"
TRUST_DSCP = "trust dscp-map"
TC_MAP = "qos-map traffic-class"
WRED = "wred"
DEFAULT_MAP = "default"
"""The name by which a map that OS10 itself defines is bound."""
QOS_PAGE = "https://www.manualshelf.com/manual/dell/emc-networking-mx9116n/1-api-guide-english/page-1245.html"
"""The `no` form of a command of quality of service removes the binding or disables the function."""
LINK_PAGE = "https://www.manualshelf.com/manual/dell/powerswitch-s4048-on/1-users-guide-english/page-297.html"
"""The `no` form of a command of an interface puts its default back."""
SHUTDOWN_PAGE = (
    "https://www.manualshelf.com/manual/dell/powerswitch-s4248fb-on-s4248fbl-on/4-3-2-1-users-guide-english/"
    "page-391.html"
)
"""An interface that is up has `no shutdown` in its configuration."""

PFC_PAGE = (
    "https://www.manualshelf.com/manual/dell/powerswitch-s4112f-on-s4112t-on/1-reference-guide-english/page-622.html"
)
"""PFC and link-level pauses are off unless a command switches them on."""


@dataclass(slots=True)
class Statements(PortStatements):
    """The statements of one stanza; `bindings` is keyed by the kind of the bound name: `policy-map type queuing`."""

    fec: Setting[str] = NOTHING
    bindings: dict[str, Setting[str]] = field(default_factory=dict)


_MBPS = number(1, 10**7)


def _rate(text: str) -> float | Unknown | None:
    """Return the Gb/s of a speed in Mb/s, Unknown where it is negotiated."""
    mbps = _MBPS(text)
    return Unknown("speed is negotiated") if text == "auto" else None if mbps is None else mbps / 1000


def _mode(body: Statements, arguments: Arguments, where: Where) -> LineState | None:
    """Write `switchport mode MODE`, which also makes the port a switched one."""
    if not arguments["mode"]:
        return None
    body.forwarding = setting(Forwarding.SWITCHED, where)
    body.tagged = setting(arguments["mode"].split()[0] == "trunk", where)
    return LineState.MODELLED


def _access(body: Statements, _: Arguments, where: Where) -> LineState:
    """Write `switchport access vlan N`: a port that nothing makes a routed one is a switched one."""
    if not isinstance(body.forwarding, Known):
        body.forwarding = setting(Forwarding.SWITCHED, where)
    return LineState.MODELLED


def _join(_body: Statements, arguments: Arguments, _where: Where) -> LineState | None:
    """Return the state of `channel-group N mode MODE`; the port-channel is no part of what ports share."""
    return LineState.MODELLED if arguments["number"].isdecimal() else None


def _pause(form: str, name: str) -> Statement[Statements]:
    """Return a statement that switches one direction of link-level pauses."""
    return value(f"{form} {{state*}}", name, choice(ON_OFF), example=f"{form} on", page=PFC_PAGE)


def _name(arguments: Arguments) -> str | None:
    """Return the name of a bound policy or map, None where it is missing."""
    first = arguments["name"].partition(" ")[0]
    return None if first in {"", "type"} else first


def _binding(form: str, slot: str) -> Statement[Any]:
    """Return a statement that binds a policy or a map by its name."""
    return entries(f"{form} {{name*}}", "bindings", lambda _: (slot,), _name, example=f"{form} NAME", page=QOS_PAGE)


_BINDINGS = (
    _binding("service-policy input type network-qos", NETWORK_QOS),
    _binding("service-policy output type queuing", QUEUING),
    _binding("service-policy input type qos", QOS),
    skip("service-policy input|output type control-plane|application|pbr|qos|queuing ..."),
    _binding("service-policy input", QOS),
    skip("service-policy output {name}"),
    _binding("trust-map dot1p", TRUST_DOT1P),
    _binding("trust-map dscp", TRUST_DSCP),
    _binding("qos-map traffic-class", TC_MAP),
    skip("qos-map ..."),
)
_NOT_MODELLED = regex(
    r"(?:ets|dcbx|qos-group-cos|buffer-statistics-tracking|pfc-(?:max|shared)-\S+|llfc-(?:max|shared)-\S+|"
    r"random-detect|random-detect-ecn|qos-rate-adjust|rate-limit|queue|control-plane-buffer-size)(?: |\Z)"
)
INTERFACE: Table[Statements] = Table(
    (
        flag("shutdown", {"enabled": False}, off={"enabled": True}, page=SHUTDOWN_PAGE),
        value("mtu {bytes*}", "mtu", number(1280, 65_535), example="mtu 9216", page=LINK_PAGE),
        value("speed {mbps*}", "speed_gbps", _rate, example="speed 100000", page=LINK_PAGE),
        value("fec {mode} ...", "fec", word, example="fec CL91-RS", page=LINK_PAGE),
        flag(
            "switchport",
            {"forwarding": Forwarding.SWITCHED},
            off={"forwarding": Forwarding.ROUTED, "tagged": False},
            page=LINK_PAGE,
        ),
        Statement("switchport mode {mode*}", "switchport mode trunk", _mode, Negation(LINK_PAGE, ("tagged",))),
        Statement("switchport access ...", "", _access),
        _pause("flowcontrol receive", "pause_rx"),
        _pause("flowcontrol transmit", "pause_tx"),
        value(
            "priority-flow-control mode {mode*}",
            "pfc_mode",
            choice({mode.value: mode for mode in (PfcMode.ON, PfcMode.OFF)}),
            example="priority-flow-control mode on",
            page=PFC_PAGE,
        ),
        *_BINDINGS,
        Statement("channel-group {number} ...", "", _join),
    ),
    not_modelled=_NOT_MODELLED,
    ignored=regex(
        r"(?:address-family|advertise|arp|bfd|cdp|channel-group|default|description|dhcp|dot1x|duplex|eee|fcoe|"
        r"fip-snooping|fefd|hardware|instance|ip|ipv6|ipsec|iscsi|keepalive|lacp|link-bundle-utilization|lldp|"
        r"load-interval|logging|mac|macsec|mode|multicast|nat|nd|negotiation|nve|optional|ospf|pim|port|port-mode|"
        r"private-vlan|ptp|remote|sflow|scale|snmp|spanning-tree|storm-control|switchport|track|transceiver|udld|"
        r"uplink|virtual|virtual-network|vlan|vlt-port-channel|vrf|vrrp|vrrp-group|wavelength|priority|preempt|"
        r"virtual-address)(?: |\Z)"
    ),
)


def is_ignored(text: str) -> bool:
    """Return whether a line has no bearing on quality of service; equal ports may differ in it."""
    line = INTERFACE.split(text)[1]
    words = line.split(" ", 2)
    if words[0] == "switchport":
        return len(words) > 1 and words[1] not in {"mode", "access"}
    return bool(line) and not INTERFACE.begins(line) and INTERFACE.state_of(line) is LineState.IGNORED


@dataclass(slots=True)
class SystemQos:
    """The policies and maps that `system qos` binds for every port."""

    bindings: dict[str, Setting[str]] = field(default_factory=dict)


SYSTEM_QOS: Table[SystemQos] = Table(_BINDINGS, not_modelled=_NOT_MODELLED)
