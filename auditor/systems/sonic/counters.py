"""Counters of SONiC: pauses by priority, discards by priority group, discards and ECN marks by queue."""

import re
from collections.abc import Mapping

from auditor.grammar.operational import keep_count
from auditor.model.dump import Capture, LineState
from auditor.systems.sonic.operation import Operation
from auditor.systems.sonic.vocabulary import PORT

_COUNTER_HEAD = re.compile(r"Port (?P<side>Rx|Tx)\s+PFC0\b.*")
_COUNTER_ROW = re.compile(r"(?P<port>Eth\S+)(?P<counts>(?:\s+(?:[\d,]{1,27}|N/A)){8})")


def parse_pauses(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show pfc counters`: a table of frames received by priority, and one of frames sent."""
    states = []
    side = ""
    for index, line in enumerate(capture.lines):
        head, row = _COUNTER_HEAD.fullmatch(line.strip()), _COUNTER_ROW.fullmatch(line.strip())
        side = head["side"].lower() if head else side
        states.append(LineState.MODELLED if row and side else LineState.IGNORED)
        if row and side:
            port = found.port(row["port"], capture.where(index))
            for priority, text in enumerate(row["counts"].split()):
                keep_count(port.counters, f"{side}_prio{priority}_pause", text, capture.where(index))
    return states


_DISCARDS = re.compile(r"Ingress PG dropped packets:.*")
_TITLE = re.compile(r"[A-Z].*:")


def parse_groups(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show priority-group drop counters`: a column for each ingress priority group; not its watermarks."""
    states = []
    is_drops = False
    columns: list[str] = []
    for index, line in enumerate(capture.lines):
        words = line.split()
        if _TITLE.fullmatch(line.strip()):
            is_drops = _DISCARDS.fullmatch(line.strip()) is not None
        columns = words if words[:2] == ["Port", "PG0"] else columns
        is_row = is_drops and bool(columns) and len(words) == len(columns) and PORT.fullmatch(words[0]) is not None
        states.append(LineState.MODELLED if is_row else LineState.IGNORED)
        for column, text in zip(columns, words, strict=False) if is_row else ():
            if column.startswith("PG"):
                counters = found.port(words[0], capture.where(index)).counters
                keep_count(counters, f"rx_pg{column.removeprefix('PG')}_discards", text, capture.where(index))
    return states


_QUEUE = re.compile(r"(?:UC|ALL)(?P<number>\d{1,2})")
"""Queues of unicast; those of multicast have numbers of their own."""
_COUNTED: Mapping[str, str] = {
    "Drop/pkts": "discards",
    "WredDrp/pkts": "wred_discards",
    "EcnMarked/pkts": "ecn_marked",
}


def parse_queues(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show queue counters` and `show queue wredcounters`: a row for each queue; the head names the columns."""
    states = []
    columns: list[str] = []
    for index, line in enumerate(capture.lines):
        words = line.split()
        columns = words if words[:2] == ["Port", "TxQ"] else columns
        is_row = bool(columns) and len(words) == len(columns) and PORT.fullmatch(words[0]) is not None
        queue = _QUEUE.fullmatch(words[1]) if is_row else None
        states.append(LineState.MODELLED if queue else LineState.IGNORED)
        for column, text in zip(columns, words, strict=False) if queue else ():
            if queue and column in _COUNTED:
                counters = found.port(words[0], capture.where(index)).counters
                keep_count(counters, f"tx_queue{queue['number']}_{_COUNTED[column]}", text, capture.where(index))
    return states
