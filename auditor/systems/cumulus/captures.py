"""`nv show` outputs on quality of service, as operational state of one port or of all."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import PurePath

from auditor.grammar.numbers import parse_whole
from auditor.grammar.operational import Counts, keep_count
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.port import PeerPort
from auditor.model.qos import Scheduler, Trust
from auditor.model.setting import Known, Origin, Setting, Unset, Where
from auditor.systems.cumulus.names import PORT, parse_numbers
from auditor.systems.cumulus.objects import parse_gbps, parse_switch
from auditor.systems.linux.modules import parse_module
from auditor.util.regex import regex
from auditor.util.values import dataclass

_NOTHING = Unset()
_NO_MODULE = Module()
KILO = 1024
"""`nv show` counts KB and MB by 1024: 150000 bytes are shown as 146.48 KB."""


@dataclass(slots=True)
class PortStatus:
    """The operational state of `port`, or of all ports if `port` is empty."""

    port: str
    where: Where
    paused: Setting[tuple[int, ...]] = _NOTHING
    pauses: Setting[bool] = _NOTHING
    honours: Setting[bool] = _NOTHING
    cable_length_m: Setting[float] = _NOTHING
    trust: Setting[Trust] = _NOTHING
    watchdog: Setting[bool] = _NOTHING
    marking_queues: Setting[tuple[int, ...]] = _NOTHING
    kmin_bytes: Setting[float] = _NOTHING
    kmax_bytes: Setting[float] = _NOTHING
    probability: Setting[float] = _NOTHING
    classes: dict[int, Known[str]] = field(default_factory=dict)
    pcp_classes: dict[int, Known[str]] = field(default_factory=dict)
    queues: dict[int, Known[int]] = field(default_factory=dict)
    schedulers: dict[int, Known[tuple[Scheduler, float | None]]] = field(default_factory=dict)
    counters: Counts = field(default_factory=dict)
    enabled: Setting[bool] = _NOTHING
    speed_gbps: Setting[float] = _NOTHING
    mtu_bytes: Setting[int] = _NOTHING
    fec: Setting[str] = _NOTHING
    mac: Setting[str] = _NOTHING
    peer: Setting[PeerPort] = _NOTHING
    module: Module = _NO_MODULE


_INTERFACE = regex(r"(?:sudo )?nv show interface (?P<port>swp\w+)(?: (?:counters )?qos)?(?: (?P<section>.+))?")
_SECTIONS = frozenset({"pfc", "pfc-watchdog", "congestion-control", "link"})
"""Sections of which all keys are read, also where one stands under a key of its own."""
_HEADING = regex(r"\s*operational\s+applied")
_GLOBAL = regex(r"enable\s{2,}")
"""A line that `nv show qos roce` has and the outputs of one port have not."""
_RULE = regex(r"[-=\s]+\Z")
_TRUSTS = {"pcp,dscp": Trust.BOTH, "dscp": Trust.DSCP, "pcp": Trust.PCP, "port": Trust.NONE}
_SIZE = regex(r"(?P<number>\d{1,9}(?:\.\d{1,4})?) ?(?P<unit>[KMG]?B|Bytes)\Z")
_MAP_ROW = regex(r"\s+(?:\d|cnp|roce)\s+(?P<pcp>[\d,]+|-)\s+(?P<dscp>[\d,]+|-)\s+(?P<priority>[0-7])\s*\Z")
_QUEUE_ROW = regex(
    r"\s+(?:\d|cnp|roce)\s+(?P<priority>[0-7])\s+(?P<queue>\d{1,2})\s+"
    r"(?:dwrr-(?P<percent>\d{1,3})%|strict[ -]priority)\s*\Z",
    re.IGNORECASE,
)


_OF_MODULE = regex(r"(?:sudo )?ethtool --?[a-z-]+ (?P<port>swp\w+)")


def read_module(capture: Capture, states: list[LineState]) -> list[PortStatus]:
    """Return the module that `ethtool -m` shows of one port; mark each line in *states*."""
    command = capture.command or PurePath(capture.file).stem.replace("_", " ")
    told = _OF_MODULE.match(command)
    if told is None or not PORT.match(told["port"]):
        return []
    plugged, lines = parse_module(capture)
    for index, is_kept in lines.items():
        states[index] = LineState.MODELLED if is_kept else LineState.IGNORED
    return [PortStatus(told["port"], capture.where(0), module=plugged.module)]


def read(capture: Capture, states: list[LineState]) -> list[PortStatus]:
    """Return the operational state in the output, nothing for an unnamed port; mark each line in *states*."""
    command = capture.command or PurePath(capture.file).stem.replace("_", " ")
    told = _INTERFACE.match(command)
    is_port = told is not None and PORT.match(told["port"]) is not None
    is_global = "qos roce" in command or any(_GLOBAL.match(line) for line in capture.lines)
    if any(line.lstrip().startswith("{") for line in capture.lines[:1]) or not (is_port or is_global):
        states[:] = [LineState.NOT_MODELLED] * len(states)
        return []
    learned = PortStatus(told["port"] if told and is_port else "", capture.where(0))
    section = (told["section"] or "") if told else ""
    prefix = section if section in _SECTIONS else ""
    columns: tuple[int, int] | None = None
    table = ""
    counted: Sequence[str] = ()
    for index, line in enumerate(capture.lines):
        states[index] = LineState.IGNORED
        heading = _HEADING.match(line)
        if heading:
            columns = (line.index("operational"), line.index("applied"))
            continue
        if line and not line[0].isspace() and index + 1 < len(capture.lines) and capture.lines[index + 1][:3] == "===":
            table, counted = line.strip(), ()
            continue
        if _COLUMNS.fullmatch(line):
            counted = line.split()
            continue
        if not line.strip() or _RULE.match(line):
            continue
        if counted and _count(learned, counted, line, capture.where(index)):
            read_row = True
        elif table:
            read_row = _row(learned, table, line, capture.where(index))
        else:
            key, value, prefix = _pair(line, columns, prefix)
            read_row = bool(value) and _learn(learned, key, value, capture.where(index))
        if read_row:
            states[index] = LineState.MODELLED
    _count_roce(learned, capture, states)
    return [learned]


def _pair(line: str, columns: tuple[int, int] | None, prefix: str) -> tuple[str, str, str]:
    """Return path and value of a line, the operational value if present, and the section that continues below."""
    key = line.split(maxsplit=1)[0]
    if columns is None:
        value = line.strip()[len(key) :].strip()
    else:
        value = line[columns[0] : columns[1]].strip() or " ".join(line[columns[1] :].split("  ", maxsplit=1)[0].split())
    indented = line[:1].isspace()
    if not indented and not value:
        return key, "", key
    path = f"{prefix}/{key}" if prefix and (indented or prefix in _SECTIONS) else key
    return path, value, prefix if indented or path != key else ""


def _learn(learned: PortStatus, key: str, value: str, where: Where) -> bool:
    """Keep one value; return whether the configuration has a counterpart."""
    name, convert = _VALUES.get(key, ("", _bytes))
    found = convert(value) if name else None
    if found is None:
        return False
    setattr(learned, name, Known(found, Origin.LEARNED, where))
    return True


def _priorities(text: str) -> tuple[int, ...] | None:
    return () if text == "-" else parse_numbers(text, 0, 15)


def _metres(text: str) -> float | None:
    metres = parse_whole(text)
    return None if metres is None else float(metres)


def _share(text: str) -> float | None:
    percent = parse_whole(text, range(101))
    return None if percent is None else percent / 100


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{2,5}", text) else None


def _fec(text: str) -> str | None:
    return text if text in {"rs", "baser", "off"} else None


def _mac(text: str) -> str | None:
    return text if re.fullmatch(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", text) else None


def _bytes(text: str) -> float | None:
    """Return a size as `nv show` prints it.

    >>> _bytes("146.48 KB"), _bytes("40000 B"), _bytes("-")
    (149995.52, 40000.0, None)
    """
    match = _SIZE.match(text)
    if match is None:
        return None
    factor = {"K": KILO, "M": KILO * KILO, "G": KILO * KILO * KILO}.get(match["unit"][0], 1)
    return float(match["number"]) * factor


_VALUES: Mapping[str, tuple[str, Callable[[str], object]]] = {
    **dict.fromkeys(("pfc/pfc-priority", "pfc/[switch-priority]", "pfc/switch-priority"), ("paused", _priorities)),
    **dict.fromkeys(("pfc/tx-enabled", "pfc/tx"), ("pauses", parse_switch)),
    **dict.fromkeys(("pfc/rx-enabled", "pfc/rx"), ("honours", parse_switch)),
    "pfc-watchdog/state": ("watchdog", parse_switch),
    "pfc/cable-length": ("cable_length_m", _metres),
    "trust/trust-mode": ("trust", _TRUSTS.get),
    "congestion-control/enabled-tc": ("marking_queues", _priorities),
    "congestion-control/min-threshold": ("kmin_bytes", _bytes),
    "congestion-control/max-threshold": ("kmax_bytes", _bytes),
    "congestion-control/probability": ("probability", _share),
    "link/speed": ("speed_gbps", parse_gbps),
    "link/mtu": ("mtu_bytes", _whole),
    "link/fec": ("fec", _fec),
    "link/admin-status": ("enabled", {"up": True, "down": False}.get),
    **dict.fromkeys(("link/mac-address", "link/mac"), ("mac", _mac)),
}
"""What the outputs name, by section and key: the field it is learned as, and how its text is read."""


def _row(learned: PortStatus, table: str, line: str, where: Where) -> bool:
    """Keep one row of a table; return whether the row is valid."""
    if "->SP" in table and (match := _MAP_ROW.match(line)):
        priority = Known(match["priority"], Origin.LEARNED, where)
        learned.classes |= dict.fromkeys(_list_numbers(match["dscp"], 63), priority)
        learned.pcp_classes |= dict.fromkeys(_list_numbers(match["pcp"], 7), priority)
        return True
    if "SP->TC" in table and (match := _QUEUE_ROW.match(line)):
        queue = int(match["queue"])
        learned.queues[int(match["priority"])] = Known(queue, Origin.LEARNED, where)
        told = (Scheduler.DWRR, float(match["percent"])) if match["percent"] else (Scheduler.STRICT, None)
        learned.schedulers[queue] = Known(told, Origin.LEARNED, where)
        return True
    return False


_COLUMNS = regex(r"\s*(?:switch-priority|priority-group|traffic-class)(?:\s{2,}[a-z-]+)+\s*")
_COUNTED: Mapping[tuple[str, str], str] = {
    ("switch-priority", "rx-pause-frames"): "rx_pfc_{}",
    ("switch-priority", "tx-pause-frames"): "tx_pfc_{}",
    ("priority-group", "rx-buffer-discards"): "rx_pg{}_discards_bytes",
    ("priority-group", "rx-shared-buffer-discards"): "rx_pg{}_shared_discards_bytes",
    ("traffic-class", "tx-uc-buffer-discards"): "tx_queue{}_discards_bytes",
    ("traffic-class", "wred-discards"): "tx_queue{}_wred_discards",
}
"""Columns of counters that are kept, by the first column of their table and their own name."""


def _count(learned: PortStatus, columns: Sequence[str], line: str, where: Where) -> bool:
    """Keep the count of a row of counters; return whether the row is one."""
    fields = re.split(r"\s{2,}", line.strip())
    if len(fields) != len(columns) or parse_whole(fields[0], range(16)) is None:
        return False
    names = {column: _COUNTED.get((columns[0], column)) for column in columns}
    for column, text in zip(columns, fields, strict=True):
        if name := names[column]:
            size = _bytes(text)
            keep_count(learned.counters, name.format(fields[0]), text if size is None else str(round(size)), where)
    return any(names.values())


_STATS = regex(r"[rt]x-(?:non-roce|roce|cnp|ecn|pfc)-stats")
_ROCE_COUNTED: Mapping[tuple[str, str], str] = {
    ("rx-roce-stats", "no-buffer-discard"): "rx_pg3_discards",
    ("tx-roce-stats", "unicast-no-buffer-discard"): "tx_queue3_discards",
    ("tx-cnp-stats", "unicast-no-buffer-discard"): "tx_queue6_discards",
    ("tx-ecn-stats", "ecn-marked-packets"): "tx_queue3_ecn_marked",
    ("rx-pfc-stats", "pause-packets"): "rx_pfc_3",
    ("tx-pfc-stats", "pause-packets"): "tx_pfc_3",
}
"""Counters of `nv show interface IF qos roce counters` by section; RoCE has priority 3 there, CNPs have 6."""


def _count_roce(learned: PortStatus, capture: Capture, states: list[LineState]) -> None:
    """Keep the counts of RoCE's own sections."""
    section = ""
    for index, line in enumerate(capture.lines):
        words = line.split(maxsplit=2)
        if len(words) == 1 and _STATS.fullmatch(words[0]):
            section = words[0]
        elif len(words) > 1 and (name := _ROCE_COUNTED.get((section, words[0]))):
            keep_count(learned.counters, name, words[1], capture.where(index))
            states[index] = LineState.MODELLED


def _list_numbers(text: str, highest: int) -> Iterator[int]:
    yield from () if text == "-" else parse_numbers(text, 0, highest) or ()
