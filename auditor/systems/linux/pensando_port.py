"""AMD Pensando: `nicctl show port`, as text and as JSON: the port of a card below the netdev on it."""

from dataclasses import field, replace

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, LinkPause, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import jsontext, nicctl_json, text
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_port
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.nicctl_json import CARD, CardRecord, spell_label
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([^:]+):\s*(.*)")
_RULE = regex(r"-+")
_SPEED = regex(r"(\d{1,4})G")
_PORT = regex(r"Port\s*:\s*\S+(?:\s+\(([^\s()]+)\))?")
_MAC = regex(r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}")


@dataclass(slots=True)
class _PortSheet:
    about: Subject
    where: Where
    ethernet: Ethernet = field(default_factory=Ethernet)
    pause: LinkPause = field(default_factory=LinkPause)
    mac: Setting[str] = NOT_COLLECTED
    mtu: Setting[int] = NOT_COLLECTED
    pause_type: str = ""
    section: str = ""


def read_port(capture: Capture, _: Call) -> Events:
    """Yield configured speed, lanes, MTU, state and link pause of each port of `nicctl show port`."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read_records(capture, _read_port_record)
        return
    sheets: list[_PortSheet] = []
    pci = ""
    for index, line in text.list_lines(capture):
        card, head = CARD.fullmatch(line), _PORT.fullmatch(line)
        match = _FIELD.fullmatch(line)
        if card:
            pci = parse_pci(card[1])
            yield mark_modelled(index)
        elif head:
            # the tool's own name of the port, eth1/1, is the same on every card
            sheets.append(_PortSheet(Subject(netdev="" if pci else head[1] or "", pci=pci), capture.where(index)))
            yield mark_modelled(index)
        elif _RULE.fullmatch(line) or (match and not match[2]):
            if sheets and match:
                sheets[-1].section = match[1].strip()
            yield mark_ignored(index)
        elif match and sheets:
            name, value = spell_label(match[1]), match[2].strip()
            is_kept = _take_port_field(sheets[-1], sheets[-1].section.lower(), name, value, capture.where(index))
            yield mark_modelled(index) if is_kept else mark_not_modelled(index)
    for sheet in sheets:
        yield from _describe_port(sheet)


def _read_port_record(record: CardRecord) -> Events:
    sheet = _PortSheet(record.about, record.where)
    for each in record.fields:
        _take_port_field(sheet, each.section, each.label, each.value, each.where)
    yield from _describe_port(sheet)


def _describe_port(sheet: _PortSheet) -> Events:
    # the port takes frames that are longer than those of the netdev on it
    ethernet = Ethernet(mtu_bytes=sheet.mtu)
    yield PortFact(sheet.about, make_port(PortConfig(ethernet=ethernet), sheet.where), Strength.NIC, Rank.FALLBACK)
    config = PortConfig(
        ethernet=sheet.ethernet, pause=sheet.pause, nic=Nic(vendor=Known("AMD", Origin.LEARNED, sheet.where))
    )
    yield PortFact(sheet.about, Port("", config, sheet.where, mac=sheet.mac), Strength.NIC)


def _take_port_field(sheet: _PortSheet, section: str, name: str, value: str, where: Where) -> bool:
    """Take one field of a port's `spec` or state; return whether the model keeps the field."""
    if section != "spec":
        if name != "mac_address" or not _MAC.fullmatch(value):
            return False
        sheet.mac = Known(value.lower(), Origin.LEARNED, where)
        return True
    speed, lanes, mtu = (
        _SPEED.fullmatch(value),
        text.parse_whole(value, range(1, 17)),
        text.parse_whole(value, range(text.MAX_MTU)),
    )
    ethernet = sheet.ethernet
    if name == "speed" and speed:
        sheet.ethernet = replace(ethernet, speed_gbps=Known(float(speed[1]), Origin.INTENDED, where))
    elif name == "number_of_lanes" and lanes is not None:
        sheet.ethernet = replace(ethernet, lanes=Known(lanes, Origin.INTENDED, where))
    elif name == "mtu" and mtu is not None:
        sheet.mtu = Known(mtu, Origin.INTENDED, where)
    elif name == "fec_type":
        sheet.ethernet = replace(ethernet, fec=Known(value, Origin.INTENDED, where))
    elif name == "admin_state" and value.upper() in {"UP", "DOWN"}:
        sheet.ethernet = replace(ethernet, enabled=Known(value.upper() == "UP", Origin.INTENDED, where))
    elif name == "pause_type":
        sheet.pause_type = value
    elif name in {"tx_pause", "rx_pause"} and sheet.pause_type:
        is_on = Known(sheet.pause_type.lower() == "link" and value.lower() == "enabled", Origin.INTENDED, where)
        sheet.pause = replace(sheet.pause, tx=is_on) if name == "tx_pause" else replace(sheet.pause, rx=is_on)
    else:
        return False
    return True
