"""Outputs of Aruba CX switches: the configuration and LLDP neighbours."""

import re

from auditor.grammar.lldp import LldpForm, LldpTable
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.systems.aoscx.counters import (
    DCBX_SIGN,
    PAUSES_SIGN,
    QUEUES_SIGN,
    read_dcbx,
    read_pauses,
    read_queues,
)
from auditor.systems.aoscx.interfaces import PORT, read_interface
from auditor.systems.aoscx.maps import COS_MAP, COS_SIGN, DSCP_MAP, DSCP_SIGN, read_map
from auditor.systems.aoscx.routing import ECMP, ECMP_SIGN, read_fields
from auditor.util.regex import regex

_LLDP = LldpForm(
    head=regex(r"Port\s*: (?P<port>\S+)\Z"),
    port=PORT,
    port_id="Neighbor Port-ID",
    name="Neighbor System-Name",
    fresh=regex(r"(?!)"),
    other_name="Neighbor Chassis-Name",
)
_TABLE = LldpTable(
    regex(
        r"(?P<local>\S+)\s+(?P<chassis>(?:[0-9a-f]{2}:){5}[0-9a-f]{2})\s+(?P<far>\S++)(?:\s++\S(?:.*?\S)??)?\s{2,}+\d{1,5}"
        r"(?:\s{2,}(?P<name>\S+))?"
    ),
    PORT,
)
CONFIG = "show running-config"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("show startup-config"),
    Show("show version", "model and release", pull=(Pull(),)),
    Show(
        "show lldp neighbor-info detail",
        "cables",
        regex(r"^Neighbor (?:System|Chassis)-Name\s*:", re.MULTILINE),
        _LLDP.read,
        (Pull(),),
    ),
    Show(
        "show lldp neighbor-info",
        "cables",
        regex(r"^LOCAL-PORT +CHASSIS-ID +PORT-ID +PORT-DESC +TTL +SYS-NAME", re.MULTILINE),
        _TABLE.read,
    ),
    Show(
        "show interface queues",
        "packets dropped by queue",
        QUEUES_SIGN,
        read_queues,
        (Pull(counts=True),),
        form=regex(r"show int\w* (?:\S+ )?queues\Z"),
    ),
    Show(
        "show interface qos",
        "trust and profiles of ports",
        regex(
            r"^[^\S\n]*qos (?:trust \w+|(?:queue|schedule|threshold)-profile \S+) \((?:global|override)\)", re.MULTILINE
        ),
        read_interface,
        form=regex(r"show int\w* (?:\S+ )?qos\Z"),
    ),
    Show(
        "show interface flow-control detail",
        "PFC as it runs, and pauses by priority",
        PAUSES_SIGN,
        read_pauses,
        (Pull(counts=True),),
        form=regex(r"show int\w* (?:\S+ )?flow-control(?: detail)?\Z"),
    ),
    Show(
        "show interface",
        "speed, MTU and state of ports",
        regex(r"^[^\S\n]*Interface \d{1,2}/\d{1,2}/\d{1,3}\S* is (?:up|down)\b", re.MULTILINE),
        read_interface,
    ),
    Show(
        DSCP_MAP,
        "local priorities of DSCPs, where no line maps them",
        DSCP_SIGN,
        read_map,
        (Pull(),),
        form=regex(r"show qos dscp-map(?: default)?\Z"),
    ),
    Show(
        COS_MAP,
        "local priorities of 802.1p priorities",
        COS_SIGN,
        read_map,
        (Pull(),),
        form=regex(r"show qos cos-map(?: default)?\Z"),
    ),
    Show(ECMP, "what the hash over equal-cost paths reads", ECMP_SIGN, read_fields, (Pull(),)),
    Show(
        "show dcbx interface",
        "PFC as it runs",
        DCBX_SIGN,
        read_dcbx,
        form=regex(r"show dcbx int\w* \S+\Z"),
    ),
    Show("show interface brief", "speed and state of ports", pull=(Pull(),)),
)
ONLY = regex(
    r"^(?:!Version ArubaOS-CX|interface lag \d|ssh server vrf \S|"
    r"qos (?:(?:queue|schedule|threshold)-profile |(?:dscp|cos)-map \d+ local-priority |pool \d)|"
    r"apply qos (?:queue|schedule|threshold)-profile |[^\S\n]+flow-control (?:priority |rxtx\b)|vsx\s*$|"
    r"[^\S\n]+vlan trunk (?:native|allowed) |[^\S\n]+vlan access \d)",
    re.MULTILINE,
)
"""Words of a configuration that no other system has."""
TABLE = ShowTable(
    SHOWS,
    CONFIG,
    regex(rf"{ONLY.pattern}|^interface \d{{1,2}}/\d{{1,2}}/\d{{1,3}}\b", re.MULTILINE),
    regex(
        r"^(?:## |! Version 10\.|feature \w|daemon TerminAttr|interface (?:GigabitEthernet|TenGigabitEthernet)|"
        r"interface ethernet1/1/|switchport |Running configuration:|; J\w+ Configuration Editor)",
        re.MULTILINE,
    ),
)
SIGNS = join_signs((*TABLE.signs, ONLY))
recognise = TABLE.recognise
