"""The rest of AMD's `nicctl`: cards, logical interfaces, counters and PCIe address translation."""

import re

from auditor.model.dump import Capture
from auditor.model.nic import Nic, Pcie
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import jsontext, nicctl_json, pensando, pensando_port, text
from auditor.systems.linux.command import MTU, QOS, Command, read_nothing
from auditor.systems.linux.ethtool import is_counted
from auditor.systems.linux.evidence import (
    Call,
    Events,
    Statement,
    Strength,
    Subject,
    ignored,
    modelled,
    nic_port,
    not_modelled,
    pci_address,
)
from auditor.systems.linux.fetch import IONIC, SCRIPT, Fetch

_FIELD = re.compile(r"([^:]+):\s*(.*)")
_NAMES = frozenset({"name", "interface", "netdev", "netdevice"})


def read_ats(capture: Capture, _: Call) -> Events:
    """Yield whether each card translates addresses itself (PCIe ATS)."""
    for index, line in text.lines(capture):
        match, where = nicctl_json.CARD.fullmatch(line), capture.where(index)
        is_on = {"enabled": True, "disabled": False}.get((match[2] or "").lower()) if match else None
        if match and is_on is not None:
            nic = Nic(pcie=Pcie(ats=Known(is_on, Origin.LEARNED, where)), vendor=Known("AMD", Origin.LEARNED, where))
            yield Statement(Subject(pci=pci_address(match[1])), nic_port(nic, where), Strength.NIC)
            yield modelled(index)
        elif match:
            yield text.doubt(capture, index, "Enabled or Disabled")
        elif not text.is_error(line):
            yield ignored(index)


def read_interfaces(capture: Capture, _: Call) -> Events:
    """Yield which netdev each logical interface is, so that what is said of its card reaches it."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read(capture, _interface_record)
        return
    pci = ""
    for index, line in text.lines(capture):
        card, match, where = nicctl_json.CARD.fullmatch(line), _FIELD.fullmatch(line), capture.where(index)
        if card:
            pci = pci_address(card[1])
            yield modelled(index)
        elif match and nicctl_json.label(match[1]) in _NAMES and match[2] and pci:
            yield _interface(match[2], pci, where)
            yield modelled(index)
        elif match:
            yield not_modelled(index)
        else:
            yield ignored(index)


def _interface(netdev: str, pci: str, where: Where) -> Statement:
    vendor = Nic(vendor=Known("AMD", Origin.LEARNED, where))
    return Statement(Subject(netdev=netdev, pci=pci), nic_port(vendor, where), Strength.NIC)


def _interface_record(record: nicctl_json.Record) -> Events:
    name = next((each for each in record.fields if each.label in _NAMES and each.value), None)
    if name:
        mac = next((each for each in record.fields if each.label == "mac_address"), None)
        nic = Nic(vendor=Known("AMD", Origin.LEARNED, name.where))
        said = Port("", PortConfig(nic=nic), name.where)
        if mac:
            said = Port("", said.config, name.where, mac=Known(mac.value.lower(), Origin.LEARNED, mac.where))
        yield Statement(Subject(netdev=name.value, pci=record.about.pci, mst=record.about.mst), said, Strength.NIC)


def read_statistics(capture: Capture, _: Call) -> Events:
    """Yield the counters of each card's port or RDMA device."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read(capture, _statistics_record)
        return
    about = Subject()
    for index, line in text.lines(capture):
        card, match, where = nicctl_json.CARD.fullmatch(line), _FIELD.fullmatch(line), capture.where(index)
        count = text.whole(match[2].strip(), range(text.MAX_COUNT)) if match else None
        if card:
            about = Subject(pci=pci_address(card[1]))
            yield modelled(index)
        elif match and count is not None and about.is_named and is_counted(_counter(match[1])):
            yield _counted(about, _counter(match[1]), count, where)
            yield modelled(index)
        elif match:
            yield not_modelled(index)
        else:
            yield ignored(index)


def _counter(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _counted(about: Subject, name: str, count: int, where: Where) -> Statement:
    said = Port("", PortConfig(nic=Nic()), where, counters={name: Known(count, Origin.LEARNED, where)})
    return Statement(about, said, Strength.NIC)


def _statistics_record(record: nicctl_json.Record) -> Events:
    for each in record.fields:
        count = text.whole(each.value, range(text.MAX_COUNT))
        if count is not None and is_counted(each.label):
            yield _counted(record.about, each.label, count, each.where)


COMMANDS = (
    Command(
        "nicctl show qos",
        r"nicctl show qos(?: (?:-j|--json|--card \S+))*",
        pensando.read_qos,
        QOS,
        r"^ *Classification type +:|\"classification_type\"\s*:",
        "trust, DSCP map, PFC, scheduling (AMD)",
        fetch=(Fetch(("nicctl show qos",), "classification, PFC and scheduling", drivers=IONIC, is_root=True),),
    ),
    Command(
        "nicctl show dcqcn",
        r"nicctl show dcqcn(?: .+)?",
        pensando.read_dcqcn,
        ("config.nic.dcqcn", "config.nic.cnp_dscp", "config.nic.dcqcn_rp"),
        r"^ROCE device +:",
        "DCQCN parameters and status, DSCP of CNPs (AMD)",
        fetch=(Fetch(("nicctl show dcqcn",), "congestion control", drivers=IONIC, is_root=True),),
    ),
    Command(
        "nicctl show port statistics",
        r"nicctl show (?:port|rdma|lif) statistics(?: .+)?",
        read_statistics,
        shows="counters of pauses, drops and CNPs (AMD)",
    ),
    Command(
        "nicctl show port",
        r"nicctl show port(?: (?:-j|--json|--card \S+|--port \S+))*",
        pensando_port.read,
        MTU,
        r"^Port : [0-9a-f-]{36} \(eth",
        "speed, lanes, MTU, FEC, link pause (AMD)",
        fetch=(Fetch(("nicctl show port",), "ports of AMD NICs: MTU, pause", drivers=IONIC, is_root=True),),
    ),
    Command(
        "nicctl show lif",
        r"nicctl show lif(?: (?:-j|--json|--card \S+))*",
        read_interfaces,
        shows="which netdev belongs to which card (AMD)",
    ),
    Command(
        "nicctl show pcie ats",
        r"nicctl show pcie ats(?: .+)?",
        read_ats,
        (),
        r"^NIC +: [0-9a-f-]{20,40} +\([0-9a-f:.]+\) : (?:Enabled|Disabled)",
        "PCIe address translation (AMD)",
        fetch=(
            Fetch(("nicctl show pcie ats",), "address translation for GPUs", drivers=IONIC, is_root=True, by=SCRIPT),
        ),
    ),
    Command(
        "nicctl",
        r"nicctl .+",
        read_nothing,
        fetch=(
            Fetch(("nicctl show card",), "AMD NICs", drivers=IONIC, is_root=True, by=SCRIPT),
            Fetch(("nicctl show version host-software",), "driver", drivers=IONIC, is_root=True, by=SCRIPT),
            Fetch(("nicctl show version firmware",), "firmware", drivers=IONIC, is_root=True, by=SCRIPT),
        ),
    ),
)
