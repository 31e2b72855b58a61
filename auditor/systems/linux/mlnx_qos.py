"""`mlnx_qos -i IF`: trust, DSCP map, PFC, receive buffers and traffic classes of an NVIDIA port."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TypeAlias

from auditor.model.buffers import PriorityGroup
from auditor.model.dump import Capture, Doubt
from auditor.model.nic import Nic
from auditor.model.port import Pfc, PortConfig
from auditor.model.qos import Classification, Queue, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where
from auditor.systems.linux import qos, text
from auditor.systems.linux.command import QOS, Command
from auditor.systems.linux.evidence import Call, Event, Events, PortFact, Rank
from auditor.systems.linux.facts import make_port, make_service
from auditor.systems.linux.fetch import MLX, NETDEV, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.memo import remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

_WARNING = regex(r"\*{3,}.*")
_DCBX = regex(r"DCBX mode:\s*(.*)", re.IGNORECASE)
_TRUST = regex(r"Priority trust state:\s*(\S*)", re.IGNORECASE)
_DSCP_HEAD = regex(r"dscp2prio mapping:")
_DSCP = regex(r"prio:\s*(\S+)\s+dscp:\s*(.*)")
_DEFAULT = regex(r"default priority:\s*(\S*)")
_BUFFERS = regex(r"Receive buffer size \(bytes\):([^a-z]*)(?:(?:max_buffer|total)_size.*)?")
_CABLE = regex(r"Cable len:\s*(\S*)")
_PFC_HEAD = regex(r"PFC configuration:")
_ROW = regex(r"(priority|enabled|buffer)(?:\s|:\s(?=\s*(?:\d+\s+){7}\d+$))([\d\s]+)")
_ROW_HEAD = regex(r"(?:priority|enabled|buffer)\s(.*)")
_CLASS = regex(r"tc:\s*(\S+)\s+ratelimit:\s*+([^,]*),\s*tsa:\s*(\w+)(?:,\s*bw:\s*(\S+?)%?)?")
_CARRIES = regex(r"(?:priority|up):\s*(\S*(?:\s+\d+)*)")
_SOCKET_PRIORITY = regex(r"skprio:\s*\d+(?:\s*\([^()]*\))?")
"""The priority of the kernel's socket priorities, which older releases print below each priority."""
_GBPS = regex(r"([\d.]+)\s*Gbps")

_TRUSTS = {"dscp": Trust.DSCP, "pcp": Trust.PCP, "none": Trust.NONE, "both": Trust.BOTH}


@dataclass(slots=True)
class _Sheet:
    """The values of one port so far."""

    origin: Origin
    trust: Known[Trust] | None = None
    dscps: dict[int, list[Known[str]]] = field(default_factory=dict)
    dscp_head: Where | None = None
    default: Setting[str] = NOT_COLLECTED
    sizes: Known[tuple[int, ...]] | None = None
    cable: Setting[float] = NOT_COLLECTED
    columns: tuple[int, ...] = tuple(text.PRIORITIES)
    enabled: Known[tuple[int, ...]] | None = None
    buffers: Known[tuple[int, ...]] | None = None
    classes: list[qos.EtsClass] = field(default_factory=list)
    carried: dict[int, list[int]] = field(default_factory=dict)
    is_in_class: bool = False
    mode: Setting[str] = NOT_COLLECTED
    lldpad: Where | None = None


def read_mlnx_qos(capture: Capture, call: Call) -> Events:
    """Yield the settings of a capture of `mlnx_qos`, which knows NICs of NVIDIA alone."""
    numbered = tuple(text.list_lines(capture))
    yield from read_lines(capture, numbered, call.subject)
    first = next((index for index, line in numbered if _TRUST.fullmatch(line) or _BUFFERS.fullmatch(line)), None)
    if first is not None:
        where = capture.where(first)
        vendor = Nic(vendor=Known("NVIDIA", Origin.LEARNED, where))
        yield PortFact(call.subject, make_port(PortConfig(nic=vendor), where), rank=Rank.FALLBACK)


def read_lines(capture: Capture, numbered: Sequence[tuple[int, str]], about: Subject) -> Events:
    """Yield the settings of port *about* in the lines *numbered* of *capture*."""
    modes = (_DCBX.fullmatch(line) for _, line in numbered)
    mode = next((m[1].strip().lower() for m in modes if m), "")
    sheet = _Sheet(text.ORIGIN_OF_DCBX.get(mode, Origin.INTENDED))
    for index, line in numbered:
        event = _read_line(sheet, capture, index, line)
        if event is not None:
            yield event
    yield from _find_disagreements(sheet)
    where = capture.where(numbered[0][0]) if numbered else capture.where(0)
    yield PortFact(about, make_port(_build_config(sheet, where), where))
    # the configured length counts only without a measured length
    yield PortFact(about, make_port(PortConfig(cable_length_m=sheet.cable), where), rank=Rank.FALLBACK)
    if sheet.lldpad:
        yield make_service("lldpad", "active", sheet.lldpad)


def _read_line(sheet: _Sheet, capture: Capture, index: int, line: str) -> Event | None:
    found = _match_line(line)
    return found.take(sheet, capture, index, found.match) if found else None


_Take: TypeAlias = Callable[[_Sheet, Capture, int, re.Match[str]], Event | None]


@dataclass(frozen=True, slots=True)
class _MatchedLine:
    """A line as a pattern sees it, and the function that takes its values."""

    take: _Take
    match: re.Match[str]


@remember
def _match_line(line: str) -> _MatchedLine | None:
    found = ((take, pattern.fullmatch(line)) for pattern, take in _TABLE)
    return next((_MatchedLine(take, match) for take, match in found if match), None)


def _take_dcbx(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    mode = {"os controlled": "host", "firmware controlled": "firmware"}.get(match[1].strip().lower())
    if mode is None:
        return text.make_doubt(capture, index, "OS controlled or Firmware controlled")
    sheet.mode = Known(mode, Origin.LEARNED, capture.where(index))
    return mark_modelled(index)


def _take_trust(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    trust = _TRUSTS.get(match[1].lower())
    if trust is None:
        return text.make_doubt(capture, index, "a trust state: dscp, pcp or none")
    sheet.trust = Known(trust, sheet.origin, capture.where(index))
    return mark_modelled(index)


def _take_dscp_head(sheet: _Sheet, capture: Capture, index: int, _: re.Match[str]) -> Event:
    sheet.dscp_head = capture.where(index)
    return mark_ignored(index)


def _take_dscp(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    priority = text.parse_whole(match[1], text.PRIORITIES)
    dscps = text.parse_wholes((d.strip() for d in match[2].split(",") if d.strip()), text.DSCPS)
    if priority is None or dscps is None:
        return text.make_doubt(capture, index, "a priority of 0 to 7 and DSCP values of 0 to 63")
    where = capture.where(index)
    sheet.dscp_head = sheet.dscp_head or where
    known = Known(str(priority), sheet.origin, where)
    for dscp in dscps:
        sheet.dscps.setdefault(dscp, []).append(known)
    return mark_modelled(index)


def _take_default(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    if not match[1]:
        sheet.default = Unset(capture.where(index))
        return mark_modelled(index)
    priority = text.parse_whole(match[1], text.PRIORITIES)
    if priority is None:
        return text.make_doubt(capture, index, "a priority of 0 to 7")
    sheet.default = Known(str(priority), sheet.origin, capture.where(index))
    return mark_modelled(index)


def _take_buffers(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    sizes = text.parse_wholes((s.strip() for s in match[1].split(",") if s.strip()), range(text.MAX_SIZE))
    if sizes is None or len(sizes) != len(text.PRIORITIES):
        return text.make_doubt(capture, index, "eight buffer sizes in bytes")
    sheet.sizes = Known(sizes, sheet.origin, capture.where(index))
    return mark_modelled(index)


def _take_cable(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    length = text.parse_number(match[1], most=100_000)
    if length is None:
        return text.make_doubt(capture, index, "a cable length in metres")
    sheet.cable = Known(length, sheet.origin, capture.where(index))
    return mark_modelled(index)


def _take_row(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    values = text.parse_wholes(match[2].split(), text.PRIORITIES)
    if match[1] == "priority":
        if values is None or len(set(values)) != len(values):
            sheet.columns = ()
            return text.make_doubt(capture, index, "the priorities of the columns")
        sheet.columns = values
        return mark_ignored(index)
    if values is None or len(values) != len(sheet.columns) or set(sheet.columns) != set(text.PRIORITIES):
        return text.make_doubt(capture, index, "one number for each of the priorities 0 to 7")
    row = dict(zip(sheet.columns, values, strict=True))
    in_order = tuple(row[priority] for priority in text.PRIORITIES)
    if match[1] == "buffer":
        sheet.buffers = Known(in_order, sheet.origin, capture.where(index))
        return mark_modelled(index)
    if not set(values) <= {0, 1}:
        return text.make_doubt(capture, index, "0 or 1 for each priority")
    enabled = tuple(priority for priority in text.PRIORITIES if row[priority])
    sheet.enabled = Known(enabled, sheet.origin, capture.where(index))
    return mark_modelled(index)


def _take_broken_row(_: _Sheet, capture: Capture, index: int, __: re.Match[str]) -> Event:
    return text.make_doubt(capture, index, "one number for each of the priorities 0 to 7")


def _take_class(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    where = capture.where(index)
    number, rate = text.parse_whole(match[1], text.PRIORITIES), _GBPS.fullmatch(match[2].strip())
    gbps = text.parse_number(rate[1]) if rate else None
    share = text.parse_number(match[4], most=100) if match[4] else None
    algorithm = match[3].lower()
    sheet.is_in_class = False
    is_rate_read = gbps is not None or match[2].strip() == "unlimited"
    is_share_read = share is not None or not match[4]
    if number is None or number in sheet.carried or algorithm not in qos.SCHEDULERS:
        return text.make_doubt(capture, index, "a traffic class of 0 to 7, once, with tsa strict, ets or vendor")
    sheet.is_in_class = True
    sheet.carried[number] = []
    known_share = None if share is None else Known(share, sheet.origin, where)
    known_rate = None if gbps is None else Known(gbps, sheet.origin, where)
    head: Known[object] = Known(match[0], sheet.origin, where)
    sheet.classes.append(qos.EtsClass(number, algorithm, head, known_share, known_rate))
    if not (is_rate_read and is_share_read):
        return text.make_doubt(capture, index, "a rate limit in Gbps or unlimited, and a share of 0 to 100 per cent")
    return mark_modelled(index)


def _take_carries(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event | None:
    if not sheet.classes:
        return None  # the lines of the classes were cut
    priorities = text.parse_wholes(match[1].split(), text.PRIORITIES)
    if not priorities or not sheet.is_in_class:
        return text.make_doubt(capture, index, "a priority of 0 to 7 below its traffic class")
    sheet.carried[sheet.classes[-1].number].extend(priorities)
    return mark_modelled(index)


def _take_warning(sheet: _Sheet, capture: Capture, index: int, match: re.Match[str]) -> Event:
    if "lldpad service is running" not in match[0]:
        return mark_not_modelled(index)
    sheet.lldpad = capture.where(index)
    return mark_modelled(index)


_TABLE = (
    (_DCBX, _take_dcbx),
    (_TRUST, _take_trust),
    (_DSCP_HEAD, _take_dscp_head),
    (_DSCP, _take_dscp),
    (_DEFAULT, _take_default),
    (_BUFFERS, _take_buffers),
    (_CABLE, _take_cable),
    (_PFC_HEAD, lambda _, __, index, ___: mark_ignored(index)),
    (_ROW, _take_row),
    (_CLASS, _take_class),
    (_CARRIES, _take_carries),
    (_SOCKET_PRIORITY, lambda _, __, index, ___: mark_not_modelled(index)),
    (_ROW_HEAD, _take_broken_row),
    (_WARNING, _take_warning),
)


def _find_disagreements(sheet: _Sheet) -> Iterable[Doubt]:
    for dscp, entries in sheet.dscps.items():
        if len({entry.value for entry in entries}) > 1 and entries[-1].where:
            yield Doubt(entries[-1].where, f"dscp {dscp}", f"DSCP {dscp} on one priority; found several")


def _build_config(sheet: _Sheet, where: Where) -> PortConfig:
    queues = tuple(_build_queue(sheet, entry) for entry in sheet.classes)
    return PortConfig(
        pfc=qos.make_pfc(sheet.enabled) if sheet.enabled else Pfc(),
        classification=_build_classification(sheet, queues, where),
        queues=Known(queues, sheet.origin, _place_queues(sheet, where)) if queues else NOT_COLLECTED,
        priority_groups=_build_groups(sheet),
        nic=Nic(
            receive_buffers_bytes=sheet.sizes or NOT_COLLECTED,
            cable_length_m=sheet.cable,
            dcbx_mode=sheet.mode,
        ),
    )


def _place_queues(sheet: _Sheet, where: Where) -> Where | None:
    return sheet.classes[0].head.where if sheet.classes else where


def _build_queue(sheet: _Sheet, each: qos.EtsClass) -> Queue:
    carried = {priority for priorities in sheet.carried.values() for priority in priorities}
    if carried != set(text.PRIORITIES):  # an excerpt without all lines below each class
        return each.queue(NOT_COLLECTED)
    return each.queue(Known(tuple(sorted(set(sheet.carried[each.number]))), sheet.origin, each.head.where))


def _build_classification(sheet: _Sheet, queues: tuple[Queue, ...], where: Where) -> Classification:
    is_shown = bool(sheet.enabled or sheet.buffers or queues or sheet.dscps)
    priorities = qos.Priorities(
        queues=qos.map_queues(queues),
        groups=_map_buffers(sheet),
        lossless=sheet.enabled or NOT_COLLECTED,
    )
    by_pcp = sheet.trust is not None and sheet.trust.value is Trust.PCP
    table = {d: e[0] for d, e in sorted(sheet.dscps.items()) if len({entry.value for entry in e}) == 1}
    return Classification(
        trust=sheet.trust or NOT_COLLECTED,
        classes=priorities.classes(where) if is_shown else NOT_COLLECTED,
        dscp_to_class=Known(table, sheet.origin, sheet.dscp_head) if table else NOT_COLLECTED,
        pcp_to_class=qos.make_identity_map(where) if by_pcp else NOT_COLLECTED,
        default_class=sheet.default,
    )


def _map_buffers(sheet: _Sheet) -> dict[int, Known[int]]:
    if sheet.buffers is None:
        return {}
    return {p: Known(b, sheet.origin, sheet.buffers.where) for p, b in enumerate(sheet.buffers.value)}


def _build_groups(sheet: _Sheet) -> Setting[tuple[PriorityGroup, ...]]:
    if sheet.buffers is None:
        return NOT_COLLECTED
    sizes = sheet.sizes.value if sheet.sizes else ()
    used = set(sheet.buffers.value) | {number for number, size in enumerate(sizes) if size}
    groups = tuple(_build_group(sheet, sheet.buffers, number) for number in sorted(used))
    return Known(groups, sheet.origin, sheet.buffers.where)


def _build_group(sheet: _Sheet, buffers: Known[tuple[int, ...]], number: int) -> PriorityGroup:
    priorities = tuple(p for p, buffer in enumerate(buffers.value) if buffer == number)
    enabled, sizes = sheet.enabled, sheet.sizes
    protected = bool(enabled and set(priorities) & set(enabled.value))
    return PriorityGroup(
        pg=number,
        priorities=Known(priorities, sheet.origin, buffers.where),
        lossless=Known(protected, enabled.origin, enabled.where) if enabled else NOT_COLLECTED,
        size_bytes=Known(sizes.value[number], sizes.origin, sizes.where) if sizes else NOT_COLLECTED,
    )


COMMANDS = (
    Command(
        "mlnx_qos[ -i {netdev}]",
        r"mlnx_qos(?: -a)?(?: (?:-i|--interface) {netdev})?(?: -.*)?",
        read_mlnx_qos,
        QOS,
        r"^[^\S\n]*(?:Priority trust state: *\S+$|(?:DCBX|dcbx) mode: (?:OS|Firmware) controlled|tc: *\d+ ratelimit: )",
        "trust, DSCP map, PFC, receive buffers, cable length, traffic classes, DCBX mode",
        is_whole=True,
        fetch=(Fetch(("mlnx_qos -i {netdev}",), "trust, DSCP map, PFC, buffers, ETS", NETDEV, drivers=MLX),),
    ),
)
