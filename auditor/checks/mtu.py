"""MTU: every hop takes what the one before may send."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Cable, Context, Params
from auditor.estimate.mtu import PATH_MTUS
from auditor.model.device import Device, VlanInterface
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Level, LossKind, Related, Sign, Symptom
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.qos import TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Direction:
    """One direction of a link."""

    sender: Attached
    receiver: Attached


def list_directions(cable: Cable, _context: object) -> Iterable[Direction]:
    """Return what arrives at switches; a switch may take larger packets than its host, which chooses their size."""
    if cable.is_shut:
        return ()
    both = (Direction(cable.a, cable.b), Direction(cable.b, cable.a))
    return tuple(d for d in both if d.receiver.device.kind == "switch")


def peer_too_small(given: Direction, _params: Params, _context: object) -> Iterator[Finding]:
    """A port silently drops a packet that is larger than its MTU: RoCE packets are not fragmented."""
    sent = given.sender.known(given.sender.port.config.ethernet.ip_mtu_bytes)
    taken = given.receiver.known(given.receiver.port.config.ethernet.ip_mtu_bytes)
    if sent.value > taken.value:
        name = str(given.sender.end)
        place = given.sender.port.locate(sent.where)
        yield Finding(
            f"takes IP packets of {taken.value} bytes at most, but {name} may send {sent.value}",
            given.receiver.port.locate(taken.where) or given.receiver.port.where,
            related=(Related(f"{name} may send {sent.value} bytes", place),) if place else (),
            device=given.receiver.device.name,
            port=given.receiver.port.name,
            loss=LossKind.BLACK_HOLE,
            symptom=Symptom((Sign.TOO_LONG,)),
            facts=(("mtu", _count_as_here(given.receiver.port.config.ethernet, sent.value)),),
        )


def _count_as_here(ethernet: Ethernet, ip_bytes: int) -> int:
    """Return an MTU for IP packets of so many bytes, as the system of a port counts it."""
    here, ip = value_of(ethernet.mtu_bytes), value_of(ethernet.ip_mtu_bytes)
    return ip_bytes + (here - ip if here is not None and ip is not None else 0)


class SwitchMtuParams(Params):
    """Bytes of an IP packet beyond the RDMA payload: IPv4 20, UDP 8, BTH 12, RETH 16, immediate data 4, ICRC 4."""

    switch_overhead_bytes: int = Field(default=64, ge=0)


class HostMtuParams(Params):
    """What the Linux RDMA core takes off a netdev's MTU before it chooses a path MTU, bytes.

    include/rdma/ib_addr.h, iboe_get_mtu.
    """

    host_overhead_bytes: int = Field(default=96, ge=0)


class PathMtuParams(HostMtuParams, SwitchMtuParams):
    """Those of switches and of hosts."""


def below_path_mtu(port: PortConfig, params: PathMtuParams, context: Context) -> Iterator[Finding]:
    """A port whose MTU is below the RDMA path MTU plus headers drops every full packet, or halves the path MTU."""
    payload = context.intent.path_mtu_bytes.known().value
    overhead = params.host_overhead_bytes if port.nic else params.switch_overhead_bytes
    mtu, used = port.ethernet.ip_mtu_bytes, port.nic.active_mtu_bytes if port.nic else NOT_COLLECTED
    if isinstance(mtu, Known) and mtu.value < payload + overhead:
        need = f"an RDMA path MTU of {payload} needs {payload + overhead}"
        # a NIC takes a smaller path MTU instead, and then nothing too long is sent to it
        symptom = None if port.nic else Symptom((Sign.TOO_LONG,))
        yield Finding(f"takes IP packets of {mtu.value} bytes at most, but {need}", mtu.where, symptom=symptom)
    elif isinstance(used, Known) and used.value < payload:
        yield Finding(f"the RDMA device uses a path MTU of {used.value}, but {payload} is meant", used.where)
    else:
        mtu.known()


@dataclass(frozen=True, slots=True)
class SizedClass:
    """A no-drop class with an MTU of its own, and the largest packet that the port or its other classes take."""

    traffic_class: TrafficClass
    others_take: int | None


def list_sized_classes(port: PortConfig, context: Context) -> Iterable[SizedClass]:
    """Return the no-drop classes of switch ports whose system gives each class an MTU."""
    if context.device.kind != "switch" or not takes_part(port):
        return ()
    classes = value_of(port.classification.classes) or ()
    sizes = [value_of(each.mtu_bytes) for each in classes] + [value_of(port.ethernet.ip_mtu_bytes)]
    most = max((size for size in sizes if size is not None), default=None)
    sized = (each for each in classes if each.mtu_bytes != NOT_COLLECTED and value_of(each.lossless))
    return tuple(SizedClass(each, most) for each in sized)


def class_below_path_mtu(given: SizedClass, params: SwitchMtuParams, context: Context) -> Iterator[Finding]:
    """A no-drop class never drops for want of a buffer, and always drops what is longer than its MTU."""
    mtu = given.traffic_class.mtu_bytes.known()
    meant = value_of(context.intent.path_mtu_bytes)
    payload = meant or max(PATH_MTUS)
    need = payload + params.switch_overhead_bytes
    what = f"no-drop class {given.traffic_class.name} takes IP packets of {mtu.value} bytes at most"
    key = given.traffic_class.name
    if mtu.value >= need:
        return
    if meant:
        yield Finding(f"{what}, but an RDMA path MTU of {payload} needs {need}", mtu.where, key=key)
    elif given.others_take and given.others_take > mtu.value:
        fits = max((size for size in PATH_MTUS if size + params.switch_overhead_bytes <= mtu.value), default=0)
        message = f"{what}, and others {given.others_take}: RDMA with a path MTU above {fits} is dropped"
        yield Finding(message, mtu.where, key=key, level=Level.WARNING)
    else:
        context.intent.path_mtu_bytes.known()


@dataclass(frozen=True, slots=True)
class Gateway:
    """A VLAN interface, and the ports with RDMA that carry its VLAN."""

    interface: VlanInterface
    ports: tuple[Port, ...]


def list_gateways(device: Device, context: Context) -> Iterable[Gateway]:
    """Return each interface that routes into a VLAN which ports with RDMA carry."""
    if not device.vlan_interfaces:
        return ()
    ecn_only = context.intent.is_ecn_only
    rdma = {port.name: port for port in device.ports if takes_part(port.config, ecn_only=ecn_only)}
    found = ((each, tuple(rdma[name] for name in each.members if name in rdma)) for each in device.vlan_interfaces)
    return tuple(Gateway(interface, ports) for interface, ports in found if ports)


def gateway_too_small(given: Gateway, params: SwitchMtuParams, context: Context) -> Iterator[Finding]:
    """RDMA that is routed in or out of the VLAN must fit its interface, whatever the ports take."""
    mtu = given.interface.ip_mtu_bytes.known()
    payload = value_of(context.intent.path_mtu_bytes) or max(PATH_MTUS)
    if mtu.value >= payload + params.switch_overhead_bytes:
        return
    told = ((port, port.config.ethernet.ip_mtu_bytes) for port in given.ports)
    larger = [(port, size) for port, setting in told if (size := value_of(setting)) is not None and size > mtu.value]
    if larger:
        port, size = max(larger, key=lambda pair: pair[1])
        also = f" (and {len(larger) - 1} more)" if len(larger) > 1 else ""
        yield Finding(
            f"{given.interface.name} bounds what is routed in its VLAN to IP packets of {mtu.value} bytes; {port.name}"
            f"{also}, with RDMA in that VLAN, takes {size}",
            mtu.where or given.interface.where,
            key=given.interface.name,
            facts=(("interface", given.interface.name),),
            related=(Related(f"{port.name} carries the VLAN", port.where),) if port.where else (),
        )
