"""Outputs of AOS-CX on queues and pauses: packets that queues dropped, pauses by priority, and PFC as it runs."""

import re

from auditor.grammar.operational import OperationalPort, Ports, keep_count
from auditor.grammar.show import command_text
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Origin, Where
from auditor.systems.aoscx.flowcontrol import parse_ways
from auditor.systems.aoscx.interfaces import PORT
from auditor.util.regex import regex

QUEUES_SIGN = regex(r"^[^\S\n]*Tx (?:Packets +Tx Bytes|Bytes +Tx Packets) +Tx Drops\b", re.MULTILINE)
_HEAD = regex(r"Interface (?P<port>\S+) is\b.*")
_ROW = regex(r"Q(?P<queue>[0-7])\s+\d+\s+\d+\s+(?P<drops>\d{1,20})(?:\s+\d+)?")


def read_queues(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface queues`: a block for each port, with a row for each queue."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, row = _HEAD.fullmatch(text), _ROW.fullmatch(text)
        if head:
            port = _find(ports, head["port"], where)
        if row and port:
            keep_count(port.counters, f"tx_queue{row['queue']}_discards", row["drops"], where)
        states.append(LineState.MODELLED if head or (row and port) else LineState.IGNORED)
    return states


def _find(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    return ports.setdefault(name, OperationalPort(where)) if PORT.match(name) else None


PAUSES_SIGN = regex(
    r"^[^\S\n]*(?:\S+ +)?config: (?:pfc|llfc|none)\b|^[^\S\n]*(?:Priority [0-7] Pauses|Dot3 Pause Frames) +\d",
    re.MULTILINE,
)
_WAY = r"(?:rxtx|rx|tx)(?:-[\d,-]{1,20})?"
_LINK = rf"(?P<kind>pfc|llfc|none|off)(?: (?P<ways>{_WAY}(?: {_WAY}){{0,2}}))?"
_DETAIL = regex(rf"Flow-control:\s+{_LINK}\s*")
_SUMMARY = regex(rf"(?:(?P<port>\d\S*)\s+)?(?P<what>config|status):\s+{_LINK}(?:\s{{2,}}(?P<watched>\w+)\s+\d+)?\s*")
_PRIORITY = regex(r"Priority (?P<priority>[0-7]) Pauses\s+(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})")
_DOT3 = regex(r"Dot3 Pause Frames\s+(?P<rx>\d{1,20})(?:\s+(?P<tx>\d{1,20}))?")


def read_pauses(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface flow-control [detail]`: PFC and link pause as they run, and the pauses by priority."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, row = _HEAD.fullmatch(text), _SUMMARY.fullmatch(text)
        if head or (row and row["port"]):
            port = _find(ports, head["port"] if head else row["port"] if row else "", where)
        is_read = port is not None and (_learn_row(port, row, where) or _learn_detail(port, text, where))
        states.append(LineState.MODELLED if head or is_read else LineState.IGNORED)
    return states


def _learn_row(port: OperationalPort, row: re.Match[str] | None, where: Where) -> bool:
    """Learn a row of the summary; PFC that is configured and does not run may wait for the switch to restart."""
    if row is None:
        return False
    is_pfc = row["kind"] == "pfc"
    if row["what"] == "status":
        port.pfc_oper = Known(is_pfc, Origin.LEARNED, where)
    elif is_pfc:
        port.pfc_mode = Known(PfcMode.ON, Origin.LEARNED, where)
        _learn_priorities(port, row["ways"], where)
    if row["what"] == "status" or not is_pfc:
        _learn_pause(port, row, where)
    return True


def _learn_priorities(port: OperationalPort, ways: str | None, where: Where) -> None:
    """Learn the priorities of lists such as `rxtx-1,2 rx-3`."""
    listed = parse_ways(re.sub(r"(?<=[a-z])-", " ", ways or ""))
    if listed is not None:
        port.pfc_priorities = Known(tuple(sorted(listed)), Origin.LEARNED, where)


def _learn_pause(port: OperationalPort, row: re.Match[str], where: Where) -> None:
    """Learn link pause, which a port that runs PFC does not have."""
    way = row["ways"] if row["kind"] == "llfc" else ""
    port.pause_rx = Known(way in {"rx", "rxtx"}, Origin.LEARNED, where)
    port.pause_tx = Known(way in {"tx", "rxtx"}, Origin.LEARNED, where)


def _learn_detail(port: OperationalPort, text: str, where: Where) -> bool:
    """Learn a line of the details of a port: its flow control as it runs, or a row of counters."""
    found, row, dot3 = _DETAIL.fullmatch(text), _PRIORITY.fullmatch(text), _DOT3.fullmatch(text)
    if found:
        port.pfc_oper = Known(found["kind"] == "pfc", Origin.LEARNED, where)
        _learn_pause(port, found, where)
    for side in ("rx", "tx"):
        if row:
            keep_count(port.counters, f"{side}_pfc_{row['priority']}", row[side], where)
        if dot3 and dot3[side]:
            keep_count(port.counters, f"{side}_pause_frames", dot3[side], where)
    return bool(found or row or dot3)


DCBX_SIGN = regex(r"^[^\S\n]*PFC operational state\s*: \w", re.MULTILINE)
_STATE = regex(r"PFC operational state\s*: (?P<state>\w+)")
_ENABLED = regex(r"Priority (?P<priority>[0-7]):\s+(?P<own>True|False)\s+(?P<peer>True|False)")
_OF_PORT = regex(r"\bdcbx int\w* (?P<port>\d\S*)")


def read_dcbx(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show dcbx interface 1/1/1`, whose command alone names the port."""
    of = _OF_PORT.search(command_text(capture))
    port = _find(ports, of["port"], capture.where(0)) if of and capture.lines else None
    states: list[LineState] = []
    enabled: dict[str, dict[int, bool]] = {"own": {}, "peer": {}}
    first: Where | None = None
    for index, line in enumerate(capture.lines):
        found, row = _STATE.fullmatch(line.strip()), _ENABLED.fullmatch(line.strip())
        states.append(LineState.MODELLED if port and (found or row) else LineState.IGNORED)
        if found and port:
            port.pfc_oper = Known(found["state"] == "active", Origin.LEARNED, capture.where(index))
        if row:
            first = first or capture.where(index)
            for end, priorities in enabled.items():
                priorities[int(row["priority"])] = row[end] == "True"
    if port and first and len(enabled["own"]) == len(range(8)):
        own, peer = (tuple(p for p, is_on in sorted(each.items()) if is_on) for each in enabled.values())
        port.pfc_priorities = Known(own, Origin.LEARNED, first)
        port.peer_priorities = Known(peer, Origin.LEARNED, first)
    return states
