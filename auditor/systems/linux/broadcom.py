"""Broadcom's `niccli` and `bnxtqos`: the list of devices, and the maps of DSCP and priority."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.qos import Classification, Queue, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.systems.linux import qos, text, tlv
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.dcb import DSCP_TRUST
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.fetch import BNXT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([^:]+):\s*(.*)")
_LISTED = regex(r"(\d{1,4})\s*\)\s+(.*)")
_SPEED = regex(r"\b1x(\d{1,4})G\b")
_MAC = regex(r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}")
_FOUR_BYTES = regex(r"([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})")
_MODEL = regex(r"BCM9?\d{5}")
_INTERFACES = ("device interface", "device interface name", "interface name", "interface")
_MAPPED = regex(r"priority:\s*(\d)\s+dscp:([\d,\s]+)")
_ROW = regex(r"([0-7])\s+([0-7])\s+(\d{1,3})")


@dataclass(slots=True)
class _ListRow:
    index: str
    title: str
    where: Where
    values: dict[str, str] = field(default_factory=dict)


def read_devices(capture: Capture, _: Call) -> Events:
    """Yield the devices of `niccli --list_devices`: blocks of fields, or rows of a table."""
    devices: list[_ListRow] = []
    for index, line in text.list_lines(capture):
        listed, match = _LISTED.fullmatch(line), _FIELD.fullmatch(line)
        if listed:
            devices.append(_ListRow(listed[1], listed[2], capture.where(index)))
            yield mark_modelled(index)
        elif match and devices:
            devices[-1].values[match[1].strip().lower()] = match[2].strip()
            yield mark_modelled(index)
        elif not match and not text.is_error(line):
            yield mark_ignored(index)
    for device in devices:
        yield from _describe_device(device)


def _describe_device(device: _ListRow) -> Iterator[PortFact]:
    """Yield the facts of a card; the speed in its title is the maximum, and has the lowest rank."""
    where, words = device.where, device.title.split()
    speed, model = _SPEED.search(device.title), _MODEL.search(device.title)
    mac = device.values.get("mac address", "") or next((word for word in words if _MAC.fullmatch(word)), "")
    pci = parse_pci(device.values.get("pci address", "")) or next(filter(None, map(_parse_pci, words)), "")
    netdev = next((device.values[name] for name in _INTERFACES if name in device.values), "")
    nic = Nic(
        vendor=Known("Broadcom", Origin.LEARNED, where),
        model=Known(model[0], Origin.LEARNED, where) if model else NOT_COLLECTED,
    )
    said = Port("", PortConfig(nic=nic), where, mac=Known(mac.lower(), Origin.LEARNED, where) if mac else NOT_COLLECTED)
    about = Subject(netdev=netdev, pci=pci, mst="" if netdev and not pci else f"niccli {device.index}")
    yield PortFact(about, said, Strength.NIC)
    if speed:
        able = PortConfig(ethernet=Ethernet(speed_gbps=Known(float(speed[1]), Origin.LEARNED, where)), nic=nic)
        yield PortFact(about, make_port(able, where), Strength.NIC, Rank.FALLBACK)


def _parse_pci(word: str) -> str:
    """Return the PCI address of the form domain:bus:device:function."""
    match = _FOUR_BYTES.fullmatch(word)
    return parse_pci(f"00{match[1]}:{match[2]}:{match[3]}.{int(match[4], 16)}") if match else ""


def read_dscp_map(capture: Capture, call: Call) -> Events:
    """Yield the map of DSCP to priority."""
    table: dict[int, Known[str]] = {}
    for index, line in text.list_lines(capture):
        match = _MAPPED.fullmatch(line)
        dscps = text.parse_wholes(re.split(r"[\s,]+", match[2].strip(" \t,")), text.DSCPS) if match else None
        priority = text.parse_whole(match[1], text.PRIORITIES) if match else None
        if dscps is not None and priority is not None:
            table |= {dscp: Known(str(priority), Origin.LEARNED, capture.where(index)) for dscp in dscps}
            yield mark_modelled(index)
        elif match:
            yield text.make_doubt(capture, index, "a priority of 0 to 7 and DSCP values of 0 to 63")
        elif not text.is_error(line):
            yield mark_ignored(index)
    where = capture.where(0)
    maps = _build_classification(table, where)
    yield PortFact(call.subject, make_port(PortConfig(classification=maps), where), Strength.NIC)
    if table:
        trust = Classification(trust=Known(Trust.DSCP, Origin.LEARNED, next(iter(table.values())).where, DSCP_TRUST))
        yield PortFact(call.subject, make_port(PortConfig(classification=trust), where), Strength.NIC, Rank.FALLBACK)


def _build_classification(table: Mapping[int, Known[str]], where: Where) -> Classification:
    if not table:
        return Classification()
    in_order = dict(sorted(table.items()))
    return Classification(classes=qos.Priorities().classes(where), dscp_to_class=Known(in_order, Origin.LEARNED, where))


def read_queues(capture: Capture, call: Call) -> Events:
    """Yield which traffic class carries each priority, as `dump pri2cos` shows it."""
    carried: dict[int, Known[int]] = {}
    for index, line in text.list_lines(capture):
        match = _ROW.fullmatch(line)
        if match:
            carried[int(match[1])] = Known(int(match[2]), Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_ignored(index)
    if not carried:
        yield PortFact(call.subject, make_nic_port(Nic(), capture.where(0)), Strength.NIC)
        return
    where = capture.where(0)
    queues = tuple(
        Queue(
            number,
            Known(tuple(sorted(p for p, q in carried.items() if q.value == number)), Origin.LEARNED, where),
        )
        for number in sorted({known.value for known in carried.values()})
    )
    config = PortConfig(
        queues=Known(queues, Origin.LEARNED, where),
        classification=Classification(classes=qos.Priorities(queues=carried).classes(where)),
    )
    yield PortFact(call.subject, make_port(config, where), Strength.NIC)


_TOOL = r"(?:niccli|bnxtqos)(?: --?(?:dev|i|index) {card})?"

COMMANDS = (
    Command(
        "niccli --list_devices",
        r"niccli (?:--list_devices|--list(?: devices)?|listdev)",
        read_devices,
        (),
        r"^[^\S\n]*\d+\) (?:Broadcom )?BCM\d+",
        "which netdev, PCI address and MAC address are one; speed (Broadcom)",
        fetch=(
            Fetch(
                ("niccli --list_devices", "niccli --list"),
                "Broadcom NICs",
                drivers=BNXT,
                is_root=True,
                finds=(r"^[^\S\n]*(?P<adapter>\d{1,3})\) Broadcom ",),
            ),
        ),
    ),
    *tlv.NICCLI,
    Command(
        "niccli[ -dev {card}] get_dscp2prio",
        rf"{_TOOL} (?:get_?dscp2prio|qos .*dscp2prio.*)",
        read_dscp_map,
        ("config.classification.dscp_to_class",),
        r"^[^\S\n]*priority:\s*\d\s+dscp:\s*\d",
        "DSCP map (Broadcom)",
    ),
    Command(
        "niccli[ -dev {card}] dump pri2cos",
        rf"{_TOOL} (?:dump pri2cos|get_?pri2cos)",
        read_queues,
        (),
        r"^[^\S\n]*Priority\s+TC\s+Queue ID",
        "which traffic class carries a priority (Broadcom)",
    ),
    Command("niccli", r"(?:niccli|bnxtqos|bnxtnvm) .+", read_nothing),
)
