"""Which command's output a capture is, told from what was said, from its content, or from its file's name."""

import re
from pathlib import PurePath

from auditor.grammar import commands
from auditor.grammar.sections import plain
from auditor.model.dump import Capture
from auditor.systems.nxos.captures import READERS
from auditor.systems.nxos.sections import SYNTAX

CONFIG = "show running-config"
LINES_TO_LOOK_AT = 2000

_CONTENT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("show lldp neighbors detail", re.compile(r"^\s*Local Port id: ", re.MULTILINE)),
    ("show lldp neighbors", re.compile(r"^\s*Device ID +Local Intf +Hold-time +Capability +Port ID", re.MULTILINE)),
    ("show interface status", re.compile(r"^(?:Eth\d+/\d\S* .*\s(?:full|auto) +\S+)", re.MULTILINE)),
    (
        "show interface priority-flow-control",
        re.compile(r"^Port +Mode +Oper ?\(VL bmap\)|^ +VL bitmap: \(", re.MULTILINE),
    ),
    ("show queuing interface", re.compile(r"^(?:Egress|Ingress) Queuing for Ethernet\d", re.MULTILINE)),
    ("show interface", re.compile(r"^(?:Ethernet|mgmt)\S+ is (?:up|down)\b", re.MULTILINE)),
    (
        CONFIG,
        re.compile(
            r"^\s*(?:(?:policy-map|class-map) type (?:network-qos|queuing|qos) |switchname |boot nxos |nv overlay evpn|"
            r"feature (?:lldp|vpc|interface-vlan|lacp|bgp|nxapi|hsrp|ospf)\b|interface breakout module |"
            r"!RANCID-CONTENT-TYPE: cisco-nx|vdc \S+ id \d|version \d+\.\d+\(\d+\)|"
            r"priority-flow-control watch-dog|service-policy type (?:qos|queuing|network-qos) |"
            r"interface Eth(?:ernet)? ?\d+/\d+|priority-flow-control mode (?:on|off|auto))",
            re.MULTILINE,
        ),
    ),
)
_OTHER_OS = re.compile(
    r"^(?:! device: .*EOS|daemon TerminAttr|transceiver qsfp|service routing protocols model|management api|"
    r"qos (?:map|profile|rewrite|random-detect) |"
    r"interface (?:Ethernet\d+\s*$|Port-Channel\d)|"
    r"\s+(?:service-policy input type |pfc-cos \d|flowcontrol transmit |trust-map )|"
    r"\s+(?:dcbx mode|service-profile |qos trust |(?:uc-)?tx-queue \d|queue \d wred-policy |scheduler-policy )|"
    r"\s+priority-flow-control (?:on\b|priority \d|asymmetric|watchdog )|"
    r"roce enable|(?:qos )?buffer init|interface-naming standard|interface breakout port |\s+unreliable-los |"
    r"! Version 10\.|interface (?:ethernet|mgmt ?)1/1/\d|interface breakout 1/1/|wred \S|\s*qos-map |"
    r"system-user linuxadmin|Current configuration : |version 1\d\.\d+\s*$|boot-start-marker|service timestamps |"
    r"trust (?:dot1p|dscp)-map |password-attributes |"
    r"set (?:version \d|system host-name )|Local Interface +(?:Parent Interface +)?Chassis Id|Physical interface: |"
    r"LLDP Neighbor Information:\s*$|Loc PortID +Rem Host Name |Remote Chassis ID Subtype ?:|Eth \d+/\d+/\d|"
    r"[\w.-]+\((?:conf-[^)]+|config-(?:cmap-nqos|pmap-network-qos|pmap-queuing))\)#|OS10\(|"
    r"Admin Mode ?: ?(?:true|false)\s*$|Name +Description +(?:Oper|Admin) )",
    re.MULTILINE,
)
"""What Arista EOS, Dell OS10, Enterprise SONiC and Junos print, some of which looks much like this system's."""
_NAMES = (*READERS, CONFIG)


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where it is none of NX-OS that is known here.

    What a transcript or a manifest says comes first, then the content, then the file's name.
    """
    head = "\n".join(plain(capture.lines[:LINES_TO_LOOK_AT], SYNTAX))
    if _OTHER_OS.search(head):
        return None
    if capture.command:
        return commands.named(capture.command, _NAMES)
    by_content = next((name for name, pattern in _CONTENT if pattern.search(head)), None)
    return by_content or commands.named(PurePath(capture.file).stem, _NAMES)
