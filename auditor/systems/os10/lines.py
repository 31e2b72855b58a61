"""Lines at the top of a running configuration that open no block of quality of service."""

import re
from collections.abc import MutableMapping, Sequence
from typing import Any

from auditor.grammar.rows import entries, value
from auditor.grammar.running import CapturedStanza
from auditor.grammar.statements import Arguments, Table
from auditor.model.dump import LineState
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.hardware import parse_lane_speed, parse_ports
from auditor.systems.os10.names import complete_name
from auditor.systems.os10.names import expand_interfaces as interface_names
from auditor.systems.os10.statements import LINK_PAGE
from auditor.util.regex import regex


def _peers(arguments: Arguments) -> Sequence[str] | None:
    return interface_names(complete_name(arguments["name"]))


TOP: Table[Config] = Table(
    (
        value(
            "hostname {name} ...",
            "name",
            lambda name: name.strip('"'),
            example="hostname leaf1",
            page=LINK_PAGE,
        ),
        entries(
            "interface breakout {port} map {mode} ...",
            "breakouts",
            parse_ports,
            parse_lane_speed,
            example="interface breakout 1/1/5 map 100g-4x",
            page=LINK_PAGE,
        ),
    ),
    not_modelled=regex(
        r"(?:dcbx\b|qos-map |hardware deep-buffer-mode|hardware |control-plane\b|monitor session|buffer-|pfc-|"
        r"queue-map|fcoe |iscsi |load-balancing |lldp dcbx|qos-rate-adjust)"
    ),
    ignored=regex(
        r"(?:"
        r"aaa|address-family|alias|arp|banner|bfd|boot|clock|community-list|control-plane|crypto|debug|default|"
        r"discovery|dot1x|enable|end|errdisable|eula-consent|event|evpn|exec-timeout|exit|fc|fcoe|feature|flow|"
        r"hardware|hash-algorithm|hostname|interface|ip|ipv6|iscsi|kdump|key|keychain|lacp|ldap-server|license|line|"
        r"link-bundle-utilization|lldp|load-balancing|logging|login|mac|macsec|management|monitor|mstp|multicast|nat|"
        r"neighbor|ntp|nve|object-group|ospf|password-attributes|pim|policy|port-channel|port-profile|prompt|ptp|"
        r"radius-server|rest|role|route-map|router|scale-profile|security|service|sflow|simple-password|snmp-server|"
        r"spanning-tree|ssh|storm-control|support-assist|switch-operating-mode|switch-port-profile|system|system-cli|"
        r"system-user|tacacs-server|telemetry|template|terminal|track|udld|uplink-state-group|user|userrole|username|"
        r"virtual-network|vlan|vlt-domain|vrf|vrrp|vxlan|ztd"
        r")\b",
        re.IGNORECASE,
    ),
)
VLT: Table[Config] = Table(
    (
        entries(
            "discovery-interface {name+}",
            "peer_links",
            _peers,
            lambda _: True,
            example="discovery-interface ethernet1/1/49",
            page=LINK_PAGE,
        ),
    )
)
_COMPLETE = regex(r"(?:no )?(?:hostname|username|system-user|aaa|vlt-domain|password-attributes)\b")
_TYPED_OBJECT = regex(
    r"no (?P<kind>class-map|policy-map)(?: type (?P<type>\S+))?(?: match-(?:any|all))? (?P<name>\S+)\Z"
)
_OBJECT = regex(
    r"no (?P<kind>wred|trust (?:dot1p|dscp)-map|qos-map traffic-class|(?:ip|ipv6|mac) access-list) (?P<name>\S+)\Z"
)


def is_of_whole(text: str) -> bool:
    """Return whether a line of the top level is one that a whole configuration has and a part has not."""
    return _COMPLETE.match(text) is not None


def read_line(config: Config, block: CapturedStanza) -> None:
    """Read a top-level line that opens no quality-of-service block."""
    text, where = block.head.text, block.capture.where(block.head.index)
    config.complete = config.complete or is_of_whole(text)
    if _remove(config, text):
        block.mark(block.head.index, LineState.MODELLED)
        return
    block.mark(block.head.index, TOP.read(config, text, where))
    below = TOP.state_of(TOP.split(text)[1])
    for line in block.lines:
        peer = VLT.begins(line.text)
        state = VLT.read(config, line.text, block.capture.where(line.index)) if peer else below
        block.mark(line.index, state)


def _remove(config: Config, text: str) -> bool:
    """Remove the object that a line such as `no wred NAME` names; False where the line is no such one."""
    if match := _TYPED_OBJECT.match(text):
        objects = config.class_maps if match["kind"] == "class-map" else config.policy_maps
        objects.pop((match["type"] or "qos", match["name"]), None)
    elif match := _OBJECT.match(text):
        _find_objects(config, match["kind"]).pop(match["name"], None)
    return match is not None


def _find_objects(config: Config, kind: str) -> MutableMapping[str, Any]:
    """Return the objects of one kind by their names."""
    maps: dict[str, MutableMapping[str, Any]] = {
        "wred": config.wreds,
        "trust dot1p-map": config.dot1p_maps,
        "trust dscp-map": config.dscp_maps,
        "qos-map traffic-class": config.queue_maps,
    }
    return maps.get(kind, config.acls)
