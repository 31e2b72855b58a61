"""Counters of Junos: pauses by priority, discards and ECN marks by queue."""

from auditor.grammar.operational import Counts, keep_count
from auditor.model.setting import Where
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(slots=True)
class CounterHead:
    """The head above a line."""

    head: str = ""
    queue: str = ""


_HEAD = regex(
    r"(?P<head>Physical interface|MAC statistics|MAC Priority Flow Control Statistics|(?:In|E)gress queues|"
    r"Queue counters|Queue number|Filter statistics|Packet Forwarding Engine configuration|CoS information|"
    r"Logical interface)\b"
)
_EGRESS = "Egress queues"
_PAUSES = "MAC Priority Flow Control Statistics"
_PRIORITY = regex(r"Priority\s*:\s*(?P<priority>[0-7])\s+(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})")
_LINK_PAUSES = regex(r"MAC pause frames\s+(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})")
_ROW = regex(r"(?P<queue>\d{1,2})(?: [\w.-]+)?\s+\d\S*\s+\d\S*\s+(?P<count>\d{1,20})")
_QUEUE = regex(r"Queue: (?P<queue>\d{1,2})(?:,.*)?")
_DISCARDED = regex(r"(?P<what>Tail-dropped|RED-dropped|ECN-CE) packets\s*:\s*(?P<count>\d{1,20})\b.*")
_NAMES = {"Tail-dropped": "tail_discards", "RED-dropped": "wred_discards", "ECN-CE": "ecn_marked"}


def read(line: str, table: CounterHead, counters: Counts, where: Where) -> bool:
    """Keep the count in a line of `show interfaces extensive` or `show interfaces queue`; return whether it has one.

    Only egress queues count: ingress queues have the same words and come first.
    """
    text = line.strip()
    head = _HEAD.match(text)
    if head:
        is_egress = table.head == _EGRESS and head["head"] == "Queue counters"
        table.head, table.queue = (_EGRESS if is_egress else head["head"]), ""
        return False
    if queue := _QUEUE.fullmatch(text):
        table.queue = queue["queue"] if table.head == _EGRESS else ""
        return bool(table.queue)
    pause = _PRIORITY.fullmatch(text) if table.head == _PAUSES else _LINK_PAUSES.fullmatch(text)
    told = _DISCARDED.fullmatch(text) if table.queue else None
    row = _ROW.fullmatch(text) if table.head == _EGRESS and not table.queue else None
    if pause:
        name = f"pfc_{pause['priority']}" if table.head == _PAUSES else "pause_frames"
        for side in ("rx", "tx"):
            keep_count(counters, f"{side}_{name}", pause[side], where)
    elif told:
        keep_count(counters, f"tx_queue{table.queue}_{_NAMES[told['what']]}", told["count"], where)
    elif row:
        keep_count(counters, f"tx_queue{row['queue']}_discards", row["count"], where)
    return bool(pause or told or row)
