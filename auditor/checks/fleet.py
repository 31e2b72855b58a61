"""Outliers: a port whose setting differs from its peers, ports of the same kind on similar devices."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeAlias

from pydantic import Field

from auditor.checks.base import Params, Whole
from auditor.checks.portsettings import (
    ACTION,
    NOT_SET,
    PATH_MTU,
    PAYLOAD,
    PFC_ASYMMETRIC,
    PFC_MODE,
    POINTS,
    READ_REQUEST,
    SCHEDULER,
    SHARES,
    TUNED,
    read_tuned,
)
from auditor.intent import Intent, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Attached, End
from auditor.model.finding import Finding, Level, Related
from auditor.model.port import PfcMode, Port, PortConfig
from auditor.model.qos import Threshold
from auditor.model.setting import Known, Origin, is_chosen, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


class OutlierParams(Params):
    """How many peers make a majority."""

    least_peers: int = Field(default=8, ge=3, description="smaller groups have no outliers")
    least_share: float = Field(default=0.75, gt=0.5, le=1, description="of the group that must agree")


Values: TypeAlias = Sequence[tuple[Attached, Known[object]]]
Alike: TypeAlias = tuple[Sequence[Attached], Known[object]]
"""Ports that have one value, the same object."""


@dataclass(frozen=True, slots=True)
class Peers:
    """Ports of the same kind, and what they have for one setting; `sides` are the tier and role of each device.

    `is_told`: what stands at the other ends of the cables is known.
    """

    what: str
    kind: str
    alike: Sequence[Alike]
    sides: Mapping[str, str]
    is_told: bool = True

    @property
    def values(self) -> Values:
        """Each port with its value."""
        return [(port, value) for ports, value in self.alike for port in ports]

    @property
    def are_pools(self) -> bool:
        """Whether the values are of buffer pools: what these are for differs by design."""
        return self.what.startswith(POOL)


RDMA_PFC = "PFC for RDMA"
FORWARDING, VRF = "forwarding of the port", "VRF"
ROLES = frozenset({RDMA_PFC, FORWARDING, VRF})
"""Settings by which ports of another role, or of another tenant, differ on purpose."""
NEARLY_ALL = 0.9
"""Share of equal ports from which on another one is no port of another role."""
LEVELS: Mapping[str, Level] = dict.fromkeys(
    (PFC_MODE, PFC_ASYMMETRIC, ACTION, SCHEDULER, RDMA_PFC, FORWARDING, VRF, POINTS, READ_REQUEST, PAYLOAD),
    Level.WARNING,
)
"""Settings that are worse to have otherwise than the rule's own level says."""
POOL = "pool"
"""What settings of a buffer pool begin with."""
FEW = frozenset(
    name for name in TUNED if name.startswith(("ECN", "bandwidth", "weight", "rate limit", "egress", "PFC"))
) | {*SHARES, PFC_ASYMMETRIC, SCHEDULER, ACTION}
"""Settings of switches that are compared where there are only few ports: those that no cable and no part decides."""
FAR, UNIT_BYTES = 10, range(900, 1101)
"""How many times another value is no matter of taste, and is one of another unit."""


def list_peers(given: Whole, _params: object) -> Iterable[Peers]:
    """Return each setting of RDMA ports, in groups of one operating system, model, speed and neighbourhood."""
    groups: dict[tuple[str, str], list[Alike]] = {}
    facing = _map_neighbours(given)
    linked = {end for link in given.fabric.links for end in (link.a, link.b)}
    leaves = {device for (device, _), kind in facing.items() if kind == "host"}
    sides: dict[str, str] = {}
    read: dict[tuple[int, int | None], dict[str, Known[object]]] = {}
    for device in given.fabric.devices:
        intent = given.intents.of(device.own_name)
        priority = _find_priority(intent)
        sides[device.name] = f"{intent.role} {device.name in leaves}"
        for neighbour, alike in _group_ports(device, facing):
            config = alike[0].port.config
            kind = _describe_kind(alike[0], neighbour)
            if not neighbour and (pausing := _find_pauses(alike, linked)):
                groups.setdefault((RDMA_PFC, kind), []).append(pausing)
            if not takes_part(config):
                continue
            for attached in alike if neighbour == "host" else ():
                for what, place in _read_place(device, attached.port):
                    groups.setdefault((what, kind), []).append(((attached,), place))
            key = (id(config), priority)
            if key not in read:
                read[key] = read_tuned(config, priority)
            for what, value in read[key].items():
                groups.setdefault((what, kind), []).append((alike, value))
        for what, value in _read_pools(device):
            whole = Attached(device, Port("", PortConfig()))
            groups.setdefault((what, _describe_tier(device, intent.role, leaves)), []).append(((whole,), value))
    return tuple(
        Peers(what, kind, tuple(alike), sides, is_told=not kind.endswith(f" {_PORTS['']}"))
        for (what, kind), alike in sorted(groups.items(), key=lambda g: g[0])
    )


def _group_ports(device: Device, facing: Mapping[tuple[str, str], str]) -> Iterable[tuple[str, Sequence[Attached]]]:
    """Return ports of one configuration whose neighbours are of one kind, each time with that kind."""
    found: dict[tuple[int, str], list[Attached]] = {}
    for port in device.ports:
        neighbour = facing.get((device.name, port.name), "")
        found.setdefault((id(port.config), neighbour), []).append(Attached(device, port))
    return [(neighbour, alike) for (_, neighbour), alike in found.items()]


def _find_pauses(alike: Sequence[Attached], linked: AbstractSet[End]) -> Alike | None:
    """Return those of some ports of a switch that have a cable, and whether they pause for RDMA, None if none has one.

    They have one configuration.
    """
    device, port = alike[0].device, alike[0].port
    pauses = _read_rdma_pfc(port.config) if device.kind == "switch" else None
    cabled = [each for each in alike if each.port.description or each.end in linked]
    return (cabled, pauses) if pauses and cabled else None


def _read_place(device: Device, port: Port) -> Iterator[tuple[str, Known[object]]]:
    """Yield whether a port to a host routes, and in which VRF: ports of one kind serve one network."""
    if isinstance(port.config.ethernet.forwarding, Known):
        yield FORWARDING, port.config.ethernet.forwarding
    if device.routing.addresses and device.routing.vrfs is not None:
        yield VRF, device.routing.vrfs.get(port.name) or Known("default", Origin.DEFAULT, port.where)


def _read_pools(device: Device) -> Iterator[tuple[str, Known[object]]]:
    """Yield the sizes of the buffer pools of a switch: no traffic of one switch of a tier asks for others."""
    for pool in value_of(device.pools) or ():
        sizes = (("share of the buffer (%)", pool.memory_percent), ("size (bytes)", pool.size_bytes))
        for name, setting in (*sizes, ("shared headroom (bytes)", pool.shared_headroom_bytes)):
            if is_chosen(setting):
                yield f"{POOL} {pool.name}: {name}", setting.known()


def _read_rdma_pfc(config: PortConfig) -> Known[object] | None:
    """Return whether a port that is up pauses for RDMA, None where no capture shows the answer."""
    mode = config.pfc.mode
    if config.ethernet.is_shut or not isinstance(mode, Known) or mode.value is PfcMode.AUTO:
        return None
    return Known(mode.value is PfcMode.ON and takes_part(config), mode.origin, mode.where, mode.reference)


_PORTS = {"": "ports", "host": "ports to hosts", "switch": "ports to switches"}


def _map_neighbours(given: Whole) -> Mapping[tuple[str, str], str]:
    kinds = {device.name: device.kind for device in given.fabric.devices if device.kind in _PORTS}
    ends = (pair for link in given.fabric.links for pair in ((link.a, link.b), (link.b, link.a)))
    return {(near.device, near.port): kinds.get(far.device, "") for near, far in ends}


def _describe_kind(attached: Attached, neighbour: str) -> str:
    device, port = attached.device, attached.port
    nic = port.config.nic
    model = value_of(nic.model) if nic else value_of(device.model)
    speed = value_of(port.config.ethernet.speed_gbps)
    ports = "NICs" if nic else _PORTS[neighbour]
    return " ".join(word for word in (device.os, model, f"{speed:g} Gb/s" if speed else None, ports) if word)


def _describe_tier(device: Device, role: str | None, leaves: AbstractSet[str]) -> str:
    """Return the kind of a switch, with its role and whether hosts are attached to it."""
    words = (device.os, value_of(device.model), role, "switches", "with hosts" if device.name in leaves else "")
    return " ".join(word for word in words if word)


def _find_priority(intent: Intent) -> int | None:
    told = (value_of(traffic.priority) for traffic in intent.of_kind(TrafficKind.RDMA))
    return next((priority for priority in told if priority is not None), None)


def outlier(given: Peers, params: OutlierParams, _context: object) -> Iterator[Finding]:
    """One port that differs from all its peers was forgotten in a change, or changed alone."""
    texts = {number: _format_value(value.value) for number, value in {id(v): v for _, v in given.alike}.items()}
    counted: Counter[str] = Counter()
    for ports, value in given.alike:
        counted[texts[id(value)]] += len(ports)
    total = counted.total()
    usual, count = counted.most_common(1)[0]
    if len(counted) == 1 or (given.what == RDMA_PFC and usual == "off"):
        return
    least_share = max(params.least_share, NEARLY_ALL) if given.what in ROLES else params.least_share
    if total >= params.least_peers and count >= least_share * total:
        model = next(value for _, value in given.alike if texts[id(value)] == usual)
        for attached, value in given.values:
            if texts[id(value)] != usual:
                yield _report(given, attached, value, model, f"{usual} at {count} of {total} {given.kind}")
    elif given.what in FEW or given.are_pools:
        sides: dict[str, list[tuple[Attached, Known[object]]]] = {}
        for attached, value in given.values:
            if attached.device.kind == "switch":
                sides.setdefault(given.sides[attached.device.name], []).append((attached, value))
        for values in sides.values():
            yield from _compare_few(given, values, texts, params.least_share)


def _compare_few(given: Peers, values: Values, texts: Mapping[int, str], least_share: float) -> Iterator[Finding]:
    """Compare switch with switch where each has one value, else the ports of each switch.

    Ports whose neighbours are not known may be of two kinds: there a small part differs, and is worth a note.
    """
    by_device: dict[str, list[tuple[Attached, Known[object]]]] = {}
    for attached, value in values:
        by_device.setdefault(attached.device.name, []).append((attached, value))
    mixed = [own for own in by_device.values() if len({texts[id(value)] for _, value in own}) > 1]
    for own in mixed or [[own[0] for own in by_device.values()]]:
        counted = Counter(texts[id(value)] for _, value in own).most_common(2)
        usual, count = counted[0]
        if len(counted) == 1 or (count == counted[1][1] and len(own) != _PAIR) or _PAIR * count < len(own):
            continue
        if given.are_pools and (len(own) == _PAIR or count < least_share * len(own)):
            continue  # a few switches show no design
        is_guess = bool(mixed) and not given.is_told
        if is_guess and count < least_share * len(own):
            continue
        near, model = next(each for each in own if texts[id(each[1])] == usual)
        at = near.port.name if mixed else near.device.name
        whom = (
            f"{usual} at {at}" if len(own) == _PAIR else f"{usual} at {count} of {len(own)} {_name_units(given, mixed)}"
        )
        place = near.port.locate(model.where) if len(own) == _PAIR else None
        for attached, value in own:
            if texts[id(value)] != usual:
                found = _report(given, attached, value, model, whom)
                found = replace(found, level=Level.NOTE) if is_guess else found
                yield replace(found, related=(*found.related, Related("the other value", place))) if place else found


_PAIR = 2


def _name_units(given: Peers, mixed: Sequence[object]) -> str:
    return given.kind if mixed else f"switches ({given.kind})"


def _report(given: Peers, attached: Attached, value: Known[object], model: Known[object], whom: str) -> Finding:
    return Finding(
        f"{given.what} is {_format_value(value.value)}, but {whom}",
        attached.port.locate(value.where) or attached.port.where,
        key=given.what,
        level=Level.WARNING if given.are_pools else LEVELS.get(given.what) or _judge_distance(value.value, model.value),
        gives_way=value.origin is not Origin.DEFAULT,
        related=_relate_setting(given.what, attached),
        device=attached.device.name,
        port=attached.port.name,
    )


def _relate_setting(what: str, attached: Attached) -> tuple[Related, ...]:
    """Return the line of the setting that a value follows from: a NIC takes the path MTU that its MTU holds."""
    setting = attached.port.config.ethernet.mtu_bytes if what == PATH_MTU else None
    where = attached.port.locate(setting.where) if isinstance(setting, Known) else None
    return (Related("the MTU of the port", where),) if where else ()


def _judge_distance(value: object, model: object) -> Level | None:
    """Return how bad it is to be that far from the peers: a thousand times as many bytes are another unit."""
    if NOT_SET in (value, model):
        return Level.WARNING
    if isinstance(value, Threshold) and isinstance(model, Threshold):
        are_sized = value.bytes is not None or value.unit is not model.unit
        sizes = (value.bytes, model.bytes) if are_sized else (value.value, model.value)
        level = Level.ERROR if are_sized else None
    else:
        sizes, level = (_read_number(value), _read_number(model)), None
    low, high = min(sizes, key=lambda n: n or 0), max(sizes, key=lambda n: n or 0)
    if not low or not high:
        return None
    times = high / low
    if level and round(times) in UNIT_BYTES:
        return level
    return Level.WARNING if times >= FAR else None


def _read_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _format_value(value: object) -> str:
    """Return a value as text, thresholds in bytes where their unit has a size, so that equal ones look equal."""
    if isinstance(value, Threshold):
        size = value.bytes
        return f"{value.value:g} {value.unit.value}" if size is None else f"{size:,.0f} bytes"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
