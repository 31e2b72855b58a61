"""Outputs of H3C and HPE Comware switches: the configuration and LLDP neighbours."""

import re

from auditor.grammar.lldp import LldpForm
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.systems.comware import interfaces
from auditor.systems.comware.interfaces import PORT
from auditor.util.regex import regex

KINDS = (*interfaces.RATES, "GigabitEthernet", "Bridge-Aggregation", "Route-Aggregation", "Vlan-interface")
"""Kinds of interfaces; people type them in small letters, with a blank before the number."""
_LLDP = LldpForm(
    head=regex(r"LLDP neighbor-information of port \d+\s?\[(?P<port>[^\]]+)\]"),
    port=PORT,
    port_id="Port ID",
    name="System name",
    fresh=regex(r"LLDP neighbor index\b"),
)
CONFIG = "display current-configuration"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("display saved-configuration"),
    Show("display version", "model and release", pull=(Pull(),)),
    Show(
        "display lldp neighbor-information verbose",
        "cables",
        regex(r"^LLDP neighbor-information of port \d+\s?\[", re.MULTILINE),
        _LLDP.read,
        (Pull(timeout_s=60),),
    ),
    Show(
        "display lldp neighbor-information list",
        "cables",
        interfaces.LLDP_SIGN,
        interfaces.read_lldp_list,
    ),
    Show("display interface brief", "speed and state of ports", interfaces.SIGN, interfaces.read_brief, (Pull(),)),
    Show(
        "display priority-flow-control interface",
        "PFC as it runs",
        interfaces.PFC_SIGN,
        interfaces.read_pfc,
        (Pull(),),
    ),
    Show(
        "display interface",
        "speed, frames and state of ports",
        interfaces.BLOCK_SIGN,
        interfaces.BLOCKS.read,
        (Pull(timeout_s=60),),
    ),
)
ONLY = regex(
    r"^[^\S\n]*(?:interface (?:Bridge-Aggregation|Route-Aggregation|Vlan-interface|Ten-GigabitEthernet|"
    r"M-GigabitEthernet|Twenty-FiveGigE|FiftyGigE)\d|"
    r"priority-flow-control (?:enable|auto|no-drop dot1p|deadlock|dot1p \d|poolid)(?![\w-])|qos map-table |"
    r"qos wred (?:queue|apply)\b|qos trust dot1p|version \d+\.\d+\.\d+, (?:Release|ESS|Feature|Alpha|Beta) |"
    r"port link-aggregation group |port link-mode )",
    re.MULTILINE,
)
"""Words of a configuration that no other system has."""
TABLE = ShowTable(
    SHOWS,
    CONFIG,
    ONLY,
    regex(
        r"^[^\S\n]*(?:!Software Version V\d|dcb pfc\b|diffserv domain |"
        r"interface (?:\d{2,3}GE|XGigabitEthernet|MEth|Eth-Trunk)\d)",
        re.MULTILINE,
    ),
)
SIGNS = join_signs((*TABLE.signs, ONLY))
recognise = TABLE.recognise
