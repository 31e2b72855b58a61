"""Show outputs of EOS: neighbours, interface status and PFC, as learned values by port."""

import re

from auditor.grammar.aggregates import AggregateTable
from auditor.grammar.operational import Meeting, OperationalPort, Ports, keep_count
from auditor.grammar.show import Lifetime, PortReader, Pull, Show, ShowTable, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.grammar.status import StatusTable
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.eos.names import PORT, complete_name
from auditor.systems.eos.transceivers import read_inventory, read_measured
from auditor.util.regex import regex


def _port(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    full = complete_name(name)
    return ports.setdefault(full, OperationalPort(where)) if PORT.match(full) else None


_STATUS = regex(
    r"(?P<port>(?:Et|Po|Ma|Vx|Un)\d\S*)\s++(?:.*\s)?"
    r"(?P<status>connected|notconnect|disabled|errdisabled|inactive|unknown)"
    r"\s++(?P<vlan>in Po\d+|\S+)\s+(?P<duplex>(?:a-)?(?:full|half)|auto|unconf)\s+(?P<speed>\S+)"
)


interface_status = StatusTable(
    _STATUS, regex(r"Et\d"), _port, up="connected", disabled="disabled", lag="Port-Channel"
).read


read_aggregates = AggregateTable(
    regex(r"(?P<lag>Po\d{1,4})\([A-Z]{1,4}\)\s+[A-Z][A-Za-z]{2,8}(?:\([^()\s]{1,6}\))?\s+(?P<members>\S.*)"),
    _port,
    complete_name,
).read


_DETECTED = regex(r"Interface (?P<port>\S+) detected (?P<count>\d{1,4}) LLDP neighbors")
_FIELD = regex(r"(?:- )?(?P<key>Port ID|System Name)\s*: \"?(?P<value>[^\"]*)\"?\Z")


def read_lldp_detail(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors detail`: for each port its neighbours, of which the first that has a name counts.

    A `Port ID` also stands below the link aggregation TLV: the first of a neighbour is its own.
    """
    states = []
    meeting = Meeting()
    port: OperationalPort | None = None
    port_id = ""
    for index, line in enumerate(capture.lines):
        text = line.strip()
        head, found = _DETECTED.match(text), _FIELD.match(text)
        if head:
            port, port_id = _port(ports, head["port"], capture.where(index)), ""
        elif text.startswith("Neighbor "):
            port_id = ""
        elif found and found["key"] == "Port ID" and not port_id:
            port_id = found["value"].strip()
            if port:
                meeting.add(port, "", port_id, capture.where(index))
        elif found and found["key"] == "System Name" and port and port_id:
            meeting.add(port, found["value"].strip(), port_id, capture.where(index))
        states.append(LineState.MODELLED if head or found else LineState.IGNORED)
    return states


_NEIGHBOUR = regex(r"(?P<local>(?:Et|Ma)\d\S*)\s+(?P<name>\S+)\s+(?P<port>\S(?:.*?\S)??)\s++(?P<ttl>\d{1,6})\Z")


def read_lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`: one row for each neighbour."""
    states = []
    meeting = Meeting()
    for index, line in enumerate(capture.lines):
        match = _NEIGHBOUR.match(line.strip())
        states.append(LineState.MODELLED if match else LineState.IGNORED)
        port = _port(ports, match["local"], capture.where(index)) if match else None
        if port and match:
            meeting.add(port, match["name"], match["port"], capture.where(index))
    return states


_PFC_ROW = regex(
    r"(?P<port>Et\S+)\s+(?:Yes|No)\s++(?P<priorities>(?>[\d,-]++(?>(?: ++[\d,-]++)*)|))\s*+(?<=\s)(?P<active>Yes|No)\b"
)

_PFC_LEGEND = regex(r"E: PFC Enabled, D: PFC Disabled, A: PFC Active\b.*")
_PFC_STATUS = regex(r"(?P<port>Et\S+)\s+[ED]\s(?P<active>[A ]|-)\s(?:[W ]|-)(?:\s.*)?")
"""A row of releases that print the watchdog beside PFC, whose letters the legend above it explains."""


_COUNTER_HEAD = regex(r"Port\s+RxPfc\s+TxPfc")
_COUNTER_ROW = regex(r"(?P<port>Et\S+)\s+(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})")


def read_pfc(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show priority-flow-control [counters]`: whether PFC is active, and its frames received and sent."""
    states = []
    is_counters = has_legend = False
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        is_counters = is_counters or _COUNTER_HEAD.fullmatch(text) is not None
        has_legend = has_legend or _PFC_LEGEND.match(text) is not None
        lettered = _PFC_STATUS.fullmatch(text) if has_legend else None
        active, counts = lettered or _PFC_ROW.match(text), _COUNTER_ROW.fullmatch(text) if is_counters else None
        states.append(LineState.MODELLED if active or counts else LineState.IGNORED)
        match = active or counts
        port = _port(ports, match["port"], where) if match else None
        if port and active:
            port.pfc_oper = Known(active["active"] in {"Yes", "A"}, Origin.LEARNED, where)
        elif port and counts:
            for side in ("rx", "tx"):
                keep_count(port.counters, f"{side}_pfc", counts[side], where)
    return states


def read_version(capture: Capture, _ports: Ports) -> list[LineState]:
    """Read `show version`, whose model and release the device takes over."""
    return [LineState.MODELLED if MODEL.match(x) or RELEASE.match(x) else LineState.IGNORED for x in capture.lines]


CONFIG = "show running-config"
MODEL = regex(r"Arista (?P<value>(?:DCS|CCS|vEOS|cEOS)\S*)")
RELEASE = regex(r"Software image version: (?P<value>\S+)")

SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("show startup-config"),
    Show(
        "show lldp neighbors detail",
        "cables",
        regex(r"^Interface \S+ detected \d+ LLDP neighbors", re.MULTILINE),
        read_lldp_detail,
        (Pull(),),
    ),
    Show(
        "show lldp neighbors",
        "cables",
        regex(r"^Port +Neighbor Device ID +Neighbor Port ID +TTL", re.MULTILINE),
        read_lldp,
    ),
    Show(
        "show interfaces status",
        "speed and state of ports",
        regex(r"^Et\d\S* .*\b(?:connected|notconnect|disabled|errdisabled|inactive) ", re.MULTILINE),
        interface_status,
        (Pull(),),
    ),
    Show(
        "show priority-flow-control",
        "PFC as it runs",
        regex(r"^Port +(?:Enabled +Priorities +Active +Note|Status +Priorities +Action|RxPfc +TxPfc)", re.MULTILINE),
        read_pfc,
        (Pull(), Pull("show priority-flow-control counters", "counters of pauses", counts=True)),
    ),
    Show(
        "show port-channel dense",
        "members of port-channels",
        regex(r"^[^\S\n]*Port-Channel +Protocol +Ports\b", re.MULTILINE),
        read_aggregates,
    ),
    Show(
        "show inventory",
        "modules",
        regex(r"^[^\S\n]*Port +Manufacturer +Model +Serial Number +Rev\b", re.MULTILINE),
        read_inventory,
        (Pull(),),
    ),
    Show(
        "show interfaces transceiver",
        "temperature and received power of modules",
        regex(r"^Port +\(Celsius\) +\(Volts\) +\(mA\) +\(dBm\) +\(dBm\)", re.MULTILINE),
        read_measured,
        (Pull(),),
    ),
    Show(
        "show version",
        "model and release",
        regex(r"^Arista (?:DCS|CCS|vEOS|cEOS)", re.MULTILINE),
        read_version,
        (Pull(),),
        lifetime=Lifetime.FIXED,
    ),
)
_OWN = (
    r"[^\S\n]*(?:! device: \S+ \(.*, EOS-|!RANCID-CONTENT-TYPE: arista|! boot system flash:\S*EOS|mlag configuration$|"
    r"transceiver qsfp default-mode|service routing (?:protocols model|configuration)|daemon TerminAttr|"
    r"management api (?:http|gnmi|eos)|qos (?:profile \S|rewrite (?:dscp|cos)$|random-detect ecn )|"
    r"qos map (?:dscp|cos|traffic-class|exp) .*\bto |service-profile \S|(?:uc-|mc-)?tx-queue \d|"
    r"policy-map type quality-of-service |platform trident mmu queue profile|interface Port-Channel\d|"
    r"priority-flow-control (?:all (?:on|off)$|pause watchdog|on$|priority \d(?:[\d,-]*) (?:no-drop|drop)$)|"
    r"(?:no )?dcbx mode(?: |$)|switchport trunk group \S|"
    r"random-detect ecn (?:count|minimum-threshold .*max-mark-probability)|vlan internal order |"
    r"speed (?:forced )?\d+g(?:-\d|full)$|"
    r"error-correction encoding |username \S+ (?:privilege \d+ )?role \S+ (?:secret|nopassword))"
)
_OTHER = regex(
    r"^(?:feature \w|boot nxos|!Command: show|(?:class|policy)-map type (?:network-qos|queuing)|system qos|wred \S|"
    r"qos-map |! Version 10\.|interface (?:ethernet|mgmt ?)1/1/\d|interface breakout |Building configuration|sysname |"
    r"[^\S\n]+(?:queue \d wred-policy |scheduler-policy |flow-control priority )|"
    r"[^\S\n]+priority-flow-control (?:asymmetric|watchdog (?!action err|polling-interval \d+\.))|"
    r"Current configuration : |version 1\d\.\d+\s*$|boot-start-marker|service timestamps |## Running database|"
    r"trust (?:dot1p|dscp)-map |interface (?:GigabitEthernet|HundredGigE|PortChannel))",
    re.MULTILINE,
)
"""Commands of Cisco, Dell, Aruba and Huawei, whose configurations otherwise look much like this one."""
_SHARED = r"[^\S\n]*no priority-flow-control(?: priority \d)?$"
"""Words of Enterprise SONiC, too."""
ONLY = regex(rf"^(?:{_OWN})", re.MULTILINE)
"""Words of a configuration that no other system has."""
TABLE = ShowTable(
    SHOWS,
    CONFIG,
    regex(rf"^(?:{_OWN}|{_SHARED})", re.MULTILINE),
    _OTHER,
)
SIGNS = join_signs((*TABLE.signs, ONLY))
recognise = TABLE.recognise
