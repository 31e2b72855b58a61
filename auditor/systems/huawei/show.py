"""Outputs of Huawei CloudEngine switches: the configuration and LLDP neighbours."""

import re

from auditor.grammar.lldp import LldpForm, LldpTable
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, show_config, show_saved

RATES = {f"{gbps}GE": float(gbps) for gbps in (25, 40, 50, 100, 200, 400, 800)}
KINDS = (*RATES, "10GE", "XGE", "GE", "XGigabitEthernet", "GigabitEthernet", "MultiGE", "Eth-Trunk", "Vlanif")
"""Kinds of interfaces; people type them in small letters, with a blank before the number."""
PORT = re.compile(rf"(?P<kind>{'|'.join(RATES)}|10GE|X?GE|X?GigabitEthernet|MultiGE)\d+(?:/\d+){{1,3}}(?::\d+)?\Z")
_LLDP = LldpForm(
    head=re.compile(r"(?P<port>\S+) has \d+ neighbor"),
    port=PORT,
    port_id="Port ID",
    name="System name",
    fresh=re.compile(r"Neighbor index\b"),
)
_BRIEF = LldpTable(re.compile(r"(?P<local>\S+)\s+\d{1,5}\s+(?P<far>\S+)\s+(?P<name>\S+)"), PORT)
CONFIG = "display current-configuration"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("display saved-configuration"),
    Show("display version", "model and release", pull=(Pull(),)),
    Show(
        "display lldp neighbor brief",
        "cables",
        re.compile(r"^[^\S\n]*Local Interface +Exptime ?\(s\) +Neighbor Interface +Neighbor Device", re.MULTILINE),
        _BRIEF.read,
    ),
    Show(
        "display lldp neighbor",
        "cables",
        re.compile(r"^\S+ has \d+ neighbor\(s\)", re.MULTILINE),
        _LLDP.read,
        (Pull(timeout_s=60),),
    ),
    Show("display interface brief", "state of ports", pull=(Pull(),)),
)
ONLY = re.compile(
    r"^[^\S\n]*(?:!Software Version V\d|dcb pfc\b|diffserv domain |trust (?:upstream|8021p) |drop-profile \S|"
    r"interface (?:\d{2,3}GE\d|XGigabitEthernet\d|MEth\d|Eth-Trunk\d|Vlanif\d|MultiGE\d)|"
    r"qos buffer headroom-pool |jumboframe enable \d+ \d+|ip-dscp-inbound |qos phb marking )",
    re.MULTILINE,
)
"""Words of a configuration that no other system has."""
TABLE = ShowTable(
    SHOWS,
    CONFIG,
    ONLY,
    re.compile(
        r"^[^\S\n]*(?:interface (?:Bridge-Aggregation|Vlan-interface|Ten-GigabitEthernet|M-GigabitEthernet|FGE|HGE)|"
        r"priority-flow-control (?:enable|auto|no-drop|deadlock|dot1p)\b)",
        re.MULTILINE,
    ),
)
recognise = TABLE.recognise
