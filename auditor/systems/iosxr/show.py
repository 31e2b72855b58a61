"""Show outputs of IOS XR: neighbours, interfaces, pauses, and queues, as learned values by port."""

import re

from auditor.grammar.lldp import LldpForm
from auditor.grammar.operational import Meeting, OperationalPort, Ports, keep_count
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, beginning, show_config
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.iosxr.controllers import read_controllers
from auditor.systems.iosxr.counters import find_port, read_pauses, read_policies
from auditor.systems.iosxr.names import PORT, RATES, SHORT_KINDS
from auditor.systems.iosxr.npu import read_npu
from auditor.systems.iosxr.queuing import read_queuing
from auditor.util.regex import regex

_KINDS = "|".join(RATES)
_FAST = "|".join(kind for kind in RATES if kind.endswith("GigE"))
"""Kinds that no other system of Cisco has."""
_LLDP = LldpForm(
    head=regex(r"Local Interface: (?P<port>\S{1,60})\Z"),
    port=PORT,
    port_id="Port id",
    name="System Name",
    fresh=regex(r"-{20,}"),
    lag="Parent Interface",
)
_NEIGHBOUR = regex(
    r"(?P<name>\S{1,120})\s+(?P<local>[A-Za-z]{2,24}\d[\d/]{1,24})\s+\d{1,6}\s+(?:(?:[A-Z](?:,[A-Z]){0,8}|N/A)\s+)?(?P<far>\S{1,120})\Z"
)


def read_lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`: a row for each neighbour."""
    states = []
    meeting = Meeting()
    for index, line in enumerate(capture.lines):
        row, where = _NEIGHBOUR.match(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        port = find_port(ports, row["local"], where) if row else None
        if row and port:
            meeting.add(port, row["name"], row["far"], where)
    return states


_INTERFACE = regex(r"(?P<name>[A-Za-z]\S{1,60}) is (?P<state>up|down|administratively down), +line protocol is ")
_MTU = regex(r"MTU (?P<bytes>\d{1,6}) bytes\b")
_SPEED = regex(r"(?:Full|Half)-duplex, (?P<mbps>\d{1,7})Mb/s\b")
_PAUSE = regex(r"output flow control is (?P<rx>on|off), input flow control is (?P<tx>on|off)")
"""Pauses of what departs are those that the port obeys, as those of `flow-control egress`."""
_MAC = regex(r"Hardware is .{1,60}, address is (?P<mac>[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})\b")
_GIANTS = regex(r"\d{1,20} runts, (?P<giants>\d{1,20}) giants\b")


def read_interfaces(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interfaces`: one block for each interface."""
    states = []
    port: OperationalPort | None = None
    name = ""
    for index, line in enumerate(capture.lines):
        where, text = capture.where(index), line.strip()
        head = _INTERFACE.match(line)
        if head:
            name, port = head["name"], find_port(ports, head["name"], where)
            if port:
                _learn_state(port, head["state"], where)
        detail = _find_detail(text)
        if port and detail:
            _learn_detail(port, *detail, where)
        is_read = head or detail or _learn_member(ports, name, text, where)
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    return states


def _learn_state(port: OperationalPort, state: str, where: Where) -> None:
    """Learn whether the port is enabled: one that is `down` is so by its link, not by a statement."""
    port.enabled = Known(state != "administratively down", Origin.LEARNED, where)


_IN_BUNDLE = regex(r"(?P<port>[A-Z][A-Za-z]{1,24}\d[\d/]{1,24})\s+(?:Full|Half)-duplex\s+\d{1,7}Mb/s\b")


def _learn_member(ports: Ports, bundle: str, text: str, where: Where) -> bool:
    """Learn the bundle of a port from a row below `No. of members`; return whether the line is such a row."""
    row = _IN_BUNDLE.match(text) if _BUNDLE.match(bundle) else None
    port = find_port(ports, row["port"], where) if row else None
    if port:
        port.lag = Known(bundle, Origin.LEARNED, where)
    return port is not None


_DETAILS = {"mtu": _MTU, "speed": _SPEED, "pause": _PAUSE, "mac": _MAC, "giants": _GIANTS}


def _find_detail(text: str) -> tuple[str, re.Match[str]] | None:
    """Return what a line tells of its interface and its words, None for another line."""
    return next(((name, match) for name, form in _DETAILS.items() if (match := form.match(text))), None)


def _learn_detail(port: OperationalPort, name: str, match: re.Match[str], where: Where) -> None:
    if name == "mtu":
        port.mtu = Known(int(match["bytes"]), Origin.LEARNED, where)
    elif name == "speed":
        port.speed_gbps = Known(int(match["mbps"]) / 1000, Origin.LEARNED, where)
    elif name == "pause":
        port.pause_rx = Known(match["rx"] == "on", Origin.LEARNED, where)
        port.pause_tx = Known(match["tx"] == "on", Origin.LEARNED, where)
    elif name == "mac":
        digits = match["mac"].replace(".", "")
        pairs = ":".join(digits[place : place + 2] for place in range(0, len(digits), 2))
        port.mac = Known(pairs, Origin.LEARNED, where)
    else:
        keep_count(port.counters, "rx_oversize", match["giants"], where)


_BUNDLE = regex(r"(?P<bundle>Bundle-Ether\d{1,6})\Z")
_MEMBER = regex(r"(?P<port>[A-Z][A-Za-z]{1,24}\d[\d/]{1,24})\s+Local\s+\S+\s")


def read_bundles(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show bundle`: the members below each bundle."""
    states = []
    bundle = ""
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, member = _BUNDLE.match(text), _MEMBER.match(text)
        bundle = head["bundle"] if head else bundle
        port = find_port(ports, member["port"], where) if member and bundle else None
        if port:
            port.lag = Known(bundle, Origin.LEARNED, where)
        states.append(LineState.MODELLED if head or port else LineState.IGNORED)
    return states


CONFIG = "show running-config"
CONTROLLERS = "show controllers"
PAUSES = "show controllers priority-flow-control"
"""Commands with the kind of ports left out, of which they take one at a time."""
_PULLED = ("HundredGigE", "TwoHundredGigE", "FourHundredGigE", "EightHundredGigE")
NPU = "show controllers npu priority-flow-control location all"
QUEUING = "show qos interface"
SHOWS: tuple[Show[PortReader], ...] = (
    show_config(CONFIG),
    Show(
        "show lldp neighbors detail",
        "cables",
        regex(rf"^[^\S\n]*Local Interface: (?:{_KINDS}|MgmtEth)\d+/\w+/", re.MULTILINE),
        _LLDP.read,
        (Pull(),),
    ),
    Show(
        "show lldp neighbors",
        "cables",
        regex(
            rf"^\S+[^\S\n]+(?:{_KINDS}|{SHORT_KINDS}|MgmtEth)\d++/\w++/\w++/\d++\S*+[^\S\n]++\d++[^\S\n]++[A-Z]",
            re.MULTILINE,
        ),
        read_lldp,
    ),
    Show(
        NPU,
        "the profile of PFC as each location runs it",
        regex(r"^[^\S\n]*PFC[ -]Mode\s*: *buffer-", re.MULTILINE),
        read_npu,
        (Pull(),),
    ),
    Show(
        CONTROLLERS,
        "FEC, modules and the PFC watchdog as they run",
        regex(rf"^[^\S\n]*Operational data for interface (?:{_KINDS})\d", re.MULTILINE),
        read_controllers,
        tuple(Pull(f"show controllers {kind} *", timeout_s=120) for kind in _PULLED),
    ),
    Show(
        PAUSES,
        "PFC as it runs, and its frames by priority",
        regex(r"^[^\S\n]*Priority flow control information for interface ", re.MULTILINE),
        read_pauses,
        tuple(Pull(f"show controllers {kind} * priority-flow-control", counts=True, timeout_s=120) for kind in _PULLED),
    ),
    Show(
        "show policy-map interface all",
        "discards and marks by queue",
        regex(rf"^(?:{_KINDS}|Bundle-Ether)[\d/.]+ (?:input|output): \S+\s*$", re.MULTILINE),
        read_policies,
        (Pull(counts=True, timeout_s=120),),
    ),
    Show(
        QUEUING,
        "what each queue may hold",
        regex(r"^[^\S\n]*Interface \S{1,60} ifh 0x[0-9a-f]{1,16}[^\S\n]+-- (?:input|output) policy", re.MULTILINE),
        read_queuing,
    ),
    Show(
        "show bundle",
        "members of bundles",
        regex(r"^[^\S\n]*Local bandwidth <effective/available>:", re.MULTILINE),
        read_bundles,
        (Pull(),),
    ),
    Show(
        "show interfaces",
        "state, speed and MTU of ports",
        regex(r"^[^\S\n]+Interface state transitions: \d", re.MULTILINE),
        read_interfaces,
        (Pull(counts=True, timeout_s=120),),
    ),
)
ONLY = regex(
    rf"^[^\S\n]*(?:!! (?:IOS XR Configuration|Last configuration change at )|interface Bundle-Ether\d|"
    rf"hw-module profile priority-flow-control|end-policy-map|end-class-map|"
    rf"interface (?:preconfigure )?(?:MgmtEth\d+/\w+/CPU|(?:{_FAST}) ?\d+/\w+/\d+/\d+)|"
    rf"service-policy output \S+ shared-policy|RP/\d+/\w+/CPU\d:\S+\(config|bundle id \d+ mode |"
    rf"controller [Oo]ptics ?\d)",
    re.MULTILINE,
)
"""Words of a configuration that no other system has."""
_OTHER = regex(r"^(?:feature \w|! device: .*EOS|sysname |## Last commit|Current configuration : )", re.MULTILINE)
_OF_ONE_PORT = regex(
    r"(?P<show>sh\w*) contr\w* (?!npu|pri)\S+(?: [\d*]\S*)? (?P<rest>pri\S*)|"
    r"(?P<port>sh\w*) contr\w* (?:[A-Z]\w{0,20}GigE|Gig\w{0,20}|(?:Te|Fo|Fi|Hu|TF|TH|FH|EH)) ?"
    r"[\d*]\S{0,40}(?: (?:all|phy))?\Z|"
    r"(?P<policy>sh\w* policy-map int\w*) (?!all)\S+(?: \d\S*)?(?: (?:in|out)put)?\Z|"
    r"(?P<qos>sh\w* qos int\w*) \S+(?: \d\S*)?(?: (?:in|out)put)?\Z",
    re.IGNORECASE,
)


def _spell(command: str) -> str:
    """Return a command for one port in the form for all.

    >>> _spell("show controllers Hu0/0/0/1 priority-flow-control"), _spell("show policy-map interface Hu0/0/0/1")
    ('show controllers priority-flow-control', 'show policy-map interface all')
    >>> _spell("sh qos int hu 0/0/0/0 output")
    'sh qos int'
    """
    match = _OF_ONE_PORT.match(command)
    if match is None or match["qos"]:
        return match["qos"] if match else command
    if match["port"]:
        return f"{match['port']} controllers"
    return f"{match['policy']} all" if match["policy"] else f"{match['show']} controllers {match['rest']}"


TABLE = ShowTable(SHOWS, CONFIG, ONLY, _OTHER, _spell)
SIGNS = join_signs((*TABLE.signs, ONLY))


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where it is no known output of IOS XR."""
    head = beginning(capture.lines)
    if TABLE.is_of_other(head):
        return None
    return TABLE.find_sign(head) or (TABLE.find_config(capture) if TABLE.is_own(head) else None)
