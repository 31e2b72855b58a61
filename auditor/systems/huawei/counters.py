"""Outputs of CloudEngine switches on queues: frames of PFC, buffers, thresholds of ECN, packets dropped."""

import re

from auditor.grammar.operational import OperationalPort, Ports, keep_count
from auditor.grammar.thresholds import Curve
from auditor.model.buffers import PriorityGroup
from auditor.model.dump import Capture, LineState
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Known, Origin, Setting, Unknown, Where
from auditor.systems.huawei.buffers import KBYTE
from auditor.util.regex import regex

PFC_SIGN = regex(r"^[^\S\n]*Interface +Queue +Received\(Frames\) +ReceivedRate\(pps\)", re.MULTILINE)
_RECEIVED = regex(
    r"(?P<port>\d{0,3}[A-Za-z][\w-]{0,24}\d\S{0,24})\s+(?P<queue>[0-7])\s+(?P<count>\d{1,20})\s+\d+\s+\d+"
)
_SENT = regex(r"(?P<count>\d{1,20})\s+\d+\s+\d+")


def read_pfc_counters(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display dcb pfc`: two lines for each queue, of which the second counts what was sent."""
    states = []
    counted: tuple[OperationalPort, str] | None = None
    for index, line in enumerate(capture.lines):
        received, sent, where = _RECEIVED.fullmatch(line.strip()), _SENT.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if received or (sent and counted) else LineState.IGNORED)
        if received:
            counted = ports.setdefault(received["port"], OperationalPort(where)), received["queue"]
            keep_count(counted[0].counters, f"rx_pfc_{received['queue']}", received["count"], where)
        elif sent and counted:
            keep_count(counted[0].counters, f"tx_pfc_{counted[1]}", sent["count"], where)
            counted = None
    return states


BUFFER_SIGN = regex(r"^[^\S\n]*Interface +Queue +(?:Guaranteed +Xon-Lowest|Xon +Xoff)\b", re.MULTILINE)
_SIZE = r"\d+\([BKD]\)"
_BUFFER = regex(rf"(?P<port>\S+)\s+(?P<queue>[0-7])\s+(?P<sizes>{_SIZE}(?:\s+{_SIZE})+)")
_COLUMNS = {5: ("reserved", "lowest", "offset", "xoff", "headroom"), 2: ("xon", "xoff")}


def read_buffers(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display dcb pfc buffer`: the sizes for each paused priority."""
    states = []
    for index, line in enumerate(capture.lines):
        row, where = _BUFFER.fullmatch(line.strip()), capture.where(index)
        columns = _COLUMNS.get(len(row["sizes"].split())) if row else None
        states.append(LineState.MODELLED if columns else LineState.IGNORED)
        if row and columns:
            sizes = dict(zip(columns, (_read_size(each, where) for each in row["sizes"].split()), strict=True))
            port = ports.setdefault(row["port"], OperationalPort(where))
            port.groups[int(row["queue"])] = _build_group(int(row["queue"]), sizes, where)
    return states


_FACTOR = Unknown("the factor that the number of a dynamic threshold stands for is on no page that could be read")
_ABSENT = Unknown("the output does not show this")
_UNITS = {"B": 1, "K": KBYTE}


def _read_size(text: str, where: Where) -> Setting[int]:
    number, unit = text.rstrip(")").split("(")
    return _FACTOR if unit == "D" else Known(int(number) * _UNITS[unit], Origin.LEARNED, where)


def _build_group(queue: int, sizes: dict[str, Setting[int]], where: Where) -> PriorityGroup:
    own = Known((queue,), Origin.LEARNED, where)
    return PriorityGroup(
        pg=queue,
        priorities=own,
        paused_for=own,
        lossless=Known(value=True, origin=Origin.LEARNED, where=where),
        reserved_bytes=sizes.get("reserved", _ABSENT),
        xon_bytes=sizes.get("xon", _ABSENT),
        xon_offset_bytes=sizes.get("offset", _ABSENT),
        xoff_bytes=sizes.get("headroom", _ABSENT),
        alpha=_FACTOR if isinstance(sizes["xoff"], Unknown) else _ABSENT,
        static_threshold_bytes=sizes["xoff"],
    )


QUEUE_SIGN = regex(r"^[^\S\n]*Queue +CIR/PIR +Passed +Pass Rate +Dropped\b", re.MULTILINE)
_QUEUE_HEAD = regex(r"Queue statistics info: interface (?P<port>\S+)")
_QUEUE_ROW = regex(r"(?P<queue>[0-7])\s+\d+\s+(?P<passed>\d+|-)\s+(?:\d+|-)\s+(?P<dropped>\d+|-)\s+(?:\d+|-)(?:\s.*)?")


def read_queue_counters(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display qos queue statistics`: the packets that each queue dropped."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, row = _QUEUE_HEAD.fullmatch(text), _QUEUE_ROW.fullmatch(text)
        if head:
            port = ports.setdefault(head["port"], OperationalPort(where))
        if row and port:
            keep_count(port.counters, f"tx_queue{row['queue']}_discards", row["dropped"], where)
        states.append(LineState.MODELLED if head or (row and port) else LineState.IGNORED)
    return states


ECN_SIGN = regex(r"^[^\S\n]*Interface +Queue +Min +Max +Probability +Queue Size", re.MULTILINE)
_ECN_ROW = regex(
    r"(?:(?P<port>\d*[A-Za-z]\S*)\s+)?(?P<queue>[0-7])(?P<learns>\*)?\s+\[?(?P<low>\d+)\]?\s+\[?(?P<high>\d+)\]?\s+"
    r"(?P<percent>\d{1,3})\s+\d+"
)


def read_ecn(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display qos ecn threshold`, in kilobytes; a queue whose thresholds are 0 does not mark."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        row, where = _ECN_ROW.fullmatch(line.strip()), capture.where(index)
        if row and row["port"]:
            port = ports.setdefault(row["port"], OperationalPort(where))
        states.append(LineState.MODELLED if row and port else LineState.IGNORED)
        if row and port and int(row["high"]):
            port.curves[int(row["queue"])] = _build_curve(
                int(row["low"]) * KBYTE, int(row["high"]) * KBYTE, int(row["percent"]), where
            )
    return states


AI_SIGN = regex(r"^[^\S\n]*Interface +Queue +Low-Threshold +High-Threshold +Probability +Mode", re.MULTILINE)
_AI_ROW = regex(
    r"(?P<port>\S+)\s+(?P<queue>[0-7])\s+(?P<low>\d+)\s+(?P<high>\d+)\s+(?P<percent>\d{1,3})\s+[A-Z]+(?:\s.*)?"
)


def read_ai_ecn(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display ai-ecn calculated state`: the thresholds in bytes that the switch found."""
    states = []
    for index, line in enumerate(capture.lines):
        row, where = _AI_ROW.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row:
            port = ports.setdefault(row["port"], OperationalPort(where))
            curve = _build_curve(int(row["low"]), int(row["high"]), int(row["percent"]), where)
            port.curves[int(row["queue"])] = curve
    return states


def _build_curve(low: int, high: int, percent: int, where: Where) -> Curve:
    return Curve(
        Known(Threshold(low, Unit.BYTES), Origin.LEARNED, where),
        Known(Threshold(high, Unit.BYTES), Origin.LEARNED, where),
        Known(min(percent, 100) / 100, Origin.LEARNED, where),
    )
