"""Counters of IOS XR: pauses by port and priority, discards and marks by the class of a policy."""

import re
from collections.abc import Mapping

from auditor.grammar.operational import Counts, OperationalPort, Ports, keep_count
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.iosxr.names import PORT, complete_name
from auditor.systems.iosxr.watchdogs import ROW
from auditor.util.regex import regex


def find_port(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    """Return the operational state of the port *name*, None if it is not a physical port."""
    full = complete_name(name)
    return ports.setdefault(full, OperationalPort(where)) if PORT.match(full) else None


PAUSE_HEAD = regex(r"Priority flow control information for interface (?P<port>\S{1,60}?):?\s*\Z")
_TOTAL = regex(r"Total (?P<side>Rx|Tx) PFC Frames\s*:\s*(?P<count>\d{1,20})\Z")
_ROW = regex(r"(?P<cos>[0-7])\s+(?P<status>on|off)\s+(?P<rx>\d{1,20})(?:\s+(?P<tx>\d{1,20}))?\Z", re.IGNORECASE)


def read_pauses(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show controllers … priority-flow-control`: whether PFC runs, and its frames by priority."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head = PAUSE_HEAD.match(text)
        if head:
            port = find_port(ports, head["port"], where)
        is_read = head or (port and read_pause(port, text, where))
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    return states


def read_pause(port: OperationalPort, text: str, where: Where) -> bool:
    """Learn what one line tells of the pauses of a port; return whether it tells something."""
    total, row = _TOTAL.match(text), _ROW.match(text)
    if total:
        keep_count(port.counters, f"{total['side'].lower()}_pfc", total["count"], where)
    elif row:
        _keep_row(port, row, where)
    return bool(total or row or ROW.match(text))


def _keep_row(port: OperationalPort, row: re.Match[str], where: Where) -> None:
    is_on = row["status"].lower() == "on"
    if is_on or not isinstance(port.pfc_oper, Known):
        port.pfc_oper = Known(is_on, Origin.LEARNED, where)
    keep_count(port.counters, f"rx_pfc_{row['cos']}", row["rx"], where)
    if row["tx"]:
        keep_count(port.counters, f"tx_pfc_{row['cos']}", row["tx"], where)


POLICY_HEAD = regex(r"(?P<port>[A-Za-z-]{2,24}[\d/.]{1,24}) (?P<way>input|output): (?P<policy>\S{1,120})\Z")
_CLASS = regex(r"(?:Policy (?P<policy>\S{1,120}) )?Class (?P<name>\S{1,120})\Z")
_COUNTS = (
    ("discards", regex(r"Taildropped ?\(packets/bytes\)\s*:\s*(?P<count>\d{1,20})/\d{1,20}\Z")),
    ("wred_discards", regex(r"RED random drops ?\(packets/bytes\)\s*:\s*(?P<count>\d{1,20})/\d{1,20}\Z")),
    (
        "ecn_marked",
        regex(r"RED ecn marked & transmitted ?\(packets/bytes\)\s*:\s*(?P<count>\d{1,20})/\d{1,20}\Z"),
    ),
)
_SEPARATOR = "\t"
"""Stands in no name: between policy, class and counter until the configuration tells the queue of the class."""


def read_policies(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show policy-map interface`: the counters of each class of the policy on departure."""
    states = []
    port: OperationalPort | None = None
    policy = name = ""
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, class_ = POLICY_HEAD.match(text), _CLASS.match(text)
        found = next(((kind, match) for kind, form in _COUNTS if (match := form.match(text))), None)
        if head:
            is_departure = head["way"] == "output"
            port = find_port(ports, head["port"], where) if is_departure else None
            policy, name = head["policy"], ""
        elif class_:
            policy, name = class_["policy"] or policy, class_["name"]
        elif port and found and name:
            keep_count(port.counters, _SEPARATOR.join((policy, name, found[0])), found[1]["count"], where)
        is_read = head or class_ or (port and found)
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    return states


def name_queues(ports: Ports, queues: Mapping[tuple[str, str], int]) -> None:
    """Name counters of classes by the queue that *queues* gives for policy and class; drop those of other classes."""
    for port in ports.values():
        port.counters = _name_counters(port.counters, queues)


def _name_counters(counters: Counts, queues: Mapping[tuple[str, str], int]) -> Counts:
    found: Counts = {}
    for name, count in counters.items():
        policy, *rest = name.split(_SEPARATOR)
        if not rest:
            found[name] = count
        elif (queue := queues.get((policy, rest[0]))) is not None:
            found[f"tx_queue{queue}_{rest[1]}"] = count
    return found
