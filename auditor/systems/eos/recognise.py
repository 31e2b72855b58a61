"""Which command's output a capture is, told from its content, and else from what was said or from its file's name."""

import re
from pathlib import PurePath

from auditor.grammar import commands
from auditor.model.dump import Capture
from auditor.systems.eos.captures import READERS

CONFIG = "show running-config"
LINES_TO_LOOK_AT = 4000

_CONTENT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("show lldp neighbors detail", re.compile(r"^Interface \S+ detected \d+ LLDP neighbors", re.MULTILINE)),
    ("show lldp neighbors", re.compile(r"^Port +Neighbor Device ID +Neighbor Port ID +TTL", re.MULTILINE)),
    (
        "show interfaces status",
        re.compile(r"^Et\d\S* .*\b(?:connected|notconnect|disabled|errdisabled|inactive) ", re.MULTILINE),
    ),
    (
        "show priority-flow-control",
        re.compile(
            r"^Port +(?:Enabled +Priorities +Active +Note|Status +Priorities +Action|RxPfc +TxPfc)", re.MULTILINE
        ),
    ),
    ("show version", re.compile(r"^Arista (?:DCS|CCS|vEOS|cEOS)", re.MULTILINE)),
)
_OWN = (
    r"\s*(?:! device: \S+ \(.*, EOS-|!RANCID-CONTENT-TYPE: arista|! boot system flash:\S*EOS|mlag configuration$|"
    r"transceiver qsfp default-mode|service routing (?:protocols model|configuration)|daemon TerminAttr|"
    r"management api (?:http|gnmi|eos)|qos (?:profile \S|rewrite (?:dscp|cos)$|random-detect ecn )|"
    r"qos map (?:dscp|cos|traffic-class|exp) .*\bto |service-profile \S|(?:uc-|mc-)?tx-queue \d|"
    r"policy-map type quality-of-service |platform trident mmu queue profile|interface Port-Channel\d|"
    r"priority-flow-control (?:all (?:on|off)$|pause watchdog|on$|priority \d(?:[\d,-]*) (?:no-drop|drop)$)|"
    r"no priority-flow-control(?: priority \d)?$|(?:no )?dcbx mode(?: |$)|switchport trunk group \S|"
    r"random-detect ecn (?:count|minimum-threshold .*max-mark-probability)|vlan internal order |"
    r"speed (?:forced )?\d+g(?:-\d|full)$|"
    r"error-correction encoding |username \S+ (?:privilege \d+ )?role \S+ (?:secret|nopassword))"
)
_MARK = re.compile(rf"^(?:{_OWN})", re.MULTILINE)
_PROMPTED = re.compile(rf"^\s*[\w.-]{{1,80}}\(config[^)\s]{{0,80}}\)#(?:{_OWN})", re.MULTILINE)
_OTHER_OS = re.compile(
    r"^(?:feature \w|boot nxos|!Command: show|(?:class|policy)-map type (?:network-qos|queuing)|system qos|wred \S|"
    r"qos-map |! Version 10\.|interface (?:ethernet|mgmt ?)1/1/\d|interface breakout |Building configuration|sysname |"
    r"\s+(?:queue \d wred-policy |scheduler-policy |flow-control priority )|"
    r"\s+priority-flow-control (?:asymmetric|watchdog )|"
    r"Current configuration : |version 1\d\.\d+\s*$|boot-start-marker|service timestamps |## Running database|"
    r"trust (?:dot1p|dscp)-map |interface (?:GigabitEthernet|HundredGigE|PortChannel))",
    re.MULTILINE,
)
"""Commands of Cisco, Dell, Aruba and Huawei, whose configurations otherwise look much like this one."""
_NAMES = (*READERS, CONFIG)


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where nothing in it is particular to EOS.

    What a transcript, a manifest or a file's name says of a capture tells no system from another.
    """
    head = "\n".join(capture.lines[:LINES_TO_LOOK_AT])
    if _OTHER_OS.search(head):
        return None
    found = next((name for name, pattern in _CONTENT if pattern.search(head)), None)
    is_own = found or _MARK.search(head) or _PROMPTED.search(head)
    return found or ((named(capture) or CONFIG) if is_own else None)


def named(capture: Capture) -> str | None:
    """Return the command that a transcript, a manifest or the file's name says was run, None where it is not read."""
    return commands.named(capture.command or PurePath(capture.file).stem, _NAMES)
