"""Windows cmdlets that print records: adapters, RDMA adapters, their advanced properties, and what is asked of QoS."""

import re
from collections.abc import Callable, Mapping

from auditor.model.dump import Capture, Doubt
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, LinkPause, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.systems.linux import qos, text
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, LineMark, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.ip_link import make_mtu
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import EVERY, Subject
from auditor.systems.windows.records import Record, find_adapter, is_rule, list_records
from auditor.util.regex import regex

_SPEED = regex(r"(\d{1,4}(?:\.\d)?) ([GM])bps")
_MAC = regex(r"(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}")
_MODEL = regex(r"ConnectX-?\d(?: ?[DL]x| Ex)?|BlueField-?\d|BCM57\d{3}|E8\d\d(?:-\w+)?", re.IGNORECASE)
_STATUS = {"up": True, "disconnected": False, "disabled": False, "not present": False}
_VENDORS = (("Mellanox", "NVIDIA"), ("NVIDIA", "NVIDIA"), ("Broadcom", "Broadcom"), ("Intel", "Intel"))


def read_adapters(capture: Capture, _: Call) -> Events:
    """Yield speed, link, address, vendor and model of each adapter; those for RDMA, where the cmdlet is about RDMA."""
    yield from _mark_heads(capture)
    for record in list_records(capture, ()):
        name, about = record.get("Name"), record.get("InterfaceDescription")
        if not name:
            yield text.make_doubt(capture, record.index, "the name of an adapter")
            continue
        yield from _describe_adapter(record, name, about)
        yield from _mark_record(record, mark_modelled)


def _describe_adapter(record: Record, name: str, about: str) -> Events:
    speed, model, mac = _SPEED.fullmatch(record.get("LinkSpeed")), _MODEL.search(about), record.get("MacAddress")
    vendor = next((vendor for word, vendor in _VENDORS if word.lower() in about.lower()), "")
    gbps = float(speed[1]) / (1 if speed[2] == "G" else 1000) if speed else 0
    is_up = _STATUS.get(record.get("Status").lower())
    nic = Nic(
        vendor=Known(vendor, Origin.LEARNED, record.where) if vendor else NOT_COLLECTED,
        model=Known(text.format_model(model[0]), Origin.LEARNED, record.where) if model else NOT_COLLECTED,
        link_up=Known(is_up, Origin.LEARNED, record.where) if is_up is not None else NOT_COLLECTED,
    )
    speed_gbps = Known(gbps, Origin.LEARNED, record.where) if gbps else NOT_COLLECTED
    address = mac.replace("-", ":").lower() if _MAC.fullmatch(mac) else ""
    said = Port(
        "",
        PortConfig(ethernet=Ethernet(speed_gbps=speed_gbps), nic=nic),
        record.where,
        mac=Known(address, Origin.LEARNED, record.where) if address else NOT_COLLECTED,
    )
    is_for_rdma = record.get("Enabled") == "True"
    yield PortFact(Subject(netdev=name), said, Strength.RDMA if is_for_rdma else Strength.NIC)


def read_flow_control(capture: Capture, call: Call) -> Events:
    """Yield the requested PFC of single adapters, or of all adapters for RDMA."""
    tables: dict[str, dict[int, bool]] = {}
    first: dict[str, Where] = {}
    yield from _mark_heads(capture)
    for record in list_records(capture, ("Priority", "Enabled", "PolicySet", "IfIndex", "IfAlias")):
        priority, state = text.parse_whole(record.get("Priority"), text.PRIORITIES), record.get("Enabled")
        adapter = record.get("IfAlias") or find_adapter(call.text)
        if priority is None or state not in {"True", "False"}:
            yield text.make_doubt(capture, record.index, "a priority of 0 to 7, and True or False")
        else:
            tables.setdefault(adapter, {})[priority] = state == "True"
            first.setdefault(adapter, record.where)
            yield from _mark_record(record, mark_modelled)
    for adapter, states in tables.items():
        if set(states) == set(text.PRIORITIES):
            on = tuple(priority for priority in text.PRIORITIES if states[priority])
            requested = qos.make_pfc(Known(on, Origin.INTENDED, first[adapter]))
            said = make_port(PortConfig(pfc=requested), first[adapter])
            about = Subject(netdev=adapter) if adapter else EVERY
            yield PortFact(about, said, Strength.NIC, Rank.REQUESTED)
        else:
            why = f"all eight priorities of {adapter or 'the host'}; found {len(states)}"
            yield Doubt(first[adapter], f"priority {', '.join(map(str, sorted(states)))}", why)


def read_properties(capture: Capture, _: Call) -> Events:
    """Yield RDMA technology, MTU and link pause of each adapter, under the standard names of their keywords."""
    yield from _mark_heads(capture)
    for record in list_records(capture, ()):
        # PowerShell cuts what is too long for its column
        keyword = _KEYWORDS.get(record.get("DisplayName").lower()) or record.get("RegistryKeyword").lower()
        take = _PROPERTIES.get(keyword)
        value = record.get("DisplayValue") or record.get("RegistryValue").strip("{}")
        config = take(value, record.where) if take else None
        if config and record.get("Name"):
            yield PortFact(Subject(netdev=record.get("Name")), make_port(config, record.where), Strength.NIC)
            yield from _mark_record(record, mark_modelled)
        elif take:
            yield text.make_doubt(capture, record.index, f"an adapter, and a value as {keyword} has it")
        else:
            yield from _mark_record(record, mark_not_modelled)


def _take_technology(value: str, where: Where) -> PortConfig | None:
    name = value.lower().replace(" ", "")
    transport = {"roce": "roce", "rocev2": "roce", "iwarp": "iwarp", "infiniband": "infiniband"}.get(name)
    if transport is None:
        return None
    mode = Known("v2", Origin.INTENDED, where) if name == "rocev2" else NOT_COLLECTED
    return PortConfig(nic=Nic(transport=Known(transport, Origin.INTENDED, where), rdma_cm_mode=mode))


def _take_jumbo(value: str, where: Where) -> PortConfig | None:
    """Take the largest frame, its 14 bytes of header counted and its checksum not."""
    if value.lower() == "disabled":
        return PortConfig(ethernet=make_mtu(_LEAST_FRAME - _HEADER, where))
    size = text.parse_whole(value.lower().removesuffix("bytes").strip(), range(_LEAST_FRAME, text.MAX_MTU))
    return PortConfig(ethernet=make_mtu(size - _HEADER, where)) if size else None


def _take_pause(value: str, where: Where) -> PortConfig | None:
    words = set(re.findall(r"\w+", value.lower()))
    if not words or words & {"auto", "autonegotiation"} or not words <= {"rx", "tx", "enabled", "disabled"}:
        return PortConfig() if words & {"auto", "autonegotiation"} else None
    is_on = "enabled" in words
    sides = words & {"rx", "tx"} or {"rx", "tx"}
    rx, tx = (Known(is_on and side in sides, Origin.INTENDED, where) for side in ("rx", "tx"))
    return PortConfig(pause=LinkPause(rx=rx, tx=tx))


_LEAST_FRAME, _HEADER = 1514, 14
_KEYWORDS = {
    "networkdirect technology": "*networkdirecttechnology",
    "jumbo packet": "*jumbopacket",
    "jumbo frame": "*jumbopacket",
    "flow control": "*flowcontrol",
}
_PROPERTIES: Mapping[str, Callable[[str, Where], PortConfig | None]] = {
    "*networkdirecttechnology": _take_technology,
    "*jumbopacket": _take_jumbo,
    "*flowcontrol": _take_pause,
}
"""Standard keywords of NDIS drivers (learn.microsoft.com: keywords that can be edited, enumeration keywords, NDKPI)."""


def read_policies(capture: Capture, _: Call) -> Events:
    """Yield the priority that policies ask for RDMA (NetDirect), of all adapters that are for RDMA."""
    yield from _mark_heads(capture)
    found: list[Known[int]] = []
    for record in list_records(capture, ()):
        priority = text.parse_whole(record.get("PriorityValue", "PriorityValue8021Action"), text.PRIORITIES)
        port = record.get("NetDirectPort", "NetDirectPortMatchCondition")
        if priority is not None and port not in {"", "0"}:
            found.append(Known(priority, Origin.INTENDED, record.where))
            yield from _mark_record(record, mark_modelled)
        else:
            yield from _mark_record(record, mark_not_modelled)
    if len({known.value for known in found}) == 1:
        said = make_nic_port(Nic(roce_priority=found[0]), found[0].where)
        yield PortFact(EVERY, said, Strength.LISTED, Rank.REQUESTED)


def read_listing(capture: Capture, _: Call) -> Events:
    """Yield the marks of a known cmdlet without modelled content."""
    for index, line in text.list_lines(capture):
        yield mark_ignored(index) if set(line) <= set("- ") else mark_not_modelled(index)


def _mark_heads(capture: Capture) -> Events:
    """Yield the marks of the heads of tables, which carry no value."""
    for index, line in enumerate(capture.lines):
        if index and is_rule(line):
            yield mark_ignored(index - 1)
            yield mark_ignored(index)


def _mark_record(record: Record, mark: Callable[[int], LineMark]) -> Events:
    yield from map(mark, record.indexes)


COMMANDS = (
    Command(
        "Get-NetAdapter",
        r"Get-NetAdapter(?:Rdma)?(?: .+)?",
        read_adapters,
        (),
        r"^[^\w\n]*+Name[\s|]+InterfaceDescription[\s|]+(?:ifIndex|Enabled)\b",
        "speed, link, MAC address, vendor and model; which adapters are for RDMA (Windows)",
    ),
    Command(
        "Get-NetQosFlowControl",
        r"Get-NetQosFlowControl(?: .+)?",
        read_flow_control,
        (),
        r"^Priority\s+Enabled\s+PolicySet\b|^Priority\s*: [0-7][^\S\n]*+\n\s*+Enabled\s*: (?:True|False)",
        "PFC as requested of one adapter, or of all for RDMA (Windows)",
    ),
    Command(
        "Get-NetAdapterAdvancedProperty",
        r"Get-NetAdapterAdvancedProperty(?: .+)?",
        read_properties,
        (),
        r"^[^\w\n]*+Name[\s|]+DisplayName[\s|]+DisplayValue\b",
        "RDMA technology, MTU and link pause (Windows)",
    ),
    Command(
        "Get-NetQosPolicy",
        r"Get-NetQosPolicy(?: .+)?",
        read_policies,
        (),
        r"^NetworkProfile\s*: ",
        "the priority that policies ask for RDMA (Windows)",
    ),
    Command(
        "Get-NetQos",
        r"Get-Net(?:Qos|Adapter)\w+(?: .+)?",
        read_listing,
        (),
        r"^Name\s+Algorithm\s+Bandwidth\(%\)\s+Priority\b",
    ),
    Command("Get-Net", r"Get-(?:Net|VM|Smb)\w+(?: .+)?", read_nothing),
)
