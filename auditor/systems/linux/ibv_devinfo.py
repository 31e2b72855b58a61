"""`ibv_devinfo [-v]`: firmware, board, model, transport, link layer and MTU of each RDMA device and port."""

import re
from collections.abc import Mapping
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.hardware import Hardware
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.port import Ethernet, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import adapters, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Event, Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.linkstate import describe_link, parse_link_state
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util import masks
from auditor.util.quick import replace_fields
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([^:]+):(.*)")
_MTU = regex(r"(256|512|1024|2048|4096)(?:\s*\(\d\))?")
_GID = regex(rf"GID\[\s*(\d{{1,5}})\]:\s+({masks.ADDRESS})(?:,\s*(?:IB/)?RoCE (v[12]))?")
_VENDORS = {
    "0x02c9": "NVIDIA",
    "0x14e4": "Broadcom",
    "0x1dd8": "AMD",
    "0x8086": "Intel",
    "0x1077": "Marvell",
    "0x1d0f": "Amazon",
    "0x1175": "Cornelis",
}
_TRANSPORTS = {
    ("iwarp", "ethernet"): "iwarp",
    ("infiniband", "ethernet"): "roce",
    ("infiniband", "infiniband"): "infiniband",
}
_FABRICS = {"0x1d0f": "efa", "0x1175": "omni_path"}
"""Vendors whose RDMA devices are all of one fabric, which is no RoCE: of the drivers efa and hfi1."""
_DEVICE_FIELDS = frozenset({"transport", "fw_ver", "vendor_id", "vendor_part_id", "board_id"})
_PORT_FIELDS = frozenset({"state", "max_mtu", "active_mtu", "link_layer", "active_width", "active_speed"})
_PSID = regex(r"[A-Z]{2,4}_?\d{7,13}")
_SLOWEST_LANE = 10
_WIDTH = regex(r"(\d{1,2})X\b.*")
_SPEED = regex(r"(\d{1,3}(?:\.\d{1,2})?) Gbps\b.*")


@dataclass(slots=True)
class _Device:
    name: str
    where: Where
    values: dict[str, Known[str]] = field(default_factory=dict)
    ports: "list[_RdmaPort]" = field(default_factory=list)


@dataclass(slots=True)
class _RdmaPort:
    number: int
    where: Where
    values: dict[str, Known[str]] = field(default_factory=dict)
    gids: list[Gid] = field(default_factory=list)
    is_listed: bool = False


def read_devinfo(capture: Capture, call: Call) -> Events:
    """Yield the settings of each RDMA device of `ibv_devinfo`; the command names the device of a cut output."""
    devices: list[_Device] = []
    if call.subject.rdma:
        devices.append(_Device(call.subject.rdma, capture.where(0)))
    for index, line in text.list_lines(capture):
        event = _read_line(devices, capture, index, line)
        if event:
            yield event
    for device in devices:
        for each in device.ports or [_RdmaPort(1, device.where)]:
            yield from _describe_port(device, each)


def _read_line(devices: list[_Device], capture: Capture, index: int, line: str) -> Event | None:
    match = _FIELD.fullmatch(line)
    if match and match[1] == "hca_id" and match[2].strip():
        named = _Device(match[2].strip(), capture.where(index))
        if len(devices) == 1 and devices[0].name == named.name and not devices[0].values:
            devices.clear()  # the device that the command names
        devices.append(named)
        return mark_modelled(index)
    if not devices:
        return None
    gid = _GID.fullmatch(line)
    if gid and gid[3]:
        _find_port(devices[-1], capture.where(index)).gids.append(
            Gid(int(gid[1]), gid[2], gid[3], None, capture.where(index))
        )
        return mark_modelled(index)
    if not match:
        return None if text.is_error(line) else mark_not_modelled(index)
    return _read_field(devices[-1], capture, index, match)


def _read_field(device: _Device, capture: Capture, index: int, match: re.Match[str]) -> Event:
    name, value = match[1].strip(), Known(match[2].strip(), Origin.LEARNED, capture.where(index))
    if name == "port":
        number = text.parse_whole(value.value, range(1, 256))
        if number is None:
            return text.make_doubt(capture, index, "the number of a port")
        device.ports.append(_RdmaPort(number, capture.where(index), is_listed=True))
        return mark_modelled(index)
    if name in _DEVICE_FIELDS:
        device.values[name] = value
        return mark_modelled(index)
    if name not in _PORT_FIELDS:
        return mark_not_modelled(index)
    if name.endswith("mtu") and not _MTU.fullmatch(value.value):
        return text.make_doubt(capture, index, "an InfiniBand MTU of 256 to 4096 bytes")
    _find_port(device, capture.where(index), name).values[name] = value
    return mark_modelled(index)


def _find_port(device: _Device, where: Where, name: str = "") -> "_RdmaPort":
    """Return the port of a field *name* or of a GID; without lines `port:`, each repeated field begins a port."""
    last = device.ports[-1] if device.ports else None
    if last is None or (name in last.values and not last.is_listed):
        last = _RdmaPort(len(device.ports) + 1, where)
        device.ports.append(last)
    return last


def _describe_port(device: _Device, each: _RdmaPort) -> Events:
    about = Subject(rdma=device.name, rdma_port=each.number if len(device.ports) > 1 else None)
    part = device.values.get("vendor_part_id")
    nic = Nic(
        vendor=_look_up(_VENDORS, device.values.get("vendor_id")),
        firmware=device.values.get("fw_ver", NOT_COLLECTED),
        link_layer=_parse_layer(each),
        transport=_parse_transport(device, each),
        active_mtu_bytes=_parse_mtu(each.values.get("active_mtu")),
        max_mtu_bytes=_parse_mtu(each.values.get("max_mtu")),
    )
    said = make_nic_port(nic, device.where, device.name)
    yield PortFact(about, replace_fields(said, {"hardware": _find_board(device)}))
    state = each.values.get("state")
    is_up = parse_link_state(state.value) if state else None
    if state and state.where and is_up is not None:
        yield describe_link(about, is_up, state.where)
    if part and isinstance(nic.vendor, Known) and (number := text.parse_whole(part.value, range(2**16))) is not None:
        yield from adapters.describe_adapter(about, nic.vendor.value, number, part.where or device.where)
    gids = Known(tuple(each.gids), Origin.LEARNED, each.where) if each.gids else NOT_COLLECTED
    rate = make_port(PortConfig(ethernet=Ethernet(speed_gbps=_compute_rate(each)), nic=Nic()), device.where)
    yield PortFact(about, replace_fields(rate, {"rdma": RdmaDevice(gids=gids)}), rank=Rank.FALLBACK)


def _find_board(device: _Device) -> Hardware:
    found = device.values.get("board_id")
    return Hardware(board=found if found and _PSID.fullmatch(found.value) else NOT_COLLECTED)


def _look_up(table: Mapping[str, str], known: Known[str] | None) -> Setting[str]:
    value = table.get(known.value.lower()) if known else None
    return Known(value, known.origin, known.where) if known and value else NOT_COLLECTED


def _compute_rate(each: _RdmaPort) -> Setting[float]:
    """Return the rate of an active link: its width times the speed of a lane.

    Drivers print lanes below 10 Gb/s for slower Ethernet links and for links of unknown speed.
    """
    state, width, speed = (each.values.get(name) for name in ("state", "active_width", "active_speed"))
    lanes = _WIDTH.fullmatch(width.value) if width else None
    gbps = _SPEED.fullmatch(speed.value) if speed else None
    is_active = state is not None and state.value.startswith("PORT_ACTIVE")
    if not speed or not lanes or not gbps or not is_active or float(gbps[1]) < _SLOWEST_LANE:
        return NOT_COLLECTED
    return Known(int(lanes[1]) * float(gbps[1]), Origin.LEARNED, speed.where)


def _parse_layer(each: _RdmaPort) -> Setting[str]:
    known = each.values.get("link_layer")
    layer = known.value.lower() if known else ""
    return Known(layer, known.origin, known.where) if known and layer in {"ethernet", "infiniband"} else NOT_COLLECTED


def _parse_transport(device: _Device, each: _RdmaPort) -> Setting[str]:
    own = _look_up(_FABRICS, device.values.get("vendor_id"))
    if isinstance(own, Known):
        return own
    known, layer = device.values.get("transport"), each.values.get("link_layer")
    if not known or not layer:
        return NOT_COLLECTED
    words = known.value.lower().split()
    value = _TRANSPORTS.get((words[0] if words else "", layer.value.lower()))
    return Known(value, known.origin, known.where) if value else NOT_COLLECTED


def _parse_mtu(known: Known[str] | None) -> Setting[int]:
    match = _MTU.fullmatch(known.value) if known else None
    return Known(int(match[1]), known.origin, known.where) if known and match else NOT_COLLECTED


COMMANDS = (
    Command(
        "ibv_devinfo -v",
        r"ibv_devinfo(?: -[a-ce-z]+(?: \d)?)*(?: (?:-d|--ib-dev) {rdma})?(?: -.+)?",
        read_devinfo,
        ("config.nic.link_layer", "config.nic.transport", "config.nic.active_mtu_bytes"),
        r"^hca_id:\s|^\s+GID\[ *\d+\]:\s+[0-9A-Fa-f:.xX*#]+, (?:IB/)?RoCE v|^\s+active_mtu:\s+\d+ \(\d\)",
        "link layer, transport (RoCE, iWARP, InfiniBand), path MTU, model, firmware, GIDs",
        fetch=(Fetch(("ibv_devinfo -v",), "link layer, active MTU and GIDs", needs="/sys/class/infiniband"),),
    ),
)
