"""The statements of EOS: which line of an interface or of a qos profile writes which setting."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from auditor.grammar.body import PortStatements
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import decimal, expand, parse_dscp
from auditor.grammar.rows import choice, flag, number, skip, value, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.qos import Scheduler, Threshold, Trust
from auditor.model.setting import Known, Setting, Unknown, Unset, Where
from auditor.systems.eos.rates import Rate, parse_rate
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_MTU = 65_535
_GUIDE = "https://www.arista.com/en/um-eos"
PORT_PAGE = f"{_GUIDE}/eos-ethernet-ports"
QOS_PAGE = f"{_GUIDE}/eos-quality-of-service"
PFC_PAGE = f"{_GUIDE}/eos-dcbx-and-flow-control"
ACL_PAGE = f"{_GUIDE}/eos-acls-and-route-maps"
VXLAN_PAGE = f"{_GUIDE}/eos-vxlan-dscp-mapping"
UNDO = ("no", "default")


@dataclass(frozen=True, slots=True)
class Curve:
    """Thresholds and the probability (0..1) of a `random-detect` line; None where the line leaves one out."""

    low: Threshold | None
    high: Threshold | None
    probability: float | None


@dataclass(slots=True)
class TxQueue:
    """The statements below one `tx-queue`; `drops` is keyed by drop precedence, None being all of them."""

    where: Where
    scheduler: Setting[Scheduler] = NOTHING
    bandwidth: Setting[float] = NOTHING
    guaranteed: Setting[float] = NOTHING
    shape: Setting[Rate] = NOTHING
    ecn: Setting[Curve] = NOTHING
    drops: dict[int | None, Setting[Curve]] = field(default_factory=dict)


@dataclass(slots=True)
class Interface(PortStatements):
    """The statements of one stanza; `no_drop` is keyed by priority, `queues` by number.

    `profile` names a qos profile, `interface_profile` a list of commands that the port takes as its own. `tunnel_ecn`:
    the tunnels of a VXLAN interface carry ECN on.
    `hidden` is Unknown where more is in effect than the dump shows.
    """

    lanes: Setting[int] = NOTHING
    negotiates: Setting[bool] = NOTHING
    fec: Setting[str] = NOTHING
    l2_mtu: Setting[int] = NOTHING
    trust: Setting[Trust] = NOTHING
    cos: Setting[int] = NOTHING
    dscp: Setting[int] = NOTHING
    own_dscp_map: Setting[str] = NOTHING
    own_cos_map: Setting[str] = NOTHING
    policy: Setting[str] = NOTHING
    profile: Setting[str] = NOTHING
    interface_profile: Setting[str] = NOTHING
    no_drop: dict[int, Setting[bool]] = field(default_factory=dict)
    watchdog: Setting[bool] = NOTHING
    watchdog_action: Setting[WatchdogAction] = NOTHING
    timeout_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    polling_ms: Setting[float] = NOTHING
    queues: dict[int, TxQueue] = field(default_factory=dict)
    shape: Setting[Rate] = NOTHING
    access: Setting[str] = NOTHING
    tunnel_ecn: Setting[bool] = NOTHING
    hidden: Unset | Unknown = NOTHING

    def queue(self, number: int, where: Where) -> TxQueue:
        """Return the statements of a queue, begun at *where* if there were none."""
        return self.queues.setdefault(number, TxQueue(where))


def with_default(statement: Statement[Any]) -> Statement[Any]:
    """Return *statement* with a `default` form of its own, which resets what `no` switches off."""
    negation = statement.negation
    return replace(statement, default=Negation(negation.page, negation.fields)) if negation else statement


_SPEED = regex(r"(?P<number>\d{1,6})(?P<giga>g)?(?:-(?P<lanes>\d))?(?:full|half)?\Z", re.IGNORECASE)
_NEGOTIATED = Unknown("speed is negotiated")


def _speed(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
    """Write `speed 100g-4`, `speed forced 100gfull`, `speed auto 100gfull`; `speed auto` leaves the speed open."""
    words = arguments["rate"].split()
    rest = [w for w in words if w not in {"forced", "auto", "sfp-1000baset"}]
    match = _SPEED.match(rest[0]) if rest else None
    if rest and match is None:
        return None
    body.speed_gbps = setting(int(match["number"]) / (1 if match["giga"] else 1000), where) if match else _NEGOTIATED
    body.lanes = setting(int(match["lanes"]), where) if match and match["lanes"] else Unset(where)
    if {"auto", "forced"} & {*words}:  # what a rate alone says of negotiation is not documented
        body.negotiates = setting("auto" in words, where)
    return LineState.MODELLED


def _fec(body: Interface, arguments: Arguments, where: Where) -> LineState:
    """Write an encoding that is allowed: of two, the port chooses."""
    name = arguments["name"]
    if isinstance(body.fec, Known) and body.fec.value not in {NO_FEC, name}:
        body.fec = Unknown(f"both {body.fec.value} and {name} are allowed")
    else:
        body.fec = setting(name, where)
    return LineState.MODELLED


NO_FEC = "none"
_MODES = {mode: mode == "trunk" for mode in ("access", "trunk", "dot1q-tunnel", "tap", "tool", "tap-tool")}
_PAUSES = {"on": True, "off": False, "desired": Unknown("flowcontrol is negotiated")}


def _first(text: str) -> str | None:
    """Return the first word, None if it is missing."""
    return text.split(maxsplit=1)[0] if text else None


def _priorities(arguments: Arguments) -> tuple[int, ...] | None:
    return expand(arguments["list"], 0, 7)


def _no_drop(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
    """Write which priorities are never dropped."""
    if arguments["handling"] == "dlb":  # it bears on the choice of a path
        return LineState.NOT_MODELLED
    priorities, is_no_drop = _priorities(arguments), {"no-drop": True, "drop": False}.get(arguments["handling"])
    if priorities is None or is_no_drop is None:
        return None
    body.no_drop.update(dict.fromkeys(priorities, setting(is_no_drop, where)))
    return LineState.MODELLED


ACTIONS: Mapping[str, WatchdogAction | Unknown] = {
    "drop": WatchdogAction.DROP,
    "no-drop": WatchdogAction.FORWARD,
    "notify-only": WatchdogAction.ALERT,
    "errdisable": Unknown("the watchdog err-disables the port, an action that no other system has"),
}
TIMERS = {"timeout": "timeout_ms", "recovery-time": "recovery_ms", "polling-interval": "polling_ms"}


def _timers(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
    words = arguments["times"].split()
    times = {key: parse_milliseconds(key, words[words.index(key) + 1]) for key in TIMERS if key in words[:-1]}
    if None in times.values():
        return None
    for key, time in times.items():
        setattr(body, TIMERS[key], setting(time, where))
    return LineState.MODELLED


def parse_milliseconds(timer: str, text: str) -> float | Unknown | None:
    """Return a time that is written in seconds; Unknown where *timer* is left to the switch, None if malformed.

    >>> parse_milliseconds("timeout", "0.05"), parse_milliseconds("polling-interval", "auto").why
    (50.0, 'polling-interval auto leaves the time to the switch')
    >>> parse_milliseconds("timeout", "soon") is None
    True
    """
    if text == "auto":
        return Unknown(f"{timer} auto leaves the time to the switch")
    seconds = decimal(text, 0, 3600)
    return None if seconds is None else round(seconds * 1000, 6)


def _doubt_watchdog(body: Interface, arguments: Arguments, _where: Where) -> None:
    """Leave the watchdog open by a line that EOS does not know."""
    why = Unknown(f"`priority-flow-control watchdog {arguments['words'][:40]}` is malformed")
    for name in ("watchdog", "watchdog_action", *TIMERS.values()):
        setattr(body, name, why)


WATCHDOG = "priority-flow-control pause watchdog"
INTERFACE: Table[Interface] = Table(
    (
        with_default(flag("shutdown", {"enabled": False}, off={"enabled": True}, page=PORT_PAGE)),
        value("mtu {bytes}", "mtu", number(68, MAX_MTU), example="mtu 9214", page=PORT_PAGE),
        value("l2 mtu {bytes}", "l2_mtu", number(68, MAX_MTU), example="l2 mtu 9214", page=PORT_PAGE),
        Statement("speed {rate+}", "speed 400g-8", _speed, Negation(PORT_PAGE, ("speed_gbps", "lanes", "negotiates"))),
        with_default(flag("error-correction encoding", {}, off={"fec": NO_FEC}, page=PORT_PAGE)),
        Statement(
            "error-correction encoding {name+}",
            "error-correction encoding reed-solomon",
            _fec,
            Negation(PORT_PAGE, ("fec",)),  # of two encodings one is refused: which one runs is not written
        ),
        skip("error-correction ...", LineState.IGNORED),
        with_default(
            flag(
                "switchport", {"forwarding": Forwarding.SWITCHED}, off={"forwarding": Forwarding.ROUTED}, page=PORT_PAGE
            )
        ),
        value("switchport mode {mode} ...", "tagged", choice(_MODES), example="switchport mode trunk", page=PORT_PAGE),
        skip("switchport {words+}", LineState.IGNORED),
        value(
            "flowcontrol receive|received {state}",
            "pause_rx",
            choice(_PAUSES),
            example="flowcontrol receive on",
            page=PFC_PAGE,
        ),
        value("flowcontrol send {state}", "pause_tx", choice(_PAUSES), example="flowcontrol send on", page=PFC_PAGE),
        with_default(
            value(
                "qos trust {field}",
                "trust",
                choice({"dscp": Trust.DSCP, "cos": Trust.PCP}),
                off=Trust.NONE,
                example="qos trust dscp",
                page=QOS_PAGE,
            )
        ),
        value("qos cos {cos}", "cos", number(0, 7), example="qos cos 3", page=QOS_PAGE),
        value("qos dscp {dscp}", "dscp", parse_dscp, example="qos dscp af31", page=QOS_PAGE),
        value(
            "qos map dscp to traffic-class {name}",
            "own_dscp_map",
            word,
            example="qos map dscp to traffic-class OWN",
            page=QOS_PAGE,
            state=LineState.CONDITIONAL,
        ),
        value(
            "qos map cos to traffic-class {name}",
            "own_cos_map",
            word,
            example="qos map cos to traffic-class OWN",
            page=QOS_PAGE,
            state=LineState.CONDITIONAL,
        ),
        skip("qos map|rewrite ..."),
        skip("service-policy type pbr|pdp|control-plane|copp|macro-segmentation ..."),
        skip("service-policy output ..."),
        value(
            "service-policy [type] [qos|quality-of-service] input {name*}",
            "policy",
            _first,
            example="service-policy type qos input CLASSIFY",
            page=QOS_PAGE,
        ),
        skip("service-policy type {type} output ..."),
        value("service-profile {name*}", "profile", _first, example="service-profile ROCE", page=QOS_PAGE),
        value("profile {name}", "interface_profile", word, example="profile GPU", page=PORT_PAGE),
        value(  # of several, the first
            "profile {names+}",
            "interface_profile",
            _first,
            example="profile GPU STORAGE",
            page=PORT_PAGE,
            state=LineState.CONDITIONAL,
        ),
        Statement(
            "priority-flow-control priority {list} {handling} ...",
            "priority-flow-control priority 3 no-drop",
            _no_drop,
            Negation(PFC_PAGE, member=("no_drop", _priorities)),
        ),
        with_default(flag(WATCHDOG, {"watchdog": True}, off={"watchdog": False}, page=PFC_PAGE)),
        value(
            f"{WATCHDOG} port action {{action}}",
            "watchdog_action",
            choice(ACTIONS),
            example=f"{WATCHDOG} port action drop",
            page=PFC_PAGE,
        ),
        Statement(
            f"{WATCHDOG} port timer {{times+}}",
            f"{WATCHDOG} port timer timeout 1 polling-interval auto recovery-time 1.11 forced",
            _timers,
            Negation(PFC_PAGE, tuple(TIMERS.values())),
        ),
        Statement(  # the words of another system leave the mode of PFC alone
            "priority-flow-control watchdog {words*}",
            "",
            _doubt_watchdog,
        ),
        value(  # older releases write `priority-flow-control mode on`
            "priority-flow-control [mode] {mode}",
            "pfc_mode",
            choice({mode.value: mode for mode in (PfcMode.ON, PfcMode.OFF)}),
            example="priority-flow-control on",
            page=PFC_PAGE,
        ),
        skip("channel-group {number} ...", LineState.MODELLED),
        flag("vxlan qos ecn propagation", {"tunnel_ecn": True}, off={"tunnel_ecn": False}, page=VXLAN_PAGE),
        skip("vxlan qos ..."),
        skip("dcbx ..."),
        value("shape rate {rate+}", "shape", parse_rate, example="shape rate 100 gbps", page=QOS_PAGE),
        value("ip access-group {name} in", "access", _first, example="ip access-group HOST-IN in", page=ACL_PAGE),
        skip("ip access-group {name} out", LineState.IGNORED),
        skip("mc-tx-queue ..."),
    ),
    undo=UNDO,
    ignored=regex(
        r"(?:address|adaptive-virtual-topology|aggregate|arp|autostate|bandwidth(?! percent| guaranteed)|bfd|bgp|"
        r"bridge|carrier-delay|clock|comment|counters|description|dhcp|dot1x|dps|duplex|dynamic|encapsulation|evpn|flow|"
        r"hardware|ip(?! access-group)|ipsec|ipv6|isis|l2(?! mtu)|l2-protocol|lacp|ldp|"
        r"link|link-debounce|link-flap|lldp|load-interval|"
        r"logging|loop-protection|mac|mac-address|macsec|metric|mka|mlag|monitor|mpls|msrp|multicast|mvrp|nat|ntp|ospf|"
        r"ospfv3|peer|phone|phy|pim|poe|port-channel|pppoe|private-vlan|ptp|pvlan|rsvp|sflow|snmp|spanning-tree|"
        r"storm-control|sync-e|tcp|timestamp|tap|tool|traffic-engineering|traffic-loopback|traffic-policy|transceiver|tunnel|"
        r"unidirectional|vlan|vrf|vrrp|vxlan(?! qos))(?: |\Z)"
    ),
)


DROP_LEVELS = (None, 0, 1, 2)


def clear_queue(where: Where) -> TxQueue:
    """Return a queue whose statements the line at *where* takes back."""
    nothing = Unset(where)
    drops: dict[int | None, Setting[Curve]] = dict.fromkeys(DROP_LEVELS, nothing)
    return TxQueue(where, nothing, nothing, nothing, nothing, nothing, drops)


def parse_queue_number(words: Sequence[str]) -> int | None:
    """Return the number of the queue that `tx-queue N` opens, None for another line.

    >>> parse_queue_number(["tx-queue", "3"]), parse_queue_number(["mc-tx-queue", "3"])
    (3, None)
    """
    is_queue = len(words) == 2 and words[0] in {"tx-queue", "uc-tx-queue"}  # noqa: PLR2004  name and number
    return number(0, 15)(words[1]) if is_queue else None
