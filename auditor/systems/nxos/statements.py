"""The statements of NX-OS: which line of an interface, of `system qos` or of the whole switch writes which setting."""

from collections.abc import Sequence
from dataclasses import field

from auditor.grammar.body import PortStatements
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import ON_OFF, choice, flag, number, skip, value, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.setting import Known, Setting, Unknown, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_MTU = 10_000
Slot = tuple[str, str]
"""Type and direction of an attached policy: `("qos", "input")`; a network-qos policy has no direction."""
_GUIDE = "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000/102x/configuration"
NO_PAGE = f"{_GUIDE}/fundamentals/cisco-nexus-9000-nx-os-fundamentals-configuration-guide-102x/m-understanding-cli.html"
"""The `no` form undoes a command or puts its default back."""
PFC_PAGE = (
    f"{_GUIDE}/qos/cisco-nexus-9000-nx-os-quality-of-service-configuration-guide-102x/"
    "m-configuring-priority-flow-control.html"
)
INTERFACE_PAGE = (
    f"{_GUIDE}/interfaces/cisco-nexus-9000-nx-os-interfaces-configuration-guide-102x/"
    "b-cisco-nexus-9000-nx-os-interfaces-configuration-guide-93x_chapter_011.html"
)
"""`no shutdown` brings an interface up; `no switchport` makes it a routed one."""


@dataclass(slots=True)
class Interface(PortStatements):
    """The statements of one stanza; `policies` is keyed by type and direction."""

    fec: Setting[str] = NOTHING
    negotiates: Setting[bool] = NOTHING
    watchdog: Setting[bool] = NOTHING
    watchdog_action: Setting[WatchdogAction] = NOTHING
    watchdog_multiplier: Setting[int] = NOTHING
    policies: dict[Slot, Setting[str]] = field(default_factory=dict)
    profile: Setting[str] = NOTHING
    access: Setting[str] = NOTHING


@dataclass(slots=True)
class SystemQos:
    """The policies that `system qos` attaches to all ports."""

    policies: dict[Slot, Setting[str]] = field(default_factory=dict)


_RATES = {"10g": 10.0, "25g": 25.0, "40g": 40.0, "50g": 50.0, "100g": 100.0, "200g": 200.0, "400g": 400.0}
_MBPS = number(1, 9_999_999)


def _rate(text: str) -> float | Unknown | None:
    """Return the Gb/s of `speed N` (Mb/s) or `speed 100g`, Unknown where the speed is negotiated."""
    text = text.lower()
    if text.startswith("auto"):
        return Unknown("speed is negotiated")
    mbps = _MBPS(text)
    return _RATES.get(text) if mbps is None else mbps / 1000


_PAUSES = {**ON_OFF, "desired": Unknown("flowcontrol is negotiated")}


def _mode(body: Interface, arguments: Arguments, where: Where) -> LineState:
    """Write `switchport mode MODE`, which also makes a port without `no switchport` a switched one."""
    body.tagged = setting(arguments["mode"] in {"trunk", "fex-fabric"}, where)
    if not isinstance(body.forwarding, Known):
        body.forwarding = setting(Forwarding.SWITCHED, where)
    return LineState.MODELLED


_MULTIPLIER = regex(r"interface-multiplier (?P<number>\d{1,4})\b")


def _watch(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
    """Write whether the watchdog runs, what it does, and after how many intervals."""
    own = _MULTIPLIER.search(arguments["options"])
    if own is None and "interface-multiplier" in arguments["options"].split():
        return None
    body.watchdog = setting(ON_OFF[arguments["state"]], where)
    if "disable-action" in arguments["options"].split():
        body.watchdog_action = setting(WatchdogAction.ALERT, where)
    if own:
        body.watchdog_multiplier = setting(int(own["number"]), where)
    return LineState.MODELLED


def attach(body: Interface | SystemQos, arguments: Arguments, where: Where) -> LineState | None:
    """Write a `service-policy` line: type, direction and name of the policy."""
    slot, name = _reference(arguments["words"].split())
    if slot is None or not name:
        return None
    body.policies[slot] = setting(name, where)
    return LineState.MODELLED


def _reference(words: Sequence[str]) -> tuple[Slot | None, str]:
    """Return the slot that a `service-policy` line names, None if it is malformed, and the policy's name.

    The type `qos` may be left out; only `network-qos` has no direction.

    >>> _reference("type queuing output OUT".split()), _reference(["input", "IN"]), _reference(["IN"])
    ((('queuing', 'output'), 'OUT'), (('qos', 'input'), 'IN'), (None, ''))
    """
    rest = list(words)
    kind = "qos"
    if rest[:1] == ["type"] and len(rest) > 1:
        kind, rest = rest[1], rest[2:]
    direction = rest.pop(0) if rest[:1] in (["input"], ["output"]) else ""
    if not direction and kind != "network-qos":
        return None, ""
    return (kind, direction), rest[0] if rest else ""


def _slots(arguments: Arguments) -> tuple[Slot, ...] | None:
    slot, _ = _reference(arguments["words"].split())
    return None if slot is None else (slot,)


POLICY = Statement(
    "service-policy {words+}",
    "service-policy type qos input CLASSIFY",
    attach,
    Negation(NO_PAGE, member=("policies", _slots)),
)
INTERFACE: Table[Interface] = Table(
    (
        flag("shutdown", {"enabled": False}, off={"enabled": True}, page=INTERFACE_PAGE),
        skip("shutdown {words+}", LineState.IGNORED),
        value("mtu {bytes}", "mtu", number(1, MAX_MTU), example="mtu 9216", page=NO_PAGE),
        value("speed {rate} ...", "speed_gbps", _rate, example="speed 100000", page=NO_PAGE),
        value("fec {mode} ...", "fec", word, example="fec rs-fec", page=NO_PAGE),
        flag("negotiate auto", {"negotiates": True}, off={"negotiates": False}, page=INTERFACE_PAGE),
        flag(
            "switchport",
            {"forwarding": Forwarding.SWITCHED},
            off={"forwarding": Forwarding.ROUTED, "tagged": False},
            page=INTERFACE_PAGE,
        ),
        Statement("switchport mode {mode} ...", "switchport mode trunk", _mode, Negation(NO_PAGE, ("tagged",))),
        skip("switchport {words+}", LineState.IGNORED),
        value(
            "flowcontrol receive {state}", "pause_rx", choice(_PAUSES), example="flowcontrol receive on", page=NO_PAGE
        ),
        value("flowcontrol send {state}", "pause_tx", choice(_PAUSES), example="flowcontrol send on", page=NO_PAGE),
        value(
            "priority-flow-control mode {mode} ...",
            "pfc_mode",
            choice({mode.value: mode for mode in PfcMode}),
            example="priority-flow-control mode on",
            page=PFC_PAGE,
        ),
        Statement(
            "priority-flow-control watch-dog-interval {state:on|off} {options*}",
            "priority-flow-control watch-dog-interval on disable-action interface-multiplier 3",
            _watch,
            Negation(PFC_PAGE, ("watchdog", "watchdog_action", "watchdog_multiplier")),
        ),
        skip("service-policy type pbr|control-plane|plm|ngoam ..."),
        POLICY,
        value("inherit port-profile {name}", "profile", word, example="inherit port-profile GPU", page=NO_PAGE),
        value("ip access-group {name} in", "access", word, example="ip access-group HOST-IN in", page=INTERFACE_PAGE),
        skip("ip access-group {name} out", LineState.IGNORED),
        skip("channel-group {number} ...", LineState.MODELLED),
    ),
    undo=("no", "default"),
    ignored=regex(
        r"(?:"
        r"access-group|arp|autostate|bandwidth|beacon|bfd|carrier-delay|cdp|cts|delay|description|"
        r"dfe-tuning-delay|dot1q|duplex|encapsulation|errdisable|ethernet|evpn|fabric|fex|flow|host|"
        r"hsrp|icmp|ip(?! access-group)|ipv6|isis|lacp|layer3|link|lldp|load-interval|logging|loopback|"
        r"mac|mac-address|macsec|management|mdix|medium|mpls|negotiate|nve|ospf|ospfv3|packet|pim|"
        r"pinning|port-channel|port-type|power|private-vlan|ptp|rate-mode|route-map|sflow|snmp|"
        r"spanning-tree|state|storm-control|switchport|transceiver|udld|vlan|vn-segment|vpc|vrf|vtp"
        r")(?: |\Z)"
    ),
)


SYSTEM_QOS: Table[SystemQos] = Table((POLICY,))
