"""The tables of `nv show interface` and `nv show interface lldp`: state, speed, MTU and neighbour of each port."""

from collections.abc import Mapping

from auditor.grammar.numbers import parse_whole
from auditor.model.dump import Capture, LineState
from auditor.model.port import PeerPort
from auditor.model.setting import Known, Origin, Where
from auditor.systems.cumulus.captures import PortStatus
from auditor.systems.cumulus.names import PORT
from auditor.systems.cumulus.objects import parse_gbps
from auditor.util.regex import regex

_HEAD = regex(r"Interface\s{2,}+.*\bRemote Host\s{2,}+Remote Port")
_COLUMN = regex(r"\S+(?: \S+)*")


def is_table(capture: Capture) -> bool:
    """Return whether *capture* is a table of `nv show interface`."""
    return any(_HEAD.match(line) for line in capture.lines[:5])


def read(capture: Capture, states: list[LineState]) -> list[PortStatus]:
    """Return the operational state of each port in the table; mark each line in *states*."""
    columns: Mapping[str, tuple[int, int | None]] = {}
    found: list[PortStatus] = []
    for index, line in enumerate(capture.lines):
        states[index] = LineState.IGNORED
        if _HEAD.match(line):
            heads = list(_COLUMN.finditer(line))
            ends = [head.start() for head in heads[1:]]
            columns = {h[0]: (h.start(), end) for h, end in zip(heads, (*ends, None), strict=True)}
            continue
        row = {name: line[start:end].strip() for name, (start, end) in columns.items()}
        name = row.get("Interface", "").removeprefix("+ ")
        if PORT.match(name):
            states[index] = LineState.MODELLED
            found.append(_parse_row(name, row, capture.where(index)))
    return found


def _parse_row(name: str, row: Mapping[str, str], where: Where) -> PortStatus:
    learned = PortStatus(name, where)
    speed = parse_gbps(row.get("Speed", ""))
    if speed is not None:
        learned.speed_gbps = Known(speed, Origin.LEARNED, where)
    mtu = parse_whole(row.get("MTU", ""))
    if mtu is not None:
        learned.mtu_bytes = Known(mtu, Origin.LEARNED, where)
    if row.get("Admin Status") in {"up", "down"}:
        learned.enabled = Known(row["Admin Status"] == "up", Origin.LEARNED, where)
    if row.get("Remote Host") and row.get("Remote Port"):
        peer = PeerPort(row["Remote Host"], row["Remote Port"], "lldp")
        learned.peer = Known(peer, Origin.LEARNED, where)
    return learned
