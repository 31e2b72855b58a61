"""AMD Pensando: `nicctl show qos`, `show dcqcn` and `show port`; and the list of devices of Broadcom's `niccli`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, LinkPause, Port, PortConfig
from auditor.model.qos import Classification, Scheduler, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.parsers.host import qos, text
from auditor.parsers.host.evidence import (
    Call,
    Event,
    Events,
    Statement,
    Strength,
    Subject,
    ignored,
    modelled,
    nic_port,
    not_modelled,
    pci_address,
    port,
)

_FIELD = re.compile(r"([^:]+):\s*(.*)")
_CARD = re.compile(r"NIC\s*:\s*\S+\s+\((\S+)\).*")
_RULE = re.compile(r"-+")
_MAPPED = re.compile(r"([\d,\s-]+)==>\s*priority\s*:\s*(\d+)")
_HEADING = re.compile(r"(?:DSCP|PCP|PFC priority) bitmap|Priority |Type |\S+-to-priority :|PFC :|Scheduling :")
_SCHEDULED = re.compile(r"([0-7])\s+(DWRR|STRICT)\s+(\d{1,3}|N/A)\s+(\d{1,6}(?:\.\d+)?|N/A)", re.IGNORECASE)
_SPEED = re.compile(r"(\d{1,4})G")
_PORT = re.compile(r"Port\s*:\s*\S+(?:\s+\(([^\s()]+)\))?")
_LISTED = re.compile(r"\d{1,4}\)\s+(Broadcom\s.*)")
_LISTED_SPEED = re.compile(r"\b1x(\d{1,4})G\b")
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
    """Yield trust, maps, PFC and scheduling of each port that `nicctl show qos` shows."""
    sheets: list[_Qos] = []
    for index, line in text.lines(capture):
        card, head = _CARD.fullmatch(line), _PORT.fullmatch(line)
        if card:
            sheets.append(_Qos(capture.where(index), Subject(pci=pci_address(card[1]))))
            yield modelled(index)
        elif head:
            yield ignored(index)
        elif sheets:
            event = _qos_line(sheets[-1], capture, index, line)
            if event:
                yield event
    for sheet in sheets:
        yield Statement(sheet.about, port(_qos_config(sheet), sheet.where))


def _qos_line(sheet: _Qos, capture: Capture, index: int, line: str) -> Event | None:
    scheduled, match = _SCHEDULED.fullmatch(line), _FIELD.fullmatch(line)
    where = capture.where(index)
    if scheduled:
        sheet.classes[int(scheduled[1])] = _scheduled(scheduled, where)
        return modelled(index)
    if _RULE.fullmatch(line) or _HEADING.match(line):
        return ignored(index)
    if not match:
        return None
    expected = _qos_field(sheet, match[1].strip(), match[2].strip(), where)
    if expected is None:
        return not_modelled(index)
    return text.doubt(capture, index, expected) if expected else modelled(index)


def _qos_field(sheet: _Qos, name: str, value: str, where: Where) -> str | None:
    """Take one field; return what was expected instead, empty where it was read, None where it is not kept."""
    if name == "Classification type":
        trust = _TRUSTS.get(value.lower())
        sheet.trust = Known(trust, Origin.LEARNED, where) if trust else None
        return "" if trust else "DSCP or PCP"
    if name == "PFC no-drop priorities":
        priorities = _ranges(value, text.PRIORITIES)
        sheet.enabled = None if priorities is None else Known(priorities, Origin.LEARNED, where)
        return "priorities of 0 to 7" if priorities is None else ""
    if name in {"DSCP", "PCP"}:
        return _take_mapped(sheet, name, value, where)
    return None


def _take_mapped(sheet: _Qos, name: str, value: str, where: Where) -> str:
    allowed, table = (text.DSCPS, sheet.dscps) if name == "DSCP" else (text.PRIORITIES, sheet.pcps)
    mapped = _MAPPED.fullmatch(value)
    points = _ranges(mapped[1], allowed) if mapped else None
    priority = text.whole(mapped[2], text.PRIORITIES) if mapped else None
    if points is None or priority is None:
        return f"{name} values of 0 to {allowed.stop - 1} and their priority"
    table.update({point: Known(str(priority), Origin.LEARNED, where) for point in points})
    return ""


def _ranges(listed: str, allowed: range) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `0-23, 25`, None where any is not *allowed*."""
    numbers: set[int] = set()
    for part in (part.strip() for part in listed.split(",") if part.strip()):
        low, dash, high = part.partition("-")
        ends = text.wholes((low.strip(), (high if dash else low).strip()), allowed)
        if ends is None:
            return None
        numbers |= set(range(ends[0], ends[1] + 1))
    return tuple(sorted(numbers))


def _scheduled(match: re.Match[str], where: Where) -> qos.EtsClass:
    rate = text.number(match[4])
    return qos.EtsClass(
        int(match[1]),
        "ets" if match[2].upper() == Scheduler.DWRR.upper() else "strict",
        Known(match[0], Origin.LEARNED, where),
        Known(float(match[3]), Origin.LEARNED, where) if match[3].isdecimal() else None,
        None if rate is None else Known(rate, Origin.LEARNED, where),
    )


def _qos_config(sheet: _Qos) -> PortConfig:
    queues = tuple(
        each.queue(Known((number,), Origin.LEARNED, each.head.where)) for number, each in sorted(sheet.classes.items())
    )
    priorities = qos.Priorities(queues=qos.carried(queues), lossless=sheet.enabled or NOT_COLLECTED)
    return PortConfig(
        pfc=qos.pfc(sheet.enabled) if sheet.enabled else PortConfig().pfc,
        classification=Classification(
            trust=sheet.trust or NOT_COLLECTED,
            classes=priorities.classes(sheet.where) if sheet.enabled or queues or sheet.dscps else NOT_COLLECTED,
            dscp_to_class=_table(sheet.dscps),
            pcp_to_class=_table(sheet.pcps),
        ),
        queues=Known(queues, Origin.LEARNED, sheet.where) if queues else NOT_COLLECTED,
        nic=Nic(vendor=Known("AMD", Origin.LEARNED, sheet.where)),
    )


def _table(entries: Mapping[int, Known[str]]) -> Setting[Mapping[int, Known[str]]]:
    first = next(iter(entries.values()), None)
    return Known(dict(sorted(entries.items())), Origin.LEARNED, first.where) if first else NOT_COLLECTED


def read_dcqcn(capture: Capture, _: Call) -> Events:
    """Yield the DCQCN parameters of each RDMA device that `nicctl show dcqcn` shows, under the names it prints."""
    pci, about = "", Subject()
    for index, line in text.lines(capture):
        card, match = _CARD.fullmatch(line), _FIELD.fullmatch(line)
        name, value = (match[1].strip(), match[2].strip()) if match else ("", "")
        where = capture.where(index)
        if card:
            pci, about = pci_address(card[1]), Subject(pci=pci_address(card[1]))
            yield modelled(index)
        elif name == "ROCE device" and value:
            about = Subject(rdma=value, pci=pci)
            device = Nic(rdma_device=Known(value, Origin.LEARNED, where), vendor=Known("AMD", Origin.LEARNED, where))
            yield Statement(about, nic_port(device, where))
            yield modelled(index)
        elif match and name not in {"Lif id", "DCQCN profile id", "Status"} and about.rdma:
            yield from _parameter(capture, index, about, (name, value))
        elif match:
            yield not_modelled(index)
        elif _RULE.fullmatch(line):
            yield ignored(index)


def _parameter(capture: Capture, index: int, about: Subject, entry: tuple[str, str]) -> Events:
    name, value = entry
    where, number = capture.where(index), text.number(value)
    if name == "DSCP value used for CNP":
        dscp = text.whole(value, text.DSCPS)
        if dscp is None:
            yield text.doubt(capture, index, "a DSCP of 0 to 63")
        else:
            yield Statement(about, nic_port(Nic(cnp_dscp=Known(dscp, Origin.LEARNED, where)), where))
            yield modelled(index)
    elif number is None:
        yield not_modelled(index)
    else:
        said = {name: Known(number, Origin.LEARNED, where)}
        yield Statement(about, nic_port(Nic(dcqcn=Known(said, Origin.LEARNED, where)), where))
        yield modelled(index)


@dataclass(slots=True)
class _PortSheet:
    about: Subject
    where: Where
    ethernet: Ethernet = field(default_factory=Ethernet)
    pause: LinkPause = field(default_factory=LinkPause)
    pause_type: str = ""
    section: str = ""


def read_port(capture: Capture, _: Call) -> Events:
    """Yield speed, lanes, MTU, state and link pause of each port that `nicctl show port` shows, as configured."""
    sheets: list[_PortSheet] = []
    pci = ""
    for index, line in text.lines(capture):
        card, head = _CARD.fullmatch(line), _PORT.fullmatch(line)
        match = _FIELD.fullmatch(line)
        if card:
            pci = pci_address(card[1])
            yield modelled(index)
        elif head:
            sheets.append(_PortSheet(Subject(netdev=head[1] or "", pci=pci), capture.where(index)))
            yield modelled(index)
        elif _RULE.fullmatch(line) or (match and not match[2]):
            if sheets and match:
                sheets[-1].section = match[1].strip()
            yield ignored(index)
        elif match and sheets:
            is_kept = sheets[-1].section == "Spec" and _port_field(sheets[-1], match, capture.where(index))
            yield modelled(index) if is_kept else not_modelled(index)
    for sheet in sheets:
        config = PortConfig(ethernet=sheet.ethernet, pause=sheet.pause)
        yield Statement(sheet.about, port(config, sheet.where), Strength.NIC)


def _port_field(sheet: _PortSheet, match: re.Match[str], where: Where) -> bool:
    """Take one field of the specification of a port; return whether it is kept."""
    name, value = match[1].strip(), match[2].strip()
    speed, lanes, mtu = _SPEED.fullmatch(value), text.whole(value, range(1, 17)), text.whole(value, range(text.MAX_MTU))
    ethernet = sheet.ethernet
    if name == "speed" and speed:
        sheet.ethernet = replace(ethernet, speed_gbps=Known(float(speed[1]), Origin.INTENDED, where))
    elif name == "Number of lanes" and lanes is not None:
        sheet.ethernet = replace(ethernet, lanes=Known(lanes, Origin.INTENDED, where))
    elif name == "MTU" and mtu is not None:
        sheet.ethernet = replace(ethernet, mtu_bytes=Known(mtu, Origin.INTENDED, where))
    elif name == "FEC type":
        sheet.ethernet = replace(ethernet, fec=Known(value, Origin.INTENDED, where))
    elif name == "Admin state" and value in {"UP", "DOWN"}:
        sheet.ethernet = replace(ethernet, enabled=Known(value == "UP", Origin.INTENDED, where))
    elif name == "Pause type":
        sheet.pause_type = value
    elif name in {"TX pause", "RX pause"} and sheet.pause_type:
        is_on = Known(sheet.pause_type == "Link" and value == "enabled", Origin.INTENDED, where)
        sheet.pause = replace(sheet.pause, tx=is_on) if name == "TX pause" else replace(sheet.pause, rx=is_on)
    else:
        return False
    return True


def read_niccli_devices(capture: Capture, _: Call) -> Events:
    """Yield netdev, address and speed of each device that `niccli --list_devices` lists."""
    head: tuple[Where, str] | None = None
    values: dict[str, str] = {}
    for index, line in text.lines(capture):
        listed, match = _LISTED.fullmatch(line), _FIELD.fullmatch(line)
        if listed:
            yield from _listed(head, values)
            head, values = (capture.where(index), listed[1]), {}
            yield modelled(index)
        elif match and head:
            values[match[1].strip()] = match[2].strip()
            yield modelled(index)
    yield from _listed(head, values)


def _listed(head: tuple[Where, str] | None, values: Mapping[str, str]) -> Events:
    netdev = next(
        (values[k] for k in ("Device Interface", "Device Interface Name", "Interface Name") if k in values), ""
    )
    if not head or not netdev:
        return
    where, title = head
    speed = _LISTED_SPEED.search(title)
    gbps = Known(float(speed[1]), Origin.LEARNED, where) if speed else NOT_COLLECTED
    mac = values.get("MAC Address", "")
    config = PortConfig(ethernet=Ethernet(speed_gbps=gbps), nic=Nic(vendor=Known("Broadcom", Origin.LEARNED, where)))
    about = Subject(netdev=netdev, pci=pci_address(values.get("PCI Address", "")))
    said = Port("", config, where, mac=Known(mac.lower(), Origin.LEARNED, where) if mac else NOT_COLLECTED)
    yield Statement(about, said, Strength.NIC)
