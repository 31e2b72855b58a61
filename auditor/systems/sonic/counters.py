"""Counters of SONiC: pauses by priority, discards by priority group, discards and ECN marks by queue."""

from collections.abc import Mapping

from auditor.grammar.operational import keep_count
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Where
from auditor.systems.sonic.operation import Operation, PortOperation
from auditor.systems.sonic.vocabulary import PORT
from auditor.util.regex import regex

_CLEARED = regex(r"(?:Ethernet\S+ )?Last cached time was (?P<since>\d{4}-\d\d-\d\d[T ][\d:.]{5,18})\s*")
"""The line above counters that were cleared: they count since then (sonic-net/sonic-utilities, scripts/pfcstat)."""
_COUNTER_HEAD = regex(r"Port (?P<side>Rx|Tx)\s+PFC0\b.*")
_COUNTER_ROW = regex(r"(?P<port>Eth\S+)(?P<counts>(?:\s+(?:[\d,]{1,27}|N/A)){8})")


def _find_since(line: str) -> str:
    match = _CLEARED.fullmatch(line)
    return match["since"] if match else ""


def _keep(port: PortOperation, name: str, text: str, where: Where, since: str) -> None:
    """Keep a count of *port*, and *since* when it counts."""
    keep_count(port.counters, name, text, where)
    if since:
        port.counted_since[name] = since


def parse_pauses(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show pfc counters`: a table of frames received by priority, and one of frames sent."""
    states = []
    side = since = ""
    for index, line in enumerate(capture.lines):
        since = _find_since(line) or since
        head, row = _COUNTER_HEAD.fullmatch(line.strip()), _COUNTER_ROW.fullmatch(line.strip())
        side = head["side"].lower() if head else side
        states.append(LineState.MODELLED if row and side else LineState.IGNORED)
        if row and side:
            port = found.port(row["port"], capture.where(index))
            for priority, text in enumerate(row["counts"].split()):
                _keep(port, f"{side}_prio{priority}_pause", text, capture.where(index), since)
    return states


_DISCARDS = regex(r"Ingress PG dropped packets:.*")
_TITLE = regex(r"[A-Z].*:")


def parse_groups(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show priority-group drop counters`: a column for each ingress priority group; not its watermarks."""
    states = []
    is_drops = False
    since = ""
    columns: list[str] = []
    for index, line in enumerate(capture.lines):
        since = _find_since(line) or since
        words = line.split()
        if _TITLE.fullmatch(line.strip()):
            is_drops = _DISCARDS.fullmatch(line.strip()) is not None
        columns = words if words[:2] == ["Port", "PG0"] else columns
        is_row = is_drops and 0 < len(words) == len(columns) and PORT.fullmatch(words[0]) is not None
        states.append(LineState.MODELLED if is_row else LineState.IGNORED)
        for column, text in zip(columns, words, strict=False) if is_row else ():
            if column.startswith("PG"):
                port = found.port(words[0], capture.where(index))
                _keep(port, f"rx_pg{column.removeprefix('PG')}_discards", text, capture.where(index), since)
    return states


_QUEUE = regex(r"(?:UC|ALL)(?P<number>\d{1,2})")
"""Queues of unicast; those of multicast have numbers of their own."""
_COUNTED: Mapping[str, str] = {
    "Drop/pkts": "discards",
    "WredDrp/pkts": "wred_discards",
    "EcnMarked/pkts": "ecn_marked",
}


def parse_queues(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show queue counters` and `show queue wredcounters`: a row for each queue; the head names the columns."""
    states = []
    since = ""
    columns: list[str] = []
    for index, line in enumerate(capture.lines):
        since = _find_since(line) or since
        words = line.split()
        columns = words if words[:2] == ["Port", "TxQ"] else columns
        is_row = 0 < len(words) == len(columns) and PORT.fullmatch(words[0]) is not None
        queue = _QUEUE.fullmatch(words[1]) if is_row else None
        states.append(LineState.MODELLED if queue else LineState.IGNORED)
        for column, text in zip(columns, words, strict=False) if queue else ():
            if queue and column in _COUNTED:
                port = found.port(words[0], capture.where(index))
                _keep(port, f"tx_queue{queue['number']}_{_COUNTED[column]}", text, capture.where(index), since)
    return states
