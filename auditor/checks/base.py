"""The input of every check, and the description of a check in the table that binds checks to rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from auditor.fabric.addresses import NicAddress, list_nic_addresses
from auditor.fabric.link_addresses import AddressedLink, list_addressed_links
from auditor.fabric.route import Graph
from auditor.fabric.sessions import Sessions
from auditor.intent import Intent, Intents, Traffic, TrafficKind
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.fabric import Attached, Fabric
from auditor.model.finding import Facts, Finding, LossKind, Sign, Symptom
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import PHBS, IpFamily, Queue, Trust
from auditor.model.setting import Known, Undetermined, value_of
from auditor.packet.classify import carries, split_by_family, takes_part
from auditor.util.model_config import CLOSED
from auditor.util.values import dataclass

T = TypeVar("T")


class Scope(StrEnum):
    """The kind of object that a rule judges."""

    PORT = "port"
    DEVICE = "device"
    LINK = "link"
    FABRIC = "fabric"
    COMPARISON = "comparison"
    """A device of the base of a comparison, beside the same device of the head."""


class Params(BaseModel):
    """Parameters of a rule; unknown names are refused."""

    model_config = CLOSED


@dataclass(frozen=True)
class Context:
    """The device of an object, with the intent for the device."""

    device: Device
    intent: Intent

    @cached_property
    def rdma_ports(self) -> tuple[PortConfig, ...]:
        """The configurations of the device's ports for RDMA, sought once: each port may ask for those beside it."""
        return tuple(port.config for port in self.device.ports if takes_part(port.config))


@dataclass(frozen=True, slots=True)
class Cable:
    """Both dumped ends of a link, each with the intent for its device."""

    a: Attached
    b: Attached
    intent_a: Intent
    intent_b: Intent

    @property
    def is_shut(self) -> bool:
        """Whether one end is known to be shut down."""
        return self.a.is_shut or self.b.is_shut


@dataclass(frozen=True)
class Whole:
    """All devices with their links, and their intents; what several rules need of them is made once."""

    fabric: Fabric
    intents: Intents

    def find_once(self, find: Callable[["Whole"], T]) -> T:
        """Return what *find*, a function of a module, finds here; it is asked once for all rules."""
        if find not in self._found:
            self._found[find] = find(self)
        found: T = self._found[find]
        return found

    @cached_property
    def _found(self) -> dict[Callable[["Whole"], Any], Any]:
        return {}

    @cached_property
    def graph(self) -> Graph:
        """The cables between the devices."""
        return Graph(self.fabric)

    @cached_property
    def sessions(self) -> Mapping[str, Sessions]:
        """The addresses and BGP sessions of each device, by its name."""
        return {device.name: Sessions(device) for device in self.fabric.devices}

    @cached_property
    def addressed_links(self) -> tuple[AddressedLink, ...]:
        """The links whose ends have addresses."""
        return list_addressed_links(self.fabric, self.sessions)

    @cached_property
    def nic_addresses(self) -> Mapping[str, tuple[NicAddress, ...]]:
        """The routable addresses of the RoCE NICs of each host, by its name."""
        return {device.name: tuple(list_nic_addresses(device)) for device in self.fabric.devices}


@dataclass(frozen=True, slots=True)
class PortTraffic:
    """A port and one traffic class of the intent, or one of its markings."""

    port: PortConfig
    traffic: Traffic


@dataclass(frozen=True, slots=True)
class PortQueue:
    """A port and one of its egress queues."""

    port: PortConfig
    queue: Queue


@dataclass(frozen=True, slots=True)
class PortPriorityGroup:
    """A port and one of its ingress priority groups."""

    port: PortConfig
    group: PriorityGroup


@dataclass(frozen=True, slots=True)
class Check:
    """One check; `objects` splits an object of the scope into the smallest parts that the check can judge.

    `objects` takes the object and its `Context`; of a link or the whole fabric, which have none, the rule's parameters.
    `by_intent`: its findings rest on the intent, and are as certain as the intent. `losses`: how its findings can break
    losslessness. `signs`: the counter signs of its findings. `by_view`: it takes the public view (`Subject`) of the
    whole port or device, `by_nic` the `Port` of a NIC instead of what ports share that are configured alike.
    `by_cable`: what is plugged in at a port may explain its findings there. `repeats`: equal input gives equal
    findings; a site's own Python may change between runs.
    """

    scope: Scope
    run: Callable[[Any, Any, Any], Iterator[Finding]]
    objects: Callable[[Any, Any], Iterable[Any]]
    params: type[Params] = Params
    by_intent: bool = False
    losses: tuple[LossKind, ...] = ()
    signs: tuple[Sign, ...] = ()
    by_view: bool = False
    by_nic: bool = False
    by_cable: bool = False
    repeats: bool = True


def format_priorities(priorities: Iterable[int]) -> str:
    """Return priorities as text.

    >>> format_priorities([4, 3]), format_priorities([])
    ('3,4', 'none')
    """
    return ",".join(map(str, sorted(priorities))) or "none"


def list_switches(device: Device, _context: Context) -> Iterable[Device]:
    """Return the device if it is a switch."""
    return (device,) if device.kind == "switch" else ()


def list_switch_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports of switches that are not shut down."""
    up = not port.ethernet.is_shut
    return (port,) if context.device.kind == "switch" and up else ()


def list_pausing_ports(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Return ports that are up and on which PFC runs for some priority; raises Undetermined."""
    is_other = port.nic is not None and not takes_part(port)
    if is_other or port.ethernet.is_shut or port.pfc.mode.known().value is not PfcMode.ON:
        return ()
    return (port,) if port.pfc.priorities.known().value else ()


def list_pausing_switch_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports of switches on which PFC runs."""
    return list_pausing_ports(port, context) if context.device.kind == "switch" else ()


def list_rdma_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports that take part in RDMA."""
    return (port,) if takes_part(port, ecn_only=context.intent.is_ecn_only) else ()


def list_rdma_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on each port that takes part."""
    return _list_traffic(port, context, TrafficKind.RDMA)


def list_arriving_rdma(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on each port that takes part, for each version of IP that the port sorts otherwise."""
    return _repeat_for_ipv6(_list_traffic(port, context, TrafficKind.RDMA), context)


def list_lossless_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each class of RDMA or storage that may not be dropped, on each port that takes part in it."""
    found = _list_traffic(port, context, TrafficKind.RDMA, TrafficKind.STORAGE)
    lossless = (f for f in found if not isinstance(f.traffic.lossless, Known) or f.traffic.lossless.value)
    return tuple(f for f in lossless if is_set_up(port, f.traffic) is not False)


def is_set_up(port: PortConfig, traffic: Traffic) -> bool | None:
    """Return whether a port carries *traffic*, None if no capture shows the answer."""
    try:
        return carries(port, traffic)
    except Undetermined:
        return None


def list_switch_rdma_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on switch ports only: a NIC does not mark or drop by WRED."""
    return list_rdma_traffic(port, context) if context.device.kind == "switch" else ()


def list_signalled_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on switch ports, where its senders slow down by marks."""
    return list_switch_rdma_traffic(port, context) if context.intent.uses_dcqcn else ()


def list_nic_rdma_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on ports of RoCE NICs."""
    return list_rdma_traffic(port, context) if port.nic else ()


def list_rdma_markings(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each marking of RDMA packets on each port that takes part."""
    return _list_markings(port, context, TrafficKind.RDMA)


def list_cnp_markings(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each marking of CNPs on each port that takes part; congestion control that is not DCQCN sends none."""
    return _list_markings(port, context, TrafficKind.CNP) if context.intent.uses_dcqcn else ()


def list_companion_markings(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each marking of declared storage and heartbeats on switch ports that take part in RDMA."""
    if context.device.kind != "switch" or not context.intent.declared:
        return ()
    return _list_markings(port, context, TrafficKind.STORAGE, TrafficKind.HEARTBEAT)


def _list_markings(port: PortConfig, context: Context, *kinds: TrafficKind) -> tuple[PortTraffic, ...]:
    """Return the classes of *kinds*, one per DSCP if the port reads the DSCP."""
    found = _list_traffic(port, context, *kinds)
    if value_of(port.classification.trust) is Trust.PCP:
        return found
    marked = tuple(PortTraffic(port, marked) for each in found for marked in each.traffic.by_dscp())
    return _repeat_for_ipv6(marked, context)


def _repeat_for_ipv6(found: tuple[PortTraffic, ...], context: Context) -> tuple[PortTraffic, ...]:
    """Return *found*, repeated for IPv6 where the port sorts IPv6 differently."""
    families = context.intent.families
    return tuple(PortTraffic(f.port, each) for f in found for each in split_by_family(f.port, f.traffic, families))


def _list_traffic(port: PortConfig, context: Context, *kinds: TrafficKind) -> tuple[PortTraffic, ...]:
    intent = context.intent
    is_part = takes_part(port, ecn_only=intent.is_ecn_only)
    return tuple(PortTraffic(port, t) for t in intent.of_kind(*kinds)) if is_part else ()


def list_facts(traffic: Traffic) -> Facts:
    """Return the DSCP and the priority of *traffic* for a remedy, the latter by name too, as far as they are known."""
    points, priority = value_of(traffic.dscp), value_of(traffic.priority)
    classifier = "dscp" if traffic.family is IpFamily.IPV4 else "dscp-ipv6"
    dscp = (("dscp", points[0]), ("dscp_bits", f"{points[0]:06b}"), ("classifier", classifier)) if points else ()
    return dscp if priority is None else (*dscp, ("priority", priority), ("phb", PHBS[priority]))


def make_lossless_symptom(sign: Sign, intent: Intent) -> Symptom | None:
    """Return the symptom of no packet at any priority of RDMA or storage; None if a priority is unknown."""
    found = [value_of(traffic.priority) for traffic in intent.of_kind(TrafficKind.RDMA, TrafficKind.STORAGE)]
    known = tuple(priority for priority in found if priority is not None)
    return Symptom((sign,), known) if known and len(known) == len(found) else None


def list_marking_queues(port: PortConfig, _context: Context) -> Iterable[PortQueue]:
    """Return queues that mark ECN, on ports that are up."""
    if port.ethernet.is_shut:
        return ()
    queues = value_of(port.queues) or ()
    return tuple(PortQueue(port, q) for q in queues if value_of(q.ecn))


def list_lossless_groups(port: PortConfig, context: Context) -> Iterable[PortPriorityGroup]:
    """Return the no-drop priority groups of switch ports on which PFC runs."""
    return tuple(
        PortPriorityGroup(judged, group)
        for judged in list_pausing_switch_ports(port, context)
        for group in judged.priority_groups.known().value
        if value_of(group.lossless)
    )
