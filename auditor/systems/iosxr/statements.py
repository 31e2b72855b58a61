"""The statements of an interface of IOS XR, and those of the PFC watchdog: which line writes which setting."""

from dataclasses import field
from typing import Any

from auditor.grammar.body import PortStatements
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import ON_OFF, choice, entries, flag, number, skip, value, word
from auditor.grammar.statements import Arguments, Statement, Table
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode
from auditor.model.setting import Setting, Unknown, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

NO_PAGE = (
    "https://www.cisco.com/c/en/us/td/docs/iosxr/cisco8000/Interfaces/b-interfaces-hardware-component-cr-cisco8000.html"
)
"""The `no` form of an interface command puts its default back."""
PFC_PAGE = "https://www.cisco.com/c/en/us/td/docs/iosxr/cisco8000/qos/b-modular-qos-config-cisco8000/priority-flow-control.html"
WATCHDOG_PAGE = (
    "https://www.cisco.com/c/en/us/td/docs/iosxr/cisco8000/qos/b-modular-qos-config-cisco8000/"
    "priority-flow-control-watchdog-and-monitoring.html"
)
MODELS = "https://github.com/YangModels/yang/blob/main/vendor/cisco/xr"
MEDIA_MODEL = f"{MODELS}/7101/Cisco-IOS-XR-drivers-media-eth-cfg.yang"
FEC_MODEL = f"{MODELS}/781/Cisco-IOS-XR-drivers-media-eth-cfg.yang"
POLICY_MODEL = f"{MODELS}/7101/Cisco-IOS-XR-infra-policymgr-cfg.yang"
QOS_PAGE = "https://pseudoco.cisco.com/c/en/us/td/docs/iosxr/cisco8000/qos/b-qos-cr-cisco8000/b-qos_chapter_01.html"


@dataclass(slots=True)
class WatchdogStatements:
    """The statements of the PFC watchdog, of the whole switch or of a port; the multipliers count its intervals."""

    watchdog: Setting[bool] = NOTHING
    interval_ms: Setting[int] = NOTHING
    shutdown_multiplier: Setting[int] = NOTHING
    restart_multiplier: Setting[int] = NOTHING


@dataclass(slots=True)
class Interface(PortStatements):
    """The statements of one stanza; `outputs` holds the policies on departure by their names: there may be two.

    Those of the watchdog have the names of `WatchdogStatements`.
    """

    watchdog: Setting[bool] = NOTHING
    interval_ms: Setting[int] = NOTHING
    shutdown_multiplier: Setting[int] = NOTHING
    restart_multiplier: Setting[int] = NOTHING
    ip_mtu: Setting[int] = NOTHING
    loopback: Setting[bool] = NOTHING
    fec: Setting[str] = NOTHING
    negotiates: Setting[bool] = NOTHING
    input: Setting[str] = NOTHING
    outputs: dict[str, Setting[str]] = field(default_factory=dict)
    access: Setting[str] = NOTHING


PRECONFIGURE = "preconfigure"
"""The word in the head of an interface whose card is not there."""
_ABSENT = Unknown("the interface is preconfigured: its card is not there")


def _preconfigure(body: Interface, _arguments: Arguments, _where: Where) -> LineState:
    """Write that it is open whether the port runs."""
    body.enabled = _ABSENT
    return LineState.MODELLED


def list_watchdog_rows(prefix: str) -> tuple[Statement[Any], ...]:
    """Return the statements of the watchdog behind the words *prefix*, which end in a blank or are empty."""

    def count(name: str, field_name: str, values: range, example: int) -> Statement[Any]:
        form, word = f"{prefix}{name} {{count}}", name.partition("|")[0]
        convert = number(values[0], values[-1])
        return value(form, field_name, convert, example=f"{prefix}{word} {example}", page=MEDIA_MODEL)

    return (
        value(
            f"{prefix}mode {{state:on|off}}",
            "watchdog",
            choice(ON_OFF),
            example=f"{prefix}mode on",
            page=WATCHDOG_PAGE,
        ),
        count("interval", "interval_ms", range(100, 1001), 200),
        count("shutdown-multiplier", "shutdown_multiplier", range(1, 11), 2),
        count("auto-restart-multiplier|auto-restore-multiplier", "restart_multiplier", range(1, 101), 20),
    )


_PAUSES = {"ingress": {"pause_tx": True}, "egress": {"pause_rx": True}}
"""The port sends pauses for what arrives, and obeys them for what departs (MEDIA_MODEL)."""
_BOTH = {"pause_rx": True, "pause_tx": True}
CODES = {"none": "none", "standard": "reed-solomon", "base-r": "base-r"}
"""The standard code is that of Reed and Solomon (FEC_MODEL)."""


def _name(arguments: Arguments) -> tuple[str, ...] | None:
    return (arguments["name"],) if arguments["name"] else None


INTERFACE: Table[Interface] = Table(
    (
        Statement(PRECONFIGURE, "", _preconfigure),
        flag("shutdown", {"enabled": False}, off={"enabled": True}, page=NO_PAGE),
        value("mtu {bytes}", "mtu", number(64, 65_535), example="mtu 9216", page=NO_PAGE),
        value("ipv4 mtu {bytes}", "ip_mtu", number(68, 65_535), example="ipv4 mtu 9000", page=NO_PAGE),
        flag("l2transport", {"forwarding": Forwarding.SWITCHED}, page=NO_PAGE),
        flag("encapsulation untagged|default", {"tagged": False}, example="encapsulation untagged", page=NO_PAGE),
        flag("flow-control bidirectional", _BOTH, page=MEDIA_MODEL),
        *(flag(f"flow-control {way}", on, page=MEDIA_MODEL) for way, on in _PAUSES.items()),
        value(
            "priority-flow-control mode {mode} ...",
            "pfc_mode",
            choice({mode.value: mode for mode in (PfcMode.ON, PfcMode.OFF)}),
            example="priority-flow-control mode on",
            page=PFC_PAGE,
        ),
        *list_watchdog_rows("priority-flow-control watchdog "),
        value(
            "loopback {mode:external|internal|line}",
            "loopback",
            bool,
            example="loopback internal",
            page=MEDIA_MODEL,
        ),
        flag("negotiation auto ...", {"negotiates": True}, example="negotiation auto", page=MEDIA_MODEL),
        value("fec {code}", "fec", choice(CODES), example="fec none", page=FEC_MODEL),
        skip("service-policy type ..."),
        value("service-policy input {name} ...", "input", word, example="service-policy input RDMA-IN", page=QOS_PAGE),
        entries(
            "service-policy output {name} ...",
            "outputs",
            _name,
            lambda arguments: arguments["name"],
            example="service-policy output RDMA-OUT",
            page=QOS_PAGE,
        ),
        value(
            "ipv4 access-group {name} ingress ...",
            "access",
            word,
            example="ipv4 access-group HOSTS ingress",
            page=NO_PAGE,
        ),
        skip("bundle id {number} ...", LineState.MODELLED),
    ),
    not_modelled=regex(r"(?:qos|ethernet-services) "),
    ignored=regex(
        r"(?:"
        r"arp|dot1q|duplex|isolation-group|l2protocol|load-balancing|propagate|proxy-arp|bandwidth|bfd|bundle|carrier-delay|cdp|dampening|description|encapsulation|ethernet|flow|ipv4|ipv6|lacp|lldp|"
        r"link-status|load-interval|logging|mac-address|mac-accounting|macsec|monitor-session|mpls|negotiation|"
        r"nv|performance-mgmt|point-to-point|remote-ports|satellite-fabric-link|ptp|rewrite|snmp|speed|storm-control|synce|transceiver|tunnel|vrf|frequency"
        r")(?: |\Z)"
    ),
)
