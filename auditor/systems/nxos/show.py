"""Show outputs of NX-OS: neighbours, interface status and interface details, as learned values by port."""

import re
from datetime import date

from auditor.grammar.aggregates import AggregateTable
from auditor.grammar.operational import Meeting, OperationalPort, Ports, keep_count
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, beginning, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.grammar.status import StatusTable
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.nxos import counters
from auditor.systems.nxos.counters import find_port
from auditor.systems.nxos.numbers import complete_name
from auditor.systems.nxos.transceivers import read_transceivers
from auditor.util.regex import regex

_STATUS = regex(
    r"(?P<port>(?:Eth|Po|mgmt|Vlan|Lo|nve)\S*)\s++.*?(?<=\s)"
    r"(?P<status>connected|notconnec\w*|disabled|sfpAbsent|xcvrAbsen\w*|noOperMem\w*|channelDo\w*|linkFlapE\w*|errDisabl\w*|"
    r"inactive|suspended|suspndByV\w*|down|monitor|faulty|vpcPeerLn\w*|sfpInvali\w*|linkNotCon\w*|hwFailure|out-of-ser\w*)"
    r"\s+(?P<vlan>\S+)\s+(?P<duplex>full|half|auto|a-full|a-half)\s+(?P<speed>\S+)"
)


interface_status = StatusTable(_STATUS, regex("Eth"), find_port, up="connected", disabled="disabled").read


read_aggregates = AggregateTable(
    regex(r"\d{1,4}\s+(?P<lag>Po\d{1,4})\([A-Za-z]{1,4}\)\s+Eth\s+[A-Z]{2,8}\s+(?P<members>\S.*)"),
    find_port,
    complete_name,
).read


_FIELD = regex(r"(?P<key>[A-Z][A-Za-z ]{2,30}?)\s*:\s?(?P<value>.*)")


_HEAD_LINES = 20
_PRINTED = regex(r"!Time: \w{3} (?P<month>\w{3}) +(?P<day>\d{1,2}) \d\d:\d\d:\d\d (?P<year>\d{4})\s*")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def find_day(capture: Capture) -> date | None:
    """Return the day on which the switch printed a configuration, by its head; None for another capture.

    >>> find_day(Capture("a", ("!Command: show running-config", "!Time: Sat Nov 21 05:30:02 2026")))
    datetime.date(2026, 11, 21)
    """
    match = next(filter(None, map(_PRINTED.fullmatch, capture.lines[:_HEAD_LINES])), None)
    if match is None or match["month"] not in _MONTHS:
        return None
    try:
        return date(int(match["year"]), _MONTHS.index(match["month"]) + 1, int(match["day"]))
    except ValueError:
        return None


def read_lldp_detail(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors detail`: one block for each neighbour, beginning at its chassis id."""
    states = []
    meeting = Meeting()
    block: dict[str, str] = {}
    for index, line in enumerate(capture.lines):
        text = line.strip()
        match = _FIELD.match(text) if text[:_LONGEST_KEY].lower().startswith(_LLDP_STARTS) else None
        key = match["key"].strip().lower() if match else ""
        if key == "chassis id":
            block = {}
        if match and key in _LLDP_KEYS and key not in block:
            block[key] = match["value"].strip()
            states.append(LineState.MODELLED)
        else:
            states.append(LineState.IGNORED)
        if key == "system name" and "local port id" in block:
            port = find_port(ports, block["local port id"], capture.where(index))
            name = block["system name"] if block["system name"] not in {"null", "not advertised"} else ""
            if port:
                told = (name, block.get("port id", ""), capture.where(index), block.get("chassis id", ""))
                meeting.add(port, *told)
    return states


_LLDP_STARTS = ("chassis id", "port id", "local port id", "system name")
_LLDP_KEYS = frozenset(_LLDP_STARTS)
_LONGEST_KEY = max(map(len, _LLDP_STARTS))
_NEIGHBOUR = regex(
    r"(?P<name>\S(?:.*?\S)??)?\s*+(?P<local>(?:Eth|mgmt)[\d/]+)\s+(?P<hold>\d{1,6})\s++(?P<capability>[A-Z]++ )?\s*+"
    r"(?P<port>\S++)\s*+\Z"
)


def read_lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`; a long name stands on a line of its own before its row."""
    states = []
    meeting = Meeting()
    wrapped = ""
    for index, line in enumerate(capture.lines):
        match = _NEIGHBOUR.match(line.rstrip())
        if match is None:
            words = line.split()
            wrapped = words[0] if len(words) == 1 else ""
            states.append(LineState.MODELLED if wrapped else LineState.IGNORED)
            continue
        states.append(LineState.MODELLED)
        name = match["name"] or wrapped
        port = find_port(ports, match["local"], capture.where(index))
        if port and name:
            meeting.add(port, name.split()[0], match["port"], capture.where(index))
    return states


_INTERFACE = regex(r"(?P<name>\S+) is (?P<state>up|down)\b ?\(?(?P<why>[^)]*)")
_DETAILS: tuple[tuple[re.Pattern[str], str], ...] = (
    (regex(r"MTU (\d{1,6}) bytes"), "mtu"),
    (regex(r"(?:auto|full|half)-duplex, (\d{1,4} [GM]b/s)"), "speed_gbps"),
    (regex(r"Input flow-control is (on|off), output flow-control is (on|off)"), "pause"),
    (regex(r".*\baddress:? ([0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})"), "mac"),
    (regex(r"admin state is (up|down)"), "enabled"),
    (regex(r"Belongs to (Po\d{1,4})$"), "lag"),
    (regex(r"\d+ runts +(\d{1,20}) giants\b"), "giants"),
)


def read_interface(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface`: one block for each interface."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        where = capture.where(index)
        head = _INTERFACE.match(line)
        if head:
            port = find_port(ports, head["name"], where)
            if port and head["state"] == "up":
                port.enabled = Known(value=True, origin=Origin.LEARNED, where=where)
            elif port and head["why"] == "Administratively down":
                port.enabled = Known(value=False, origin=Origin.LEARNED, where=where)
            states.append(LineState.MODELLED)
            continue
        found = next(((m, name) for rx, name in _DETAILS if (m := rx.match(line.strip()))), None)
        states.append(LineState.MODELLED if found else LineState.IGNORED)
        if port and found:
            _detail(port, found[0], found[1], where)
    return states


def _detail(port: OperationalPort, match: re.Match[str], name: str, where: Where) -> None:
    if name == "mtu":
        port.mtu = Known(int(match[1]), Origin.LEARNED, where)
    elif name == "speed_gbps":
        number, unit = match[1].split()
        port.speed_gbps = Known(int(number) / (1 if unit == "Gb/s" else 1000), Origin.LEARNED, where)
    elif name == "mac":
        digits = match[1].replace(".", "")
        pairs = ":".join(digits[i : i + 2] for i in range(0, 12, 2))
        port.mac = Known(pairs, Origin.LEARNED, where)
    elif name == "enabled":
        port.enabled = Known(match[1] == "up", Origin.LEARNED, where)
    elif name == "lag":
        port.lag = Known(complete_name(match[1]), Origin.LEARNED, where)
    elif name == "giants":
        keep_count(port.counters, "rx_oversize", match[1], where)
    else:
        port.pause_rx = Known(match[1] == "on", Origin.LEARNED, where)
        port.pause_tx = Known(match[2] == "on", Origin.LEARNED, where)


CONFIG = "show running-config"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    show_saved("show startup-config"),
    Show(
        "show lldp neighbors detail",
        "cables",
        regex(r"^[^\S\n]*Local Port id: ", re.MULTILINE),
        read_lldp_detail,
        (Pull(),),
    ),
    Show(
        "show lldp neighbors",
        "cables",
        regex(r"^[^\S\n]*Device ID +Local Intf +Hold-time +Capability +Port ID", re.MULTILINE),
        read_lldp,
    ),
    Show(
        "show interface status",
        "speed and state of ports",
        regex(r"^(?:Eth\d+/\d\S* .*\s(?:full|auto) +\S+)", re.MULTILINE),
        interface_status,
        (Pull(),),
    ),
    Show(
        "show interface priority-flow-control",
        "PFC as it runs",
        regex(r"^Port +Mode +Oper ?\([^()\n]{1,16}\)|^ +VL bitmap: \(", re.MULTILINE),
        counters.read_pauses,
        (Pull(counts=True),),
    ),
    Show(
        "show port-channel summary",
        "members of port-channels",
        regex(r"^[^\S\n]*Group +Port- +Type +Protocol +Member Ports", re.MULTILINE),
        read_aggregates,
    ),
    Show(
        "show queuing interface",
        "counters of pauses and discards",
        regex(r"^(?:Egress|Ingress) Queuing for Ethernet\d", re.MULTILINE),
        counters.read_queuing,
        (Pull(timeout_s=120, counts=True),),
    ),
    Show(
        "show interface",
        "MTU and speed as they run",
        regex(r"^(?:Ethernet|mgmt)\S+ is (?:up|down)\b", re.MULTILINE),
        read_interface,
        (Pull(timeout_s=120),),
    ),
    Show(
        "show interface transceiver details",
        "modules, their temperature and received power",
        regex(r"^[^\S\n]*Temperature +-?\d{1,3}(?:\.\d{1,4})? C\b.{0,60} C\b", re.MULTILINE),
        read_transceivers,
        (Pull(timeout_s=60),),
    ),
    Show(
        "show interface transceiver",
        "modules",
        regex(r"^[^\S\n]*transceiver is (?:not )?(?:present|applicable)\b", re.MULTILINE),
        read_transceivers,
    ),
)
_OWN = regex(
    r"^[^\S\n]*(?:(?:policy-map|class-map) type (?:network-qos|queuing|qos) |switchname |boot nxos |nv overlay evpn|"
    r"feature (?:lldp|vpc|interface-vlan|lacp|bgp|nxapi|hsrp|ospf)\b|interface breakout module |"
    r"!RANCID-CONTENT-TYPE: cisco-nx|vdc \S+ id \d|version \d+\.\d+\(\d+\)|"
    r"priority-flow-control watch-dog|service-policy type (?:qos|queuing|network-qos) |"
    r"interface Eth(?:ernet)? ?\d+/\d+|priority-flow-control mode (?:on|off|auto))",
    re.MULTILINE,
)
_OTHER = regex(
    r"^(?:! device: .*EOS|daemon TerminAttr|transceiver qsfp|service routing protocols model|management api|"
    r"qos (?:map|profile|rewrite|random-detect) |"
    r"interface (?:Ethernet\d+\s*$|Port-Channel\d)|"
    r"[^\S\n]+(?:service-policy input type |pfc-cos \d|flowcontrol transmit |trust-map )|"
    r"[^\S\n]+(?:dcbx mode|service-profile |qos trust |(?:uc-)?tx-queue \d|queue \d wred-policy |scheduler-policy )|"
    r"[^\S\n]+priority-flow-control (?:on\b|priority \d|asymmetric|watchdog )|"
    r"roce enable|(?:qos )?buffer init|interface-naming standard|interface breakout port |[^\S\n]+unreliable-los |"
    r"! Version 10\.|interface (?:ethernet|mgmt ?)1/1/\d|interface breakout 1/1/|wred \S|[^\S\n]*qos-map |"
    r"system-user linuxadmin|Current configuration : |version 1\d\.\d+\s*$|boot-start-marker|service timestamps |"
    r"trust (?:dot1p|dscp)-map |password-attributes |"
    r"set (?:version \d|system host-name )|Local Interface +(?:Parent Interface +)?Chassis Id|Physical interface: |"
    r"LLDP Neighbor Information:\s*$|Loc PortID +Rem Host Name |Remote Chassis ID Subtype ?:|Eth \d+/\d+/\d|"
    r"[\w.-]+\((?:conf-[^)]+|config-(?:cmap-nqos|pmap-network-qos|pmap-queuing))\)#|OS10\(|"
    r"\S++[^\S\n]++(?:Gi|Te|TF|Fo|Fi|Hu|TH|FH|EH|Mg|MgmtEth|[A-Za-z]+GigE|GigabitEthernet)\d++/\w++/\w++/\d++\S*+[^\S\n]++\d++\s|"
    r"!! IOS XR |interface (?:preconfigure )?(?:[A-Z]\w{0,20}GigE|Bundle-Ether)\d|[^\S\n]*end-(?:class|policy)-map\b|"
    r"Group +Port-?[Cc]hannel +Type |Admin Mode ?: ?(?:true|false)\s*$|Name +Description +(?:Oper|Admin) )",
    re.MULTILINE,
)
"""What Arista EOS, Dell OS10, Enterprise SONiC, Junos and IOS XR print, some of which looks much like this system's."""
ONLY = regex(
    r"^[^\S\n]*(?:switchname |boot nxos |nv overlay evpn|vdc \S+ id \d|version \d+\.\d+\(\d+\)|"
    r"feature (?:lldp|vpc|interface-vlan|lacp|bgp|nxapi|hsrp|ospf)\b|interface breakout module |"
    r"priority-flow-control (?:watch-dog|override-interface)|pause pfc-cos \d|"
    r"service-policy type (?:queuing|network-qos) |class type (?:queuing c-|network-qos c-))",
    re.MULTILINE,
)
"""Words of a configuration that no other system has."""
_OF_ONE_PORT = regex(r"(?<!\w)(?P<show>sh\w* int\w*) e[a-z]* ?[\d/,-]{1,64} (?=tr)", re.IGNORECASE)
TABLE = ShowTable(SHOWS, CONFIG, _OWN, _OTHER, lambda command: _OF_ONE_PORT.sub(r"\g<show> ", command, count=1))
SIGNS = join_signs((*TABLE.signs, ONLY))


def names(capture: Capture) -> bool:
    """Return whether the command or the file name of *capture* may be enough to recognise it."""
    return TABLE.find_name(capture) is not None


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where it is no known output of NX-OS.

    The command of a transcript or a manifest comes first, then the signs, then the file name.
    """
    head = beginning(capture.lines)
    if capture.command:
        named = TABLE.find_name(capture)
        return named if named and not TABLE.is_of_other(head) else None
    if TABLE.is_of_other(head):
        return None
    return TABLE.find_sign(head) or (TABLE.find_config(capture) if TABLE.is_own(head) else TABLE.find_name(capture))
