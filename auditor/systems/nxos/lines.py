"""Lines at the top of a running configuration that open no block of quality of service."""

import re
from collections.abc import Mapping, Sequence

from auditor.grammar.layers import is_silent
from auditor.grammar.multipath import BGP, read_max_paths
from auditor.grammar.numbers import expand
from auditor.grammar.rows import ON_OFF, choice, flag, number, value
from auditor.grammar.running import CapturedStanza
from auditor.grammar.statements import Arguments, Keys, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Unknown, Unset, Where
from auditor.model.spreading import HashField, Spreading
from auditor.systems.nxos.configuration import Breakout, Config
from auditor.systems.nxos.numbers import expand_interfaces
from auditor.systems.nxos.statements import NO_PAGE, PFC_PAGE, SYSTEM_QOS, SystemQos
from auditor.util.regex import regex

SHARING_PAGE = (
    "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus3600/105x/configuration/unicast/"
    "cisco-nexus-3600-switch-nx-os-unicast-routing-configuration-guide/m-configuring-unicast-rib-and-fib.html"
)
_LANES = regex(r"(?P<gbps>\d{1,3})g-(?P<count>\d)x")


def _parents(arguments: Arguments) -> Sequence[str] | None:
    """Return the ports that a breakout line splits, None where its list is malformed."""
    ports = [expand(part, 1, 512) for part in arguments["ports"].replace(" ", "").split(",")]
    if not arguments["module"].isdecimal() or not any(ports):
        return None
    return [f"Ethernet{arguments['module']}/{port}" for part in ports for port in part or ()]


def _lanes(arguments: Arguments) -> list[str] | None:
    parents, lanes = _parents(arguments), _LANES.match(arguments["map"])
    if parents is None:
        return None
    count = int(lanes["count"]) if lanes else 8
    return [f"{parent}/{lane}" for parent in parents for lane in range(1, count + 1)]


def _break_out(config: Config, arguments: Arguments, where: Where) -> LineState | None:
    """Write the ports that `interface breakout` makes, each with its speed."""
    names, lanes = _lanes(arguments), _LANES.fullmatch(arguments["map"])
    if names is None or lanes is None:
        return None
    speed: Known[float] = Known(int(lanes["gbps"]), Origin.INTENDED, where)
    config.breakouts.update({name: setting(Breakout(name.rpartition("/")[0], speed), where) for name in names})
    is_whole = all(expand(part, 1, 512) for part in arguments["ports"].replace(" ", "").split(","))
    return LineState.MODELLED if is_whole else LineState.CONDITIONAL


_MEMBERS: Keys = _lanes


def _name(config: Config, arguments: Arguments, where: Where) -> LineState:
    config.name = Known(arguments["name"], Origin.INTENDED, where)
    return LineState.MODELLED


def _version(config: Config, arguments: Arguments, where: Where) -> LineState:
    config.version = Known(arguments["release"], Origin.LEARNED, where)
    return LineState.MODELLED


def _override(config: Config, arguments: Arguments, where: Where) -> LineState:
    config.pfc_override = setting(f"priority-flow-control override-interface {arguments['mode']}".strip(), where)
    return LineState.CONDITIONAL


_HASHED: Mapping[str, frozenset[HashField]] = {
    "source": frozenset({HashField.SOURCE_IP}),
    "destination": frozenset({HashField.DESTINATION_IP}),
    "source-destination": frozenset({HashField.SOURCE_IP, HashField.DESTINATION_IP}),
    "port destination": frozenset({HashField.DESTINATION_PORT}),
    "port source-destination": frozenset({HashField.SOURCE_PORT, HashField.DESTINATION_PORT}),
}
_LOAD_SHARING = regex(
    r"(?P<address>source-destination|source|destination)(?: (?P<port>port (?:source-destination|destination)))?\b"
    r"(?:.* universal-id (?P<seed>\d{1,10})\b)?.*"
)


def _share_load(config: Config, arguments: Arguments, where: Where) -> LineState | None:
    """Write what the hash over equal-cost paths reads, and its seed; the switch chooses one itself for 0 or none."""
    match = _LOAD_SHARING.fullmatch(arguments["words"])
    if match is None or (match["seed"] is None and "universal-id" in arguments["words"].split()):
        return None
    config.hash_fields = setting(_HASHED[match["address"]] | _HASHED.get(match["port"] or "", frozenset()), where)
    seed = int(match["seed"] or 0)
    config.hash_seed = setting(seed, where) if seed else Unset(where)
    return LineState.MODELLED


TOP: Table[Config] = Table(
    (
        Statement(
            "ip load-sharing address {words+}",
            "ip load-sharing address source-destination port source-destination universal-id 7",
            _share_load,
            Negation(SHARING_PAGE, ("hash_fields", "hash_seed")),
        ),
        Statement("hostname|switchname {name} ...", "", _name),
        Statement("version {release} ...", "", _version),
        Statement(
            "interface breakout module {module} port {ports} map {map}",
            "interface breakout module 1 port 1-2 map 100g-4x",
            _break_out,
            Negation(NO_PAGE, member=("breakouts", _MEMBERS)),
        ),
        flag("system default switchport shutdown", {"switchports_shut": True}, page=NO_PAGE),
        flag("system default switchport", {"is_switchport": True}, off={"is_switchport": False}, page=NO_PAGE),
        value(
            "priority-flow-control watch-dog-interval {state:on|off} ...",
            "watchdog",
            choice(ON_OFF),
            example="priority-flow-control watch-dog-interval on",
            page=PFC_PAGE,
        ),
        value(
            "priority-flow-control watch-dog interval {ms}",
            "watchdog_interval_ms",
            lambda text: None if (ms := number(0, 999_999)(text)) is None else float(ms),
            example="priority-flow-control watch-dog interval 200",
            page=PFC_PAGE,
        ),
        value(
            "priority-flow-control watch-dog shutdown-multiplier {count}",
            "watchdog_multiplier",
            number(0, 999_999),
            example="priority-flow-control watch-dog shutdown-multiplier 2",
            page=PFC_PAGE,
        ),
        Statement(
            "priority-flow-control override-interface {mode*}",
            "priority-flow-control override-interface mode off",
            _override,
            Negation(PFC_PAGE, ("pfc_override",)),
        ),
    ),
    not_modelled=regex(
        r"(?:lldp tlv-select|hardware (?:qos|access-list|profile)|system jumbomtu|qos |priority-flow-control|"
        r"control-plane|copp |service-policy|vlan configuration|congestion-control|load-balance|table-map|"
        r"address-family|maximum-paths)"
    ),
    ignored=regex(
        r"(?:"
        r"aaa|arp|banner|bfd|boot|boot-order|cable-management|callhome|cdp|cfs|class|cli|clock|"
        r"crypto|cts|default|diagnostic|do|dot1x|email-contact|end|errdisable|event|evpn|exit|"
        r"fabric|feature|feature-set|fex|fips|flow|forwarding|gold|group|guestshell|hardware|hostname|hsrp|"
        r"icam|icmp|igmp|install|interface|ip|ipfix|ipv6|isis|itd|kernel|key|keychain|l2vpn|"
        r"lacp|ldap-server|license|limit-resource|line|lldp|logging|login|mac|macsec|monitor|mpls|"
        r"msdp|multicast|mvpn|nat|ngoam|ntp|nv|nxapi|object-group|password|peer-keepalive|pim|"
        r"platform|poap|port-channel|port-profile|power|private-vlan|ptp|radius|radius-server|rmon|"
        r"role|route-map|router|scheduler|scp|security|segment-routing|sflow|show|slot|snmp|snmp-"
        r"server|source-interface|spanning-tree|ssh|sshkey|storm-control|switching-mode|system|tacacs-"
        r"server|tcp|telemetry|telnet|template|terminal|time-range|track|tunnel|udld|udp|url|user|"
        r"username|userpassphrase|vdc|virtual-service|vlan|vmtracker|vni|vpc|vrf|vtp|vxlan|web|xml"
        r")\b",
        re.IGNORECASE,
    ),
)
COMPLETE = regex(r"(?:hostname|switchname|version|feature|vdc) ")
"""A line of a whole configuration, which a part of one lacks."""


def read_line(config: Config, block: CapturedStanza) -> None:
    """Read a top-level line that opens no quality-of-service block."""
    text, where = block.head.text, block.capture.where(block.head.index)
    config.complete = config.complete or COMPLETE.match(text) is not None
    if config.remove_map(text):
        block.mark(block.head.index, LineState.MODELLED)
        return
    block.mark(block.head.index, TOP.read(config, text, where))
    below = TOP.state_of(TOP.split(text)[1])
    for line in block.lines:
        block.mark(line.index, below)
    if text.split()[:2] == ["vlan", "configuration"]:
        _note_vlan_policies(config, block)
    elif BGP.match(text):
        read_max_paths(block, config.paths)
    elif text == "hardware profile dlb":
        _read_balancing(config, block)


_BALANCED = regex(r"(?:dlb-interface (?P<ports>.+)|mode (?P<driven>policy-driven )?(?P<mode>flowlet|per-packet)\b.*)")
_MODES = {"flowlet": Spreading.FLOWLET, "per-packet": Spreading.PACKET}


def _read_balancing(config: Config, block: CapturedStanza) -> None:
    """Read the block of dynamic load balancing; flowlets are its default."""
    if is_silent(config.balancing):
        config.balancing = setting(Spreading.FLOWLET, block.capture.where(block.head.index))
    for line in block.lines:
        match, where = _BALANCED.fullmatch(line.text), block.capture.where(line.index)
        if match is None:
            continue
        block.mark(line.index, LineState.MODELLED)
        if match["ports"]:
            names = expand_interfaces(match["ports"].replace(" ", "")) or ()
            config.balanced.update(dict.fromkeys(names, where))
        else:
            driven = Unknown("a policy decides which packets are spread one by one") if match["driven"] else None
            config.balancing = driven or setting(_MODES[match["mode"]], where)


def _note_vlan_policies(config: Config, block: CapturedStanza) -> None:
    """Note the policies that classify by VLAN; which ports carry the VLAN is not modelled."""
    for line in block.lines:
        attached = SystemQos()
        SYSTEM_QOS.read(attached, line.text, block.capture.where(line.index))
        policy = attached.policies.get(("qos", "input"))
        if isinstance(policy, Known):
            config.vlan_policies.append(policy)
            block.mark(line.index, LineState.CONDITIONAL)
