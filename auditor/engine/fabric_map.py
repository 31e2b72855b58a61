"""The map of a fabric: its devices by tier and pod, the cables, and the way of packets through each port.

Ports of one shape share its stages: an AI fabric of ten thousand ports has a few dozen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from auditor.engine.sizing import find_sizes
from auditor.fabric.placement import Placement, place_devices
from auditor.inputs.dates import CaptureDate
from auditor.intent import Intents, Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric
from auditor.model.port import Port
from auditor.model.setting import Undetermined, Where, value_of
from auditor.packet.classify import classify
from auditor.util.values import dataclass
from auditor.view.documents import DeviceView
from auditor.view.pipeline import LEFT, NOWHERE, Flow, Place, Setting, Stage, list_stages
from auditor.view.port_view import device_view, read_port
from auditor.view.states import StateReader

MOST_SHAPES = 2048
"""Distinct configurations of the ports of one device; the map has no ports of a device with more."""
_KINDS = (TrafficKind.RDMA, TrafficKind.CNP, TrafficKind.STORAGE)
_HEAD = "\0"
"""Stands for the file of a place that counts from the head of a port's own stanza; the number of the head follows."""


@dataclass(frozen=True, slots=True)
class PortShape:
    """What ports of one device and one configuration share.

    `stages` are numbers of stages of the map, and `places` prove their settings, one behind the other: the number of a
    file of `files`, and a line. -1 - N in place of a file is head N of the port, from which the line counts; where
    nothing proves a setting, its line is 0.
    """

    stages: tuple[int, ...]
    files: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MapPort:
    """A port: the number of its shape in its device, the heads of its stanzas, and the far end of its cable."""

    name: str
    shape: int
    heads: tuple[tuple[str, int], ...] = ()
    peer: str = ""
    peer_port: str = ""
    rail: str = ""

    def locate(self, shape: PortShape, number: int) -> tuple[str, int] | None:
        """Return the file and the line that prove a setting of *shape* at this port, None where nothing does."""
        file, line = shape.places[number]
        if file >= 0:
            return (shape.files[file], line) if line else None
        head = self.heads[-1 - file] if -1 - file < len(self.heads) else None
        return (head[0], head[1] + line) if head else None


@dataclass(frozen=True, slots=True)
class MapDevice:
    """A device; `tier` and `pod` are None where no known cable places it, `captured` is the day of its oldest file."""

    name: str
    kind: str
    os: str
    about: str
    tier: int | None
    pod: int | None
    captured: str
    ports: tuple[MapPort, ...]
    shapes: tuple[PortShape, ...]


@dataclass(frozen=True, slots=True)
class FabricMap:
    """The devices in their order, and the distinct stages of all ports, whose settings have no places."""

    devices: tuple[MapDevice, ...]
    stages: tuple[Stage, ...]


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


def list_settings(shape: PortShape, stages: Sequence[Stage]) -> list[tuple[Stage, list[tuple[Setting, int]]]]:
    """Return the stages of *shape*, each setting with the number of its place."""
    found, number = [], 0
    for stage in (stages[index] for index in shape.stages):
        found.append((stage, [(each, number + at) for at, each in enumerate(stage.settings)]))
        number += len(stage.settings)
    return found
