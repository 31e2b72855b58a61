"""The map of a fabric, made of the model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from auditor.engine.fabric_map import FabricMap, MapDevice, MapPort, PortShape
from auditor.engine.sizing import find_sizes
from auditor.fabric.placement import Placement, place_devices
from auditor.inputs.dates import CaptureDate
from auditor.intent import Intents, Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric
from auditor.model.port import Port
from auditor.model.setting import Undetermined, Where, value_of
from auditor.packet.classify import classify
from auditor.view.documents import DeviceView
from auditor.view.pipeline import LEFT, Flow, list_stages
from auditor.view.port_view import device_view, read_port
from auditor.view.stages import NOWHERE, Place, Stage
from auditor.view.states import StateReader

MOST_SHAPES = 2048
"""Distinct configurations of the ports of one device; the map has no ports of a device with more."""
_KINDS = (TrafficKind.RDMA, TrafficKind.CNP, TrafficKind.STORAGE)
_HEAD = "\0"
"""Stands for the file of a place that counts from the head of a port's own stanza; the number of the head follows."""


def make_fabric_map(fabric: Fabric, intents: Intents, dates: Mapping[str, CaptureDate]) -> FabricMap:
    """Return the map of *fabric*; *dates* are those of the dumps."""
    placement = place_devices(fabric)
    far = dict(chain.from_iterable(((link.a, link.b), (link.b, link.a)) for link in fabric.links))
    stages: dict[Stage, int] = {}
    devices = tuple(_map_device(each, intents, placement, far, dates, stages) for each in fabric.devices)
    return FabricMap(devices, tuple(stages))


def _map_device(  # noqa: PLR0913, PLR0917  what surrounds a device
    device: Device,
    intents: Intents,
    placement: Placement,
    far: Mapping[End, End],
    dates: Mapping[str, CaptureDate],
    stages: dict[Stage, int],
) -> MapDevice:
    head = device_view(replace(device, ports=()))
    groups: dict[tuple[int, str | None], list[Port]] = {}
    for port in device.ports:
        groups.setdefault((id(port.config), value_of(port.rdma.name)), []).append(port)
    if len(groups) > MOST_SHAPES:
        groups = {}
    made = [_make_shape(ports[0], device, head, intents, stages) for ports in groups.values()]
    days = sorted(str(dates[dump.file].day) for dump in device.dumps if dump.file in dates)
    about = " ".join(filter(None, (head.os_version, head.model, head.asic)))
    return MapDevice(
        name=device.name,
        kind=device.kind,
        os=device.os,
        about=about,
        tier=placement.tiers.get(device.name),
        pod=placement.pods.get(device.name),
        captured=days[0] if days else "",
        ports=tuple(
            _map_port(port, number, counted_from, End(device.name, port.name), placement, far)
            for number, (ports, (_, counted_from)) in enumerate(zip(groups.values(), made, strict=True))
            for port in ports
        ),
        shapes=tuple(shape for shape, _ in made),
    )


def _map_port(  # noqa: PLR0913, PLR0917  what surrounds a port
    port: Port, shape: int, counted_from: Sequence[int], own: End, placement: Placement, far: Mapping[End, End]
) -> MapPort:
    told = value_of(port.peer)
    peer = far.get(own) or (End(told.device, told.port) if told else End("", ""))
    every = port.heads
    heads = tuple((where.file, where.line) if (where := every[number]) else ("", 0) for number in counted_from)
    return MapPort(port.name, shape, heads, peer.device, peer.port, placement.rails.get(own, ""))


def _make_shape(
    port: Port, device: Device, head: DeviceView, intents: Intents, stages: dict[Stage, int]
) -> tuple[PortShape, tuple[int, ...]]:
    """Return the shape of the ports that are configured like *port*, and the numbers of the heads that it counts from.

    Its stages are added to *stages*.
    """
    intent = intents.of(device.own_name)
    marked = replace(
        port,
        where=Where(f"{_HEAD}0", 0) if port.where else None,
        parts=tuple(Where(f"{_HEAD}{number}", 0) for number in range(1, len(port.parts) + 1)),
        rows=tuple(Where(f"{_HEAD}{len(port.heads) - number}", 0) for number in range(1, len(port.rows) + 1)),
        counters=None,
    )
    read = StateReader(marked, keep=True, left=LEFT)
    view = read_port(marked, read)
    sizes = find_sizes(port, device, intent)
    for group, point in zip(view["priority_groups"] or (), sizes.pause_points, strict=False):
        group["pause_point_bytes"] = point
    view["headroom_needed"] = sizes.need
    flows = [_follow(traffic.by_dscp()[0], traffic.name, marked) for kind in _KINDS for traffic in intent.of_kind(kind)]
    files: dict[str, int] = {}
    own, places = [], []
    for stage in list_stages(view, read.states or {}, head.pools, flows):
        if stage not in stages:
            stages[replace(stage, places=())] = len(stages)
        own.append(stages[stage])
        places += [_place(each, files) for each in stage.places]
    counted_from = (0, *sorted({-1 - file for file, _ in places if file < -1}))
    numbers = {-1 - head: -1 - number for number, head in enumerate(counted_from)}
    return PortShape(tuple(own), tuple(files), tuple((numbers.get(f, f), line) for f, line in places)), counted_from


def _follow(packet: Traffic, name: str, port: Port) -> Flow:
    """Return what becomes of a *packet* of this *name* that arrives at a port, or that a NIC sends."""
    points = value_of(packet.dscp)
    dscp = points[0] if points else None
    try:
        found, entry = classify(port.config, packet)
    except Undetermined as ignorance:
        return Flow(name, dscp, None, ignorance.why, _read_place(port.locate(ignorance.where)))
    return Flow(name, dscp, found.id, "", _read_place(port.locate(entry.where)))


def _read_place(where: Where | None) -> Place:
    return (where.file, where.line) if where else NOWHERE


def _place(place: Place, files: dict[str, int]) -> tuple[int, int]:
    file, line = place
    if file.startswith(_HEAD):
        return -1 - int(file[1:]), line
    return (files.setdefault(file, len(files)), line) if file else (0, 0)
