"""The rest of AMD's `nicctl`: cards, logical interfaces, counters and PCIe address translation."""

from auditor.model.dump import Capture
from auditor.model.nic import Nic, Pcie
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import jsontext, nicctl_json, pensando, pensando_card, pensando_port, text
from auditor.systems.linux.command import MTU, QOS, Command, read_nothing
from auditor.systems.linux.ethtool import is_counted
from auditor.systems.linux.evidence import Call, Events, PortFact, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import IONIC, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex

_FIELD = regex(r"([^:]+):\s*(.*)")
_NAMES = frozenset({"name", "interface", "netdev", "netdevice"})


def read_ats(capture: Capture, _: Call) -> Events:
    """Yield whether each card translates addresses itself (PCIe ATS)."""
    for index, line in text.list_lines(capture):
        match, where = nicctl_json.CARD.fullmatch(line), capture.where(index)
        is_on = {"enabled": True, "disabled": False}.get((match[2] or "").lower()) if match else None
        if match and is_on is not None:
            nic = Nic(pcie=Pcie(ats=Known(is_on, Origin.LEARNED, where)), vendor=Known("AMD", Origin.LEARNED, where))
            yield PortFact(Subject(pci=parse_pci(match[1])), make_nic_port(nic, where), Strength.NIC)
            yield mark_modelled(index)
        elif match:
            yield text.make_doubt(capture, index, "Enabled or Disabled")
        elif not text.is_error(line):
            yield mark_ignored(index)


def read_interfaces(capture: Capture, _: Call) -> Events:
    """Yield the netdev of each logical interface, which joins its card to a port."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read_records(capture, _read_netdev_record)
        return
    pci = ""
    for index, line in text.list_lines(capture):
        card, match, where = nicctl_json.CARD.fullmatch(line), _FIELD.fullmatch(line), capture.where(index)
        if card:
            pci = parse_pci(card[1])
            yield mark_modelled(index)
        elif match and nicctl_json.spell_label(match[1]) in _NAMES and match[2] and pci:
            yield _describe_netdev(match[2], pci, where)
            yield mark_modelled(index)
        elif not match:
            yield mark_ignored(index)
        elif pci:  # without it the line of the card was cut
            yield mark_not_modelled(index)


def _describe_netdev(netdev: str, pci: str, where: Where) -> PortFact:
    vendor = Nic(vendor=Known("AMD", Origin.LEARNED, where))
    return PortFact(Subject(netdev=netdev, pci=pci), make_nic_port(vendor, where), Strength.NIC)


def _read_netdev_record(record: nicctl_json.CardRecord) -> Events:
    name = next((each for each in record.fields if each.label in _NAMES and each.value), None)
    if name:
        mac = next((each for each in record.fields if each.label == "mac_address"), None)
        nic = Nic(vendor=Known("AMD", Origin.LEARNED, name.where))
        said = Port("", PortConfig(nic=nic), name.where)
        if mac:
            said = Port("", said.config, name.where, mac=Known(mac.value.lower(), Origin.LEARNED, mac.where))
        yield PortFact(Subject(netdev=name.value, pci=record.about.pci, mst=record.about.mst), said, Strength.NIC)


def read_statistics(capture: Capture, _: Call) -> Events:
    """Yield the counters of each card's port or RDMA device."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read_records(capture, _read_statistics_record)
        return
    about = Subject()
    for index, line in text.list_lines(capture):
        card, match, where = nicctl_json.CARD.fullmatch(line), _FIELD.fullmatch(line), capture.where(index)
        count = text.parse_whole(match[2].strip(), range(text.MAX_COUNT)) if match else None
        if card:
            about = Subject(pci=parse_pci(card[1]))
            yield mark_modelled(index)
        elif match and count is not None and about.is_named and is_counted(_spell_counter(match[1])):
            yield _describe_counter(about, _spell_counter(match[1]), count, where)
            yield mark_modelled(index)
        elif not match:
            yield mark_ignored(index)
        elif about.is_named:  # without it the line of the card was cut
            yield mark_not_modelled(index)


def _spell_counter(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _describe_counter(about: Subject, name: str, count: int, where: Where) -> PortFact:
    said = Port("", PortConfig(nic=Nic()), where, counters={name: Known(count, Origin.LEARNED, where)})
    return PortFact(about, said, Strength.NIC)


def _read_statistics_record(record: nicctl_json.CardRecord) -> Events:
    for each in record.fields:
        count = text.parse_whole(each.value, range(text.MAX_COUNT))
        if count is not None and is_counted(each.label):
            yield _describe_counter(record.about, each.label, count, each.where)


COMMANDS = (
    Command(
        "nicctl show qos",
        r"nicctl show qos(?: (?:-j|--json|(?:--card|-c) \S+))*",
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
        r"nicctl show port(?: (?:-j|--json|(?:--card|-c) \S+|--port \S+))*",
        pensando_port.read_port,
        MTU,
        r"^Port : [0-9a-f-]{36} \(eth",
        "speed, lanes, MTU, FEC, link pause (AMD)",
        fetch=(Fetch(("nicctl show port",), "ports of AMD NICs: MTU, pause", drivers=IONIC, is_root=True),),
    ),
    Command(
        "nicctl show lif",
        r"nicctl show lif(?: (?:-j|--json|(?:--card|-c) \S+))*",
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
        "nicctl show card profile",
        r"nicctl show card profile(?: (?:-j|--json|(?:--card|-c) \S+))*",
        pensando_card.read_profile,
        (),
        r"^ *Profile name +: \S",
        "profile of a card, which selects RoCE or MetaRoCE (AMD)",
        fetch=(Fetch(("nicctl show card profile",), "transport of AMD NICs", drivers=IONIC, is_root=True, by=SCRIPT),),
    ),
    Command(
        "nicctl show version firmware",
        r"nicctl show version firmware(?: .+)?",
        pensando_card.read_firmware,
        (),
        r"^ *Firmware-A +: \S",
        "firmware (AMD)",
        fetch=(Fetch(("nicctl show version firmware",), "firmware", drivers=IONIC, is_root=True, by=SCRIPT),),
    ),
    Command(
        "nicctl",
        r"nicctl .+",
        read_nothing,
        fetch=(
            Fetch(("nicctl show card",), "AMD NICs", drivers=IONIC, is_root=True, by=SCRIPT),
            Fetch(("nicctl show version host-software",), "driver", drivers=IONIC, is_root=True, by=SCRIPT),
        ),
    ),
)
