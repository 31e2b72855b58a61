"""Lines at the top of a running configuration that open no block of quality of service."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from auditor.grammar.multipath import BGP, read_max_paths
from auditor.grammar.rows import choice, flag, number, value, word
from auditor.grammar.running import CapturedStanza
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode
from auditor.model.setting import Known, Origin, Where
from auditor.model.spreading import HashField
from auditor.systems.eos.configuration import Config
from auditor.systems.eos.maps import find_target, is_other, list_keys
from auditor.systems.eos.names import complete_name
from auditor.systems.eos.policies import QOS
from auditor.systems.eos.statements import (
    ACTIONS,
    MAX_MTU,
    PFC_PAGE,
    PORT_PAGE,
    QOS_PAGE,
    TIMERS,
    UNDO,
    WATCHDOG,
    parse_milliseconds,
)
from auditor.util.regex import regex

MLAG_PAGE = "https://www.arista.com/en/um-eos/eos-multi-chassis-link-aggregation"
HASH_PAGE = "https://arista.com/en/support/toi/tag/hashing"


def _name(config: Config, arguments: Arguments, where: Where) -> LineState:
    if arguments["name"]:
        config.name = Known(arguments["name"], Origin.INTENDED, where)
    return LineState.MODELLED


def _map(config: Config, arguments: Arguments, where: Where) -> LineState | None:
    """Write the entries of a `qos map` line."""
    if is_other(arguments):
        return LineState.NOT_MODELLED
    keys, target = list_keys(arguments), find_target(arguments)
    if keys is None or target is None:
        return None
    config.maps.update(dict.fromkeys(keys, setting(target, where)))
    return LineState.MODELLED


_HASHED: Mapping[str, HashField] = {
    "source-ip": HashField.SOURCE_IP,
    "destination-ip": HashField.DESTINATION_IP,
    "source-port": HashField.SOURCE_PORT,
    "destination-port": HashField.DESTINATION_PORT,
    "protocol": HashField.PROTOCOL,
    "ip-protocol": HashField.PROTOCOL,
    "flow-label": HashField.FLOW_LABEL,
    "ingress-interface": HashField.INGRESS_PORT,
}


def _parse_fields(words: str) -> frozenset[HashField] | None:
    """Return the fields of a packet that the hash reads, None where it names none."""
    return frozenset(_HASHED[word] for word in words.split() if word in _HASHED) or None


TOP: Table[Config] = Table(
    (
        value(
            "ip load-sharing {chip} fields ip {fields+}",
            "hash_fields",
            _parse_fields,
            example="ip load-sharing trident fields ip source-ip source-port destination-ip destination-port",
            page=HASH_PAGE,
        ),
        value(
            "ip load-sharing {chip} {seed}",
            "hash_seed",
            number(0, 65535),
            example="ip load-sharing trident 20",
            page=HASH_PAGE,
        ),
        Statement("hostname {name} ...", "", _name),
        *(
            value(
                f"{WATCHDOG} default {timer} {{seconds}} [forced]",
                name,
                partial(parse_milliseconds, timer),
                example=f"{WATCHDOG} default {timer} 0.2",
                page=PFC_PAGE,
            )
            for timer, name in TIMERS.items()
        ),
        value(
            f"{WATCHDOG} action {{action}}",
            "watchdog_action",
            choice(ACTIONS),
            example=f"{WATCHDOG} action drop",
            page=PFC_PAGE,
        ),
        value(
            "priority-flow-control all [mode] {mode}",
            "pfc_all",
            choice({mode.value: mode for mode in (PfcMode.ON, PfcMode.OFF)}),
            example="priority-flow-control all off",
            page=PFC_PAGE,
        ),
        flag("qos rewrite dscp", {"rewrite": True}, page=QOS_PAGE),
        Statement(
            "qos map {source} {words+}",
            "qos map dscp 26 27 to traffic-class 3",
            _map,
            Negation(QOS_PAGE, member=("maps", list_keys)),
        ),
        value(
            "platform trident mmu queue profile {name} apply",
            "mmu_applied",
            word,
            example="platform trident mmu queue profile ROCE apply",
            page=QOS_PAGE,
        ),
        value(
            "switchport default mode {mode}",
            "forwarding",
            choice({"routed": Forwarding.ROUTED, "access": Forwarding.SWITCHED}),
            example="switchport default mode routed",
            page=PORT_PAGE,
        ),
    ),
    undo=UNDO,
    not_modelled=regex(
        r"(?:qos |dcbx|priority-flow-control (?:pause watchdog|counters)|platform |hardware |service-policy|"
        r"lldp tlv transmit dcbx|monitor |queue-monitor|control-plane|interface defaults|switchport default|"
        r"traffic-policies|tcam profile|load-balance|flowcontrol|maximum-paths)"
    ),
    ignored=regex(
        r"(?:"
        r"aaa|adaptive-virtual-topology|address-family|agent|alias|application|arp|as-path|banner|bfd|bgp|boot|cfm|clock|"
        r"community-list|cvx|daemon|dhcp|dns|domain|dot1x|dynamic|email|enable|end|errdisable|event-handler|event-monitor|"
        r"event|evpn|flow|generate|group|hardware|hostname|interface|ip|ipv6|isis|kernel|l2-protocol|lacp|ldap|license|"
        r"link|lldp|load-interval|logging|loop-protection|mac|mac-address|maintenance|management|match-list|mcs|mlag|"
        r"monitor|mpls|mss|multicast|nat|ntp|object-group|ospf|password|patch|peer-filter|pim|poe|port-channel|"
        r"prefix-list|privilege|prompt|ptp|queue-monitor|radius-server|radius|redundancy|role|route-map|router|rsvp|"
        r"schedule|segment-routing|security|service|sflow|shell|snmp-server|spanning-tree|ssh|stun|switch|switchport|"
        r"sync-e|system|tacacs-server|tap|tcp|terminal|track|traffic-engineering|transceiver|trident|tunnel|udp|username|"
        r"virtual-cable|vlan|vmtracer|vrf|vxlan|xmpp|zerotouch"
        r")\b",
        re.IGNORECASE,
    ),
)
DEFAULTS: Table[Config] = Table(
    (value("mtu {bytes}", "mtu", number(68, MAX_MTU), example="mtu 9214", page=PORT_PAGE),),
    undo=UNDO,
    not_modelled=regex(r""),
)
"""The block `interface defaults`, which gives the MTU to ports that have none of their own."""
MLAG: Table[Config] = Table(
    (value("peer-link {name}", "peer_link", complete_name, example="peer-link Port-Channel3", page=MLAG_PAGE),),
    undo=UNDO,
    ignored=regex(r""),
)
"""The block `mlag configuration`, in which the port-channel to the other switch counts."""
_BLOCKS: Mapping[str, Table[Config]] = {"interface defaults": DEFAULTS, "mlag configuration": MLAG}
COMPLETE = regex(r"(?:no )?(?:hostname|username|aaa|vrf instance|management|transceiver|spanning-tree mode)\b")
_REMOVED = regex(
    r"(?:no|default) (?P<kind>qos profile|interface profile|class-map|policy-map|(?:ip|ipv6) access-list|"
    r"platform trident mmu queue profile)(?: .*)? (?P<name>\S+)\Z"
)


def read_line(config: Config, block: CapturedStanza) -> None:
    """Read a top-level line that opens no quality-of-service block."""
    text, where = block.head.text, block.capture.where(block.head.index)
    config.complete = config.complete or COMPLETE.match(text) is not None
    removed = _REMOVED.match(text)
    if removed and removed["name"] != "apply":
        _remove(config, removed["kind"], removed["name"])
        block.mark(block.head.index, LineState.MODELLED)
        return
    block.mark(block.head.index, TOP.read(config, text, where))
    inside = _BLOCKS.get(text)
    below = TOP.state_of(TOP.split(text)[1])
    for line in block.lines:
        state = inside.read(config, line.text, block.capture.where(line.index)) if inside else below
        block.mark(line.index, state)
        if inside and state is LineState.MODELLED:
            block.mark(block.head.index, state)
    if BGP.match(text):
        read_max_paths(block, config.paths)


def _remove(config: Config, kind: str, name: str) -> None:
    """Remove an object by its name; what refers to it leads nowhere from here on."""
    objects: Mapping[str, dict[Any, Any]] = {
        "qos profile": config.profiles,
        "interface profile": config.interface_profiles,
        "class-map": config.class_maps,
        "policy-map": config.policy_maps,
        "platform trident mmu queue profile": config.mmu_profiles,
    }
    objects.get(kind, config.acls).pop((QOS, name) if kind.endswith("-map") else name, None)
