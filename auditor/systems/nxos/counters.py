"""Counters of NX-OS: pauses by port and by priority, discards by queue."""

import re

from auditor.grammar.operational import OperationalPort, Ports, keep_count
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Origin, Where
from auditor.systems.nxos.numbers import PORT, complete_name
from auditor.util.regex import regex


def find_port(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    """Return the operational state of the port *name*, None if it is not a physical port."""
    full = complete_name(name)
    return ports.setdefault(full, OperationalPort(where)) if PORT.match(full) else None


_ROW = regex(
    r"(?P<port>Ethernet[\d/]+)\s+(?P<mode>On|Off|Auto)\s+(?P<oper>On|Off)\s+(?:\([^()\s]{1,16}\)\s+)?(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})",
    re.IGNORECASE,
)
_HEAD = regex(r"(?P<port>Ethernet[\d/]+):?")
_OPER = regex(r"Oper Mode: (?P<state>On|Off)", re.IGNORECASE)
_TOTAL = regex(r"Total (?P<side>Rx|Tx) PFC Frames: (?P<count>\d{1,20})", re.IGNORECASE)
_SIDE = regex(r"(?P<side>Rx|Tx)\s*\|(?P<counts>[\d| ]+)", re.IGNORECASE)


def read_pauses(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface priority-flow-control [detail]`: its mode, whether it runs, its frames by priority."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        row, head = _ROW.match(text), _HEAD.fullmatch(text)
        if found := row or head:
            port = find_port(ports, found["port"], where)
        if port and row:
            port.pfc_mode = Known(PfcMode(row["mode"].lower()), Origin.LEARNED, where)
            port.pfc_oper = Known(row["oper"].lower() == "on", Origin.LEARNED, where)
            for side in ("rx", "tx"):
                keep_count(port.counters, f"{side}_pfc", row[side], where)
        is_read = bool(row or head) or (port is not None and _detail(port, text, where))
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    return states


def _detail(port: OperationalPort, text: str, where: Where) -> bool:
    oper, total, side = _OPER.fullmatch(text), _TOTAL.fullmatch(text), _SIDE.fullmatch(text)
    if oper:
        port.pfc_oper = Known(oper["state"].lower() == "on", Origin.LEARNED, where)
    if total:
        keep_count(port.counters, f"{total['side'].lower()}_pfc", total["count"], where)
    if side:
        for priority, count in enumerate(side["counts"].split("|")[:8]):
            keep_count(port.counters, f"{side['side'].lower()}_pfc_{priority}", count.strip(), where)
    return bool(oper or total or side)


_QUEUING = regex(r"(?:Egress|Ingress) Queuing for (?P<port>Ethernet[\d/]+)\b.*")
_GROUP = regex(r"\|\s*(?P<group>(?:[A-Z]+ )?QOS GROUP(?: (?P<number>\d{1,2}))?)\s*\|")
_DISCARDED = regex(r"(?:\|.*)?\|\s*(?:WRED(?:/AFD)? & Tail Drop|Dropped) Pkts\s*\|\s*(?P<count>\d{1,20})\s*\|.*")
_COS = regex(
    r"(?P<cos>[0-7])(?:\s+(?:-|\d{1,2})){1,2}\s+(?:In)?active\s+(?P<tx>\d{1,20})\s+(?:In)?active\s+(?P<rx>\d{1,20})",
    re.IGNORECASE,
)


def read_queuing(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show queuing interface`: discards of unicast by qos-group, and frames of PFC by priority."""
    states = []
    port: OperationalPort | None = None
    queue = ""
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, group, discarded, cos = (p.fullmatch(text) for p in (_QUEUING, _GROUP, _DISCARDED, _COS))
        if head:
            port, queue = find_port(ports, head["port"], where), ""
        elif group:
            queue = group["number"] or "" if group["group"].startswith("QOS") else ""
        elif port and discarded and queue:
            keep_count(port.counters, f"tx_queue{queue}_discards", discarded["count"], where)
        elif port and cos:
            for side in ("rx", "tx"):
                keep_count(port.counters, f"{side}_pfc_{cos['cos']}", cos[side], where)
        is_read = head or (group and queue) or (discarded and queue) or cos
        states.append(LineState.MODELLED if port and is_read else LineState.IGNORED)
    return states
