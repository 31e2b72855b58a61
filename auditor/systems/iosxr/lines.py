"""Lines of IOS XR at the top of a configuration, and those of stanzas that belong to the whole switch."""

import re
from typing import Any

from auditor.grammar.multipath import BGP, read_max_paths
from auditor.grammar.rows import choice, skip, value, within
from auditor.grammar.running import CapturedStanza
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Where
from auditor.model.spreading import HashField
from auditor.systems.iosxr.bridges import L2VPN, read_bridges
from auditor.systems.iosxr.buffers import HARDWARE_MODEL, PauseProfile
from auditor.systems.iosxr.buffers import PROFILE as PROFILE_TABLE
from auditor.systems.iosxr.configuration import Config, Optics
from auditor.systems.iosxr.names import KIND_OF_RATE
from auditor.systems.iosxr.sections import OPTICS, PROFILE, WATCHDOG
from auditor.systems.iosxr.statements import MODELS, WatchdogStatements, list_watchdog_rows
from auditor.util.regex import regex

BREAKOUT_PAGE = f"{MODELS}/7101/Cisco-IOS-XR-optics-driver-cfg.yang"
CEF_PAGE = "https://www.cisco.com/c/en/us/td/docs/iosxr/cisco8000/ip-addresses/b-ip-addresses-cr-cisco8000.html"


def _name(config: Config, arguments: Arguments, where: Where) -> LineState:
    config.name = Known(arguments["name"], Origin.INTENDED, where)
    return LineState.MODELLED


_PORTS = frozenset({HashField.SOURCE_PORT, HashField.DESTINATION_PORT})
_ADDRESSES = frozenset({HashField.SOURCE_IP, HashField.DESTINATION_IP})


def _share_load(config: Config, arguments: Arguments, where: Where) -> LineState:
    """Write what the hash over equal-cost paths reads: addresses (L3), or addresses and ports (L4)."""
    config.hash_fields = setting(_ADDRESSES | (_PORTS if arguments["layer"] == "L4" else frozenset()), where)
    return LineState.MODELLED


def _find_watchdog(config: Config, _arguments: Arguments, _where: Where) -> tuple[WatchdogStatements]:
    return (config.watchdog,)


TOP: Table[Config] = Table(
    (
        Statement("hostname {name}", "", _name),
        value(
            "hw-module profile qos voq-mode {mode}",
            "queue_mode",
            choice({"4": 4, "fair-4": 4, "8": 8, "fair-8": 8}),
            example="hw-module profile qos voq-mode 4",
            page=HARDWARE_MODEL,
        ),
        *within(_find_watchdog, *list_watchdog_rows("priority-flow-control watchdog ")),
        Statement(
            "cef load-balancing fields {layer:L3|L4} ...",
            "cef load-balancing fields L4",
            _share_load,
            Negation(CEF_PAGE, ("hash_fields",)),
        ),
        skip("cef load-balancing ..."),
    ),
    not_modelled=regex(
        r"(?:hw-module (?:profile|stats|tcam|quad|oversubscription)|priority-flow-control|qos |control-plane|lpts |"
        r"table-map |flow-control |object-group |address-family|maximum-paths)"
    ),
    ignored=regex(
        r"(?:"
        r"aaa|apply-group|as-path-set|banner|bfd|bgp|bridge|call-home|cdp|cef|class|cli|clock|community-set|config|"
        r"configuration|controller|crypto|dhcp|domain|dynamic-template|end-group|end-policy|end-set|error-disable|"
        r"ethernet|event|evpn|explicit-path|extcommunity-set|fabric|fault-manager|flow|fpd|ftp|group|grpc|gnmi|hostname|"
        r"hw-module|igmp|install|interface|ipsla|ipv4|ipv6|key|l2|l2vpn|lacp|large-community-set|ldap|license|line|"
        r"linux|lldp|logging|logs|mac|macsec|mirror|monitor-session|mpls|msdp|multicast-routing|netconf|netconf-yang|"
        r"nsr|ntp|object-tracking|packet|performance-mgmt|pim|policy-global|pool|pppoe|prefix-set|ptp|radius|"
        r"radius-server|rcp|rd-set|redundancy|rib|rip|rmon|root|route-policy|router|rp|rsvp|sampler-map|script|"
        r"segment-routing|service|service-layer|sflow|snmp|snmp-server|spanning-tree|ssh|system|tacacs|tacacs-server|"
        r"taskgroup|tcp|telemetry|telnet|template|tftp|timestamp|tpa|track|transceiver|ucmp|udp|unconfigure|usergroup|"
        r"username|vlan|vrf|vty|vty-pool|watchdog|web|xml|ssl|frequency|username|domain-name|secret|password"
        r")\b",
        re.IGNORECASE,
    ),
)
COMPLETE = regex(r"(?:!! IOS XR Configuration|hostname )")
"""A line of a whole configuration, which a part of one lacks."""
WATCHDOG_TABLE: Table[WatchdogStatements] = Table(list_watchdog_rows(""))
_LANES = regex(r"(?P<count>[1-8])x(?P<gbps>\d{1,3})\Z")


def _break_out(optics: Optics, arguments: Arguments, where: Where) -> LineState | None:
    """Write the ports into which a cage is broken out: their number, and the rate that tells their kind."""
    lanes = _LANES.match(arguments["lanes"])
    kind = KIND_OF_RATE.get(float(lanes["gbps"])) if lanes else None
    if lanes is None or kind is None:
        return None
    names = tuple(f"{kind}{optics.numbers}/{lane}" for lane in range(int(lanes["count"])))
    optics.lanes = setting(names, where)
    return LineState.MODELLED


OPTICS_TABLE: Table[Optics] = Table(
    (
        Statement("breakout {lanes}", "breakout 4x100", _break_out, Negation(BREAKOUT_PAGE, ("lanes",))),
        skip("fec ..."),  # the code of coherent light (Cisco-IOS-XR-um-cont-optics-cfg.yang); a port has its own line
    ),
    ignored=regex(r"."),
)


def _find_body(config: Config, block: CapturedStanza) -> tuple[Table[Any], Any]:
    """Return the table of a stanza that belongs to the whole switch, and what its statements write into."""
    where = block.capture.where(block.head.index)
    if block.stanza.kind == PROFILE:
        return PROFILE_TABLE, config.profiles.setdefault(block.head.text.split()[-1], PauseProfile(where))
    if block.stanza.kind == OPTICS:
        numbers = block.head.text.lower().removeprefix("controller optics").strip()
        return OPTICS_TABLE, config.optics.setdefault(numbers, Optics(numbers))
    return WATCHDOG_TABLE, config.watchdog


_STANZAS = frozenset({PROFILE, OPTICS, WATCHDOG})


def read_switch_stanza(config: Config, block: CapturedStanza) -> bool:
    """Read a stanza that belongs to the whole switch and mark its lines; return whether it is one."""
    if block.stanza.kind not in _STANZAS:
        return False
    table, body = _find_body(config, block)
    block.mark(block.head.index, LineState.MODELLED)
    for line in block.lines:
        block.mark(line.index, table.read(body, line.text, block.capture.where(line.index)))
    return True


_REMOVED = regex(r"no hw-module profile priority-flow-control location (?P<location>\S+)\Z")


def read_line(config: Config, block: CapturedStanza) -> None:
    """Read a top-level line that opens no stanza with a reader, and mark the lines below it."""
    text, where = block.head.text, block.capture.where(block.head.index)
    removed = _REMOVED.match(text)
    if removed:
        config.profiles.pop(removed["location"], None)
    if removed or config.remove_map(text):
        block.mark(block.head.index, LineState.MODELLED)
        return
    block.mark(block.head.index, TOP.read(config, text, where))
    below = TOP.state_of(TOP.split(text)[1])
    for line in block.lines:
        block.mark(line.index, below)
    if BGP.match(text):
        read_max_paths(block, config.paths)
    elif L2VPN in text.split()[:2]:
        read_bridges(block, config.bridges)
