"""Scheduling at the NIC: no limit on RDMA, a share for CNPs, and a queue of its own for what PFC pauses."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, format_priorities
from auditor.intent import TrafficKind
from auditor.model.finding import Finding
from auditor.model.nic import Nic
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import Queue, Scheduler
from auditor.model.setting import Known, Setting, value_of
from auditor.packet.classify import UNMARKED, sends_cnps, takes_part
from auditor.util.values import dataclass

_WHOLE = 100
_ZERO_IS_LAST = "NVIDIA"
"""The vendor whose driver serves an ETS class of 0 % after all others (en_dcbnl.c, mlx5e_build_tc_group)."""


@dataclass(frozen=True, slots=True)
class NicQueue:
    """A traffic class of a RoCE NIC that carries RDMA or CNPs, with their name and priority."""

    port: PortConfig
    queue: Queue
    kind: TrafficKind
    title: str


def list_nic_queues(port: PortConfig, context: Context) -> Iterable[NicQueue]:
    """Return the captured traffic classes of RoCE NICs that carry RDMA or CNPs."""
    if port.nic is None or not takes_part(port):
        return ()
    kinds = (TrafficKind.RDMA, *((TrafficKind.CNP,) if sends_cnps(port.nic, context.intent) else ()))
    found = []
    for traffic in context.intent.of_kind(*kinds):
        priority = value_of(traffic.priority)
        if priority is not None:
            title = f"{traffic.title} (priority {priority})"
            found += [NicQueue(port, q, traffic.kind, title) for q in _list_queues(port.queues, priority)]
    return tuple(found)


def _list_queues(queues: Setting[tuple[Queue, ...]], priority: int) -> Iterator[Queue]:
    return (queue for queue in value_of(queues) or () if priority in (value_of(queue.priorities) or ()))


def nic_throttles(given: NicQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A NIC that holds its own sender back is slower than its port, and one that holds CNPs back reacts too late."""
    queue = given.queue
    if given.kind is TrafficKind.RDMA:
        cap = queue.shape_percent
        if isinstance(cap, Known) and cap.value < _WHOLE:
            message = f"traffic class {queue.queue} of {given.title} is limited to {cap.value:g} % of the port's speed"
            yield Finding(message, cap.where, key=f"limit {given.title}", is_certain=True)
        return
    share = queue.bandwidth_percent
    if value_of(queue.scheduler) is Scheduler.DWRR and isinstance(share, Known) and share.value == 0:
        vendor = value_of(given.port.nic.vendor) if given.port.nic else None
        rest = "is served after all other classes" if vendor == _ZERO_IS_LAST else "is sure of nothing beside others"
        message = f"traffic class {queue.queue} of {given.title} has an ETS share of 0 %: it {rest}"
        yield Finding(message, share.where, key=f"share {given.title}", is_certain=True)


@dataclass(frozen=True, slots=True)
class SharedQueue:
    """A traffic class of a RoCE NIC that carries lossless priorities, `lossless`; `paused` are all of the NIC."""

    queue: Queue
    paused: frozenset[int]
    lossless: frozenset[int]


def list_paused_queues(port: PortConfig, context: Context) -> Iterable[SharedQueue]:
    """Return the captured traffic classes of RoCE NICs that PFC pauses for what is meant to be lossless."""
    if port.nic is None or not takes_part(port) or value_of(port.pfc.mode) is not PfcMode.ON:
        return ()
    paused, meant = set(value_of(port.pfc.priorities) or ()), value_of(context.intent.lossless)
    own = frozenset(paused if meant is None else paused.intersection(meant))
    queues = value_of(port.queues) or ()
    return tuple(
        SharedQueue(queue, frozenset(paused), own)
        for queue in queues
        if not isinstance(queue.priorities, Known) or own.intersection(queue.priorities.value)
    )


def shares_paused_class(given: SharedQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A pause stops the traffic class, so that packets of no RDMA wait with it and take its share of the port."""
    carried = given.queue.priorities.known()
    others, own = set(carried.value) - given.paused, given.lossless.intersection(carried.value)
    if others and UNMARKED not in own:
        plural = "priorities" if len(others) > 1 else "priority"
        message = (
            f"traffic class {given.queue.queue} carries priority {format_priorities(own)}, which PFC pauses, and "
            f"{plural} {format_priorities(others)}, which it does not"
        )
        yield Finding(message, carried.where, key=f"class {given.queue.queue}", is_certain=True)


def list_cnp_senders(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return RoCE NICs that send CNPs and of which the priority of these was captured."""
    nic = port.nic
    if nic is None or not takes_part(port) or not sends_cnps(nic, context.intent):
        return ()
    return (port,) if isinstance(nic.cnp_priority, Known) else ()


def cnp_priority_paused(port: PortConfig, _params: Params, context: Context) -> Iterator[Finding]:
    """A CNP that waits for the end of a pause comes after the congestion that it tells of."""
    own = (port.nic or Nic()).cnp_priority.known()
    meant = {value_of(traffic.priority) for traffic in context.intent.of_kind(TrafficKind.CNP)}
    if context.intent.declared and own.value in meant:
        return
    if own.value in port.pfc.priorities.known().value and port.pfc.mode.known().value is PfcMode.ON:
        message = f"the NIC sends CNPs in priority {own.value}, which PFC pauses: a pause holds them back with the data"
        yield Finding(message, own.where, key="cnp", is_certain=True)
