"""AMD Pensando: `nicctl show qos` and `show dcqcn`, as text and as JSON."""

import re
from collections.abc import Mapping
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.nic import CcEngine, Nic, set_all_priorities
from auditor.model.port import PortConfig
from auditor.model.qos import Classification, Scheduler, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import jsontext, nicctl_json, qos, text
from auditor.systems.linux.evidence import Call, Event, Events, PortFact
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.nicctl_json import CARD, CardRecord, spell_label
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.systems.linux.sysfs import LineResult
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([^:]+):\s*(.*)")
_RULE = regex(r"-+")
_MAPPED = regex(r"([\d,\s-]+)==>\s*priority\s*:\s*(\d+)")
_HEADING = regex(r"(?:DSCP|PCP|PFC priority) bitmap|Priority |Type |\S+-to-priority :|PFC :|Scheduling :")
_SCHEDULED = regex(r"([0-7])\s+(DWRR|STRICT)\s+(\d{1,3}|N/A)\s+(\d{1,6}(?:\.\d+)?|N/A)", re.IGNORECASE)
_PORT = regex(r"Port\s*:\s*\S+(?:\s+\(([^\s()]+)\))?")
_TRUSTS = {"dscp": Trust.DSCP, "pcp": Trust.PCP}


@dataclass(slots=True)
class _Qos:
    where: Where
    about: Subject
    trust: Known[Trust] | None = None
    dscps: dict[int, Known[str]] = field(default_factory=dict)
    pcps: dict[int, Known[str]] = field(default_factory=dict)
    enabled: Known[tuple[int, ...]] | None = None
    classes: dict[int, qos.EtsClass] = field(default_factory=dict)


def read_qos(capture: Capture, _: Call) -> Events:
    """Yield trust, maps, PFC and scheduling of each port of `nicctl show qos`."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read_records(capture, _read_qos_record)
        return
    sheets: list[_Qos] = []
    for index, line in text.list_lines(capture):
        card, head = CARD.fullmatch(line), _PORT.fullmatch(line)
        if card:
            sheets.append(_Qos(capture.where(index), Subject(pci=parse_pci(card[1]))))
            yield mark_modelled(index)
        elif head:
            yield mark_ignored(index)
        elif sheets:
            event = _read_qos_line(sheets[-1], capture, index, line)
            if event:
                yield event
    for sheet in sheets:
        yield PortFact(sheet.about, make_port(_build_qos_config(sheet), sheet.where))


def _read_qos_line(sheet: _Qos, capture: Capture, index: int, line: str) -> Event | None:
    scheduled, match = _SCHEDULED.fullmatch(line), _FIELD.fullmatch(line)
    where = capture.where(index)
    if scheduled:
        sheet.classes[int(scheduled[1])] = _parse_schedule(scheduled, where)
        return mark_modelled(index)
    if _RULE.fullmatch(line) or _HEADING.match(line):
        return mark_ignored(index)
    if not match:
        return None
    expected = _take_qos_field(sheet, spell_label(match[1]), match[2].strip(), where)
    if expected is None:
        return mark_not_modelled(index)
    return text.make_doubt(capture, index, expected) if expected else mark_modelled(index)


def _take_qos_field(sheet: _Qos, name: str, value: str, where: Where) -> str | None:
    """Take one field; return the expected form of a bad value, empty if accepted, None if not modelled."""
    if name == "classification_type":
        trust = _TRUSTS.get(value.lower())
        sheet.trust = Known(trust, Origin.LEARNED, where) if trust else None
        return "" if trust else "DSCP or PCP"
    if name == "pfc_no_drop_priorities":
        priorities = _parse_ranges(value, text.PRIORITIES)
        sheet.enabled = None if priorities is None else Known(priorities, Origin.LEARNED, where)
        return "priorities of 0 to 7" if priorities is None else ""
    mapped = _MAPPED.fullmatch(value)
    if name in {"dscp", "pcp"}:
        return _take_mapped(sheet, name, (mapped[1], mapped[2]) if mapped else ("", ""), where)
    return None


def _take_mapped(sheet: _Qos, name: str, entry: tuple[str, str], where: Where) -> str:
    allowed, table = (text.DSCPS, sheet.dscps) if name == "dscp" else (text.PRIORITIES, sheet.pcps)
    points, priority = _parse_ranges(entry[0], allowed), text.parse_whole(entry[1].strip(), text.PRIORITIES)
    if points is None or priority is None:
        return f"{name.upper()} values of 0 to {allowed.stop - 1} and their priority"
    table.update({point: Known(str(priority), Origin.LEARNED, where) for point in points})
    return ""


def _read_qos_record(record: CardRecord) -> Events:
    sheet = _Qos(record.where, record.about)
    for entry in nicctl_json.list_rows(record):
        values = {name: each.value for name, each in entry.items()}
        first = next(iter(entry.values()))
        point = next((name for name in ("dscp", "pcp") if name in entry and "priority" in entry), "")
        kind = next((values[name] for name in ("scheduling_type", "type", "scheduling") if name in values), "")
        row = _SCHEDULED.fullmatch(
            " ".join(
                (values.get("priority", ""), kind, _get_field(values, "bandwidth"), _get_field(values, "rate_limit"))
            )
        )
        if point:
            _take_mapped(sheet, point, (values[point], values["priority"]), first.where)
        elif row:
            sheet.classes[int(row[1])] = _parse_schedule(row, first.where)
        else:
            for name, each in entry.items():
                _take_qos_field(sheet, name, each.value, each.where)
    yield PortFact(sheet.about, make_port(_build_qos_config(sheet), sheet.where))


def _get_field(values: Mapping[str, str], name: str) -> str:
    return next((value for key, value in values.items() if key.startswith(name) and value), "N/A")


def _parse_ranges(listed: str, allowed: range) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `0-23, 25`; None if a number is not *allowed*."""
    numbers: set[int] = set()
    for part in (part.strip() for part in listed.split(",") if part.strip()):
        low, dash, high = part.partition("-")
        ends = text.parse_wholes((low.strip(), (high if dash else low).strip()), allowed)
        if ends is None:
            return None
        numbers |= set(range(ends[0], ends[1] + 1))
    return tuple(sorted(numbers))


def _parse_schedule(match: re.Match[str], where: Where) -> qos.EtsClass:
    rate = text.parse_number(match[4])
    return qos.EtsClass(
        int(match[1]),
        "ets" if match[2].upper() == Scheduler.DWRR.upper() else "strict",
        Known(match[0], Origin.LEARNED, where),
        Known(float(match[3]), Origin.LEARNED, where) if match[3].isdecimal() else None,
        None if rate is None else Known(rate, Origin.LEARNED, where),
    )


def _build_qos_config(sheet: _Qos) -> PortConfig:
    queues = tuple(
        each.queue(Known((number,), Origin.LEARNED, each.head.where)) for number, each in sorted(sheet.classes.items())
    )
    priorities = qos.Priorities(queues=qos.map_queues(queues), lossless=sheet.enabled or NOT_COLLECTED)
    return PortConfig(
        pfc=qos.make_pfc(sheet.enabled) if sheet.enabled else PortConfig().pfc,
        classification=Classification(
            trust=sheet.trust or NOT_COLLECTED,
            classes=priorities.classes(sheet.where) if sheet.enabled or queues or sheet.dscps else NOT_COLLECTED,
            dscp_to_class=_build_map(sheet.dscps),
            pcp_to_class=_build_map(sheet.pcps),
        ),
        queues=Known(queues, Origin.LEARNED, sheet.where) if queues else NOT_COLLECTED,
        nic=Nic(vendor=Known("AMD", Origin.LEARNED, sheet.where)),
    )


def _build_map(entries: Mapping[int, Known[str]]) -> Setting[Mapping[int, Known[str]]]:
    first = next(iter(entries.values()), None)
    return Known(dict(sorted(entries.items())), Origin.LEARNED, first.where) if first else NOT_COLLECTED


def read_dcqcn(capture: Capture, _: Call) -> Events:
    """Yield the DCQCN parameters of each RDMA device of `nicctl show dcqcn`, under the printed names."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read_records(capture, _read_dcqcn_record)
        return
    pci, about = "", Subject()
    for index, line in text.list_lines(capture):
        card, match = CARD.fullmatch(line), _FIELD.fullmatch(line)
        name, value = (match[1].strip(), match[2].strip()) if match else ("", "")
        where = capture.where(index)
        if card:
            pci, about = parse_pci(card[1]), Subject(pci=parse_pci(card[1]))
            yield mark_modelled(index)
        elif name == "ROCE device" and value:
            about = Subject(rdma=value, pci=pci)
            nic = Nic(vendor=Known("AMD", Origin.LEARNED, where))
            yield PortFact(about, make_nic_port(nic, where, value))
            yield mark_modelled(index)
        elif match and about.rdma:
            found = _parse_parameter(about, name, value, where)
            yield from found.events
            if found.expected:
                yield text.make_doubt(capture, index, found.expected)
            else:
                yield mark_modelled(index) if found.events else mark_not_modelled(index)
        elif match and pci:  # without it the line of the card was cut
            yield mark_not_modelled(index)
        elif _RULE.fullmatch(line):
            yield mark_ignored(index)


_NOT_PARAMETERS = frozenset({"lif_id", "dcqcn_profile_id", "id", "roce_device", "rdma_device", "name"})


def _parse_parameter(about: Subject, name: str, value: str, where: Where) -> LineResult:
    """Return the setting in a line of a DCQCN profile."""
    number, is_on = text.parse_number(value), {"enabled": True, "disabled": False}.get(value.lower())
    if spell_label(name) in _NOT_PARAMETERS:
        return LineResult()
    if spell_label(name) == "status" and is_on is not None:
        return LineResult(
            (PortFact(about, make_nic_port(_describe_status(Known(is_on, Origin.LEARNED, where)), where)),)
        )
    if spell_label(name) in {"dscp_value_used_for_cnp", "cnp_dscp"}:
        dscp = text.parse_whole(value, text.DSCPS)
        if dscp is None:
            return LineResult(expected="a DSCP of 0 to 63")
        return LineResult((PortFact(about, make_nic_port(Nic(cnp_dscp=Known(dscp, Origin.LEARNED, where)), where)),))
    if number is None:
        return LineResult()
    said = {name: Known(number, Origin.LEARNED, where)}
    return LineResult((PortFact(about, make_nic_port(Nic(dcqcn=Known(said, Origin.LEARNED, where)), where)),))


def _describe_status(is_on: Known[bool]) -> Nic:
    """Return DCQCN by the status of a device; an enabled device reacts and notifies on all its priorities.

    A disabled device does not react; the tool does not show whether the device still notifies.
    """
    each = set_all_priorities(is_on)
    engine = Known(CcEngine.DCQCN if is_on.value else CcEngine.NONE, is_on.origin, is_on.where)
    return Nic(cc_engine=engine, dcqcn_rp=each, dcqcn_np=each if is_on.value else NOT_COLLECTED)


def _read_dcqcn_record(record: CardRecord) -> Events:
    if not record.about.rdma:
        return
    nic = Nic(vendor=Known("AMD", Origin.LEARNED, record.where))
    yield PortFact(record.about, make_nic_port(nic, record.where, record.about.rdma))
    for each in record.fields:
        yield from _parse_parameter(record.about, each.label, each.value, each.where).events
