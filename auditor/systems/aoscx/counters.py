"""`show interface queues` and `show dcbx interface` of AOS-CX: packets that queues dropped, and whether PFC runs."""

import re

from auditor.grammar.operational import OperationalPort, Ports, keep_count
from auditor.grammar.show import command_text
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.systems.aoscx.interfaces import PORT

QUEUES_SIGN = re.compile(r"^[^\S\n]*Tx Packets +Tx Bytes +Tx Drops\b", re.MULTILINE)
_HEAD = re.compile(r"Interface (?P<port>\S+) is\b.*")
_ROW = re.compile(r"Q(?P<queue>[0-7])\s+\d+\s+\d+\s+(?P<drops>\d{1,20})(?:\s+\d+)?")


def read_queues(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface queues`: a block for each port, with a row for each queue."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, row = _HEAD.fullmatch(text), _ROW.fullmatch(text)
        if head:
            port = ports.setdefault(head["port"], OperationalPort(where)) if PORT.match(head["port"]) else None
        if row and port:
            keep_count(port.counters, f"tx_queue{row['queue']}_discards", row["drops"], where)
        states.append(LineState.MODELLED if head or (row and port) else LineState.IGNORED)
    return states


DCBX_SIGN = re.compile(r"^[^\S\n]*PFC operational state\s*: \w", re.MULTILINE)
_STATE = re.compile(r"PFC operational state\s*: (?P<state>\w+)")
_OF_PORT = re.compile(r"\bdcbx int\w* (?P<port>\d\S*)")


def read_dcbx(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show dcbx interface 1/1/1`, whose command alone names the port."""
    of = _OF_PORT.search(command_text(capture))
    states = []
    for index, line in enumerate(capture.lines):
        found, where = _STATE.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if found and of else LineState.IGNORED)
        if found and of and PORT.match(of["port"]):
            port = ports.setdefault(of["port"], OperationalPort(where))
            port.pfc_oper = Known(found["state"] == "active", Origin.LEARNED, where)
    return states
