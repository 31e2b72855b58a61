"""Which command's output a capture is, told from what was said, from its content, or from its file's name."""

import re
from collections.abc import Sequence
from pathlib import PurePath

from auditor.model.dump import Capture
from auditor.parsers.nxos.captures import READERS

CONFIG = "show running-config"
LINES_TO_LOOK_AT = 2000
SHORTEST = 2
"""Letters of an abbreviated word; NX-OS takes as many as are unambiguous."""

_CONTENT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("show lldp neighbors detail", re.compile(r"^\s*Local Port id: ", re.MULTILINE)),
    ("show lldp neighbors", re.compile(r"^\s*Device ID +Local Intf +Hold-time +Capability +Port ID", re.MULTILINE)),
    ("show interface status", re.compile(r"^(?:Eth\d+/\d\S* .*\s(?:full|auto) +\S+)", re.MULTILINE)),
    ("show interface priority-flow-control", re.compile(r"^Port +Mode +Oper ?\(VL bmap\)", re.MULTILINE)),
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
    r"\s+(?:dcbx mode|service-profile |qos trust |(?:uc-)?tx-queue \d|queue \d wred-policy |scheduler-policy )|"
    r"\s+priority-flow-control (?:on\b|priority \d|asymmetric|watchdog )|"
    r"! Version 10\.|interface (?:ethernet|mgmt ?)1/1/\d|interface breakout 1/1/|wred \S|\s*qos-map |"
    r"system-user linuxadmin|Current configuration : |version 1\d\.\d+\s*$|boot-start-marker|service timestamps |"
    r"trust (?:dot1p|dscp)-map |password-attributes )",
    re.MULTILINE,
)
"""Commands of Arista EOS, Dell OS10 and Enterprise SONiC, whose configurations otherwise look much like this one."""
_NAMES = tuple((name, name.split()) for name in (*READERS, CONFIG))


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where it is none of NX-OS that is known here.

    What a transcript or a manifest says comes first, then the content, then the file's name.
    """
    if _OTHER_OS.search(head := "\n".join(capture.lines[:LINES_TO_LOOK_AT])):
        return None
    if capture.command:
        return _named(capture.command)
    by_content = next((name for name, pattern in _CONTENT if pattern.search(head)), None)
    return by_content or _named(PurePath(capture.file).stem)


def _named(text: str) -> str | None:
    """Return the command that *text* is or abbreviates as the CLI allows; in a file's name `_` stands for a blank.

    >>> _named("sh run"), _named("show_lldp_neighbors_detail"), _named("show int status"), _named("show vlan")
    ('show running-config', 'show lldp neighbors detail', 'show interface status', None)
    """
    said = re.split(r"[ _]+", text.lower())
    return next((name for name, words in _NAMES if _abbreviates(said, words)), None)


def _abbreviates(said: Sequence[str], words: Sequence[str]) -> bool:
    pairs = zip(said, words, strict=False)
    return len(said) >= len(words) and all(len(s) >= SHORTEST and word.startswith(s) for s, word in pairs)
