"""Outputs of Huawei CloudEngine switches: the configuration, LLDP neighbours, and PFC as it runs."""

import re

from auditor.grammar.lldp import LldpForm, LldpTable
from auditor.grammar.operational import OperationalPort, Ports
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Origin
from auditor.systems.huawei import counters, interfaces
from auditor.systems.huawei.interfaces import PORT
from auditor.util.regex import regex

KINDS = (*interfaces.RATES, *interfaces.OTHER_KINDS, "Eth-Trunk", "Vlanif")
"""Kinds of interfaces; people type them in small letters, with a blank before the number."""
_LLDP = LldpForm(
    head=regex(r"(?P<port>\S+) has \d+ neighbor"),
    port=PORT,
    port_id="Port ID",
    name="System name",
    fresh=regex(r"Neighbor index\b"),
)
_BRIEF = LldpTable(regex(r"(?P<local>\S+)\s+\d{1,5}\s+(?P<far>\S+)\s+(?P<name>\S+)"), PORT)
_DCB = regex(r"(?P<port>\S+)\s+\S+\s+(?P<state>ENABLE|DISABLE)\((?P<mode>[MA])\)(?:\s.*)?")
_ETS = regex(r"(?:\d{1,2}\(\d{1,2}\)\s+-|\d)\s+(?:PQ|DRR|WRR)\s.*")


def read_dcb(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display dcb`: how PFC was enabled on each port, and whether it runs; a dash stands for none."""
    states = []
    for index, line in enumerate(capture.lines):
        row, where = _DCB.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row and PORT.match(row["port"]):
            port = ports.setdefault(row["port"], OperationalPort(where))
            port.pfc_mode = Known(PfcMode.AUTO if row["mode"] == "A" else PfcMode.ON, Origin.LEARNED, where)
            port.pfc_oper = Known(row["state"] == "ENABLE", Origin.LEARNED, where)
    return states


def read_ets(capture: Capture, _ports: Ports) -> list[LineState]:
    """Read `display dcb ets-profile`, whose groups of queues are not modelled."""
    return [LineState.NOT_MODELLED if _ETS.fullmatch(x.strip()) else LineState.IGNORED for x in capture.lines]


CONFIG = "display current-configuration"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("display saved-configuration"),
    Show("display version", "model and release", pull=(Pull(),)),
    Show(
        "display lldp neighbor brief",
        "cables",
        regex(r"^[^\S\n]*Local Interface +Exptime ?\(s\) +Neighbor Interface +Neighbor Device", re.MULTILINE),
        _BRIEF.read,
    ),
    Show(
        "display lldp neighbor",
        "cables",
        regex(r"^\S+ has \d+ neighbor\(s\)", re.MULTILINE),
        _LLDP.read,
        (Pull(timeout_s=60),),
    ),
    Show("display interface brief", "state of ports", interfaces.BRIEF_SIGN, interfaces.read_brief, (Pull(),)),
    Show(
        "display interface",
        "speed, frames and state of ports",
        interfaces.BLOCK_SIGN,
        interfaces.BLOCKS.read,
        (Pull(timeout_s=60),),
    ),
    Show(
        "display dcb",
        "PFC as it runs",
        regex(r"^[^\S\n]*Interface +PFC Name +PFC Status ", re.MULTILINE),
        read_dcb,
        (Pull(),),
    ),
    Show(
        "display dcb pfc",
        "frames of PFC",
        counters.PFC_SIGN,
        counters.read_pfc_counters,
        (Pull(counts=True),),
        form=regex(r"dis\w* dcb pfc(?: interface .*)?\Z"),
    ),
    Show("display dcb pfc buffer", "sizes of buffers", counters.BUFFER_SIGN, counters.read_buffers, (Pull(),)),
    Show(
        "display qos queue statistics",
        "packets dropped by queue",
        counters.QUEUE_SIGN,
        counters.read_queue_counters,
    ),
    Show("display qos ecn threshold", "thresholds of ECN", counters.ECN_SIGN, counters.read_ecn, (Pull(),)),
    Show("display ai-ecn calculated state", "thresholds of AI ECN", counters.AI_SIGN, counters.read_ai_ecn, (Pull(),)),
    Show(
        "display dcb ets-profile",
        "groups of queues",
        regex(r"^[^\S\n]*PG\(RN\) +Q +SCH +Weight ", re.MULTILINE),
        read_ets,
    ),
)
ONLY = regex(
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
    regex(
        r"^[^\S\n]*(?:interface (?:Bridge-Aggregation|Vlan-interface|Ten-GigabitEthernet|M-GigabitEthernet|FGE|HGE)|"
        r"priority-flow-control (?:enable|auto|no-drop|deadlock|dot1p)\b)",
        re.MULTILINE,
    ),
)
SIGNS = join_signs((*TABLE.signs, ONLY))
recognise = TABLE.recognise
