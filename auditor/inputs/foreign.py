"""Signs of unsupported operating systems, as data."""

import re
from collections.abc import Mapping, Sequence

from auditor.grammar.show import share_text
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture
from auditor.util.regex import regex

LINES_TO_LOOK_AT = 4000

SIGNS: Mapping[str, Sequence[str]] = {
    "Nokia SR OS": (r"# TiMOS-", r"/configure (?:port|router|qos|system)\b"),
    "Mellanox Onyx (MLNX-OS)": (
        r"## Running database",
        r"no cli default prefix-modes",
        r"dcb priority-flow-control (?:enable|priority)",
        r"[^\S\n]*interface (?:ethernet|mlag-port-channel) \S+ (?:mtu|speed|dcb|traffic-class|qos|flowcontrol) ",
        r"[^\S\n]*interface (?:ethernet|mlag-port-channel) \S+ (?:switchport|channel-group|mlag-channel-group|no) ",
        r"protocol mlag\b",
        r"traffic pool \S+ (?:type|map|memory)",
        r"mlag-vip ",
    ),
    "Drivenets DNOS": (r"# config-start \[", r"[^\S\n]*ge(?:10|100|400|800)-\d+/\d+/\d+\s*$"),
    "Cisco IOS or IOS XE": (
        r"Current configuration : \d+ bytes",
        r"version 1\d\.\d+\s*$",
        r"boot-start-marker\s*$",
        r"service timestamps (?:debug|log)",
        r"license udi pid ",
        r"ip cef\s*$",
        r"mls qos\b",
    ),
    "Cisco ASA": (r"ASA Version \d", r":\s*Saved\s*$"),
    "Extreme EXOS": (r"# Module \S+ configuration\.", r"configure (?:vlan|ports|qosprofile|dot1p) "),
    "Extreme VOSS (Fabric Engine)": (
        r"#\s*(?:box type|software version)\s*:",
        r"interface (?:GigabitEthernet|mlt) \d+/\d+\s*$",
    ),
    "Extreme SLX-OS or Brocade Network OS": (
        r"cee-map \S",
        r"switch-attributes ",
        r"fabric route mcast",
        r"rbridge-id \d",
        r"qos red-profile ",
        r"interface (?:Ten|Forty|Hundred)GigabitEthernet \d+/\d+/\d+",
    ),
    "Brocade or Ruckus FastIron": (r"ver 0?\d+\.\d+\.\d+[A-Za-z]\w*\s*$", r"stack unit \d+\s*$"),
    "Dell OS9 (FTOS)": (
        r"! Version 9\.\d",
        r"Current Configuration \.\.\.",
        r"stack-unit \d+ (?:provision|port|quad-port)",
        r"dcb-map \S",
        r"interface (?:TenGigabitEthernet|fortyGigE|hundredGigE|twentyFiveGigE|ManagementEthernet) \d+/\d+\s*$",
    ),
    "Fortinet FortiOS": (r"#config-version=", r"config (?:system|firewall|switch-controller|router|vpn) [\w -]+$"),
    "MikroTik RouterOS": (r"# .{1,60}\bby RouterOS ", r"/(?:interface|ip|system|routing)(?: [\w-]+){0,3}\s*$"),
    "VyOS": (
        r"set interfaces (?:ethernet eth|bonding bond)\d",
        r"// vyos-config-version",
        r"[^\S\n]+ethernet eth\d+ \{",
    ),
    "IP Infusion OcNOS": (r"!.*\bOcNOS", r"interface (?:xe|ce|ge)\d+(?:/\d+)?\s*$"),
    "Palo Alto PAN-OS": (r"set deviceconfig system ", r"<config version=\"\d+\.\d+\.\d+\""),
}
"""Beginnings of lines by unsupported system; no supported system has such lines."""

_PATTERNS = {name: join_signs([regex(rf"^(?:{'|'.join(signs)})", re.MULTILINE)]) for name, signs in SIGNS.items()}
_VRP = regex(r"^sysname \S", re.MULTILINE)
_CLI = regex(r"^interface \S[^\n]*\n\s+\S", re.MULTILINE)


def resembles(captures: Sequence[Capture]) -> str | None:
    """Return the unsupported systems that a dump resembles, None without a sign.

    The text names all systems with a sign, because a choice would be a guess.
    """
    head = share_text(_head(captures))
    found = [name for name, signs in _PATTERNS.items() if signs.are_in(head)]
    verb = "is" if len(found) == 1 else "are"
    return f"{' or '.join(found)}, which {verb} not read" if found else None


def without_settings(captures: Sequence[Capture]) -> str | None:
    """Return the description of a file that names a device and has none of the settings of an audit, None for another.

    Source: `HostConfiguration` of https://github.com/batfish/batfish, below
    projects/batfish/src/main/java/org/batfish/representation/host.
    """
    head = _head(captures)
    is_host = head.lstrip().startswith("{") and '"hostname"' in head and '"hostInterfaces"' in head
    return "a host of Batfish, which has addresses and no settings of RoCE" if is_host else None


def without_sign(captures: Sequence[Capture]) -> str | None:
    """Return the description of a configuration without a sign of its system, None for another text."""
    head = _head(captures)
    if _VRP.search(head):
        return "Huawei VRP or H3C Comware, without a sign of either; choose one with --os"
    return "a switch's configuration without a sign of its system; choose one with --os" if _CLI.search(head) else None


def _head(captures: Sequence[Capture]) -> str:
    return "\n".join(line for capture in captures for line in capture.lines[:LINES_TO_LOOK_AT])
