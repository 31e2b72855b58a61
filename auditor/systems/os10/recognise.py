"""Which command's output a capture is, told from its content, and else from what was said or from its file's name."""

import re
from pathlib import PurePath

from auditor.grammar import commands
from auditor.model.dump import Capture
from auditor.systems.os10.captures import READERS

CONFIG = "show running-configuration"
LINES_TO_LOOK_AT = 4000

_CONTENT: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "show lldp neighbors detail",
        re.compile(
            r"^[ \t]*Remote Chassis ID Subtype ?: .*\n(?:.*\n){1,6}?[ \t]*Local Port ID ?: ethernet", re.MULTILINE
        ),
    ),
    ("show lldp neighbors", re.compile(r"^[ \t]*Loc PortID +Rem Host Name +Rem Port Id +Rem Chassis Id", re.MULTILINE)),
    ("show interface status", re.compile(r"^[ \t]*Port +Description +Status +Speed +Duplex +Mode", re.MULTILINE)),
    (
        "show interface priority-flow-control",
        re.compile(r"^[ \t]*Admin Mode ?: (?:true|false)\s+Oper ?status ?: ", re.MULTILINE | re.IGNORECASE),
    ),
    (
        "show version",
        re.compile(r"^[ \t]*Dell (?:EMC Networking|SmartFabric|EMC SmartFabric|Networking) OS10", re.MULTILINE),
    ),
)
_OWN = (
    r"[ \t]*(?:! Version 10\.\d|system-user linuxadmin |trust (?:dot1p|dscp)-map \S|trust-map (?:dot1p|dscp) \S|"
    r"qos-map traffic-class \S|wred \S|random-detect color (?:green|yellow|red) |policy-map type application |"
    r"interface (?:range )?[Ee]thernet ?\d+/\d+/\d+|interface mgmt ?\d+/\d+/\d+|interface breakout \d+/\d+/\d+ map |"
    r"port-group \d+/\d+/\d+|vlt-domain \d|vlt-port-channel \d|flowcontrol transmit (?:on|off)|"
    r"service-policy input type network-qos |password-attributes |ztd (?:cancel|enable)|rest api restconf|"
    r"pfc-(?:max|shared)-buffer-size \d|switch-port-profile \d)"
)
_MARK = re.compile(rf"^(?:[\w.-]{{1,80}}\(conf[^)\s]{{0,80}}\)#)?{_OWN}", re.MULTILINE)
_OTHER_OS = re.compile(
    r"^(?:feature \w|boot nxos|!Command: show|! device: .*EOS|daemon TerminAttr|ver 0\d\.|stack unit \d|sysname |"
    r"Building configuration|! Version 9\.|dcb-map |interface (?:TenGigabitEthernet|GigabitEthernet|HundredGigE|"
    r"Ethernet\d+(?:/\d+){0,3}\s*$|Eth\d|PortChannel|Port-Channel\d)|"
    r"\s+(?:queue \d wred-policy |scheduler-policy |flow-control priority |service-policy type (?:qos|queuing) ))",
    re.MULTILINE,
)
"""Commands of Cisco, Arista, Dell's older and SONiC systems, Ruckus and Huawei."""


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where nothing in it is particular to OS10.

    What a transcript, a manifest or a file's name says of a capture tells no system from another.
    """
    head = "\n".join(capture.lines[:LINES_TO_LOOK_AT])
    if _OTHER_OS.search(head):
        return None
    found = next((name for name, pattern in _CONTENT if pattern.search(head)), None)
    return found or ((named(capture) or CONFIG) if _MARK.search(head) else None)


def named(capture: Capture) -> str | None:
    """Return the command that a transcript, a manifest or the file's name says was run, None where it is not read."""
    return commands.named(_WITHOUT_PORT.sub("", capture.command or PurePath(capture.file).stem), (*READERS, CONFIG))


_WITHOUT_PORT = re.compile(r"(?<=interface[ _])ethernet[ _]?\d[\d/:_]*[ _]", re.IGNORECASE)
