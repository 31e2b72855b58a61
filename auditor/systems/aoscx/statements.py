"""The statements of an interface of AOS-CX: which line writes which setting, and what its `no` form does."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from auditor.grammar import interfaces
from auditor.grammar.body import Own, PortBody
from auditor.grammar.dialect import InterfaceView
from auditor.grammar.numbers import MAX_ITEMS
from auditor.grammar.rows import choice, entries, flag, number, value, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.grammar.tree import Node
from auditor.grammar.views import list_range
from auditor.model.dump import LineState
from auditor.model.port import Forwarding
from auditor.model.setting import Unknown, Unset, Where
from auditor.systems.aoscx.acls import APPLIED
from auditor.systems.aoscx.flowcontrol import FLOW_CONTROL, GUIDE
from auditor.systems.aoscx.interfaces import TRUSTS
from auditor.util.regex import regex

LARGEST_MTU = 9198
THRESHOLD, SCHEDULE = "qos threshold-profile", "qos schedule-profile"
TECHHUB = "https://support.hpe.com/techhub/eginfolib/Aruba"
NO_PAGE = "https://www.readkong.com/page/aos-cx-10-07-quality-of-service-guide-8360-switch-series-7441314"
"""The vendor's guide to quality of service: each command has its `no` form, which removes the setting."""
TRUST_PAGE = f"{TECHHUB}/8320_10.01/5200-5120/GUID-94D8B0B8-018D-4835-8F68-733ABC7ED52D.html"
"""`no qos trust` puts the switch's setting back on an interface, and `none` on the switch."""
REMARK_PAGE = "AOS-CX Quality of Service Guide, qos trust: qos dscp has no effect on ports that trust a marking"
REWRITE_PAGE = "AOS-CX 10.18 Quality of Service Guide for 832x, 9300 and 10000, qos egress-rewrite"
"""What leaves the port has the marking that the map of the whole switch gives its local priority."""
MARKINGS = ("cos", "dscp")
_UNNAMED = Unknown("`qos egress-rewrite` names no marking")
APPLY_PAGE = f"{TECHHUB}/OS-CX_10.04/5200-6690/GUID-BD1791F7-AC37-4797-A508-32095746CA5A.html"
"""`apply policy` replaces the policy of the same direction, and its `no` form removes it."""
POLICY = "policy"
"""The kind of a policy's name; among the names that an interface uses, that of the policy for routed packets alone."""
SHUTDOWN_PAGE = f"{TECHHUB}/OS-CX_10.03/5200-5950/GUID-AD902456-78F4-4F9D-9B31-52BFAD1D5070.html"
"""`no shutdown` enables an interface."""
NOT_MODELLED = regex(r"qos |apply |rate-limit|dcbx|flow-control|class |policy |shape|lldp dcbx")
IGNORED = regex(
    r"aaa|access-list|active-gateway|alias|aruba-central|arp|banner|bfd|cdp|checkpoint|cli-session|clock|congestion-event|container|copp|description|dhcp|"
    r"dns|domain|energy|erps|error-control|evpn|external|fault|forwarding-mode|https-server|hostname|include|ip |ipv6|"
    r"keychain|lacp|lag |led|link|lldp|logging|loop-protect|mac|mclag|mirror|module|mvrp|nae|ntp|object-group|ospf|"
    r"persona|pim|portfilter|port-access|power|profile|prefix|ptp|queue-monitor|radius|route|router|routing|sflow|snmp|"
    r"spanning-tree|split|ssh|startup|system|tacacs|telnet|tftp|track|udld|user|vlan|vrf|vrrp|vsf|vsx|vxlan"
)


def _write_speed(body: PortBody, arguments: Arguments, where: Where) -> LineState:
    """Write the speed; a fixed one is not negotiated, and `auto` is left aside by links that cannot negotiate."""
    words = arguments["rate"].split()
    body.speed_gbps = setting(_parse_gbps(words), where)
    is_fixed = bool(words) and words[0] != "auto"
    body.negotiates = setting(False if is_fixed else Unknown("a link that cannot negotiate ignores `auto`"), where)
    return LineState.MODELLED


def _parse_gbps(words: Sequence[str]) -> float | Unknown:
    """Return the Gb/s of `speed 100-full` (Mb/s) and of `speed auto 100g`; several rates are left to negotiation."""
    rates = [word for word in words if word not in {"auto", "override"}]
    match = re.match(r"(?P<number>\d{1,6})(?P<giga>[gG])?(?:-(?:full|half))?\Z", rates[0]) if len(rates) == 1 else None
    rate = number(10, 10**6)(match["number"]) if match else None
    if match is None or rate is None:
        return Unknown("the speed is negotiated")
    return rate / (1 if match["giga"] else 1000)


_ROUTED = {"forwarding": Forwarding.ROUTED, "tagged": False}


_SWITCHED = {"forwarding": Forwarding.SWITCHED}


def _imply(form: str, example: str, on: Mapping[str, Any]) -> Statement[PortBody]:
    """Return a statement that implies how a port forwards; its negation takes an address or VLANs, and not that."""
    return replace(flag(form, on, example=example, page=NO_PAGE), negation=Negation(NO_PAGE))


def _profile(kind: str) -> Statement[PortBody]:
    return entries(
        f"apply {kind} {{name}}",
        "names",
        lambda _: (kind,),
        lambda arguments: arguments["name"],
        example=f"apply {kind} ROCE",
        page=NO_PAGE,
    )


_TRUST = regex(r"(?P<mode>cos|dscp|none)(?:(?<=none)(?: local-priority (?P<to>[0-7]))?(?: color [a-z]+)?)?\Z")


def _write_trust(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write which marking decides; a port that trusts none may name the local priority of all that arrives."""
    match = _TRUST.match(arguments["words"])
    if match is None:
        return None
    body.trust = setting(TRUSTS[match["mode"]], where)
    body.untrusted = setting(int(match["to"]), where) if match["to"] else Unset(where)
    return LineState.MODELLED


def _list_leaving(arguments: Arguments) -> tuple[str, ...] | None:
    """Return the markings that a line names, each where it names none."""
    named = arguments["what"]
    return (named,) if named in MARKINGS else None if named else MARKINGS


def _remark(body: PortBody, _arguments: Arguments, where: Where) -> LineState:
    """Write that the port writes one DSCP into all packets that arrive, where it trusts no marking."""
    body.rewrite = setting(Unknown("the port writes a DSCP of its own into what arrives"), where)
    return LineState.CONDITIONAL


_SHAPE = regex(r"(?P<rate>\d{1,9})(?: kbps)?(?: burst \d{1,9}(?: kbytes)?)?\Z")
KBPS_PER_GBPS = 1_000_000


def _parse_shape(text: str) -> float | None:
    """Return the rate in Gb/s that a port never exceeds.

    >>> _parse_shape("200000 kbps burst 70"), _parse_shape("fast")
    (0.2, None)
    """
    match = _SHAPE.match(text)
    return int(match["rate"]) / KBPS_PER_GBPS if match else None


_CODES = {code: code for code in ("auto", "none", "base-r-fec", "rs-fec")}
"""FEC, which the module decides where no line sets it."""
INTERFACE: Table[PortBody] = Table(
    (
        *FLOW_CONTROL,
        Statement("qos trust {words+}", "qos trust dscp", _write_trust, Negation(TRUST_PAGE, ("trust", "untrusted"))),
        entries(
            "qos egress-rewrite {what*}",
            "leaving",
            _list_leaving,
            lambda arguments: True if arguments["what"] else _UNNAMED,
            example="qos egress-rewrite dscp",
            page=REWRITE_PAGE,
            every=MARKINGS,
        ),
        Statement("qos dscp {value#}", "qos dscp 26", _remark, Negation(REMARK_PAGE, ("rewrite",))),
        value("qos shape {rate+}", "shape_gbps", _parse_shape, example="qos shape 200000 kbps burst 70", page=NO_PAGE),
        _profile(THRESHOLD),
        _profile(SCHEDULE),
        value(
            "apply policy {name} in [per-interface]", "policy", word, example="apply policy SORT in", page=APPLY_PAGE
        ),
        replace(
            value(
                "apply policy {name} out [per-interface]",
                "policy_out",
                word,
                example="apply policy SORT out",
                page=APPLY_PAGE,
            ),
            least=4,
        ),
        entries(
            "apply policy {name} routed-in [per-interface]",
            "names",
            lambda _: (POLICY,),
            lambda arguments: arguments["name"],
            example="apply policy SORT routed-in",
            page=APPLY_PAGE,
            state=LineState.CONDITIONAL,
        ),
        APPLIED,
        value("error-control {mode}", "fec", choice(_CODES), example="error-control rs-fec", page=GUIDE),
        interfaces.mtu(LARGEST_MTU, NO_PAGE),
        value(
            "ip mtu {bytes*}",
            "ip_mtu",
            number(interfaces.LOWEST_MTU, LARGEST_MTU),
            example="ip mtu 9198",
            page=NO_PAGE,
        ),
        _imply("ip address ...", "ip address 192.0.2.1/31", _ROUTED),
        _imply("ipv6 address ...", "ipv6 address 2001:db8::1/127", _ROUTED),
        flag("routing", _ROUTED, off=_SWITCHED, page=NO_PAGE),
        _imply("vlan access ...", "vlan access 10", {**_SWITCHED, "tagged": False}),
        _imply("vlan trunk ...", "vlan trunk native 1", {**_SWITCHED, "tagged": True}),
        Statement("speed {rate*}", "speed 100g", _write_speed, Negation(GUIDE, ("speed_gbps", "negotiates"))),
        interfaces.shutdown(SHUTDOWN_PAGE),
    ),
    not_modelled=NOT_MODELLED,
    ignored=IGNORED,
)


SHARED = "multi-chassis"
"""Word of `interface lag 7 multi-chassis`: both switches of a VSX pair know the LAG by its number."""
VSX_PAGE = "https://support.hpe.com/techhub/eginfolib/Aruba/OS-CX_10.03/5200-5977/GUID-0F2F3448-A06B-40FD-8A87-AF35F203E4EF.html"


def name_lag(text: str) -> str | None:
    """Return the LAG of a number, as its own stanza names it; None for another word."""
    return f"lag{text}" if re.fullmatch(r"\d{1,3}", text) else None


OWN: Table[Own] = Table(
    (
        *interfaces.own("lag {number}", name_lag, example="lag 7", page=NO_PAGE),
        value(f"{SHARED} {{number#}}", "mlag", str, example=f"{SHARED} 7", page=VSX_PAGE),
    )
)
_NO_PORT = regex(r"(?P<kind>lag|vlan|loopback|mgmt|tunnel|vxlan|gre)(?: ?(?P<number>\d{1,10}))?(?: |\Z)", re.IGNORECASE)


def read_stanza(node: Node) -> InterfaceView | None:
    """Return the interfaces of `interface 1/1/1-1/1/4,1/1/9` or `interface lag 1`, called lag1, with their lines."""
    words = node.text.split()
    if words[0] != "interface" or len(words) == 1:
        return None
    if not words[1][:1].isdigit():
        other = _NO_PORT.match(" ".join(words[1:]))
        number = other["number"] or "" if other else ""
        shared = (Node(f"{SHARED} {number}", node.index),) if number and SHARED in words else ()
        return ((f"{other['kind'].lower()}{number}",), (*shared, *node.children)) if other else None
    found: list[str] = []
    for part in "".join(words[1:]).split(","):
        first, dash, last = part.partition("-")
        span = list_range(first, last) if dash else (first,)
        if span is None or len(found) + len(span) > MAX_ITEMS:
            return None
        found.extend(span)
    return tuple(found), node.children
