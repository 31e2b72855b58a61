"""Show outputs of OS10: neighbours, interface status and PFC, as learned values by port."""

import re

from auditor.grammar.operational import Meeting, OperationalPort, Ports, keep_count
from auditor.grammar.show import Lifetime, PortReader, Pull, Show, ShowTable, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.grammar.status import StatusTable
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Unknown, Where
from auditor.systems.os10.names import PORT, complete_name
from auditor.util.regex import regex


def _port(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    full = complete_name(name)
    return ports.setdefault(full, OperationalPort(where)) if PORT.match(full) else None


_STATUS = regex(
    r"(?P<port>Eth \d+/\d+/\d+(?::\d+)?)\s(?:.*\s)?(?P<status>up|down)\s+(?P<speed>\d{1,6}(?:\.\d)?[MG]?)\s+"
    r"(?:full|half|auto)\b"
)
interface_status = StatusTable(_STATUS, regex("Eth "), _port, up="up").read


_UNNAMED = frozenset({"", "not advertised"})
_FIELD = regex(r"(?P<key>Local Port ID|Remote Port ID|Remote System Name)\s*: ?(?P<value>.*)\Z")


def read_lldp_detail(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors detail`: one block for each neighbour, of which the first that has a name counts."""
    states = []
    meeting = Meeting()
    block: dict[str, str] = {}
    for index, line in enumerate(capture.lines):
        text = line.strip()
        found = _FIELD.match(text)
        block = {} if text.startswith("Remote Chassis ID Subtype") else block
        states.append(LineState.MODELLED if found else LineState.IGNORED)
        if found is None:
            continue
        block[found["key"]] = found["value"].strip()
        if {"Local Port ID", "Remote Port ID", "Remote System Name"} <= block.keys():
            where = capture.where(index)
            port = _port(ports, block["Local Port ID"], where)
            _neighbour(meeting, port, block["Remote System Name"], block["Remote Port ID"], where)
    return states


def _neighbour(meeting: Meeting, port: OperationalPort | None, name: str, far: str, where: Where) -> None:
    if port:
        meeting.add(port, "" if name.lower() in _UNNAMED else name, far, where)


_CUT = "..."
_CUT_OFF = Unknown("the table cuts the neighbour's name: show lldp neighbors detail has it whole")
_NEIGHBOUR = regex(r"(?P<local>(?:ethernet|mgmt)\S+) (?P<name>Not Advertised|\S+) (?P<port>\S.*) (?P<chassis>\S+)")


def read_lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`: one row for each neighbour; a name that its column cuts is unknown."""
    states = []
    meeting = Meeting()
    for index, line in enumerate(capture.lines):
        match = _NEIGHBOUR.fullmatch(" ".join(line.split()))
        states.append(LineState.MODELLED if match else LineState.IGNORED)
        port = _port(ports, match["local"], capture.where(index)) if match else None
        if match and port and _CUT in match["name"] + match["port"]:
            port.peer = port.peer if isinstance(port.peer, Known) else _CUT_OFF
        elif match:
            _neighbour(meeting, port, match["name"], match["port"], capture.where(index))
    return states


_PFC_PORT = regex(r"(?:interface )?(?P<port>ethernet ?\d+/\d+/\d+(?::\d+)?)\Z", re.IGNORECASE)
_PFC_FIELD = regex(
    r"(?P<key>Oper ?status|Total (?:Rx|Tx) PFC Frames)\s*:\s*(?P<value>true|false|\d{1,20})\Z", re.IGNORECASE
)
_PFC_ROW = regex(r"(?P<priority>[0-7])\s+(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})\Z")


def read_pfc(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface IF priority-flow-control details`: whether PFC runs, and its frames by priority."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text = line.strip()
        head, said, row = _PFC_PORT.match(text), _PFC_FIELD.match(text), _PFC_ROW.match(text)
        states.append(LineState.MODELLED if head or said or row else LineState.IGNORED)
        if head:
            port = _port(ports, head["port"], capture.where(index))
        elif port and said and said["key"].lower().startswith("oper"):
            port.pfc_oper = Known(said["value"].lower() == "true", Origin.LEARNED, capture.where(index))
        elif port and said and said["value"].isdecimal():
            name = "rx_pfc" if " rx " in said["key"].lower() else "tx_pfc"
            keep_count(port.counters, name, said["value"], capture.where(index))
        elif port and row:
            for side in ("rx", "tx"):
                keep_count(port.counters, f"{side}_pfc_{row['priority']}", row[side], capture.where(index))
    return states


def read_version(capture: Capture, _ports: Ports) -> list[LineState]:
    """Read `show version`, whose model and release the device takes over."""
    return [LineState.MODELLED if MODEL.match(x) or RELEASE.match(x) else LineState.IGNORED for x in capture.lines]


MODEL = regex(r"\s*System Type: +(?P<value>\S+)")
RELEASE = regex(r"\s*OS Version: +(?P<value>\S+)")

CONFIG = "show running-configuration"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("show startup-configuration"),
    Show(
        "show lldp neighbors detail",
        "cables",
        regex(r"^[ \t]*Remote Chassis ID Subtype ?: .*\n(?:.*\n){1,6}?[ \t]*Local Port ID ?: ethernet", re.MULTILINE),
        read_lldp_detail,
    ),
    Show(
        "show lldp neighbors",
        "cables",
        regex(r"^[ \t]*Loc PortID +Rem Host Name +Rem Port Id +Rem Chassis Id", re.MULTILINE),
        read_lldp,
        (Pull(),),
    ),
    Show(
        "show interface status",
        "speed and state of ports",
        regex(r"^[ \t]*Port +Description +Status +Speed +Duplex +Mode", re.MULTILINE),
        interface_status,
        (Pull(),),
    ),
    Show(
        "show interface priority-flow-control",
        "PFC as it runs",
        regex(r"^[ \t]*Admin Mode ?: (?:true|false)\s+Oper ?status ?: ", re.MULTILINE | re.IGNORECASE),
        read_pfc,
    ),
    Show(
        "show version",
        "model and release",
        regex(r"^[ \t]*Dell (?:EMC Networking|SmartFabric|EMC SmartFabric|Networking) OS10", re.MULTILINE),
        read_version,
        (Pull(counts=True),),
        lifetime=Lifetime.FIXED,
    ),
)
_OWN = (
    r"[ \t]*(?:! Version 10\.\d|system-user linuxadmin |trust (?:dot1p|dscp)-map \S|trust-map (?:dot1p|dscp) \S|"
    r"qos-map traffic-class \S|wred \S|random-detect color (?:green|yellow|red) |policy-map type application |"
    r"interface (?:range )?ethernet\d+/\d+/\d+|interface mgmt ?\d+/\d+/\d+|interface breakout \d+/\d+/\d+ map |"
    r"port-group \d+/\d+/\d+|vlt-domain \d|vlt-port-channel \d|flowcontrol transmit (?:on|off)|"
    r"service-policy input type network-qos |password-attributes |ztd (?:cancel|enable)|rest api restconf|"
    r"pfc-(?:max|shared)-buffer-size \d|switch-port-profile \d)"
)
_SHARED = r"[ \t]*interface (?:range )?[Ee]thernet ?\d+/\d+/\d+"
"""Words of NX-OS, too, whose ports may be split."""
_OTHER = regex(
    r"^(?:feature \w|boot nxos|!Command: show|! device: .*EOS|daemon TerminAttr|ver 0\d\.|stack unit \d|sysname |"
    r"Building configuration|! Version 9\.|dcb-map |interface (?:TenGigabitEthernet|GigabitEthernet|HundredGigE|"
    r"Ethernet\d+(?:/\d+){0,3}\s*$|Eth\d|PortChannel|Port-Channel\d)|"
    r"[^\S\n]+(?:queue \d wred-policy |scheduler-policy |flow-control priority |service-policy type (?:qos|queuing) ))",
    re.MULTILINE,
)
"""Commands of Cisco, Arista, Dell's older and SONiC systems, Ruckus and Huawei."""
_PORT_OF_COMMAND = regex(r"(?<=interface[ _])ethernet[ _]?\d[\d/:_]*[ _]", re.IGNORECASE)
ONLY = regex(rf"^(?:{_OWN})", re.MULTILINE)
"""Words of a configuration that no other system has."""
TABLE = ShowTable(
    SHOWS,
    CONFIG,
    regex(rf"^(?:{_OWN}|{_SHARED})", re.MULTILINE),
    _OTHER,
    lambda command: _PORT_OF_COMMAND.sub("", command),
)
SIGNS = join_signs((*TABLE.signs, ONLY))
recognise = TABLE.recognise
