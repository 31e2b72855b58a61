"""Scheduling at the NIC: RDMA's class gets what the port has, and leaves by a queue of its own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.checks.base import Context, Params, format_priorities
from auditor.intent import TrafficKind
from auditor.model.finding import Finding
from auditor.model.nic import Nic
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import Queue, Scheduler
from auditor.model.setting import Known, Setting, value_of
from auditor.packet.classify import UNMARKED, sends_cnps, takes_part

_WHOLE = 100
_ZERO_IS_LAST = "NVIDIA"
"""The vendor whose driver serves an ETS class of 0 % after all others (en_dcbnl.c, mlx5e_build_tc_group)."""


@dataclass(frozen=True, slots=True)
class RdmaQueue:
    """A traffic class of a RoCE NIC that carries RDMA or CNPs, with their name and priority."""

    port: PortConfig
    queue: Queue
    title: str
    priority: int
    is_data: bool


def list_rdma_queues(port: PortConfig, context: Context) -> Iterable[RdmaQueue]:
    """Return the captured traffic classes of RoCE NICs that carry RDMA or CNPs."""
    if port.nic is None or not takes_part(port):
        return ()
    wanted = {TrafficKind.RDMA: True, TrafficKind.CNP: False} if sends_cnps(port.nic, context.intent) else {}
    found = []
    for traffic in context.intent.of_kind(*(wanted or {TrafficKind.RDMA: True})):
        priority = value_of(traffic.priority)
        if priority is not None:
            is_data = traffic.kind is TrafficKind.RDMA
            found += [RdmaQueue(port, q, traffic.title, priority, is_data) for q in _list_queues(port.queues, priority)]
    return tuple(found)


def _list_queues(queues: Setting[tuple[Queue, ...]], priority: int) -> Iterator[Queue]:
    return (queue for queue in value_of(queues) or () if priority in (value_of(queue.priorities) or ()))


def rdma_throttled(given: RdmaQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A NIC that holds its own sender back is slower than its port, and looks like congestion in the fabric."""
    queue, port = given.queue, given.port
    what = f"{given.title} (priority {given.priority})"
    share = queue.bandwidth_percent
    if value_of(queue.scheduler) is Scheduler.DWRR and isinstance(share, Known) and share.value == 0:
        rest = (
            "is served after all other classes"
            if port.nic and value_of(port.nic.vendor) == _ZERO_IS_LAST
            else "is guaranteed nothing beside other classes"
        )
        message = f"traffic class {queue.queue} of {what} has an ETS share of 0 %: it {rest}"
        yield Finding(message, share.where, key=f"share {given.title}", is_certain=True)
    cap, limit = queue.shape_percent, queue.shape_gbps
    if given.is_data and isinstance(cap, Known) and cap.value < _WHOLE:
        message = f"traffic class {queue.queue} of {what} is limited to {cap.value:g} % of the port's speed"
        yield Finding(message, cap.where, key=f"limit {given.title}", is_certain=True)
    if given.is_data and isinstance(limit, Known):
        speed = port.ethernet.speed_gbps.known()
        if limit.value < speed.value:
            message = (
                f"traffic class {queue.queue} of {what} is limited to {limit.value:g} Gb/s on a port of "
                f"{speed.value:g} Gb/s"
            )
            yield Finding(message, limit.where, key=f"limit {given.title}", is_certain=True)


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
