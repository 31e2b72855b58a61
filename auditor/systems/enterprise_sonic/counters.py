"""PFC frames by priority, as `show … priority-flow-control statistics` counts them."""

from auditor.grammar.operational import keep_count
from auditor.model.dump import Capture, LineState
from auditor.systems.enterprise_sonic.names import parse_port_name
from auditor.systems.sonic.operation import Operation
from auditor.util.regex import regex

_HEAD = regex(r"Flow Control frames (?P<side>received|transmitted)")
_ROW = regex(r"(?P<port>Eth\S+)(?P<counts>(?:\s+(?:[\d,]{1,27}|N/A)){8})")
_SIDES = {"received": "rx", "transmitted": "tx"}


def parse_counters(capture: Capture, start: int, end: int, found: Operation) -> list[LineState]:
    """Read a table of frames received and one of frames sent; *found* takes them by port."""
    states = []
    side = ""
    for index in range(start, end):
        text = capture.lines[index].strip()
        head, row = _HEAD.fullmatch(text), _ROW.fullmatch(text)
        side = _SIDES[head["side"]] if head else side
        port = parse_port_name(row["port"]) if row and side else None
        states.append(LineState.MODELLED if head or port else LineState.IGNORED)
        if row is None or port is None:
            continue
        learned = found.port(port, capture.where(index))
        for priority, text in enumerate(row["counts"].split()):
            keep_count(learned.counters, f"{side}_prio{priority}_pause", text, capture.where(index))
    return states
